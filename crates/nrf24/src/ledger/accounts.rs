//! The accounts, and what is booked to each.

use crate::trace::Activity;

airtime_core::accounts! {
    /// Accounts of the air of an nRF24 link. The books are those of the channel on which `a` transmits (or, when only
    /// `b` sends, the one on which `b` does); a link with one radio per node has one channel anyway.
    pub enum Account {
        PayloadUp = "payload.up", "application payload from a to b that arrived";
        PayloadDown = "payload.down", "application payload from b to a that arrived";
        Headers = "headers", "IP, UDP and TCP headers";
        Chunk = "chunk", "chunk headers, integrity, nonce and tag of the tunnel";
        PhyOverhead = "phy_overhead", "preamble, address, packet control field and CRC";
        Settling = "settling", "130 µs of settling before a frame of a transmitter";
        Ack = "ack", "130 µs of turnaround and the acknowledgement itself";
        Control = "control", "greetings, acknowledgement bitmaps and polls of the tunnel";
        Retransmission = "retransmission", "frames whose payload had arrived already";
        Loss = "loss", "frames that nobody received, and what was waited for their acknowledgement";
        ArdWait = "ard_wait", "from a missing acknowledgement to its retransmission";
        FifoFull = "fifo_full", "frames that found the receiver's FIFO full, because its host was late, and what was waited for their acknowledgement";
        Undelivered = "undelivered", "payload that arrived, and that had not come to its application when the time ended: parts of packets, or in the receiver's stack";
        TcpAgain = "tcp_again", "payload of TCP that had arrived already";
        Incomplete = "incomplete", "payload that arrived for nothing: another part of its IP packet was missing";
        PllBreak = "pll_break", "the 130 µs break that the PLL needs every 4 ms";
        IdleSpi = "idle.spi", "the radio waited for octets on SPI";
        IdleCpu = "idle.cpu", "the radio waited for the host's CPU: system calls, pins, packets";
        IdleSleep = "idle.sleep", "the radio waited for a task that slept because its program says so";
        IdleWake = "idle.wake", "the radio waited for an interrupt or a timer to reach its task";
        IdleWindow = "idle.window", "the radio waited because the tunnel's window was full";
        IdleDelay = "idle.delay", "the radio waited for a delay between batches";
        IdleStalled = "idle.stalled", "the radio waited for a host that a fault had stalled";
        IdleMaxRt = "idle.max_rt", "the transmitter had given up (MAX_RT) and waited to be cleared";
        IdleApp = "idle.app", "there was nothing to send";
        Setup = "setup", "from the start to the first payload";
    }
}

impl Account {
    /// Account of a radio's idle air while its task does this.
    pub const fn idle(activity: Activity) -> Self {
        match activity {
            Activity::Spi => Self::IdleSpi,
            Activity::Cpu => Self::IdleCpu,
            Activity::Sleep => Self::IdleSleep,
            // The interrupt is on its way inside the chip, as afterwards in the host. Table 19, `T_IRQ`.
            Activity::AwaitsChip | Activity::Waking => Self::IdleWake,
            Activity::Window => Self::IdleWindow,
            Activity::NoData => Self::IdleApp,
            Activity::Delay => Self::IdleDelay,
            Activity::Stalled => Self::IdleStalled,
        }
    }
}
