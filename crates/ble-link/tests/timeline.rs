//! Timelines of real runs, compared with what was on the air, on the HCI and in the trace.

use airtime_ble::air::Phy;
use airtime_ble::host::Role;
use airtime_ble::medium::{Place, Transmission};
use airtime_ble::trace::{EventEnd, Trace, Verdict};
use airtime_ble_link::capture::TimelineCapture;
use airtime_core::{Duration, Instant, Pool};

use crate::captured::{Captured, captured};
use crate::perfetto::{Slice, Track, tracks};

const SPAN: Duration = Duration::from_secs(6);
const COC: &[(&str, &str)] = &[("link", "ble-coc"), ("run.duration", "9s"), ("ble.phy", "2M")];

fn with(more: &[(&'static str, &'static str)]) -> Captured {
    captured(&[COC, more].concat(), SPAN)
}

/// Role, access address and device of every end.
fn ends(run: &Captured) -> Vec<(Role, u32, usize)> {
    let opened = run.traces.iter().filter_map(|(_, device, trace)| match trace {
        Trace::ConnectionOpened { link, role, .. } => Some((*role, *link, *device)),
        _ => None,
    });
    opened.collect()
}

fn path(role: Role, link: u32, device: usize, track: &str) -> String {
    let role = if role == Role::Central { "central" } else { "peripheral" };
    format!("device {device}/link {link:#010x}, {role}/{track}")
}

fn track(run: &Captured, (role, link, device): (Role, u32, usize), name: &str) -> Track {
    let mut timeline = run.timeline.clone();
    tracks(timeline.sink()).remove(&path(role, link, device, name)).unwrap_or_default()
}

const RUNS: [&[(&str, &str)]; 5] = [
    &[],
    &[("coc.credits", "batched"), ("central.personality", "zephyr-ll"), ("peripheral.personality", "zephyr-ll")],
    &[("ble.loss.ber", "3e-5")],
    &[("ble.peripherals", "2"), ("ble.encrypted", "true")],
    &[("ble.latency", "4"), ("ble.loss.ber", "1e-5")],
];

#[test]
fn every_packet_is_a_slice_at_its_sender_and_its_receiver() {
    for keys in RUNS {
        let run = with(keys);
        for end in ends(&run) {
            let (role, link, _) = end;
            let shown = track(&run, end, "PDUs").slices;
            let expected: Vec<_> = run
                .sent
                .iter()
                .filter_map(|sent| {
                    let Place::Event { from_central, .. } = sent.transmission.place else { return None };
                    let mine = from_central == (role == Role::Central);
                    (sent.transmission.link == link && (mine || sent.verdict != Verdict::Unheard)).then(|| {
                        let octets = sent.transmission.packet.len() - 2;
                        let direction = if from_central { "c2p" } else { "p2c" };
                        let (start, end) = (sent.transmission.start.as_nanos(), sent.transmission.end.as_nanos());
                        (start, end, mine, octets.to_string(), direction.to_string())
                    })
                })
                .collect();
            let mine = |slice: &Slice| slice.name.starts_with("tx ");
            let note = |slice: &Slice, name: &str| slice.notes[name].clone();
            let shown: Vec<_> =
                shown.iter().map(|s| (s.from, s.to, mine(s), note(s, "octets"), note(s, "direction"))).collect();
            assert_eq!(shown, expected, "{keys:?} {role:?}");
        }
    }
}

#[test]
fn events_begin_at_anchors_and_are_as_traced() {
    for keys in RUNS {
        let run = with(keys);
        for end in ends(&run) {
            let (role, link, _) = end;
            let shown = track(&run, end, "connection events");
            let closed: Vec<_> = run
                .traces
                .iter()
                .filter_map(|(_, _, trace)| match trace {
                    Trace::EventClosed { link: l, role: r, counter, exchanges, .. } if (*l, *r) == (link, role) => {
                        Some((counter.to_string(), exchanges.to_string()))
                    }
                    _ => None,
                })
                .collect();
            let missed = shown.instants.iter().filter(|(_, name)| name == "nothing heard").count();
            // The event that runs when the capture ends may be closed and not shown.
            assert!(closed.len() - (shown.slices.len() + missed) <= 1, "{keys:?} {role:?}: {}", closed.len());
            for slice in &shown.slices {
                let event = (slice.notes["counter"].clone(), slice.notes["exchanges"].clone());
                assert!(closed.contains(&event), "{event:?}");
                let opens = run.sent.iter().any(|sent| {
                    let opens = matches!(sent.transmission.place, Place::Event { opens: true, .. });
                    opens && sent.transmission.link == link && sent.transmission.start.as_nanos() == slice.from
                });
                assert!(opens, "{slice:?} begins with no anchor");
            }
            assert!(shown.slices.len() > 20, "{keys:?} {role:?}");
        }
    }
}

#[test]
fn events_and_stalls_leave_no_gap() {
    for keys in RUNS {
        let run = with(keys);
        for end in ends(&run) {
            let mut spans = track(&run, end, "connection events").slices;
            let events = spans.len();
            spans.extend(track(&run, end, "stalls").slices);
            spans.sort_by_key(|slice| (slice.from, slice.to));
            let gap = spans.windows(2).find(|pair| pair[0].to > pair[1].from);
            assert_eq!(gap, None, "{keys:?}: an event and a stall at once");
            let gaps = spans.windows(2).filter(|pair| pair[0].to < pair[1].from).count();
            // A peripheral with latency sleeps through events: those are marked and end a stall.
            if end.0 == Role::Central || !keys.iter().any(|(key, _)| *key == "ble.latency") {
                assert_eq!(gaps, 0, "{keys:?} {:?}", end.0);
                assert!(spans.len() >= 2 * events - 1, "{keys:?}: a stall behind every event but the last");
            }
        }
    }
}

#[test]
fn every_packet_is_within_an_event() {
    for keys in RUNS {
        let run = with(keys);
        for end in ends(&run) {
            let events = track(&run, end, "connection events").slices;
            let over = events.last().expect("there were events").to;
            for pdu in track(&run, end, "PDUs").slices.iter().filter(|pdu| pdu.to <= over) {
                let within = events.iter().any(|event| event.from <= pdu.from && pdu.to <= event.to);
                assert!(within, "{keys:?} {:?}: {pdu:?}", end.0);
            }
        }
    }
}

#[test]
fn the_queue_is_what_went_in_less_what_was_reported() {
    let run = with(&[]);
    for end in ends(&run) {
        let mut queued = 0u64;
        let mut expected = vec![];
        for (now, _, from_host, packet) in run.crossed.iter().filter(|(_, device, ..)| *device == end.2) {
            match packet[..] {
                [2, ..] if *from_host => queued += 1,
                [4, 0x13, 5, 1, _, _, low, high] => queued -= u64::from(u16::from_le_bytes([low, high])),
                _ => continue,
            }
            expected.push((now.as_nanos(), queued));
        }
        let shown = track(&run, end, "ACL packets in the controller").counts;
        assert_eq!(shown[1..], expected[..], "behind the zero it begins with");
        assert!(expected.len() > 20);
    }
}

const LINK: u32 = 0x5065_4e12;

fn at(us: u64) -> Instant {
    Instant::from_nanos(us * 1_000)
}

/// A timeline of a central with one connection, opened at 0.
fn opened() -> TimelineCapture<Vec<u8>> {
    let mut timeline = TimelineCapture::new(Vec::new(), &["device 0"]);
    timeline.trace(at(0), 0, &Trace::ConnectionOpened { link: LINK, role: Role::Central, handle: 2 }, None);
    timeline
}

fn shown(timeline: TimelineCapture<Vec<u8>>, name: &str) -> Track {
    tracks(&timeline.into_sink()).remove(&path(Role::Central, LINK, 0, name)).unwrap_or_default()
}

#[test]
fn several_completed_packets_of_several_handles() {
    let mut timeline = opened();
    for us in 1..=5 {
        timeline.hci(at(us), 0, true, &[2, 2, 0, 0, 0]);
    }
    timeline.hci(at(6), 0, true, &[2, 3, 0, 0, 0]);
    timeline.hci(at(7), 1, true, &[2, 2, 0, 0, 0]);
    timeline.hci(at(8), 0, false, &[2, 2, 0x20, 0, 0]);
    timeline.hci(at(9), 0, false, &[4, 0x13, 9, 2, 3, 0, 1, 0, 2, 0, 4, 0]);
    let counts: Vec<_> = shown(timeline, "ACL packets in the controller").counts.into_iter().map(|(_, n)| n).collect();
    assert_eq!(counts, [0, 1, 2, 3, 4, 5, 1]);
}

/// The packet of 80 µs that opens an event at `us`.
fn opening(counter: u16, us: u64) -> Transmission {
    Transmission {
        link: LINK,
        channel: 0,
        phy: Phy::Le1M,
        start: at(us),
        end: at(us + 80),
        unsent: Duration::ZERO,
        place: Place::Event { counter, opens: true, from_central: true },
        encrypted: false,
        packet: Pool::new().copy(&[1, 0]),
    }
}

fn closed(counter: u16, end: EventEnd) -> Trace {
    Trace::EventClosed { link: LINK, role: Role::Central, counter, end, exchanges: 1, had_data: false }
}

/// Beginnings and ends in µs, and names.
fn spans(track: Track) -> Vec<(u64, u64, String)> {
    track.slices.into_iter().map(|slice| (slice.from / 1_000, slice.to / 1_000, slice.name)).collect()
}

#[test]
fn an_event_given_up_while_it_opens() {
    let mut timeline = opened();
    timeline.transmission(&opening(0, 1_000), Verdict::New);
    timeline.trace(at(1_080), 0, &closed(0, EventEnd::Empty), None);
    // The packet is heard of when it ends, behind what came of not hearing it.
    timeline.trace(at(2_050), 0, &closed(1, EventEnd::Silence), None);
    timeline.transmission(&opening(1, 2_000), Verdict::Unheard);
    timeline.transmission(&opening(2, 3_000), Verdict::Unheard);
    let stalls = spans(shown(timeline.clone(), "stalls"));
    assert_eq!(stalls, [(1_080, 2_000, "loss".into()), (2_050, 3_000, "loss".into())]);
    let events = shown(timeline, "connection events");
    assert_eq!(events.instants, [(2_050_000, "nothing heard".into())]);
    assert_eq!(spans(events), [(1_000, 1_080, "event".into())]);
}

#[test]
fn a_gap_goes_on_through_an_event_without_anchor() {
    let mut timeline = opened();
    timeline.transmission(&opening(0, 1_000), Verdict::New);
    // It closes while its last packet is still to come.
    timeline.trace(at(1_050), 0, &closed(0, EventEnd::Tail), None);
    timeline.trace(at(9_000), 0, &closed(1, EventEnd::Silence), None);
    timeline.transmission(&opening(2, 16_000), Verdict::Unheard);
    timeline.trace(at(16_500), 0, &closed(2, EventEnd::Cap), None);
    let events = spans(shown(timeline.clone(), "connection events"));
    assert_eq!(events, [(1_000, 1_080, "event".into()), (16_000, 16_500, "event".into())]);
    assert_eq!(spans(shown(timeline, "stalls")), [(1_080, 16_000, "loss".into())]);
}

#[test]
fn one_credit_comes_and_goes() {
    let run = with(&[("coc.credits", "zephyr-recv"), ("ble.encrypted", "true")]);
    let sender = ends(&run).into_iter().find(|(role, ..)| *role == Role::Peripheral).expect("a connection");
    let counts: Vec<u64> =
        track(&run, sender, "credits for channel 0x0040").counts.into_iter().map(|(_, value)| value).collect();
    assert!(counts.len() > 20);
    for (n, value) in counts.iter().enumerate() {
        assert_eq!(*value, u64::from(n % 2 == 0), "a K-frame spends the one credit, a grant brings it back");
    }
}

#[test]
fn stalls_of_a_sender_without_credits_say_so() {
    let run = with(&[("coc.credits", "zephyr-recv")]);
    let sender = ends(&run).into_iter().find(|(role, ..)| *role == Role::Peripheral).expect("a connection");
    let stalls = track(&run, sender, "stalls").slices;
    let credits: u64 = stalls.iter().filter(|s| s.name == "idle.credits").map(|s| s.to - s.from).sum();
    assert!(credits > SPAN.as_nanos() / 2, "{credits} ns");
}
