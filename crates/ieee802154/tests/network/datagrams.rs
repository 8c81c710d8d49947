//! Datagrams in fragments: against a closed form that is reckoned here, lost with any of their fragments, and booked.

use airtime_core::loss::Loss;
use airtime_core::{Duration, Instant};
use airtime_ieee802154::ledger::{Account, Books};
use airtime_ieee802154::lowpan::IpAddresses;
use airtime_ieee802154::mac::Backoff;
use airtime_ieee802154::network::{Config, Datagram, run};
use airtime_ieee802154::trace::{DropPoint, Fate, Sent};
use airtime_ieee802154::wire::{Addressing, Frame, KeyIdMode, Level, Security};

use crate::{Frames, outcome, seconds};

fn datagrams(payload: u16, addresses: IpAddresses) -> Config {
    let datagram = Some(Datagram { payload, addresses });
    Config { datagram, backoff: Backoff::Mean, duration: seconds(3), ..Config::default() }
}

/// Thread's frames: short addresses in one PAN, a MIC of four octets, the key by its index.
fn thread(payload: u16, addresses: IpAddresses) -> Config {
    let security = Security { level: Level::EncMic32, key_id_mode: KeyIdMode::Index };
    Config { security, ..datagrams(payload, addresses) }
}

/// PSDUs of a datagram, whose MAC takes `overhead` octets of each, and IPv6 and UDP `headers` of the first.
fn psdus(payload: u64, overhead: u64, headers: u64) -> Vec<u64> {
    let room = 127 - overhead;
    if payload + headers <= room {
        return vec![overhead + headers + payload];
    }
    let first = (room - 4 - headers) / 8 * 8;
    let next = (room - 5) / 8 * 8;
    let (mut psdus, mut left) = (vec![overhead + 4 + headers + first], payload - first);
    while left > 0 {
        let octets = left.min(next);
        psdus.push(overhead + 5 + octets);
        left -= octets;
    }
    psdus
}

/// From a frame's being ready to its end, and from there to the next one's: 3.5 periods of backoff, CCA, turnaround, frame; turnaround,
/// acknowledgement, space.
fn cycle(psdu: u64) -> (u64, u64) {
    (1_120 + 128 + 192 + (6 + psdu) * 32, 192 + 352 + if psdu > 18 { 640 } else { 192 })
}

#[test]
fn a_saturated_sender_is_the_closed_form_to_the_nanosecond() {
    let (link, mesh, global) = (IpAddresses::LinkLocal, IpAddresses::MeshLocal, IpAddresses::Global);
    let extended = |config: Config| Config {
        source: Addressing::Extended,
        destination: Addressing::Extended,
        pan_compression: false,
        ..config
    };
    let mut runs = 0;
    for (addresses, headers) in [(link, 9), (mesh, 25), (global, 41)] {
        for payload in [16, 64, 65, 90, 107, 108, 500, 1_128, 1_232] {
            let plain = datagrams(payload, addresses);
            for (config, overhead) in
                [(plain.clone(), 11), (thread(payload, addresses), 21), (extended(plain.clone()), 25)]
            {
                let psdus = psdus(payload.into(), overhead, headers);
                let whole: u64 = psdus.iter().map(|&psdu| cycle(psdu).0 + cycle(psdu).1).sum();
                let arrives = whole - cycle(*psdus.last().expect("a frame at least")).1;
                let (outcome, books) = run(&config, Books::new(Instant::ZERO, 1)).expect("the configuration fits");
                let expected = (3_000_000 - arrives) / whole + 1;
                let total = outcome.total;
                assert_eq!((total.arrived, total.payload), (expected, expected * u64::from(payload)));
                assert_eq!(config.unit_time(), Duration::from_micros(whole), "{config:?}");
                assert_eq!(config.closed_form_bps(), u64::from(payload) * 8_000_000 / whole);
                assert_eq!((outcome.random_draws, outcome.latencies.len() as u64), (0, expected));
                assert_eq!(outcome.latencies[0], Duration::from_micros(arrives));
                let ledger = books.ledger_at(Instant::ZERO + config.duration);
                assert!(ledger.balances());
                assert_eq!(ledger.of(Account::Payload), Duration::from_micros(32 * total.payload));
                runs += 1;
            }
        }
    }
    assert_eq!(runs, 81);
}

#[test]
fn openthread_has_thirteen_fragments_in_1232_octets() {
    // openthread/openthread, tools/cp-caps: 1232 octets of UDP over one hop. Twelve PSDUs of 122 octets in 6.72 ms each, one of 114 in
    // 6.464 ms: 87.104 ms.
    let config = thread(1_232, IpAddresses::LinkLocal);
    assert_eq!((config.cut().expect("datagrams").frames(), config.closed_form_bps()), (13, 113_152));
}

#[test]
fn a_datagram_is_lost_with_one_of_its_fragments() {
    let lossy = Config {
        ack: false,
        backoff: Backoff::Random,
        loss: Loss::Packet { per: 0.1 },
        duration: seconds(2_000),
        ..thread(500, IpAddresses::MeshLocal)
    };
    let total = outcome(&lossy).total;
    // Six fragments, none of which may be lost: 0.9^6 = 53.1 %, of some 52,000 datagrams; a deviation of 0.2 %.
    let share = total.arrived as f64 / total.datagrams as f64;
    assert!((share - 0.531_441).abs() < 0.01, "{share}");
    assert_eq!(total.payload, 500 * total.arrived);
    assert!(total.delivered > 5 * total.arrived, "frames of the others have arrived: {total:?}");
}

#[test]
fn the_rest_of_a_datagram_whose_fragment_failed_is_not_sent() {
    let config = Config {
        retries: 0,
        backoff: Backoff::Random,
        loss: Loss::Packet { per: 0.3 },
        duration: seconds(200),
        ..thread(500, IpAddresses::MeshLocal)
    };
    let (outcome, frames) = run(&config, Frames::default()).expect("the configuration fits");
    let total = outcome.total;
    let data: Vec<_> = frames.0.iter().filter(|(on_air, _)| on_air.sent != Sent::Ack).collect();
    let lost = data.windows(2).filter(|pair| pair[0].0.fate == Fate::Lost);
    assert!(lost.clone().count() > 1_000 && lost.clone().all(|pair| is_first(&pair[1].1)));
    // Whose fragments all arrived has had six of them.
    let drops = total.dropped(DropPoint::NoAck);
    assert!(total.arrived >= total.datagrams - drops - 1 && total.handed < 6 * total.datagrams - drops);
}

/// Tells if a frame, damaged or not, has a first fragment: behind nine octets of header and six of security.
fn is_first(psdu: &[u8]) -> bool {
    psdu[15] >> 3 == 0b11000
}

#[test]
fn frames_hold_what_the_books_say() {
    let config = thread(300, IpAddresses::Global);
    let (_, frames) = run(&config, Frames::default()).expect("the configuration fits");
    let mut seen = 0;
    for (on_air, psdu) in &frames.0 {
        let Sent::Data { parts, .. } = on_air.sent else { continue };
        assert_eq!(on_air.fate, Fate::New);
        let frame = Frame::parse(psdu).expect("a frame");
        assert_eq!(frame.payload.len(), usize::from(parts.adaptation + parts.payload));
        assert_eq!(psdu.len(), frame.payload.len() + usize::from(parts.mac + parts.security));
        seen += 1;
    }
    assert!(seen > 100);
}

#[test]
fn contradictions_are_refused() {
    let none = Config { source: Addressing::None, ..datagrams(100, IpAddresses::LinkLocal) };
    assert!(none.check().expect_err("no address").to_string().contains("addresses of both ends"));
    assert!(datagrams(1_233, IpAddresses::LinkLocal).check().is_err());
    let heavy = Security { level: Level::EncMic128, key_id_mode: KeyIdMode::Source8 };
    let base = datagrams(1_232, IpAddresses::Global);
    let (source, destination) = (Addressing::Extended, Addressing::Extended);
    let least = Config { security: heavy, source, destination, pan_compression: false, ..base };
    assert_eq!(least.cut().map(|cut| cut.piece(0).payload), Some(24), "72 octets of room, less 4 and 41");
}
