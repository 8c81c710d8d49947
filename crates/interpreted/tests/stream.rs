//! The images of `firmware/emulated-m33` on the lab's controllers and air.
//!
//! They want `cargo xtask firmware emulated-m33`, so they are run by name: `cargo test -p airtime-interpreted -- --ignored --nocapture`, with
//! `AIRTIME_WHOLE=1` for a hundred runs that are the same.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::Path;

use airtime_ble::host::{ConnHandle, Role, Starved};
use airtime_ble::medium::Transmission;
use airtime_ble::network::{Device, Network, Observer, Station, StationOutput as Carried};
use airtime_ble::personality::{Controller, Host};
use airtime_ble::trace::{Trace, Verdict};
use airtime_ble::transport::Bus;
use airtime_ble_link::plan::{self, Carrier, Program, Scenario, Stack};
use airtime_ble_link::run;
use airtime_ble_link::station::{self, Overheard, StationOutput};
use airtime_core::{Duration, EventLoop, Instant, Pool};
use airtime_interpreted::{Account, Image};
use airtime_keys::{Key, Value};

/// Clocks of an nRF52840 and of an nRF54L15.
const CLOCKS: [u32; 2] = [64_000_000, 128_000_000];

/// Payload of one SDU, as the plan of the images has it.
const SDU: u64 = 492;

/// Either kind of end; of an image is known what crosses its HCI.
enum End {
    Lab(Box<station::Station>),
    Image(Box<Overheard<Image<StationOutput>>>),
}

/// Calls the same method of either.
macro_rules! either {
    ($end:expr, $inner:ident => $call:expr) => {
        match $end {
            End::Lab($inner) => $call,
            End::Image($inner) => $call,
        }
    };
}

impl Station for End {
    type Event = StationOutput;

    fn wake(&mut self, now: Instant) {
        either!(self, inner => Station::wake(&mut **inner, now));
    }

    fn hci(&mut self, now: Instant, packet: &[u8]) {
        either!(self, inner => Station::hci(&mut **inner, now, packet));
    }

    fn poll(&mut self, now: Instant) -> Option<Carried<StationOutput>> {
        either!(self, inner => Station::poll(&mut **inner, now))
    }

    fn deadline(&self) -> Option<Instant> {
        either!(self, inner => Station::deadline(&**inner))
    }

    fn starved(&self, handle: ConnHandle) -> Starved {
        either!(self, inner => Station::starved(&**inner, handle))
    }
}

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

/// The plan of `firmware/emulated-m33/bench.toml` with Zephyr's controllers, these hosts, and a receiver that counts in segments.
fn scenario(central: Program, peripheral: Program, direction: &str) -> Scenario {
    let device = |key: &'static Key, name: &str| {
        let (controller, host) = (Controller::ZEPHYR_LL, Host::ZEPHYR_LL);
        let program = if key.name.starts_with("central") { central } else { peripheral };
        let (stack, image) = (Stack::Firmware, plan::Image::None);
        Ok(plan::Device { name: name.into(), controller, host, program, bus: Bus::Memory, stack, image })
    };
    let set = |key: &Key| {
        Some(match key.name {
            "run.duration" => Value::from("6s"),
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
    Scenario::read(Carrier::BleCoc, &set, &device).expect("the plan holds")
}

/// An image of `firmware/emulated-m33` for Armv7-M.
fn image(name: &str, hertz: u32, pool: &Pool) -> End {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/firmware/emulated-m33-v7m");
    let elf = std::fs::read(folder.join(name)).expect("`cargo xtask firmware emulated-m33` makes it");
    let image = Image::new(&elf, hertz, pool.clone()).expect("it is an image");
    End::Image(Box::new(Overheard::new(image)))
}

/// Figures of a run as the lab's end has counted them: octets that came, or that its host took where it sends, and those that came to an image where
/// there is no other end; SDUs that were lost, doubled or out of order; the account of each image from the third second on, and the digest.
struct Ran {
    octets: u64,
    troubles: u64,
    accounts: Vec<Account>,
    digest: u64,
}

/// Runs images at these ends, the lab's host at the others, until `seconds` are over; the first two do not count.
fn run(images: [Option<&str>; 2], hertz: u32, direction: &str, seconds: u64) -> Ran {
    let (scenario, pool) = (scenario(Program::Model, Program::Model, direction), Pool::new());
    let ends = [(Role::Central, 1), (Role::Peripheral, 2)].into_iter().zip(images);
    let devices = ends.map(|((role, address), name)| {
        let Device { controller, station } = run::end(&scenario, role, [address, 0, 0, 0x5e, 0, 0xc0], None, &pool);
        let station = name.map_or_else(|| End::Lab(Box::new(station)), |name| image(name, hertz, &pool));
        Device { controller, station }
    });
    let mut network = Network::new(run::medium(&scenario, 1, 2), devices.collect(), Digest::default());
    network.start(Instant::ZERO);
    let mut events = EventLoop::new(Instant::ZERO, &network);
    events.run_until(&mut network, Instant::ZERO + Duration::from_secs(2));
    let before = seen(&network);
    events.run_until(&mut network, Instant::ZERO + Duration::from_secs(seconds));
    let after = seen(&network);
    let of = |(after, before): (&Account, &Account)| Account {
        instructions: after.instructions - before.instructions,
        busy: after.busy - before.busy,
        asleep: after.asleep - before.asleep,
        interrupts: after.interrupts - before.interrupts,
    };
    let accounts = after.2.iter().zip(&before.2).map(of).collect();
    let troubles = after.1 + network.observer.troubles;
    Ran { octets: after.0 - before.0, troubles, accounts, digest: network.observer.crossed.finish() }
}

/// Octets and troubles that the lab's end has counted, and the account of each image, which none has ended.
fn seen(network: &Network<End, Digest>) -> (u64, u64, Vec<Account>) {
    let mut seen = (0, 0, Vec::new());
    for device in &network.devices {
        match &device.station {
            End::Image(image) => {
                let executed = image.station();
                assert_eq!(executed.fault().map(|fault| fault.to_string()), None);
                seen.2.push(executed.account());
                seen.0 = seen.0.max(image.received(0).unwrap_or_default());
            }
            End::Lab(station) => {
                if let Some(link) = station.application().link(0) {
                    let gaps = link.gaps();
                    seen.0 = link.meter().octets().max(link.submissions().octets);
                    seen.1 = gaps.lost + gaps.duplicated + gaps.reordered;
                }
            }
        }
    }
    seen
}

/// Payload in kbit/s of a run with TrouBLE where the image would be, whose CPU takes no time.
fn trouble(central: Program, peripheral: Program, direction: &str) -> f64 {
    let outcome = run::run(&scenario(central, peripheral, direction), 1);
    let octets = outcome.octets(usize::from(direction == "c2p"));
    octets.max(outcome.octets(0)) as f64 * 8e6 / outcome.steady.as_nanos() as f64
}

#[test]
#[ignore = "wants the images of `cargo xtask firmware emulated-m33`"]
fn images_stream_as_trouble_does_and_their_cpu_is_in_the_books() {
    let (model, guest) = (Program::Model, Program::Trouble);
    let pairs = [
        ([None, Some("peripheral")], "p2c", (model, guest)),
        ([Some("central"), None], "p2c", (guest, model)),
        ([None, Some("sink")], "c2p", (model, guest)),
        ([Some("central"), Some("peripheral")], "p2c", (guest, guest)),
    ];
    for (images, direction, hosts) in pairs {
        let reference = trouble(hosts.0, hosts.1, direction);
        for hertz in CLOCKS {
            let ran = run(images, hertz, direction, 6);
            let (account, kbps) = (ran.accounts[0], ran.octets as f64 * 8e-3 / 4.0);
            let busy = account.busy as f64 * 100.0 / (account.busy + account.asleep) as f64;
            let sdus = (ran.octets / SDU).max(1);
            println!(
                "{images:?} {direction} at {} MHz: {kbps:.1} kbit/s ({reference:.1} with a CPU that takes no time), CPU {busy:.1} %, {} \
                 instructions and {} cycles an SDU, {} interrupts a second",
                hertz / 1_000_000,
                account.instructions / sdus,
                account.busy / sdus,
                account.interrupts / 4
            );
            assert_eq!(ran.troubles, 0);
            assert!((kbps / reference - 1.0).abs() < 0.01, "at {hertz} Hz there is time for all of it");
            assert!(account.asleep > account.busy, "and for as much again");
        }
    }
}

#[test]
#[ignore = "wants the images of `cargo xtask firmware emulated-m33`"]
fn runs_are_the_same() {
    let runs = if std::env::var_os("AIRTIME_WHOLE").is_some() { 100 } else { 4 };
    let digest = || run([None, Some("peripheral")], CLOCKS[0], "p2c", 2).digest;
    let first = digest();
    (1..runs).for_each(|again| assert_eq!(digest(), first, "run {again}"));
}
