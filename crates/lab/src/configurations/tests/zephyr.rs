//! Findings about a `prj.conf`, and the block that ends them.

use proptest::prelude::*;

use super::super::{Block, Build, Configuration, End, Finding, Gain, Weight};

/// Options that set something, or may: those of keys, and those that others follow from.
pub const OPTIONS: [&str; 17] = [
    "CONFIG_BT_BUF_ACL_TX_COUNT",
    "CONFIG_BT_BUF_ACL_TX_SIZE",
    "CONFIG_BT_BUF_ACL_RX_SIZE",
    "CONFIG_BT_BUF_ACL_RX_COUNT",
    "CONFIG_BT_L2CAP_TX_BUF_COUNT",
    "CONFIG_BT_L2CAP_TX_MTU",
    "CONFIG_BT_CTLR_DATA_LENGTH_MAX",
    "CONFIG_BT_CTLR_RX_BUFFERS",
    "CONFIG_BT_CTLR_PHY_2M",
    "CONFIG_BT_CONN_TX_MAX",
    "CONFIG_BT_ATT_TX_COUNT",
    "CONFIG_BT_PERIPHERAL_PREF_MIN_INT",
    "CONFIG_BT_PERIPHERAL_PREF_MAX_INT",
    "CONFIG_BT_CTLR_SDC_TX_PACKET_COUNT",
    "CONFIG_BT_HCI_ACL_FLOW_CONTROL",
    "CONFIG_BT_H4",
    "CONFIG_BT_CTLR_ADV_EXT",
];

const END: Option<End> = Some(End::Peripheral);

fn check(config: &Configuration) -> Vec<Finding> {
    super::super::check(Build::Zephyr, config, END)
}

fn block(config: &Configuration) -> Block {
    super::super::block(Build::Zephyr, config, END)
}

fn gains(config: &Configuration, lines: &[String]) -> Vec<Gain> {
    super::super::gains(Build::Zephyr, config, lines, END)
}

fn read(text: &str) -> Configuration {
    Configuration::parse("prj.conf", text).unwrap()
}

#[test]
fn an_empty_file_is_a_build_of_short_packets() {
    let config = read("CONFIG_BT=y\nCONFIG_BT_PERIPHERAL=y\n");
    let block = block(&config);
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
    for gain in gains(&config, &block.lines) {
        assert!(gain.after_kbps > 3.0 * gain.before_kbps, "{gain:?}");
    }
    assert!(check(&config).iter().any(|finding| finding.says.contains("30 to 50 ms")));
    assert!(check(&block.applied(&config)).iter().all(|finding| finding.weight == Weight::Note));
}

#[test]
fn slips_of_the_pen_are_told() {
    let found = check(&read("CONFIG_BT_BUF_ACL_TX_CUONT=10\nCONFIG_BT_CTLR_RX_BUFFERS=90\n"));
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
        let block = block(&config);
        prop_assert!(block.left.is_empty(), "{:?}", block);
        prop_assert!(check(&block.applied(&config)).iter().all(|finding| finding.weight == Weight::Note));
    }
}
