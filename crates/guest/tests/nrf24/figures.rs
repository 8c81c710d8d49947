//! What every driver reaches, measured once per process.

use std::cell::Cell;
use std::rc::Rc;
use std::sync::OnceLock;

use airtime_core::Duration;
use airtime_nrf24::host::Cost;

use super::pair::{self, Guest, Seen};
use super::scene::{COUNT, Inbox, OCTETS, Style, cost, payload};
use super::{embedded_nrf24l01, embedded_nrf24l01_async, nrf24_rs, ours, rf24_rs};

/// Hosts of a measurement: SPI clock in MHz, cost of a transaction in µs.
pub const HOSTS: [(u32, u64); 4] = [(8, 0), (8, 15), (10, 0), (10, 15)];

/// Longer than any of these measurements takes.
const SPAN: Duration = Duration::from_secs(4);

/// A driver, used in one way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// rf24-rs.
    Rf24(Style, rf24_rs::Asks),
    /// nrf24-rs.
    Nrf24(nrf24_rs::Waits),
    /// embedded-nrf24l01.
    Embedded(Style),
    /// embedded-nrf24l01-async.
    Async(Style),
    /// Ours; whether with breaks of the PLL.
    Ours(Style, bool),
}

/// What came of one measurement.
#[derive(Debug)]
pub struct Outcome {
    /// Goodput from the first to the last payload that arrived, bit/s.
    pub bps: u64,
    /// Payloads that the receiving program read, all intact and in order.
    pub read: u32,
    /// Failures that the sending driver reported.
    pub reported: u32,
    /// What the chips said.
    pub seen: Seen,
}

/// Runs one measurement of [`COUNT`] payloads.
pub fn measure(way: Way, cost: Cost) -> Outcome {
    let boards = pair::boards(cost);
    let inbox = Inbox::default();
    let came = inbox.clone();
    let reported = Rc::new(Cell::new(0));
    let reports = reported.clone();
    let [left, right] = &boards;
    let (sender, receiver) = match way {
        Way::Rf24(style, asks) => (
            Guest::blocking(left, move |machine| rf24_rs::sender(machine, style, asks, COUNT)),
            Guest::blocking(right, move |machine| rf24_rs::receiver(machine, asks, &came)),
        ),
        Way::Nrf24(waits) => (
            Guest::blocking(left, move |machine| nrf24_rs::sender(machine, waits, COUNT, &reports)),
            Guest::blocking(right, move |machine| nrf24_rs::receiver(machine, &came)),
        ),
        Way::Embedded(style) => (
            Guest::blocking(left, move |machine| embedded_nrf24l01::sender(machine, style, COUNT)),
            Guest::blocking(right, move |machine| embedded_nrf24l01::receiver(machine, style, &came)),
        ),
        Way::Async(style) => (
            Guest::tasks(left, |task| embedded_nrf24l01_async::sender(task, style, COUNT)),
            Guest::tasks(right, |task| embedded_nrf24l01_async::receiver(task, style, came)),
        ),
        Way::Ours(style, breaks) => (
            Guest::tasks(left, |task| ours::sender(task, style, breaks, COUNT)),
            Guest::tasks(right, |task| ours::receiver(task, came)),
        ),
    };
    let seen = pair::run(&boards, sender, receiver, SPAN);
    let read = in_order(&inbox.borrow());
    Outcome { bps: goodput(&seen), read, reported: reported.get(), seen }
}

/// How many there are.
///
/// # Panics
/// When one is damaged, or came twice or in the wrong place.
fn in_order(read: &[[u8; OCTETS]]) -> u32 {
    let mut sent = (0..COUNT).map(payload);
    assert!(read.iter().all(|octets| sent.any(|payload| payload == *octets)), "intact and in order");
    read.len() as u32
}

fn goodput(seen: &Seen) -> u64 {
    let [first, .., last] = seen.arrivals[..] else { return 0 };
    (seen.arrivals.len() as u64 - 1) * OCTETS as u64 * 8 * 1_000_000_000 / (last - first).as_nanos()
}

/// A way on all hosts.
#[derive(Debug)]
pub struct Row {
    /// Which.
    pub way: Way,
    /// By [`HOSTS`].
    pub outcomes: Vec<Outcome>,
}

/// Every way that is on the page.
pub const WAYS: [Way; 14] = [
    Way::Rf24(Style::Send, rf24_rs::Asks::WithConfig),
    Way::Rf24(Style::Send, rf24_rs::Asks::SetDataRate),
    Way::Rf24(Style::Stream, rf24_rs::Asks::SetDataRate),
    Way::Rf24(Style::NoAck, rf24_rs::Asks::SetDataRate),
    Way::Nrf24(nrf24_rs::Waits::Us(50)),
    Way::Nrf24(nrf24_rs::Waits::Irq),
    Way::Embedded(Style::Send),
    Way::Embedded(Style::Stream),
    Way::Embedded(Style::NoAck),
    Way::Async(Style::Send),
    Way::Async(Style::Stream),
    Way::Async(Style::NoAck),
    Way::Ours(Style::Stream, false),
    Way::Ours(Style::NoAck, true),
];

/// The measurements.
pub fn rows() -> &'static [Row] {
    static ROWS: OnceLock<Vec<Row>> = OnceLock::new();
    ROWS.get_or_init(|| {
        let row = |&way: &Way| {
            let outcomes = HOSTS.iter().map(|&(mhz, us)| measure(way, cost(mhz, us))).collect();
            Row { way, outcomes }
        };
        WAYS.iter().map(row).collect()
    })
}

/// The highest goodput that the air allows, bit/s: of what the driver asked for, with an address of five octets. From bits
/// and microseconds alone.
pub fn ceiling(way: Way) -> u64 {
    // Preamble, address, 9 bits of control, payload, CRC; an acknowledgement has no payload. 7.3.
    const FRAME: u64 = 8 + 40 + 9 + 256 + 16;
    const ACK: u64 = FRAME - 256;
    // Without auto-ack and retransmissions a frame is a ShockBurst frame, which has no control. 7.9.
    const PLAIN: u64 = FRAME - 9;
    let acked = |bit_ns: u64| 260_000 + (FRAME + ACK) * bit_ns;
    let ns = match way {
        Way::Rf24(_, rf24_rs::Asks::WithConfig) | Way::Nrf24(_) => acked(1_000),
        Way::Rf24(Style::NoAck, _) => FRAME * 500,
        Way::Embedded(Style::NoAck) | Way::Async(Style::NoAck) => PLAIN * 500,
        // 24 frames and a settling in each stay of 4 ms at most.
        Way::Ours(Style::NoAck, _) => (24 * FRAME * 500 + 130_000) / 24,
        _ => acked(500),
    };
    256 * 1_000_000_000 / ns
}

#[test]
fn nobody_is_above_the_closed_form_and_everything_arrives_intact() {
    for row in rows() {
        for (outcome, host) in row.outcomes.iter().zip(HOSTS) {
            let ceiling = ceiling(row.way);
            // A measurement may begin behind a break and end before one: one settling in 2000 frames.
            assert!(outcome.bps <= ceiling + ceiling / 2_000, "{:?} {host:?}: {} of {ceiling}", row.way, outcome.bps);
            let overruns = matches!(row.way, Way::Nrf24(nrf24_rs::Waits::Us(_)));
            assert!(overruns || outcome.read == COUNT, "{:?} {host:?}: {} arrived", row.way, outcome.read);
        }
    }
}

#[test]
fn streams_of_every_driver_fill_the_air() {
    for row in rows() {
        if matches!(row.way, Way::Rf24(Style::Stream, _) | Way::Embedded(Style::Stream) | Way::Async(Style::Stream)) {
            for (outcome, host) in row.outcomes.iter().zip(HOSTS) {
                let ceiling = ceiling(row.way);
                assert!(outcome.bps * 100 >= ceiling * 99, "{:?} {host:?}: {} of {ceiling}", row.way, outcome.bps);
            }
        }
    }
}
