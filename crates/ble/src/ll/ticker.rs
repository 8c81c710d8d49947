//! Timer of prepares: whole ticks, a fixed time ahead of each radio's start.
//!
//! Zephyr's `ll_sw_split` plans no event to fit. A timer of whole ticks prepares each event a fixed time ahead of its radio's start,
//! and what has the radio by then is switched off, in the middle of a packet if need be (`lll.c`, `lll_conn_abort_cb`).

use airtime_core::units::Frequency;
use airtime_core::{Duration, Instant};

use crate::personality;

/// Time from the start of a radio to its first symbol: ramp-up in its fast mode. nRF52840 product specification, 6.20.15.8.
pub(crate) const READY: Duration = Duration::from_micros(40);
/// Time from the tick of a prepare until the radio is off. Zephyr v3.2 stops 758 to 788 us ahead of the anchor where the ticks alone
/// would make it 772 to 803.
const OFF: Duration = Duration::from_micros(14);

/// Timer of prepares.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ticker {
    lead: Duration,
    clock: Frequency,
}

impl Ticker {
    /// The timer of a controller that takes the radio for its events; none of one that plans them to fit.
    pub fn of(personality: &personality::Controller) -> Option<Self> {
        personality.prepare_lead.map(|lead| Self { lead, clock: personality.ticker_clock })
    }

    /// The timer by which activities have their turns: of a controller that keeps a time for its events, cut or planned.
    pub fn of_turns(personality: &personality::Controller) -> Option<Self> {
        let planned =
            || personality.slot_reservation.map(|_| Self { lead: Duration::ZERO, clock: personality.ticker_clock });
        Self::of(personality).or_else(planned)
    }

    /// A timer that prepares `lead` ahead of each radio's start.
    #[cfg(test)]
    pub fn new(lead: Duration, clock: Frequency) -> Self {
        Self { lead, clock }
    }

    /// Tick at which an event whose radio starts at `start` is prepared.
    pub fn prepares(self, start: Instant) -> u64 {
        self.ticks(start.saturating_since(Instant::ZERO)).saturating_sub(self.ticks(self.lead))
    }

    /// Instant at which what was prepared at a tick has taken the radio.
    pub fn takes(self, tick: u64) -> Instant {
        Instant::from_nanos(self.nanos(tick)) + OFF
    }

    /// Last tick whose prepares have taken the radio by `now`.
    pub fn taken(self, now: Instant) -> u64 {
        // A tick's instant is rounded down to the nanosecond.
        self.ticks(now.saturating_back(OFF).saturating_since(Instant::ZERO) + Duration::from_nanos(1))
    }

    /// Instant at which the radio of an event starts that was prepared at a tick.
    pub fn starts(self, tick: u64) -> Instant {
        Instant::from_nanos(self.nanos(tick + self.ticks(self.lead)))
    }

    /// Ticks by which a prepare is ahead of its radio's start.
    pub fn lead(self) -> u64 {
        self.ticks(self.lead)
    }

    /// Whole ticks in a time.
    pub fn ticks(self, time: Duration) -> u64 {
        (u128::from(time.as_nanos()) * u128::from(self.clock.0) / 1_000_000_000) as u64
    }

    /// Whole ticks in so many microseconds, none in less than none.
    pub fn ticks_of_us(self, us: i64) -> i64 {
        (us.max(0) * self.clock.0 as i64) / 1_000_000
    }

    /// Nanoseconds of so many ticks.
    pub fn nanos(self, ticks: u64) -> u64 {
        (u128::from(ticks) * 1_000_000_000 / u128::from(self.clock.0)) as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RTC: Frequency = Frequency(32_768);

    fn lead(ticker: Ticker, anchor: Instant) -> u64 {
        (anchor - ticker.takes(ticker.prepares(anchor.saturating_back(READY)))).as_nanos() / 1_000
    }

    /// Leads of Zephyr v3.2 in simulation: its central stops 758 to 788 us before the anchor, and with 275 us 301 to 330.
    #[test]
    fn a_central_is_off_a_lead_and_up_to_a_tick_before_its_anchor() {
        for (lead_us, least, most) in [(750, 758, 788), (275, 300, 330)] {
            let ticker = Ticker::new(Duration::from_micros(lead_us), RTC);
            let leads: alloc::vec::Vec<u64> =
                (1..=1_000).map(|event| lead(ticker, Instant::from_nanos(event * 7_500_000))).collect();
            assert_eq!((leads.iter().min(), leads.iter().max()), (Some(&least), Some(&most)), "{lead_us}");
        }
        let grtc = Ticker::new(Duration::from_micros(275), Frequency(1_000_000));
        assert_eq!(lead(grtc, Instant::from_nanos(7_500_000)), 301);
    }

    #[test]
    fn what_was_prepared_at_a_tick_has_taken_the_radio_at_its_instant_and_not_before() {
        let ticker = Ticker::new(Duration::from_micros(750), RTC);
        for tick in 0..5_000 {
            let takes = ticker.takes(tick);
            assert_eq!(ticker.taken(takes), tick);
            assert!(tick == 0 || ticker.taken(takes - Duration::from_nanos(1_000)) == tick - 1);
        }
    }
}
