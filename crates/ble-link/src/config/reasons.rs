//! Reasons for which an option of a chip's build configuration is no key: of ESP-IDF (NimBLE, Bluedroid and the controllers below), of
//! the nRF5 SDK with a SoftDevice, and of Mynewt.
//!
//! Names are in order: the first whose beginning an option has is the one.

use airtime_keys::Key;
use airtime_keys::config::Side;

use super::keys::PLAN;

/// Beginning of an option's name, and what the option is worth for a stream.
pub type Reason = (&'static str, &'static str);

const POOL: &str = "buffers that values and SDUs wait in, several for a long one: as many as fit are under way at once; gatt.tx_buffers and \
                    coc.tx_buffers of the plan count whole ones";
const FROM_CONTROLLER: &str = "ACL packets from the controller that the host holds: they hold a sender back with host flow control \
                               (CONFIG_BT_NIMBLE_HS_FLOW_CTRL); acl.rx_count of the plan";
const LINKS: &str = "a bound of connections; how many peripherals stream is ble.peripherals of the plan";
const EVENTS: &str = "buffers of events, and no data waits in them";
const CORE: &str =
    "which core the host's task runs on; how it stands to the application's is host.task_priority of the plan";
const MEMORY: &str = "where memory is taken from; it changes no time on the air";
const PAIRING: &str = "pairing; whether the stream is encrypted is ble.encrypted of the plan";

/// Options of ESP-IDF: v4.4 to v5.5, components/bt: host/nimble/Kconfig.in, host/bluedroid/Kconfig.in, controller/*/Kconfig.in.
pub const RADIO: [Reason; 38] = [
    ("CONFIG_BT_NIMBLE_MSYS", POOL),
    ("CONFIG_BT_LE_MSYS", POOL),
    ("CONFIG_BT_NIMBLE_TRANSPORT_ACL_FROM_LL_COUNT", FROM_CONTROLLER),
    ("CONFIG_BT_NIMBLE_ACL_BUF_COUNT", FROM_CONTROLLER),
    (
        "CONFIG_BT_NIMBLE_TRANSPORT_ACL_SIZE",
        "room of such a packet: at least ble.data_length of the plan, or the controller gives long ones in parts",
    ),
    (
        "CONFIG_BT_NIMBLE_ACL_BUF_SIZE",
        "room of such a packet: at least ble.data_length of the plan, or the controller gives long ones in parts",
    ),
    ("CONFIG_BT_NIMBLE_TRANSPORT_EVT", EVENTS),
    ("CONFIG_BT_NIMBLE_HCI_EVT", EVENTS),
    ("CONFIG_BT_LE_HCI_EVT", EVENTS),
    (
        "CONFIG_BT_LE_ACL_BUF",
        "buffers of the controller's transport; how many packets of the host's it takes it tells by HCI: acl.count and acl.size of the plan",
    ),
    (
        "CONFIG_BT_NIMBLE_HS_FLOW_CTRL",
        "with it the host tells its controller of the packets it has taken in: acl.rx_count of the plan",
    ),
    ("CONFIG_BT_NIMBLE_MAX_CONNECTIONS", LINKS),
    ("CONFIG_BTDM_CTRL_BLE_MAX_CONN", LINKS),
    ("CONFIG_BT_CTRL_BLE_MAX_ACT", LINKS),
    ("CONFIG_BT_LE_MAX_CONNECTIONS", LINKS),
    ("CONFIG_BT_ACL_CONNECTIONS", LINKS),
    ("CONFIG_BT_MULTI_CONNECTION", LINKS),
    ("CONFIG_BT_NIMBLE_L2CAP_COC_MAX_NUM", "a bound of channels; how many stream is coc.channels of the plan"),
    (
        "CONFIG_BT_NIMBLE_L2CAP_COC_MPS",
        "no option of ESP-IDF, whose Kconfig passes over the line: a K-frame has CONFIG_BT_NIMBLE_MSYS_1_BLOCK_SIZE less 8 octets",
    ),
    (
        "CONFIG_BT_NIMBLE_L2CAP_COC_SDU_BUFF_COUNT",
        "SDUs that a channel has room for, each worth its credits: coc.credits of the plan",
    ),
    ("CONFIG_BT_NIMBLE_PINNED_TO_CORE", CORE),
    ("CONFIG_BT_BLUEDROID_PINNED_TO_CORE", CORE),
    ("CONFIG_BT_CTRL_PINNED_TO_CORE", CORE),
    ("CONFIG_BT_NIMBLE_MEM_ALLOC", MEMORY),
    ("CONFIG_BT_BLE_DYNAMIC_ENV_MEMORY", MEMORY),
    ("CONFIG_BT_ALLOCATION_FROM_SPIRAM", MEMORY),
    ("CONFIG_BT_NIMBLE_50_FEATURE_SUPPORT", "2M is part of it, where the chip has 2M: ble.phy of the plan"),
    ("CONFIG_BT_BLE_50_FEATURES_SUPPORTED", "2M is part of it, where the chip has 2M: ble.phy of the plan"),
    (
        "CONFIG_BT_BLE_42_FEATURES_SUPPORTED",
        "advertising and scanning by the old commands; longer packets are asked for in any case",
    ),
    (
        "CONFIG_BT_BLUEDROID_ENABLED",
        "the host above; its ATT MTU is the application's to set (esp_ble_gatt_set_local_mtu): gatt.mtu of the plan",
    ),
    (
        "CONFIG_BT_NIMBLE_ENABLED",
        "the host above; its application asks for data length and PHY: ble.data_length and ble.phy of the plan",
    ),
    ("CONFIG_BT_NIMBLE_SM", PAIRING),
    ("CONFIG_BT_NIMBLE_SECURITY", PAIRING),
    ("CONFIG_BT_BLE_SMP", PAIRING),
    (
        "CONFIG_BT_LE_SLEEP",
        "sleep between events: a chip that sleeps declares a worse clock, and its windows are wider",
    ),
    (
        "CONFIG_BT_CTRL_MODEM_SLEEP",
        "sleep between events: a chip that sleeps declares a worse clock, and its windows are wider",
    ),
    (
        "CONFIG_BTDM_CTRL_MODEM_SLEEP",
        "sleep between events: a chip that sleeps declares a worse clock, and its windows are wider",
    ),
    ("CONFIG_ESP_COEX", "with Wi-Fi beside it the radio is shared in turns, which the lab does not model"),
];

/// Options of the nRF5 SDK 17.1, components/softdevice/common and config/sdk_config.h.
pub const SOFTDEVICE: [Reason; 9] = [
    ("NRF_SDH_BLE_PERIPHERAL_LINK_COUNT", LINKS),
    ("NRF_SDH_BLE_CENTRAL_LINK_COUNT", LINKS),
    ("NRF_SDH_BLE_TOTAL_LINK_COUNT", LINKS),
    ("NRF_SDH_BLE_GATTS_ATTR_TAB_SIZE", "room of the attribute table, which changes no throughput"),
    ("NRF_SDH_BLE_VS_UUID_COUNT", "UUIDs change no throughput"),
    (
        "NRF_BLE_CONN_PARAMS_",
        "when and how often the library asks for other parameters; which ones is in the application: ble.request_interval of the plan",
    ),
    ("BLE_GAP_CONN_", "parameters that the application prefers: ble.conn_interval or ble.request_interval of the plan"),
    ("NRF_BLE_GQ_", "a queue of requests of the client; notifications and write commands do not wait in it"),
    ("NRF_SDH_CLOCK_LF_ACCURACY", "an accuracy by its number of the SoftDevice: controller.clock_ppm of a personality"),
];

/// Options of Mynewt: apache/mynewt-nimble at 1e8ed60, nimble/syscfg.yml, host, controller and transport.
pub const MYNEWT: [Reason; 9] = [
    ("MSYS_", POOL),
    (
        "BLE_TRANSPORT_ACL",
        "ACL packets between host and controller, where they are apart; the controller tells how many it takes: acl.count of the plan",
    ),
    ("BLE_ACL_BUF", "ACL packets between host and controller: acl.count and acl.size of the plan"),
    ("BLE_MAX_CONNECTIONS", LINKS),
    ("BLE_L2CAP_COC_MAX_NUM", "a bound of channels; how many stream is coc.channels of the plan"),
    (
        "BLE_L2CAP_COC_SDU_BUFF_COUNT",
        "SDUs that a channel has room for, each worth its credits: coc.credits of the plan",
    ),
    (
        "BLE_LL_CONN_INIT_MAX_TX_BYTES",
        "octets that the controller offers on a new connection, before any host asks: personality key controller.suggested_octets",
    ),
    (
        "BLE_LL_CONN_PHY_PREFER_2M",
        "the controller then asks for 2M by itself; the lab's ends always ask for the PHY of ble.phy",
    ),
    ("BLE_SM_", PAIRING),
];

/// Reason of `option` among `reasons`.
pub fn reason(reasons: &[Reason], option: &str) -> Option<&'static str> {
    reasons.iter().find(|(beginning, _)| option.starts_with(beginning)).map(|(_, why)| *why)
}

/// Worth of an option of Bluetooth in a file of an image without it: a key of a plan of it, or a reason.
pub fn of_bluetooth(option: &str) -> Option<String> {
    let is_option = |key: &&&Key| key.config.iter().any(|own| own.side == Side::Radio && own.config == option);
    let key = PLAN.iter().find(is_option).map(|key| format!("`{}` of a plan of Bluetooth LE", key.name));
    key.or_else(|| reason(&RADIO, option).map(str::to_owned))
}
