//! Counters beside the books.

use crate::trace::DropPoint;

/// Counts of what happened since they were last restarted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Payloads on the air of the books' channel, retransmissions included.
    pub frames: u64,
    /// Frames among those that were new to their receiver and carried data.
    pub data: u64,
    /// Frames among those that carried the tunnel's own messages.
    pub control: u64,
    /// Retransmissions of the chip.
    pub retransmissions: u64,
    /// Frames that the tunnel sent again.
    pub repeats: u64,
    /// Frames that nobody received, for whatever reason.
    pub lost: u64,
    /// Frames among them of which no receiver found the address: missed, collided, or sent while nobody listened.
    pub missed: u64,
    /// Frames among them whose CRC was wrong.
    pub bad_crc: u64,
    /// Frames among them that found the RX FIFO full.
    pub fifo_full: u64,
    /// Frames that had arrived already.
    pub duplicates: u64,
    /// Acknowledgements that arrived.
    pub acks: u64,
    /// Acknowledgements that were sent and did not arrive.
    pub acks_lost: u64,
    /// Acknowledgements among them whose address the sender did not find.
    pub acks_missed: u64,
    /// Acknowledgements among them whose CRC was wrong.
    pub acks_bad_crc: u64,
    /// Times the chip gave up.
    pub max_rt: u64,
    /// Payloads flushed unsent.
    pub flushed: u64,
    /// Breaks for the PLL.
    pub pll_breaks: u64,
    /// Payloads on other channels, and those of them that nobody received.
    pub reverse: [u64; 2],
    /// IP packets that came out: from a to b, from b to a.
    pub delivered: [u64; 2],
    /// IP packets of which another part was missing.
    pub incomplete: u64,
    /// IP packets dropped, by place: see [`Counts::named`].
    pub dropped: [u64; 9],
    /// Times reassembly lost its place.
    pub resyncs: u64,
    /// Lints of all chips.
    pub lints: u64,
}

impl Counts {
    /// Index at which [`dropped`](Self::dropped) counts a drop.
    pub(super) fn place(at: DropPoint) -> usize {
        match at {
            DropPoint::Queue => 0,
            DropPoint::Persistence => 1,
            DropPoint::MaxRt => 2,
            DropPoint::Gap => 3,
            DropPoint::Integrity => 4,
            DropPoint::Authentication => 5,
            DropPoint::Malformed => 6,
            DropPoint::Context => 7,
            DropPoint::Ring => 8,
        }
    }

    /// Every count under the name that records give it.
    pub fn named(&self) -> [(&'static str, u64); 33] {
        let [reverse, reverse_lost] = self.reverse;
        let [up, down] = self.delivered;
        let [queue, persistence, max_rt, gap, integrity, authentication, malformed, context, ring] = self.dropped;
        [
            ("frames", self.frames),
            ("frames.data", self.data),
            ("frames.control", self.control),
            ("frames.retransmission", self.retransmissions),
            ("frames.repeat", self.repeats),
            ("frames.lost", self.lost),
            ("frames.missed", self.missed),
            ("frames.bad_crc", self.bad_crc),
            ("frames.fifo_full", self.fifo_full),
            ("frames.duplicate", self.duplicates),
            ("frames.reverse", reverse),
            ("frames.reverse_lost", reverse_lost),
            ("acks", self.acks),
            ("acks.lost", self.acks_lost),
            ("acks.missed", self.acks_missed),
            ("acks.bad_crc", self.acks_bad_crc),
            ("max_rt", self.max_rt),
            ("flushed", self.flushed),
            ("pll_breaks", self.pll_breaks),
            ("packets.up", up),
            ("packets.down", down),
            ("packets.incomplete", self.incomplete),
            ("dropped.queue", queue),
            ("dropped.persistence", persistence),
            ("dropped.max_rt", max_rt),
            ("dropped.gap", gap),
            ("dropped.integrity", integrity),
            ("dropped.authentication", authentication),
            ("dropped.malformed", malformed),
            ("dropped.context", context),
            ("dropped.ring", ring),
            ("resyncs", self.resyncs),
            ("lints", self.lints),
        ]
    }
}
