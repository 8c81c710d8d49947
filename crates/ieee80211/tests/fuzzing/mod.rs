//! Byte strings read as frames of a capture: what the fuzz target `heard` runs, and what the ordinary tests run with random strings and
//! with the corpus in `fuzz/corpus/heard`.

use airtime_ieee80211::heard::{Heard, LINK_TYPE_BARE, reads};
use airtime_ieee80211::wire::{Frame, Management, amsdu::Subframes, espnow::Bodies};
use airtime_testing::Script;

/// Strings longer than this add time and no new states.
const OCTETS_MAX: usize = 4096;

/// Subframes of an A-MSDU and bodies of ESP-NOW are no longer than what they are in.
fn parts(packet: &[u8]) {
    match Frame::parse(packet) {
        Ok(Frame::Data { payload, .. }) => {
            let octets: usize = Subframes::new(payload).map(|subframe| subframe.msdu.len()).sum();
            assert!(octets <= payload.len());
        }
        Ok(Frame::Management { body: Management::Action { category, body }, .. }) => {
            let octets = Bodies::parse(category, body).map_or(0, Bodies::octets);
            assert!(octets <= body.len());
        }
        _ => {}
    }
}

/// Tells the stations of `bytes` as a capture, and checks what holds for any.
pub fn heard(bytes: &[u8]) {
    let mut script = Script::new(bytes, OCTETS_MAX);
    let (mut heard, mut taken, mut now) = (Heard::default(), 0, 0);
    while !script.is_over() {
        let shape = script.octet();
        let link_type = if shape & 1 == 0 { 127 } else { LINK_TYPE_BARE };
        assert!(reads(link_type));
        let cut = if shape & 6 == 0 { usize::from(script.octet()) } else { 0 };
        let packet = script.octets(200);
        now += i64::from(shape) * 1_000;
        taken += u64::from(heard.take(now, link_type, packet, packet.len() + cut));
        parts(packet);
    }
    let told = heard.finish();
    let frames: u64 = told.stations.iter().map(|station| station.frames()).sum();
    let others = told.acks + told.block_acks + told.rts + told.cts + told.others + told.damaged + told.left_out;
    assert_eq!(frames + others, taken);
    for station in &told.stations {
        assert!(station.retries <= station.frames() && station.rates.values().sum::<u64>() <= station.frames());
    }
}
