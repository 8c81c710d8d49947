//! Hosts: their CPU, their buffers and their terms.

use airtime_core::Duration;

use super::CreditPolicy;

/// Behaviour of a host.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "plan", derive(airtime_keys::Keys), keys(table = "host", required))]
pub struct Host {
    /// Time from a packet leaving the controller to the Bluetooth task being ready for it (bus, driver, wake-up); occupies no CPU.
    #[cfg_attr(feature = "plan", key(range = "0us"..="1s"))]
    pub latency: Duration,
    /// 99th percentile of that time, whose median is `latency` then, in a log-normal distribution; none: it is always the same.
    #[cfg_attr(feature = "plan", key(range = "0us"..="1s"))]
    pub latency_p99: Option<Duration>,
    /// CPU time of the Bluetooth task per HCI packet.
    #[cfg_attr(feature = "plan", key(range = "0us"..="1s"))]
    pub packet_time: Duration,
    /// CPU time of the stream task per SDU or value.
    #[cfg_attr(feature = "plan", key(range = "0us"..="1s"))]
    pub sdu_time: Duration,
    /// Priority of the stream task, seen from the Bluetooth task.
    pub stream_task: TaskPriority,
    /// ATT MTU it offers.
    #[cfg_attr(feature = "plan", key(range = 23..=65_535, config = [
        zephyr("CONFIG_BT_L2CAP_TX_MTU", Form::Count), radio("CONFIG_BT_NIMBLE_ATT_PREFERRED_MTU", Form::Count),
        softdevice("NRF_SDH_BLE_GATT_MAX_MTU_SIZE", Form::Count), mynewt("BLE_ATT_PREFERRED_MTU", Form::Count),
    ]))]
    pub att_mtu: u16,
    /// Largest SDU it takes on a credit-based channel.
    #[cfg_attr(feature = "plan", key(range = 23..=65_535))]
    pub coc_mtu: u16,
    /// Largest K-frame payload it takes on a credit-based channel.
    #[cfg_attr(feature = "plan", key(range = 23..=65_533, config = [
        radio("CONFIG_BT_NIMBLE_MSYS_1_BLOCK_SIZE", Form::CountAnd(8)), radio("CONFIG_BT_BLE_L2CAP_COC_MPS", Form::Count)
    ]))]
    pub coc_mps: u16,
    /// Policy by which it hands out credits.
    #[cfg_attr(feature = "plan", key(kind = super::CREDITS))]
    pub credits: CreditPolicy,
    /// K-frames the stack holds between a channel and the controller.
    #[cfg_attr(feature = "plan", key(range = 1..=255, config = [zephyr("CONFIG_BT_L2CAP_TX_BUF_COUNT", Form::Count)]))]
    pub l2cap_tx_buffers: u8,
    /// L2CAP PDUs it has given away and that the controller has not reported as sent, apart from the transmit buffers, which are free
    /// again once the controller has the PDU: Zephyr's TX contexts. None: a transmit buffer is held until then.
    #[cfg_attr(feature = "plan", key(range = 1..=255, config = [zephyr("CONFIG_BT_CONN_TX_MAX", Form::Count)]))]
    pub conn_tx_max: Option<u8>,
    /// Treatment of a value without a response for which no transmit buffer is free: the call waits for one, drops the value without a
    /// word, or refuses it. An application that waits for the stack's word meets none of them.
    pub write_overflow: WriteOverflow,
    /// Blocks of the pool of which values of a characteristic are made, NimBLE's `msys_1`; none: a value takes one transmit buffer, whatever
    /// its length.
    #[cfg_attr(feature = "plan", key(range = 1..=4_096, config = [radio("CONFIG_BT_NIMBLE_MSYS_1_BLOCK_COUNT", Form::Count)]))]
    pub mbufs: Option<u16>,
    /// Octets of each, with what describes it.
    #[cfg_attr(feature = "plan", key(range = 48..=4_096, config = [radio("CONFIG_BT_NIMBLE_MSYS_1_BLOCK_SIZE", Form::Count)]))]
    pub mbuf_octets: Option<u16>,
    /// ACL packets it holds before it has taken them in: its controller waits then, told by host flow control, or, in one image, because
    /// the receive buffers are shared.
    #[cfg_attr(feature = "plan", key(range = 1..=255))]
    pub flow_control: Option<u8>,
    /// Way in which it sees to longer packets by itself, before any application does.
    pub data_length: LengthCare,
    /// LE 2M is among the PHYs that its controller is told to prefer; else a link stays on LE 1M until somebody tells it otherwise.
    pub takes_2m: bool,
    /// Connection intervals that it grants as a central.
    #[cfg_attr(feature = "plan", key(nested))]
    pub intervals: Intervals,
}

impl Host {
    /// Zephyr's host on an nRF54L15 class part, as `personalities/zephyr-ll.toml` has it with the source of every value.
    pub const ZEPHYR_LL: Self = Self {
        latency: Duration::from_micros(30),
        latency_p99: None,
        packet_time: Duration::from_micros(20),
        sdu_time: Duration::from_micros(30),
        stream_task: TaskPriority::Below,
        att_mtu: 247,
        coc_mtu: 2_000,
        coc_mps: 247,
        credits: CreditPolicy::ZephyrRecv,
        l2cap_tx_buffers: 6,
        conn_tx_max: None,
        write_overflow: WriteOverflow::Waits,
        mbufs: None,
        mbuf_octets: None,
        flow_control: None,
        data_length: LengthCare::Asks,
        takes_2m: true,
        intervals: Intervals {
            initial: Duration::from_millis(30),
            application_chooses: true,
            min: Duration::from_micros(7_500),
            max: Duration::from_secs(4),
            multiple_of: Duration::from_micros(1_250),
            off_grid: OffGrid::Adjust,
            gives_up_after: Some(Duration::from_secs(3)),
            asks_after: Some(Duration::from_secs(5)),
            preferred_min: Duration::from_millis(30),
            preferred_max: Duration::from_millis(50),
            high_priority_min: None,
            high_priority_max: None,
        },
    };
}

/// Octets of a block that describe it: `struct os_mbuf` with pointers of 32 bits. NimBLE, os/os_mbuf.h.
const MBUF: u16 = 16;

/// Octets that describe the packet, in its first block: `struct os_mbuf_pkthdr`. NimBLE, os/os_mbuf.h.
const PACKET: u16 = 8;

/// Octets kept free before a value for the headers of HCI, of L2CAP and of the longest ATT PDU. NimBLE, ble_hs_mbuf_att_pkt.
const AHEAD: u16 = 4 + 4 + 5;

impl Host {
    /// Values of `octets` each that fit into its pool of blocks at a time; none without one, or if its blocks hold nothing.
    ///
    /// A value takes a block for its ATT header (ble_att_cmd_get) and as many as it fills, of which the first has less room
    /// (ble_hs_mbuf_from_flat, os_mbuf_append). One that needs more than there are is never taken: of such ones there is room for none,
    /// which counts as one.
    pub fn values_in_mbufs(&self, octets: u16) -> Option<u8> {
        let (blocks, room) = (self.mbufs?, self.mbuf_octets?.checked_sub(MBUF).filter(|room| *room > PACKET + AHEAD)?);
        let further = octets.saturating_sub(room - PACKET - AHEAD).div_ceil(room);
        let values = blocks / (2 + further);
        Some(u8::try_from(values.max(1)).unwrap_or(u8::MAX))
    }
}

impl Default for Host {
    /// [`Host::ZEPHYR_LL`], the host of every plan that names none.
    fn default() -> Self {
        Self::ZEPHYR_LL
    }
}

/// Way in which a host sees to longer packets by itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "plan", derive(airtime_keys::Words))]
pub enum LengthCare {
    /// None: the initial 27 octets hold until the application asks for more, or the peer.
    None,
    /// LE Write Suggested Default Data Length when it starts: its controller begins, or answers with that.
    Suggests,
    /// That, and LE Set Data Length on each new connection.
    Asks,
}

/// Treatment of a value without a response, a write command or a notification, that finds every transmit buffer taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "plan", derive(airtime_keys::Words))]
pub enum WriteOverflow {
    /// The call returns when there is room.
    Waits,
    /// The call returns as if it were sent, and the value is gone.
    Drops,
    /// The call returns an error.
    Refuses,
    /// The call returns an error; also while the value before it is still being handed over.
    Busy,
}

/// Priority between two tasks on one CPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "plan", derive(airtime_keys::Words))]
pub enum TaskPriority {
    /// The stream task waits while the Bluetooth task has work.
    Below,
    /// The Bluetooth task waits while the stream task has work.
    Above,
}

/// Connection intervals that a central grants.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "plan", derive(airtime_keys::Keys), keys(table = "host.intervals", required))]
pub struct Intervals {
    /// Interval of a fresh connection when nobody asks for one.
    #[cfg_attr(feature = "plan", key(range = "125us"..="4s"))]
    pub initial: Duration,
    /// Choice of the first interval by the application; without it, `initial` it is.
    pub application_chooses: bool,
    /// Shortest interval it grants.
    #[cfg_attr(feature = "plan", key(range = "125us"..="4s"))]
    pub min: Duration,
    /// Longest interval it grants.
    #[cfg_attr(feature = "plan", key(range = "125us"..="4s"))]
    pub max: Duration,
    /// Grid of the intervals it grants: only multiples of this.
    #[cfg_attr(feature = "plan", key(range = "125us"..="4s"))]
    pub multiple_of: Duration,
    /// Treatment of a request off its grid: rejected, or granted as the next longer interval.
    pub off_grid: OffGrid,
    /// Time after which it gives up an attempt at a connection; none: it tries on.
    #[cfg_attr(feature = "plan", key(range = "100ms"..="1h"))]
    pub gives_up_after: Option<Duration>,
    /// Time from the connection to the request that it makes by itself as a peripheral, unless the interval is a preferred one by then.
    #[cfg_attr(feature = "plan", key(range = "0us"..="65535ms"))]
    pub asks_after: Option<Duration>,
    /// Shortest interval that it prefers as a peripheral.
    #[cfg_attr(feature = "plan", key(range = "7500us"..="4s"))]
    pub preferred_min: Duration,
    /// Longest interval that it prefers as a peripheral.
    #[cfg_attr(feature = "plan", key(range = "7500us"..="4s"))]
    pub preferred_max: Duration,
    /// Shortest interval of Android's high connection priority; none: the system offers applications no priorities.
    #[cfg_attr(feature = "plan", key(range = "7500us"..="4s"))]
    pub high_priority_min: Option<Duration>,
    /// Longest interval of that priority.
    #[cfg_attr(feature = "plan", key(range = "7500us"..="4s"))]
    pub high_priority_max: Option<Duration>,
}

/// Treatment by a central of a requested interval that is not on its grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "plan", derive(airtime_keys::Words))]
pub enum OffGrid {
    /// Rejects the request; the interval stays as it is.
    Reject,
    /// Grants the next longer interval of its grid.
    Adjust,
}
