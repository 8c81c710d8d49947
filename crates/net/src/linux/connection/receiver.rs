//! The receiving direction: what is acknowledged when.

use alloc::vec::Vec;

use airtime_core::{Duration, Instant};

use super::super::{Config, Counters};
use crate::payload::is_pattern;
use crate::segment::{Head, MAX_RANGES, Range, flags, order};

/// Ranges out of order that are kept: more than a window without scaling has segments of 536 octets.
const MAX_STRETCHES: usize = 128;

/// Receiving side of a connection.
#[derive(Debug)]
pub(super) struct Receiver {
    rcv_nxt: u32,
    /// Octets of the stream before `rcv_nxt`.
    octets: u64,
    window: u32,
    /// Ranges that came beyond a gap, in order and apart.
    beyond: Vec<Range>,
    /// The range of it that grew last.
    latest: Range,
    /// The number of the FIN.
    fin: Option<u32>,
    finished: bool,
    sack: bool,
    quick: u8,
    quick_acks: u8,
    ack_delay: Duration,
    /// Number that was acknowledged last.
    acked: u32,
    /// The largest segment so far (`rcv_mss`).
    largest: u32,
    ack_at: Option<Instant>,
    ack_now: bool,
}

impl Receiver {
    pub fn new(config: &Config) -> Self {
        Self {
            rcv_nxt: 0,
            octets: 0,
            window: config.window.into(),
            beyond: Vec::new(),
            latest: Range::default(),
            fin: None,
            finished: false,
            sack: false,
            quick: config.quick_acks,
            quick_acks: config.quick_acks,
            ack_delay: config.ack_delay,
            acked: 0,
            largest: 536,
            ack_at: None,
            ack_now: false,
        }
    }

    pub fn open(&mut self, next: u32, sack: bool) {
        (self.rcv_nxt, self.acked, self.sack) = (next, next, sack);
    }

    /// Takes a segment; says how many octets are in order now that were not before.
    pub fn take(&mut self, now: Instant, head: &Head, payload: &[u8], counters: &mut Counters) -> usize {
        let data_end = head.seq.wrapping_add(payload.len() as u32);
        let fin = head.has(flags::FIN);
        if fin {
            self.fin = Some(data_end);
        }
        let end = data_end.wrapping_add(u32::from(fin));
        if head.seq == end {
            // A probe from before the window wants to hear where it is.
            self.ack_now |= order::before(head.seq, self.rcv_nxt);
            return 0;
        }
        if order::up_to(end, self.rcv_nxt) {
            counters.duplicates += 1;
            (self.quick, self.ack_now) = (self.quick_acks, true);
            return 0;
        }
        let edge = self.rcv_nxt.wrapping_add(self.window);
        if order::before(edge, end) || self.finished {
            self.ack_now = true;
            return 0;
        }
        self.largest = self.largest.max(payload.len() as u32);
        let offset = self.octets.wrapping_add_signed(i64::from(head.seq.wrapping_sub(self.rcv_nxt) as i32));
        let skipped = if order::before(head.seq, self.rcv_nxt) { self.rcv_nxt.wrapping_sub(head.seq) } else { 0 };
        let fresh = payload.get(skipped as usize..).unwrap_or(&[]);
        if !is_pattern(offset.wrapping_add(u64::from(skipped)), fresh) {
            counters.damaged += fresh.len() as u64;
        }
        if order::before(self.rcv_nxt, head.seq) {
            counters.out_of_order += 1;
            self.keep(Range { start: head.seq, end });
            self.ack_now = true;
            return 0;
        }
        self.in_order(now, end)
    }

    fn in_order(&mut self, now: Instant, end: u32) -> usize {
        let start = self.rcv_nxt;
        self.rcv_nxt = end;
        let gap = !self.beyond.is_empty();
        while let Some(range) = self.beyond.first().copied().filter(|range| order::up_to(range.start, self.rcv_nxt)) {
            self.beyond.remove(0);
            if order::before(self.rcv_nxt, range.end) {
                self.rcv_nxt = range.end;
            }
        }
        // Whether the octet of the FIN is among them: it is none of the stream.
        let fin = self.fin.is_some_and(|fin| order::before(fin, self.rcv_nxt));
        self.finished = fin;
        let octets = self.rcv_nxt.wrapping_sub(start) - u32::from(fin);
        self.octets += u64::from(octets);
        // `__tcp_ack_snd_check`: more than one segment waits, something is or was missing, or quick acknowledgements are due.
        let waiting = self.rcv_nxt.wrapping_sub(self.acked);
        if waiting > self.largest || gap || fin || self.quick > 0 {
            self.ack_now = true;
        } else {
            self.ack_at.get_or_insert(now + self.ack_delay);
        }
        octets as usize
    }

    /// Joins `range` with what is kept.
    fn keep(&mut self, mut range: Range) {
        self.beyond.retain(|other| {
            let apart = order::before(other.end, range.start) || order::before(range.end, other.start);
            if !apart {
                range.start = if order::before(other.start, range.start) { other.start } else { range.start };
                range.end = if order::before(range.end, other.end) { other.end } else { range.end };
            }
            apart
        });
        let place = self.beyond.partition_point(|other| order::before(other.start, range.start));
        self.beyond.insert(place, range);
        self.beyond.truncate(MAX_STRETCHES);
        self.latest = range;
    }

    pub fn wake(&mut self, now: Instant, counters: &mut Counters) {
        if self.ack_at.is_some_and(|at| at <= now) {
            self.ack_at = None;
            self.ack_now = true;
            counters.delayed_acks += 1;
        }
    }

    /// True if an acknowledgement is to leave by itself.
    pub fn wants_ack(&self) -> bool {
        self.ack_now
    }

    pub fn ack_now(&mut self) {
        self.ack_now = true;
    }

    /// A segment with an acknowledgement has left.
    pub fn acknowledged(&mut self) {
        if self.rcv_nxt != self.acked {
            self.quick = self.quick.saturating_sub(1);
        }
        (self.ack_now, self.ack_at, self.acked) = (false, None, self.rcv_nxt);
    }

    /// The ranges beyond a gap, the one that grew last in front (RFC 2018, 4).
    pub fn fill(&self, head: &mut Head) {
        if !self.sack {
            return;
        }
        let first = self.beyond.iter().filter(|range| **range == self.latest);
        let others = self.beyond.iter().filter(|range| **range != self.latest);
        for (place, range) in head.sacked[..MAX_RANGES].iter_mut().zip(first.chain(others)) {
            *place = *range;
        }
    }

    pub fn next(&self) -> u32 {
        self.rcv_nxt
    }

    pub fn sacks(&self) -> bool {
        self.sack
    }

    pub fn is_finished(&self) -> bool {
        self.finished
    }

    pub fn deadline(&self) -> Option<Instant> {
        self.ack_at
    }
}
