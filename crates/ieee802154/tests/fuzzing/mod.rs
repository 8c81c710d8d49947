//! Byte strings read as frames of a capture: what the fuzz target `heard` runs, and what the ordinary tests run with random strings and
//! with the corpus in `fuzz/corpus/heard`.

use airtime_core::Pool;
use airtime_ieee802154::heard::{Heard, reads};
use airtime_ieee802154::lowpan::{Mesh, Reassembly};
use airtime_testing::Script;

/// Strings longer than this add time and no new states.
const OCTETS_MAX: usize = 4096;

/// Tells the nodes of `bytes` as a capture, and checks what holds for any.
pub fn heard(bytes: &[u8]) {
    let mut script = Script::new(bytes, OCTETS_MAX);
    let (mut heard, mut taken, mut now) = (Heard::default(), 0, 0);
    let mut reassembly = Reassembly::default();
    while !script.is_over() {
        let shape = script.octet();
        let link_type = [195, 230, 283][usize::from(shape % 3)];
        assert!(reads(link_type));
        now += i64::from(shape) * 10_000;
        let cut = if shape & 0x70 == 0 { usize::from(script.octet()) } else { 0 };
        let packet = script.octets(200);
        taken += u64::from(heard.take(now, link_type, packet, packet.len() + cut));
        adapted(&mut reassembly, packet);
    }
    let told = heard.finish();
    let frames: u64 = told.nodes.iter().map(|node| node.data + node.others).sum();
    assert_eq!(frames + told.acks + told.damaged + told.version_2 + told.left_out, taken);
    for node in &told.nodes {
        assert!(node.acked <= node.asked && node.asked <= node.data && node.repeated <= node.data);
    }
}

/// Takes `octets` as a frame of 6LoWPAN, and checks what holds for any.
fn adapted(reassembly: &mut Reassembly, octets: &[u8]) {
    let mut onward = Pool::new().copy(octets);
    let passed = Mesh::pass_on(&mut onward);
    let Ok((mesh, rest)) = Mesh::parse(octets) else { return };
    let left = |octets| Mesh::parse(octets).ok().and_then(|(mesh, _)| mesh).map(|mesh| mesh.hops_left);
    if passed {
        assert_eq!(left(&onward), mesh.map(|mesh| mesh.hops_left - 1));
    }
    if let Ok(Some(whole)) = reassembly.take(rest) {
        assert!(whole.payload <= 2_047);
    }
}
