//! A day of stream, a hundred thousand connections, long transfers and hours of calls, or a tenth of each: nothing may be left behind.
//!
//! What is counted is memory that the program holds, by its allocator: a program of its own, and one test at a time, so that they are
//! ignored unless they are asked for: `bash .ci/run --only soak`, with `AIRTIME_WHOLE=1` for the whole.

mod rpc_soak;
mod soak {
    pub mod cycle;
    pub mod transfer;
}
mod support;

use airtime_ble::controller::Controller;
use airtime_ble::medium::Medium;
use airtime_ble::network::{Device, Network};
use airtime_ble_link::run::build;
use airtime_core::loss::{Loss, LossProcess};
use airtime_core::random::stream;
use airtime_core::{Duration, EventLoop, Instant, Pool};
use airtime_lab::Library;
use airtime_testing::whole_or_tenth;
use soak::cycle::{CENTRAL_ADDRESS, Connecting, PERIPHERAL_ADDRESS, Role};
use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};

#[global_allocator]
static MEMORY: &StatsAlloc<std::alloc::System> = &INSTRUMENTED_SYSTEM;

/// Octets that the program holds.
fn held() -> usize {
    let stats = MEMORY.stats();
    stats.bytes_allocated - stats.bytes_deallocated
}

#[test]
#[ignore = "a soak: run it on one thread"]
fn a_day_of_stream_leaves_nothing_behind() {
    let (_, point) = support::plan(&[("ble.conn_interval", "50ms"), ("coc.credits", "batched"), ("acl.count", "12")]);
    let mut network = build(support::ble(&point), 1, ());
    let mut events = EventLoop::new(Instant::ZERO, &network);
    network.start(Instant::ZERO);
    events.refresh(&network);
    let hour = whole_or_tenth(3600);
    let mut hours = Vec::with_capacity(25);
    for passed in 1..=24 {
        events.run_until(&mut network, Instant::ZERO + Duration::from_secs(hour * passed));
        hours.push(held());
    }
    let octets = network.devices[0].station.received(0);
    println!("octets held after each hour: {hours:?}; received {octets:?} octets");
    assert_eq!(hours.iter().max(), hours.first(), "memory held after each hour");
}

#[test]
#[ignore = "a soak: run it on one thread"]
fn a_hundred_thousand_connections_leave_nothing_behind() {
    let library = Library::builtin();
    let personality = library
        .get("nordic-sdc")
        .and_then(|found| found.of::<airtime_ble_link::plan::Personality>())
        .expect("it is shipped");
    let pool = Pool::new();
    let device = |role, address| Device {
        controller: Controller::new(personality.controller, address, pool.clone()),
        station: Connecting::new(role, personality.host, pool.clone()),
    };
    let devices = vec![device(Role::Central, CENTRAL_ADDRESS), device(Role::Peripheral, PERIPHERAL_ADDRESS)];
    let medium = Medium::new(2, LossProcess::new(Loss::None, stream(1, "soak")), false);
    let mut network = Network::new(medium, devices, ());
    let mut events = EventLoop::new(Instant::ZERO, &network);
    network.start(Instant::ZERO);
    events.refresh(&network);

    let mut held_after = Vec::with_capacity(101);
    let thousand = whole_or_tenth(1000);
    for passed in 1..=100 {
        while network.devices[0].station.cycles() < thousand * passed {
            assert!(events.step(&mut network, Instant::FAR_FUTURE), "the devices found each other again");
        }
        held_after.push((held(), pool.idle()));
    }
    println!("{} of virtual time; octets held, buffers idle: {held_after:?}", events.now());
    let warm = held_after[1];
    assert!(held_after[1..].iter().all(|after| *after == warm), "after each thousand: {held_after:?}");
}
