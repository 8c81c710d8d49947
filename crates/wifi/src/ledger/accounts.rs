//! The accounts, and what is booked to each.

use crate::trace::Feed;

airtime_core::accounts! {
    /// Accounts of the air of a Wi-Fi channel.
    pub enum Account {
        PayloadUp = "payload.up", "application payload from the host that arrived at the other end of the air";
        PayloadDown = "payload.down", "application payload from the other end of the air that arrived at the host";
        Undelivered = "undelivered", "payload that arrived by air, and that had not come to its application when the time ended";
        Dropped = "dropped", "payload that arrived by air, and was dropped behind it";
        TcpAgain = "tcp_again", "payload of TCP that had arrived already";
        SlowRate = "slow_rate", "what payload took longer at a slower rate than the best one";
        Headers = "headers", "IP, UDP and TCP headers of packets with payload";
        Mac = "mac", "MAC header, encryption, LLC, FCS, and delimiters of an A-MPDU";
        Preamble = "preamble", "preamble, PHY header, padding to a symbol and signal extension";
        Ifs = "ifs", "inter-frame spaces of both ends of the link";
        Backoff = "backoff", "slots of backoff before a PPDU of either end";
        BlockAck = "block_ack", "acknowledgements and Block Acks";
        RtsCts = "rts_cts", "RTS that did not collide, and CTS";
        TcpAck = "tcp_ack", "packets of TCP without payload";
        Duplicate = "duplicate", "MPDUs that had arrived already";
        Loss = "loss", "MPDUs that arrived damaged, and what was waited for a response that was lost";
        Missed = "missed", "MPDUs of PPDUs that their receiver missed";
        Collision = "collision", "PPDUs that overlapped, and what was waited for their response";
        OtherStations = "other_stations", "PPDUs of other stations with their inter-frame spaces, backoff and responses";
        Management = "management", "beacons and other frames of management";
        IdleMac = "idle.mac", "idle although the transmit buffers held a frame";
        IdleDoze = "idle.doze", "the access point held frames for a station that dozed";
        IdleBuffers = "idle.buffers", "the radio waited for a co-processor that slept because no Wi-Fi transmit buffer was free";
        IdleCoprocessor = "idle.coprocessor", "the radio waited for the co-processor's CPU";
        IdleThrottle = "idle.throttle", "the radio waited because the co-processor throttled the host";
        IdleCredits = "idle.credits", "the radio waited while the host polled for credits and held the bus";
        IdleBus = "idle.bus", "the radio waited for the SDIO bus";
        IdleQueue = "idle.queue", "the radio waited for a task of the SDIO driver with a frame in its queue";
        IdlePath = "idle.path", "the radio waited for packets in front of a slow wired hop";
        IdleCpu = "idle.cpu", "the radio waited for calls, copies and switches of the sender";
        IdleCwnd = "idle.cwnd", "the radio waited because the congestion window was full";
        IdleWindow = "idle.window", "the radio waited because the send buffer or the receiver's window was full";
        IdleRto = "idle.rto", "the radio waited for a retransmission timer";
        IdleDelayed = "idle.delayed", "the radio waited for Nagle's algorithm or a delayed acknowledgement";
        IdleApp = "idle.app", "there was nothing to send";
        Setup = "setup", "from the start to the first payload";
    }
}

impl Account {
    /// Account of idle air when everything below the sender's stack has run empty.
    pub const fn idle(feed: Feed) -> Self {
        match feed {
            Feed::Ready | Feed::Cpu => Self::IdleCpu,
            Feed::App => Self::IdleApp,
            Feed::Cwnd => Self::IdleCwnd,
            Feed::Window => Self::IdleWindow,
            Feed::Rto => Self::IdleRto,
            Feed::Delayed => Self::IdleDelayed,
            Feed::Refused => Self::IdleThrottle,
        }
    }
}
