//! Once warm, frames cross the bus without an allocation.

use airtime_core::{Instant, Pool};
use airtime_esp_hosted::coprocessor::{Coprocessor, CoprocessorConfig, CoprocessorOutput};
use airtime_esp_hosted::host::{Host, HostConfig, HostOutput, Task};
use airtime_esp_hosted::sdio::Completion;
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

#[global_allocator]
static MEMORY: &StatsAlloc<std::alloc::System> = &INSTRUMENTED_SYSTEM;

/// Everything that happens at `now`: how many frames came out, at the air and at the netif.
fn settle(now: Instant, host: &mut Host, slave: &mut Coprocessor, reply: &mut airtime_core::Packet) -> u32 {
    let mut frames = 0;
    loop {
        let mut idle = true;
        while let Some(output) = slave.poll(now) {
            idle = false;
            match output {
                CoprocessorOutput::Offer(_) => {
                    frames += 1;
                    slave.offered(now, None);
                }
                CoprocessorOutput::Interrupt(asserted) => host.interrupt(now, asserted),
                other => panic!("{other:?}"),
            }
        }
        while let Some(output) = host.poll(now) {
            idle = false;
            frames += u32::from(matches!(output, HostOutput::Frame(_)));
        }
        for task in [Task::Write, Task::Split, Task::Dispatch] {
            if let Some(work) = host.work(task) {
                idle = false;
                host.worked(now, task, work.frames);
            }
        }
        if slave.work().is_some() {
            idle = false;
            slave.worked(now);
        }
        if let Some(transaction) = host.transaction(now) {
            idle = false;
            match slave.bus(now, &transaction, reply) {
                Completion::Read(_) => host.done(now, transaction, Completion::Read(reply)),
                _ => host.done(now, transaction, Completion::Written),
            }
        }
        if idle {
            return frames;
        }
    }
}

#[test]
fn a_warm_bus_allocates_nothing() {
    let (pool, now) = (Pool::new(), Instant::from_nanos(0));
    let mut host = Host::booted(HostConfig::default(), pool.clone());
    let mut slave = Coprocessor::booted(CoprocessorConfig::default(), pool.clone());
    let (mut reply, payload) = (pool.packet(), [7; 1_400]);
    let mut frames = 0;
    let mut run = |bursts: u32| {
        for _ in 0..bursts {
            for _ in 0..10 {
                host.transmit(now, pool.copy(&payload)).unwrap();
                slave.received(now, pool.copy(&payload)).unwrap();
            }
            frames += settle(now, &mut host, &mut slave, &mut reply);
        }
    };
    run(20);
    // The harness has a thread of its own, which allocates now and then: what the bus allocates would show in every round.
    let fewest = (0..5).map(|_| {
        let region = Region::new(MEMORY);
        run(1_000);
        let change = region.change();
        change.allocations + change.reallocations
    });
    assert_eq!(fewest.min(), Some(0));
    assert_eq!(frames, 5_020 * 20);
}
