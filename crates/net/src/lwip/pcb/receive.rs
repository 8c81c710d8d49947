//! Receiving side: the effects of data (`tcp_receive`, second half; `tcp_recved`, `tcp_update_rcv_ann_wnd`).

use super::{Counters, Pcb};
use crate::payload::is_pattern;
use crate::segment::{Head, Range, flags, order};

/// Segments that came out of order, as one stretch. Octets are not kept: what they are was compared when they came.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stretch {
    range: Range,
    fin: bool,
}

/// Ticks of a retransmission timeout after which what came out of order is dropped (`TCP_OOSEQ_TIMEOUT`, Kconfig default).
pub(super) const OOSEQ_TIMEOUT: u32 = 6;

impl Pcb {
    /// Takes the data of a segment.
    pub(super) fn receive(&mut self, head: &Head, payload: &[u8], ticks: u32, counters: &mut Counters) {
        let fin = head.has(flags::FIN);
        let span = payload.len() as u32 + u32::from(fin);
        if self.fin_received {
            // What comes now has come before: our acknowledgement was lost.
            self.ack_now |= span > 0;
            return;
        }
        if span == 0 {
            self.ack_now |= !self.in_window(head.seq);
            return;
        }
        let (seq, end) = (head.seq, head.seq.wrapping_add(span));
        if order::before(seq, self.rcv_nxt) && !order::before(self.rcv_nxt, end) {
            self.ack_now = true;
            return;
        }
        let seq = if order::before(seq, self.rcv_nxt) { self.rcv_nxt } else { seq };
        if !self.in_window(seq) {
            self.ack_now = true;
            return;
        }
        let skipped = seq.wrapping_sub(head.seq) as usize;
        let fresh = payload.get(skipped..).unwrap_or(&[]);
        if !is_pattern(self.received_offset(seq), fresh) {
            counters.damaged += fresh.len() as u64;
        }
        let edge = self.rcv_nxt.wrapping_add(self.rcv_wnd);
        let (end, fin) = if order::before(edge, end) { (edge, false) } else { (end, fin) };
        let stretch = Stretch { range: Range { start: seq, end }, fin };
        if seq == self.rcv_nxt {
            self.in_sequence(stretch);
        } else {
            counters.ooseq += 1;
            self.out_of_sequence(stretch, counters);
            self.tmr = ticks;
        }
    }

    fn in_window(&self, seq: u32) -> bool {
        let last = self.rcv_nxt.wrapping_add(self.rcv_wnd).wrapping_sub(1);
        order::between(seq, self.rcv_nxt, last)
    }

    fn in_sequence(&mut self, stretch: Stretch) {
        let start = self.rcv_nxt;
        let mut fin = self.advance(stretch);
        while let Some(next) = self.ooseq.first().copied().filter(|next| order::up_to(next.range.start, self.rcv_nxt)) {
            self.ooseq.remove(0);
            if order::before(self.rcv_nxt, next.range.end) {
                fin |= self.advance(next);
            }
        }
        let octets = self.rcv_nxt.wrapping_sub(start) - u32::from(fin);
        self.received_octets += u64::from(octets);
        if octets > 0 {
            self.deliver(octets);
        }
        // Every second segment (`tcp_ack`).
        if self.ack_delay {
            (self.ack_delay, self.ack_now) = (false, true);
        } else {
            self.ack_delay = true;
        }
        if self.sack && !self.ooseq.is_empty() {
            self.empty_acks += 1;
        }
        if fin {
            self.fin_received = true;
            self.ooseq.clear();
            self.ack_now = true;
        }
    }

    /// Moves on to the end of `stretch`; says whether a FIN is there.
    fn advance(&mut self, stretch: Stretch) -> bool {
        let by = stretch.range.end.wrapping_sub(self.rcv_nxt);
        self.rcv_nxt = stretch.range.end;
        self.rcv_wnd = self.rcv_wnd.saturating_sub(by);
        self.update_announced();
        stretch.fin
    }

    /// Into the reader's mailbox (`recv_tcp`); without room it waits as `refused_data`.
    fn deliver(&mut self, octets: u32) {
        if self.recvmbox.len() < usize::from(self.config.tcp_recvmbox) {
            self.recvmbox.push_back(octets);
        } else {
            self.refused_data = Some(self.refused_data.unwrap_or(0) + octets);
        }
    }

    /// `tcp_process_refused_data`; says whether nothing is refused any more.
    pub fn process_refused(&mut self) -> bool {
        if let Some(octets) = self.refused_data
            && self.recvmbox.len() < usize::from(self.config.tcp_recvmbox)
        {
            self.refused_data = None;
            self.recvmbox.push_back(octets);
        }
        self.refused_data.is_none()
    }

    pub(super) fn announces_nothing(&self) -> bool {
        self.rcv_ann_wnd == 0
    }

    /// Keeps `stretch`, without what is there already, in order; what is beyond the limit falls off at the far end.
    fn out_of_sequence(&mut self, stretch: Stretch, counters: &mut Counters) {
        self.latest = Some(stretch.range);
        let mut place = 0;
        let mut rest = Some(stretch);
        while let Some(next) = rest {
            let Some(other) = self.ooseq.get(place).map(|other| other.range) else {
                self.ooseq.push(next);
                break;
            };
            place += 1;
            if !order::before(next.range.start, other.end) {
                continue;
            }
            if order::before(next.range.start, other.start) {
                let overlaps = order::before(other.start, next.range.end);
                let end = if overlaps { other.start } else { next.range.end };
                let fin = next.fin && !overlaps;
                self.ooseq.insert(place - 1, Stretch { range: Range { start: next.range.start, end }, fin });
                place += 1;
            }
            let behind = Range { start: other.end, ..next.range };
            rest = order::before(behind.start, behind.end).then_some(Stretch { range: behind, ..next });
        }
        let limit = usize::from(self.config.ooseq_max_pbufs);
        if limit > 0 && self.ooseq.len() > limit {
            counters.drops_ooseq += (self.ooseq.len() - limit) as u64;
            self.ooseq.truncate(limit);
        }
        self.empty_acks += 1;
    }

    /// Drops the segments that came out of order and have waited too long.
    pub(super) fn drop_ooseq(&mut self, counters: &mut Counters) {
        counters.drops_ooseq += self.ooseq.len() as u64;
        self.ooseq.clear();
    }

    pub(super) fn ooseq_waits_since(&self) -> Option<u32> {
        (!self.ooseq.is_empty()).then_some(self.tmr)
    }

    /// Ranges that came out of order, neighbours joined, for a selective acknowledgement.
    pub(super) fn stretches(&self) -> impl Iterator<Item = Range> {
        self.ooseq
            .chunk_by(|a, b| a.range.end == b.range.start)
            .map(|joined| Range { start: joined[0].range.start, end: joined[joined.len() - 1].range.end })
    }

    /// The reader has taken `octets` (`tcp_recved`).
    pub fn recved(&mut self, octets: u32) {
        self.rcv_wnd = (self.rcv_wnd + octets).min(self.config.wnd);
        // src/include/lwip/opt.h, TCP_WND_UPDATE_THRESHOLD.
        let threshold = (self.config.wnd / 4).min(4 * u32::from(self.config.mss));
        if self.update_announced() >= threshold {
            self.ack_now = true;
            self.output = true;
        }
    }

    /// `tcp_update_rcv_ann_wnd`: the right edge moves by a whole segment, or not at all; says by how much.
    fn update_announced(&mut self) -> u32 {
        let edge = self.rcv_nxt.wrapping_add(self.rcv_wnd);
        let step = (self.config.wnd / 2).min(u32::from(self.mss));
        if order::up_to(self.rcv_ann_right_edge.wrapping_add(step), edge) {
            self.rcv_ann_wnd = self.rcv_wnd;
            return edge.wrapping_sub(self.rcv_ann_right_edge);
        }
        self.rcv_ann_wnd = if order::before(self.rcv_ann_right_edge, self.rcv_nxt) {
            0
        } else {
            self.rcv_ann_right_edge.wrapping_sub(self.rcv_nxt)
        };
        0
    }
}
