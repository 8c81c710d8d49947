//! Controllers: the choices that the link layer and HCI leave.

use airtime_core::Duration;
use airtime_core::level::Level;
use airtime_core::units::Frequency;

use crate::air::Phy;

/// Behaviour of a controller where the specification leaves it a choice.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "plan", derive(airtime_keys::Keys), keys(table = "controller", required))]
pub struct Controller {
    /// Time before `stop` (the next anchor, or the start of another activity) by which an event's last packet has ended, the frame
    /// space in use not counted: the two together are the lead. Where events are cut (`prepare_lead`) it means nothing.
    #[cfg_attr(feature = "plan", key(range = "0us"..="10ms"))]
    pub margin: Duration,
    /// Amount that must fit before `stop`, and before the event's own cap in time, for an event to go on, beside the own next packet. That a
    /// cap is reckoned with the same reply as the next activity is *assumed*.
    pub budget: Budget,
    /// Cap on an event: no exchange starts that would end later than this after the anchor.
    #[cfg_attr(feature = "plan", key(range = "100us"..="4s"))]
    pub event_time_cap: Option<Duration>,
    /// Part of that cap in which its radio is silent, before the anchor and behind the last packet. Nordic's SoftDevices count their own work
    /// as event length.
    #[cfg_attr(feature = "plan", key(range = "0us"..="10ms", default = "0us"))]
    pub event_overhead: Duration,
    /// Extension of events past that cap for as long as both ends have data and nothing else wants the radio: the cap is time that is set
    /// aside then, and ends nothing. Nordic's connection event length extension.
    #[cfg_attr(feature = "plan", key(default = false))]
    pub event_extension: bool,
    /// Most packets of this device in one event.
    #[cfg_attr(feature = "plan", key(range = 1..=65_535))]
    pub event_pdu_cap: Option<u16>,
    /// Time before the start of its radio by which an event takes it from whatever still has it, in the middle of a packet; none:
    /// every event is planned to end in time. Zephyr's `EVENT_OVERHEAD_START_US`: 750 in v3.2, 275 to 458 by Kconfig since.
    #[cfg_attr(feature = "plan", key(range = "0us"..="5ms"))]
    pub prepare_lead: Option<Duration>,
    /// Clock whose ticks such prepares fall on.
    #[cfg_attr(feature = "plan", key(range = "1kHz"..="64MHz"))]
    pub ticker_clock: Frequency,
    /// Time from the start of its radio that an event of a link has to itself: where events are cut no other begins in it but one that
    /// has waited longer, and where they are planned a scan takes turns with links by it. None: the event that is prepared last has the
    /// radio, and a scan gets what planned events leave. Zephyr's slot reservation.
    #[cfg_attr(feature = "plan", key(range = "0us"..="100ms"))]
    pub slot_reservation: Option<Duration>,
    /// Correction of a peripheral's timer made once where its event was cut; else twice, as Zephyr did before 2025: on LE 1M it loses
    /// anchors by that.
    pub drift_skip: bool,
    /// Consecutive packets with a wrong CRC that close an event.
    // Core 6.0, Vol 6, Part B, 4.5.1: 2.
    #[cfg_attr(feature = "plan", key(range = 1..=255))]
    pub crc_errors_close: u8,
    /// Reply of a peripheral to the packet whose wrong CRC closes the event.
    pub crc_errors_reply: bool,
    /// Time before the start of a packet by which its data must be queued.
    #[cfg_attr(feature = "plan", key(range = "0us"..="10ms"))]
    pub queue_ahead: Duration,
    /// Moment at which acknowledged packets are reported to the host.
    pub completed_packets: CompletedPackets,
    /// ACL packets the controller buffers from its host.
    #[cfg_attr(feature = "plan", key(range = 1..=255, config = [zephyr("CONFIG_BT_BUF_ACL_TX_COUNT", Form::Count), zephyr("CONFIG_BT_CTLR_SDC_TX_PACKET_COUNT", Form::Count)]))]
    pub acl_count: u8,
    /// Octets of each.
    #[cfg_attr(feature = "plan", key(range = 27..=4_096, config = [zephyr("CONFIG_BT_BUF_ACL_TX_SIZE", Form::Count)]))]
    pub acl_size: u16,
    /// LL PDUs the controller holds for a host that has no room; further ones it refuses by not acknowledging them.
    #[cfg_attr(feature = "plan", key(range = 1..=255, config = [zephyr("CONFIG_BT_CTLR_RX_BUFFERS", Form::Count), zephyr("CONFIG_BT_CTLR_SDC_RX_PACKET_COUNT", Form::Count)]))]
    pub rx_buffers: u8,
    /// Largest LL payload.
    #[cfg_attr(feature = "plan", key(range = 27..=251, unit = "octets", config = [
        zephyr("CONFIG_BT_CTLR_DATA_LENGTH_MAX", Form::Count), softdevice("NRF_SDH_BLE_GAP_DATA_LENGTH", Form::Count),
        mynewt("BLE_LL_MAX_PKT_SIZE", Form::Count),
    ]))]
    pub data_octets: u16,
    /// Longest LL data packet that it offers to send, as the time of it: fewer octets than `data_octets` where those take longer on the
    /// PHY in use.
    // Core 6.0, Vol 4, Part E, 7.8.33: 328 µs to 17.04 ms.
    #[cfg_attr(feature = "plan", key(range = "328us"..="17040us", default = "17040us"))]
    pub data_time: Duration,
    /// Octets it offers to send after a reset, until its host suggests or asks for others.
    #[cfg_attr(feature = "plan", key(range = 27..=251, unit = "octets"))]
    pub suggested_octets: u16,
    /// Data length update that it begins by itself on a new connection, where its host has suggested more than 27 octets.
    // Core 6.0, Vol 6, Part B, 4.5.10: it should. Zephyr's open controller does not (BT_QUIRK_NO_AUTO_DLE).
    pub begins_data_length: bool,
    /// Shortest frame space, if it supports the frame space update procedure.
    #[cfg_attr(feature = "plan", key(range = "0us"..="10ms"))]
    pub frame_space_min: Option<Duration>,
    /// Support of connection subrating.
    #[cfg_attr(feature = "plan", key(config = [zephyr("CONFIG_BT_CTLR_SUBRATING", Form::Flag)]))]
    pub subrating: bool,
    /// Support of LE 2M.
    #[cfg_attr(feature = "plan", key(config = [
        zephyr("CONFIG_BT_CTLR_PHY_2M", Form::Flag), radio("CONFIG_BT_NIMBLE_LL_CFG_FEAT_LE_2M_PHY", Form::Flag),
        radio("CONFIG_BT_LE_LL_CFG_FEAT_LE_2M_PHY", Form::Flag)
    ]))]
    pub phy_2m: bool,
    /// Support of LE Coded.
    #[cfg_attr(feature = "plan", key(config = [
        zephyr("CONFIG_BT_CTLR_PHY_CODED", Form::Flag), radio("CONFIG_BT_NIMBLE_LL_CFG_FEAT_LE_CODED_PHY", Form::Flag),
        radio("CONFIG_BT_LE_LL_CFG_FEAT_LE_CODED_PHY", Form::Flag)
    ]))]
    pub phy_coded: bool,
    /// Support of channel selection algorithm #2.
    #[cfg_attr(feature = "plan", key(config = [zephyr("CONFIG_BT_CTLR_CHAN_SEL_2", Form::Flag)]))]
    pub csa2: bool,
    /// Support of the connection parameters request procedure.
    #[cfg_attr(feature = "plan", key(config = [zephyr("CONFIG_BT_CTLR_CONN_PARAM_REQ", Form::Flag)]))]
    pub parameter_request: bool,
    /// Request of a central for the parameters that its host wants, before it sets them; else it sets them at once.
    pub central_requests: bool,
    /// Wait of a control PDU for the next event where one is running. An instant is six events from the one that its PDU goes out in.
    pub controls_wait: bool,
    /// Distance between the anchors of two connections of one central.
    // S140 SoftDevice Specification, "Connection timing as a Central": timing-events of its links are offset by the event length.
    #[cfg_attr(feature = "plan", key(range = "0us"..="1s", config = [
        zephyr("CONFIG_BT_CTLR_SDC_MAX_CONN_EVENT_LEN_DEFAULT", Form::Microseconds),
        softdevice("NRF_SDH_BLE_GAP_EVENT_LENGTH", Form::Intervals)
    ]))]
    pub link_spacing: Duration,
    /// Sleep clock accuracy it declares, in parts per million.
    #[cfg_attr(feature = "plan", key(range = 0..=500, config = [radio("CONFIG_BT_LE_LL_SCA", Form::Count)]))]
    pub clock_ppm: u16,
    /// Shortest connection interval; 7.5 ms without shorter connection intervals.
    #[cfg_attr(feature = "plan", key(range = "125us"..="7.5ms"))]
    pub interval_min: Duration,
    /// Level at which its receiver gets one bit of a thousand wrong on LE 1M, in packets of up to 37 octets.
    // Core 6.0, Vol 6, Part A, 4.1: reference sensitivity, at most -70 dBm.
    #[cfg_attr(feature = "plan", key(kind = Kind::LEVEL))]
    pub sensitivity_1m: Level,
    /// Level at which it does on LE 2M.
    #[cfg_attr(feature = "plan", key(kind = Kind::LEVEL))]
    pub sensitivity_2m: Level,
    /// Level at which it does on LE Coded with S=2, behind its decoder.
    #[cfg_attr(feature = "plan", key(kind = Kind::LEVEL))]
    pub sensitivity_s2: Level,
    /// Level at which it does on LE Coded with S=8, behind its decoder.
    #[cfg_attr(feature = "plan", key(kind = Kind::LEVEL))]
    pub sensitivity_s8: Level,
}

impl Controller {
    /// Zephyr's open controller (`ll_sw_split`) on an nRF54L15 class part, as `personalities/zephyr-ll.toml` has it with the
    /// source of every value.
    pub const ZEPHYR_LL: Self = Self {
        margin: Duration::from_micros(281),
        budget: Budget::EmptyReply,
        event_time_cap: None,
        event_overhead: Duration::ZERO,
        event_extension: false,
        event_pdu_cap: None,
        prepare_lead: None,
        slot_reservation: Some(Duration::from_micros(2_358)),
        ticker_clock: Frequency(1_000_000),
        drift_skip: true,
        crc_errors_close: 2,
        crc_errors_reply: true,
        queue_ahead: Duration::from_micros(150),
        completed_packets: CompletedPackets::PerPdu,
        acl_count: 3,
        acl_size: 251,
        rx_buffers: 6,
        data_octets: 251,
        data_time: Duration::from_micros(17_040),
        suggested_octets: 27,
        begins_data_length: false,
        frame_space_min: Some(Duration::from_micros(52)),
        subrating: false,
        phy_2m: true,
        phy_coded: true,
        csa2: true,
        parameter_request: true,
        central_requests: false,
        controls_wait: false,
        link_spacing: Duration::from_micros(3_750),
        clock_ppm: 50,
        interval_min: Duration::from_micros(7_500),
        sensitivity_1m: Level(-96),
        sensitivity_2m: Level(-94),
        sensitivity_s2: Level(-99),
        sensitivity_s8: Level(-104),
    };

    /// Cap in time on an event that ends it, counted from its anchor: none where events are extended past it.
    pub fn time_cap(&self) -> Option<Duration> {
        let cap = self.event_time_cap.filter(|_| !self.event_extension);
        cap.map(|cap| cap.saturating_sub(self.event_overhead))
    }

    /// Level at which its receiver gets one bit of a thousand wrong on `phy`.
    pub const fn sensitivity(&self, phy: Phy) -> Level {
        match phy {
            Phy::Le1M => self.sensitivity_1m,
            Phy::Le2M => self.sensitivity_2m,
            Phy::LeCodedS2 => self.sensitivity_s2,
            Phy::LeCodedS8 => self.sensitivity_s8,
        }
    }
}

impl Default for Controller {
    /// [`Controller::ZEPHYR_LL`], the controller of every plan that names none.
    fn default() -> Self {
        Self::ZEPHYR_LL
    }
}

/// Budget of a side before it lets an event go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "plan", derive(airtime_keys::Words))]
pub enum Budget {
    /// Own next packet and an empty reply (Zephyr's `ll_sw_split`).
    EmptyReply,
    /// Own next packet, a packet of the effective maximum length from the peer, and two gaps
    /// (Nordic's SoftDevice Controller).
    FullReply,
}

/// Rule by which a controller sends Number Of Completed Packets.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "plan", derive(airtime_keys::Words))]
pub enum CompletedPackets {
    /// Report as soon as an ACL packet's last PDU is acknowledged.
    PerPdu,
    /// Once at the end of each connection event.
    PerEvent,
}
