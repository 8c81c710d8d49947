//! The link as plans have it: what is read, what is refused, and what a run of it comes to.

use std::cell::Cell;

use airtime_capture::pcapng::Packets;
use airtime_core::Duration;
use airtime_core::event_loop::STEPS_BETWEEN_LOOKS;
use airtime_ieee802154::lowpan::{PAYLOAD_MAX, PAYLOAD_MIN};
use airtime_ieee802154::plan::{Ieee802154, Mac, Point};
use airtime_ieee802154::wire::tap::{LINK_TYPE, Tap};
use airtime_keys::{Key, Value};
use airtime_link::{Capture, Captures, Form, Link, Ordered, Origin, Scenario, Sink, Told};
use airtime_net::traffic::{DATAGRAM_MIN, Traffic};

fn point(set: &[(&str, Value)]) -> Result<Point, String> {
    let set: Vec<(String, Value)> = set.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
    let source = move |key: &'static Key| set.iter().find(|(name, _)| name == key.name).map(|(_, value)| value.clone());
    Point::read(&source).map_err(|fault| fault.what)
}

/// Mean backoffs, so that nothing is drawn.
fn exact(set: &[(&str, Value)]) -> Point {
    point(&[&[("ieee802154.backoff", "mean".into())], set].concat()).expect("these keys go together")
}

#[test]
fn a_lone_sender_is_the_closed_form() {
    // 3.5 periods of 320 us, CCA 128, turnaround 192, 133 octets of 32, turnaround 192, acknowledgement 352, LIFS 640 us.
    let cycle = Duration::from_micros(1_120 + 128 + 192 + 133 * 32 + 192 + 352 + 640);
    let point = exact(&[("run.duration", "60s".into()), ("run.warmup", "0us".into())]);
    let ran = point.ran(1);
    assert_eq!(ran.random_draws, 0);
    let arrives = Duration::from_micros(1_120 + 128 + 192 + 133 * 32);
    assert_eq!(ran.carried.unwrap().octets, 116 * ((Duration::from_secs(60) - arrives) / cycle + 1));
    // All but the first are handed over while the space behind the last one runs.
    assert_eq!(ran.latency.map(|latency| latency.p50), Some(arrives + Duration::from_micros(640)));
    assert_eq!(ran.setup, arrives);
}

#[test]
fn books_of_run_and_steady_state_balance() {
    for stations in [1, 7] {
        let set = [("ieee802154.stations", Value::from(stations)), ("ieee802154.loss.per", 0.1.into())];
        let ran = point(&set).unwrap().ran(3);
        let sum = |books: &[(&str, Duration)]| books.iter().map(|(_, time)| *time).sum::<Duration>();
        assert_eq!((sum(&ran.books), sum(&ran.steady_books)), (ran.elapsed, ran.steady), "{stations} stations");
        assert_eq!(ran.steady, Duration::from_secs(58));
        assert_eq!(ran.outcome, "ok");
        assert_eq!(ran, point(&set).unwrap().ran(3), "the same seed gives the same figures");
    }
}

#[test]
fn contradictions_name_their_keys() {
    let wrong = |name: &str, value: Value| point(&[(name, value)]).expect_err("a contradiction");
    assert!(wrong("ieee802154.payload", 117.into()).contains("leave 116 of 127"), "short addresses in one PAN");
    assert!(wrong("ieee802154.min_be", 6.into()).starts_with("`ieee802154.min_be`"));
    assert!(wrong("ieee802154.security", "enc".into()).contains("reserved since 2015"));
    assert!(wrong("run.warmup", "60s".into()).contains("not longer than the warm-up"));
    let both = point(&[("traffic.payload", 500.into()), ("ieee802154.payload", 50.into())]);
    assert!(both.expect_err("one or the other").starts_with("`traffic.payload` and `ieee802154.payload`"));
    let anonymous = point(&[("traffic.payload", 500.into()), ("ieee802154.source", "none".into())]);
    assert!(anonymous.expect_err("nobody sends").contains("addresses of both ends"));
    let mean = point(&[("ieee802154.backoff", "mean".into()), ("ieee802154.stations", 2.into())]);
    assert!(mean.expect_err("they collide for ever").starts_with("`ieee802154.backoff`"));
}

#[test]
fn a_datagram_has_room_for_its_stamp_and_fits_the_mtu() {
    assert_eq!((PAYLOAD_MIN, PAYLOAD_MAX), (DATAGRAM_MIN, 1_280 - 40 - 8));
    let payload = |octets: u16| point(&[("traffic.payload", octets.into())]);
    for (octets, near) in [(1, "16"), (15, "16"), (1_233, "1232"), (1_472, "1232")] {
        let set = move |key: &'static Key| (key.name == "traffic.payload").then(|| Value::from(octets));
        let fault = Point::read(&set).expect_err("out of its range");
        assert_eq!(
            (&*fault.what, fault.nearest.as_deref()),
            (
                "`traffic.payload`: a datagram has 16 to 1232 octets: the stamp of a test takes 16, and IPv6 over 802.15.4 has an MTU of \
                 1280 (RFC 4944, 4), 48 of which are headers of IPv6 and UDP",
                Some(near)
            )
        );
    }
    let least = payload(16).expect("a stamp");
    assert_eq!(least.fitting(Traffic::PAYLOAD, 16), [u64::from(PAYLOAD_MAX)]);
    assert!(payload(1_232).is_ok());
}

#[test]
fn datagrams_go_in_fragments() {
    let set = [
        ("traffic.payload", Value::from(1_232)),
        ("ieee802154.security", "enc-mic-32".into()),
        ("ieee802154.key_id_mode", "index".into()),
        ("run.duration", "60s".into()),
        ("run.warmup", "0us".into()),
    ];
    let point = exact(&set);
    let ran = point.ran(1);
    // Twelve PSDUs of 122 octets, 6.72 ms each; one of 114, 6.464 ms, of which 1.184 ms are behind its arrival.
    let arrives = Duration::from_micros(12 * 6_720 + 6_464 - 1_184);
    let whole = 1 + (Duration::from_secs(60) - arrives) / Duration::from_micros(87_104);
    assert_eq!(ran.carried.unwrap().octets, 1_232 * whole);
    assert_eq!(ran.counters.get("datagrams.delivered"), Some(&whole));
    assert_eq!(ran.setup, arrives);
    let mut names = Vec::new();
    point.show(&mut |key, _| names.push(key.name));
    assert!(names.contains(&"traffic.payload") && names.contains(&"ieee802154.ip_addresses"));
    assert!(!names.contains(&"ieee802154.payload") && !names.contains(&"traffic.kind"));
}

#[test]
fn datagrams_go_over_routers() {
    let set = [
        ("traffic.payload", Value::from(40)),
        ("ieee802154.hops", 3.into()),
        ("ieee802154.offered", "640bps".into()),
        ("run.duration", "20s".into()),
    ];
    let point = exact(&set);
    let ran = point.ran(1);
    // Mesh-local addresses: 25 octets of them, of UDP and of IPv6, six of a mesh header, 11 of the MAC: 88 with what the PHY adds.
    let arrives = 1_120 + 128 + 192 + 88 * 32;
    let way = Duration::from_micros(3 * arrives + 2 * (192 + 352));
    assert_eq!(ran.latency.map(|latency| latency.p99), Some(way));
    assert_eq!(ran.counters.get("routers.data.sent"), Some(&(2 * 36)));
    let mut names = Vec::new();
    point.show(&mut |key, _| names.push(key.name));
    assert!(names.contains(&"ieee802154.hops") && !names.contains(&"ieee802154.reach"));
    let wrong = |more: (&str, Value)| self::point(&[&set[..], &[more]].concat()).expect_err("a contradiction");
    assert!(wrong(("ieee802154.ip_addresses", "link-local".into())).starts_with("`ieee802154.hops`"));
    let plain = self::point(&[("ieee802154.hops", 2.into())]).expect_err("plain frames");
    assert!(plain.contains("several hops take datagrams"));
}

/// Eight senders behind a router: what it does for seven of them is no price of the hop.
#[test]
fn senders_that_share_a_router_contend() {
    let set = |stations: u8| {
        let keys = [
            ("traffic.payload", Value::from(60)),
            ("ieee802154.hops", 2.into()),
            ("ieee802154.retries", 15.into()),
            ("ieee802154.retry_access", true.into()),
        ];
        point(&[&keys[..], &[("ieee802154.stations", stations.into())]].concat())
            .expect("these keys go together")
            .ran(1)
    };
    let (one, eight) = (set(1), set(8));
    assert!(one.says.contains("1 router sends every frame again") && one.bottleneck == "forwarding", "{}", one.says);
    assert_eq!(eight.bottleneck, "other_stations");
    assert!(eight.says.contains("8 senders share the channel"), "{}", eight.says);
}

#[test]
fn frames_go_over_a_uart() {
    let of = |baud: Option<u64>| {
        let set = |baud: u64| vec![("ieee802154.rcp", "senders".into()), ("ieee802154.rcp_baud", baud.into())];
        exact(&baud.map_or_else(Vec::new, set)).ran(1)
    };
    let (none, slow) = (of(None), of(Some(115_200)));
    assert_eq!((slow.bottleneck, slow.counters.get("uart.octets").is_some()), ("idle.uart", true));
    assert!(slow.says.contains("octets on the co-processor's UART of 115200 baud"), "{}", slow.says);
    assert!(none.counters.get("uart.octets").is_none());
    assert!(slow.carried.unwrap().octets * 3 < none.carried.unwrap().octets);
}

#[test]
fn a_receiver_may_have_a_co_processor() {
    let set = [
        ("traffic.payload", Value::from(1_000)),
        ("ieee802154.rcp", "receiver".into()),
        ("ieee802154.rcp_baud", 115_200.into()),
    ];
    let ran = exact(&set).ran(1);
    assert_eq!(
        (ran.bottleneck, &*ran.outcome),
        ("incomplete", "nothing arrived"),
        "every datagram lacks some of its fragments"
    );
    assert!(ran.says.contains("the receiver's co-processor had no room for"), "{}", ran.says);
    assert!(ran.counters.get("drops.rcp_buffer").is_some_and(|&lost| lost > 100));
}

/// A frame that is lost in the buffer of a co-processor was acknowledged, and has arrived nowhere.
#[test]
fn a_plain_frame_that_found_no_room_is_lost() {
    let set = [("ieee802154.rcp", Value::from("receiver")), ("ieee802154.rcp_baud", 57_600.into())];
    let ran = exact(&set).ran(1);
    let params = Ordered::new();
    let told =
        Told { counters: &ran.counters, steady: ran.steady, accepted_kbps: None, negotiated: None, params: &params };
    let delivery = Ieee802154.delivery(&told);
    let count = |name| told.count(name);
    assert_eq!(delivery.arrived * 116, ran.carried.unwrap().octets);
    assert!(delivery.lost.abs_diff(count("drops.rcp_buffer")) <= 1 && delivery.lost_share() > 0.5, "{delivery:?}");
    assert!(count("data.delivered") > delivery.arrived + delivery.lost - 20);
    assert_eq!(count("uart.octets"), count("uart.octets.receiver"));
}

#[test]
fn keys_that_mean_nothing_are_not_shown() {
    let shown = |point: &Point| {
        let mut names = Vec::new();
        point.show(&mut |key, _| names.push(key.name));
        names
    };
    let all = shown(&point(&[]).unwrap());
    assert!(all.contains(&Mac::MIN_BE.name) && !all.contains(&Mac::KEY_ID_MODE.name));
    let direct = shown(&point(&[("ieee802154.csma", false.into()), ("ieee802154.ack", false.into())]).unwrap());
    for key in [Mac::MIN_BE, Mac::MAX_BE, Mac::MAX_BACKOFFS, Mac::BACKOFF, Mac::RETRIES] {
        assert!(!direct.contains(&key.name), "{}", key.name);
    }
    let keys: usize = Ieee802154.tables().iter().map(|table| table.keys.len()).sum();
    assert!(all.len() < keys);
}

#[test]
fn a_capture_has_every_frame_behind_its_header() {
    let point = exact(&[("run.duration", "100ms".into()), ("run.warmup", "0us".into())]);
    assert_eq!(point.captures(Form::Air).map(|views| views.len()), Ok(1));
    assert!(point.captures(Form::Host).is_err(), "there is no HCI");
    let mut capture = Vec::new();
    let wanted = vec![Capture { form: Form::Air, view: 0, sink: &mut capture }];
    point.captured(1, Captures { wanted, origin: Origin::VIRTUAL, apart: false, stop: &|| false });
    let (mut frames, mut last) = (0, None);
    for packet in Packets::new(&capture) {
        let packet = packet.expect("a whole capture");
        assert_eq!(packet.link_type, LINK_TYPE);
        let (tap, frame) = Tap::parse(packet.data).expect("a TAP header");
        let stamp = tap.end.map(|end| Origin::VIRTUAL.unix_nanos(end).cast_signed());
        assert_eq!(stamp, Some(packet.unix_ns));
        assert!(last < stamp, "in the order of their ends");
        let expected = if frames % 2 == 0 { 127 } else { 5 };
        assert_eq!(frame.len(), expected, "data and acknowledgements take turns");
        (frames, last) = (frames + 1, stamp);
    }
    assert_eq!(frames, 2 * (100_000 / 6_880), "whole cycles of 6.88 ms");
}

#[test]
fn a_run_that_nobody_wants_is_left() {
    let point = exact(&[("run.duration", "1000s".into())]);
    let mut capture = Vec::new();
    let wanted = vec![Capture { form: Form::Air, view: 0, sink: &mut capture }];
    let looks = Cell::new(0);
    let stop = || looks.replace(looks.get() + 1) == 2;
    point.captured(1, Captures { wanted, origin: Origin::VIRTUAL, apart: false, stop: &stop });
    // Two looks have passed, and no packet ends without a step.
    let packets = Packets::new(&capture).filter(Result::is_ok).count();
    assert!((1..=2 * STEPS_BETWEEN_LOOKS as usize).contains(&packets), "{packets} of some 290,000");
}

/// A disk that is full from so many octets on.
struct Full {
    left: usize,
    asked: usize,
}

impl Sink for Full {
    fn put(&mut self, bytes: &[u8]) {
        self.asked += 1;
        self.left = self.left.saturating_sub(bytes.len());
    }

    fn has_failed(&self) -> bool {
        self.left == 0
    }
}

#[test]
fn a_run_into_a_full_disk_is_left() {
    let point = exact(&[("run.duration", "1000s".into())]);
    let mut disk = Full { left: 10_000, asked: 0 };
    let wanted = vec![Capture { form: Form::Air, view: 0, sink: &mut disk }];
    point.captured(1, Captures { wanted, origin: Origin::VIRTUAL, apart: false, stop: &|| false });
    assert!((50..10_000).contains(&disk.asked), "{} blocks of some 290,000", disk.asked);
}
