//! Counters of all that a host has done and met.

/// Counts since the start. On a good path only `packets`, `segments`, `acks` and `calls` are not zero.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counters {
    /// Packets the interface took: datagrams, segments, acknowledgements.
    pub packets: u64,
    /// Segments with payload among them, repetitions included.
    pub segments: u64,
    /// Segments with payload that had been sent before.
    pub retransmissions: u64,
    /// Acknowledgements without payload that were sent.
    pub acks: u64,
    /// Calls of senders: `sendto`, `send`.
    pub calls: u64,
    /// Calls of them that failed (`ENOBUFS`).
    pub call_errors: u64,
    /// Packets the interface refused (`ERR_BUF`).
    pub refused: u64,
    /// Number of retransmission timeouts.
    pub timeouts: u64,
    /// Number of fast retransmissions.
    pub fast_retransmits: u64,
    /// Number of times that a congestion window fell to one segment.
    pub cwnd_collapses: u64,
    /// Duplicate acknowledgements that came in.
    pub dup_acks: u64,
    /// Acknowledgements that waited for the fast timer.
    pub delayed_acks: u64,
    /// Probes of a closed window.
    pub window_probes: u64,
    /// Segments that came in out of order and were kept.
    pub ooseq: u64,
    /// Segments that came in out of order beyond `ooseq_max_pbufs`, or that waited too long.
    pub drops_ooseq: u64,
    /// Packets that found the stack's mailbox full.
    pub drops_tcpip_mbox: u64,
    /// Datagrams that found their reader's mailbox full.
    pub drops_udp_recvmbox: u64,
    /// Segments that were dropped since earlier ones found their reader's mailbox full.
    pub drops_tcp_recvmbox: u64,
    /// Octets of a stream that are not what was written.
    pub damaged: u64,
    /// Streams that were given up.
    pub aborted: u64,
}
