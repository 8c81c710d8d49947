//! Words of the timeline.

use airtime_ble::ledger::l2cap::Kind;
use airtime_ble::trace::{EventEnd, Verdict};

/// Name of a PDU on the air, as the sender and as the receiver shows it.
pub(super) const fn pdu(kind: Option<Kind>, verdict: Verdict) -> [&'static str; 2] {
    match (kind, verdict) {
        (Some(Kind::Data { .. }), _) => ["tx data", "rx data"],
        (Some(Kind::Empty), _) => ["tx empty", "rx empty"],
        (Some(Kind::Control), _) => ["tx control", "rx control"],
        (Some(Kind::Credits), _) => ["tx credits", "rx credits"],
        (Some(Kind::Answer), _) => ["tx answer", "rx answer"],
        (Some(Kind::Signalling), _) => ["tx signalling", "rx signalling"],
        (None, Verdict::New) => ["tx malformed", "rx malformed"],
        (None, Verdict::Duplicate) => ["tx duplicate", "rx duplicate"],
        (None, Verdict::Refused) => ["tx refused", "rx refused"],
        (None, Verdict::Corrupted) => ["tx corrupted", "rx corrupted"],
        (None, Verdict::Unheard) => ["tx unheard", "rx unheard"],
        (None, Verdict::Cut) => ["tx cut", "rx cut"],
    }
}

pub(super) const fn verdict(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::New => "new",
        Verdict::Duplicate => "duplicate",
        Verdict::Refused => "refused",
        Verdict::Corrupted => "corrupted",
        Verdict::Unheard => "unheard",
        Verdict::Cut => "cut",
    }
}

pub(super) const fn event_end(end: EventEnd) -> &'static str {
    match end {
        EventEnd::Empty => "empty",
        EventEnd::Tail => "tail",
        EventEnd::OtherActivity => "other_activity",
        EventEnd::Cap => "cap",
        EventEnd::Errors => "errors",
        EventEnd::Silence => "silence",
    }
}

/// An advertising PDU by the type in its header. Core 6.0, Vol 6, Part B, 2.3, table 2.3.
pub(super) const fn advertising(first: u8) -> &'static str {
    match first & 0x0f {
        0x0 => "ADV_IND",
        0x1 => "ADV_DIRECT_IND",
        0x2 => "ADV_NONCONN_IND",
        0x3 => "SCAN_REQ",
        0x4 => "SCAN_RSP",
        0x5 => "CONNECT_IND",
        0x6 => "ADV_SCAN_IND",
        0x7 => "ADV_EXT_IND",
        0x8 => "AUX_CONNECT_RSP",
        _ => "reserved",
    }
}
