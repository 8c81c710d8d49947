//! Keys of the host's TCP/IP stack, and of what it costs.

use airtime_core::Duration;
use airtime_core::units::Size;
use airtime_keys::{Keys, Words};
use airtime_net::lwip;

use super::Context;

/// Keys of the host's TCP/IP stack and of the application above it.
// Ranges of esp-idf v5.5.1, components/lwip/Kconfig: SND_BUF and WND 2440 to 65535 without window scaling, MSS 536 to 1460.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Keys)]
#[keys(table = "lwip", context = Context)]
pub struct Lwip {
    /// Send buffer of a TCP connection.
    // Steps to the smallest that ESP-IDF has by default, and to the largest without window scaling.
    #[key(
        range = 2_440..=65_535, default = 65_534, whose = HostFirmware, steps = [To(5_760), Half, Double, To(65_535)],
        when = Context::has_streams, config = [host("CONFIG_LWIP_TCP_SND_BUF_DEFAULT", Form::Count)],
        mechanism = Underway, way = More
    )]
    pub snd_buf: u32,
    /// Receive window of a TCP connection.
    #[key(
        range = 2_440..=65_535, default = 65_534, whose = HostFirmware, steps = [To(5_760), Half, Double, To(65_535)],
        when = Context::has_streams, config = [host("CONFIG_LWIP_TCP_WND_DEFAULT", Form::Count)],
        mechanism = Underway, way = More
    )]
    pub wnd: u32,
    /// Largest segment.
    #[key(
        range = 536..=1_460, default = 1_440, whose = HostFirmware, steps = [Half, To(1_440), To(1_460)],
        when = Context::has_streams, config = [host("CONFIG_LWIP_TCP_MSS", Form::Count)],
        mechanism = Packet, way = More
    )]
    pub mss: u16,
    /// Retransmission timeout of a fresh connection, counted in ticks of 500 ms that are rounded down: below 1000ms every tick
    /// with data under way is a timeout.
    // Steps, as lwIP counts whole ticks of 500 ms: below two of them, Kconfig's default, without quick retransmission.
    #[key(
        range = "300ms"..="60s", default = "1.5s", whose = HostFirmware,
        steps = [To(300_000_000), To(1_500_000_000), To(3_000_000_000)],
        when = Context::has_streams, config = [host("CONFIG_LWIP_TCP_RTO_TIME", Form::Milliseconds)],
        mechanism = Losses
    )]
    pub rto_time: Duration,
    /// Nagle's algorithm turned off by the application (`TCP_NODELAY`).
    #[key(default = true, whose = Application, when = Context::has_streams, mechanism = Handover)]
    pub nodelay: bool,
    /// Send buffer that the application asks for with `SO_SNDBUF`: lwIP's sockets do not implement it, so it has no effect.
    #[key(range = 1..=10_000_000, when = Context::has_streams)]
    pub so_sndbuf: Option<Size>,
    /// Generation of SACK by the receiver; the sender ignores it either way.
    #[key(
        default = true, whose = HostFirmware, when = Context::has_streams,
        config = [host("CONFIG_LWIP_TCP_SACK_OUT", Form::Flag)],
        mechanism = Losses
    )]
    pub sack_out: bool,
    /// Segments kept out of order per connection.
    #[key(
        range = 0..=64, default = 8, whose = HostFirmware, when = Context::has_streams,
        config = [host("CONFIG_LWIP_TCP_OOSEQ_MAX_PBUFS", Form::Count)],
        mechanism = Losses, way = More
    )]
    pub ooseq_max_pbufs: u16,
    /// Calls that run the stack under a lock instead of posting to its task.
    #[key(default = true, whose = HostFirmware, config = [host("CONFIG_LWIP_TCPIP_CORE_LOCKING", Form::Flag)], mechanism = Cpu)]
    pub core_locking: bool,
    /// One core for the task that sends and the stack's task, the sender before it.
    #[key(default = false, whose = HostFirmware, mechanism = Cpu)]
    pub shared_core: bool,
    /// Reaction of the application to a call to send that fails: it tries again at once, lets other tasks run, or sleeps for a
    /// tick of 10 ms.
    #[key(default = "spin", whose = Application, mechanism = Handover)]
    pub on_error: OnError,
    /// Places in the mailbox of a TCP socket.
    #[key(
        range = 6..=1_024, default = 64, whose = HostFirmware, when = Context::has_streams,
        config = [host("CONFIG_LWIP_TCP_RECVMBOX_SIZE", Form::Count)],
        mechanism = Underway, way = More
    )]
    pub tcp_recvmbox: u16,
    /// Places in the mailbox of a UDP socket.
    #[key(
        range = 6..=1_024, default = 64, whose = HostFirmware, when = Context::has_datagrams,
        config = [host("CONFIG_LWIP_UDP_RECVMBOX_SIZE", Form::Count)],
        mechanism = Underway, way = More
    )]
    pub udp_recvmbox: u16,
    /// Places in the mailbox of the stack's task.
    #[key(
        range = 6..=1_024, default = 64, whose = HostFirmware,
        config = [host("CONFIG_LWIP_TCPIP_RECVMBOX_SIZE", Form::Count)],
        mechanism = Underway, way = More
    )]
    pub tcpip_recvmbox: u16,
}

/// Reaction of an application to a call to send that fails.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Words)]
pub enum OnError {
    /// It tries again at once.
    Spin,
    /// It lets other tasks run first.
    Yield,
    /// It sleeps for a tick.
    Sleep,
}

/// Keys of the CPU time of the stack and of the sockets above it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Keys)]
#[keys(table = "lwip_host")]
pub struct Host {
    /// CPU time of a send or receive call besides its octets and segments.
    #[key(range = "0us"..="1s", from = "the personality", mechanism = Cpu, way = Less)]
    pub call: Option<Duration>,
    /// CPU time of copying a thousand octets.
    #[key(range = "0us"..="1s", from = "the personality", mechanism = Cpu, way = Less)]
    pub kilooctet: Option<Duration>,
    /// CPU time of making a packet and handing it down.
    #[key(range = "0us"..="1s", from = "the personality", mechanism = Cpu, way = Less)]
    pub segment: Option<Duration>,
    /// CPU time of a packet that comes up.
    #[key(range = "0us"..="1s", from = "the personality", mechanism = Cpu, way = Less)]
    pub input: Option<Duration>,
    /// Switch to another task: for each call without core locking.
    #[key(range = "0us"..="1s", from = "the personality", mechanism = Cpu, way = Less)]
    pub switch: Option<Duration>,
}

impl Host {
    /// Fills in what the plan left to the personality, which says `own`.
    pub fn fill(&mut self, own: lwip::Costs) {
        let lwip::Costs { call, kilooctet, segment, input, switch } = self.costs(own);
        *self = Self {
            call: Some(call),
            kilooctet: Some(kilooctet),
            segment: Some(segment),
            input: Some(input),
            switch: Some(switch),
        };
    }

    /// Costs where the personality says `own`.
    pub fn costs(&self, own: lwip::Costs) -> lwip::Costs {
        lwip::Costs {
            call: self.call.unwrap_or(own.call),
            kilooctet: self.kilooctet.unwrap_or(own.kilooctet),
            segment: self.segment.unwrap_or(own.segment),
            input: self.input.unwrap_or(own.input),
            switch: self.switch.unwrap_or(own.switch),
        }
    }
}
