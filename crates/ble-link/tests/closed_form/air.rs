//! The arithmetic of the air, written down a second time: nothing here comes from the link layer.
//! Times are µs.

/// A PHY with its coding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phy {
    M1,
    M2,
    S2,
    S8,
}

impl Phy {
    pub const ALL: [Self; 4] = [Self::M1, Self::M2, Self::S2, Self::S8];

    /// As plans write it.
    pub fn name(self) -> &'static str {
        match self {
            Self::M1 => "1M",
            Self::M2 => "2M",
            Self::S2 => "S2",
            Self::S8 => "S8",
        }
    }
}

/// Time of a data PDU. Core 6.0, Vol 6, Part B, 2.1 and 2.2; an empty PDU has no MIC.
pub fn air(phy: Phy, payload: u64, encrypted: bool) -> u64 {
    let octets = 2 + payload + if encrypted && payload > 0 { 4 } else { 0 };
    match phy {
        Phy::M1 => 8 * (1 + 4 + octets + 3),
        Phy::M2 => 4 * (2 + 4 + octets + 3),
        Phy::S2 => 80 + 256 + 16 + 24 + 16 * octets + 48 + 6,
        Phy::S8 => 80 + 256 + 16 + 24 + 64 * octets + 192 + 24,
    }
}

/// Payload octets of the longest PDU when both ends offer `octets` with the time these need on the
/// slowest PHY. Core 6.0, Vol 6, Part B, 4.5.10.
pub fn longest(phy: Phy, octets: u64, interval: u64, gap: u64, encrypted: bool) -> u64 {
    if matches!(phy, Phy::M1 | Phy::M2) {
        return octets;
    }
    let offered = air(Phy::S8, octets, true);
    let required = 2 * gap + offered.max(2704).min(octets * 64 + 976);
    let time = offered.min(interval.saturating_sub(required)).max(2704);
    let fits = (27..=octets).rev().find(|n| air(phy, *n, encrypted) <= time);
    fits.unwrap_or(27)
}

/// One LL PDU of an SDU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pdu {
    pub octets: u64,
    pub ends_frame: bool,
    pub ends_sdu: bool,
}

/// The LL PDUs of one SDU: K-frames of at most `mps` octets of which the first begins with the SDU's
/// length, each with a basic header, cut to the controller's buffers of `acl` octets and these to PDUs.
/// Core 6.0, Vol 3, Part A, 3.4.
pub fn pdus(sdu: u64, mps: u64, acl: u64, longest: u64) -> Vec<Pdu> {
    let mut found = Vec::new();
    for frame in pieces(sdu + 2, mps) {
        found.extend(cut(frame, acl, longest).map(|octets| Pdu { octets, ends_frame: false, ends_sdu: false }));
        found.last_mut().expect("a K-frame has a header").ends_frame = true;
    }
    found.last_mut().expect("an SDU has a length").ends_sdu = true;
    found
}

/// Payloads of the LL PDUs of one L2CAP PDU with so much information.
pub fn cut(information: u64, acl: u64, longest: u64) -> impl Iterator<Item = u64> {
    pieces(information + 4, acl).flat_map(move |buffer| pieces(buffer, longest))
}

/// `total` cut into pieces of `most` and what is left.
fn pieces(total: u64, most: u64) -> impl Iterator<Item = u64> {
    (0..total.div_ceil(most)).map(move |n| most.min(total - n * most))
}
