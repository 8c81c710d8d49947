//! One connection, as lwIP keeps it: queues of segments, windows, and timers that count ticks.
//!
//! Its parts: `input` (what an acknowledgement does), `receive` (what data does), `output` (what may leave), `write` (what calls
//! add), `timers`.

mod input;
mod output;
mod receive;
mod timers;
mod write;

use alloc::collections::VecDeque;
use alloc::vec::Vec;
use core::net::Ipv4Addr;

pub use input::Heard;
pub use output::Out;
pub(super) use timers::FAST_TICK;

use super::{Config, Counters};
use crate::segment::{Head, Range};

/// State of a connection in its life. Closing is in the flags `fin_*` of [`Pcb`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum State {
    /// A SYN is out.
    SynSent,
    /// A SYN has come in and is answered.
    SynReceived,
    /// State in which octets flow: ESTABLISHED.
    Established,
    /// Both sides have closed, or it was given up.
    Closed,
}

/// A segment in a queue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Queued {
    pub seq: u32,
    pub len: u16,
    pub syn: bool,
    pub fin: bool,
    /// Buffers its octets lie in.
    pub pbufs: u16,
    /// Set if the last of them has room for the rest of a full segment.
    pub oversized: bool,
    /// Set if it has been on the wire.
    pub sent: bool,
}

impl Queued {
    /// Sequence numbers it takes (`TCP_TCPLEN`).
    pub fn span(&self) -> u32 {
        u32::from(self.len) + u32::from(self.syn) + u32::from(self.fin)
    }

    pub fn end(&self) -> u32 {
        self.seq.wrapping_add(self.span())
    }
}

/// A connection. Names are lwIP's where it has one (`struct tcp_pcb`, src/include/lwip/tcp.h).
#[derive(Debug)]
pub struct Pcb {
    pub(super) config: Config,
    pub(super) state: State,
    pub(super) local: (Ipv4Addr, u16),
    pub(super) remote: (Ipv4Addr, u16),
    pub(super) nodelay: bool,

    pub(super) unsent: VecDeque<Queued>,
    pub(super) unacked: VecDeque<Queued>,
    pub(super) mss: u16,
    /// The first sequence number.
    iss: u32,
    /// Octets of the stream that are acknowledged; the number of the SYN is none of them.
    acked_octets: u64,
    pub(super) lastack: u32,
    pub(super) snd_nxt: u32,
    /// The number the next octet written gets.
    snd_lbb: u32,
    pub(super) snd_buf: u32,
    snd_queuelen: u16,
    pub(super) snd_wnd: u32,
    snd_wnd_max: u32,
    snd_wl1: u32,
    snd_wl2: u32,

    pub(super) cwnd: u32,
    pub(super) ssthresh: u32,
    bytes_acked: u32,
    dupacks: u8,
    /// Set in fast recovery (`TF_INFR`).
    infr: bool,
    /// Sending again after a timeout (`TF_RTO`), up to `rto_end`.
    pub(super) in_rto: bool,
    rto_end: u32,

    /// Ticks since the retransmission timer was started; −1: it stands (`rtime`).
    pub(super) rtime: i32,
    rto: i32,
    /// Smoothed round trip and its deviation in ticks, scaled by 8 and 4.
    sa: i32,
    sv: i32,
    /// Tick at which the timed segment left; 0: none is timed.
    rttest: u32,
    rtseq: u32,
    nrtx: u8,
    persist_backoff: u8,
    persist_cnt: u8,
    persist_probe: u8,
    polltmr: u8,

    pub(super) rcv_nxt: u32,
    /// The first sequence number of the peer.
    irs: u32,
    /// Octets of the stream that came in, in order.
    received_octets: u64,
    rcv_wnd: u32,
    rcv_ann_wnd: u32,
    rcv_ann_right_edge: u32,
    ooseq: Vec<receive::Stretch>,
    /// Tick at which a segment came in last.
    tmr: u32,
    /// Stretches that wait for the reader, in octets.
    pub(super) recvmbox: VecDeque<u32>,
    /// Octets the reader's mailbox had no room for.
    refused_data: Option<u32>,
    sack: bool,
    /// The stretch out of order that came last.
    latest: Option<Range>,

    /// Acknowledge at the fast timer (`TF_ACK_DELAY`), with the next output (`TF_ACK_NOW`).
    ack_delay: bool,
    ack_now: bool,
    nagle_memerr: bool,
    /// Acknowledgements that leave before anything else.
    empty_acks: u8,
    probe: bool,
    /// `tcp_output` has been called and is not through.
    output: bool,

    pub(super) fin_queued: bool,
    pub(super) fin_acked: bool,
    pub(super) fin_received: bool,
}

impl Pcb {
    /// A connection from `local` to `remote` that has not said anything (`tcp_alloc`).
    fn new(config: Config, local: (Ipv4Addr, u16), remote: (Ipv4Addr, u16), iss: u32) -> Self {
        let ticks = (config.rto_time.as_nanos() / timers::SLOW_TICK.as_nanos()) as i32;
        Self {
            config,
            state: State::SynSent,
            local,
            remote,
            nodelay: false,
            unsent: VecDeque::new(),
            unacked: VecDeque::new(),
            mss: config.mss,
            iss,
            acked_octets: 0,
            lastack: iss,
            snd_nxt: iss,
            snd_lbb: iss,
            snd_buf: config.snd_buf,
            snd_queuelen: 0,
            snd_wnd: config.wnd,
            snd_wnd_max: config.wnd,
            snd_wl1: 0,
            snd_wl2: iss,
            cwnd: 1,
            ssthresh: config.snd_buf,
            bytes_acked: 0,
            dupacks: 0,
            infr: false,
            in_rto: false,
            rto_end: 0,
            rtime: -1,
            rto: ticks,
            sa: 0,
            sv: ticks,
            rttest: 0,
            rtseq: 0,
            nrtx: 0,
            persist_backoff: 0,
            persist_cnt: 0,
            persist_probe: 0,
            polltmr: 0,
            rcv_nxt: 0,
            irs: 0,
            received_octets: 0,
            rcv_wnd: config.wnd,
            rcv_ann_wnd: config.wnd,
            rcv_ann_right_edge: 0,
            ooseq: Vec::new(),
            tmr: 0,
            recvmbox: VecDeque::new(),
            refused_data: None,
            sack: false,
            latest: None,
            ack_delay: false,
            ack_now: false,
            nagle_memerr: false,
            empty_acks: 0,
            probe: false,
            output: false,
            fin_queued: false,
            fin_acked: false,
            fin_received: false,
        }
    }

    /// Opens a connection (`tcp_connect`): its SYN is ready to leave.
    pub fn connect(config: Config, local: (Ipv4Addr, u16), remote: (Ipv4Addr, u16), nodelay: bool, iss: u32) -> Self {
        let mut pcb = Self::new(config, local, remote, iss);
        pcb.nodelay = nodelay;
        pcb.enqueue_syn();
        pcb
    }

    /// A SYN has come to a listening port (`tcp_listen_input`): its answer is ready to leave.
    pub fn accept(config: Config, local: (Ipv4Addr, u16), remote: (Ipv4Addr, u16), syn: &Head, iss: u32) -> Self {
        let mut pcb = Self::new(config, local, remote, iss);
        pcb.state = State::SynReceived;
        pcb.take_syn(syn);
        pcb.snd_wl1 = syn.seq.wrapping_sub(1);
        pcb.enqueue_syn();
        pcb
    }

    fn enqueue_syn(&mut self) {
        self.unsent.push_back(Queued {
            seq: self.iss,
            len: 0,
            syn: true,
            fin: false,
            pbufs: 1,
            oversized: false,
            sent: false,
        });
        self.snd_queuelen += 1;
        self.snd_lbb = self.iss.wrapping_add(1);
        self.output = true;
    }

    /// Takes the options and the window of a SYN.
    fn take_syn(&mut self, syn: &Head) {
        self.irs = syn.seq;
        self.rcv_nxt = syn.seq.wrapping_add(1);
        self.rcv_ann_right_edge = self.rcv_nxt;
        // RFC 9293, 3.7.1: 536 octets where a SYN says nothing. `tcp_parseopt` takes no more than TCP_MSS.
        self.mss = syn.mss.unwrap_or(536).min(self.config.mss).max(1);
        self.sack = self.config.sack_out && syn.sack_permitted;
        self.snd_wnd = u32::from(syn.window);
        self.snd_wnd_max = self.snd_wnd;
    }

    /// `LWIP_TCP_CALC_INITIAL_CWND` (RFC 5681, 3.1).
    fn initial_cwnd(&self) -> u32 {
        let mss = u32::from(self.mss);
        (4 * mss).min((2 * mss).max(4_380))
    }

    /// Octets on their way: sent, not acknowledged.
    pub fn flight(&self) -> u32 {
        self.unacked.iter().map(Queued::span).sum()
    }

    /// True while no segment of the stream is on its way or waits to leave.
    pub fn is_idle(&self) -> bool {
        self.unsent.is_empty() && self.unacked.is_empty()
    }

    /// True once nothing more happens: both sides have closed and everything is acknowledged, or it was given up.
    pub fn is_over(&self) -> bool {
        self.state == State::Closed || (self.fin_acked && self.fin_received)
    }

    fn abort(&mut self, counters: &mut Counters) {
        counters.aborted += 1;
        self.state = State::Closed;
        self.unsent.clear();
        self.unacked.clear();
        self.output = false;
        self.probe = false;
        self.empty_acks = 0;
        self.rtime = -1;
    }

    /// Offset in the outgoing stream of the octet with the number `seq`.
    pub fn offset_of(&self, seq: u32) -> u64 {
        let syn_acked = self.lastack != self.iss || self.acked_octets > 0;
        let first = if syn_acked { self.lastack } else { self.iss.wrapping_add(1) };
        self.acked_octets.wrapping_add_signed(i64::from(seq.wrapping_sub(first) as i32))
    }

    /// Offset in the incoming stream of the octet with the number `seq`.
    fn received_offset(&self, seq: u32) -> u64 {
        self.received_octets.wrapping_add_signed(i64::from(seq.wrapping_sub(self.rcv_nxt) as i32))
    }
}
