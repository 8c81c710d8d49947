//! Mechanisms: the parts of a link in which its throughput can go, and the way in which a key eases one.

/// Mechanism of a link: a part of the way of its payload that can limit it. Every key that can cost throughput belongs to one, and an
/// explanation eases all keys of a mechanism together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mechanism {
    /// Payload that a packet carries.
    Packet,
    /// Payload that may be under way at once: counts, buffers, credits, windows, queues.
    Underway,
    /// Times after which one stage hands on to the next.
    Handover,
    /// Connection intervals, and the end of an event.
    Interval,
    /// Gaps between packets on the air.
    Gaps,
    /// Rate of the air while payload is on it.
    Rate,
    /// Bus between a host and its radio.
    Bus,
    /// Time of a processor that a packet takes.
    Cpu,
    /// Access to a channel that others may use.
    Contention,
    /// Packets that are lost, and what becomes of them.
    Losses,
    /// Others on the same radio or channel.
    Neighbours,
    /// Payload that the application offers.
    Offered,
    /// Answers that the sender waits for, and who gives them.
    Answers,
}

impl Mechanism {
    /// Every mechanism, from what is closest to a packet to what is farthest from it.
    pub const ALL: [Self; 13] = [
        Self::Packet,
        Self::Underway,
        Self::Handover,
        Self::Interval,
        Self::Gaps,
        Self::Rate,
        Self::Bus,
        Self::Cpu,
        Self::Contention,
        Self::Losses,
        Self::Neighbours,
        Self::Offered,
        Self::Answers,
    ];

    /// Name of the mechanism in documents.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Packet => "packet",
            Self::Underway => "underway",
            Self::Handover => "handover",
            Self::Interval => "interval",
            Self::Gaps => "gaps",
            Self::Rate => "rate",
            Self::Bus => "bus",
            Self::Cpu => "cpu",
            Self::Contention => "contention",
            Self::Losses => "losses",
            Self::Neighbours => "neighbours",
            Self::Offered => "offered",
            Self::Answers => "answers",
        }
    }

    /// Phrase for people: `what a packet carries`.
    pub const fn phrase(self) -> &'static str {
        match self {
            Self::Packet => "what a packet carries",
            Self::Underway => "what may be under way",
            Self::Handover => "who hands over when",
            Self::Interval => "the interval and its end",
            Self::Gaps => "the gaps between packets",
            Self::Rate => "the rate on the air",
            Self::Bus => "the bus",
            Self::Cpu => "a processor's time",
            Self::Contention => "access to the channel",
            Self::Losses => "losses",
            Self::Neighbours => "others on the air",
            Self::Offered => "what is offered",
            Self::Answers => "who answers when",
        }
    }

    /// Clause on a link that this mechanism limits.
    pub const fn limits(self) -> &'static str {
        match self {
            Self::Packet => "packets carry less than they could",
            Self::Underway => "too little may be under way",
            Self::Handover => "one stage hands over to the next late",
            Self::Interval => "the interval between events, or their end, holds packets back",
            Self::Gaps => "gaps between packets are longer than they need be",
            Self::Rate => "packets are longer on the air than they need be",
            Self::Bus => "the bus between host and radio is slower than the air",
            Self::Cpu => "a processor takes longer for a packet than the air does",
            Self::Contention => "the channel is waited for",
            Self::Losses => "packets are lost, or sent again late",
            Self::Neighbours => "others take air",
            Self::Offered => "less is offered than the link carries",
            Self::Answers => "answers are waited for",
        }
    }
}

/// Way in which a key eases its mechanism.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Way {
    /// More of it eases, and less never does.
    More,
    /// Less of it eases, and more never does: of a time that somebody waits, of a gap.
    Less,
    /// Neither end of its range is the best: its values are tried.
    Either,
}

/// Good that a key guards, for which no throughput is worth its loss unless somebody asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Guard {
    /// Secrecy and authenticity of what is sent.
    Security,
    /// Rules of the protocol, and the rights of others on the channel.
    Protocol,
}

impl Guard {
    /// Both goods that a key may guard.
    pub const ALL: [Self; 2] = [Self::Security, Self::Protocol];

    /// Word for it on a command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Security => "security",
            Self::Protocol => "protocol",
        }
    }
}

/// Part that a key has in the throughput of its link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Eases {
    /// Mechanism that the key belongs to.
    pub mechanism: Mechanism,
    /// Way in which the key eases the mechanism.
    pub way: Way,
    /// Good that the key guards, if it does.
    pub guards: Option<Guard>,
}

impl Eases {
    /// A key of `mechanism` that eases it in this `way`, and guards nothing.
    pub const fn new(mechanism: Mechanism, way: Way) -> Self {
        Self { mechanism, way, guards: None }
    }
}
