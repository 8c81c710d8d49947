//! Log for the probe: the way the link came about, and once a second its throughput.

use core::cell::{Cell, RefCell};

use airtime_app::{Central, Command, Event, Link, Machine, Peripheral, Phy, Steady, Transport, ValueRoom};
use airtime_core::Instant;
use airtime_trouble::Witness;
use common::Stack;
use defmt::{Debug2Format, Display2Format, info, warn};
use embassy_time::Ticker;

use crate::plan;

/// The time of the board, as the machines have it.
fn now() -> Instant {
    Instant::from_nanos(embassy_time::Instant::now().as_micros() * 1_000)
}

/// Taker of a line of settings: false if it was refused.
pub type Taker<'a> = &'a dyn Fn(&[u8]) -> bool;

/// Logs what the host and the machine say to one another, but for the stream itself.
#[derive(Default)]
pub struct Log<'a> {
    /// Taker of settings, of an end that has any.
    pub settings: Option<Taker<'a>>,
}

impl Witness for Log<'_> {
    fn takes_settings(&self) -> bool {
        self.settings.is_some()
    }

    fn settings(&self, _now: Instant, line: &[u8]) -> bool {
        self.settings.is_some_and(|take| take(line))
    }

    fn told(&self, _now: Instant, event: &Event) {
        match *event {
            Event::Ready => info!("host ready"),
            Event::Found { peer } => info!("found {=[u8]:02x}", peer),
            Event::ScanTimeout => warn!("nobody with that name"),
            Event::Connected { conn, interval, .. } => {
                info!("conn {} connected, interval {} us", conn, interval.as_micros());
            }
            Event::Disconnected { conn, reason } => warn!("conn {} disconnected, reason {=u8:#04x}", conn, reason),
            Event::IntervalUpdated { conn, status, interval } => {
                info!("conn {} interval {} us, status {=u8:#04x}", conn, interval.as_micros(), status);
            }
            Event::DataLength { conn, tx_octets, rx_octets } => {
                info!("conn {} data length out {} in {}", conn, tx_octets, rx_octets);
            }
            Event::PhyUpdated { conn, status } => info!("conn {} PHY update, status {=u8:#04x}", conn, status),
            Event::FrameSpace { conn, status } => info!("conn {} frame space, status {=u8:#04x}", conn, status),
            Event::Encrypted { conn, status } => info!("conn {} encryption, status {=u8:#04x}", conn, status),
            Event::MtuExchanged { conn, mtu } if plan::TRANSPORT == Transport::Gatt => {
                info!("conn {} ATT MTU {}, values of at most {}", conn, mtu, ValueRoom::default().at(mtu));
            }
            Event::Discovered { conn, stream: true, .. } => info!("conn {} stream found", conn),
            Event::Discovered { conn, .. } if plan::TRANSPORT == Transport::Gatt => {
                warn!("conn {} has no stream", conn)
            }
            Event::Subscribed { conn } => info!("conn {} notifications on", conn),
            Event::Discovered { conn, psm: Some(psm), .. } => info!("conn {} PSM {=u16:#06x} published", conn, psm),
            Event::Discovered { conn, psm: None, .. } => warn!("conn {} publishes no PSM", conn),
            Event::ChannelRefused { conn, result } => {
                warn!("conn {} channel refused, result {=u16:#06x}", conn, result)
            }
            Event::ChannelClosed { conn, channel } => warn!("conn {} channel {=u16:#06x} closed", conn, channel),
            _ => {}
        }
    }

    fn channel(&self, _now: Instant, conn: u16, channel: u16, peer_mtu: u16, peer_mps: u16) {
        info!("conn {} channel {=u16:#06x} open, peer's MTU {} MPS {}", conn, channel, peer_mtu, peer_mps);
    }

    fn phy(&self, _now: Instant, conn: u16, tx: Phy) {
        info!("conn {} PHY out {}", conn, Debug2Format(&tx));
    }

    fn refused(&self, _now: Instant, command: &Command) {
        warn!("not carried out: {}", Debug2Format(command));
    }
}

/// A machine whose arrivals are counted by the second.
pub trait Counts: Machine {
    /// Next finished second of link number `index`: its number from the first SDU, and its octets.
    fn take_second(&mut self, index: usize, now: Instant) -> Option<(u64, u64)>;
}

impl Counts for Central {
    fn take_second(&mut self, index: usize, now: Instant) -> Option<(u64, u64)> {
        Central::take_second(self, index, now)
    }
}

impl Counts for Peripheral {
    fn take_second(&mut self, index: usize, now: Instant) -> Option<(u64, u64)> {
        if index == 0 { Peripheral::take_second(self, now) } else { None }
    }
}

/// Figures of the links of one machine.
pub struct Figures<'a, M> {
    machine: &'a RefCell<M>,
    links: [Reported; airtime_app::LINKS_MAX],
}

/// Record of all that has been said of a link already.
#[derive(Default)]
struct Reported {
    /// The connection it was said of: its first SDU.
    started: Cell<Option<Instant>>,
    submitted: Cell<u64>,
    measured: Cell<bool>,
    ended: Cell<bool>,
}

impl<'a, M: Counts> Figures<'a, M> {
    /// Figures of `machine`.
    pub fn new(machine: &'a RefCell<M>) -> Self {
        Self { machine, links: Default::default() }
    }

    /// Logs them once a second, until every link has ended for good: a peripheral's never does.
    pub async fn run(&self) {
        let mut second = Ticker::every(embassy_time::Duration::from_secs(1));
        loop {
            second.next().await;
            let now = now();
            let links = self.machine.borrow().links();
            if (0..links).all(|index| self.links.get(index).is_some_and(|reported| reported.ended.get())) {
                return;
            }
            for (index, reported) in self.links.iter().enumerate().take(links) {
                self.arrivals(index, now);
                let machine = self.machine.borrow();
                if let Some(link) = machine.link(index) {
                    reported.link(index, link, now);
                }
                if let Some(outcome) = machine.outcome(index)
                    && !reported.ended.replace(true)
                {
                    warn!("link {} ended: {}", index, Display2Format(&outcome));
                }
            }
        }
    }

    /// A line for every second that has ended: `series_kbps` of a record.
    fn arrivals(&self, index: usize, now: Instant) {
        // Not a `while let`, whose borrow would last as long as its body.
        loop {
            let Some((second, octets)) = self.machine.borrow_mut().take_second(index, now) else { return };
            let (kbps, tenths) = kbps(octets * 8);
            info!("link {} second {}: {}.{} kbps delivered", index, second, kbps, tenths);
        }
    }
}

impl Reported {
    fn link(&self, index: usize, link: &Link, now: Instant) {
        if self.started.replace(link.started()) != link.started() {
            self.submitted.set(0);
            self.measured.set(false);
        }
        let submitted = link.submissions().octets;
        let (kbps, tenths) = kbps((submitted - self.submitted.replace(submitted)) * 8);
        if submitted > 0 && link.is_connected() {
            info!("link {} this second: {}.{} kbps accepted", index, kbps, tenths);
        }
        let over = |started| !link.is_connected() || now.saturating_since(started) >= plan::DURATION;
        if link.started().is_some_and(over) && !self.measured.replace(true) {
            result(index, link);
        }
    }
}

/// The plan's time is over, or the connection: what a record calls goodput, and whether the stream was whole.
fn result(index: usize, link: &Link) {
    let (meter, gaps) = (link.meter(), link.gaps());
    let rate = meter.steady().as_ref().map_or(0, |steady| Steady::rate(steady).0);
    let (kbps, tenths) = kbps(rate);
    info!(
        "link {} RESULT goodput_kbps {}.{} delivered_bytes {} sdus {} lost {} duplicated {} reordered {}",
        index,
        kbps,
        tenths,
        meter.octets(),
        meter.sdus(),
        gaps.lost,
        gaps.duplicated,
        gaps.reordered,
    );
    info!("{}", Stack::look());
}

/// Bits per second, or in a second, as kbit/s and its tenths.
fn kbps(bits: u64) -> (u64, u64) {
    (bits / 1_000, bits % 1_000 / 100)
}
