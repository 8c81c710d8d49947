//! Trace of the plant for whoever looks: the one stream that ledger, counters, captures and time lines are made of.

mod drops;

use airtime_core::Instant;

use crate::air::Phy;
use crate::words::StationId;

pub use drops::DropPoint;

/// One exchange on the air: a PPDU and its response, if there was one. An RTS and its CTS are one; what they go in front of is the next,
/// with a SIFS as its inter-frame space and no backoff.
#[derive(Clone, Debug)]
pub struct OnAir {
    /// Station that sent it.
    pub from: StationId,
    /// Station that it is for; none for broadcast.
    pub to: Option<StationId>,
    /// Transmission parameters.
    pub phy: Phy,
    /// Instant at which the channel became idle before it: inter-frame space and backoff lie between that and `start`.
    pub idle_since: Instant,
    /// Instant from which its sender contended for it: the channel was idle and it had the frame. Before that, back to
    /// `idle_since`, the air was idle for want of a frame.
    pub ready: Instant,
    /// The inter-frame space (AIFS, DIFS or EIFS) from `ready` on; what is left until `start` is backoff.
    pub ifs: airtime_core::Duration,
    /// First microsecond of the preamble.
    pub start: Instant,
    /// End of the PPDU, signal extension included.
    pub end: Instant,
    /// Set for an RTS: its response is a CTS, and it has no MPDUs.
    pub rts: bool,
    /// Set if it follows another one in its TXOP: a SIFS behind it, and without a backoff.
    pub follows: bool,
    /// Start and end of the response (acknowledgement, Block Ack or CTS) if there was one.
    pub response: Option<(Instant, Instant)>,
    /// Outcome of the PPDU.
    pub outcome: PpduOutcome,
    /// Its MPDUs: octets of payload by kind and what became of them, in order.
    pub mpdus: alloc::vec::Vec<Mpdu>,
}

/// Outcome of a PPDU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PpduOutcome {
    /// Its receiver has heard it; MPDUs say what of it.
    Heard,
    /// Another station transmitted at the same time.
    Collided,
    /// None of its MPDUs was answered, or its sender missed the response.
    NoResponse,
    /// Its response reached its sender damaged.
    ResponseDamaged,
}

/// One MPDU of a PPDU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mpdu {
    /// Octets of the MPDU, header and FCS included.
    pub octets: u16,
    /// Octets of its MSDUs as Ethernet frames; 0 for management frames.
    pub msdu: u16,
    /// MSDUs in it: several of an A-MSDU, 0 for management frames.
    pub msdus: u16,
    /// Octets of application payload in it ([`payload_octets`]); 0 for an acknowledgement of TCP.
    pub payload: u16,
    /// Fate of the MPDU at its receiver.
    pub fate: MpduFate,
}

/// Fate of an MPDU at its receiver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MpduFate {
    /// It arrived for the first time.
    New,
    /// It had arrived already.
    Duplicate,
    /// It arrived damaged, by errors or by a collision.
    Damaged,
    /// Its receiver did not notice the PPDU that it was in.
    Missed,
}

impl MpduFate {
    /// True if it did not arrive.
    pub const fn is_lost(self) -> bool {
        matches!(self, Self::Damaged | Self::Missed)
    }
}

/// Reason that an MSDU was given up.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TxFailure {
    /// Too many attempts.
    Retries,
    /// Too old.
    Lifetime,
    /// Either, and yet it had arrived: only its responses were lost. Its sender cannot know that; nothing was lost with it.
    Unheard,
}

/// Octets of application payload in an Ethernet frame: what is behind the headers of UDP or TCP, or of IP for any other
/// protocol. 0 for what is no IPv4 packet, for a fragment that does not begin one, and for a bare acknowledgement of TCP.
pub fn payload_octets(ethernet: &[u8]) -> u16 {
    let Some(&[version, _, high, low, ..]) = ethernet.get(ETHERNET_HEADER..) else { return 0 };
    let (header, total) = (usize::from(version & 0xf) * 4, u16::from_be_bytes([high, low]));
    if version >> 4 != 4 {
        return 0;
    }
    let ip = &ethernet[ETHERNET_HEADER..];
    let transport = match ip.get(9) {
        Some(6) => ip.get(header + 12).map_or(0, |offset| usize::from(offset >> 4) * 4),
        Some(17) => 8,
        _ => 0,
    };
    total.saturating_sub((header + transport) as u16)
}

/// Octets of an Ethernet II header.
pub const ETHERNET_HEADER: usize = 14;

/// Stages of the pipeline: from the application of the host to the air, and from the far end to the air.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stage {
    /// Application and TCP/IP stack of the host.
    Stack,
    /// The host's transmit queue in front of the bus.
    HostQueue,
    /// The SDIO bus and the task that holds its mutex.
    Bus,
    /// The co-processor, from its SDIO buffers to its Wi-Fi transmit buffers.
    Coprocessor,
    /// Wi-Fi transmit buffers and MAC of the co-processor.
    Mac,
    /// Application and TCP/IP stack of the far end.
    FarStack,
    /// The wired hop towards the access point.
    Path,
    /// Queue, transmit buffers and MAC of the access point.
    AccessPoint,
}

impl Stage {
    /// Stages in their order; `ALL[stage as usize]` is `stage`.
    pub const ALL: [Self; 8] = [
        Self::Stack,
        Self::HostQueue,
        Self::Bus,
        Self::Coprocessor,
        Self::Mac,
        Self::FarStack,
        Self::Path,
        Self::AccessPoint,
    ];

    /// Its name on a track of the time line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Stack => "stack",
            Self::HostQueue => "host queue",
            Self::Bus => "bus",
            Self::Coprocessor => "co-processor",
            Self::Mac => "station",
            Self::FarStack => "far stack",
            Self::Path => "path",
            Self::AccessPoint => "access point",
        }
    }
}

/// Reason that the user of a network interface has nothing to send.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Feed {
    /// It has a packet, or is about to make one, and waits for nothing but the interface.
    Ready,
    /// The application has nothing to send.
    App,
    /// CPU time of calls, copies and switches.
    Cpu,
    /// The congestion window is full.
    Cwnd,
    /// The receiver's window or the send buffer is full, and less than the congestion window.
    Window,
    /// It waits for its retransmission timer.
    Rto,
    /// Nagle's algorithm or a delayed acknowledgement holds the last octets back.
    Delayed,
    /// The interface refused the last packet (throttled), and nothing tries again yet.
    Refused,
}

/// Activity of a stage of the pipeline, as far as sending is concerned.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Activity {
    /// It has nothing to do: the stage above it has given it nothing.
    Starved,
    /// It works on what it has, or waits for the stage below it to take it.
    Working,
    /// The co-processor: it sleeps before it tries again to hand on a packet for which no transmit buffer was free.
    Retrying,
    /// The station that is the access point: it holds frames for a station that dozes.
    Holding,
    /// The bus: it is read, and what is to be sent waits.
    Reading,
    /// SPI: the co-processor has all of its buffers to the host in use, so that what comes by air stands behind the bus.
    Full,
    /// The bus: its mutex is held while the host polls for credits.
    Credits,
    /// The host queue: the co-processor throttles, so the interface takes nothing.
    Throttled,
    /// The stack: it sends nothing, for this reason.
    Waits(Feed),
}

/// Queues whose depth is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Queue {
    /// Frames of the host in front of the bus.
    HostTx,
    /// Frames from the host in the SDIO buffers of the co-processor.
    CoprocessorRx,
    /// Frames for the host in the SDIO buffers of the co-processor.
    CoprocessorTx,
    /// MSDUs in the co-processor's Wi-Fi transmit buffers.
    WifiTx,
    /// MSDUs in the co-processor's Wi-Fi receive buffers.
    WifiRx,
    /// Packets that the access point holds for the air.
    AccessPoint,
    /// Packets in front of the wired hop, towards the far end.
    PathUp,
    /// Packets in front of the wired hop, towards the access point.
    PathDown,
}

impl Queue {
    /// Queues in the order of the way up and then down.
    pub const ALL: [Self; 8] = [
        Self::HostTx,
        Self::CoprocessorRx,
        Self::WifiTx,
        Self::PathUp,
        Self::PathDown,
        Self::AccessPoint,
        Self::WifiRx,
        Self::CoprocessorTx,
    ];

    /// Its name on a track of the time line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::HostTx => "queue.host_tx",
            Self::CoprocessorRx => "queue.coprocessor_rx",
            Self::CoprocessorTx => "queue.coprocessor_tx",
            Self::WifiTx => "queue.wifi_tx",
            Self::WifiRx => "queue.wifi_rx",
            Self::AccessPoint => "queue.ap",
            Self::PathUp => "queue.path_up",
            Self::PathDown => "queue.path_down",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An Ethernet frame with an IPv4 packet of `octets` that says it is of `protocol`.
    fn frame(protocol: u8, octets: u16) -> [u8; 1514] {
        let mut frame = [0; 1514];
        frame[ETHERNET_HEADER] = 0x45;
        frame[ETHERNET_HEADER + 2..ETHERNET_HEADER + 4].copy_from_slice(&octets.to_be_bytes());
        frame[ETHERNET_HEADER + 9] = protocol;
        frame
    }

    #[test]
    fn payload_is_what_the_application_sees() {
        assert_eq!(payload_octets(&frame(17, 1_428)), 1_400);
        let mut tcp = frame(6, 1_480);
        tcp[ETHERNET_HEADER + 20 + 12] = 0x50;
        assert_eq!(payload_octets(&tcp), 1_440);
        tcp[ETHERNET_HEADER + 20 + 12] = 0x80;
        assert_eq!(payload_octets(&tcp), 1_428, "with timestamps");
        assert_eq!(payload_octets(&frame(1, 84)), 64);
        assert_eq!(payload_octets(&[]), 0);
        assert_eq!(payload_octets(&frame(17, 3)[..16]), 0);
    }
}
