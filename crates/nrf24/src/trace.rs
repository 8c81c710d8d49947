//! Traces of chips and notes of hosts about themselves; ledger, counters and captures are sinks of them.

use airtime_core::{Duration, Instant};

use crate::air::Rate;

/// Trace of a chip about itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Trace {
    /// It begins to settle into TX (130 µs before a frame, in both roles).
    SettlingTx {
        /// End of the settling.
        until: Instant,
        /// Set if it turns around to acknowledge.
        to_ack: bool,
    },
    /// It has begun to transmit.
    Began {
        /// End of the last bit.
        until: Instant,
        /// Content of the transmission.
        sent: Sent,
    },
    /// A transmitter has ended a frame that wants an acknowledgement and turns to listen until `until` at the latest.
    AwaitsAck {
        /// End of the listening window (`ack_window`), not of ARD.
        until: Instant,
    },
    /// No acknowledgement came; the retransmission begins to settle so that ARD is kept.
    WaitsArd {
        /// Start of the retransmission on the air.
        until: Instant,
    },
    /// An upload has left the TX FIFO as delivered: acknowledged, or sent without wanting that.
    Sent {
        /// Number of the payload among those written to this chip, counted from 0.
        upload: u32,
        /// Retransmissions it took.
        retries: u8,
        /// Set if the payload was acknowledged.
        acked: bool,
    },
    /// All retransmissions are used up; the payload stays in the FIFO and the chip waits for MAX_RT to be cleared.
    MaxRt {
        /// Number of the payload.
        upload: u32,
    },
    /// Uploads that left the TX FIFO unsent (FLUSH_TX), this one and all behind it up to `last`.
    Flushed {
        /// First of them.
        first: u32,
        /// Last of them.
        last: u32,
    },
    /// A frame for one of its pipes has ended.
    Received {
        /// Number of the pipe, 0..=5.
        pipe: u8,
        /// Fate of the frame at this receiver.
        reception: Reception,
        /// Octets of payload.
        len: u8,
    },
    /// It has left TX or RX for standby or power down.
    Standby,
    /// Lint: something a data sheet forbids or a driver would regret.
    Lint(Lint),
}

/// Content of a transmission.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sent {
    /// A payload of the TX FIFO of a transmitter.
    Payload {
        /// Number of the payload among those written to this chip, counted from 0.
        upload: u32,
        /// 0 for the first time it is sent, then the number of the retransmission.
        attempt: u8,
        /// Set if it asks for an acknowledgement.
        wants_ack: bool,
    },
    /// An acknowledgement of a receiver.
    Ack {
        /// The payload that rides on it, if any.
        upload: Option<u32>,
    },
}

/// Fate of a frame at one of the chips that heard it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reception {
    /// A new payload, now in the RX FIFO.
    New,
    /// An acknowledgement, with or without payload.
    Ack,
    /// The same PID and CRC as the last one: discarded, acknowledged again.
    Duplicate,
    /// The RX FIFO was full: as if never heard.
    FifoFull,
    /// The CRC was wrong.
    BadCrc,
    /// Address right, but length or pipe settings do not fit.
    Refused,
}

/// Lint: something a data sheet forbids or a driver would regret; silicon carries on, and so does the chip.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Lint {
    /// Reserved bits of a register were written 1. Table 28.
    ReservedBits {
        /// Address of the register.
        register: u8,
    },
    /// A register that must not be written was. Table 28.
    ReadOnly {
        /// Address of the register.
        register: u8,
    },
    /// A register was written outside power down and standby. Table 20.
    WriteWhileActive {
        /// Address of the register.
        register: u8,
    },
    /// A payload was written to a full TX FIFO and is lost.
    TxFifoOverrun,
    /// The RX FIFO was read while empty.
    RxFifoEmpty,
    /// More octets were read than the payload has.
    ReadBeyondPayload,
    /// CE rose before the crystal had started (`Tpd2stby`).
    NoPowerUpWait,
    /// CE fell while a payload waited in the RX FIFO of a receiver: it is deaf while the host reads.
    CeDroppedWhileReading,
    /// CE was high for less than 10 µs.
    ShortCePulse,
    /// CSN fell less than 4 µs after CE rose.
    SpiTooSoonAfterCe,
    /// TX for more than 4 ms without a break.
    TxBeyond4Ms,
    /// SETUP_AW 0, or RF_SETUP with both rate bits.
    IllegalSetting {
        /// Address of the register.
        register: u8,
    },
    /// A command that this chip does not have, ACTIVATE among them.
    UnknownCommand {
        /// Its first octet.
        command: u8,
    },
    /// W_TX_PAYLOAD_NOACK without EN_DYN_ACK, or W_ACK_PAYLOAD without EN_ACK_PAY.
    FeatureOff {
        /// The command's first octet.
        command: u8,
    },
    /// DYNPD without EN_DPL or ENAA of the pipe.
    DynamicLengthWithoutAck,
    /// An ACK payload is longer than ARD allows at this rate. 7.4.2.
    ArdTooShort,
    /// FLUSH_RX while an acknowledgement is sent. Table 20.
    FlushDuringAck,
}

/// Note of a host about itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Note {
    /// Activity that the task which serves this radio of the host now begins.
    Activity {
        /// The host's radio, 0 or 1.
        radio: usize,
        /// Activity from now on.
        activity: Activity,
    },
    /// The task that serves this radio has begun a transaction on SPI: CPU until CSN falls, octets from then on.
    Transaction {
        /// The host's radio, 0 or 1.
        radio: usize,
        /// Instant at which CSN falls.
        octets: Instant,
    },
    /// The payload just written into the TX FIFO of this radio (or queued as an ACK payload).
    Upload {
        /// The host's radio, 0 or 1.
        radio: usize,
        /// Composition of the payload.
        upload: Upload,
    },
    /// An IP packet came whole out of the tunnel and went to the TUN device.
    Delivered {
        /// The sender's number of it, where the receiver knows it by order of arrival or by header; see [`Upload::packet`].
        octets: u32,
    },
    /// An IP packet was dropped.
    Dropped {
        /// Place at which the packet was dropped.
        at: DropPoint,
        /// Octets of the packet.
        octets: u32,
    },
    /// Reassembly lost its place and found it again at the next first chunk, or started anew.
    Resync {
        /// Octets thrown away.
        octets: u32,
    },
}

/// Activity of the task that serves a radio.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Activity {
    /// Clocks octets over SPI.
    Spi,
    /// The host's own cost of a transaction, of a pin, of a packet.
    Cpu,
    /// Sleeps because its program says so.
    Sleep,
    /// Waits for the chip: an interrupt that has not come yet.
    AwaitsChip,
    /// The interrupt or the timer has come, and the task is not there yet.
    Waking,
    /// The ARQ window is full.
    Window,
    /// Nothing to send.
    #[default]
    NoData,
    /// It waits by design between batches.
    Delay,
    /// It is stalled by a fault of the experiment.
    Stalled,
}

/// Composition of one payload written to a chip. `payload + headers + tunnel` is its length.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Upload {
    /// The sender's number of the IP packet it carries, counted from 0; meaningless for control.
    pub packet: u32,
    /// Octets of application payload.
    pub payload: u8,
    /// Octets of IP, UDP and TCP headers as they travel, compressed or not.
    pub headers: u8,
    /// Octets of chunk header, integrity, nonce and tag.
    pub tunnel: u8,
    /// Purpose of the payload.
    pub purpose: Purpose,
}

/// Purpose of a payload.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Purpose {
    /// New payload, sent for the first time.
    #[default]
    New,
    /// Again, because the tunnel missed it.
    Repeat,
    /// Acknowledgements, greetings and polls of the tunnel.
    Control,
}

/// Place at which an IP packet was dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub enum DropPoint {
    /// The bounded queue in front of the radio.
    Queue,
    /// Not sent within the bound of persistence.
    Persistence,
    /// MAX_RT: the radio gave up.
    MaxRt,
    /// A gap in its chunks.
    Gap,
    /// Its check was wrong.
    Integrity,
    /// Its tag was wrong or its number was old.
    Authentication,
    /// Longer than the MTU, or no IP packet.
    Malformed,
    /// Compressed against a context that is not there.
    Context,
    /// The bounded ring between radio and reassembly.
    Ring,
}

/// One transmission on the air.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OnAir {
    /// RF channel, 0..=125: 2400 MHz plus this.
    pub channel: u8,
    /// Air data rate.
    pub rate: Rate,
    /// First bit of the preamble.
    pub start: Instant,
    /// End of the last bit.
    pub end: Instant,
    /// Content of the transmission.
    pub sent: Sent,
}

impl OnAir {
    /// Time on the air.
    pub fn time(&self) -> Duration {
        self.end - self.start
    }
}
