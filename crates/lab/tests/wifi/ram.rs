//! Buffers in the RAM of both chips.

use airtime_lab::record::Ram;
use airtime_lab::{Library, Plan};

fn of(text: &str) -> Vec<Ram> {
    let text = format!("link = \"wifi-hosted\"\n{text}");
    let plan = Plan::parse("x.toml", &text, &Library::builtin(), &[]).unwrap();
    plan.point(0).unwrap().scenario.ram()
}

fn octets(classes: &[Ram], chip: &str) -> u64 {
    classes.iter().filter(|class| class.chip == chip).map(|class| class.octets).sum()
}

#[test]
fn bigger_buffers_have_a_price() {
    let published = of("traffic.kind = \"tcp\"\n");
    // 20 and 20 blocks of 1536, 16 static, 64 dynamic receive and 64 transmit buffers of 1600.
    assert_eq!(octets(&published, "co-processor"), 40 * 1_536 + 144 * 1_600);
    let bigger = of("traffic.kind = \"tcp\"\nhosted.rx_buffers = 60\nlwip.snd_buf = 65534\nhosted.tx_queue = 60\n");
    assert_eq!(octets(&bigger, "co-processor") - octets(&published, "co-processor"), 40 * 1_536);
    assert_eq!(octets(&bigger, "host") - octets(&published, "host"), 40 * 1_536);
    assert!(published.iter().all(|class| class.octets == class.count * class.each && class.octets < class.of));
}

#[test]
fn the_air_alone_has_no_buffers() {
    assert!(of("hosted.bus = \"none\"\n").is_empty());
}
