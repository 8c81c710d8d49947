//! The images of `firmware/emulated-m33` as hosts of a plan.
//!
//! They want `cargo xtask firmware emulated-m33`, so they are run by name: `cargo test -p airtime-interpreted -- --ignored --nocapture`, with
//! `AIRTIME_WHOLE=1` for a hundred runs that are the same.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;

use airtime_ble::host::Starved;
use airtime_ble::medium::Transmission;
use airtime_ble::network::Observer;
use airtime_ble::personality::{Controller, Host};
use airtime_ble::trace::{Trace, Verdict};
use airtime_ble::transport::Bus;
use airtime_ble_link::plan::{self, Carrier, Firmware, Program, Scenario, Stack};
use airtime_ble_link::run::{Outcome, Watcher, run, run_watched};
use airtime_ble_link::station::StationOutput;
use airtime_core::Instant;
use airtime_keys::{Key, Value};

/// Clocks of an nRF52840 and of an nRF54L15.
const CLOCKS: [&str; 2] = ["64MHz", "128MHz"];

/// Digest of all that crosses either HCI, and when; and of what arrives at an end, how much was not the next of its stream.
#[derive(Default)]
struct Digest {
    crossed: DefaultHasher,
    arrived: [u64; 2],
    troubles: u64,
}

impl Observer<StationOutput> for Digest {
    fn transmission(&mut self, _: &Transmission, _: Verdict) {}
    fn trace(&mut self, _: Instant, _: usize, _: &Trace, _: Option<Starved>) {}

    fn event(&mut self, _: Instant, device: usize, event: &StationOutput) {
        if let StationOutput::Delivered(unit) = event {
            self.troubles += u64::from(unit.sequence != self.arrived[device]);
            self.arrived[device] = unit.sequence + 1;
        }
    }

    fn hci(&mut self, now: Instant, device: usize, from_host: bool, packet: &[u8]) {
        (now.as_nanos(), device, from_host, packet).hash(&mut self.crossed);
    }
}

impl Watcher for Digest {
    fn has_enough(&mut self) -> bool {
        false
    }
}

/// The plan of `firmware/emulated-m33/bench.toml` with Zephyr's controllers, a receiver that counts in segments, and these hosts, of which
/// `firmware:NAME` is an image for Armv7-M.
fn scenario(hosts: [&str; 2], clock: &str, direction: &str, duration: &str) -> Scenario {
    let device = |_: &'static Key, name: &str| {
        let (controller, host) = (Controller::ZEPHYR_LL, Host::ZEPHYR_LL);
        let (program, stack, image) = (Program::Model, Stack::Firmware, plan::Image::None);
        Ok(plan::Device { name: name.into(), controller, host, program, bus: Bus::Memory, stack, image })
    };
    let clocked = |host: &str| host.starts_with("firmware:").then(|| Value::from(clock));
    let set = |key: &Key| {
        Some(match key.name {
            "central.host" => Value::from(hosts[0]),
            "central.host_clock" => return clocked(hosts[0]),
            "peripheral.host" => Value::from(hosts[1]),
            "peripheral.host_clock" => return clocked(hosts[1]),
            "run.duration" => Value::from(duration),
            "run.warmup" => Value::from("1s"),
            "ble.conn_interval" => Value::from("15ms"),
            "ble.phy" => Value::from("2M"),
            "ble.direction" => Value::from(direction),
            "coc.sdu" => Value::from(492),
            "coc.mps" => Value::from(247),
            "coc.in_flight" => Value::from(6),
            "coc.credits" => Value::from("zephyr-seg-recv"),
            "acl.count" => Value::from(6),
            _ => return None,
        })
    };
    let mut scenario = Scenario::read(Carrier::BleCoc, &set, &device).expect("the plan holds");
    for device in [&mut scenario.central, &mut scenario.peripheral] {
        if let Program::Firmware(Firmware { path, elf }) = &mut device.program {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/firmware/emulated-m33-v7m");
            let octets = std::fs::read(folder.join(&**path)).expect("`cargo xtask firmware emulated-m33` makes it");
            *elf = octets.into();
        }
    }
    scenario
}

/// Payload in kbit/s of either direction.
fn kbps(outcome: &Outcome) -> f64 {
    outcome.octets(0) as f64 * 8e6 / outcome.steady.as_nanos() as f64
}

#[test]
#[ignore = "wants the images of `cargo xtask firmware emulated-m33`"]
fn images_stream_as_trouble_does_and_their_cpu_is_in_the_books() {
    let pairs = [
        (["model", "firmware:peripheral"], "p2c"),
        (["firmware:central", "model"], "p2c"),
        (["model", "firmware:sink"], "c2p"),
        (["firmware:central", "firmware:peripheral"], "p2c"),
    ];
    for (hosts, direction) in pairs {
        let guests = hosts.map(|host| if host == "model" { host } else { "trouble" });
        let reference = kbps(&run(&scenario(guests, "", direction, "4s"), 1));
        for clock in CLOCKS {
            let (outcome, digest) = run_watched(&scenario(hosts, clock, direction, "4s"), 1, Digest::default());
            let sdus = outcome.traffic[0].iter().map(|way| way.sdus).sum::<u64>().max(1);
            let kbps = kbps(&outcome);
            println!(
                "{hosts:?} {direction} at {clock}: {kbps:.1} kbit/s ({reference:.1} with a CPU that takes no time)"
            );
            for cpu in &outcome.cpus {
                println!(
                    "  {}: CPU {:.1} %, {} instructions and {} cycles an SDU, {} interrupts a second",
                    cpu.end,
                    cpu.load() * 100.0,
                    cpu.instructions / sdus,
                    cpu.busy / sdus,
                    cpu.interrupts / 3
                );
                assert_eq!(cpu.fault, None);
                assert!(cpu.asleep > cpu.busy, "there is time for as much again");
            }
            assert_eq!(outcome.cpus.len(), hosts.iter().filter(|host| **host != "model").count());
            assert_eq!(digest.troubles, 0, "nothing is lost, doubled or out of order");
            assert!((kbps / reference - 1.0).abs() < 0.01, "at {clock} there is time for all of it");
        }
    }
}

#[test]
#[ignore = "wants the images of `cargo xtask firmware emulated-m33`"]
fn runs_are_the_same() {
    let runs = if std::env::var_os("AIRTIME_WHOLE").is_some() { 100 } else { 4 };
    let scenario = scenario(["model", "firmware:peripheral"], CLOCKS[0], "p2c", "2s");
    let digest = || run_watched(&scenario, 1, Digest::default()).1.crossed.finish();
    let first = digest();
    (1..runs).for_each(|again| assert_eq!(digest(), first, "run {again}"));
}
