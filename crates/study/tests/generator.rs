//! A generator of causes: keys of every link that belong to a mechanism, alone and in sets of two to four, at values drawn at random.
//!
//! A plan that streams well is drawn, then the keys are planted. Where they cost something, the explanation has to name one of their
//! mechanisms as the cause, to begin its ladder with it, and to end it where the best of all that could be done about them ends.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use airtime_core::Duration;
use airtime_core::random::{Stream, stream};
use airtime_core::units::{Bitrate, Frequency, Size};
use airtime_keys::{Guard, Key, Kind};
use airtime_lab::explain::{Worth, levers};
use airtime_lab::schema::{self, KEYS};
use airtime_lab::{Library, Plan, Record, run};
use airtime_study::{Depth, Explained};
use airtime_testing::is_whole;

pub type Settings = Vec<(String, String)>;

/// Least cost of what is planted, as a part of the goodput, below which it is no cause.
const COST: f64 = 0.05;
/// Part of the best goodput that the end of a ladder has to reach.
const REACHED: f64 = 0.97;
/// Draws for each plan, of which most cost nothing.
const DRAWS: u64 = 60;

/// A link, and settings with which it streams well in a short time.
pub type Healthy = (&'static str, &'static [(&'static str, &'static str)]);

pub const HEALTHY: [Healthy; 9] = [
    (
        "ble-coc",
        &[
            ("ble.frame_space", "52us"),
            ("ble.conn_interval", "30ms"),
            ("coc.credits", "batched"),
            ("coc.in_flight", "16"),
            ("coc.tx_buffers", "16"),
            ("acl.count", "16"),
            ("run.duration", "3s"),
            ("run.warmup", "500ms"),
            ("run.repeat", "1"),
        ],
    ),
    (
        "ble-coc",
        &[
            ("ble.direction", "c2p"),
            ("peripheral.personality", "nordic-sdc"),
            ("coc.credits", "bumble"),
            ("ble.conn_interval", "50ms"),
            ("run.duration", "3s"),
            ("run.warmup", "500ms"),
            ("run.repeat", "1"),
        ],
    ),
    (
        "ble-gatt",
        &[
            ("ble.frame_space", "52us"),
            ("ble.conn_interval", "50ms"),
            ("gatt.mtu", "498"),
            ("run.duration", "3s"),
            ("run.warmup", "500ms"),
            ("run.repeat", "1"),
        ],
    ),
    (
        "ble-rpc",
        &[
            ("ble.frame_space", "52us"),
            ("gatt.mtu", "498"),
            ("rpc.mode", "extended"),
            ("rpc.outstanding", "4"),
            ("rpc.calls", "20"),
            ("run.repeat", "1"),
            ("ble.conn_interval", "7.5ms"),
        ],
    ),
    ("nrf24-ip", &[("run.duration", "700ms"), ("run.warmup", "100ms"), ("run.repeat", "1")]),
    ("nrf24-ip", &[("traffic.kind", "tcp"), ("run.duration", "1s"), ("run.warmup", "200ms"), ("run.repeat", "1")]),
    ("wifi-hosted", &[("run.duration", "500ms"), ("run.warmup", "100ms"), ("run.repeat", "1")]),
    (
        "wifi-hosted",
        &[("traffic.kind", "tcp"), ("run.duration", "800ms"), ("run.warmup", "200ms"), ("run.repeat", "1")],
    ),
    ("ieee802154", &[("ieee802154.min_be", "0"), ("run.duration", "6s"), ("run.warmup", "500ms"), ("run.repeat", "1")]),
];

/// A plan with planted keys that cost something.
#[derive(Debug)]
pub struct Planted {
    /// Name of the link.
    pub link: &'static str,
    /// Settings with which it streams well.
    pub healthy: Settings,
    /// Settings that were planted.
    pub planted: Settings,
    /// Goodput before and after, 10³ bit/s.
    pub kbps: (f64, f64),
}

/// Verdict on an explanation of a planted plan.
#[derive(Debug, Default)]
pub struct Judged {
    /// Set if the cause and the first rung name a planted mechanism.
    pub named: bool,
    /// End of the ladder as a part of the best that could be done.
    pub reached: f64,
    /// The plan and the explanation in a line.
    pub line: String,
}

pub fn owned(pairs: &[(&str, &str)]) -> Settings {
    pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
}

pub fn plan(link: &str, settings: &[(String, String)]) -> Option<Plan> {
    Plan::parse("planted", &format!("link = \"{link}\"\n"), &Library::builtin(), settings).ok()
}

pub fn record(plan: &Plan) -> Record {
    run::record(plan, &plan.point(0).expect("a plan has a point"))
}

/// A whole number between two, as likely to be of one order of magnitude as of another.
fn spread(random: &mut Stream, least: u64, most: u64) -> u64 {
    let (low, high) = ((least.max(1) as f64).ln(), (most.max(1) as f64).ln());
    let share = random.below(1_000_001) as f64 / 1e6;
    ((low + (high - low) * share).exp().round() as u64).clamp(least, most)
}

/// A value of `key` as `--set` takes it; none of a kind that has no values to draw from.
pub fn drawn(random: &mut Stream, key: &Key) -> Option<String> {
    // A time of more than this is another test, and so is a count of more.
    const LONGEST: Duration = Duration::from_millis(100);
    const MOST: u64 = 4096;
    Some(match key.kind {
        Kind::Flag => ["true", "false"][random.below(2) as usize].to_owned(),
        Kind::Count(least, most) | Kind::CountOrNone(least, most) => {
            spread(random, least, most.min(MOST.max(least))).to_string()
        }
        Kind::Span(least, most) | Kind::SpanOrNone(least, most) => {
            let most = most.min(LONGEST.max(least)).as_nanos();
            let ns = spread(random, least.as_nanos().max(1_000), most);
            Duration::from_micros(ns / 1_000).to_string()
        }
        Kind::Size(least, most) => Size(spread(random, least, most)).to_string(),
        Kind::Clock(least, most) => Frequency(spread(random, least.max(400_000), most) / 1_000 * 1_000).to_string(),
        Kind::Rate => Bitrate(spread(random, 5_000, 50_000_000)).to_string(),
        Kind::Probability => format!("{}%", 1 + random.below(60)),
        Kind::Choice(words) => words[random.below(words.len() as u64) as usize].to_owned(),
        Kind::Forms { words, forms, .. } if words == ["none"] && forms.iter().any(|form| form.contains(&"per")) => {
            let share = 1 + random.below(30);
            let kind = ["per", "miss", "damage"][random.below(3) as usize];
            match kind {
                "per" => format!("{{ per = 0.{share:02} }}"),
                "miss" => format!("{{ miss = 0.{share:02}, damage = 0.0 }}"),
                _ => format!("{{ miss = 0.0, damage = 0.{share:02} }}"),
            }
        }
        Kind::Forms { words, .. } => words[random.below(words.len() as u64) as usize].to_owned(),
        Kind::Parsed { alternatives, .. } if !alternatives.is_empty() => {
            alternatives[random.below(alternatives.len() as u64) as usize].to_owned()
        }
        _ => return None,
    })
}

/// Keys that may be planted: those of a mechanism that mean something to the link.
pub fn plantable(link: &str) -> Vec<&'static Key> {
    let means = |key: &&&'static Key| {
        let free = key.eases.is_some_and(|eases| eases.guards != Some(Guard::Security));
        free && schema::scope(key).covers(link)
    };
    KEYS.iter().filter(means).copied().collect()
}

/// The plan of this seed, if one of its draws costs something.
pub fn planted(seed: u64) -> Option<Planted> {
    let (link, base) = HEALTHY[(seed % HEALTHY.len() as u64) as usize];
    let healthy = owned(base);
    let before_plan = plan(link, &healthy).expect("a healthy plan is one");
    let before = record(&before_plan);
    assert_eq!(before.outcome, "ok", "{link}");
    let keys = plantable(link);
    let mut random = stream(seed, "causes");
    for _ in 0..DRAWS {
        // As many alone as in sets.
        let count = if random.below(2) == 0 { 1 } else { 2 + random.below(3) };
        let mut planted = Settings::new();
        for _ in 0..count {
            let key = keys[random.below(keys.len() as u64) as usize];
            if let Some(value) = drawn(&mut random, key).filter(|_| !planted.iter().any(|(name, _)| name == key.name)) {
                planted.push((key.name.to_owned(), value));
            }
        }
        let Some(ill) = plan(link, &[healthy.clone(), planted.clone()].concat()) else { continue };
        if is_another_test(&before_plan, &ill, &planted) {
            continue;
        }
        let after = record(&ill);
        let (was, is) = (Worth::of(&before), Worth::of(&after));
        if after.outcome == "ok" && is.kbps > 0.0 && is.kbps < was.kbps * (1.0 - COST) {
            return Some(Planted { link, healthy, planted, kbps: (was.kbps, is.kbps) });
        }
    }
    None
}

/// Tells if a key that was not there brings others with it: datagrams instead of frames are another test, and no cause.
fn is_another_test(before: &Plan, after: &Plan, planted: &Settings) -> bool {
    let names = |plan: &Plan| -> Vec<String> {
        let point = plan.point(0).expect("a plan has a point");
        point.scenario.params.iter().map(|(name, _)| name.to_string()).collect()
    };
    let (known, new) = (names(before), names(after));
    let is_planted = |name: &str| {
        planted.iter().any(|(key, _)| {
            name.strip_prefix(key.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        })
    };
    let brings = new.iter().any(|name| !known.contains(name) && !is_planted(name));
    brings && planted.iter().any(|(key, _)| new.contains(key) && !known.contains(key))
}

/// The explanation of a planted plan, judged.
pub fn judged(of: &Planted) -> Judged {
    let settings = [of.healthy.clone(), of.planted.clone()].concat();
    let ill = plan(of.link, &settings).expect("it was run");
    let point = ill.point(0).expect("a plan has a point");
    let found = airtime_study::explain(&ill, &point, &Depth::default(), &run::record, &|_| {}, &AtomicBool::new(false));
    let mechanism = |name: &str| schema::find(name)?.eases.map(|eases| eases.mechanism.name());
    let planted: Vec<&str> = of.planted.iter().filter_map(|(name, _)| mechanism(name)).collect();
    let names = |mechanisms: &[&str]| mechanisms.iter().any(|mechanism| planted.contains(mechanism));
    let named = found.cause.as_ref().is_some_and(|cause| names(&cause.mechanisms))
        && found.ladder.first().is_some_and(|first| names(&first.mechanisms));
    let best = best(of);
    let reached = found.limit.goodput_kbps / best;
    let line = format!(
        "{} {:?} {:.1} -> {:.1}, best {best:.1}: cause {:?}, ladder {}, limit {:.1}",
        of.link,
        of.planted.iter().map(|(key, value)| format!("{key}={value}")).collect::<Vec<_>>(),
        of.kbps.0,
        of.kbps.1,
        found.cause.as_ref().map(|cause| cause.mechanisms.clone()).unwrap_or_default(),
        ladder(&found),
        found.limit.goodput_kbps,
    );
    Judged { named, reached, line }
}

fn ladder(found: &Explained) -> String {
    let rungs = found.ladder.iter().map(|rung| format!("{}={:.1}", rung.set.join("+"), rung.goodput_kbps));
    rungs.collect::<Vec<_>>().join(" | ")
}

/// The best goodput that undoing what was planted finds, or any value of a planted key instead.
fn best(of: &Planted) -> f64 {
    let settings = [of.healthy.clone(), of.planted.clone()].concat();
    let base = Worth::of(&record(&plan(of.link, &settings).expect("it was run")));
    let healthy = plan(of.link, &of.healthy).expect("a healthy plan is one");
    let point = healthy.point(0).expect("a plan has a point");
    let planted = |name: &str| of.planted.iter().any(|(key, _)| key == name);
    let levers: Vec<_> = levers(&healthy, &point, &[])
        .into_iter()
        .filter(|lever| planted(lever.key.name) && !lever.is_environment())
        .collect();
    let values = levers
        .iter()
        .flat_map(|lever| lever.values.iter().map(move |value| (lever.key.name.to_owned(), value.clone())));
    let points = values.filter_map(|change| healthy.vary(&point, &[change]).ok());
    let worths = points.map(|point| Worth::of(&run::record(&healthy, &point))).filter(|worth| worth.keeps(&base));
    worths.map(|worth| worth.kbps).fold(of.kbps.0, f64::max)
}

/// Verdicts on the plans of these seeds, in their order. Explanations run in parallel by themselves: to nest them in the same pool would
/// pile them up on one stack.
fn all(seeds: &Range<u64>) -> Vec<Judged> {
    let (next, found) = (AtomicU64::new(seeds.start), Mutex::new(BTreeMap::new()));
    let work = || {
        loop {
            let seed = next.fetch_add(1, Ordering::Relaxed);
            if seed >= seeds.end {
                break;
            }
            if let Some(planted) = planted(seed) {
                let judged = judged(&planted);
                found.lock().expect("nobody panicked").insert(seed, judged);
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, std::num::NonZero::get) {
            scope.spawn(work);
        }
    });
    found.into_inner().expect("nobody panicked").into_values().collect()
}

/// Judges the plans of these seeds: at most 3 % are not named, at most 1 % not reached, and where they are few, at most one of each.
fn hold(seeds: Range<u64>) {
    let judged = all(&seeds);
    let missed: Vec<&Judged> = judged.iter().filter(|one| !one.named).collect();
    let short: Vec<&Judged> = judged.iter().filter(|one| one.reached < REACHED).collect();
    for one in &missed {
        println!("not named: {}", one.line);
    }
    for one in &short {
        println!("short, {:.3}: {}", one.reached, one.line);
    }
    let (count, most) = (judged.len(), |percent: usize| (judged.len() * percent).div_ceil(100));
    println!("{count} plans: {} not named, {} not reached", missed.len(), short.len());
    assert!(
        missed.len() <= most(3) && short.len() <= most(1),
        "of {count} plans {} are not named, and {} do not reach their end",
        missed.len(),
        short.len()
    );
}

#[test]
fn planted_causes_are_named_and_their_end_is_reached() {
    hold(seeds(0, if is_whole() { 200 } else { 10 }));
}

/// Seeds of as many cases, or those that the environment names: `FIRST=1000 COUNT=600` draws others, and more.
pub fn seeds(first: u64, count: u64) -> Range<u64> {
    let of =
        |name: &str, otherwise: u64| std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise);
    let first = of("FIRST", first);
    first..first + of("COUNT", count)
}
