//! Counters beside the books.

/// Name of the count of PPDUs that followed another one in its TXOP.
pub const FOLLOWED: &str = "ppdus.followed";

/// Name of the count of MSDUs that arrived in MPDUs of the first time.
pub const MSDUS: &str = "msdus.new";

/// Counts of what happened on the air since they were last restarted. Frames of other stations are counted apart.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// PPDUs of station and access point, beacons and RTS included.
    pub ppdus: u64,
    /// Transmissions among them that were an RTS.
    pub rts: u64,
    /// PPDUs among them that followed another one in its TXOP.
    pub followed: u64,
    /// MPDUs in them.
    pub mpdus: u64,
    /// MPDUs that arrived for the first time.
    pub new: u64,
    /// MSDUs in those: more of them where there are A-MSDUs.
    pub msdus: u64,
    /// MPDUs that had arrived already.
    pub duplicates: u64,
    /// MPDUs that did not arrive.
    pub lost: u64,
    /// MPDUs among them whose PPDU their receiver missed; the others were damaged.
    pub missed: u64,
    /// PPDUs that overlapped with another.
    pub collisions: u64,
    /// PPDUs without a response that their sender could read.
    pub no_response: u64,
    /// PPDUs among them whose response was damaged.
    pub response_damaged: u64,
    /// MPDUs that carried TCP without payload.
    pub tcp_acks: u64,
    /// Frames of management.
    pub management: u64,
    /// PPDUs of other stations.
    pub others: u64,
    /// MPDUs of other stations that arrived for the first time.
    pub others_new: u64,
    /// Octets of application payload that arrived: up, down.
    pub payload: [u64; 2],
}

impl Counts {
    /// Every count under the name that records give it. Those of TXOPs and A-MSDUs are left out where there are none.
    pub fn named(&self) -> impl Iterator<Item = (&'static str, u64)> {
        let [up, down] = self.payload;
        let followed = Some((FOLLOWED, self.followed)).filter(|_| self.followed > 0);
        let msdus = Some((MSDUS, self.msdus)).filter(|_| self.msdus > self.new);
        let usual = [
            ("ppdus", self.ppdus),
            ("ppdus.rts", self.rts),
            ("mpdus", self.mpdus),
            ("mpdus.new", self.new),
            ("mpdus.duplicate", self.duplicates),
            ("mpdus.lost", self.lost),
            ("mpdus.missed", self.missed),
            ("ppdus.collided", self.collisions),
            ("ppdus.no_response", self.no_response),
            ("ppdus.response_damaged", self.response_damaged),
            ("mpdus.tcp_ack", self.tcp_acks),
            ("mpdus.management", self.management),
            ("ppdus.other_stations", self.others),
            ("mpdus.other_stations", self.others_new),
            ("payload_octets.up", up),
            ("payload_octets.down", down),
        ];
        usual.into_iter().chain(followed).chain(msdus)
    }
}
