//! Byte strings read as HCI logs: what the fuzz target `hci_log` runs, and what the ordinary tests run with random strings and with the
//! corpus in `fuzz/corpus/hci_log`.
//!
//! Most of a string is plausible, events of a few connections and ACL packets between them, so that connections come to streams; the rest
//! is anything.

use airtime_capture::hci::{Hci, Kind};
use airtime_sniff::host::{HostExplained, HostExplainer, HostLink};
use airtime_testing::Script;

/// Strings longer than this add time and no new states.
const OCTETS_MAX: usize = 2048;

/// Reads `bytes` as an HCI log, explains it, and checks what holds for any.
pub fn host(bytes: &[u8]) {
    let mut script = Script::new(bytes, OCTETS_MAX);
    let mut explainer = HostExplainer::default();
    let (mut now, mut packets) = (0_i64, 0);
    while !script.is_over() {
        let kind = script.octet();
        // Clocks of computers are set back now and then.
        now += match kind & 0xf0 {
            0xf0 => -3_600_000_000_000,
            0xc0.. => -9_999_999,
            _ => i64::from(script.octet()) * 700_000,
        };
        let (packet_kind, from_host, data) = packet(&mut script, kind);
        explainer.take(&Hci {
            unix_ns: now,
            adapter: u16::from(kind & 0x20 > 0),
            kind: packet_kind,
            from_host,
            drops: 0,
            octets: data.len() + usize::from(kind & 0x10),
            data: &data,
        });
        packets += 1;
    }
    check(&explainer.finish(), packets);
}

fn packet(script: &mut Script<'_>, kind: u8) -> (Kind, Option<bool>, Vec<u8>) {
    let handle = script.octet() & 3;
    match kind & 0x0f {
        0 => (
            Kind::Event,
            Some(false),
            event(0x3e, &[&[1, 0, handle, 0, 1, 0], script.take(6), &[24, 0, 0, 0, 42, 0, 5]]),
        ),
        1 => (Kind::Event, Some(false), event(0x13, &[&[1, handle, 0, script.octet() & 7, 0]])),
        2 => (Kind::Event, Some(false), event(0x0e, &[&[1, 2, 0x20, 0, 251, 0, script.octet()]])),
        3 => (Kind::Event, Some(false), event(0x3e, &[&[script.octet()], script.take(12)])),
        4 => (Kind::Event, Some(false), event(0x05, &[&[0, handle, 0, 0x13]])),
        5 => (Kind::Command, Some(true), vec![3, 12, 0]),
        6 => (Kind::Event, Some(false), script.packet().to_vec()),
        7 => (Kind::Acl, None, script.packet().to_vec()),
        _ => {
            let from_host = kind & 1 == 0;
            let boundary = if kind & 2 == 0 { 0 } else { script.octet() & 0x30 };
            let payload = script.octets(40);
            // A notification, or whatever it is.
            let mut l2cap = if kind & 4 == 0 { vec![payload.len() as u8 + 1, 0, 4, 0, 0x1b] } else { Vec::new() };
            l2cap.extend_from_slice(payload);
            (Kind::Acl, Some(from_host), [&[handle, boundary, l2cap.len() as u8, 0], &l2cap[..]].concat())
        }
    }
}

fn event(code: u8, parts: &[&[u8]]) -> Vec<u8> {
    let parameters = parts.concat();
    [&[code, parameters.len() as u8], &parameters[..]].concat()
}

/// Every packet is accounted for, and no stream waited for longer than it lasted.
fn check(explained: &HostExplained, packets: u64) {
    assert_eq!(explained.packets, packets);
    let of = |link: &HostLink| link.sent.iter().chain(&link.received).map(|stream| stream.packets).sum::<u64>();
    let streams: u64 = explained.links.iter().map(of).sum();
    assert!(explained.malformed + explained.left_out + explained.other + streams <= packets, "{explained:?}");
    for link in &explained.links {
        assert!(link.held_most >= u64::from(link.completed > 0), "{link:?}");
        assert!(!link.says().is_empty());
        for stream in link.sent.iter().chain(&link.received) {
            let waited: u64 = stream.waits.iter().map(|share| share.ns).sum();
            assert!(waited <= stream.span_ns, "{stream:?}");
            assert!(stream.goodput_kbps.is_finite() && stream.packets > 0);
        }
    }
}
