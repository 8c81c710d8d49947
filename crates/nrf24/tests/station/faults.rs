//! Nodes that are killed and start again, hosts that stand still for long, bursts of loss, a stranger on the channel.

use std::rc::Rc;

use airtime_core::loss::Loss;
use airtime_core::random::stream;
use airtime_core::{Duration, Pool};
use airtime_nrf24::air::Rate;
use airtime_nrf24::chip::{Chip, Options};
use airtime_nrf24::driver;
use airtime_nrf24::host::Cost;
use airtime_nrf24::station::{Config, Radios};
use airtime_nrf24::tunnel::Mode;
use airtime_nrf24::wires::SharedChip;

use super::node::{Nodes, Setup};
use super::rig::at;

/// Puts a new start of host `index` in its place, on the same chips or on chips without power until now.
fn restart(nodes: &mut Nodes, setup: &Setup, index: usize, start: u64, fresh_chips: bool) {
    let now = nodes.time.now();
    let pool: Pool = nodes.pool.clone();
    nodes.time.act(&mut nodes.network, now, |network, touched| {
        let radios = network.radios();
        let chips: Vec<SharedChip> = match fresh_chips {
            true => (0..radios).map(|_| Rc::new(Chip::new(Options::default()).into())).collect(),
            false => network.chips()[index * radios..][..radios].to_vec(),
        };
        let host = setup.host(&chips, index, start, &pool, now);
        drop(network.replace_host(index, now, host, fresh_chips.then_some(chips), touched));
    });
}

#[test]
fn either_end_may_start_again_in_the_middle() {
    let plain: fn(&mut Config) = |_| {};
    let sealed: fn(&mut Config) = |config| {
        config.tunnel.compression = true;
        config.tunnel.key = Some([0xA5; 32]);
    };
    let setups = [(Mode::Stream, plain), (Mode::Stream, sealed), (Mode::AutoAck, plain), (Mode::AckPayload, plain)];
    for (mode, change) in setups {
        for (index, fresh_chips) in [(0, false), (1, false), (0, true), (1, true)] {
            let setup = Setup { change, ..Setup::new(mode) };
            let mut nodes = setup.nodes(|a, b| {
                a.send(576, 150, at(100), at(4_100));
                b.send(576, 150, at(100), at(4_100));
            });
            nodes.run_until(at(2_000));
            let before = [nodes.sink(0).packets, nodes.sink(1).packets];
            restart(&mut nodes, &setup, index, 1, fresh_chips);
            nodes.run_until(at(5_000));
            nodes.check();
            for (other, before) in before.into_iter().enumerate() {
                let (came, sent) = (nodes.sink(other).packets, nodes.sent(1 - other));
                println!("{mode:?}, host {index} again, fresh chips {fresh_chips}: {came} of {sent} at {other}");
                // A quarter of a second without a link at most: set-up and greetings.
                assert!(came + 8 >= sent && before < came, "{mode:?}: {came} of {sent} at {other}");
            }
        }
    }
}

#[test]
fn bursts_cost_what_they_hit_and_no_more() {
    for mode in [Mode::Stream, Mode::AutoAck, Mode::AckPayload] {
        let loss = Loss::Burst {
            good: 0.001,
            bad: 0.9,
            every: Duration::from_millis(100),
            burst: Duration::from_millis(5),
            missed: 0.0,
        };
        let nodes = Setup { loss, ..Setup::new(mode) }.up(576, 200);
        let (sent, came) = (nodes.sent(0), nodes.sink(1).packets);
        println!("{mode:?}: {came} of {sent}, {:?}", nodes.network.observer.0);
        assert!(came * 100 >= sent * 95, "{mode:?}: {came} of {sent}");
    }
}

#[test]
fn a_link_comes_back_after_a_host_was_gone_for_a_second() {
    for mode in [Mode::Stream, Mode::AutoAck, Mode::AckPayload] {
        for index in 0..2 {
            let mut nodes = Setup::new(mode).nodes(|a, b| {
                a.send(576, 150, at(100), at(4_100));
                b.send(576, 150, at(100), at(4_100));
            });
            nodes.run_until(at(1_500));
            nodes.time.act(&mut nodes.network, at(1_500), |network, touched| {
                network.hosts[index].stall(at(1_500), at(2_500));
                network.attend(index, at(1_500), touched);
            });
            nodes.run_until(at(5_000));
            nodes.check();
            for other in 0..2 {
                let late = nodes.sink(other).arrivals.iter().filter(|came| **came >= at(2_600)).count();
                // 1.5 s of datagrams of 30.72 ms each are sent after that.
                println!(
                    "{mode:?}, host {index} gone, at {other}: {late} came afterwards, {:?}",
                    nodes.network.observer.0
                );
                assert!(late >= 47, "{mode:?}, host {index} gone, at {other}: {late} came afterwards");
            }
        }
    }
}

#[test]
fn a_node_that_starts_late_is_found() {
    for mode in [Mode::Stream, Mode::AutoAck, Mode::AckPayload] {
        for index in 0..2 {
            let mut nodes = Setup::new(mode).nodes(|a, b| {
                a.send(576, 150, at(2_000), at(3_000));
                b.send(576, 150, at(2_000), at(3_000));
            });
            nodes.time.act(&mut nodes.network, at(0), |network, touched| {
                network.hosts[index].stall(at(0), at(1_500));
                network.attend(index, at(0), touched);
            });
            nodes.run_until(at(4_000));
            nodes.check();
            let came = [nodes.sink(0).packets, nodes.sink(1).packets];
            assert_eq!(came, [nodes.sent(1), nodes.sent(0)], "{mode:?}, host {index} late");
        }
    }
}

#[test]
fn a_slow_host_loses_nothing_either() {
    // SPI at 4 MHz and 60 µs per system call: reading a frame takes longer than the next one is on the air.
    let change: fn(&mut Config) = |config| {
        config.cost.spi_hz = 4_000_000;
        config.cost.transaction = Duration::from_micros(60);
        config.cost.wake = Duration::from_micros(100);
    };
    for (mode, offered) in [(Mode::Stream, 300), (Mode::AutoAck, 300), (Mode::AckPayload, 200)] {
        let nodes = Setup { change, ..Setup::new(mode) }.up(1_472, offered);
        println!("{mode:?}: {} of {}, {:?}", nodes.sink(1).packets, nodes.sent(0), nodes.network.observer.0);
        assert_eq!(nodes.sink(1).packets, nodes.sent(0), "{mode:?}");
        let fast = Setup { change, ..Setup::new(mode) }.up(1_472, 2_000);
        println!("{mode:?}: {} kbit/s at most", fast.kbps(1, 1_472));
    }
}

#[test]
fn hosts_of_any_speed_carry_every_packet() {
    let mut random = stream(3, "test/hosts");
    for case in 0..24 {
        let mode = [Mode::Stream, Mode::AutoAck, Mode::AckPayload][case % 3];
        let loss = [Loss::None, Loss::Packet { per: 0.03 }][case / 3 % 2];
        let mut micros = |below| Duration::from_micros(random.below(below));
        let cost = Cost {
            transaction: micros(100),
            pin: micros(20),
            wake: micros(200),
            sleep_slack: micros(100),
            tun: micros(50),
            spi_hz: 1_000_000 * (1 + random.below(10) as u32),
        };
        let length = 12 + random.below(1_461) as usize;
        let change = |config: &mut Config| config.cost = cost;
        let mut nodes = Setup { loss, ..Setup::new(mode) }.nodes_with(change, |a, b| {
            a.send(length, 60, at(100), at(1_600));
            b.send(length, 60, at(100), at(1_600));
        });
        nodes.run_until(at(2_500));
        nodes.check();
        let came = [nodes.sink(0).packets, nodes.sink(1).packets];
        assert_eq!(came, [nodes.sent(1), nodes.sent(0)], "{mode:?}, {cost:?}, {length} octets, {loss:?}");
    }
}

#[test]
fn every_rate_and_address_width_carries() {
    for mode in [Mode::Stream, Mode::AutoAck, Mode::AckPayload] {
        for (change, offered, least) in RATES {
            let nodes = Setup { change, ..Setup::new(mode) }.up(1_472, offered);
            let kbps = nodes.kbps(1, 1_472);
            println!("{mode:?}: {kbps} kbit/s");
            assert!(kbps >= least[mode as usize], "{mode:?}: {kbps} kbit/s");
        }
    }
}

/// A setting, more than it carries, and 85 % of its ceiling (reference 1.6) in auto-ack, ack-payload and stream mode.
type RateCase = (fn(&mut Config), u64, [u64; 3]);

const RATES: [RateCase; 3] = [
    (|config| set(config, Rate::M1, 5), 1_500, [328, 237, 640]),
    (|config| set(config, Rate::K250, 3), 400, [125, 78, 168]),
    (|config| set(config, Rate::M2, 5), 2_000, [472, 369, 1_280]),
];

fn set(config: &mut Config, rate: Rate, address_width: u8) {
    let mode = config.tunnel.mode;
    let mut change = |radio: &mut driver::Config| {
        radio.rate = rate;
        radio.address_width = address_width;
        radio.ard = driver::Config::shortest_ard(rate, if mode == Mode::AckPayload { 32 } else { 0 });
        config.tunnel.frame_time = Config::frame_time(radio, mode);
    };
    match &mut config.radios {
        Radios::Two { transmit, receive } => {
            change(transmit);
            change(receive);
        }
        Radios::One { radio } => change(radio),
    }
}
