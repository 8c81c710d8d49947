//! Output: segments that may leave now (`tcp_output`, `tcp_send_empty_ack`; src/core/tcp_out.c).

use super::{Counters, Pcb, Queued, State};
use crate::segment::{Head, MAX_RANGES, Range, flags, order};

/// Segment that leaves, by its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Out {
    /// An acknowledgement alone.
    Ack,
    /// One octet into a closed window.
    Probe,
    /// The first segment that has not left.
    Segment,
}

impl Pcb {
    /// True if [`next`](Self::next) is to be asked.
    pub fn has_output(&self) -> bool {
        self.empty_acks > 0 || self.probe || self.output
    }

    /// Sends what window and buffers let go: `tcp_output`.
    pub fn output(&mut self) {
        self.output = true;
    }

    /// Next segment to leave: its kind, its header, the offset of its payload in the stream and its length. To be
    /// followed by [`taken`](Self::taken) or [`refused`](Self::refused).
    pub fn next(&mut self, ticks: u32) -> Option<(Out, Head, u64, usize)> {
        if self.empty_acks > 0 {
            return Some((Out::Ack, self.ack_head(), 0, 0));
        }
        if self.probe {
            return self.probe_head();
        }
        if !self.output {
            return None;
        }
        let Some(segment) = self.unsent.front().copied() else {
            if self.ack_now {
                return Some((Out::Ack, self.ack_head(), 0, 0));
            }
            return self.done();
        };
        let window = self.snd_wnd.min(self.cwnd);
        if segment.seq.wrapping_sub(self.lastack).wrapping_add(u32::from(segment.len)) > window {
            // The persist timer runs when nothing is in flight whose acknowledgement could open the window.
            if window == self.snd_wnd && self.unacked.is_empty() && self.persist_backoff == 0 {
                (self.persist_cnt, self.persist_backoff, self.persist_probe) = (0, 1, 0);
            }
            if self.ack_now {
                return Some((Out::Ack, self.ack_head(), 0, 0));
            }
            return self.done();
        }
        self.persist_backoff = 0;
        if !self.nagle_lets_go(&segment) && !self.nagle_memerr && !self.fin_queued {
            return self.done();
        }
        // The timers start before anybody knows whether the segment leaves (`tcp_output_segment`).
        self.rtime = self.rtime.max(0);
        if self.rttest == 0 {
            (self.rttest, self.rtseq) = (ticks, segment.seq);
        }
        let head = self.segment_head(&segment);
        Some((Out::Segment, head, self.offset_of(segment.seq), usize::from(segment.len)))
    }

    fn done<T>(&mut self) -> Option<T> {
        self.output = false;
        self.nagle_memerr = false;
        None
    }

    /// `tcp_do_output_nagle`: a tail shorter than a segment waits while something is in flight.
    fn nagle_lets_go(&self, head: &Queued) -> bool {
        self.unacked.is_empty()
            || self.nodelay
            || self.infr
            || self.unsent.len() > 1
            || head.len >= self.mss
            || self.snd_buf == 0
            || self.queue_is_full()
    }

    /// True if Nagle's algorithm holds the last octets back now.
    pub fn nagle_holds(&self) -> bool {
        self.unsent.front().is_some_and(|head| !self.fin_queued && !self.nagle_lets_go(head))
    }

    /// The interface has taken what [`next`](Self::next) said last.
    pub fn taken(&mut self, out: Out, counters: &mut Counters) {
        counters.packets += 1;
        match out {
            Out::Ack => {
                counters.acks += 1;
                self.empty_acks = self.empty_acks.saturating_sub(1);
                (self.ack_delay, self.ack_now) = (false, false);
                self.rcv_ann_right_edge = self.rcv_nxt.wrapping_add(self.rcv_ann_wnd);
            }
            Out::Probe => {
                counters.window_probes += 1;
                self.probe = false;
                let seq = self.unacked.front().or(self.unsent.front()).map_or(self.snd_nxt, |segment| segment.seq);
                let end = seq.wrapping_add(1);
                if order::before(self.snd_nxt, end) {
                    self.snd_nxt = end;
                }
            }
            Out::Segment => self.segment_taken(counters),
        }
    }

    fn segment_taken(&mut self, counters: &mut Counters) {
        let Some(mut segment) = self.unsent.pop_front() else { return };
        if segment.len > 0 {
            counters.segments += 1;
            counters.retransmissions += u64::from(segment.sent);
        }
        segment.sent = true;
        if self.state != State::SynSent {
            (self.ack_delay, self.ack_now) = (false, false);
            self.rcv_ann_right_edge = self.rcv_nxt.wrapping_add(self.rcv_ann_wnd);
        }
        if order::before(self.snd_nxt, segment.end()) {
            self.snd_nxt = segment.end();
        }
        // A repetition goes back to its place.
        let place = self.unacked.iter().rposition(|other| order::before(other.seq, segment.seq)).map_or(0, |at| at + 1);
        self.unacked.insert(place, segment);
    }

    /// The interface has refused what [`next`](Self::next) said last (`ERR_BUF`): nothing tries again before the next
    /// `tcp_output`.
    pub fn refused(&mut self, out: Out) {
        match out {
            // `tcp_send_empty_ack`: the fast timer tries again.
            Out::Ack => {
                // One out of `tcp_output` ends that.
                self.output &= self.empty_acks > 0;
                self.empty_acks = 0;
                (self.ack_delay, self.ack_now) = (true, true);
            }
            Out::Probe => self.probe = false,
            Out::Segment => {
                self.nagle_memerr = true;
                self.output = false;
            }
        }
    }

    /// True if the head of the queue stays because the interface refused it.
    pub fn was_refused(&self) -> bool {
        self.nagle_memerr && !self.output && !self.unsent.is_empty()
    }

    fn head(&self, seq: u32, bits: u8) -> Head {
        Head {
            from_port: self.local.1,
            to_port: self.remote.1,
            seq,
            ack: self.rcv_nxt,
            flags: bits,
            window: self.rcv_ann_wnd.min(0xffff) as u16,
            ..Head::default()
        }
    }

    fn segment_head(&self, segment: &Queued) -> Head {
        let ack = if self.state == State::SynSent { 0 } else { flags::ACK };
        let syn = if segment.syn { flags::SYN } else { 0 };
        let fin = if segment.fin { flags::FIN } else { 0 };
        // `tcp_write` asks for a push on the last segment of a call; here on every one that has payload, as nobody reads it.
        let push = if segment.len > 0 { flags::PSH } else { 0 };
        let mut head = self.head(segment.seq, ack | syn | fin | push);
        if segment.syn {
            head.mss = Some(self.config.mss);
            // A listener permits what it was offered.
            head.sack_permitted = self.config.sack_out && (self.state == State::SynSent || self.sack);
            head.ack = if self.state == State::SynSent { 0 } else { self.rcv_nxt };
        }
        head
    }

    fn ack_head(&self) -> Head {
        let mut head = self.head(self.snd_nxt, flags::ACK);
        if self.sack {
            let first = self.latest.and_then(|latest| self.stretch_with(latest.start));
            let others = self.stretches().filter(|range| Some(*range) != first);
            for (place, range) in head.sacked[..MAX_RANGES].iter_mut().zip(first.into_iter().chain(others)) {
                *place = range;
            }
        }
        head
    }

    fn stretch_with(&self, seq: u32) -> Option<Range> {
        self.stretches().find(|range| order::up_to(range.start, seq) && order::before(seq, range.end))
    }

    /// `tcp_zero_window_probe`: one octet, or the FIN, of the first segment.
    fn probe_head(&mut self) -> Option<(Out, Head, u64, usize)> {
        let Some(segment) = self.unacked.front().or(self.unsent.front()).copied() else {
            self.probe = false;
            return self.next(0);
        };
        let fin = segment.fin && segment.len == 0;
        let bits = if fin { flags::ACK | flags::FIN } else { flags::ACK };
        Some((Out::Probe, self.head(segment.seq, bits), self.offset_of(segment.seq), usize::from(!fin)))
    }
}
