//! One station of the cell: what it holds for each receiver, what it knows of errors, what it has counted.

use alloc::collections::VecDeque;
use alloc::vec::Vec;

use airtime_core::random::{Stream, stream};
use airtime_core::{Duration, Instant, Packet};

use super::errors::ErrorProcess;
use super::outbox::Outbox;
use super::{Counters, StationConfig, StationId};
use crate::air::{self, Phy, Timing};
use crate::mac::{Msdus, Originator, Queued, Rate, Recipient, Room, Selection};
use crate::memo::Memo;
use crate::trace::TxFailure;

/// `dot11ShortRetryLimit` unless it is set. 802.11-2020, Annex C.
const SHORT_RETRY_LIMIT: u8 = 7;

/// MPDUs of one station for one receiver, and what that receiver keeps of them.
#[derive(Debug)]
pub(super) struct Flow {
    pub(super) to: StationId,
    pub(super) originator: Originator,
    /// The receiver's end of the agreement. It lives here for want of a better place; the sender never looks.
    pub(super) recipient: Recipient<Msdus>,
    pub(super) rate: Rate,
    /// The smaller of both windows.
    pub(super) window: u16,
}

/// A frame that is sent on its own, in front of all data: a beacon, or a raw frame.
#[derive(Debug)]
pub(super) struct Single {
    pub(super) to: Option<StationId>,
    /// Set if somebody has to acknowledge it.
    pub(super) unicast: bool,
    pub(super) phy: Phy,
    /// Octets, FCS included.
    pub(super) octets: u16,
    /// The frame without FCS.
    pub(super) frame: Packet,
    pub(super) failures: u8,
    /// Octets of the application in it.
    pub(super) payload: u16,
    /// Set if its receiver has it, which its sender learns from an acknowledgement only.
    pub(super) arrived: bool,
    /// Set if that had it already when it came last.
    pub(super) came_again: bool,
    /// Set if it uses a transmit buffer.
    pub(super) buffered: bool,
    /// Set for a beacon.
    pub(super) beacon: bool,
    /// Set for a probe request, which the access point answers.
    pub(super) asks: bool,
    /// Set for a Null frame by which a station tells that it dozes, or that it is awake.
    pub(super) dozes: Option<bool>,
}

/// One station.
#[derive(Debug)]
pub(super) struct Station {
    id: StationId,
    pub(super) flows: Vec<Flow>,
    /// The flow that is served next.
    turn: usize,
    pub(super) singles: VecDeque<Single>,
    pub(super) config: StationConfig,
    used: usize,
    pub(super) errors: ErrorProcess,
    pub(super) sampling: Stream,
    pub(super) counters: Counters,
    pub(super) promiscuous: bool,
    /// Station whose frames stay where they are, since it dozes.
    pub(super) withheld: Option<StationId>,
    /// Longest PSDU of the PHY that was asked for last.
    longest: Memo<Phy, u32>,
}

impl Station {
    pub(super) fn new(place: usize, config: &StationConfig, seed: u64) -> Self {
        Self {
            id: StationId(place as u16),
            flows: Vec::new(),
            turn: 0,
            singles: VecDeque::new(),
            used: 0,
            errors: ErrorProcess::new(place, &config.errors, seed),
            sampling: stream(seed, &alloc::format!("cell/{place}/rate")),
            counters: Counters::default(),
            promiscuous: false,
            withheld: None,
            longest: Memo::new(),
            config: config.clone(),
        }
    }

    pub(super) fn room(&self) -> usize {
        self.config.tx_buffers.saturating_sub(self.used)
    }

    pub(super) fn used(&self) -> usize {
        self.used
    }

    /// Octets of the MPDU for an Ethernet frame of `ethernet` octets.
    pub(super) fn mpdu_octets(&self, ethernet: usize) -> u16 {
        air::mpdu_octets(ethernet as u32, self.config.encrypted) as u16
    }

    /// The place of the flow to `to`, if it has one already.
    fn flow_to(&self, to: StationId) -> Option<usize> {
        self.flows.iter().position(|flow| flow.to == to)
    }

    /// Queues an MPDU for `to`, whose receiver grants `window`. It takes a buffer.
    pub(super) fn push(&mut self, to: StationId, window: u16, mpdu: Queued) {
        self.used += 1;
        let flow = self.flow_to(to).unwrap_or_else(|| {
            let window = window.min(self.config.aggregation.window).clamp(1, 64);
            self.flows.push(Flow {
                to,
                originator: Originator::new(window > 1 && self.config.rate.highest().aggregates()),
                recipient: Recipient::new(window),
                rate: Rate::new(self.config.rate),
                window,
            });
            self.flows.len() - 1
        });
        self.flows[flow].originator.push(mpdu);
    }

    /// Queues a frame that is sent on its own.
    pub(super) fn push_single(&mut self, single: Single) {
        self.used += usize::from(single.buffered);
        self.singles.push_back(single);
    }

    /// True if one more frame that is sent on its own may wait: as many do as there are buffers, though they use none
    /// (*assumed*).
    pub(super) fn takes_single(&self) -> bool {
        self.singles.len() < self.config.tx_buffers
    }

    /// True while data wait for somebody who is awake.
    pub(super) fn has_data(&self) -> bool {
        self.flows.iter().any(|flow| self.has_turn(flow))
    }

    /// True if `flow` has something to send, to somebody who is awake.
    fn has_turn(&self, flow: &Flow) -> bool {
        (flow.originator.waiting() > 0 || flow.originator.must_request()) && self.withheld != Some(flow.to)
    }

    /// The flow whose turn it is, of those that have something to send.
    pub(super) fn next_turn(&self) -> Option<usize> {
        let count = self.flows.len();
        (0..count).map(|step| (self.turn + step) % count).find(|&flow| self.has_turn(&self.flows[flow]))
    }

    /// It is the turn of `flow`: the next one's comes afterwards.
    pub(super) fn take_turn(&mut self, flow: usize) {
        self.turn = flow + 1;
    }

    /// Octets of the longest PSDU at `phy`.
    fn psdu_max(&mut self, phy: Phy, timing: &Timing) -> u32 {
        self.longest.of(phy, |phy| self.config.aggregation.psdu_max(phy, timing))
    }

    /// MPDUs of `flow` for the next PPDU at `phy`, as an A-MPDU unless they are to be `single`; where time is `left` the exchange ends
    /// within it, if that of one MPDU does.
    pub(super) fn select(
        &mut self,
        flow: usize,
        phy: Phy,
        single: bool,
        left: Option<Duration>,
        timing: &Timing,
    ) -> Selection {
        let window = if phy.aggregates() && !single { self.flows[flow].window } else { 1 };
        if window == 1 && self.config.amsdu.is_none() {
            return self.flows[flow].originator.select(1, 0);
        }
        let psdu = match left {
            None => self.psdu_max(phy, timing),
            Some(left) => self.psdu_within(phy, timing, timing.ppdu_before(left, timing.block_ack(phy))),
        };
        self.join(flow, phy, window, psdu);
        let selection = self.flows[flow].originator.select(window, psdu);
        let (Some(left), 1, true) = (left, selection.mpdus, self.config.amsdu.is_some()) else { return selection };
        // A single MPDU has no delimiter, and a shorter response: there is room for more.
        let psdu = self.psdu_within(phy, timing, timing.ppdu_before(left, timing.ack(phy)));
        self.join(flow, phy, 1, psdu);
        self.flows[flow].originator.select(1, psdu)
    }

    /// Octets of the longest PSDU at `phy` whose PPDU lasts no longer than `duration`.
    fn psdu_within(&self, phy: Phy, timing: &Timing, duration: Duration) -> u32 {
        self.config.aggregation.within(duration).psdu_max(phy, timing)
    }

    /// Joins MSDUs of `flow` to A-MSDUs, if it has any.
    fn join(&mut self, flow: usize, phy: Phy, window: u16, psdu: u32) {
        let Some(amsdu) = self.config.amsdu.map(u32::from) else { return };
        let overhead = air::mpdu_overhead(self.config.encrypted);
        let room = Room { window, psdu, alone: phy.alone(), amsdu, overhead };
        self.flows[flow].originator.join(&room);
    }

    /// MSDUs of MPDUs of `mpdu` octets that it sends with one PPDU at most.
    pub(super) fn msdus_of_a_ppdu(&self, mpdu: u16) -> usize {
        let overhead = air::mpdu_overhead(self.config.encrypted) as u16;
        let subframe = air::SUBFRAME_HEADER as u16 + mpdu.saturating_sub(overhead);
        let shared = self.config.amsdu.map_or(1, |octets| octets / subframe.max(1) + 1);
        usize::from(self.config.aggregation.window) * usize::from(shared)
    }

    /// MPDUs that wait, for all receivers.
    pub(super) fn waiting(&self) -> usize {
        self.flows.iter().map(|flow| flow.originator.waiting()).sum()
    }

    /// Block Ack bitmap for the MPDUs `sent`, of which `arrived` have arrived this time.
    pub(super) fn scoreboard(&self, flow: usize, sent: u64, arrived: u64) -> u64 {
        let Flow { originator, recipient, .. } = &self.flows[flow];
        let (mut acked, mut rest) = (arrived, sent & !arrived);
        while rest != 0 {
            let index = rest.trailing_zeros();
            rest &= rest - 1;
            if recipient.has(originator.first().wrapping_add(index)) {
                acked |= 1 << index;
            }
        }
        acked
    }

    /// The response has told of the MPDUs `sent` that those in `acked` have arrived.
    pub(super) fn settle(&mut self, flow: usize, sent: u64, acked: u64, outbox: &mut Outbox) {
        let Self { id, flows, config, counters, used, .. } = self;
        let done = |mpdu: &Queued, failure| settled(*id, mpdu, failure, used, counters, outbox);
        flows[flow].originator.settle(sent, acked, config.retry_limit, done);
    }

    /// The RTS in front of the MPDUs `held` was not answered.
    pub(super) fn no_cts(&mut self, flow: usize, held: u64, outbox: &mut Outbox) {
        let Self { id, flows, config, counters, used, .. } = self;
        let done = |mpdu: &Queued, failure| settled(*id, mpdu, failure, used, counters, outbox);
        flows[flow].originator.no_cts(held, config.retry_limit, done);
    }

    /// Gives up what has waited too long.
    pub(super) fn expire(&mut self, now: Instant, outbox: &mut Outbox) {
        let Some(lifetime) = self.config.lifetime else { return };
        let Self { id, flows, counters, used, .. } = self;
        for flow in flows {
            flow.originator.expire(now.saturating_back(lifetime), |mpdu, failure| {
                settled(*id, mpdu, failure, used, counters, outbox);
            });
        }
    }

    /// Number of times that a Block Ack request is sent. It has an end even where an MPDU has none but its age.
    pub(super) fn request_limit(&self) -> u8 {
        self.config.retry_limit.unwrap_or(SHORT_RETRY_LIMIT)
    }

    /// The receiver of the first of the single frames has got it now, or not.
    pub(super) fn arrived_single(&mut self, now: bool) {
        if let Some(single) = self.singles.front_mut() {
            single.came_again = single.arrived && now;
            single.arrived |= now;
        }
    }

    /// The first of the single frames was `heard`, or not; it goes, and is returned, when it was, or has failed too often.
    pub(super) fn settle_single(&mut self, heard: bool, outbox: &mut Outbox) -> Option<Single> {
        let single = self.singles.front_mut()?;
        single.failures = single.failures.saturating_add(1);
        if !heard && self.config.retry_limit.is_none_or(|limit| single.failures < limit) {
            return None;
        }
        let failure = (!heard).then_some(if single.arrived { TxFailure::Unheard } else { TxFailure::Retries });
        self.counters.settled(failure, 1);
        let gone = self.singles.pop_front()?;
        if gone.buffered {
            self.used -= 1;
            outbox.done(self.id, failure, 1);
        }
        Some(gone)
    }

    /// Identity of the station.
    pub(super) fn id(&self) -> StationId {
        self.id
    }
}

/// Places of the bits that are set in `mpdus`.
pub(super) fn places(mut mpdus: u64) -> impl Iterator<Item = u32> {
    core::iter::from_fn(move || {
        let index = (mpdus != 0).then(|| mpdus.trailing_zeros())?;
        mpdus &= mpdus - 1;
        Some(index)
    })
}

/// An MPDU of `station` is done, or given up: its buffer is free, and whoever offered it is told.
fn settled(
    station: StationId,
    mpdu: &Queued,
    failure: Option<TxFailure>,
    used: &mut usize,
    counters: &mut Counters,
    outbox: &mut Outbox,
) {
    let msdus = mpdu.msdus();
    *used -= usize::from(msdus);
    counters.settled(failure, msdus);
    if !mpdu.generated {
        outbox.done(station, failure, msdus.into());
    }
}
