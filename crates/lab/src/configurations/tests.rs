//! Lines of build configurations, and what they make of a plan.

mod sdkconfig;
mod zephyr;

use airtime_ble::personality::CreditPolicy;
use airtime_ble_link::plan::Scenario;
use proptest::prelude::*;

use super::*;
use crate::personality::Library;
use crate::run::record;

fn file(name: &str, text: &str) -> File {
    File { name: name.to_owned(), config: Configuration::parse(name, text).unwrap() }
}

fn zephyr(text: &str, end: Option<End>) -> Files {
    Files { files: vec![(Build::Zephyr, file("prj.conf", text))], end }
}

fn esp(files: &[(&str, &str)], end: Option<End>) -> Files {
    Files { files: files.iter().map(|(name, text)| (Build::Esp, file(name, text))).collect(), end }
}

fn applied(plan: &str, set: &[(&str, &str)], files: &Files) -> Result<(Plan, Vec<Line>), PlanError> {
    let library = Library::builtin();
    let set: Vec<_> = set.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
    apply(Plan::parse("own.toml", plan, &library, &set).unwrap(), files)
}

/// Value of a parameter at the first point.
fn param(plan: &Plan, key: &str) -> String {
    let point = plan.point(0).unwrap();
    point.scenario.params.get(key).map(crate::plan::toml_text).unwrap_or_default()
}

/// Fate of the line of an option without `CONFIG_BT_`, what it sets, and why.
fn fate<'a>(lines: &'a [Line], option: &str) -> (&'static str, Vec<&'a str>, &'a str) {
    let name = format!("CONFIG_BT_{option}");
    let line = lines.iter().find(|line| line.option == name).unwrap_or_else(|| panic!("no {name} in {lines:?}"));
    (line.fate.word(), line.sets.iter().map(String::as_str).collect(), line.why.as_str())
}

/// A build for throughput.
const LARGE: &str = "\
CONFIG_BT=y
CONFIG_BT_SMP=y
CONFIG_BT_BUF_ACL_TX_COUNT=10
CONFIG_BT_BUF_ACL_TX_SIZE=251
CONFIG_BT_BUF_ACL_RX_SIZE=255
CONFIG_BT_CTLR_DATA_LENGTH_MAX=251
CONFIG_BT_L2CAP_TX_MTU=247
CONFIG_BT_L2CAP_TX_BUF_COUNT=12
CONFIG_BT_CTLR_RX_BUFFERS=10
";

const MAC: &str = "central.personality = \"macos\"\nrun.duration = \"5s\"\n";

#[test]
fn lines_set_the_plan_and_its_device() {
    let (plan, lines) = applied(MAC, &[], &zephyr(LARGE, None)).unwrap();
    assert_eq!((param(&plan, "acl.count"), param(&plan, "coc.tx_buffers")), ("10".into(), "12".into()));
    assert_eq!(param(&plan, "peripheral.personality"), "zephyr-ll with prj.conf");
    assert_eq!(fate(&lines, "BUF_ACL_TX_COUNT"), ("used", vec!["acl.count=10"], ""));
    let (word, _, why) = fate(&lines, "SMP");
    assert_eq!((word, why), ("ignored", "nothing that the lab models"));
    let point = plan.point(0).unwrap();
    let device = &point.scenario.of::<Scenario>().unwrap().peripheral;
    assert_eq!((device.controller.rx_buffers, device.host.att_mtu, device.host.coc_mps), (11, 247, 251));
    assert!(record(&plan, &point).replay.contains("--prj-conf prj.conf"));
}

/// The peripheral of `c2p` with this personality and file, its lines, and the goodput it receives.
fn receiver(personality: &str, text: &str) -> (airtime_ble::personality::Host, Vec<Line>, f64) {
    let plan = format!("peripheral.personality = \"{personality}\"\nble.direction = \"c2p\"\nrun.duration = \"5s\"\n");
    let (plan, lines) = applied(&plan, &[], &zephyr(text, None)).unwrap();
    let point = plan.point(0).unwrap();
    let host = point.scenario.of::<Scenario>().unwrap().peripheral.host;
    (host, lines, record(&plan, &point).goodput_kbps.median)
}

#[test]
fn a_host_in_a_build_of_its_own_holds_its_controller_back() {
    let smp = "CONFIG_BT=y\nCONFIG_BT_SMP=y\n";
    let (host, lines, small) = receiver("zephyr-host-v3.2", smp);
    assert_eq!((host.flow_control, host.coc_mps, host.coc_mtu), (Some(6), 65, 63));
    assert_eq!(host.credits, CreditPolicy::ZephyrNoAllocBuf { acl_rx_count: 6 });
    assert!(lines.iter().all(|line| !line.option.contains("CTLR")), "the controller is another build: {lines:?}");
    let large = "CONFIG_BT_BUF_ACL_RX_COUNT=20\nCONFIG_BT_BUF_ACL_RX_SIZE=251\nCONFIG_BT_BUF_ACL_TX_COUNT=9\n";
    let (host, lines, fast) = receiver("zephyr-host-v3.2", &format!("{smp}{large}"));
    assert_eq!((host.flow_control, host.coc_mps, host.coc_mtu), (Some(20), 247, 245));
    assert_eq!(host.credits, CreditPolicy::ZephyrNoAllocBuf { acl_rx_count: 20 });
    assert!(fate(&lines, "BUF_ACL_TX_COUNT").2.contains("another build"), "{lines:?}");
    assert!(fast > 1.5 * small, "{small} {fast}");
    let (host, ..) = receiver("zephyr-host-v3.2", &format!("{smp}# CONFIG_BT_HCI_ACL_FLOW_CONTROL is not set\n"));
    assert_eq!(host.flow_control, None);
    assert_eq!(receiver("zephyr-ll", &format!("{smp}# CONFIG_BT_CTLR is not set\n")).0.flow_control, Some(6));
    // In one image the receive buffers are shared.
    assert_eq!(receiver("zephyr-ll", &format!("{smp}CONFIG_BT_BUF_ACL_RX_COUNT=20\n")).0.flow_control, Some(20));
}

#[test]
fn contexts_are_apart_from_transmit_buffers() {
    let kbps = |more: &str| {
        let text = LARGE.replace("TX_BUF_COUNT=12", "TX_BUF_COUNT=2");
        // A stack that hears of what was sent only after three milliseconds.
        let plan = "coc.credits = \"batched\"\ncoc.in_flight = 12\nhost.latency = \"3ms\"\nrun.duration = \"5s\"\n";
        let (plan, lines) = applied(plan, &[], &zephyr(&format!("{text}{more}"), None)).unwrap();
        (fate(&lines, "CONN_TX_MAX").1[0].to_owned(), record(&plan, &plan.point(0).unwrap()).goodput_kbps.median)
    };
    let (default, few) = kbps("");
    let (said, many) = kbps("CONFIG_BT_CONN_TX_MAX=10\n");
    assert_eq!((default.as_str(), said.as_str()), ("host.conn_tx_max=2", "host.conn_tx_max=10"));
    assert!(many > 1.2 * few, "{few} {many}");
}

#[test]
fn the_version_of_the_device_says_how_credits_are_given() {
    let (host, _, new) = receiver("zephyr-ll", LARGE);
    assert_eq!(host.credits, CreditPolicy::ZephyrRecv);
    let (host, _, old) = receiver("zephyr-ll-v3.2", LARGE);
    assert_eq!(host.credits, CreditPolicy::ZephyrAllocBuf { init_credits: 0 });
    assert!(old > 1.5 * new, "eight credits at first, where there was one: {old} {new}");
}

/// `EVENT_OVERHEAD_START_US` by what else is built, in the trees that have it so.
#[test]
fn extended_advertising_takes_its_time_from_every_event() {
    let lead = |personality: &str, text: &str| {
        let plan = format!("peripheral.personality = \"{personality}\"\n");
        let (plan, _) = applied(&plan, &[], &zephyr(&[LARGE, text].concat(), Some(End::Peripheral))).unwrap();
        plan.point(0).unwrap().scenario.of::<Scenario>().unwrap().peripheral.controller.prepare_lead
    };
    let us = |us| Some(airtime_core::Duration::from_micros(us));
    let [alone, both, coded] = ["CONFIG_BT_CTLR_ADV_EXT=y\n", "CONFIG_BT_OBSERVER=y\n", "CONFIG_BT_CTLR_PHY_CODED=y\n"];
    let (both, coded) = ([alone, both].concat(), [alone, both, coded].concat());
    let leads = |personality| ["", alone, &both, &coded].map(|text| lead(personality, text));
    assert_eq!(leads("zephyr-ll-2025"), [us(275), us(275), us(428), us(458)]);
    assert_eq!(leads("zephyr-ll-v3.2"), [us(750); 4]);
    assert_eq!(leads("zephyr-ll"), [None; 4]);
}

#[test]
fn what_a_file_does_not_say_is_what_zephyr_builds() {
    let (plan, lines) = applied(MAC, &[], &zephyr("CONFIG_BT=y\n", None)).unwrap();
    assert_eq!((param(&plan, "ble.data_length"), param(&plan, "acl.count")), ("27".into(), "3".into()));
    assert_eq!(fate(&lines, "CTLR_DATA_LENGTH_MAX").0, "default");
    assert!(fate(&lines, "CTLR_DATA_LENGTH_MAX").2.contains("controller/Kconfig"));
    let slow = record(&plan, &plan.point(0).unwrap()).goodput_kbps.median;
    let (plan, _) = applied(MAC, &[], &zephyr(LARGE, None)).unwrap();
    let fast = record(&plan, &plan.point(0).unwrap()).goodput_kbps.median;
    assert!(fast > 2.0 * slow, "{slow} {fast}");
    // Of another SDK the defaults are not known.
    let (plan, _) =
        applied(&format!("{MAC}peripheral.personality = \"nordic-sdc\"\n"), &[], &zephyr("", None)).unwrap();
    assert_eq!(param(&plan, "ble.data_length"), "251");
}

#[test]
fn the_file_stands_above_the_plan_and_below_options() {
    let plan = format!("{MAC}acl.count = 6\n");
    let (built, lines) = applied(&plan, &[], &zephyr(LARGE, None)).unwrap();
    assert_eq!(param(&built, "acl.count"), "10");
    let (word, sets, why) = fate(&lines, "BUF_ACL_TX_COUNT");
    assert!(word == "contradicts" && sets[0] == "acl.count=10" && why.contains("acl.count=6; the file wins"), "{why}");
    let (built, lines) = applied(&plan, &[("acl.count", "4")], &zephyr(LARGE, None)).unwrap();
    assert_eq!(param(&built, "acl.count"), "4");
    assert!(fate(&lines, "BUF_ACL_TX_COUNT").2.contains("--set acl.count=4 stands above it"));
    let (built, _) = applied(&format!("{MAC}sweep.acl.count = [2, 3]\n"), &[], &zephyr(LARGE, None)).unwrap();
    assert_eq!(param(&built, "acl.count"), "2");
    // A change of an explanation stands above the file as well.
    let (built, _) = applied(&plan, &[], &zephyr(LARGE, None)).unwrap();
    let varied = built.vary(&built.point(0).unwrap(), &[("acl.count".to_owned(), 2.into())]).unwrap();
    assert_eq!(varied.scenario.params.get("acl.count"), Some(&2.into()));
}

#[test]
fn what_is_the_other_end_s_is_left_to_it() {
    let down = format!("{MAC}ble.direction = \"c2p\"\ncoc.credits = \"batched\"\nacl.count = 5\n");
    let (plan, lines) = applied(&down, &[], &zephyr(LARGE, None)).unwrap();
    assert_eq!(param(&plan, "acl.count"), "5");
    let (word, _, why) = fate(&lines, "BUF_ACL_TX_COUNT");
    assert_eq!((word, why), ("ignored", "`acl.count` is the sender's, and the peripheral only receives here"));
    assert_eq!(fate(&lines, "BUF_ACL_RX_SIZE").1, ["host.coc_mps=251"]);
    // With a row each way it is the board's in one of them.
    let both = format!("{MAC}[[row]]\nid = \"up\"\n[[row]]\nid = \"down\"\nset = {{ \"ble.direction\" = \"c2p\" }}\n");
    let (plan, _) = applied(&both, &[], &zephyr(LARGE, None)).unwrap();
    let counts: Vec<_> =
        plan.points().iter().map(|point| point.scenario.params.get("acl.count").cloned().unwrap()).collect();
    assert_eq!(counts, [10, 8]);
}

#[test]
fn a_board_is_an_end_with_firmware() {
    let refused = |plan: &str, end| applied(plan, &[], &zephyr(LARGE, end)).unwrap_err().to_string();
    assert!(refused(MAC, Some(End::Central)).contains("operating system's"));
    assert!(refused("link = \"nrf24-ip\"\n", None).contains("no device of the link"));
    let both = "central.personality = \"macos\"\nperipheral.personality = \"bluez\"\n";
    assert!(refused(both, None).contains("both ends"));
    let (plan, _) = applied("peripheral.personality = \"bluez\"\n", &[], &zephyr(LARGE, None)).unwrap();
    assert_eq!(param(&plan, "central.personality"), "zephyr-ll with prj.conf");
}

#[test]
fn what_cannot_be_is_told() {
    let text = "CONFIG_BT_BUF_ACL_TX_COUNT=300\nCONFIG_BT_CTLR_RX_BUFFERS=many\nCONFIG_BT_BUF_ACL_TX_SIZE=100\n\
                CONFIG_BT_BUF_ACL_TX_SIZE=251\nCONFIG_BT_CTLR_SDC_TX_PACKET_COUNT=9\nCONFIG_BT_LL_SOFTDEVICE=y\n";
    let (plan, lines) = applied(MAC, &[], &zephyr(text, None)).unwrap();
    assert!(fate(&lines, "BUF_ACL_TX_COUNT").2.contains("300 is out of range: 1 to 255"));
    assert!(fate(&lines, "CTLR_RX_BUFFERS").2.contains("no whole number"));
    assert!(fate(&lines, "BUF_ACL_TX_SIZE").2.contains("line 4 sets the same option"));
    assert!(fate(&lines, "CTLR_SDC_TX_PACKET_COUNT").2.contains("nordic-sdc does"));
    assert!(fate(&lines, "LL_SOFTDEVICE").2.contains("personality nordic-sdc"));
    assert_eq!(param(&plan, "acl.size"), "251");
    assert_eq!(lines.iter().filter(|line| line.line > 0).count(), 6, "every line is told");
}

#[test]
fn a_preferred_interval_is_asked_for_where_it_is_not_there_already() {
    let asked = |text: &str| {
        let (plan, lines) = applied(&format!("{MAC}ble.conn_interval = \"30ms\"\n"), &[], &zephyr(text, None)).unwrap();
        (param(&plan, "ble.request_interval"), fate(&lines, "PERIPHERAL_PREF_MAX_INT").2.to_owned())
    };
    let of = |min: u64, max: u64| {
        format!("CONFIG_BT_PERIPHERAL_PREF_MIN_INT={min}\nCONFIG_BT_PERIPHERAL_PREF_MAX_INT={max}\n")
    };
    assert_eq!(asked(&of(12, 12)).0, "15ms");
    assert!(asked(&of(24, 40)).1.contains("nothing is asked for"));
    assert!(asked(&of(24, 12)).1.contains("the longer one last"));
    assert!(
        asked(&format!("{}# CONFIG_BT_GAP_AUTO_UPDATE_CONN_PARAMS is not set\n", of(12, 12))).1.contains("not set")
    );
}

#[test]
fn a_point_that_a_line_makes_impossible_names_the_line() {
    let plan = "link = \"ble-gatt\"\ngatt.payload = 244\n";
    let error = applied(plan, &[], &zephyr(&LARGE.replace("TX_MTU=247", "TX_MTU=100"), None)).unwrap_err();
    assert_eq!((error.file.as_str(), error.line()), ("prj.conf", Some(7)), "{error}");
}

/// The goodput is a datagram each 12,800 clocks, and the turns beside them.
#[test]
fn an_sdkconfig_of_a_host_with_spi_sets_the_bus() {
    let text = "CONFIG_ESP_HOSTED_SPI_HOST_INTERFACE=y\n# CONFIG_ESP_HOSTED_SDIO_HOST_INTERFACE is not set\n\
                CONFIG_ESP_HOSTED_SPI_FREQ_ESP32C6=20\nCONFIG_ESP_HOSTED_SPI_CLK_FREQ=20\nCONFIG_ESP_HOSTED_SPI_TX_Q_SIZE=15\n";
    let files = esp(&[("sdkconfig", text)], None);
    let (plan, lines) = applied("link = \"wifi-hosted\"\nrun.duration = \"3s\"\n", &[], &files).unwrap();
    let keys = ["hosted.bus", "hosted.spi_clock", "hosted.tx_queue"];
    // The driver's queues are 20 long whatever the line says, and throttle marks have a default for each bus.
    assert_eq!(keys.map(|key| param(&plan, key)), ["spi", "20MHz", "20"].map(str::to_owned));
    let queue = lines.iter().find(|line| line.option == "CONFIG_ESP_HOSTED_SPI_TX_Q_SIZE").unwrap();
    assert!(queue.fate == Fate::Ignored && queue.why.contains("TO_SLAVE_QUEUE_SIZE"), "{queue:?}");
    assert_eq!((param(&plan, "hosted.throttle_high"), param(&plan, "hosted.throttle_low")), ("90".into(), "60".into()));
    let marks = format!("{text}CONFIG_ESP_HOSTED_PRIV_WIFI_TX_SPI_HIGH_THRESHOLD=70\n");
    let files = esp(&[("sdkconfig", &marks)], None);
    let (throttled, _) = applied("link = \"wifi-hosted\"\nrun.duration = \"3s\"\n", &[], &files).unwrap();
    assert_eq!(param(&throttled, "hosted.throttle_high"), "70");
    // Keys of the other bus mean nothing.
    assert_eq!(["hosted.sdio_clock", "hosted.mode", "hosted.checksum"].map(|key| param(&plan, key)), [""; 3]);
    let record = record(&plan, &plan.point(0).unwrap());
    let kbps = 1_400.0 * 8e6 / (640_000.0 + 132_923.0 + 14_277.0);
    assert!((record.goodput_kbps.median / kbps - 1.0).abs() < 0.002, "{} for {kbps}", record.goodput_kbps.median);
    assert!(
        record.bottleneck.says.contains("a transaction of SPI is 640us on the wire at 20MHz"),
        "{:?}",
        record.bottleneck
    );
    assert!(record.ram.iter().any(|ram| ram.class == "SPI buffers to the host" && ram.each == 1_600));
}

/// Times of SPI of one pair of chips are no default of another: its personality has its own, or the plan says them.
#[test]
fn a_chain_without_times_of_spi_is_refused_over_it() {
    let own = include_str!("../../../../personalities/esp32-p4-c6.toml");
    let without: String = own
        .lines()
        .filter(|line| !line.starts_with("turn") && !line.starts_with("exchange_frame"))
        .fold(String::new(), |text, line| text + line + "\n");
    let mut library = Library::builtin();
    library.add("own-chips", &without).unwrap();
    let parse = |text: &str| {
        Plan::parse(
            "own.toml",
            &format!("link = \"wifi-hosted\"\nwifi.personality = \"own-chips\"\n{text}"),
            &library,
            &[],
        )
    };
    assert!(parse("").is_ok(), "SDIO needs none");
    let spi = "hosted.bus = \"spi\"\n";
    let refused = parse(spi).unwrap_err().to_string();
    assert!(refused.contains("`own-chips` has no times of SPI, and the plan has no `hosted.turn`"), "{refused}");
    let refused = parse(&format!("{spi}hosted.turn = \"100us\"\n")).unwrap_err().to_string();
    assert!(refused.contains("no `hosted.write_frame`"), "{refused}");
    assert!(parse(&format!("{spi}hosted.turn = \"100us\"\nhosted.write_frame = \"10us\"\n")).is_ok());
}

/// An update goes through the start of the transport, which is that of SDIO.
#[test]
fn an_update_over_spi_is_refused() {
    let text = "link = \"wifi-hosted\"\nhosted.bus = \"spi\"\ntraffic.kind = \"ota\"\n";
    let refused = Plan::parse("own.toml", text, &Library::builtin(), &[]).unwrap_err().to_string();
    assert!(refused.contains("`hosted.bus`: an update is modelled over SDIO"), "{refused}");
}

#[test]
fn an_sdkconfig_sets_what_its_link_has() {
    let text = "CONFIG_LWIP_TCP_RTO_TIME=300\nCONFIG_LWIP_TCP_WND_DEFAULT=65534\nCONFIG_FREERTOS_HZ=1000\n";
    let files = esp(&[("sdkconfig", text)], None);
    let plan = "link = \"wifi-hosted\"\ntraffic.kind = \"tcp\"\nlwip.wnd = 40000\n";
    let (built, lines) = applied(plan, &[], &files).unwrap();
    assert_eq!((param(&built, "lwip.rto_time"), param(&built, "lwip.snd_buf")), ("300ms".into(), "5760".into()));
    let told: Vec<_> = lines.iter().map(|line| (line.option.as_str(), line.fate)).collect();
    assert_eq!(
        told[..3],
        [
            ("CONFIG_LWIP_TCP_RTO_TIME", Fate::Used),
            ("CONFIG_LWIP_TCP_WND_DEFAULT", Fate::Contradicts),
            ("CONFIG_FREERTOS_HZ", Fate::Ignored),
        ]
    );
    assert!(told.contains(&("CONFIG_LWIP_TCP_SND_BUF_DEFAULT", Fate::Default)));
    let refused = applied(MAC, &[], &files).unwrap_err().to_string();
    assert!(refused.contains("no device of the link `ble-coc` has an sdkconfig of ESP-IDF"), "{refused}");
}

/// A file of Zephyr v2.5: the names that buffers had before.
const AGED: &str = "\
CONFIG_BT=y
CONFIG_BT_RX_BUF_LEN=258
CONFIG_BT_ATT_TX_MAX=9
CONFIG_BT_L2CAP_RX_MTU=247
CONFIG_BT_RX_BUF_COUNT=8
CONFIG_BT_CTLR_TX_BUFFERS=7
CONFIG_BT_CTLR_TX_BUFFER_SIZE=251
CONFIG_BT_CTLR_DATA_LENGTH_MAX=251
";

#[test]
fn names_that_are_gone_mean_what_took_their_place() {
    let plan = format!("link = \"ble-gatt\"\nble.direction = \"both\"\n{MAC}");
    let (plan, lines) = applied(&plan, &[], &zephyr(AGED, None)).unwrap();
    assert_eq!((param(&plan, "acl.size"), param(&plan, "ble.data_length")), ("251".into(), "251".into()));
    assert_eq!(fate(&lines, "CTLR_TX_BUFFERS").1, ["acl.count=7"]);
    assert_eq!(fate(&lines, "ATT_TX_MAX").1, ["gatt.tx_buffers=9"]);
    let (word, sets, why) = fate(&lines, "L2CAP_RX_MTU");
    assert!(word == "used" && sets == ["host.coc_mps=247"] && why.contains("read as CONFIG_BT_BUF_ACL_RX_SIZE=251"));
    assert!(fate(&lines, "RX_BUF_LEN").2.contains("CONFIG_BT_L2CAP_RX_MTU says the same"));
    assert!(fate(&lines, "RX_BUF_COUNT").1.iter().any(|set| set.ends_with("flow_control=8")), "{lines:?}");
    // Of the defaults of such a tree nothing is known.
    assert!(lines.iter().all(|line| line.line > 0), "{lines:?}");
    let (_, lines) =
        applied(MAC, &[], &zephyr("CONFIG_BT_CTLR_TX_BUFFERS=4\nCONFIG_BT_BUF_ACL_TX_COUNT=5\n", None)).unwrap();
    assert_eq!(fate(&lines, "BUF_ACL_TX_COUNT").1, ["acl.count=5"]);
    assert!(fate(&lines, "CTLR_TX_BUFFERS").2.contains("has a line of its own"));
}

#[test]
fn names_that_are_gone_are_told_and_replaced_and_are_no_hazard() {
    let config = Configuration::parse("prj.conf", AGED).unwrap();
    let found = check(Build::Zephyr, &config, Some(End::Peripheral));
    assert!(found.iter().all(|finding| finding.weight == Weight::Note), "{found:?}");
    let pasted = block(Build::Zephyr, &config, Some(End::Peripheral));
    let expected = [
        "CONFIG_BT_ATT_TX_COUNT=9",
        "CONFIG_BT_BUF_ACL_RX_SIZE=251",
        "CONFIG_BT_BUF_ACL_RX_COUNT_EXTRA=6",
        "CONFIG_BT_BUF_ACL_TX_COUNT=7",
        "CONFIG_BT_BUF_ACL_TX_SIZE=251",
    ];
    assert_eq!(pasted.lines, expected);
    assert_eq!(pasted.gone.iter().map(|gone| gone.line).collect::<Vec<_>>(), [2, 3, 4, 5, 6, 7]);
    // What was set by the old names is set by the new ones.
    let today =
        AGED.lines().filter(|line| !pasted.gone.iter().any(|gone| line.starts_with(&format!("{}=", gone.option))));
    let today = today.chain(pasted.lines.iter().map(String::as_str)).collect::<Vec<_>>().join("\n");
    let sets = |text: &str| {
        let (_, lines) = applied(MAC, &[], &zephyr(text, None)).unwrap();
        let said = lines.into_iter().filter(|line| line.line > 0).flat_map(|line| line.sets);
        said.collect::<std::collections::BTreeSet<_>>()
    };
    assert_eq!(sets(AGED), sets(&today));
    let config = Configuration::parse("prj.conf", &today).unwrap();
    assert_eq!(block(Build::Zephyr, &config, Some(End::Peripheral)).gone, []);
}

#[test]
fn a_line_that_breaks_a_point_is_named_as_the_file_has_it() {
    let plan = "link = \"ble-gatt\"\nble.direction = \"c2p\"\ngatt.payload = 244\n";
    let text = "CONFIG_BT_L2CAP_RX_MTU=100\nCONFIG_BT_L2CAP_TX_MTU=100\n";
    let error = applied(plan, &[], &zephyr(text, None)).unwrap_err();
    assert!(error.file == "prj.conf" && error.line().is_some_and(|line| line < 3), "{error}");
    let text = "CONFIG_BT_CTLR_TX_BUFFERS=300\n";
    let (_, lines) = applied(MAC, &[], &zephyr(text, None)).unwrap();
    assert!(fate(&lines, "CTLR_TX_BUFFERS").2.contains("300 is out of range: 1 to 255"), "{lines:?}");
}

#[test]
fn the_length_of_events_bounds_one_link_only_without_extension() {
    let of = |more: &str| {
        let text = format!("CONFIG_BT_CTLR_SDC_MAX_CONN_EVENT_LEN_DEFAULT=2500\n{more}");
        let plan = "peripheral.personality = \"nordic-sdc\"\n";
        let (plan, lines) = applied(plan, &[], &zephyr(&text, None)).unwrap();
        let own = plan.point(0).unwrap().scenario.of::<Scenario>().unwrap().peripheral.controller;
        let sets = fate(&lines, "CTLR_SDC_MAX_CONN_EVENT_LEN_DEFAULT").1.join(" ");
        assert_eq!(sets, "peripheral.event_length=2.5ms controller.link_spacing=2500us");
        assert_eq!(own.event_time_cap, Some(airtime_core::Duration::from_micros(2_500)));
        own.event_extension
    };
    assert!(of(""), "an event goes on beyond its length while nothing else is due");
    assert!(!of("# CONFIG_BT_CTLR_SDC_CONN_EVENT_EXTEND_DEFAULT is not set\n"));
}

fn chip(build: Build, config: Configuration, end: Option<End>) -> Files {
    let name = if build == Build::Mynewt { "syscfg.yml" } else { "sdk_config.h" };
    Files { files: vec![(build, File { name: name.to_owned(), config })], end }
}

/// Settings of the line of this option, and their reason.
fn of<'a>(lines: &'a [Line], option: &str) -> (String, &'a str) {
    let line = lines.iter().find(|line| line.option == option).unwrap_or_else(|| panic!("no {option} in {lines:?}"));
    (line.sets.join(" "), line.why.as_str())
}

#[test]
fn a_softdevice_s_events_end_with_the_time_set_aside() {
    let of_length = |units: u32| {
        let text = format!(
            "#define NRF_SDH_BLE_GAP_DATA_LENGTH 251\n#define NRF_SDH_BLE_GAP_EVENT_LENGTH {units}\n\
             #define NRF_SDH_BLE_GATT_MAX_MTU_SIZE 247\n#define NRF_SDH_BLE_TOTAL_LINK_COUNT 1\n"
        );
        let plan = "link = \"ble-gatt\"\nperipheral.personality = \"nordic-sdc\"\nble.conn_interval = \"30ms\"\nrun.duration = \"5s\"\n";
        let (plan, lines) = applied(plan, &[], &chip(Build::SoftDevice, header(&text), None)).unwrap();
        assert_eq!(of(&lines, "NRF_SDH_BLE_GATT_MAX_MTU_SIZE").0, "gatt.mtu=247");
        assert_eq!(of(&lines, "NRF_SDH_BLE_GAP_DATA_LENGTH").0, "ble.data_length=251");
        assert!(of(&lines, "NRF_SDH_BLE_TOTAL_LINK_COUNT").1.contains("ble.peripherals"));
        record(&plan, &plan.point(0).unwrap()).goodput_kbps.median
    };
    // Of 30 ms 3.75, 7.5 and all.
    let [short, double, whole] = [3, 6, 24].map(of_length);
    assert!(double > 1.7 * short && whole > 2.5 * double, "{short} {double} {whole}");
    let ended = |units: &str| {
        let config = header(&format!("#define NRF_SDH_BLE_GAP_EVENT_LENGTH {units}\n"));
        let (plan, lines) = applied("link = \"ble-gatt\"\n", &[], &chip(Build::SoftDevice, config, None)).unwrap();
        let scenario = plan.point(0).unwrap().scenario;
        let own = &scenario.of::<Scenario>().unwrap().peripheral.controller;
        (of(&lines, "NRF_SDH_BLE_GAP_EVENT_LENGTH").0, own.link_spacing, own.event_extension)
    };
    // Its links are as far apart as their events are long.
    let sets = "peripheral.event_length=7.5ms peripheral.event_extension=false".to_owned();
    assert_eq!(ended("( 6 )"), (sets, airtime_core::Duration::from_micros(7_500), false));
    // What no key has ends no event either.
    assert_eq!(ended("0xFFFFF").0, "");
}

#[test]
fn a_chip_with_esp_idf_sets_keys_of_bluetooth() {
    let text = "CONFIG_IDF_TARGET=\"esp32\"\nCONFIG_BT_NIMBLE_ATT_PREFERRED_MTU=200\nCONFIG_BT_NIMBLE_MSYS_1_BLOCK_COUNT=24\n\
                CONFIG_BT_NIMBLE_MSYS_1_BLOCK_SIZE=308\nCONFIG_BT_NIMBLE_L2CAP_COC_MPS=300\nCONFIG_LWIP_TCP_WND_DEFAULT=65534\nCONFIG_FREERTOS_HZ=1000\n";
    let files = |end| esp(&[("sdkconfig", text)], end);
    let (plan, lines) = applied("link = \"ble-gatt\"\n", &[], &files(None)).unwrap();
    assert_eq!((param(&plan, "gatt.mtu"), param(&plan, "ble.phy")), ("200".into(), "1M".into()));
    assert_eq!(of(&lines, "CONFIG_BT_NIMBLE_MSYS_1_BLOCK_COUNT").0, "gatt.mbufs=24");
    assert_eq!(of(&lines, "CONFIG_BT_NIMBLE_MSYS_1_BLOCK_SIZE").0, "gatt.mbuf_octets=308 host.coc_mps=300");
    assert!(of(&lines, "CONFIG_LWIP_TCP_WND_DEFAULT").1.contains("Wi-Fi of this chip itself"));
    assert_eq!(of(&lines, "CONFIG_FREERTOS_HZ").1, NOT_MODELLED);
    // The MPS is the receiver's.
    let coc = |end| applied("link = \"ble-coc\"\n", &[], &files(Some(end))).unwrap().1;
    assert_eq!(
        of(&coc(End::Peripheral), "CONFIG_BT_NIMBLE_MSYS_1_BLOCK_SIZE").0,
        "host.coc_mps=300 host.mbuf_octets=308"
    );
    assert_eq!(of(&coc(End::Central), "CONFIG_BT_NIMBLE_MSYS_1_BLOCK_SIZE").0, "coc.mps=300 host.mbuf_octets=308");
    assert!(of(&coc(End::Central), "CONFIG_BT_NIMBLE_L2CAP_COC_MPS").1.contains("no option of ESP-IDF"));
    let refused = applied("link = \"wifi-hosted\"\n", &[], &files(None)).unwrap_err();
    assert!(refused.what.contains("an esp32 has a radio of its own") && refused.line() == Some(1), "{refused}");
}

#[test]
fn a_chip_with_its_host_is_the_device_where_the_plan_names_none() {
    let text =
        "CONFIG_IDF_TARGET=\"esp32s3\"\nCONFIG_BT_NIMBLE_ENABLED=y\nCONFIG_BT_NIMBLE_LL_CFG_FEAT_LE_CODED_PHY=n\n";
    let of_plan = |plan: &str| {
        let files = esp(&[("sdkconfig", text)], None);
        applied(plan, &[], &files).unwrap()
    };
    let (plan, lines) = of_plan("link = \"ble-gatt\"\n");
    let scenario = plan.point(0).unwrap().scenario;
    let own = &scenario.of::<Scenario>().unwrap().peripheral;
    // What the file does not say is this chip's, under this host.
    assert_eq!(of(&lines, "CONFIG_IDF_TARGET").0, "peripheral.personality=esp32c3-nimble");
    assert_eq!((own.controller.margin.as_nanos(), own.host.coc_mps), (1_800_000, 248));
    assert_eq!(of(&lines, "CONFIG_BT_NIMBLE_LL_CFG_FEAT_LE_CODED_PHY").0, "controller.phy_coded=false");
    assert!(!own.controller.phy_coded && own.controller.phy_2m);
    let (plan, lines) = of_plan("link = \"ble-gatt\"\nperipheral.personality = \"ideal\"\n");
    assert!(of(&lines, "CONFIG_IDF_TARGET").1.contains("esp32c3-nimble is this chip"));
    assert_eq!(plan.point(0).unwrap().scenario.of::<Scenario>().unwrap().peripheral.controller.margin.as_nanos(), 0);
}

#[test]
fn files_of_one_board_are_one_build() {
    let defaults = "CONFIG_BT_ENABLED=y\nCONFIG_BT_NIMBLE_ATT_PREFERRED_MTU=512\nCONFIG_LWIP_TCP_WND_DEFAULT=65534\n";
    let own = "CONFIG_BT_NIMBLE_ATT_PREFERRED_MTU=200\n";
    let two = |second: &str| esp(&[("sdkconfig.defaults", defaults), (second, own)], None);
    let (plan, lines) = applied("link = \"ble-gatt\"\n", &[], &two("sdkconfig.defaults.esp32")).unwrap();
    // The second file is above the first, and its name tells the chip.
    assert_eq!((param(&plan, "gatt.mtu"), param(&plan, "ble.phy")), ("200".into(), "1M".into()));
    let mtu: Vec<_> = lines.iter().filter(|line| line.option.ends_with("PREFERRED_MTU")).collect();
    assert!(mtu[0].why.contains("further down") && mtu[1].sets == ["gatt.mtu=200"], "{mtu:?}");
    let (plan, _) = applied("link = \"ble-gatt\"\n", &[], &two("sdkconfig.defaults.esp32s3")).unwrap();
    assert_eq!((param(&plan, "gatt.mtu"), param(&plan, "ble.phy")), ("200".into(), "2M".into()));
    // A board has one build.
    let files = Files {
        files: [two("sdkconfig.defaults.esp32").files, zephyr("CONFIG_BT=y\n", None).files].concat(),
        end: None,
    };
    let refused = applied("link = \"ble-gatt\"\n", &[], &files).unwrap_err();
    assert!(refused.what.starts_with("--sdkconfig and --prj-conf are of one board each"), "{refused}");
}

#[test]
fn files_of_a_host_are_one_build() {
    let applied_with = |second: &str| {
        let first = "CONFIG_IDF_TARGET=\"esp32p4\"\nCONFIG_WIFI_RMT_DYNAMIC_RX_BUFFER_NUM=20\n";
        let files = esp(&[("sdkconfig.defaults", first), ("sdkconfig.local", second)], None);
        applied("link = \"wifi-hosted\"\n", &[], &files).unwrap()
    };
    let (plan, _) = applied_with("CONFIG_WIFI_RMT_DYNAMIC_RX_BUFFER_NUM=40\n");
    assert_eq!(param(&plan, "hosted.wifi_dynamic_rx"), "40");
    assert_eq!(
        (param(&plan, "hosted.wifi_tx_buffers"), param(&plan, "hosted.wifi_static_rx")),
        ("32".into(), "10".into())
    );
    // In external memory transmit buffers are static, and there are more of the others.
    let (plan, lines) =
        applied_with("CONFIG_SPIRAM_TRY_ALLOCATE_WIFI_LWIP=y\nCONFIG_WIFI_RMT_DYNAMIC_TX_BUFFER_NUM=64\n");
    assert_eq!(
        (param(&plan, "hosted.wifi_tx_buffers"), param(&plan, "hosted.wifi_static_rx")),
        ("16".into(), "16".into())
    );
    assert!(of(&lines, "CONFIG_WIFI_RMT_DYNAMIC_TX_BUFFER_NUM").1.contains("of the other kind"));
}

#[test]
fn a_value_with_a_condition_sets_nothing() {
    let config = syscfg("syscfg.vals.BLE_MESH:\n    BLE_ATT_PREFERRED_MTU: 100\n");
    let (plan, lines) = applied("link = \"ble-gatt\"\n", &[], &chip(Build::Mynewt, config, None)).unwrap();
    assert_ne!(param(&plan, "gatt.mtu"), "100");
    assert!(of(&lines, "BLE_ATT_PREFERRED_MTU").1.contains("under a condition alone, BLE_MESH"));
}

#[test]
fn values_of_mynewt_set_keys_of_bluetooth() {
    let config = syscfg(
        "syscfg.vals:\n    BLE_ATT_PREFERRED_MTU: 185\n    BLE_LL_MAX_PKT_SIZE: 100\n    MSYS_1_BLOCK_COUNT: 50\n",
    );
    let (plan, lines) = applied("link = \"ble-gatt\"\n", &[], &chip(Build::Mynewt, config, None)).unwrap();
    assert_eq!((param(&plan, "gatt.mtu"), param(&plan, "ble.data_length")), ("185".into(), "100".into()));
    assert!(of(&lines, "MSYS_1_BLOCK_COUNT").1.contains("gatt.tx_buffers"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn every_line_is_told_and_every_point_runs(
        options in proptest::collection::vec((0..zephyr::OPTIONS.len(), 0_u32..600), 0..12),
        direction in 0..3_usize,
    ) {
        let line = |(option, value): &(usize, u32)| format!("{}={value}\n", zephyr::OPTIONS[*option]);
        let text: String = options.iter().map(line).collect();
        let plan = format!("ble.direction = \"{}\"\nrun.duration = \"3s\"\n", ["p2c", "c2p", "both"][direction]);
        if let Ok((plan, lines)) = applied(&plan, &[], &zephyr(&text, None)) {
            prop_assert_eq!(lines.iter().filter(|line| line.line > 0).count(), options.len());
            prop_assert!(lines.iter().all(|line| !line.sets.is_empty() || !line.why.is_empty()), "{:?}", lines);
            record(&plan, &plan.point(0).unwrap());
        }
    }
}

#[test]
fn every_device_that_a_file_of_a_chip_builds_is_a_personality() {
    let library = Library::builtin();
    let chips = ["esp32", "esp32c3", "esp32s3", "esp32c2", "esp32c5", "esp32c6", "esp32c61", "esp32h2"];
    for (chip, host) in chips.iter().flat_map(|chip| [(chip, "NIMBLE"), (chip, "BLUEDROID")]) {
        let text = format!("CONFIG_IDF_TARGET=\"{chip}\"\nCONFIG_BT_{host}_ENABLED=y\n");
        let (plan, _) = applied("link = \"ble-gatt\"\n", &[], &esp(&[("sdkconfig", &text)], None)).unwrap();
        let device = param(&plan, "peripheral.personality");
        assert!(library.get(&device).is_some() && device.ends_with(&host.to_lowercase()), "{text}: {device}");
    }
}
