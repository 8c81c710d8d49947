//! Block Ack requests: what follows when one arrives, and when nobody answers.
//!
//! One is sent for either of two reasons. MPDUs were given up, and their receiver has to hear that nothing is to be waited for; or no
//! Block Ack has come, and the sender asks for another ([`MissingBlockAck::Request`](super::MissingBlockAck)) and sends again only
//! what that lacks.
//!
//! A request is sent as often as any frame. If all of that was in vain it is sent anew behind the next data that the receiver
//! acknowledges (Linux, net/mac80211/status.c, `ieee80211_set_bar_pending`, `ieee80211_check_pending_bar`). Until then data go on,
//! and the receiver lets go by itself of what it has kept.

use airtime_core::{Duration, Instant};

use super::station::Flow;
use super::{Cell, StationId};

/// Time for which a receiver keeps frames that wait for an MPDU before them (Linux, net/mac80211/rx.c,
/// `HT_RX_REORDER_BUF_TIMEOUT`, `HZ / 10`).
const REORDER_TIMEOUT: Duration = Duration::from_millis(100);

/// A receiver that keeps MSDUs whose sender has given up telling it not to.
#[derive(Clone, Copy, Debug)]
pub(super) struct Kept {
    /// Instant at which it lets go of them. It is counted from the last request: while requests are under way they are
    /// what it waits for.
    pub(super) until: Instant,
    station: StationId,
    flow: usize,
    /// First sequence number, as the request would have named it.
    first: u32,
}

impl Cell {
    /// The Block Ack request of `station` has arrived: the receiver waits no longer for what was given up.
    pub(super) fn requested(&mut self, station: StationId, flow: usize) {
        let first = self.stations[station.index()].flows[flow].originator.first();
        self.let_go(station, flow, first);
    }

    /// The Block Ack request of `station` was not answered.
    pub(super) fn request_failed(&mut self, station: StationId, flow: usize, now: Instant) {
        let sender = &mut self.stations[station.index()];
        let limit = sender.request_limit();
        let originator = &mut sender.flows[flow].originator;
        if originator.request_failed(limit) {
            self.kept.push_back(Kept { until: now + REORDER_TIMEOUT, station, flow, first: originator.first() });
        }
        let asked = originator.asked_in_vain(sender.config.retry_limit);
        sender.settle(flow, asked, 0, &mut self.outbox);
    }

    /// Receivers have waited long enough at `now`.
    pub(super) fn end_waiting(&mut self, now: Instant) {
        while let Some(Kept { station, flow, first, .. }) = self.kept.pop_front_if(|kept| kept.until <= now) {
            self.let_go(station, flow, first);
        }
    }

    /// The receiver of a flow waits for nothing before `first`.
    fn let_go(&mut self, station: StationId, flow: usize, first: u32) {
        let Flow { to, recipient, .. } = &mut self.stations[station.index()].flows[flow];
        recipient.request(first, |msdus| {
            if let Some(msdus) = msdus {
                self.outbox.delivered_all(station, *to, msdus);
            }
        });
    }
}
