//! Pre-emption: a connection beside the timer of prepares, in either role.
//!
//! A central's events lie on its own timer. A peripheral keeps its timer near its central's anchors by whole ticks, from where it
//! last saw one (`ull_drift_ticks_get` of Zephyr).

use airtime_core::{Duration, Instant};

use super::connection::{Connection, Context};
use super::ticker::{READY, Ticker};
use crate::air::Phy;
use crate::personality;
use crate::words::Role;

/// Jitter of a sleep clock's instant. `EVENT_JITTER_US`; Core 6.0, Vol 6, Part B, 4.2.2.
const JITTER_US: i64 = 16;
/// Resolution that the timer is trusted with. `EVENT_TICKER_RES_MARGIN_US`.
const MARGIN_US: i64 = 32;

/// Resolution of the timer that starts a radio: a window may open by so much early (`hal_ticker_remove_jitter`).
const RESOLUTION: Duration = Duration::from_micros(1);

/// Timer of a peripheral that follows its central.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Following {
    /// Start of the radio for the coming event.
    start: Instant,
    /// Widening of its window, a part of an interval for each since an anchor was seen.
    widened_us: i64,
    /// Time from the opening of the window to the anchor of the running event, in nanoseconds.
    seen_ns: Option<i64>,
    /// Set if the running event was cut: the next one is prepared already, and a correction comes too late for it.
    late: bool,
    /// Ticks of a correction that came too late.
    owed: i64,
    /// Corrections to leave out, because what they would correct is owed already.
    skipped: u8,
}

impl Following {
    /// A timer after a first packet at `anchor`: as if it had been where it was expected.
    fn new(anchor: Instant) -> Self {
        let start = anchor.saturating_back(READY + Duration::from_micros((JITTER_US + MARGIN_US) as u64));
        Self { start, widened_us: 0, seen_ns: None, late: false, owed: 0, skipped: 0 }
    }

    /// Instants from and until which the first packet of the coming event may begin.
    pub fn window(&self) -> (Instant, Instant) {
        let half = (JITTER_US + MARGIN_US + self.widened_us) as u64;
        let opens = self.opens();
        (opens.saturating_back(RESOLUTION), opens + Duration::from_micros(2 * half))
    }

    /// The first packet of the running event began at `anchor`.
    fn see(&mut self, anchor: Instant) {
        self.seen_ns = Some(anchor.as_nanos() as i64 - self.opens().as_nanos() as i64);
    }

    fn opens(&self) -> Instant {
        self.start + READY
    }

    /// The running event was cut by the prepare of the next one.
    pub fn cut(&mut self) {
        self.late = true;
    }

    /// Start of the radio for the event after the running one.
    fn next_start(&self, ticker: Ticker, interval: Duration, widening_us: i64) -> Instant {
        shifted(self.start + interval, -widening_us, self.owed, ticker)
    }

    /// Moves on to the next event.
    fn advance(&mut self, ticker: Ticker, rule: &Rule, interval: Duration) {
        let correction = self.correction(ticker, rule);
        let (now, owed) = if self.late { (0, correction) } else { (correction, 0) };
        self.start = shifted(self.start + interval, -rule.widening_us, self.owed + now, ticker);
        self.owed = owed;
        self.widened_us = if self.seen_ns.take().is_some() { 0 } else { self.widened_us } + rule.widening_us;
        self.late = false;
    }

    /// Takes back one event that was passed over.
    fn step_back(&mut self, ticker: Ticker, rule: &Rule, interval: Duration) {
        self.start = shifted(self.start - interval, rule.widening_us, 0, ticker);
        self.widened_us = (self.widened_us - rule.widening_us).max(0);
    }

    /// Ticks by which the timer is off, from where the anchor was seen.
    fn correction(&mut self, ticker: Ticker, rule: &Rule) -> i64 {
        let Some(seen_ns) = self.seen_ns else { return 0 };
        if self.skipped > 0 {
            self.skipped -= 1;
            return 0;
        }
        let expected = JITTER_US + MARGIN_US + self.widened_us + rule.address_us;
        let actual = (seen_ns + rule.chain_ns).max(0) / 1_000 + rule.address_us;
        let (plus, minus) = if actual <= expected {
            (ticker.ticks_of_us(self.widened_us), ticker.ticks_of_us(expected - actual))
        } else {
            (ticker.ticks_of_us(actual), ticker.ticks_of_us(JITTER_US + MARGIN_US + rule.address_us))
        };
        if rule.skips && self.late && (plus, minus) != (0, 0) {
            self.skipped = 1;
        }
        plus - minus
    }
}

/// Rule of a link's corrections.
struct Rule {
    /// Widening that an interval adds.
    widening_us: i64,
    /// Time of the preamble and access address.
    address_us: i64,
    /// Time by which the radio reports an address after its end.
    chain_ns: i64,
    /// Set if a correction that comes too late is made once and not twice.
    skips: bool,
}

fn shifted(at: Instant, us: i64, ticks: i64, ticker: Ticker) -> Instant {
    let by = us * 1_000 + ticks.signum() * ticker.nanos(ticks.unsigned_abs()) as i64;
    if by < 0 {
        at.saturating_back(Duration::from_nanos(by.unsigned_abs()))
    } else {
        at + Duration::from_nanos(by as u64)
    }
}

impl Connection {
    /// Start of the radio for the coming event, where events are cut.
    pub(crate) fn radio_start(&self) -> Instant {
        self.following.map_or_else(|| self.anchor.saturating_back(READY), |following| following.start)
    }

    /// Start of the radio for the event after the running one.
    pub(crate) fn next_radio_start(&self, ticker: Ticker) -> Instant {
        match &self.following {
            Some(following) => following.next_start(ticker, self.timing.interval, self.periodic_widening_us()),
            None => (self.anchor + self.timing.interval).saturating_back(READY),
        }
    }

    /// Instant at which this connection's next event takes the radio, while one is running.
    pub(crate) fn takes_next(&self, ticker: Ticker) -> Instant {
        ticker.takes(ticker.prepares(self.next_radio_start(ticker)))
    }

    /// True of a peripheral that has not heard an anchor, from which its timer runs.
    pub(crate) fn waits_for_anchor(&self) -> bool {
        self.role == Role::Peripheral && self.following.is_none()
    }

    /// Instant at which the radio is taken from the event that begins: by another activity or, where there is none, by the next one.
    pub(crate) fn stop(&self, ctx: &Context<'_>) -> Instant {
        match Ticker::of(ctx.personality) {
            Some(ticker) if ctx.others == Instant::FAR_FUTURE => self.takes_next(ticker),
            Some(_) => ctx.others,
            None => Instant::FAR_FUTURE,
        }
    }

    /// That instant for the first event of a peripheral's timer, which has just begun to run.
    pub(crate) fn first_stop(&self, ctx: &Context<'_>) -> Instant {
        let own = Ticker::of(ctx.personality).map(|ticker| self.takes_next(ticker));
        own.map_or(Instant::FAR_FUTURE, |own| own.min(ctx.others))
    }

    /// Keeps the timer of a peripheral near `anchor`, where it cuts events.
    pub(crate) fn follow(&mut self, personality: &personality::Controller, anchor: Instant) {
        if personality.prepare_lead.is_some() {
            self.following.get_or_insert_with(|| Following::new(anchor)).see(anchor);
        }
    }

    /// Moves the timer of a peripheral on by an event, before its anchor is.
    pub(crate) fn follow_on(&mut self, personality: &personality::Controller) {
        let rule = self.rule(personality);
        if let (Some(ticker), Some(following)) = (Ticker::of(personality), &mut self.following) {
            following.advance(ticker, &rule, self.timing.interval);
        }
    }

    /// Moves it back by one.
    pub(crate) fn follow_back(&mut self, personality: &personality::Controller) {
        let rule = self.rule(personality);
        if let (Some(ticker), Some(following)) = (Ticker::of(personality), &mut self.following) {
            following.step_back(ticker, &rule, self.timing.interval);
        }
    }

    fn rule(&self, personality: &personality::Controller) -> Rule {
        // `addr_us_get`, and the delay of the receive chain less that of the transmit chain in `radio_nrf52832.h`; those of LE Coded are
        // from `radio_nrf52840.h`.
        let (address_us, chain_ns) = match self.rx_phy {
            Phy::Le1M => (40, 8_800),
            Phy::Le2M => (24, 4_850),
            Phy::LeCodedS2 | Phy::LeCodedS8 => (376, 29_000),
        };
        Rule { widening_us: self.periodic_widening_us(), address_us, chain_ns, skips: personality.drift_skip }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Drift of the anchor from where the timer expects it, in nanoseconds, over `events` of which each is cut.
    fn drifts(rule: &Rule, events: usize) -> alloc::vec::Vec<i64> {
        let ticker = Ticker::new(Duration::from_micros(750), airtime_core::units::Frequency(32_768));
        let interval = Duration::from_millis(15);
        let mut anchor = Instant::from_nanos(1_000_000_000);
        let mut following = Following::new(anchor);
        let mut drifts = alloc::vec::Vec::new();
        for _ in 0..events {
            following.see(anchor);
            drifts.push(following.seen_ns.unwrap_or_default() - (JITTER_US + MARGIN_US) * 1_000);
            following.cut();
            following.advance(ticker, rule, interval);
            anchor += interval;
        }
        drifts
    }

    #[test]
    fn a_correction_made_twice_leaves_the_window_on_1m_alone() {
        let half_window = (JITTER_US + MARGIN_US) * 1_000;
        for (address_us, chain_ns, skips, stays) in
            [(40, 8_800, true, true), (40, 8_800, false, false), (24, 4_850, true, true), (24, 4_850, false, true)]
        {
            let drifts = drifts(&Rule { widening_us: 2, address_us, chain_ns, skips }, 2_000);
            let within = drifts.iter().all(|drift| drift.abs() <= half_window + 1_000);
            assert_eq!(within, stays, "{address_us} {skips}: {:?} {:?}", drifts.iter().min(), drifts.iter().max());
        }
    }
}
