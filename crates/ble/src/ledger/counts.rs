//! Counters beside the books.

/// Counts of what happened while the stream ran.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Connection events that opened.
    pub events: u64,
    /// Packet pairs, as the central counts them.
    pub exchanges: u64,
    /// Fewest pairs in one event.
    pub exchanges_min: u16,
    /// Most pairs in one event.
    pub exchanges_max: u16,
    /// Events that ended in each way, as booked: tail, cap, loss, other, empty, latency.
    pub ended: [u64; 6],
    /// PDUs with data that were new to their receiver.
    pub data_pdus: u64,
    /// Packets not heard or heard with a wrong CRC.
    pub lost: u64,
    /// Those among them that were not heard at all.
    pub missed: u64,
    /// Packets that their sender switched off at the end of an event.
    pub cut: u64,
    /// PDUs that had arrived already.
    pub duplicates: u64,
    /// PDUs refused for lack of room.
    pub refused: u64,
    /// Credit indications.
    pub credit_indications: u64,
    /// K-frames that began.
    pub k_frames: u64,
}

impl Counts {
    /// Every count under the name that records give it.
    pub fn named(&self) -> [(&'static str, u64); 18] {
        let [tail, cap, loss, other_link, empty, latency] = self.ended;
        [
            ("events", self.events),
            ("exchanges", self.exchanges),
            ("exchanges.min", self.exchanges_min.into()),
            ("exchanges.max", self.exchanges_max.into()),
            ("event_end.tail", tail),
            ("event_end.cap", cap),
            ("event_end.loss", loss),
            ("event_end.other_link", other_link),
            ("event_end.empty", empty),
            ("event_end.latency", latency),
            ("pdus.data", self.data_pdus),
            ("pdus.lost", self.lost),
            ("pdus.missed", self.missed),
            ("pdus.cut", self.cut),
            ("pdus.duplicate", self.duplicates),
            ("pdus.refused", self.refused),
            ("k_frames", self.k_frames),
            ("credit_indications", self.credit_indications),
        ]
    }
}
