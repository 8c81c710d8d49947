//! Options that Zephyr and the nRF Connect SDK had once, and what took the place of each.

/// Option that no release of today has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Retired {
    /// Name, with `CONFIG_`.
    pub option: &'static str,
    /// Option that took its place, with `CONFIG_`.
    pub successor: &'static str,
    /// Octets that the successor's value is larger by, for it leaves other headers out.
    pub added: i64,
    /// First release without it.
    pub since: &'static str,
    /// Set if a file with it is of a tree whose defaults are others than those of Zephyr v3.2.
    pub aged: bool,
    /// Source of that.
    pub source: &'static str,
}

/// The rework of buffers, whose description has a table of old and new names.
const BUFFERS: &str = "Zephyr v2.6, \"Bluetooth: Buffer configuration rework\" (pull request 34771)";
/// The release of Zephyr without those names.
const BUFFERS_SINCE: &str = "Zephyr v2.6";
const NAMES: &str = "Zephyr v3.0, release notes: terms of Core 5.3";
const NRF_SINCE: &str = "nRF Connect SDK v2.0";
const NRF: &str = "sdk-nrf, release notes and documentation of the controllers";

/// A name of Zephyr v2.5 or before, of a buffer.
const fn buffer(option: &'static str, successor: &'static str, added: i64) -> Retired {
    Retired { option, successor, added, since: BUFFERS_SINCE, aged: true, source: BUFFERS }
}

/// A name of nRF Connect SDK v1, for the same value.
const fn nrf(option: &'static str, successor: &'static str) -> Retired {
    Retired { option, successor, added: 0, since: NRF_SINCE, aged: true, source: NRF }
}

/// Options that are gone. Of two with the same successor the first counts: what a host of Zephyr v2.3 and later takes is
/// `BT_L2CAP_RX_MTU`'s to say, before that `BT_RX_BUF_LEN`'s.
pub const RETIRED: [Retired; 15] = [
    buffer("CONFIG_BT_L2CAP_RX_MTU", "CONFIG_BT_BUF_ACL_RX_SIZE", 4),
    buffer("CONFIG_BT_RX_BUF_LEN", "CONFIG_BT_BUF_ACL_RX_SIZE", -4),
    buffer("CONFIG_BT_ACL_RX_COUNT", "CONFIG_BT_BUF_ACL_RX_COUNT", 0),
    buffer("CONFIG_BT_RX_BUF_COUNT", "CONFIG_BT_BUF_ACL_RX_COUNT", 0),
    buffer("CONFIG_BT_CTLR_TX_BUFFERS", "CONFIG_BT_BUF_ACL_TX_COUNT", 0),
    buffer("CONFIG_BT_CTLR_TX_BUFFER_SIZE", "CONFIG_BT_BUF_ACL_TX_SIZE", 0),
    Retired {
        option: "CONFIG_BT_ATT_TX_MAX",
        successor: "CONFIG_BT_ATT_TX_COUNT",
        added: 0,
        since: "Zephyr v2.5",
        aged: true,
        source: "Zephyr v2.4 and v2.5, subsys/bluetooth/host/Kconfig; v3.6, \"ATT: Internalize ATT PDU TX pool\"",
    },
    buffer("CONFIG_BT_DISCARDABLE_BUF_COUNT", "CONFIG_BT_BUF_EVT_DISCARDABLE_COUNT", 0),
    buffer("CONFIG_BT_HCI_CMD_COUNT", "CONFIG_BT_BUF_CMD_TX_COUNT", 0),
    Retired {
        option: "CONFIG_BT_PERIPHERAL_PREF_SLAVE_LATENCY",
        successor: "CONFIG_BT_PERIPHERAL_PREF_LATENCY",
        added: 0,
        since: "Zephyr v3.0",
        aged: false,
        source: NAMES,
    },
    nrf("CONFIG_BT_LL_NRFXLIB", "CONFIG_BT_LL_SOFTDEVICE"),
    nrf("CONFIG_BT_LL_NRFXLIB_DEFAULT", "CONFIG_BT_LL_SOFTDEVICE"),
    nrf("CONFIG_BT_LL_SOFTDEVICE_DEFAULT", "CONFIG_BT_LL_SOFTDEVICE"),
    nrf("CONFIG_BLECTRL_MAX_CONN_EVENT_LEN_DEFAULT", "CONFIG_BT_CTLR_SDC_MAX_CONN_EVENT_LEN_DEFAULT"),
    nrf("CONFIG_SDC_MAX_CONN_EVENT_LEN_DEFAULT", "CONFIG_BT_CTLR_SDC_MAX_CONN_EVENT_LEN_DEFAULT"),
];

/// Count of ACL packets that a host holds, whose name went with Zephyr v4.3 (pull request 96912), after a warning since v4.1: the links and
/// one more are counted without being said, and [`RX_COUNT_EXTRA`] says what is beyond them.
pub const RX_COUNT: &str = "CONFIG_BT_BUF_ACL_RX_COUNT";

/// Its successor: packets beyond one for each link and one more.
pub const RX_COUNT_EXTRA: &str = "CONFIG_BT_BUF_ACL_RX_COUNT_EXTRA";

/// Source of both.
pub const RX_COUNT_SOURCE: &str = "Zephyr, migration guide to v4.1";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_successor_is_gone_itself_and_no_name_is_told_twice() {
        for (position, retired) in RETIRED.iter().enumerate() {
            assert!(RETIRED.iter().all(|other| other.option != retired.successor), "{}", retired.successor);
            assert!(RETIRED[..position].iter().all(|other| other.option != retired.option), "{}", retired.option);
        }
    }
}
