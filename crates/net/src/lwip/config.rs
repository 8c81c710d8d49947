//! Configuration of a host (Kconfig), the costs of its CPU, and the applications on it.

use airtime_core::units::Bitrate;
use airtime_core::{Duration, Instant};
#[cfg(feature = "plan")]
use airtime_keys::Keys;

/// Configuration of the stack as `sdkconfig` has it, and of the CPU below it. [`Default`] is ESP-IDF v5.5.1,
/// `components/lwip/Kconfig`, without costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// `LWIP_TCP_SND_BUF_DEFAULT`: octets a stream may hold that are not acknowledged; also the first slow-start threshold.
    pub snd_buf: u32,
    /// `LWIP_TCP_WND_DEFAULT`: the receive window, at most 65,535 as windows are not scaled.
    pub wnd: u32,
    /// `LWIP_TCP_MSS`.
    pub mss: u16,
    /// `LWIP_TCP_RTO_TIME`: counts in whole ticks of 500 ms, rounded down.
    pub rto_time: Duration,
    /// `LWIP_TCP_SACK_OUT`: whether selective acknowledgements are made. Those that come in are ignored in any case.
    pub sack_out: bool,
    /// `LWIP_TCP_OOSEQ_MAX_PBUFS`: segments out of order that are kept; 0: no limit.
    pub ooseq_max_pbufs: u16,
    /// `LWIP_TCP_MAXRTX`: retransmissions without an answer before a stream is given up.
    pub max_rtx: u8,
    /// `LWIP_TCP_SYNMAXRTX`, the same of a SYN.
    pub syn_max_rtx: u8,
    /// `LWIP_TCP_RECVMBOX_SIZE`: stretches of a stream that wait for its reader.
    pub tcp_recvmbox: u16,
    /// `LWIP_UDP_RECVMBOX_SIZE`: datagrams that wait for their reader.
    pub udp_recvmbox: u16,
    /// `LWIP_TCPIP_RECVMBOX_SIZE`: packets that wait for the stack.
    pub tcpip_mbox: u16,
    /// `LWIP_TCPIP_CORE_LOCKING`: calls run the stack themselves instead of posting to its thread.
    pub core_locking: bool,
    /// Set if applications and the stack's thread share one core, so that one waits for the other.
    pub shared_core: bool,
    /// Costs in CPU time.
    pub costs: Costs,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            snd_buf: 5_760,
            wnd: 5_760,
            mss: 1_440,
            rto_time: Duration::from_millis(1_500),
            sack_out: false,
            ooseq_max_pbufs: 4,
            max_rtx: 12,
            syn_max_rtx: 12,
            tcp_recvmbox: 6,
            udp_recvmbox: 6,
            tcpip_mbox: 32,
            core_locking: false,
            shared_core: false,
            costs: Costs::NONE,
        }
    }
}

/// CPU time of the host's TCP/IP stack.
// Nobody has published such figures for an ESP32-P4: whoever sets one says where it comes from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "plan", derive(Keys), keys(table = "stack", required))]
pub struct Costs {
    /// CPU time of a send or receive call besides its octets and segments.
    #[cfg_attr(feature = "plan", key(range = "0us"..="1s"))]
    pub call: Duration,
    /// CPU time of copying a thousand octets between application and stack.
    #[cfg_attr(feature = "plan", key(range = "0us"..="1s"))]
    pub kilooctet: Duration,
    /// CPU time of making a packet and handing it to the interface.
    #[cfg_attr(feature = "plan", key(range = "0us"..="1s"))]
    pub segment: Duration,
    /// CPU time of a packet that comes up.
    #[cfg_attr(feature = "plan", key(range = "0us"..="1s"))]
    pub input: Duration,
    /// A switch to another task.
    // Two for each call without core locking, one for each wake-up of a task that waits.
    #[cfg_attr(feature = "plan", key(range = "0us"..="1s"))]
    pub switch: Duration,
}

impl Costs {
    /// A CPU that takes no time.
    pub const NONE: Self = Self {
        call: Duration::ZERO,
        kilooctet: Duration::ZERO,
        segment: Duration::ZERO,
        input: Duration::ZERO,
        switch: Duration::ZERO,
    };

    /// Time that copying `octets` takes.
    pub fn copy(&self, octets: usize) -> Duration {
        Duration::from_nanos(self.kilooctet.as_nanos() * octets as u64 / 1_000)
    }
}

/// Reaction of a sender of datagrams to a call that has failed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OnError {
    /// The next call, at once.
    #[default]
    Spin,
    /// `taskYIELD`: a hand-over there and back.
    Yield,
    /// `vTaskDelay`.
    Sleep(Duration),
}

/// An application that sends datagrams.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UdpSender {
    /// The port they go to, by which they are known at both ends.
    pub flow: u16,
    /// Octets of payload, at least [`STAMP_OCTETS`](crate::payload::STAMP_OCTETS).
    pub payload: usize,
    /// Bits of payload per second; none: as fast as calls return.
    pub rate: Option<Bitrate>,
    /// Reaction to an error. At a rate the datagram that failed counts as sent: its turn does not come again.
    pub on_error: OnError,
    /// Start of the sending.
    pub start: Instant,
    /// Time for which it sends.
    pub duration: Duration,
}

/// An application that writes a stream, with blocking calls.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TcpSender {
    /// The port it connects to, by which the stream is known at both ends.
    pub flow: u16,
    /// Octets of one call.
    pub write: usize,
    /// `TCP_NODELAY`: Nagle's algorithm off.
    pub nodelay: bool,
    /// Largest number of octets to send; none: as much as the time allows.
    pub octets: Option<u64>,
    /// Instant at which it connects.
    pub start: Instant,
    /// Time for which it writes; a call that has begun is not broken off, and octets left in buffers then still arrive.
    pub duration: Duration,
}

/// An application that reads a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TcpSink {
    /// Port that it listens on.
    pub flow: u16,
    /// Octets one call takes at most.
    pub read: usize,
}
