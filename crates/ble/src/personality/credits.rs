//! Credit policies of L2CAP channels.

/// Policy by which a receiver hands out credits on an LE credit-based channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CreditPolicy {
    /// Zephyr `recv`: 1 initial; the remainder of the SDU after its first K-frame in one
    /// indication; 1 when the SDU completes.
    ZephyrRecv,
    /// `initial` in the connection response, `on_connect` in an indication right after, then
    /// `grant` for every `every` K-frames received: Zephyr `seg_recv`, and batched policies.
    PerFrames {
        /// Credits in the connection request or response.
        initial: u16,
        /// Credits granted as soon as the channel is open.
        on_connect: u16,
        /// Credits per grant.
        grant: u16,
        /// K-frames between grants.
        every: u16,
    },
    /// Back to `max` when at most half of it is outstanding (Bumble).
    RefillAtHalf {
        /// Credits when full.
        max: u16,
    },
    /// `initial`, then back to `initial` when fewer than `below` are outstanding (Android).
    RefillBelow {
        /// Credits when full.
        initial: u16,
        /// Fewer outstanding than this trigger a refill.
        below: u16,
    },
    /// As many K-frames as fill the free socket buffer (BlueZ).
    SocketBuffer {
        /// Octets of the receive buffer.
        octets: u32,
    },
}
