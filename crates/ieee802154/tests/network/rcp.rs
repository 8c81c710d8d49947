//! Frames over a UART: times of each against messages that are written out here, and what that leaves of the air.

use airtime_core::ledger::Account as _;
use airtime_core::{Duration, Instant};
use airtime_ieee802154::ledger::{Account, Books};
use airtime_ieee802154::lowpan::IpAddresses;
use airtime_ieee802154::mac::Backoff;
use airtime_ieee802154::network::{Config, Datagram, Observer, Receiving, run};
use airtime_ieee802154::rcp::Uart;
use airtime_ieee802154::trace::{Delivery, Fate, OnAir, Sent};
use airtime_ieee802154::wire::{KeyIdMode, Level, Security};

use crate::{Frames, outcome, seconds};

/// Thread's frames from a host with a co-processor, with the retries of OpenThread.
fn thread(baud: u32, payload: u16) -> Config {
    Config {
        uart: Some(Uart { baud }),
        datagram: Some(Datagram { payload, addresses: IpAddresses::MeshLocal }),
        security: Security { level: Level::EncMic32, key_id_mode: KeyIdMode::Index },
        retries: 15,
        retry_access: true,
        ..Config::default()
    }
}

/// Octets of a message on the line: two flags, its check, and one more for each octet of either that is special.
fn line(message: &[u8]) -> u64 {
    // RFC 1662, C.2, bit by bit.
    let mut crc = 0xFFFF_u16;
    for bit in message.iter().flat_map(|octet| (0..8).map(move |bit| u16::from(octet >> bit & 1))) {
        crc = if crc & 1 == bit { crc >> 1 } else { crc >> 1 ^ 0x8408 };
    }
    let check = !crc;
    let all = message.iter().copied().chain([check as u8, (check >> 8) as u8]);
    2 + all.map(|octet| if matches!(octet, 0x7E | 0x7D | 0x11 | 0x13 | 0xF8) { 2 } else { 1 }).sum::<u64>()
}

/// The request of frame `number`, whose last six octets the co-processor fills in.
fn request(number: usize, psdu: &[u8]) -> u64 {
    let mut message = vec![0x81 + (number % 15) as u8, 3, 113, psdu.len() as u8, 0];
    message.extend_from_slice(&psdu[..psdu.len() - 6]);
    message.extend_from_slice(&[0; 6]);
    message.extend_from_slice(&[11, 4, 15, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 11, 0]);
    line(&message)
}

/// Its confirmation, with the acknowledgement that ended at `now_us`.
fn confirmation(number: usize, ack: &[u8], now_us: u64) -> u64 {
    let mut message = vec![0x81 + (number % 15) as u8, 6, 0, 0, 0, 1, 5, 0];
    message.extend_from_slice(ack);
    message.extend_from_slice(&[0xD8, 0x80, 0, 0, 10, 0, 11, 255]);
    message.extend_from_slice(&now_us.to_le_bytes());
    message.extend_from_slice(&[1, 0, 0, 5, 0, 0, 0, 0, 0, 0, 1]);
    message.extend_from_slice(&(number as u32).to_le_bytes());
    line(&message)
}

#[test]
fn every_frame_is_the_closed_form_to_the_nanosecond() {
    for baud in [115_200, 460_800, 1_000_000] {
        for load in [0, 700] {
            let load = Duration::from_micros(load);
            let config = Config { load, backoff: Backoff::Mean, duration: seconds(20), ..thread(baud, 1_232) };
            let (outcome, frames) = run(&config, Frames::default()).expect("the configuration fits");
            let time = |octets: u64| Duration::from_nanos(octets * 10 * 1_000_000_000 / u64::from(baud));
            // 3.5 periods of backoff, CCA, turnaround, as ever.
            let access = Duration::from_micros(1_120 + 128 + 192);
            let (mut expected, mut on_line, mut number) = (Instant::ZERO, 0, 0);
            for (on_air, psdu) in &frames.0 {
                if on_air.sent == Sent::Ack {
                    let us = (on_air.end - Instant::ZERO).as_micros();
                    let octets = confirmation(number, psdu, us);
                    expected = on_air.end + time(octets);
                    (on_line, number) = (on_line + octets, number + 1);
                } else {
                    assert_eq!(on_air.fate, Fate::New);
                    let octets = request(number, psdu);
                    on_line += octets;
                    assert_eq!(on_air.start, expected + load + time(octets) + access, "frame {number} at {baud}");
                }
            }
            assert!(number > 500, "{number}");
            // Of the last frame the line may have had a part.
            let rest = outcome.total.uart - on_line;
            assert!(rest <= 127 + 22 + 4 + 30, "{rest}");
        }
    }
}

#[test]
fn goodput_follows_the_line() {
    let goodput = |baud| outcome(&Config { duration: seconds(30), ..thread(baud, 1_232) }).goodput().0;
    let none = outcome(&Config { uart: None, duration: seconds(30), ..thread(1, 1_232) }).goodput().0;
    // A full frame has 149 octets of Spinel and five or so of HDLC, its confirmation 44 and as many: 17.5 ms beside 6.08 of the air.
    assert!((30_000..36_000).contains(&goodput(115_200)), "{}", goodput(115_200));
    assert!((70_000..78_000).contains(&goodput(460_800)), "{}", goodput(460_800));
    assert!(goodput(1_000_000) > goodput(460_800) && goodput(4_000_000) > goodput(1_000_000));
    assert!(goodput(4_000_000) < none + none / 5, "{} {none}", goodput(4_000_000));
}

#[test]
fn books_have_what_the_line_takes() {
    let config = Config { backoff: Backoff::Mean, duration: seconds(10), ..thread(115_200, 1_232) };
    let (outcome, books) = run(&config, Books::new(Instant::ZERO, 1)).expect("the configuration fits");
    let ledger = books.ledger_at(Instant::ZERO + config.duration);
    assert!(ledger.balances());
    assert_eq!(Books::bottleneck(&ledger), Account::IdleUart);
    assert_eq!(ledger.of(Account::Payload), Duration::from_micros(32 * outcome.total.payload));
    // All of it but what runs within the space behind an acknowledgement.
    let on_line = Duration::from_nanos(outcome.total.uart * 10 * 1_000_000_000 / 115_200);
    let spaces = ledger.of(Account::Ifs);
    let booked = ledger.of(Account::IdleUart) + spaces;
    assert!(on_line.as_micros().abs_diff(booked.as_micros()) < 20_000, "{on_line} {booked}");
    assert_eq!(Account::IdleUart.name(), "idle.uart");
}

#[test]
fn what_fails_is_confirmed_by_less() {
    use airtime_core::loss::Loss;
    let lossy = Config { loss: Loss::Packet { per: 1.0 }, retries: 0, duration: seconds(5), ..thread(115_200, 40) };
    let outcome = outcome(&lossy);
    let failed = outcome.total.drops.iter().sum::<u64>();
    assert!(failed > 100 && outcome.total.delivered == 0);
    // 86 octets of a frame, 22 beside it and four of HDLC, and its ports, 0x1389, have an escape each; of its confirmation six, five of a
    // counter, four, and the status is escaped. Other octets are special now and then.
    let each = outcome.total.uart as f64 / failed as f64;
    assert!((112.0 + 2.0 + 16.0..112.0 + 2.0 + 16.0 + 6.0).contains(&each), "{each}");
}

/// Octets of the message about a frame that a co-processor has heard at `now_us`.
fn heard(psdu: &[u8], now_us: u64) -> u64 {
    let mut message = vec![0x80, 6, 113, psdu.len() as u8, 0];
    message.extend_from_slice(psdu);
    message.extend_from_slice(&[0xD8, 0x80, 0, 0, 10, 0, 11, 255]);
    message.extend_from_slice(&now_us.to_le_bytes());
    message.extend_from_slice(&[1, 0, 0, 5, 0, 0, 0, 0, 0, 0]);
    line(&message)
}

/// Both what is on the air and what has arrived.
#[derive(Default)]
struct Arrivals(Vec<(Instant, Vec<u8>)>, Vec<Instant>);

impl Observer for Arrivals {
    fn transmission(&mut self, on_air: &OnAir, psdu: &[u8]) {
        if on_air.sent != Sent::Ack {
            self.0.push((on_air.end, psdu.to_vec()));
        }
    }
    fn delivered(&mut self, delivery: &Delivery) {
        self.1.push(delivery.arrived);
    }
}

fn border_router(baud: u32, buffer: u16, config: Config) -> Config {
    Config { uart: None, receiving: Some(Receiving { uart: Uart { baud }, buffer }), ..config }
}

#[test]
fn what_is_heard_arrives_behind_the_line_to_the_nanosecond() {
    for (baud, offered) in [(115_200, "9kbps"), (115_200, "60kbps"), (1_000_000, "60kbps")] {
        let offered = Some(offered.parse().expect("a rate"));
        // What 115200 baud cannot carry of 60 kbit/s fills the buffer in eight seconds.
        let base = Config { offered, backoff: Backoff::Mean, duration: seconds(6), ..thread(baud, 16) };
        let config = border_router(baud, 65_535, base);
        let (outcome, arrivals) = run(&config, Arrivals::default()).expect("the configuration fits");
        let mut free = Instant::ZERO;
        let expected = arrivals.0.iter().map(|(end, psdu)| {
            let octets = heard(psdu, (*end - Instant::ZERO).as_micros());
            free = free.max(*end) + Duration::from_nanos(octets * 10 * 1_000_000_000 / u64::from(baud));
            free
        });
        let expected: Vec<Instant> = expected.filter(|&at| at <= Instant::ZERO + config.duration).collect();
        assert!(expected == arrivals.1 && expected.len() > 400, "{} of {}", arrivals.1.len(), expected.len());
        assert_eq!((outcome.total.overrun, outcome.total.uart, outcome.total.uart_receiver > 0), (0, 0, true));
    }
}

/// A sender with its radio in one chip is twice as fast as a line of 115200 baud: what is acknowledged is lost.
#[test]
fn a_slow_line_loses_what_was_acknowledged() {
    let of = |baud, buffer| {
        let config = border_router(baud, buffer, Config { duration: seconds(30), ..thread(baud, 1_232) });
        let (outcome, books) = run(&config, Books::new(Instant::ZERO, 1)).expect("the configuration fits");
        assert!(books.ledger_at(Instant::ZERO + config.duration).balances());
        outcome
    };
    let (slow, fast) = (of(115_200, 2_048), of(460_800, 2_048));
    assert!(slow.total.overrun > slow.total.delivered / 3, "{:?}", slow.total);
    assert!(slow.total.confirmed >= slow.total.delivered, "all of them were acknowledged");
    assert_eq!(fast.total.overrun, 0);
    assert!(slow.goodput().0 < fast.goodput().0 / 5, "{} {}", slow.goodput().0, fast.goodput().0);
    // A larger buffer fills up, too.
    assert!(of(115_200, 16_384).total.overrun > slow.total.delivered / 3);
}

/// A frame that is sent again since its acknowledgement was lost goes over the line to the host, which knows it by its counter.
#[test]
fn duplicates_go_over_the_line_to_the_nanosecond() {
    use airtime_core::loss::Loss;
    let (baud, offered) = (115_200, Some("9kbps".parse().expect("a rate")));
    let base = Config { offered, backoff: Backoff::Mean, duration: seconds(30), ..thread(baud, 16) };
    let config = border_router(baud, 65_535, Config { loss_ack: Loss::Packet { per: 0.3 }, ..base });
    let (outcome, frames) = run(&config, Frames::default()).expect("the configuration fits");
    let (end, arrivals) = (Instant::ZERO + config.duration, run(&config, Arrivals::default()).expect("it fits").1);
    let (mut free, mut expected, mut on_line) = (Instant::ZERO, Vec::new(), 0);
    for (on_air, psdu) in frames.0.iter().filter(|(on_air, _)| matches!(on_air.fate, Fate::New | Fate::Duplicate)) {
        let octets = heard(psdu, (on_air.end - Instant::ZERO).as_micros());
        free = free.max(on_air.end) + Duration::from_nanos(octets * 10 * 1_000_000_000 / u64::from(baud));
        on_line += octets;
        expected.extend((on_air.fate == Fate::New).then_some(free));
    }
    expected.retain(|&at| at <= end);
    assert_eq!(arrivals.1, expected);
    assert!(outcome.total.duplicates > 500 && outcome.total.payload == 16 * expected.len() as u64);
    assert_eq!((outcome.total.uart_receiver, outcome.lost()), (on_line, 0));
}

/// A frame that found no room is new to the host when it comes again: its co-processor has forgotten it.
#[test]
fn what_found_no_room_may_arrive_when_it_is_sent_again() {
    use airtime_core::loss::Loss;
    let of = |loss_ack| {
        let config = Config { loss_ack, datagram: None, payload: 60, duration: seconds(60), ..thread(115_200, 16) };
        let (outcome, books) =
            run(&border_router(57_600, 200, config), Books::new(Instant::ZERO, 1)).expect("the configuration fits");
        let (total, ledger) = (outcome.total, books.ledger_at(Instant::ZERO + seconds(60)));
        assert_eq!(ledger.of(Account::Payload), Duration::from_micros(32 * total.payload));
        // What has arrived at the radio and not at the host is neither payload nor lost on the air.
        let short = total.delivered - total.arrived;
        assert_eq!(ledger.of(Account::Incomplete), Duration::from_micros(32 * 60 * short));
        assert_eq!(total.handed, total.arrived + outcome.lost() + outcome.waiting);
        assert!(short.abs_diff(outcome.lost()) <= 3 && total.overrun > 500, "{total:?} {}", outcome.lost());
        (total.overrun, outcome.lost())
    };
    let (refused, lost) = of(Loss::None);
    assert!(refused.abs_diff(lost) <= 3, "{refused} {lost}");
    let (refused, lost) = of(Loss::Packet { per: 0.3 });
    assert!(lost * 10 < refused * 9, "{refused} {lost}");
}

/// Two lines at two ends: what goes over each is told apart, over several hops, too.
#[test]
fn each_end_has_a_line_of_its_own() {
    let receiving = Some(Receiving { uart: Uart { baud: 460_800 }, buffer: 2_048 });
    for hops in [1, 3] {
        let both = Config { receiving, hops, duration: seconds(10), ..thread(460_800, 500) };
        let senders = Config { receiving: None, ..both.clone() };
        let (both, senders) = (outcome(&both).total, outcome(&senders).total);
        assert_eq!((both.uart, senders.uart_receiver), (senders.uart, 0), "{hops}");
        assert!(both.uart_receiver > 60 * both.arrived, "{both:?}");
    }
}
