//! Hazards of a `prj.conf`, by rule, and the runs that show them.

use airtime_keys::config::Side;

use super::build::Build;
use super::{age, reasons};
use crate::kconfig::line::Line;
use crate::kconfig::{File, Files, apply};
use crate::personality::{KINDS, Library};
use crate::plan::{End, Plan};
use crate::run;
use crate::schema::KEYS;
use crate::sdkconfig::{Block, Finding, Gain, Sdkconfig, Weight, block_by, shipped, slips};

/// Octets of the longest data PDU. Core 6.0, Vol 6, Part B, 2.4.
const PDU: u64 = 251;
/// ATT MTU whose notifications fill it: four octets less for L2CAP.
const ATT_MTU: u64 = PDU - 4;

/// Default of `BT_BUF_ACL_TX_COUNT` without mesh. Zephyr, subsys/bluetooth/common/Kconfig.
const ACL_COUNT: u64 = 3;

/// Personality with the SoftDevice Controller.
const SOFTDEVICE: &str = "nordic-sdc";

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

/// Both ways of a board beside another one whose build leaves nothing out: what is shown, and the plan of it.
type Ways = [(&'static str, &'static str); 2];

/// Those of a peripheral.
const PERIPHERAL: Ways = [
    ("5 s of notifications sent at 15 ms", "check/notifications"),
    ("5 s of a channel received at 15 ms", "check/channel-to-peripheral"),
];

/// Those of a central.
const CENTRAL: Ways = [
    ("5 s of write commands sent at 15 ms", "check/write-commands"),
    ("5 s of a channel received at 15 ms", "check/channel-to-central"),
];

/// End of a link that a board with `config` is: the one that was `asked` for, the central where the file builds no peripheral, else the
/// peripheral.
pub fn end(config: &Sdkconfig, asked: Option<End>) -> End {
    let central = config.on("CONFIG_BT_CENTRAL") && !config.on("CONFIG_BT_PERIPHERAL");
    asked.unwrap_or(if central { End::Central } else { End::Peripheral })
}

/// Findings about `config` of the board at `end`, in the order of its lines.
pub fn check(config: &Sdkconfig, end: End) -> Vec<Finding> {
    let names = age::findings(config);
    let read = age::read(config);
    let config = &read.config;
    let softdevice = board(config) == SOFTDEVICE;
    let build = Build { config, aged: read.aged, extra: read.extra, softdevice, host_device: false };
    let mut findings: Vec<Finding> =
        config.settings().iter().filter_map(|setting| impossible(&build, setting)).collect();
    findings.extend(near_misses(config));
    findings.extend(names);
    let small = sizes(&build).into_iter().filter(|finding| !findings.iter().any(|other| other.name == finding.name));
    findings.extend(small.collect::<Vec<_>>());
    findings.extend(flags(&build));
    findings.extend(preferred(&build).filter(|_| end == End::Peripheral));
    findings.sort_by_key(|finding| (finding.line, finding.column));
    findings
}

/// The block to paste for `config`: what ends its hazards, and the names of today for those that are gone.
pub fn block(config: &Sdkconfig, end: End) -> Block {
    let mut block = block_by(config, &|config| check(config, end));
    block.gone = age::gone(config);
    let option = |line: &str| line.split('=').next().map(str::to_owned);
    for line in block.gone.iter().filter_map(|gone| gone.instead.as_deref()) {
        if !block.lines.iter().any(|known| option(known) == option(line)) {
            block.lines.push(line.to_owned());
        }
    }
    block
}

/// Gains of `lines` for `config` of the board at `end`, from runs of both ways.
pub fn gains(config: &Sdkconfig, lines: &[String], end: End) -> Vec<Gain> {
    let after = lines.iter().fold(config.clone(), |config, line| config.with(line));
    let ways = if end == End::Central { CENTRAL } else { PERIPHERAL };
    let (key, side) = (end.personality().name, end.name());
    let gain = |(of, plan): (&str, &str)| {
        let (before_kbps, after_kbps) = (kbps(plan, config, end)?, kbps(plan, &after, end)?);
        let controller = board(&age::read(config).config);
        let explain = format!("{plan} --set {key}={controller} --board {side} --prj-conf");
        Some(Gain { of: of.to_owned(), explain, before_kbps, after_kbps })
    };
    if lines.is_empty() { Vec::new() } else { ways.into_iter().filter_map(gain).collect() }
}

/// Lines of `file` with what they set in a board that sends and receives; where no board is possible with them, each with the reason.
pub fn told(file: File, end: End) -> Vec<Line> {
    let controller = board(&age::read(&file.config).config);
    let text = format!("{} = \"{controller}\"\nble.direction = \"both\"\n", end.personality().name);
    let plan = Plan::parse("check", &text, &Library::builtin(), &[]).expect("the plan of checks is right");
    let mut lines: Vec<Line> = file.config.settings().iter().map(|setting| Line::of(&file.name, setting)).collect();
    match apply(plan, &Files { prj_conf: Some(file), end: Some(end), ..Files::default() }) {
        Ok((_, told)) => told,
        Err(error) => {
            lines
                .iter_mut()
                .for_each(|line| line.ignore(format!("no board is possible with the file: {}", error.what)));
            lines
        }
    }
}

/// The gain of the advice of `finding` where it is largest; none where no run shows it.
pub fn prove(config: &Sdkconfig, finding: &Finding, end: End) -> Option<Gain> {
    let advice = finding.advice.clone().filter(|_| finding.weight == Weight::Hazard)?;
    let change = |gain: &Gain| (gain.after_kbps - gain.before_kbps).abs();
    let gains = gains(config, &[advice], end);
    gains.into_iter().filter(|gain| change(gain) > 0.0).max_by(|a, b| change(a).total_cmp(&change(b)))
}

fn kbps(plan: &str, config: &Sdkconfig, end: End) -> Option<f64> {
    let controller = board(&age::read(config).config);
    let set = [(end.personality().name.to_owned(), controller.to_owned())];
    let plan = Plan::parse("check", shipped(plan), &Library::builtin(), &set).ok()?;
    let file = File { name: "prj.conf".to_owned(), config: config.clone() };
    let (plan, _) = apply(plan, &Files { prj_conf: Some(file), end: Some(end), ..Files::default() }).ok()?;
    let point = plan.point(0)?;
    Some(run::record(&plan, &point).goodput_kbps.median)
}

/// Personality of the board that a configuration is of: it names its controller, or an option that only one of them has.
fn board(config: &Sdkconfig) -> &'static str {
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
fn impossible(build: &Build<'_>, setting: &crate::sdkconfig::Setting) -> Option<Finding> {
    let last = build.setting(&setting.name).is_some_and(|last| last.line == setting.line);
    let why = reasons::impossible(build, &Line::of("", setting)).filter(|_| last)?;
    let (least, most) = reasons::range(build, &setting.name)?;
    let nearest = crate::sdkconfig::number(&setting.value).unwrap_or(least).clamp(least, most);
    Some(hazard(build, &setting.name, why, HOST, &nearest.to_string()))
}

/// A name one slip from one that is known.
fn near_misses(config: &Sdkconfig) -> Vec<Finding> {
    let keys = KEYS.iter().copied().chain(KINDS[0].keys.iter());
    let options =
        keys.flat_map(|key| key.config).filter(|option| option.side == Side::Zephyr).map(|option| option.config);
    let known: Vec<&str> = options.chain(reasons::known()).collect();
    let then = "Zephyr's build stops at an option that it does not know";
    slips(config, &known, then, "Zephyr, \"Setting Kconfig configuration values\"")
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::kconfig::zephyr::OPTIONS;

    fn read(text: &str) -> Sdkconfig {
        Sdkconfig::parse("prj.conf", text).unwrap()
    }

    #[test]
    fn an_empty_file_is_a_build_of_short_packets() {
        let config = read("CONFIG_BT=y\nCONFIG_BT_PERIPHERAL=y\n");
        let block = block(&config, End::Peripheral);
        let sorted = |mut lines: Vec<String>| {
            lines.sort();
            lines
        };
        assert_eq!(
            sorted(block.lines.clone()),
            [
                "CONFIG_BT_BUF_ACL_RX_SIZE=251",
                "CONFIG_BT_BUF_ACL_TX_SIZE=251",
                "CONFIG_BT_CTLR_DATA_LENGTH_MAX=251",
                "CONFIG_BT_L2CAP_TX_MTU=247"
            ]
        );
        for gain in gains(&config, &block.lines, End::Peripheral) {
            assert!(gain.after_kbps > 3.0 * gain.before_kbps, "{gain:?}");
        }
        assert!(check(&config, End::Peripheral).iter().any(|finding| finding.says.contains("30 to 50 ms")));
        assert!(check(&block.applied(&config), End::Peripheral).iter().all(|finding| finding.weight == Weight::Note));
    }

    #[test]
    fn slips_of_the_pen_are_told() {
        let found = check(&read("CONFIG_BT_BUF_ACL_TX_CUONT=10\nCONFIG_BT_CTLR_RX_BUFFERS=90\n"), End::Peripheral);
        assert!(found.iter().any(|finding| finding.says.contains("did you mean `CONFIG_BT_BUF_ACL_TX_COUNT`")));
        let range = found.iter().find(|finding| finding.name == "CONFIG_BT_CTLR_RX_BUFFERS").unwrap();
        assert_eq!(range.advice.as_deref(), Some("CONFIG_BT_CTLR_RX_BUFFERS=18"));
    }

    proptest! {
        #[test]
        fn a_block_is_a_fixed_point(
            options in proptest::collection::vec((0..OPTIONS.len(), prop_oneof!["[yn]", "[0-9]{1,4}", "x"]), 0..14),
        ) {
            let line = |(option, value): &(usize, String)| format!("{}={value}\n", OPTIONS[*option]);
            let config = read(&options.iter().map(line).collect::<String>());
            let block = block(&config, End::Peripheral);
            prop_assert!(block.left.is_empty(), "{:?}", block);
            prop_assert!(check(&block.applied(&config), End::Peripheral).iter().all(|finding| finding.weight == Weight::Note));
        }
    }
}
