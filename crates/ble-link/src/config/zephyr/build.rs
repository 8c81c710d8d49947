//! Values of options in a build of Zephyr.

use airtime_link::config::{Configuration, Setting};

use super::reasons::range;

const COMMON: &str = "Zephyr v3.2.0, subsys/bluetooth/common/Kconfig";
const HOST: &str = "Zephyr v3.2.0, subsys/bluetooth/host/Kconfig";
const L2CAP: &str = "Zephyr v3.2.0, subsys/bluetooth/host/Kconfig.l2cap";
const CONTROLLER: &str = "Zephyr v3.2.0, subsys/bluetooth/controller/Kconfig";

/// Flow control from the controller to the host.
pub const FLOW_CONTROL: &str = "CONFIG_BT_HCI_ACL_FLOW_CONTROL";

/// Extended advertising, which a build with it takes its time for.
pub const EXTENDED_ADVERTISING: &str = "CONFIG_BT_CTLR_ADV_EXT";

/// Options that the lab has, of which an own build has a default where the file does not say.
const DEFAULTS: [(&str, &str); 9] = [
    ("CONFIG_BT_BUF_ACL_TX_COUNT", COMMON),
    ("CONFIG_BT_BUF_ACL_TX_SIZE", COMMON),
    ("CONFIG_BT_BUF_ACL_RX_SIZE", COMMON),
    ("CONFIG_BT_BUF_ACL_RX_COUNT", COMMON),
    ("CONFIG_BT_L2CAP_TX_BUF_COUNT", L2CAP),
    ("CONFIG_BT_L2CAP_TX_MTU", L2CAP),
    ("CONFIG_BT_CONN_TX_MAX", HOST),
    ("CONFIG_BT_CTLR_DATA_LENGTH_MAX", CONTROLLER),
    ("CONFIG_BT_CTLR_RX_BUFFERS", CONTROLLER),
];

/// A configuration, and what it is built with.
#[derive(Clone, Copy, Debug)]
pub struct Build<'a> {
    /// The lines.
    pub config: &'a Configuration,
    /// Set if the file is of a tree whose defaults are not known.
    pub aged: bool,
    /// Set if the file counts receive buffers beyond those that a build has in any case, as Zephyr does since v4.1.
    pub extra: bool,
    /// Set if the controller is Nordic's SoftDevice Controller, of which only what is in its own documents is known here.
    pub softdevice: bool,
    /// Set if the plan's device is a host in a build of its own.
    pub host_device: bool,
}

impl<'a> Build<'a> {
    /// The line that counts for an option.
    pub fn setting(&self, option: &str) -> Option<&'a Setting> {
        self.config.get(option)
    }

    /// Tells if the build has no controller: the device has none, the file leaves Zephyr's out, or it has a transport to another one.
    pub fn host_only(&self) -> bool {
        const TRANSPORTS: [&str; 4] = ["CONFIG_BT_H4", "CONFIG_BT_H5", "CONFIG_BT_SPI", "CONFIG_BT_USERCHAN"];
        let without = self.setting("CONFIG_BT_CTLR").is_some_and(|setting| setting.value == "n");
        self.host_device || without || TRANSPORTS.iter().any(|name| self.config.on(name))
    }

    /// Tells if the build has no host: it is a controller that another one speaks HCI with.
    pub fn controller_only(&self) -> bool {
        self.config.on("CONFIG_BT_HCI_RAW")
    }

    /// Tells if its host holds its controller back. Zephyr v3.2.0, subsys/bluetooth/Kconfig: on where the controller is another build.
    pub fn flow_control(&self) -> bool {
        match self.setting(FLOW_CONTROL) {
            Some(setting) => setting.value == "y",
            None => self.host_only(),
        }
    }

    /// Time before the start of its radio by which an event takes it, in microseconds: `EVENT_OVERHEAD_START_US` of `lll_vendor.h`,
    /// in the trees that have it by what else is built.
    pub fn lead_us(&self) -> u64 {
        let on = |name: &str| self.config.on(name);
        // A central selects an observer.
        let observes = on("CONFIG_BT_OBSERVER") || on("CONFIG_BT_CENTRAL");
        match (on(EXTENDED_ADVERTISING) && observes, on("CONFIG_BT_CTLR_PHY_CODED")) {
            (false, _) => 275,
            (true, false) => 428,
            (true, true) => 458,
        }
    }

    /// Number of an option: that of its line, or of its default where that is known.
    pub fn number(&self, option: &str) -> Option<u64> {
        self.said(option).or_else(|| self.default(option))
    }

    /// Number that the file says, if a build has it: Kconfig takes its default where a line is out of range.
    fn said(&self, option: &str) -> Option<u64> {
        let possible = |number: &u64| range(self, option).is_none_or(|(least, most)| (least..=most).contains(number));
        self.config.number(option).filter(possible)
    }

    /// Options without a line, or with one that is out of range, with the default of each and its source.
    pub fn missing(&self) -> impl Iterator<Item = (&'static str, String, &'static str)> {
        DEFAULTS.into_iter().filter_map(|(option, source)| {
            let silent = self.said(option).is_none();
            silent.then(|| self.default(option)).flatten().map(|value| (option, value.to_string(), source))
        })
    }

    /// Default of an option. Those of nRF Connect SDK and of older trees differ, and no source of them is at hand: the device's own values
    /// stay.
    fn default(&self, option: &str) -> Option<u64> {
        let hosts = ["CONFIG_BT_L2CAP_TX_BUF_COUNT", "CONFIG_BT_L2CAP_TX_MTU", "CONFIG_BT_CONN_TX_MAX"];
        if self.softdevice || self.aged || (self.controller_only() && hosts.contains(&option)) {
            return None;
        }
        let on = |name: &str| self.config.on(name);
        Some(match option {
            "CONFIG_BT_BUF_ACL_TX_COUNT" if on("CONFIG_BT_HCI_RAW") => 7,
            "CONFIG_BT_BUF_ACL_TX_COUNT" => 3,
            "CONFIG_BT_BUF_ACL_TX_SIZE" | "CONFIG_BT_CTLR_DATA_LENGTH_MAX" => 27,
            "CONFIG_BT_BUF_ACL_RX_SIZE" if on("CONFIG_BT_BREDR") => 200,
            "CONFIG_BT_BUF_ACL_RX_SIZE" if on("CONFIG_BT_MESH_GATT") => 73,
            "CONFIG_BT_BUF_ACL_RX_SIZE" if on("CONFIG_BT_EATT") => 70,
            "CONFIG_BT_BUF_ACL_RX_SIZE" if on("CONFIG_BT_SMP") => 69,
            "CONFIG_BT_BUF_ACL_RX_SIZE" => 27,
            "CONFIG_BT_BUF_ACL_RX_COUNT" if on("CONFIG_BT_RECV_BLOCKING") => 3,
            "CONFIG_BT_BUF_ACL_RX_COUNT" => 6,
            "CONFIG_BT_L2CAP_TX_BUF_COUNT" if on("CONFIG_BT_MCS") => 10,
            "CONFIG_BT_L2CAP_TX_BUF_COUNT" => self.number("CONFIG_BT_BUF_ACL_TX_COUNT")?,
            "CONFIG_BT_CONN_TX_MAX" => self.number("CONFIG_BT_L2CAP_TX_BUF_COUNT")?,
            "CONFIG_BT_L2CAP_TX_MTU" if on("CONFIG_BT_BREDR") => 253,
            "CONFIG_BT_L2CAP_TX_MTU" if on("CONFIG_BT_MESH_GATT") => 69,
            "CONFIG_BT_L2CAP_TX_MTU" if on("CONFIG_BT_SMP") => 65,
            "CONFIG_BT_L2CAP_TX_MTU" => 23,
            "CONFIG_BT_CTLR_RX_BUFFERS" if on("CONFIG_BT_HCI_RAW") => 6,
            "CONFIG_BT_CTLR_RX_BUFFERS" => 1,
            _ => return None,
        })
    }
}
