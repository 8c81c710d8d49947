//! Causes planted in random plans of every link: the right account must grow, and a change must be found that works as well as
//! the best of the same keys.

/// Makes a test of each cause.
macro_rules! planted {
    ($($test:ident = $cause:expr;)*) => {
        $(#[test]
        fn $test() {
            check(&$cause, 1);
        })*
    };
}

mod calls;
mod chains;
mod channels;
mod frames;
mod tunnels;
mod values;

use std::sync::atomic::AtomicBool;

use airtime_core::random::{Stream, stream};
use airtime_lab::explain::{Rung, Worth};
use airtime_lab::{Library, Plan, Record, explain, run};
use airtime_study::{Depth, Explained};

/// One thing that goes wrong.
struct Cause {
    link: &'static str,
    name: &'static str,
    /// The healthy plan, drawn at random, and what is planted in it.
    plant: fn(&mut Stream) -> (Settings, Settings),
    /// The account whose cost per octet delivered must grow most.
    account: &'static str,
    /// Keys of which the best change, or the best two together, must be found; none where nobody can turn what is wrong.
    remedies: &'static [&'static str],
    /// Set if the account must also be the one that the record names.
    leads: bool,
}

impl Cause {
    /// A cause that leads, and that no key of the plan can undo: the environment, or what the application wants.
    fn beyond(
        link: &'static str,
        name: &'static str,
        account: &'static str,
        plant: fn(&mut Stream) -> (Settings, Settings),
    ) -> Self {
        Self { link, name, plant, account, remedies: &[], leads: true }
    }
}

type Settings = Vec<(String, String)>;

fn set(pairs: &[(&str, &str)]) -> Settings {
    pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
}

fn pick<'a>(random: &mut Stream, choices: &[&'a str]) -> &'a str {
    choices[random.below(choices.len() as u64) as usize]
}

fn plan(link: &str, settings: &[(String, String)]) -> Plan {
    let text = format!("name = \"planted\"\nlink = \"{link}\"\n");
    Plan::parse("planted", &text, &Library::builtin(), settings).unwrap_or_else(|error| panic!("{error}\n{settings:?}"))
}

fn record(plan: &Plan) -> Record {
    run::record(plan, &plan.point(0).expect("a plan has a point"))
}

/// Air of each account per octet delivered, in ns.
fn costs(record: &Record) -> Vec<(&str, f64)> {
    let octets = record.delivered_bytes.max(1) as f64;
    record.steady_ledger_ns.iter().map(|(account, ns)| (account, *ns as f64 / octets)).collect()
}

/// The account whose cost grew most from `healthy` to `ill`.
fn grew_most<'a>(healthy: &Record, ill: &'a Record) -> &'a str {
    let before = costs(healthy);
    let growth = |(name, cost): &(&str, f64)| cost - before.iter().find(|(n, _)| n == name).map_or(0.0, |(_, c)| *c);
    // What other stations carry is no cost of this one.
    let lost = costs(ill).into_iter().filter(|(name, _)| *name != "payload.others");
    let most = lost.max_by(|a, b| growth(a).total_cmp(&growth(b)));
    most.map(|(name, _)| name).unwrap_or_default()
}

fn check(cause: &Cause, seed: u64) {
    let (base, planted) = (cause.plant)(&mut stream(seed, cause.name));
    let ill_settings = [base.clone(), planted.clone()].concat();
    let ill_plan = plan(cause.link, &ill_settings);
    let (healthy, ill) = (record(&plan(cause.link, &base)), record(&ill_plan));
    let context = format!("{} {seed}: {base:?} with {planted:?}", cause.name);
    assert_eq!((healthy.outcome.as_str(), ill.outcome.as_str()), ("ok", "ok"), "{context}");
    assert_eq!(grew_most(&healthy, &ill), cause.account, "{context}");
    assert!(ill.goodput_kbps.median < healthy.goodput_kbps.median, "{context}");
    if cause.leads {
        assert_eq!(ill.bottleneck.account, cause.account, "{context}");
    }
    let point = ill_plan.point(0).expect("a plan has a point");
    let explained =
        airtime_study::explain(&ill_plan, &point, &Depth::default(), &run::record, &|_| {}, &AtomicBool::new(false));
    what_is_shown_works(cause, &ill_settings, &explained, &context);
    if cause.remedies.is_empty() {
        // What nobody can turn is no advice.
        let planted: Vec<&str> = planted.iter().map(|(key, _)| key.as_str()).collect();
        let turns =
            |rung: &Rung| rung.turnable && rung.changes.iter().any(|turned| planted.contains(&turned.key.as_str()));
        assert!(!explained.ladder.iter().any(turns), "{:?} {context}", explained.ladder);
    } else {
        finds_the_remedy(cause, &ill_settings, &explained, &context);
    }
}

/// Asserts that each rung that is shown works: the plan with it and those before it, read and run afresh, gives its figure, and loses
/// nothing.
fn what_is_shown_works(cause: &Cause, ill: &[(String, String)], explained: &Explained, context: &str) {
    let mut settings = ill.to_vec();
    for rung in explained.ladder.iter().filter(|rung| rung.applied) {
        assert!(rung.evens || rung.gain_pct >= explain::GAIN_MIN_PCT, "{rung:?} {context}");
        let changes: Vec<(&str, &str)> =
            rung.set.iter().map(|set| set.split_once('=').expect("a change is key=value")).collect();
        settings.extend(set(&changes));
        let again = Worth::of(&record(&plan(cause.link, &settings)));
        assert!((again.kbps - rung.goodput_kbps).abs() < 0.1, "{:?}: {} {context}", rung.set, again.kbps);
        let keeps = again.keeps(&explained.worth) || again.evens_out(&explained.worth);
        assert!(keeps, "{:?}: {context}", rung.set);
    }
}

/// Asserts that the remedy that is found comes within 3 % of the best that running all changes of the planted
/// keys finds, alone and two together.
fn finds_the_remedy(cause: &Cause, settings: &[(String, String)], explained: &Explained, context: &str) {
    let ill = plan(cause.link, settings);
    let point = ill.point(0).expect("a plan has a point");
    let all = explain::candidates(&ill, &point);
    let of_the_cause: Vec<_> = all.iter().filter(|candidate| cause.remedies.contains(&candidate.key)).collect();
    let pairs = of_the_cause.iter().flat_map(|a| of_the_cause.iter().map(move |b| (a, b)));
    let both = pairs.filter(|(a, b)| a.key < b.key).filter_map(|(a, b)| {
        let changes = [&a.set, &b.set].map(|set| set.split_once('=').expect("a change is key=value"));
        let text = format!("link = \"{}\"\n", cause.link);
        let plan = Plan::parse("planted", &text, &Library::builtin(), &[settings, &set(&changes)].concat()).ok()?;
        Some(record(&plan))
    });
    let alone = of_the_cause.iter().map(|candidate| run::record(&ill, &candidate.point));
    let worths = alone.chain(both).map(|record| Worth::of(&record)).filter(|worth| worth.keeps(&explained.worth));
    let best = worths.map(|worth| worth.kbps).fold(0.0, f64::max);
    let gain = 100.0 * (best / explained.worth.kbps - 1.0);
    assert!(gain >= explain::GAIN_MIN_PCT, "none of {:?} helps: {context}", cause.remedies);
    let found = explained.limit.goodput_kbps;
    assert!(found >= 0.97 * best, "{found} of {best} kbps: {} {context}", explained.conclusion);
}
