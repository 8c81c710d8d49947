//! Turns of an advertiser at the radio, where activities take it from each other. `ull_adv.c` of Zephyr.

use airtime_core::{Duration, Instant};

use super::{Advertiser, CONNECT_OCTETS, DELAY_MAX, Kind};
use crate::air::{Phy, T_IFS};
use crate::ll::pdu::AdvertisingType;
use crate::ll::ticker::{READY, Ticker};
use crate::ll::turns::{Activity, Claim};

/// Time kept behind the end of an advertising event. `EVENT_OVERHEAD_END_US` of Zephyr v3.2; 40 in later trees.
const END: Duration = Duration::from_micros(100);
/// Time for which a reply is waited for, and its tolerance. `EVENT_RX_TO_US` on 1M, and `EVENT_IFS_MAX_US` less T_IFS.
const REPLY_TIMEOUT: Duration = Duration::from_micros(56);
const T_IFS_TOLERANCE: Duration = Duration::from_micros(2);
/// Payload octets of a SCAN_REQ: two addresses.
const SCAN_REQUEST_OCTETS: u64 = 12;

/// Turns of an advertiser.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Turns {
    /// Random delay of the coming event.
    delay: Duration,
    /// Set if the coming event was put off already.
    deferred: bool,
    /// Turns in a row in which it was passed over.
    passed_over: u64,
}

impl Turns {
    /// The coming event has this random delay.
    pub fn delayed(&mut self, delay: Duration) {
        (self.delay, self.deferred) = (delay, false);
    }
}

impl Advertiser {
    /// Claim to its next turn.
    pub(crate) fn claim(&self, ticker: Ticker, index: usize) -> Claim {
        let start = self.due.saturating_back(READY);
        let keeps = Some(self.reserves());
        let claim = Claim::new(Activity::Advertiser(index), ticker, start, self.parameters.interval, keeps);
        Claim { passed_over: self.turns.passed_over, ..claim }
    }

    /// Time within which the coming event may be put off: what its random delay has left of the longest.
    pub(crate) fn window(&self) -> Duration {
        DELAY_MAX.saturating_sub(self.turns.delay)
    }

    /// True if the coming event was put off already, or cannot be.
    pub(crate) fn is_deferred(&self) -> bool {
        self.turns.deferred || self.parameters.kind == Kind::HighDutyDirected
    }

    /// Puts the coming event off until `due`.
    pub(crate) fn defer(&mut self, due: Instant) {
        self.turns.deferred = true;
        (self.event, self.due) = (due, due);
    }

    /// Takes note of a turn that it has.
    pub(crate) fn take_turn(&mut self) {
        self.has_turn = true;
        self.turns.passed_over = 0;
    }

    /// Leaves out the event whose turn it did not have.
    pub(crate) fn pass_over(&mut self) {
        let passed_over = self.turns.passed_over + 1;
        self.skip();
        self.turns.passed_over = passed_over;
    }

    /// Time from the start of its radio that is kept for an event (`adv_time_get`); of extended advertising the longest it may take.
    fn reserves(&self) -> Duration {
        let p = &self.parameters;
        let data = p.data.len() as u64;
        let packet = |octets| Phy::Le1M.packet(octets);
        let channels = u64::from(p.channels.count_ones());
        let asked = packet(SCAN_REQUEST_OCTETS) + T_IFS + T_IFS_TOLERANCE + packet(6 + p.response.len() as u64);
        let (own, answered) = match p.kind {
            Kind::Extended(_) => return self.event_max() + END,
            kind => match kind.pdu() {
                AdvertisingType::AdvNonconnInd => {
                    return packet(6 + data) * channels + T_IFS * (channels - 1) + END;
                }
                AdvertisingType::AdvDirectInd => (packet(12), packet(CONNECT_OCTETS)),
                AdvertisingType::AdvScanInd => (packet(6 + data), asked),
                _ => (packet(6 + data), asked.max(packet(CONNECT_OCTETS))),
            },
        };
        let wait = T_IFS + T_IFS_TOLERANCE;
        (own + wait + REPLY_TIMEOUT + T_IFS) * (channels - 1) + own + wait + answered + END
    }
}
