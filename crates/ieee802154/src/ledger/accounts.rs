//! The accounts, and what is booked to each.

use crate::trace::Phase;

airtime_core::accounts! {
    /// Account of the air of an 802.15.4 link, as one sender meets it.
    pub enum Account {
        Payload = "payload", "payload that arrived for the first time";
        PayloadOthers = "payload.others", "payload of other stations that arrived for the first time";
        MacHeader = "mac_header", "frame control, sequence number, addresses and check";
        Adaptation = "adaptation", "headers of 6LoWPAN: fragments, compressed IPv6 and UDP";
        Security = "security", "auxiliary security header and MIC";
        PhyOverhead = "phy_overhead", "preamble, start-of-frame delimiter and PHY header";
        Incomplete = "incomplete", "payload on the air that the receiver's host has not: of datagrams under way or short of a fragment, and of what a co-processor had no room for";
        Backoff = "backoff", "backoff in front of a frame that is sent for the first time";
        Cca = "cca", "clear channel assessment in front of a frame that is sent for the first time";
        Turnaround = "turnaround", "from receiving to transmitting, of the sender and of the receiver";
        Ack = "ack", "acknowledgements that arrived";
        Ifs = "ifs", "inter-frame spaces";
        AckWait = "ack_wait", "waited for acknowledgements that did not come";
        Retransmission = "retransmission", "backoff, assessment and turnaround in front of a frame that is sent again";
        Duplicate = "duplicate", "frames that had arrived already";
        Loss = "loss", "frames that noise damaged, or that the receiver missed";
        Collision = "collision", "frames that another transmission damaged";
        OtherStations = "other_stations", "what other senders, and routers for them, had on the air beside payload, while the sender did not use its radio";
        Forwarding = "forwarding", "what routers and their next hops had on the air to pass frames of the sender on, while it did not use its radio";
        IdleUart = "idle.uart", "the radio waited for a frame, or the host for its confirmation, on the UART of a co-processor";
        IdleHost = "idle.host", "the radio waited for the host to load a frame";
        IdleApp = "idle.app", "there was nothing to send";
        Setup = "setup", "from the start to the first frame";
    }
}

impl Account {
    /// Account of time that passes in `phase`, unless a frame or an acknowledgement says more.
    pub const fn of(phase: Phase) -> Self {
        match phase {
            Phase::App => Self::IdleApp,
            Phase::Host => Self::IdleHost,
            Phase::Serial => Self::IdleUart,
            Phase::Spacing => Self::Ifs,
            Phase::Backoff { attempt: 0 } => Self::Backoff,
            Phase::Cca { attempt: 0 } => Self::Cca,
            Phase::Turnaround { attempt: 0 } => Self::Turnaround,
            Phase::Backoff { .. } | Phase::Cca { .. } | Phase::Turnaround { .. } => Self::Retransmission,
            Phase::Sending => Self::PhyOverhead,
            Phase::AwaitsAck => Self::AckWait,
        }
    }
}
