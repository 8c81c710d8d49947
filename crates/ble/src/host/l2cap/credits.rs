//! Credits granted by a receiver: [`CreditPolicy`] as a state machine.

use crate::personality::CreditPolicy;

/// `sizeof(struct sk_buff)` of Debian's kernel 6.1.192 on x86-64: with 232, and neither with 224 nor with 240, the 212992 octets that a
/// socket has by default hold the 52 K-frames of 247 that were measured. Other configurations of a kernel differ by some words.
const SK_BUFF: u32 = 232;

/// A K-frame that was received within its credits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::host) struct KFrame {
    /// Set if it began an SDU.
    pub(in crate::host) first: bool,
    /// Octets of the SDU still to come; zero when the frame completes it.
    pub(in crate::host) remaining: u16,
    /// Octets of the SDU in this frame.
    pub(in crate::host) octets: u16,
    /// Octets of the SDU as a whole.
    pub(in crate::host) sdu: u16,
}

/// The credits a receiver has given, and what it will give next.
#[derive(Clone, Debug)]
pub(in crate::host) struct Credits {
    policy: CreditPolicy,
    mtu: u16,
    mps: u16,
    outstanding: u16,
    /// K-frames since the last grant, or of the SDU under way: what the policy counts.
    frames: u16,
    /// Set once an SDU was delivered, from when on Linux knows the room of the socket.
    delivered: bool,
}

impl Credits {
    /// The policy at work on a channel with the receiver's `mtu` and `mps`, nothing granted yet.
    pub(in crate::host) fn new(policy: CreditPolicy, mtu: u16, mps: u16) -> Self {
        Self { policy, mtu, mps: mps.max(1), outstanding: 0, frames: 0, delivered: false }
    }

    /// K-frames the peer may still send.
    pub(in crate::host) fn outstanding(&self) -> u16 {
        self.outstanding
    }

    /// Credits for the connection request or response.
    pub(in crate::host) fn on_open(&mut self) -> u16 {
        let initial = match self.policy {
            CreditPolicy::ZephyrRecv => 1,
            CreditPolicy::PerFrames { initial, .. } | CreditPolicy::RefillBelow { initial, .. } => initial,
            CreditPolicy::RefillAtHalf { max } => max,
            CreditPolicy::SocketBuffer { octets } => self.frames_in(octets),
            CreditPolicy::LinuxSocket { .. } => self.full_packet(),
            CreditPolicy::ZephyrAllocBuf { init_credits } => self.init_credits(init_credits),
            CreditPolicy::ZephyrNoAllocBuf { acl_rx_count } => acl_rx_count.saturating_sub(1),
        };
        self.grant(initial)
    }

    /// Credits for an indication as soon as the channel is open; zero for none.
    pub(in crate::host) fn on_connect(&mut self) -> u16 {
        match self.policy {
            CreditPolicy::PerFrames { on_connect, .. } => self.grant(on_connect),
            _ => 0,
        }
    }

    /// Credits for an indication after a K-frame, zero for none; or nothing at all when the peer
    /// had no credit for the frame.
    pub(in crate::host) fn on_frame(&mut self, frame: KFrame) -> Option<u16> {
        self.outstanding = self.outstanding.checked_sub(1)?;
        let wanted = match self.policy {
            // The stack gives the SDU its credits once its length is known, and one for the next
            // SDU once the application has taken it.
            CreditPolicy::ZephyrRecv if frame.remaining == 0 => 1,
            CreditPolicy::ZephyrRecv if frame.first => frame.remaining.div_ceil(self.mps),
            CreditPolicy::ZephyrRecv => 0,
            CreditPolicy::PerFrames { grant, every, .. } => {
                self.frames = self.frames.saturating_add(1);
                if self.frames >= every {
                    self.frames = 0;
                    grant
                } else {
                    0
                }
            }
            CreditPolicy::RefillAtHalf { max } if self.outstanding <= max / 2 => max.saturating_sub(self.outstanding),
            CreditPolicy::RefillBelow { initial, below } if self.outstanding < below => {
                initial.saturating_sub(self.outstanding)
            }
            // The kernel looks at the socket when an SDU has been delivered, and when a peer that
            // does not fill its K-frames has run out.
            CreditPolicy::SocketBuffer { octets } if frame.remaining == 0 || self.outstanding == 0 => {
                self.frames_in(octets).saturating_sub(self.outstanding)
            }
            CreditPolicy::LinuxSocket { rcvbuf } => self.of_socket(rcvbuf, frame),
            CreditPolicy::ZephyrAllocBuf { init_credits } => self.of_sdu(self.init_credits(init_credits), frame),
            CreditPolicy::ZephyrNoAllocBuf { .. } => 1,
            _ => 0,
        };
        Some(self.grant(wanted))
    }

    /// Credits after a K-frame of Linux, l2cap_core.c: l2cap_ecred_data_rcv looks when the peer has run out, less what the SDU under way
    /// has had before this frame, and l2cap_ecred_recv when an SDU is complete. The socket is empty again with the recvmsg of an
    /// application that waits for it; of the two grants of the first SDU, the second of which gives back the SDU's own octets, this is the sum.
    fn of_socket(&mut self, rcvbuf: u32, frame: KFrame) -> u16 {
        let complete = frame.remaining == 0;
        self.delivered |= complete;
        if !complete && self.outstanding > 0 {
            return 0;
        }
        let under_way =
            if complete { 0 } else { frame.sdu.saturating_sub(frame.octets.saturating_add(frame.remaining)) };
        let room = self.room_of(rcvbuf).filter(|_| self.delivered);
        let credits = room.map_or_else(|| self.full_packet(), |room| self.frames_for(room, under_way));
        credits.saturating_sub(self.outstanding)
    }

    /// Octets of SDUs that Linux takes an empty receive buffer for: what `struct sk_buff` of as many K-frames as would fill it leaves.
    /// None where these take it all, as they do at an MPS of up to their own size. l2cap_sock.c, l2cap_publish_rx_avail.
    fn room_of(&self, rcvbuf: u32) -> Option<u32> {
        let overhead = rcvbuf.div_ceil(self.mps.into()).saturating_mul(SK_BUFF);
        rcvbuf.checked_sub(overhead).filter(|room| *room > 0)
    }

    /// Credits that fill `room`, of which an SDU under way has these octets. l2cap_core.c, l2cap_le_rx_credits.
    fn frames_for(&self, room: u32, under_way: u16) -> u16 {
        let frames = room.saturating_sub(under_way.into()).div_ceil(self.mps.into());
        u16::try_from(frames).unwrap_or(u16::MAX)
    }

    /// Credits of Linux for one SDU of the MTU, while it does not know the room of the socket. l2cap_core.c, l2cap_le_rx_credits.
    fn full_packet(&self) -> u16 {
        (self.mtu / self.mps).saturating_add(1)
    }

    /// Credits after a K-frame of Zephyr up to v3.3, l2cap.c: l2cap_chan_le_recv_seg counts those of the SDU and gives them back with
    /// it; l2cap_chan_update_credits takes for missing whatever is not in the last frame; neither goes above the initial ones.
    fn of_sdu(&mut self, initial: u16, frame: KFrame) -> u16 {
        self.frames = if frame.first { 1 } else { self.frames.saturating_add(1) };
        let room = initial.saturating_sub(self.outstanding);
        if frame.remaining == 0 {
            self.frames.min(room)
        } else if self.outstanding == 0 && self.frames == initial {
            frame.sdu.saturating_sub(frame.octets).div_ceil(self.mps).min(room)
        } else {
            0
        }
    }

    /// Initial credits with `alloc_buf`: what the application says, or those of a full SDU, the two octets of its length not counted.
    fn init_credits(&self, said: u16) -> u16 {
        if said == 0 { self.mtu.div_ceil(self.mps) } else { said }
    }

    /// Grants what the peer can hold: more than 65535 in all would end the channel.
    fn grant(&mut self, wanted: u16) -> u16 {
        let granted = wanted.min(u16::MAX - self.outstanding);
        self.outstanding += granted;
        granted
    }

    fn frames_in(&self, octets: u32) -> u16 {
        u16::try_from(octets / u32::from(self.mps)).unwrap_or(u16::MAX).max(1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    const MTU: u16 = 2_000;
    const MPS: u16 = 247;

    /// Credits granted at opening, on connecting, and after every K-frame of `sdus` of this length.
    fn grants(policy: CreditPolicy, sdu: u16, sdus: u16) -> (u16, u16, Vec<u16>) {
        let mut credits = Credits::new(policy, MTU, MPS);
        let (initial, on_connect) = (credits.on_open(), credits.on_connect());
        let mut log = Vec::new();
        for _ in 0..sdus {
            let mut remaining = sdu;
            for n in 0.. {
                let room = if n == 0 { MPS - 2 } else { MPS };
                let octets = remaining.min(room);
                remaining -= octets;
                log.push(credits.on_frame(KFrame { first: n == 0, remaining, octets, sdu }).expect("a credit"));
                if remaining == 0 {
                    break;
                }
            }
        }
        (initial, on_connect, log)
    }

    #[test]
    fn zephyr_recv_gives_the_rest_of_the_sdu_then_one() {
        assert_eq!(grants(CreditPolicy::ZephyrRecv, 245, 2), (1, 0, [1, 1].into()));
        assert_eq!(grants(CreditPolicy::ZephyrRecv, 492, 2), (1, 0, [1, 1, 1, 1].into()));
        assert_eq!(grants(CreditPolicy::ZephyrRecv, 740, 1), (1, 0, [3, 0, 0, 1].into()));
    }

    #[test]
    fn per_frames_counts_frames_and_not_sdus() {
        let one_by_one = CreditPolicy::PerFrames { initial: 10, on_connect: 10, grant: 1, every: 1 };
        assert_eq!(grants(one_by_one, 492, 2), (10, 10, [1, 1, 1, 1].into()));
        let batches = CreditPolicy::PerFrames { initial: 5, on_connect: 0, grant: 3, every: 3 };
        assert_eq!(grants(batches, 492, 3), (5, 0, [0, 0, 3, 0, 0, 3].into()));
    }

    #[test]
    fn refill_at_half_goes_back_to_full() {
        assert_eq!(grants(CreditPolicy::RefillAtHalf { max: 4 }, 245, 5), (4, 0, [0, 2, 0, 2, 0].into()));
    }

    #[test]
    fn refill_below_waits_until_fewer_are_left() {
        let policy = CreditPolicy::RefillBelow { initial: 6, below: 4 };
        assert_eq!(grants(policy, 245, 6), (6, 0, [0, 0, 3, 0, 0, 3].into()));
    }

    #[test]
    fn a_socket_buffer_is_filled_again_with_every_sdu() {
        let policy = CreditPolicy::SocketBuffer { octets: 10 * 247 + 5 };
        assert_eq!(grants(policy, 492, 2), (10, 0, [0, 2, 0, 2].into()));
        let one_frame = CreditPolicy::SocketBuffer { octets: 247 };
        assert_eq!(grants(one_frame, 492, 1), (1, 0, [1, 1].into()), "run out inside an SDU");
    }

    /// Credits of l2cap_le_rx_credits over l2cap_publish_rx_avail, in the words of the kernel: `rcvbuf` with nothing in it.
    fn linux(rcvbuf: i64, imtu: i64, mps: i64) -> i64 {
        let overhead = (rcvbuf + mps - 1) / mps * 232;
        if overhead < rcvbuf { (rcvbuf - overhead + mps - 1) / mps } else { imtu / mps + 1 }
    }

    #[test]
    fn linux_gives_a_packet_first_and_then_what_the_socket_holds() {
        let policy = CreditPolicy::LinuxSocket { rcvbuf: 212_992 };
        // As measured with an MTU of 2048 in K-frames of 247: 9, then 43 and 2 for the SDU of 492, 52 from there on.
        assert_eq!(grants(policy, 492, 3), (9, 0, [0, 45, 0, 2, 0, 2].into()));
        assert_eq!(grants(policy, 245, 3), (9, 0, [44, 1, 1].into()));
        for (rcvbuf, mtu, mps) in [
            (212_992, 2_000, 247),
            (212_992, 672, 23),
            (212_992, 512, 233),
            (4_608, 2_000, 247),
            (425_984, 65_535, 1_017),
        ] {
            let mut credits = Credits::new(CreditPolicy::LinuxSocket { rcvbuf }, mtu, mps);
            assert_eq!(credits.on_open(), mtu / mps + 1);
            credits.on_frame(KFrame { first: true, remaining: 0, octets: 20, sdu: 20 }).expect("a credit");
            let wanted = linux(rcvbuf.into(), mtu.into(), mps.into()).max((mtu / mps).into());
            assert_eq!(i64::from(credits.outstanding()), wanted, "{rcvbuf} {mtu} {mps}");
        }
    }

    #[test]
    fn linux_of_before_gives_a_packet_with_every_sdu() {
        assert_eq!(grants(CreditPolicy::LinuxSocket { rcvbuf: 0 }, 492, 2), (9, 0, [0, 2, 0, 2].into()));
    }

    #[test]
    fn linux_gives_more_inside_an_sdu_whose_k_frames_are_short() {
        // K-frames of 10 octets where 16 would fit: three credits are not enough for 40, and three more come with the last of them.
        let mut credits = Credits::new(CreditPolicy::LinuxSocket { rcvbuf: 0 }, 40, 16);
        assert_eq!(credits.on_open(), 3);
        let frame = |octets, remaining| KFrame { first: remaining == 30, remaining, octets, sdu: 40 };
        let log: Vec<_> = [(10, 30), (10, 20), (10, 10), (10, 0)].map(|(o, r)| credits.on_frame(frame(o, r))).into();
        assert_eq!(log, [Some(0), Some(0), Some(3), Some(1)]);
        let credits = Credits::new(CreditPolicy::LinuxSocket { rcvbuf: 4_608 }, 2_000, 247);
        // 19 K-frames would fill 4608 octets: their books leave 200, which are one K-frame, and none once 200 octets are under way.
        assert_eq!(credits.room_of(4_608), Some(200));
        assert_eq!((credits.frames_for(200, 0), credits.frames_for(200, 199), credits.frames_for(200, 200)), (1, 1, 0));
    }

    #[test]
    fn zephyr_with_alloc_buf_gives_those_of_an_sdu_back_with_it() {
        let auto = CreditPolicy::ZephyrAllocBuf { init_credits: 0 };
        // An MTU of 2000 in K-frames of 247, as the rows of v3.2 in `plans/field/zephyr_controller.toml` had it.
        assert_eq!(grants(auto, 245, 2), (9, 0, [1, 1].into()));
        assert_eq!(grants(auto, 492, 2), (9, 0, [0, 2, 0, 2].into()));
        assert_eq!(grants(auto, 741, 1), (9, 0, [0, 0, 0, 4].into()));
    }

    #[test]
    fn zephyr_with_alloc_buf_gives_more_inside_an_sdu_once() {
        let of = |init_credits, sdu| grants(CreditPolicy::ZephyrAllocBuf { init_credits }, sdu, 1).2;
        // Two of three are used: it takes the first two for one, and gives two; the third gets one back, not three.
        assert_eq!(of(2, 739), [0, 2, 1]);
        assert_eq!(of(1, 492), [1, 1]);
    }

    #[test]
    fn one_credit_and_three_k_frames_stall_zephyr_for_ever() {
        let policy = CreditPolicy::ZephyrAllocBuf { init_credits: 1 };
        let mut credits = Credits::new(policy, MTU, MPS);
        assert_eq!(credits.on_open(), 1);
        let frame = |first, octets, remaining| KFrame { first, remaining, octets, sdu: 739 };
        assert_eq!(credits.on_frame(frame(true, 245, 494)), Some(1));
        assert_eq!(credits.on_frame(frame(false, 247, 247)), Some(0));
        assert_eq!(credits.outstanding(), 0, "and the third K-frame never comes");
    }

    #[test]
    fn zephyr_without_alloc_buf_keeps_a_receive_buffer_for_others() {
        let policy = CreditPolicy::ZephyrNoAllocBuf { acl_rx_count: 6 };
        assert_eq!(grants(policy, 245, 3), (5, 0, [1, 1, 1].into()));
        assert_eq!((policy.sdu_max(2_000, 247), policy.sdu_max(60, 247)), (245, 60));
    }

    #[test]
    fn a_frame_without_credit_is_told() {
        let mut credits = Credits::new(CreditPolicy::ZephyrRecv, MTU, MPS);
        assert_eq!(credits.on_frame(KFrame { first: true, remaining: 0, octets: 1, sdu: 1 }), None);
    }

    #[test]
    fn grants_never_overflow_the_peer() {
        let policy = CreditPolicy::PerFrames { initial: 65535, on_connect: 10, grant: 10, every: 1 };
        assert_eq!(grants(policy, 245, 2), (65535, 0, [1, 1].into()));
    }
}
