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
    /// As many K-frames as a receive buffer holds, nothing taken off for books; no Linux is so, which is [`Self::LinuxSocket`].
    SocketBuffer {
        /// Octets of the receive buffer.
        octets: u32,
    },
    /// Linux, with an application that takes each SDU at once: MTU / MPS + 1 first, then what the receive buffer of the socket holds.
    LinuxSocket {
        /// Octets of the receive buffer; 0: kernels that do not look at it, and give MTU / MPS + 1 with every SDU.
        rcvbuf: u32,
    },
    /// Zephyr up to v3.3 with the `alloc_buf` callback: those of an SDU back when it is complete, never more than the initial ones.
    /// Inside an SDU more are given once, when its first K-frames have used exactly the initial ones; a longer SDU stalls for ever.
    ZephyrAllocBuf {
        /// Initial credits; 0: as many K-frames as the MTU fills.
        init_credits: u16,
    },
    /// Zephyr up to v3.3 without `alloc_buf`: an SDU is one K-frame, and each is given back when it has been taken.
    ZephyrNoAllocBuf {
        /// ACL receive buffers of the host: the initial credits are one less.
        acl_rx_count: u16,
    },
}

impl CreditPolicy {
    /// Largest SDU of a channel under this policy, where the host would take `mtu` in K-frames of `mps`.
    pub fn sdu_max(self, mtu: u16, mps: u16) -> u16 {
        match self {
            // Zephyr v3.2, l2cap.c, l2cap_chan_rx_init: "Segmentation disabled but MTU > MPS, truncating MTU". The SDU length is two octets.
            Self::ZephyrNoAllocBuf { .. } => mtu.min(mps.saturating_sub(2)),
            _ => mtu,
        }
    }
}
