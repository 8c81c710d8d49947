//! Input on the sending side: the effects of a segment that comes in (`tcp_process`, `tcp_receive`, first half;
//! src/core/tcp_in.c).

use super::{Counters, Pcb, State};
use crate::segment::{Head, flags, order};

/// News for an application from a segment.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Heard {
    /// The connection is open now.
    pub connected: bool,
    /// Octets were acknowledged: a call that waits for room goes on.
    pub sent: bool,
}

impl Pcb {
    /// A segment for this connection has come in.
    pub fn input(&mut self, head: &Head, payload: &[u8], ticks: u32, counters: &mut Counters) -> Heard {
        let span = payload.len() as u32 + u32::from(head.has(flags::SYN)) + u32::from(head.has(flags::FIN));
        if self.state == State::Closed || self.still_refused(span, counters) {
            return Heard::default();
        }
        let heard = self.process(head, payload, span, ticks, counters);
        self.output = true;
        heard
    }

    /// Data that the reader's mailbox had no room for is tried again first; while that fails, nothing new is taken.
    fn still_refused(&mut self, span: u32, counters: &mut Counters) -> bool {
        if self.process_refused() || span == 0 {
            return false;
        }
        counters.drops_tcp_recvmbox += 1;
        self.empty_acks += u8::from(self.announces_nothing());
        true
    }

    fn process(&mut self, head: &Head, payload: &[u8], span: u32, ticks: u32, counters: &mut Counters) -> Heard {
        if head.has(flags::RST) {
            let ours = if self.state == State::SynSent { head.ack == self.snd_nxt } else { head.seq == self.rcv_nxt };
            if ours {
                self.abort(counters);
            }
            return Heard::default();
        }
        if head.has(flags::SYN) && self.state == State::Established {
            self.ack_now = true;
            return Heard::default();
        }
        self.tmr = ticks;
        self.persist_probe = 0;
        match self.state {
            State::SynSent => return self.syn_is_answered(head),
            State::SynReceived if !head.has(flags::ACK) => {
                if head.has(flags::SYN) && head.seq == self.rcv_nxt.wrapping_sub(1) {
                    self.rexmit();
                }
                return Heard::default();
            }
            _ => {}
        }
        let opening = self.state == State::SynReceived;
        if opening {
            if !order::between(head.ack, self.lastack.wrapping_add(1), self.snd_nxt) {
                return Heard::default();
            }
            self.state = State::Established;
        }
        let before = self.acked_octets;
        if head.has(flags::ACK) {
            self.acknowledged(head, span, ticks, counters);
        }
        if opening {
            self.cwnd = self.initial_cwnd();
        }
        self.receive(head, payload, ticks, counters);
        Heard { connected: opening, sent: self.acked_octets > before }
    }

    fn syn_is_answered(&mut self, head: &Head) -> Heard {
        if !head.has(flags::SYN | flags::ACK) || head.ack != self.lastack.wrapping_add(1) {
            return Heard::default();
        }
        self.take_syn(head);
        self.lastack = head.ack;
        self.snd_wl1 = head.seq.wrapping_sub(1);
        self.state = State::Established;
        self.cwnd = self.initial_cwnd();
        self.snd_queuelen -= 1;
        if self.unacked.pop_front().is_none() {
            self.unsent.pop_front();
        }
        self.rtime = -1;
        self.nrtx = 0;
        self.ack_now = true;
        Heard { connected: true, sent: false }
    }

    fn acknowledged(&mut self, head: &Head, span: u32, ticks: u32, counters: &mut Counters) {
        let right_edge = self.snd_wnd.wrapping_add(self.snd_wl2);
        let window = u32::from(head.window);
        if order::before(self.snd_wl1, head.seq)
            || (self.snd_wl1 == head.seq && order::before(self.snd_wl2, head.ack))
            || (self.snd_wl2 == head.ack && window > self.snd_wnd)
        {
            self.snd_wnd = window;
            self.snd_wnd_max = self.snd_wnd_max.max(window);
            (self.snd_wl1, self.snd_wl2) = (head.seq, head.ack);
        }
        if order::up_to(head.ack, self.lastack) {
            let same_edge = self.snd_wl2.wrapping_add(self.snd_wnd) == right_edge;
            if span == 0 && same_edge && self.rtime >= 0 && head.ack == self.lastack {
                self.duplicate(counters);
            } else {
                self.dupacks = 0;
            }
        } else if order::up_to(head.ack, self.snd_nxt) {
            self.new_acknowledgement(head.ack);
        } else {
            // Nobody has sent that yet.
            self.empty_acks += 1;
        }
        if self.rttest != 0 && order::before(self.rtseq, head.ack) {
            self.round_trip(ticks.wrapping_sub(self.rttest) as i32);
        }
    }

    /// Stevens, TCP/IP Illustrated, Vol. 2, p. 970: the five clauses hold.
    fn duplicate(&mut self, counters: &mut Counters) {
        counters.dup_acks += 1;
        self.dupacks = self.dupacks.saturating_add(1);
        if self.dupacks > 3 {
            self.cwnd = window_plus(self.cwnd, u32::from(self.mss));
        }
        if self.dupacks >= 3 && !self.infr && self.rexmit() {
            counters.fast_retransmits += 1;
            self.ssthresh = self.half_of_the_window();
            self.cwnd = window_plus(self.ssthresh, 3 * u32::from(self.mss));
            self.infr = true;
            self.rtime = 0;
        }
    }

    /// Half of what may be in flight, at least two segments.
    pub(super) fn half_of_the_window(&self) -> u32 {
        (self.cwnd.min(self.snd_wnd) / 2).max(2 * u32::from(self.mss))
    }

    /// `tcp_rexmit`: the first segment that is not acknowledged goes back among those that have not left.
    fn rexmit(&mut self) -> bool {
        let Some(segment) = self.unacked.pop_front() else { return false };
        let place = self.unsent.partition_point(|other| order::before(other.seq, segment.seq));
        self.unsent.insert(place, segment);
        self.nrtx = self.nrtx.saturating_add(1);
        self.rttest = 0;
        true
    }

    fn new_acknowledgement(&mut self, ack: u32) {
        // The first new acknowledgement ends fast recovery, whatever else is lost: no NewReno.
        if self.infr {
            self.infr = false;
            self.cwnd = self.ssthresh;
            self.bytes_acked = 0;
        }
        self.nrtx = 0;
        self.rto = (self.sa >> 3) + self.sv;
        let acked = ack.wrapping_sub(self.lastack);
        let syn = self.lastack == self.iss && self.acked_octets == 0;
        self.dupacks = 0;
        self.lastack = ack;
        self.grow(acked);
        self.free_acked();
        self.rtime = if self.unacked.is_empty() { -1 } else { 0 };
        self.polltmr = 0;
        self.fin_acked |= self.fin_queued && ack == self.snd_lbb;
        let octets = acked - u32::from(syn) - u32::from(self.fin_acked);
        self.acked_octets += u64::from(octets);
        if self.in_rto {
            // Over once what is first in flight, or first to leave, was not part of it.
            let first = self.unacked.front().or(self.unsent.front());
            self.in_rto = first.is_some_and(|segment| order::before(segment.seq, self.rto_end));
        }
    }

    /// RFC 3465: slow start by two segments at most, one after a timeout; congestion avoidance by octets.
    fn grow(&mut self, acked: u32) {
        let mss = u32::from(self.mss);
        if self.cwnd < self.ssthresh {
            let segments = if self.in_rto { 1 } else { 2 };
            self.cwnd = window_plus(self.cwnd, acked.min(segments * mss));
        } else {
            self.bytes_acked = window_plus(self.bytes_acked, acked);
            if self.bytes_acked >= self.cwnd {
                self.bytes_acked -= self.cwnd;
                self.cwnd = window_plus(self.cwnd, mss);
            }
        }
    }

    /// `tcp_free_acked_segments`, of both queues: after a timeout, what was sent lies among what has not left. A segment
    /// acknowledged in part stays whole.
    fn free_acked(&mut self) {
        for queue in [&mut self.unacked, &mut self.unsent] {
            while queue.front().is_some_and(|segment| order::up_to(segment.end(), self.lastack)) {
                let Some(segment) = queue.pop_front() else { break };
                self.snd_queuelen -= segment.pbufs;
                self.snd_buf += u32::from(segment.len);
            }
        }
    }

    /// Jacobson's estimator, in ticks of 500 ms (`tcp_receive`).
    fn round_trip(&mut self, ticks: i32) {
        let error = ticks - (self.sa >> 3);
        self.sa += error;
        self.sv += error.abs() - (self.sv >> 2);
        self.rto = (self.sa >> 3) + self.sv;
        self.rttest = 0;
    }
}

/// `TCP_WND_INC`: windows that are not scaled stay below 2¹⁶.
fn window_plus(window: u32, by: u32) -> u32 {
    (window + by).min(0xffff)
}
