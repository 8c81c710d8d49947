//! Captures as they come: begun late, with gaps, without directions, across changes of the connection.

use airtime_ble::air::Phy;
use airtime_core::{Duration, Instant};
use airtime_lab::captured::CapturedLink;
use airtime_sniff::{ExplainedLink, Explainer, Mic, Sniffed, Stamps};
use proptest::prelude::*;

use super::capture::{Capture, Kept, capture, disturbed, explain, only};

fn stream(set: &[(&str, &str)]) -> Capture {
    let base = [("coc.credits", "zephyr-seg-recv"), ("run.duration", "6s"), ("run.warmup", "0s")];
    capture(&base.iter().chain(set).copied().collect::<Vec<_>>())
}

fn intervals(link: &CapturedLink) -> Vec<u64> {
    link.explained.intervals.iter().map(|interval| interval.interval_ns / 1_000).collect()
}

fn connection(kept: &[Kept]) -> usize {
    kept.iter().position(|kept| kept.from_central.is_some()).expect("there is a connection")
}

#[test]
fn the_interval_is_exact_whatever_the_sniffer_missed() {
    for (interval, us) in [("7.5ms", 7_500), ("11.25ms", 11_250), ("50ms", 50_000), ("400ms", 400_000)] {
        let capture = stream(&[("ble.conn_interval", interval), ("run.duration", "20s")]);
        for (ppm, lost) in [(50, 0), (-50, 30), (50, 200)] {
            let link = only(explain(&disturbed(&capture.kept, ppm, lost), Stamps::SNIFFER));
            assert_eq!((link.explained.from_start, link.explained.interval_inferred), (true, false));
            assert_eq!(intervals(&link), [us], "{interval} {ppm} {lost}");
        }
    }
}

#[test]
fn a_capture_that_begins_late_infers_the_interval() {
    for (interval, us) in [("7.5ms", 7_500), ("11.25ms", 11_250), ("50ms", 50_000), ("400ms", 400_000)] {
        let capture = stream(&[("ble.conn_interval", interval), ("run.duration", "30s")]);
        let late = connection(&capture.kept) + 400;
        for (ppm, lost) in [(50, 0), (-50, 30), (50, 200)] {
            let link = only(explain(&disturbed(&capture.kept[late..], ppm, lost), Stamps::SNIFFER));
            assert_eq!(
                (link.explained.from_start, link.explained.interval_inferred),
                (false, true),
                "{interval} {ppm} {lost} {:?}",
                link.says
            );
            assert_eq!(intervals(&link), [us], "{interval} {ppm} {lost}: {:#?}", link.says);
            assert!(link.says[0].contains("inferred"), "{:?}", link.says);
            assert!(link.record.steady_ns > 1_000_000_000, "{:?}", link.record.steady_ns);
        }
    }
}

#[test]
fn directions_are_told_from_the_order_of_packets() {
    for set in [&[("ble.conn_interval", "15ms")][..], &[("ble.conn_interval", "15ms"), ("ble.direction", "c2p")][..]] {
        let capture = stream(set);
        let told = disturbed(&capture.kept, 50, 0);
        let untold: Vec<Kept> = told.iter().map(|kept| Kept { from_central: None, ..kept.clone() }).collect();
        let (told, untold) = (only(explain(&told, Stamps::SNIFFER)), only(explain(&untold, Stamps::SNIFFER)));
        assert_eq!(told, untold);
    }
}

#[test]
fn a_change_of_the_interval_is_followed() {
    let capture = stream(&[("ble.conn_interval", "15ms"), ("ble.change_interval", "{ at = \"2s\", to = \"40ms\" }")]);
    let link = only(explain(&disturbed(&capture.kept, 50, 10), Stamps::SNIFFER));
    assert_eq!(intervals(&link), [15_000, 40_000]);
    let late = connection(&capture.kept) + 200;
    let link = only(explain(&disturbed(&capture.kept[late..], 50, 0), Stamps::SNIFFER));
    assert_eq!(intervals(&link), [15_000, 40_000], "{:#?}", link.says);
}

#[test]
fn terms_are_those_negotiated() {
    let set = [
        ("ble.conn_interval", "30ms"),
        ("ble.phy", "1M"),
        ("ble.encrypted", "true"),
        ("ble.data_length", "100"),
        ("ble.frame_space", "100us"),
    ];
    let link = only(explain(&disturbed(&stream(&set).kept, 50, 0), Stamps::SNIFFER));
    let terms = link.record.negotiated.expect("there is a connection");
    assert_eq!((terms.conn_interval.as_str(), terms.phy.as_str(), terms.encrypted), ("30ms", "1M", true));
    assert_eq!((terms.dle.c2p, terms.dle.p2c, link.explained.longest.p2c), (100, 100, 100));
    assert_eq!((terms.mtu, terms.mps, terms.frame_space.as_str()), (Some(2000), Some(247), "100us"));
}

#[test]
fn a_capture_that_begins_late_shows_what_gaps_and_lengths_are_used() {
    let set = [("ble.conn_interval", "15ms"), ("ble.frame_space", "52us"), ("ble.data_length", "200")];
    let capture = stream(&set);
    let late = connection(&capture.kept) + 600;
    let link = only(explain(&disturbed(&capture.kept[late..], 50, 0), Stamps::SNIFFER));
    let terms = link.record.negotiated.expect("the interval is found");
    let space: Duration = terms.frame_space.parse().expect("a time");
    assert!(space.as_micros().abs_diff(52) <= 3, "{space}");
    assert_eq!((terms.dle.p2c, terms.phy.as_str()), (200, "2M"));
    assert!(link.says.iter().any(|says| says.contains("began before the capture")), "{:?}", link.says);
}

#[test]
fn a_link_that_falls_silent_is_said_to() {
    let capture = stream(&[("ble.conn_interval", "15ms"), ("ble.supervision_timeout", "1s"), ("ble.peripherals", "2")]);
    let gone = capture.kept.iter().rev().find(|kept| kept.from_central.is_some()).expect("a connection").link;
    let half = capture.kept[capture.kept.len() - 1].at.as_nanos() / 2;
    let cut = |kept: &&Kept| kept.link != gone || kept.at.as_nanos() < half;
    let kept: Vec<Kept> = capture.kept.iter().filter(cut).cloned().collect();
    for link in explain(&kept, Stamps::EXACT).links {
        let silent = link.explained.ended.is_some_and(|ended| ended.contains("supervision timeout"));
        assert_eq!(silent, link.explained.access_address == format!("0x{gone:08x}"));
    }
}

/// Without the key a sniffer sees lengths only; the books hold with one K-frame per PDU.
#[test]
fn what_cannot_be_decrypted_is_told_by_its_length() {
    let capture = stream(&[("ble.conn_interval", "15ms"), ("ble.encrypted", "true"), ("coc.sdu", "245")]);
    let clear = only(explain(&capture.kept, Stamps::EXACT));
    let mut explainer = Explainer::new(Stamps::EXACT);
    for kept in &capture.kept {
        let mut scrambled = kept.pdu.clone();
        if kept.mic && scrambled.len() > 6 {
            scrambled[2..].iter_mut().for_each(|octet| *octet ^= 0x5a);
        }
        explainer.take(&Sniffed { readable: !kept.mic, mic: Mic::Untold, pdu: &scrambled, ..kept.sniffed() });
    }
    let veiled = only(explainer.finish().into());
    let payload = |link: &CapturedLink| link.record.steady_ledger_ns.get("payload.p2c").copied().unwrap_or(0) as f64;
    assert!((payload(&veiled) / payload(&clear) - 1.0).abs() < 0.01, "{} {}", payload(&veiled), payload(&clear));
    assert!(veiled.says.iter().any(|says| says.contains("not decrypted")), "{:?}", veiled.says);
}

/// A capture that shows payloads decrypted has their MICs cut off; the air was the same.
#[test]
fn a_mic_that_was_cut_off_is_air_all_the_same() {
    let capture = stream(&[("ble.conn_interval", "15ms"), ("ble.encrypted", "true")]);
    let whole = only(explain(&capture.kept, Stamps::EXACT));
    let mut explainer = Explainer::new(Stamps::EXACT);
    for kept in &capture.kept {
        let mut pdu = kept.pdu.clone();
        let mic = if kept.mic && pdu.len() > 6 { Mic::Cut } else { Mic::None };
        if mic == Mic::Cut {
            pdu.truncate(pdu.len() - 4);
            pdu[1] -= 4;
        }
        explainer.take(&Sniffed { mic, pdu: &pdu, ..kept.sniffed() });
    }
    assert_eq!(only(explainer.finish().into()), whole);
}

#[test]
fn what_several_observers_captured_counts_once() {
    let capture = stream(&[("ble.conn_interval", "15ms")]);
    let twice: Vec<Kept> = capture.kept.iter().flat_map(|kept| [kept.clone(), kept.clone()]).collect();
    let (once, twice) = (only(explain(&capture.kept, Stamps::EXACT)), only(explain(&twice, Stamps::EXACT)));
    assert_eq!(ExplainedLink { misplaced: 0, ..twice.explained }, once.explained);
}

#[test]
fn two_links_are_told_apart() {
    let capture = stream(&[("ble.conn_interval", "30ms"), ("ble.peripherals", "2")]);
    let mut kept = disturbed(&capture.kept, 50, 0);
    kept.sort_by_key(|kept| kept.at);
    let explained = explain(&kept, Stamps::SNIFFER);
    assert_eq!(explained.links.len(), 2);
    for link in &explained.links {
        assert_eq!((intervals(link), link.explained.misplaced), (vec![30_000], 0));
        assert!(link.record.delivered_bytes > 10_000);
    }
}

fn phy() -> impl Strategy<Value = Phy> {
    prop::sample::select(&Phy::ALL[..])
}

/// Gap to the packet before, and the packet; its stamp is filled in later.
type Garbage = (u64, Kept, Option<bool>, Mic, bool);

/// A packet of one of a few links with octets of any kind, at any distance from the one before.
fn any_packet() -> impl Strategy<Value = Garbage> {
    let link = prop_oneof![Just(0x8e89_bed6), Just(0x5065_4e12), Just(7), any::<u32>()];
    let gap = prop_oneof![Just(150_000), 0..20_000_000u64, any::<u64>()];
    let pdu = prop_oneof![prop::collection::vec(any::<u8>(), 0..300), whole_pdu()];
    let kept = (link, any::<u8>(), phy(), any::<Option<bool>>(), any::<bool>(), pdu);
    let kept = kept.prop_map(|(link, channel, phy, from_central, mic, pdu)| Kept {
        at: Instant::ZERO,
        link,
        channel,
        phy,
        from_central,
        crc_ok: true,
        mic,
        pdu,
    });
    let mic = prop::sample::select(&[Mic::Untold, Mic::None, Mic::Kept, Mic::Cut][..]);
    (gap, kept, any::<Option<bool>>(), mic, any::<bool>())
}

fn whole_pdu() -> impl Strategy<Value = Vec<u8>> {
    (any::<u8>(), prop::collection::vec(any::<u8>(), 0..40))
        .prop_map(|(first, payload)| [vec![first, payload.len() as u8], payload].concat())
}

proptest! {
    #[test]
    fn no_packets_panic(packets in prop::collection::vec(any_packet(), 0..200)) {
        let mut explainer = Explainer::new(Stamps::SNIFFER);
        let mut at = 0u64;
        for (gap, kept, crc_ok, mic, readable) in &packets {
            at = at.wrapping_add(*gap);
            let (at, crc_ok, mic, readable) = (Instant::from_nanos(at), *crc_ok, *mic, *readable);
            explainer.take(&Sniffed { at, crc_ok, mic, readable, ..kept.sniffed() });
        }
        prop_assert_eq!(explainer.finish().packets, packets.len() as u64);
    }

    /// A capture with octets changed, packets out of order and others put in between.
    #[test]
    fn no_damage_panics(seed in 0..u64::MAX, damages in prop::collection::vec((0..4000usize, 0..300usize, any::<u8>()), 0..60)) {
        static KEPT: std::sync::OnceLock<Vec<Kept>> = std::sync::OnceLock::new();
        let whole = KEPT.get_or_init(|| stream(&[("ble.conn_interval", "15ms"), ("ble.encrypted", "true")]).kept);
        let mut kept = whole[..4000.min(whole.len())].to_vec();
        for (index, octet, value) in damages {
            let (index, other) = (index % kept.len(), (index + octet) % kept.len());
            if let Some(at) = kept[index].pdu.get_mut(octet) {
                *at = value;
            } else if seed % 2 == 0 {
                kept.swap(index, other);
            } else {
                kept[index].at += Duration::from_micros(u64::from(value) * 100);
            }
        }
        let explained = explain(&kept, Stamps::SNIFFER);
        for link in &explained.links {
            let sum: u64 = link.record.ledger_ns.iter().map(|(_, ns)| *ns).sum();
            prop_assert_eq!(sum, link.record.elapsed_ns);
        }
    }
}
