//! From the values of a file to the structs of the link.

use airtime_ble::personality::{
    Budget, CompletedPackets, Controller, CreditPolicy, Host, Intervals, OffGrid, TaskPriority,
};
use airtime_ble::plan::{CreditWord, INTERVAL_GRID, INTERVAL_MIN, credit_policy};
use airtime_core::Duration;
use airtime_core::units::Size;
use airtime_keys::Words;
use serde_json::Value;

use super::{Ble, Trait};
use crate::toml::error::Fault;

/// Values that have been checked against the kinds of their keys and are all there.
pub struct Values<'a>(pub &'a [Trait]);

impl Values<'_> {
    fn value(&self, key: &str) -> &Value {
        self.0.iter().find(|entry| entry.key == key).map_or(&Value::Null, |entry| &entry.value)
    }

    pub fn text(&self, key: &str) -> &str {
        self.value(key).as_str().unwrap_or_default()
    }

    pub fn flag(&self, key: &str) -> bool {
        self.value(key).as_bool().unwrap_or_default()
    }

    pub fn span(&self, key: &str) -> Duration {
        self.span_or_none(key).unwrap_or_default()
    }

    fn span_or_none(&self, key: &str) -> Option<Duration> {
        self.text(key).parse().ok()
    }

    pub fn count<T: TryFrom<u64> + Default>(&self, key: &str) -> T {
        self.count_or_none(key).unwrap_or_default()
    }

    pub fn octets(&self, key: &str) -> u64 {
        self.text(key).parse::<Size>().map_or(0, |size| size.0)
    }

    fn count_or_none<T: TryFrom<u64>>(&self, key: &str) -> Option<T> {
        self.value(key).as_u64().and_then(|n| T::try_from(n).ok())
    }
}

/// The controller these values describe.
pub fn controller(values: &Values<'_>) -> Controller {
    Controller {
        margin: values.span("controller.margin"),
        budget: match values.text("controller.budget") {
            "full-reply" => Budget::FullReply,
            _ => Budget::EmptyReply,
        },
        event_time_cap: values.span_or_none("controller.event_time_cap"),
        event_pdu_cap: values.count_or_none("controller.event_pdu_cap"),
        crc_errors_close: values.count("controller.crc_errors_close"),
        queue_ahead: values.span("controller.queue_ahead"),
        completed_packets: match values.text("controller.completed_packets") {
            "per-event" => CompletedPackets::PerEvent,
            _ => CompletedPackets::PerPdu,
        },
        acl_count: values.count("controller.acl_count"),
        acl_size: values.count("controller.acl_size"),
        rx_buffers: values.count("controller.rx_buffers"),
        data_octets: values.count("controller.data_octets"),
        frame_space_min: values.span_or_none("controller.frame_space_min"),
        phy_2m: values.flag("controller.phy_2m"),
        phy_coded: values.flag("controller.phy_coded"),
        csa2: values.flag("controller.csa2"),
        parameter_request: values.flag("controller.parameter_request"),
        link_spacing: values.span("controller.link_spacing"),
        clock_ppm: values.count("controller.clock_ppm"),
        interval_min: values.span("controller.interval_min"),
    }
}

/// The host these values describe.
pub fn host(values: &Values<'_>) -> Result<Host, Fault> {
    Ok(Host {
        latency: values.span("host.latency"),
        packet_time: values.span("host.packet_time"),
        sdu_time: values.span("host.sdu_time"),
        stream_task: match values.text("host.stream_task") {
            "above" => TaskPriority::Above,
            _ => TaskPriority::Below,
        },
        att_mtu: values.count("host.att_mtu"),
        coc_mtu: values.count("host.coc_mtu"),
        coc_mps: values.count("host.coc_mps"),
        credits: credits(values.value("host.credits"))?,
        l2cap_tx_buffers: values.count("host.l2cap_tx_buffers"),
        flow_control: values.count_or_none("host.flow_control"),
        intervals: Intervals {
            initial: values.span("host.intervals.initial"),
            application_chooses: values.flag("host.intervals.application_chooses"),
            min: values.span("host.intervals.min"),
            max: values.span("host.intervals.max"),
            multiple_of: values.span("host.intervals.multiple_of"),
            off_grid: match values.text("host.intervals.off_grid") {
                "reject" => OffGrid::Reject,
                _ => OffGrid::Adjust,
            },
        },
    })
}

/// A credit policy's word or table.
pub fn credits(value: &Value) -> Result<CreditPolicy, Fault> {
    let Value::Object(table) = value else {
        let named = value.as_str().and_then(CreditWord::from_word);
        return named.map(CreditWord::policy).ok_or_else(|| Fault::new(format!("{value} is no credit policy")));
    };
    let mut parts = Vec::new();
    for (name, value) in table {
        let count =
            value.as_u64().ok_or_else(|| Fault::new(format!("`{name}` of a credit policy is a whole number")))?;
        parts.push((name.as_str(), count));
    }
    credit_policy(&parts)
}

/// What holds between the values.
pub fn check(ble: &Ble) -> Result<(), Fault> {
    let intervals = &ble.host.intervals;
    if intervals.min > intervals.max {
        return Err(Fault::new("`host.intervals.min` is above `host.intervals.max`"));
    }
    // Below 7.5 ms the grid of shorter connection intervals is finer.
    let on_grid = |span: Duration| span < INTERVAL_MIN || (span % INTERVAL_GRID).is_zero();
    if !on_grid(intervals.initial) {
        return Err(Fault::new("`host.intervals.initial` is not a multiple of 1.25ms"));
    }
    Ok(())
}
