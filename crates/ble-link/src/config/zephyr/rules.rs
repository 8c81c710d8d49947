//! Hazards of a `prj.conf`, by rule.

use airtime_keys::config::Side;
use airtime_link::config::{Configuration, End, Finding, Line, Setting, Spelling, Weight, number};

use super::build::Build;
use super::{SOFTDEVICE, age, reasons};
use crate::config::keys::{DEVICE, PLAN};

/// Octets of the longest data PDU. Core 6.0, Vol 6, Part B, 2.4.
const PDU: u64 = 251;
/// ATT MTU whose notifications fill it: four octets less for L2CAP.
const ATT_MTU: u64 = PDU - 4;

/// Default of `BT_BUF_ACL_TX_COUNT` without mesh. Zephyr, subsys/bluetooth/common/Kconfig.
const ACL_COUNT: u64 = 3;

/// Beginnings of options that only the nRF Connect SDK has: sdk-nrf, lib, modules and subsys/bluetooth.
const SDK: [&str; 15] = [
    "CONFIG_BT_GATT_DM",
    "CONFIG_BT_GATT_POOL",
    "CONFIG_BT_HIDS",
    "CONFIG_BT_LBS",
    "CONFIG_BT_NUS",
    "CONFIG_BT_SCAN_FILTER_",
    "CONFIG_BT_SCAN_NAME_",
    "CONFIG_BT_SCAN_UUID_",
    "CONFIG_BT_THROUGHPUT",
    "CONFIG_CAF",
    "CONFIG_DK_LIBRARY",
    "CONFIG_MPSL",
    "CONFIG_NCS_",
    "CONFIG_NRF_CLOUD",
    "CONFIG_NRF_MODEM",
];

const COMMON: &str = "Zephyr, subsys/bluetooth/common/Kconfig";
const HOST: &str = "Zephyr, subsys/bluetooth/host/Kconfig";
const CONTROLLER: &str = "Zephyr, subsys/bluetooth/controller/Kconfig";
const GATT: &str = "Zephyr, subsys/bluetooth/host/Kconfig.gatt";

/// End of a link that a board with `config` is: the one that was `asked` for, the central where the file builds no peripheral, else the
/// peripheral.
pub fn end(config: &Configuration, asked: Option<End>) -> End {
    let central = config.on("CONFIG_BT_CENTRAL") && !config.on("CONFIG_BT_PERIPHERAL");
    asked.unwrap_or(if central { End::Central } else { End::Peripheral })
}

/// Findings about `config` of the board at `end`, in the order of its lines.
pub fn check(config: &Configuration, end: End) -> Vec<Finding> {
    let names = age::findings(config);
    let read = age::read(config);
    let config = &read.config;
    let softdevice = board(config) == SOFTDEVICE;
    let build = Build { config, aged: read.aged, extra: read.extra, softdevice, host_device: false };
    let mut findings: Vec<Finding> =
        config.settings().iter().filter_map(|setting| impossible(&build, setting)).collect();
    findings.extend(names);
    let small = sizes(&build).into_iter().filter(|finding| !findings.iter().any(|other| other.name == finding.name));
    findings.extend(small.collect::<Vec<_>>());
    findings.extend(flags(&build));
    findings.extend(preferred(&build).filter(|_| end == End::Peripheral));
    findings.sort_by_key(|finding| (finding.line, finding.column));
    findings
}

/// Personality of the board that a file configures, in whatever names it is written.
pub fn controller(config: &Configuration) -> &'static str {
    board(&age::read(config).config)
}

/// Personality of the board that a configuration is of: it names its controller, or an option that only one of them has.
fn board(config: &Configuration) -> &'static str {
    let of = |is: &dyn Fn(&str) -> bool| config.settings().iter().any(|setting| is(&setting.name));
    let own = of(&|name| name.contains("_SDC_")) || config.on("CONFIG_BT_LL_SOFTDEVICE");
    // The SDK builds the SoftDevice Controller unless the file has the other one.
    let sdk = of(&|name| SDK.iter().any(|beginning| name.starts_with(beginning)));
    if own || (sdk && !config.on("CONFIG_BT_LL_SW_SPLIT")) { SOFTDEVICE } else { "zephyr-ll" }
}

fn about(build: &Build<'_>, name: &str, weight: Weight, says: String, source: &'static str) -> Finding {
    Finding::about(build.setting(name), name, weight, says, source)
}

fn hazard(build: &Build<'_>, name: &str, says: String, source: &'static str, advice: &str) -> Finding {
    Finding { advice: Some(format!("{name}={advice}")), ..about(build, name, Weight::Hazard, says, source) }
}

/// A value that no build has.
fn impossible(build: &Build<'_>, setting: &Setting) -> Option<Finding> {
    let last = build.setting(&setting.name).is_some_and(|last| last.line == setting.line);
    let why = reasons::impossible(build, &Line::of("", setting)).filter(|_| last)?;
    let (least, most) = reasons::range(build, &setting.name)?;
    let nearest = number(&setting.value).unwrap_or(least).clamp(least, most);
    Some(hazard(build, &setting.name, why, HOST, &nearest.to_string()))
}

/// Names that may be misspelt: those one slip from one that is known.
pub fn spelling(config: &Configuration) -> Spelling {
    let keys = PLAN.iter().copied().chain(DEVICE);
    let options =
        keys.flat_map(|key| key.config).filter(|option| option.side == Side::Zephyr).map(|option| option.config);
    Spelling {
        config: age::read(config).config,
        known: options.chain(reasons::known()).collect(),
        siblings: &[],
        then: "Zephyr's build stops at an option that it does not know",
        source: "Zephyr, \"Setting Kconfig configuration values\"",
        options: Vec::new(),
    }
}

/// Buffers and lengths that cut a full packet.
fn sizes(build: &Build<'_>) -> Vec<Finding> {
    let mut findings = Vec::new();
    for (name, least, says, source) in [
        (
            "CONFIG_BT_CTLR_DATA_LENGTH_MAX",
            PDU,
            "octets are the longest packet on the air, of 251 that are possible",
            CONTROLLER,
        ),
        (
            "CONFIG_BT_BUF_ACL_TX_SIZE",
            PDU,
            "octets go to the controller at a time, and no longer packet goes out",
            COMMON,
        ),
        (
            "CONFIG_BT_BUF_ACL_RX_SIZE",
            PDU,
            "octets are the longest packet that comes in: MTU, MPS and data length end there",
            COMMON,
        ),
        ("CONFIG_BT_L2CAP_TX_MTU", ATT_MTU, "octets are the ATT MTU, and a packet has room for 247", HOST),
    ] {
        if let Some(now) = build.number(name).filter(|now| *now < least) {
            findings.push(hazard(build, name, format!("{now} {says}"), source, &least.to_string()));
        }
    }
    findings.extend(few_buffers(build));
    let (pool, count) = ("CONFIG_BT_L2CAP_TX_BUF_COUNT", build.number("CONFIG_BT_BUF_ACL_TX_COUNT"));
    if let Some((now, count)) = build.number(pool).zip(count).filter(|(now, count)| now < count) {
        let says = format!("{now} buffers of L2CAP never fill the {count} of the controller");
        findings.push(hazard(build, pool, says, HOST, &count.to_string()));
    }
    findings
}

/// Fewer buffers of the controller than Zephyr has by default; the SoftDevice Controller brings its own.
fn few_buffers(build: &Build<'_>) -> Option<Finding> {
    let name = "CONFIG_BT_BUF_ACL_TX_COUNT";
    let now = build.number(name).filter(|now| *now < ACL_COUNT && !build.softdevice)?;
    let says = format!(
        "with {now} of the {ACL_COUNT} buffers of the default no more packets wait for an event, or follow in it before one is reported"
    );
    Some(hazard(build, name, says, COMMON, &ACL_COUNT.to_string()))
}

/// Findings about what is switched off, or left to the application.
fn flags(build: &Build<'_>) -> Vec<Finding> {
    let is = |name: &str, value: &str| build.setting(name).is_some_and(|setting| setting.value == value);
    let mut findings = Vec::new();
    if is("CONFIG_BT_CTLR_PHY_2M", "n") {
        let says = "without 2M every packet is twice as long on the air".to_owned();
        findings.push(hazard(build, "CONFIG_BT_CTLR_PHY_2M", says, CONTROLLER, "y"));
    }
    if build.softdevice && is("CONFIG_BT_CTLR_SDC_CONN_EVENT_EXTEND_DEFAULT", "n") {
        let says = "events end at their length, however much there is to send".to_owned();
        findings.push(hazard(build, "CONFIG_BT_CTLR_SDC_CONN_EVENT_EXTEND_DEFAULT", says, "sdk-nrf, Kconfig", "y"));
    }
    for (name, value, says) in [
        (
            "CONFIG_BT_USER_DATA_LEN_UPDATE",
            "y",
            "nobody asks for 251 octets unless the application calls bt_conn_le_data_len_update",
        ),
        ("CONFIG_BT_USER_PHY_UPDATE", "y", "nobody asks for 2M unless the application calls bt_conn_le_phy_update"),
    ] {
        let automatic = name.replace("USER", "AUTO");
        if is(name, value) && !build.config.on(&automatic) {
            let finding = about(build, name, Weight::Note, says.to_owned(), HOST);
            findings.push(Finding { advice: Some(format!("{automatic}=y")), ..finding });
        }
    }
    findings
}

/// The interval that the stack asks for by itself.
fn preferred(build: &Build<'_>) -> Option<Finding> {
    let auto = "CONFIG_BT_GAP_AUTO_UPDATE_CONN_PARAMS";
    let is_peripheral = build.config.on("CONFIG_BT_PERIPHERAL");
    if !is_peripheral || build.setting(auto).is_some_and(|setting| setting.value == "n") {
        return None;
    }
    let units = |name: &str, default| build.config.number(name).unwrap_or(default) as f64 * 1.25;
    let (min, max) = (units("CONFIG_BT_PERIPHERAL_PREF_MIN_INT", 24), units("CONFIG_BT_PERIPHERAL_PREF_MAX_INT", 40));
    let says = format!(
        "five seconds after connecting the stack asks for an interval of {min} to {max} ms, unless it has one by then: a test that runs \
         longer changes its interval"
    );
    Some(Finding { advice: Some(format!("{auto}=n")), ..about(build, auto, Weight::Note, says, GATT) })
}
