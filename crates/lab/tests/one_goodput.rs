//! One goodput everywhere: what the books book to payload is what arrived, on every link, whatever the plan.
//!
//! Plans begin with one of each link and get up to five keys with values drawn from all that they take; what a plan's rules refuse
//! is drawn again. `AIRTIME_PLANS` says how many plans, 60 without it.

use airtime_core::random::{Stream, stream};
use airtime_lab::schema::{self, KEYS, Kind};
use airtime_lab::{Library, Plan, Record, links, run};

/// Plans of the ordinary tests.
const PLANS: u64 = 60;

/// Plans that begin: all links, each way of sending, both directions.
const BASES: [(&str, &[(&str, &str)]); 14] = [
    ("ble-coc", &[]),
    ("ble-coc", &[("ble.direction", "both"), ("ble.peripherals", "2")]),
    ("ble-gatt", &[("peer_host.packet_time", "4ms")]),
    ("ble-gatt", &[("ble.direction", "c2p")]),
    ("ble-rpc", &[("rpc.mode", "extended"), ("rpc.payload", "2000"), ("rpc.outstanding", "4")]),
    ("ble-rpc", &[]),
    ("nrf24-ip", &[("nrf24.mode", "stream"), ("traffic.direction", "both")]),
    ("nrf24-ip", &[("nrf24.mode", "auto-ack"), ("traffic.kind", "tcp")]),
    ("nrf24-ip", &[("nrf24.mode", "ack-payload"), ("nrf24.radios", "1"), ("traffic.direction", "both")]),
    ("nrf24-ip", &[("nrf24.mode", "legacy")]),
    ("wifi-hosted", &[("traffic.direction", "down")]),
    ("wifi-hosted", &[("traffic.kind", "tcp")]),
    ("wifi-hosted", &[("traffic.kind", "tcp"), ("traffic.direction", "both")]),
    ("ieee802154", &[("ieee802154.stations", "4")]),
];

/// Keys that say how a run is measured, or leave the link with something other than a stream over its air.
const LEFT_ALONE: [&str; 6] = ["run.", "hosted.image", "traffic.kind", "traffic.size", "traffic.ping", "rpc.suite"];

type Settings = Vec<(String, String)>;

#[test]
fn payload_of_the_books_is_the_goodput_of_the_record() {
    let plans = std::env::var("AIRTIME_PLANS").ok().and_then(|plans| plans.parse().ok()).unwrap_or(PLANS);
    let library = Library::builtin();
    let (mut checked, mut arrived) = (0, 0);
    for seed in 0.. {
        if checked == plans {
            break;
        }
        let random = &mut stream(seed, "one goodput");
        let (link, base) = BASES[(seed % BASES.len() as u64) as usize];
        let set = settings(link, base, random);
        let text = format!("name = \"drawn\"\nlink = \"{link}\"\n");
        let Ok(plan) = Plan::parse("drawn", &text, &library, &set) else { continue };
        let Some(point) = plan.point(0) else { continue };
        let record = run::record(&plan, &point);
        check(&record, &format!("{link} {set:?}"));
        checked += 1;
        arrived += u64::from(record.delivered_bytes > 0);
    }
    assert!(arrived * 2 > plans, "{arrived} of {plans} plans carried something");
}

fn settings(link: &str, base: &[(&str, &str)], random: &mut Stream) -> Settings {
    let fixed = [("run.duration", "2s"), ("run.warmup", "400ms"), ("run.repeat", "1")];
    let own = |(key, value): &(&str, &str)| ((*key).to_owned(), (*value).to_owned());
    let mut set: Settings = fixed.iter().chain(base).map(own).collect();
    if link == "ble-rpc" {
        set[0].1 = "6s".into();
    }
    let keys: Vec<_> = KEYS
        .iter()
        .filter(|key| schema::scope(key).covers(link) && !LEFT_ALONE.iter().any(|alone| key.name.starts_with(alone)))
        .filter(|key| set.iter().all(|(known, _)| known != key.name))
        .collect();
    for _ in 0..random.below(6) {
        let key = keys[random.below(keys.len() as u64) as usize];
        if let Some(value) = value(key.kind, random) {
            set.push((key.name.to_owned(), value));
        }
    }
    set
}

/// A value of this kind; of a wide range one of any size.
fn value(kind: Kind, random: &mut Stream) -> Option<String> {
    let between = |random: &mut Stream, least: u64, most: u64| {
        let widths = u64::from((most - least + 1).ilog2()) + 1;
        let width = 1_u64.checked_shl(random.below(widths) as u32 + 1).unwrap_or(u64::MAX);
        least + random.below(width.min(most - least + 1))
    };
    let one = |random: &mut Stream, words: &[&str]| {
        (!words.is_empty()).then(|| words[random.below(words.len() as u64) as usize].to_owned())
    };
    match kind {
        Kind::Flag => one(random, &["true", "false"]),
        Kind::Count(least, most) | Kind::CountOrNone(least, most) => Some(between(random, least, most).to_string()),
        Kind::Size(least, most) => Some(format!("{}B", between(random, least, most))),
        Kind::Clock(least, most) => Some(format!("{}Hz", between(random, least, most))),
        Kind::Span(least, most) | Kind::SpanOrNone(least, most) => {
            // Nothing that takes longer than the run is a stream.
            let most = most.as_micros().min(200_000).max(least.as_micros());
            Some(format!("{}us", between(random, least.as_micros(), most)))
        }
        Kind::Choice(words) => one(random, words),
        Kind::Forms { words, .. } => one(random, words),
        Kind::Parsed { alternatives, .. } => one(random, alternatives),
        Kind::Rate | Kind::Rates => Some(format!("{}kbps", between(random, 1, 100_000))),
        _ => None,
    }
}

/// Asserts that books balance, and that payload in them is what arrived.
fn check(record: &Record, context: &str) {
    let books = [(&record.steady_ledger_ns, record.steady_ns), (&record.ledger_ns, record.elapsed_ns)];
    for (books, time) in books {
        let sum: u64 = books.iter().map(|(_, ns)| *ns).sum();
        assert!(books.is_empty() || sum == time, "accounts of {sum} ns over {time} ns: {context}");
    }
    // Of several links with books of their own each is looked at by itself.
    if record.links.iter().any(|link| !link.steady_ledger_ns.is_empty()) {
        for link in &record.links {
            let octets = link.goodput_kbps * record.steady_ns as f64 / 8e6;
            agree(record, &link.steady_ledger_ns, octets, true, &format!("{} of {context}", link.name));
        }
    } else if !record.steady_ledger_ns.is_empty() {
        agree(record, &record.steady_ledger_ns, record.delivered_bytes as f64, false, context);
    }
}

fn agree(record: &Record, books: &airtime_lab::Ordered<u64>, arrived: f64, one_of_several: bool, context: &str) {
    let phy = links::find(&record.link).map_or(0.0, |link| link.phy_kbps(&record.told()));
    let payload: u64 = books.iter().filter(|(account, _)| account.starts_with("payload")).map(|(_, ns)| *ns).sum();
    let booked = payload as f64 * phy / 8e6;
    // A packet that is on the air when the time begins; where a goodput of a link is all there is, what its tenth leaves open; and a
    // nanosecond that each packet may be rounded by.
    let tenth = if one_of_several { 0.05 * record.steady_ns as f64 / 8e6 } else { 0.0 };
    let rounded = 1.0 + arrived * 1e-4;
    let packet = packet(record);
    assert!(booked <= arrived + tenth + rounded, "{booked:.0} octets booked, {arrived:.0} arrived: {context}");
    // What was under way when the time began may have arrived in it, and have been on the air before.
    let under_way = |books: &airtime_lab::Ordered<u64>| {
        ["undelivered", "frames", "other_stations"].iter().filter_map(|name| books.get(name)).sum::<u64>()
    };
    let before = under_way(&record.ledger_ns).saturating_sub(under_way(&record.steady_ledger_ns)) as f64 * phy / 8e6;
    // Of one of several links the whole books are not told: as much may be under way as its sender allows.
    let before = if one_of_several { before.max(allowed(record)) } else { before };
    let least = arrived - before - packet - tenth - rounded;
    assert!(booked >= least, "{booked:.0} octets booked, {arrived:.0} arrived, {before:.0} before: {context}");
}

/// Octets that a sender has under way at most.
fn allowed(record: &Record) -> f64 {
    let of = |names: &[&str]| names.iter().find_map(|name| record.params.get(name)?.as_f64());
    let unit = of(&["coc.sdu", "gatt.payload", "traffic.payload"]).unwrap_or(1_500.0);
    unit * of(&["coc.in_flight", "gatt.in_flight"]).unwrap_or(64.0) * of(&["coc.channels"]).unwrap_or(1.0)
}

/// Octets that one packet brings at most: an LL PDU, a chunk, an A-MPDU, a frame of each station.
fn packet(record: &Record) -> f64 {
    match record.link.as_str() {
        "ieee802154" => 127.0 * (1.0 + record.links.len() as f64),
        "wifi-hosted" => 65_535.0,
        _ => 256.0,
    }
}
