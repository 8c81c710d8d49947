//! The two timers (`tcp_fasttmr`, `tcp_slowtmr`; src/core/tcp.c). Both count ticks and know no other time.

use airtime_core::Duration;

use super::receive::OOSEQ_TIMEOUT;
use super::{Counters, Pcb, State};

/// `TCP_TMR_INTERVAL`: the fast timer; every second one is a slow one.
pub const FAST_TICK: Duration = Duration::from_millis(250);
/// Interval of the slow timer: `TCP_SLOW_INTERVAL`.
pub const SLOW_TICK: Duration = Duration::from_millis(500);

/// Shifts of the timeout, by the number of retransmissions (src/core/tcp.c, `tcp_backoff`).
const BACKOFF: [u32; 13] = [1, 2, 3, 4, 5, 6, 7, 7, 7, 7, 7, 7, 7];
/// Ticks between probes of a closed window (src/core/tcp.c, `tcp_persist_backoff`).
const PERSIST: [u8; 7] = [3, 6, 12, 24, 48, 96, 120];
/// Ticks between two calls of `poll_tcp` (src/api/api_msg.c, `NETCONN_TCP_POLL_INTERVAL`).
const POLL: u8 = 2;

impl Pcb {
    /// The fast timer: an acknowledgement that waited goes out.
    pub fn fast_timer(&mut self, counters: &mut Counters) {
        if self.ack_delay {
            counters.delayed_acks += 1;
            self.ack_now = true;
            self.output = true;
            self.ack_delay = false;
        }
        self.process_refused();
    }

    /// The slow timer, of tick number `ticks`; says whether `poll_tcp` is called.
    pub fn slow_timer(&mut self, ticks: u32, counters: &mut Counters) -> bool {
        if self.state == State::Closed {
            return false;
        }
        let limit = if self.state == State::SynSent { self.config.syn_max_rtx } else { self.config.max_rtx };
        if self.nrtx >= limit || self.persist_probe >= self.config.max_rtx {
            self.abort(counters);
            return false;
        }
        if self.persist_backoff > 0 {
            self.persist();
        } else {
            self.retransmission_timer(counters);
        }
        // lwIP multiplies by the timeout of now, which may be 0: then it drops at once.
        if let Some(since) = self.ooseq_waits_since()
            && ticks.wrapping_sub(since) >= self.rto.max(0) as u32 * OOSEQ_TIMEOUT
        {
            self.drop_ooseq(counters);
        }
        // Nobody is called before the connection is open, and an answer to a SYN may wait for longer than a counter is wide.
        self.polltmr = self.polltmr.saturating_add(1);
        let polled = self.polltmr >= POLL && self.state >= State::Established;
        if polled {
            self.polltmr = 0;
            self.output = true;
        }
        polled
    }

    fn persist(&mut self) {
        let wait = PERSIST[usize::from(self.persist_backoff - 1)];
        self.persist_cnt = self.persist_cnt.saturating_add(1).min(wait);
        if self.persist_cnt < wait {
            return;
        }
        if self.snd_wnd == 0 {
            self.persist_probe += 1;
            self.probe = true;
        } else if self.split_head() {
            // A window too small for the segment takes a part of it.
            self.output = true;
            return;
        }
        self.persist_cnt = 0;
        self.persist_backoff = (self.persist_backoff + 1).min(PERSIST.len() as u8);
    }

    /// `tcp_split_unsent_seg`: cuts the first segment to what the window takes.
    fn split_head(&mut self) -> bool {
        let room = self.snd_wnd.min(u32::from(self.mss)) as u16;
        let Some(head) = self.unsent.front_mut() else { return false };
        if room == 0 || head.len <= room {
            return head.len <= room;
        }
        let mut tail = *head;
        tail.seq = tail.seq.wrapping_add(u32::from(room));
        tail.len -= room;
        tail.pbufs = 1;
        tail.oversized = false;
        head.len = room;
        head.fin = false;
        self.snd_queuelen += 1;
        self.unsent.insert(1, tail);
        true
    }

    fn retransmission_timer(&mut self, counters: &mut Counters) {
        if self.rtime < 0 {
            return;
        }
        self.rtime = (self.rtime + 1).min(0x7fff);
        if self.rtime < self.rto || self.is_idle() {
            return;
        }
        // Nothing in flight but something to send: the interface has refused it.
        if !self.unacked.is_empty() {
            self.requeue(counters);
        }
        if self.state != State::SynSent {
            let shift = BACKOFF[usize::from(self.nrtx).min(BACKOFF.len() - 1)];
            self.rto = (((self.sa >> 3) + self.sv) << shift).min(0x7fff);
        }
        self.rtime = 0;
        counters.cwnd_collapses += u64::from(self.cwnd > u32::from(self.mss));
        self.ssthresh = self.half_of_the_window();
        self.cwnd = u32::from(self.mss);
        self.bytes_acked = 0;
        self.nrtx = self.nrtx.saturating_add(1);
        self.output = true;
    }

    /// `tcp_rexmit_rto_prepare`: go-back-N, everything in flight goes to the head of what has not left.
    fn requeue(&mut self, counters: &mut Counters) {
        counters.timeouts += 1;
        if let Some(last) = self.unacked.back() {
            self.rto_end = last.end();
        }
        self.in_rto = true;
        self.rttest = 0;
        while let Some(segment) = self.unacked.pop_back() {
            self.unsent.push_front(segment);
        }
    }
}
