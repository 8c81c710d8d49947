//! Reasons for which a line of a `prj.conf` sets nothing, or cannot be.

use airtime_keys::{Key, Knob};
use airtime_link::config::{End, Line, NOT_MODELLED, number};

use super::build::Build;
use super::retired::{RETIRED, RX_COUNT_EXTRA};

/// Reasons by name of the option.
const REASONS: [(&str, &str); 14] = [
    (
        "CONFIG_BT_BUF_ACL_RX_COUNT",
        "it holds a sender back in one image with Zephyr's own controller, or with host flow control",
    ),
    (
        "CONFIG_BT_USER_DATA_LEN_UPDATE",
        "the application asks for the data length: the lab's peripheral does, up to ble.data_length",
    ),
    (
        "CONFIG_BT_AUTO_DATA_LEN_UPDATE",
        "the lab's ends always ask for the data length, whoever begins; ble.data_length says up to which",
    ),
    ("CONFIG_BT_USER_PHY_UPDATE", "the application asks for the PHY: the lab's peripheral does, for ble.phy"),
    ("CONFIG_BT_AUTO_PHY_UPDATE", "the lab's ends always ask for the PHY of ble.phy, whoever begins"),
    (
        "CONFIG_BT_L2CAP_SEG_RECV",
        "it lets the application hand out credits; how the application does is coc.credits of the plan",
    ),
    (
        "CONFIG_BT_RX_PRIO",
        "a priority says something beside that of the application's thread alone: host.task_priority of the plan",
    ),
    (
        "CONFIG_BT_HCI_TX_PRIO",
        "a priority says something beside that of the application's thread alone: host.task_priority of the plan",
    ),
    (
        "CONFIG_MAIN_THREAD_PRIORITY",
        "which thread streams is not in the file: host.task_priority of the plan says how it stands to the stack",
    ),
    (
        "CONFIG_BT_PERIPHERAL_PREF_LATENCY",
        "the lab's peripheral asks for an interval alone; ble.latency of the plan is the latency",
    ),
    (
        "CONFIG_BT_PERIPHERAL_PREF_TIMEOUT",
        "the lab's peripheral asks for an interval alone; ble.supervision_timeout of the plan is the timeout",
    ),
    (
        "CONFIG_BT_GAP_AUTO_UPDATE_CONN_PARAMS",
        "it matters with lines of CONFIG_BT_PERIPHERAL_PREF_MIN_INT and _MAX_INT",
    ),
    ("CONFIG_BT_MAX_CONN", "how many peripherals stream is ble.peripherals of the plan"),
    ("CONFIG_BT_DEVICE_NAME", "a name changes no throughput"),
];

/// Beginnings of options of a host.
const HOST: [&str; 5] =
    ["CONFIG_BT_L2CAP_", "CONFIG_BT_ATT_", "CONFIG_BT_CONN_TX_", "CONFIG_BT_BUF_ACL_RX_", "CONFIG_BT_PERIPHERAL_PREF_"];

/// Options that other values follow from.
const OTHERS: [&str; 4] = [
    "CONFIG_BT_BUF_ACL_RX_SIZE",
    "CONFIG_BT_HCI_ACL_FLOW_CONTROL",
    "CONFIG_BT_PERIPHERAL_PREF_MIN_INT",
    "CONFIG_BT_PERIPHERAL_PREF_MAX_INT",
];

/// Reason for which the option of this name sets nothing.
pub fn ignored(option: &str) -> String {
    let known = REASONS.iter().find(|(name, _)| *name == option).map(|(_, why)| (*why).to_owned());
    known.unwrap_or_else(|| NOT_MODELLED.to_owned())
}

/// Reason for which the option of this name is another controller's.
pub fn foreign(build: &Build<'_>, option: &str) -> Option<String> {
    let why = match (build.softdevice, option) {
        (_, "CONFIG_BT_BUF_ACL_TX_COUNT" | "CONFIG_BT_BUF_ACL_TX_SIZE") if build.host_only() => {
            "the controller is another build, and tells the host of its own packets: acl.count and acl.size of the plan"
        }
        (_, option) if build.controller_only() && HOST.iter().any(|beginning| option.starts_with(beginning)) => {
            "an option of a host, which is another build than this controller (CONFIG_BT_HCI_RAW)"
        }
        (_, option) if build.host_only() && option.starts_with("CONFIG_BT_CTLR_") => {
            "an option of a controller, which is another build than this host"
        }
        (true, "CONFIG_BT_CTLR_RX_BUFFERS") => {
            "an option of Zephyr's own controller, and the plan's device has the SoftDevice Controller"
        }
        (true, "CONFIG_BT_BUF_ACL_TX_COUNT") => {
            "the SoftDevice Controller has CONFIG_BT_CTLR_SDC_TX_PACKET_COUNT packets of its own"
        }
        (false, option) if option.contains("_SDC_") => {
            "an option of the SoftDevice Controller, which the plan's device does not have: personality nordic-sdc does"
        }
        _ => return None,
    };
    Some(why.to_owned())
}

/// Reason for which a later line, or another controller, leaves nothing of this one.
pub fn overridden(build: &Build<'_>, line: &Line) -> Option<String> {
    let last = build.setting(&line.option)?;
    if line.line > 0 && last.line != line.line {
        return Some(format!("line {} sets the same option, and Kconfig takes the last", last.line));
    }
    match (line.option.as_str(), line.value.as_str(), build.softdevice) {
        ("CONFIG_BT_LL_SOFTDEVICE", "y", false) => Some(
            "the plan's device has Zephyr's own controller; personality nordic-sdc has the SoftDevice Controller"
                .into(),
        ),
        ("CONFIG_BT_LL_SW_SPLIT", "y", true) => {
            Some("the plan's device has the SoftDevice Controller; personality zephyr-ll has Zephyr's own".into())
        }
        _ => None,
    }
}

/// Reason for which no build has this value.
pub fn impossible(build: &Build<'_>, line: &Line) -> Option<String> {
    let (least, most) = range(build, &line.option)?;
    let number = number(&line.value);
    match number {
        Some(number) if (least..=most).contains(&number) => None,
        Some(number) => Some(format!(
            "{number} is out of range: {least} to {most}; Kconfig warns, and Zephyr's build stops at that"
        )),
        None => Some(format!("`{}` is no whole number: Kconfig warns, and Zephyr's build stops at that", line.value)),
    }
}

/// Range of an option: Kconfig's own, of Zephyr v3.2.0 and sdk-nrf.
pub fn range(build: &Build<'_>, option: &str) -> Option<(u64, u64)> {
    Some(match option {
        "CONFIG_BT_BUF_ACL_RX_SIZE" if build.config.on("CONFIG_BT_EATT") => (70, 65_535),
        "CONFIG_BT_BUF_ACL_RX_SIZE" if build.config.on("CONFIG_BT_SMP") => (69, 65_535),
        "CONFIG_BT_BUF_ACL_TX_SIZE" | "CONFIG_BT_BUF_ACL_RX_SIZE" => (27, 65_535),
        "CONFIG_BT_BUF_ACL_TX_COUNT" => (1, 255),
        // Zephyr v2.5 and v4.1, whose sums are not held to the range that the name had between them.
        "CONFIG_BT_BUF_ACL_RX_COUNT" if build.aged || build.extra => (1, 255),
        "CONFIG_BT_BUF_ACL_RX_COUNT" => (1, 64),
        "CONFIG_BT_L2CAP_TX_BUF_COUNT" => (2, 255),
        "CONFIG_BT_L2CAP_TX_MTU" if build.config.on("CONFIG_BT_SMP") => (65, 2_000),
        "CONFIG_BT_L2CAP_TX_MTU" => (23, 2_000),
        // Zephyr v2.5, controller/Kconfig: whatever the host can take.
        "CONFIG_BT_CTLR_DATA_LENGTH_MAX" if build.aged => (27, 251),
        "CONFIG_BT_CTLR_DATA_LENGTH_MAX" => {
            (27, build.number("CONFIG_BT_BUF_ACL_RX_SIZE").unwrap_or(251).clamp(27, 251))
        }
        "CONFIG_BT_CTLR_RX_BUFFERS" => (1, 18),
        "CONFIG_BT_CTLR_SDC_TX_PACKET_COUNT" | "CONFIG_BT_CTLR_SDC_RX_PACKET_COUNT" => (1, 20),
        "CONFIG_BT_CONN_TX_MAX" => (build.number("CONFIG_BT_L2CAP_TX_BUF_COUNT").unwrap_or(1).min(255), 255),
        "CONFIG_BT_ATT_TX_COUNT" => (1, 255),
        "CONFIG_BT_CTLR_SDC_MAX_CONN_EVENT_LEN_DEFAULT" => (1, 4_000_000),
        "CONFIG_BT_PERIPHERAL_PREF_MIN_INT" | "CONFIG_BT_PERIPHERAL_PREF_MAX_INT" => (6, 65_535),
        "CONFIG_BT_PERIPHERAL_PREF_LATENCY" => (0, 499),
        "CONFIG_BT_PERIPHERAL_PREF_TIMEOUT" => (10, 65_535),
        _ => return None,
    })
}

/// Names of the options that a reason is known of.
pub fn known() -> impl Iterator<Item = &'static str> {
    let gone = RETIRED.iter().flat_map(|old| [old.option, old.successor]);
    REASONS.iter().map(|(name, _)| *name).chain(OTHERS).chain(gone).chain([RX_COUNT_EXTRA])
}

/// Reason for which a key is not the board's: it is about the other end of the stream.
pub fn of_the_other(key: &Key, end: End) -> String {
    let (part, does) = if key.knob == Knob::Sender { ("sender", "receives") } else { ("receiver", "sends") };
    format!("`{}` is the {part}'s, and the {} only {does} here", key.name, end.name())
}
