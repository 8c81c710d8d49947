//! Lines, rules, and two runs.

use super::super::{Block, Build, Configuration, Finding, Gain, Weight};
use crate::plan::PlanError;
use crate::toml::error::Place;

/// The published configuration of the host, as far as rules read it.
const PUBLISHED: &str = "\
# Target: ESP32-P4
CONFIG_IDF_TARGET=\"esp32p4\"
CONFIG_ESP_HOSTED_SDIO_HOST_INTERFACE=y
CONFIG_ESP_HOSTED_SDIO_CLOCK_FREQ_KHZ=40000
CONFIG_ESP_HOSTED_SDIO_TX_Q_SIZE=60
CONFIG_ESP_HOSTED_SDIO_RX_Q_SIZE=60
CONFIG_ESP_HOSTED_ENABLE_PEER_DATA_TRANSFER=y
CONFIG_ESP_HOSTED_MAX_CUSTOM_MSG_HANDLERS=8
CONFIG_WIFI_RMT_TX_BA_WIN=32
CONFIG_WIFI_RMT_RX_BA_WIN=32
CONFIG_WIFI_RMT_STATIC_RX_BUFFER_NUM=32
CONFIG_WIFI_RMT_DYNAMIC_RX_BUFFER_NUM=64
CONFIG_WIFI_RMT_DYNAMIC_TX_BUFFER_NUM=64
CONFIG_LWIP_TCP_SND_BUF_DEFAULT=65534
CONFIG_LWIP_TCP_WND_DEFAULT=65534
CONFIG_LWIP_TCP_RECVMBOX_SIZE=64
CONFIG_LWIP_UDP_RECVMBOX_SIZE=64
CONFIG_LWIP_TCPIP_RECVMBOX_SIZE=64
CONFIG_LWIP_TCP_SACK_OUT=y
CONFIG_LWIP_TCPIP_CORE_LOCKING=y
# CONFIG_LWIP_WND_SCALE is not set
CONFIG_LWIP_TCP_RTO_TIME=300
";

fn read(text: &str) -> Configuration {
    Configuration::parse("sdkconfig", text).unwrap()
}

fn check(config: &Configuration) -> Vec<Finding> {
    super::super::check(Build::Esp, config, None)
}

fn block(config: &Configuration) -> Block {
    super::super::block(Build::Esp, config, None)
}

fn prove(config: &Configuration, finding: &Finding) -> Option<Gain> {
    super::super::prove(Build::Esp, config, finding, None)
}

fn gains(config: &Configuration, block: &Block) -> Vec<Gain> {
    super::super::gains(Build::Esp, config, &block.lines, None)
}

/// Findings as line, name without `CONFIG_`, weight.
fn found(text: &str) -> Vec<(u32, String, Weight)> {
    let bare = |name: &str| name.trim_start_matches("CONFIG_").to_owned();
    check(&read(text)).into_iter().map(|finding| (finding.line, bare(&finding.name), finding.weight)).collect()
}

#[test]
fn the_published_configuration_has_one_hazard_and_two_lines_that_do_nothing() {
    let expected = [
        (9, "WIFI_RMT_TX_BA_WIN".to_owned(), Weight::Note),
        (19, "LWIP_TCP_SACK_OUT".to_owned(), Weight::Note),
        (22, "LWIP_TCP_RTO_TIME".to_owned(), Weight::Hazard),
    ];
    assert_eq!(found(PUBLISHED), expected);
}

#[test]
fn the_threshold_of_the_timer_is_sharp() {
    for (time, hazards) in [(300, 1), (999, 1), (1000, 0), (1500, 0)] {
        let text = PUBLISHED.replace("RTO_TIME=300", &format!("RTO_TIME={time}"));
        let count = found(&text).iter().filter(|(_, _, weight)| *weight == Weight::Hazard).count();
        assert_eq!(count, hazards, "{time}");
    }
}

#[test]
fn a_change_is_proved_by_two_runs() {
    let config = read(PUBLISHED);
    let finding = check(&config).into_iter().find(|finding| finding.name.ends_with("RTO_TIME")).unwrap();
    let proof = prove(&config, &finding).unwrap();
    // 5 s that count, twice a second; without the hazard none.
    assert!(proof.timeouts.is_some_and(|[before, after]| before >= 9 && after == 0), "{proof:?}");
    assert!(proof.after_kbps > proof.before_kbps, "{proof:?}");
}

#[test]
fn a_line_that_is_missing_is_run_as_what_is_built_without_it() {
    let missing = read(&PUBLISHED.replace("CONFIG_LWIP_TCP_SND_BUF_DEFAULT=65534\n", ""));
    let written = read(&PUBLISHED.replace("SND_BUF_DEFAULT=65534", "SND_BUF_DEFAULT=5760"));
    let proof = |config: &Configuration| {
        let finding = check(config).into_iter().find(|finding| finding.name.ends_with("SND_BUF_DEFAULT")).unwrap();
        prove(config, &finding).unwrap()
    };
    assert_eq!(proof(&missing), proof(&written));
    assert!(proof(&missing).after_kbps > 1.2 * proof(&missing).before_kbps, "{:?}", proof(&missing));
}

#[test]
fn every_rule_finds_what_it_is_for() {
    let cases: [(&str, &str); 14] = [
        ("CONFIG_LWIP_TCP_SND_BUF_DEFAULT=5760", "LWIP_TCP_SND_BUF_DEFAULT"),
        ("CONFIG_LWIP_TCP_WND_DEFAULT=131072", "LWIP_TCP_WND_DEFAULT"),
        ("CONFIG_LWIP_TCP_WND_DEFAULT=65534\nCONFIG_LWIP_TCP_RECVMBOX_SIZE=6", "LWIP_TCP_RECVMBOX_SIZE"),
        ("CONFIG_LWIP_UDP_RECVMBOX_SIZE=6", "LWIP_UDP_RECVMBOX_SIZE"),
        ("# CONFIG_LWIP_TCPIP_CORE_LOCKING is not set", "LWIP_TCPIP_CORE_LOCKING"),
        ("CONFIG_LWIP_TCPIP_TASK_PRIO=24", "LWIP_TCPIP_TASK_PRIO"),
        ("CONFIG_ESP_WIFI_TX_BA_WIN=32", "ESP_WIFI_TX_BA_WIN"),
        ("CONFIG_WIFI_RMT_RX_BA_WIN=32\nCONFIG_WIFI_RMT_STATIC_RX_BUFFER_NUM=10", "WIFI_RMT_RX_BA_WIN"),
        ("CONFIG_ESP_SDIO_HOST_INTERFACE=y\nCONFIG_ESP_WIFI_RX_BA_WIN=6", "ESP_WIFI_RX_BA_WIN"),
        ("CONFIG_ESP_HOSTED_SDIO_CLOCK_FREQ_KHZ=25000", "ESP_HOSTED_SDIO_CLOCK_FREQ_KHZ"),
        ("CONFIG_ESP_HOSTED_SDIO_1_BIT_BUS=y", "ESP_HOSTED_SDIO_1_BIT_BUS"),
        ("CONFIG_ESP_HOSTED_SDIO_OPTIMIZATION_RX_NONE=y", "ESP_HOSTED_SDIO_OPTIMIZATION_RX_NONE"),
        ("CONFIG_ESP_SDIO_TX_Q_SIZE=5", "ESP_SDIO_TX_Q_SIZE"),
        ("CONFIG_ESP_HOSTED_MAX_CUSTOM_MSG_HANDLERS=3", "ESP_HOSTED_MAX_CUSTOM_MSG_HANDLERS"),
    ];
    for (text, name) in cases {
        assert!(found(text).iter().any(|(line, found, _)| *line > 0 && found == name), "{text}: {:?}", found(text));
    }
}

#[test]
fn a_misspelt_option_is_named_and_a_sibling_is_not() {
    let text = format!(
        "{PUBLISHED}CONFIG_LWIP_TCP_SND_BUF_DEFUALT=1\nCONFIG_ESP_HOSTED_SPI_TX_Q_SIZE=20\nCONFIG_FREERTOS_HZ=1000\n"
    );
    let before = found(PUBLISHED).len();
    let after = found(&text);
    assert_eq!(after.len(), before + 1, "{after:?}");
    assert!(after.contains(&(23, "LWIP_TCP_SND_BUF_DEFUALT".to_owned(), Weight::Hazard)));
}

#[test]
fn a_value_of_another_kind_is_a_hazard() {
    for line in [
        "CONFIG_LWIP_TCP_RTO_TIME=-1",
        "CONFIG_LWIP_TCP_RTO_TIME=0x5DC",
        "CONFIG_LWIP_TCP_MSS=abc",
        "CONFIG_LWIP_TCP_SACK_OUT=yes",
    ] {
        let after = found(&format!("{PUBLISHED}{line}\n"));
        let name = line["CONFIG_".len()..].split('=').next().unwrap().to_owned();
        assert!(after.contains(&(23, name, Weight::Hazard)), "{line}: {after:?}");
    }
    // What is no number of Kconfig's `int` is none for a rule either: of 500 ms there is no other finding.
    let said = |value: &str| check(&read(&format!("CONFIG_LWIP_TCP_RTO_TIME={value}\n")));
    assert!(said("500").iter().any(|finding| finding.says.contains("ticks")));
    assert!(said("0x1F4").iter().all(|finding| !finding.says.contains("ticks")));
    assert_eq!(found(&format!("{PUBLISHED}# CONFIG_LWIP_TCP_MSS is not set\n")).len(), found(PUBLISHED).len());
}

#[test]
fn a_line_that_is_none_is_refused_with_its_place() {
    for (text, line, column) in [
        ("CONFIG_A=1\nhello\n", 2, 1),
        ("CONFIG_A=1\n  CONFIG-B=2\n", 2, 3),
        ("CONFIG_A=\"open\n", 1, 10),
        ("LWIP=1", 1, 1),
    ] {
        let error = PlanError::from(Configuration::parse("sdkconfig", text).unwrap_err());
        assert_eq!(error.place, Place::Line { line, column }, "{text}: {error}");
    }
    let config = read("\u{feff}CONFIG_A=\"a b\"\r\n# comment\n\nCONFIG_A=16\n# CONFIG_B is not set\n");
    assert_eq!((config.number("CONFIG_A"), config.get("CONFIG_B").map(|b| b.value.as_str())), (Some(16), Some("n")));
}

/// The lines of the report micropython#19591: buffers by names that a host has no prompt for.
const DEAD: &str = "\
CONFIG_ESP_HOSTED_ENABLED=y
CONFIG_LWIP_TCP_WND_DEFAULT=65534
CONFIG_LWIP_TCP_SND_BUF_DEFAULT=65534
CONFIG_LWIP_TCP_RECVMBOX_SIZE=64
CONFIG_LWIP_TCPIP_RECVMBOX_SIZE=64
CONFIG_ESP_WIFI_DYNAMIC_TX_BUFFER_NUM=64
CONFIG_ESP_WIFI_DYNAMIC_RX_BUFFER_NUM=64
CONFIG_ESP_WIFI_STATIC_RX_BUFFER_NUM=10
CONFIG_ESP_WIFI_RX_BA_WIN=32
";

#[test]
fn a_dead_line_that_asks_for_more_is_a_hazard() {
    let found = found(DEAD);
    let weight = |name: &str| found.iter().find(|(_, found, _)| found == name).map(|(_, _, weight)| *weight);
    assert_eq!(weight("ESP_WIFI_DYNAMIC_TX_BUFFER_NUM"), Some(Weight::Hazard));
    assert_eq!(weight("ESP_WIFI_DYNAMIC_RX_BUFFER_NUM"), Some(Weight::Hazard));
    // As many as there are without it, and a window that is granted in vain.
    assert_eq!(weight("ESP_WIFI_STATIC_RX_BUFFER_NUM"), Some(Weight::Note));
    assert_eq!(weight("ESP_WIFI_RX_BA_WIN"), Some(Weight::Note));
    let config = read(DEAD);
    let lines = block(&config).lines;
    assert_eq!(lines, ["CONFIG_WIFI_RMT_DYNAMIC_TX_BUFFER_NUM=64", "CONFIG_WIFI_RMT_DYNAMIC_RX_BUFFER_NUM=64"]);
    let receives = check(&config).into_iter().find(|finding| finding.name.ends_with("DYNAMIC_RX_BUFFER_NUM")).unwrap();
    let proof = prove(&config, &receives).unwrap();
    assert!(proof.of == "TCP down at 2 ms" && proof.after_kbps > 1.2 * proof.before_kbps, "{proof:?}");
}

#[test]
fn a_chip_with_a_radio_of_its_own_has_no_hazard_of_a_host() {
    let lines = PUBLISHED.lines().filter(|line| !line.contains("HOSTED") && !line.contains("RMT"));
    let own = lines.collect::<Vec<_>>().join("\n").replace("esp32p4", "esp32s3");
    assert_eq!(found(&own), []);
    let slave = format!("CONFIG_ESP_SDIO_HOST_INTERFACE=y\n{own}");
    assert_eq!(found(&slave), [], "the stream crosses no stack of a co-processor");
}

#[test]
fn custom_messages_are_told_of_where_a_line_is_about_them() {
    let about = |text: &str| found(text).iter().any(|(_, name, _)| name.contains("CUSTOM") || name.contains("PEER"));
    assert!(!about("CONFIG_ESP_HOSTED_SDIO_TX_Q_SIZE=20\n"));
    assert!(about("CONFIG_ESP_HOSTED_ENABLE_PEER_DATA_TRANSFER=y\n"));
    assert!(about("CONFIG_ESP_HOSTED_MAX_CUSTOM_MSG_HANDLERS=8\n"));
}

/// `config` with its block, as somebody pastes it.
fn pasted(text: &str) -> String {
    let block = block(&read(text));
    assert!(block.left.is_empty(), "{block:?} for\n{text}");
    format!("{text}{}\n", block.lines.join("\n"))
}

fn hazards(text: &str) -> Vec<Finding> {
    check(&read(text)).into_iter().filter(|finding| finding.weight == Weight::Hazard).collect()
}

#[test]
fn what_one_line_uncovers_is_in_the_block_too() {
    // The mailbox is large enough until the window is.
    let text = "CONFIG_LWIP_TCP_RECVMBOX_SIZE=6\n";
    let lines = block(&read(text)).lines;
    for line in [
        "CONFIG_LWIP_TCP_SND_BUF_DEFAULT=65534",
        "CONFIG_LWIP_TCP_WND_DEFAULT=65534",
        "CONFIG_LWIP_TCP_RECVMBOX_SIZE=47",
    ] {
        assert!(lines.contains(&line.to_owned()), "{lines:?}");
    }
    let follows = block(&read(text)).follows;
    let [follows] = &follows[..] else { panic!("{follows:?}") };
    assert!(follows.line.ends_with("RECVMBOX_SIZE=47") && follows.says.contains("brings 47"), "{follows:?}");
    assert!(hazards(&pasted(text)).is_empty());
    let gains = gains(&read(text), &block(&read(text)));
    let [gain] = &gains[..] else { panic!("{gains:?}") };
    assert!(gain.after_kbps > 1.5 * gain.before_kbps, "{gain:?}");
    assert_eq!(block(&read(&pasted(text))), Block::default());
    assert_eq!(super::super::gains(Build::Esp, &read(&pasted(text)), &[], None), []);
}

#[test]
fn a_block_of_the_published_configuration_has_its_one_line() {
    assert_eq!(block(&read(PUBLISHED)).lines, ["CONFIG_LWIP_TCP_RTO_TIME=1500"]);
}

/// Options that rules read, some of which exclude one another, and one that is misspelt.
const RISKY: [&str; 15] = [
    "LWIP_TCP_RTO_TIME",
    "LWIP_TCP_SND_BUF_DEFAULT",
    "LWIP_TCP_WND_DEFAULT",
    "LWIP_TCP_MSS",
    "LWIP_WND_SCALE",
    "LWIP_TCP_RECVMBOX_SIZE",
    "LWIP_TCPIP_CORE_LOCKING",
    "WIFI_RMT_RX_BA_WIN",
    "WIFI_RMT_STATIC_RX_BUFFER_NUM",
    "WIFI_RMT_DYNAMIC_RX_BUFFER_NUM",
    "ESP_HOSTED_SDIO_CLOCK_FREQ_KHZ",
    "ESP_HOSTED_SDIO_1_BIT_BUS",
    "ESP_HOSTED_SDIO_OPTIMIZATION_RX_NONE",
    "ESP_HOSTED_SDIO_TX_Q_SIZE",
    "LWIP_TCP_WND_DEFUALT",
];

proptest::proptest! {
    #[test]
    fn a_block_is_a_fixed_point(
        options in proptest::collection::vec(
            (0..RISKY.len(), proptest::prop_oneof!["[yn]", "[0-9]{1,6}", "-1", "x"]), 0..16,
        ),
    ) {
        let line = |(option, value): &(usize, String)| format!("CONFIG_{}={value}\n", RISKY[*option]);
        let text: String = options.iter().map(line).collect();
        let after = pasted(&text);
        proptest::prop_assert!(hazards(&after).is_empty(), "{:?} in\n{after}", hazards(&after));
    }

    #[test]
    fn no_text_panics(text in "[ -~\\n\"=#\u{e4}]{0,300}") {
        if let Ok(config) = Configuration::parse("sdkconfig", &text) {
            check(&config);
        }
    }
}
