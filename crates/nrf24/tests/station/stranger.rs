//! A third radio that sends garbage to the address of a node: valid frames of the chip, nonsense above it.

use airtime_core::loss::Loss;
use airtime_core::random::stream;
use airtime_core::{Duration, Instant, Pool};
use airtime_nrf24::driver::{self, Radio, Role};
use airtime_nrf24::host::{Host, HostOutput};
use airtime_nrf24::station::{Config, RASPBERRY_PI, Radios, Station, StationEnd};
use airtime_nrf24::tunnel::Mode;
use airtime_nrf24::wires::{Board, SharedChip, Task, Tasks, Wires};

use super::rig::{Rig, at};

/// A node, or the stranger.
#[derive(Debug)]
enum Either {
    Node(Box<Station>),
    Stranger(Tasks),
}

/// Sends frames of any length with any octets, some twice, every 100 to 200 ms.
async fn pester(task: Task, config: driver::Config) {
    let Wires { spi, ce, irq, delay } = task.wires();
    let mut radio = Radio::new(spi, ce, irq, delay);
    radio.configure(&config, Role::Transmitter).await.expect("a chip");
    radio.start().expect("a pin");
    let mut random = stream(7, "test/stranger");
    loop {
        let mut payload = [0; 32];
        payload.iter_mut().for_each(|octet| *octet = random.bits() as u8);
        let len = 1 + random.below(32) as usize;
        for _ in 0..=random.below(2) {
            radio.write(&payload[..len], true).await.expect("a bus");
        }
        task.sleep(Duration::from_micros(100_000 + random.below(100_000))).await;
        radio.on_irq().await.expect("a bus");
    }
}

impl Either {
    fn new(chips: &[SharedChip], index: usize, mode: Mode, pool: &Pool) -> Self {
        let config = Config::usual(if index == 1 { StationEnd::B } else { StationEnd::A }, mode, index as u64 + 1);
        if index < 2 {
            return Self::Node(Box::new(Station::new(chips, config, pool, Instant::ZERO)));
        }
        let mut tasks = Tasks::new(Instant::ZERO, RASPBERRY_PI);
        let task = tasks.task(Some((0, Board { chip: chips[0].clone(), cost: RASPBERRY_PI })));
        let (Radios::Two { transmit: radio, .. } | Radios::One { radio }) = config.radios;
        tasks.spawn(&task, pester(task.clone(), radio));
        Self::Stranger(tasks)
    }
}

impl Host for Either {
    fn wake(&mut self, now: Instant) {
        match self {
            Self::Node(node) => node.wake(now),
            Self::Stranger(tasks) => tasks.run(now),
        }
    }

    fn irq(&mut self, now: Instant, radio: usize, asserted: bool) {
        match self {
            Self::Node(node) => node.irq(now, radio, asserted),
            Self::Stranger(tasks) => tasks.irq(now, radio, asserted),
        }
    }

    fn packet(&mut self, now: Instant, packet: &[u8]) {
        if let Self::Node(node) = self {
            node.packet(now, packet);
        }
    }

    fn poll(&mut self, now: Instant) -> Option<HostOutput> {
        match self {
            Self::Node(node) => node.poll(now),
            Self::Stranger(tasks) => tasks.note().map(HostOutput::Note),
        }
    }

    fn deadline(&self) -> Option<Instant> {
        match self {
            Self::Node(node) => node.deadline(),
            Self::Stranger(tasks) => tasks.deadline(),
        }
    }
}

#[test]
fn garbage_costs_packets_and_never_the_link() {
    for mode in [Mode::Stream, Mode::AutoAck, Mode::AckPayload] {
        let radios = if mode == Mode::AckPayload { 1 } else { 2 };
        let mut rig = Rig::with_hosts(
            3,
            radios,
            Loss::None,
            |chips, index, pool| Either::new(chips, index, mode, pool),
            |above| above[0].send(576, 150, at(100), at(8_100)),
        );
        rig.run_until(at(9_000));
        let (sent, sink) = (rig.sent(0), rig.sink(1));
        println!("{mode:?}: {} of {sent}, {:?}", sink.packets, rig.network.observer.0);
        assert_eq!((sink.damaged, sink.disordered), (0, 0), "{mode:?}");
        // A collision or a chunk in the place of another costs at most a packet.
        let garbage = rig.network.observer.0.frames[&(2 * radios)];
        assert!(garbage > 40 && sink.packets + garbage >= sent, "{mode:?}: {} of {sent}, {garbage}", sink.packets);
        let late = sink.arrivals.iter().filter(|came| **came >= at(7_000)).count();
        assert!(late > 0, "{mode:?}: the link is dead");
    }
}
