//! Plans of every link with keys at values drawn at random: what an explanation says of them is what runs say.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;

use airtime_core::random::stream;
use airtime_lab::explain::Worth;
use airtime_lab::schema::{self, LINKS};
use airtime_lab::{Plan, Record, run};
use airtime_study::{Depth, Explained};
use airtime_testing::is_whole;

use super::generator::{HEALTHY, Settings, drawn, owned, plan, plantable, record, seeds};

/// Part of a goodput by which two runs of one plan differ at most where their seeds do.
const SPREAD: f64 = 0.01;
/// Part of it that a figure loses where it is printed to a tenth.
const TENTH: f64 = 0.051;

/// The plan of this seed: one to four keys at any value that the link allows, of which something still arrives.
fn random_plan(seed: u64) -> Option<(Plan, Settings)> {
    const DRAWS: usize = 30;
    let (link, base) = HEALTHY[(seed % HEALTHY.len() as u64) as usize];
    let keys = plantable(link);
    let mut random = stream(seed, "plans");
    (0..DRAWS).find_map(|_| {
        let mut set: BTreeMap<String, String> = BTreeMap::new();
        for _ in 0..1 + random.below(4) {
            let key = keys[random.below(keys.len() as u64) as usize];
            set.extend(drawn(&mut random, key).map(|value| (key.name.to_owned(), value)));
        }
        let settings: Settings = owned(base).into_iter().chain(set).collect();
        let plan = plan(link, &settings)?;
        let found = record(&plan);
        (found.outcome == "ok" && Worth::of(&found).kbps > 0.0).then_some((plan, settings))
    })
}

/// Changes of all rungs that somebody can turn, as the printed blocks are read.
fn pasted(found: &Explained) -> Settings {
    let lines: Vec<&String> = found.blocks.iter().flat_map(|block| &block.lines).collect();
    // What stands on something that nobody can turn is no advice.
    let ours = found.ladder.iter().filter(|rung| rung.applied).take_while(|rung| rung.turnable);
    let changed = ours.flat_map(|rung| &rung.changes);
    let names: BTreeMap<&str, &serde_json::Value> = changed.map(|turned| (turned.key.as_str(), &turned.to)).collect();
    let told = |name: &str| lines.iter().any(|line| line.starts_with(&format!("--set {name}=")));
    let built = |name: &str| {
        let key = schema::find(name)?;
        key.config.iter().find_map(|option| {
            let text = lines.iter().find_map(|line| line.strip_prefix(option.config)?.strip_prefix('='))?;
            option.form.value(text).map(|value| (name.to_owned(), value.to_string().trim_matches('"').to_owned()))
        })
    };
    let options = lines.iter().filter_map(|line| line.strip_prefix("--set ")?.split_once('='));
    let options = options.map(|(name, value)| (name.to_owned(), value.to_owned()));
    let read = names
        .keys()
        .filter(|name| !told(name))
        .map(|name| built(name).unwrap_or_else(|| panic!("no line of {lines:?} says {name}")));
    options.chain(read).collect()
}

/// Differences between what an explanation of this plan says and what runs say.
fn differences(ill: &Plan, settings: &Settings) -> Vec<String> {
    let mut wrong = Vec::new();
    let point = ill.point(0).expect("a plan has a point");
    let found = airtime_study::explain(ill, &point, &Depth::default(), &run::record, &|_| {}, &AtomicBool::new(false));
    let own = record(ill);
    if found.record.goodput_kbps != own.goodput_kbps || found.worth != Worth::of(&own) {
        wrong.push(format!("goodput {} of a run is {} in its explanation", own.goodput_kbps.median, found.worth.kbps));
    }
    wrong.extend(unbalanced(&own));
    let mut before = found.worth.kbps;
    for rung in found.ladder.iter().filter(|rung| rung.applied) {
        let loses = rung.goodput_kbps < before * (1.0 - SPREAD) || rung.before_kbps > rung.goodput_kbps;
        if loses && !(rung.evens && rung.worst_kbps > rung.worst_before_kbps) {
            wrong.push(format!("rung {:?} loses: {} before, {} after", rung.set, rung.before_kbps, rung.goodput_kbps));
        }
        before = rung.goodput_kbps;
    }
    let Some(last) = found.changes.last() else {
        let lines: usize = found.blocks.iter().map(|block| block.lines.len()).sum();
        wrong.extend((lines > 0).then(|| format!("{lines} lines to paste, and nothing gains")));
        return wrong;
    };
    let link = point.scenario.link();
    let set: Settings = settings.iter().cloned().chain(pasted(&found)).collect();
    match plan(link, &set) {
        None => wrong.push(format!("{:?}: refused when it is pasted", last.set)),
        Some(plan) => {
            let kbps = Worth::of(&record(&plan)).kbps;
            if (kbps - last.goodput_kbps).abs() > kbps * SPREAD + TENTH {
                wrong.push(format!("{:?}: {kbps} pasted, {} printed", last.set, last.goodput_kbps));
            }
        }
    }
    wrong
}

/// The two ledgers of a record, where they do not sum to the time.
fn unbalanced(record: &Record) -> Vec<String> {
    let books =
        [(&record.ledger_ns, record.elapsed_ns, "whole"), (&record.steady_ledger_ns, record.steady_ns, "steady")];
    let sums = books.map(|(ledger, time, name)| (ledger.iter().map(|(_, ns)| ns).sum::<u64>(), time, name));
    let off = sums.into_iter().filter(|(sum, time, _)| sum != time);
    off.map(|(sum, time, name)| format!("the {name} ledger sums to {sum} of {time} ns")).collect()
}

#[test]
fn explanations_say_what_runs_say() {
    let (mut plans, mut wrong) = (0, Vec::new());
    for seed in seeds(0, if is_whole() { 20 } else { 3 }) {
        let Some((plan, settings)) = random_plan(seed) else { continue };
        plans += 1;
        let point = plan.point(0).expect("a plan has a point");
        let name = format!("{seed}, {}: {settings:?}", point.scenario.link());
        wrong.extend(differences(&plan, &settings).into_iter().map(|what| format!("{name}: {what}")));
    }
    wrong.iter().for_each(|what| println!("{what}"));
    println!("{plans} plans, {} differences", wrong.len());
    assert!(plans > 0 && wrong.is_empty(), "{} differences in {plans} plans", wrong.len());
}

#[test]
fn every_link_is_drawn() {
    assert!(LINKS.iter().all(|link| HEALTHY.iter().any(|(healthy, _)| healthy == link)));
}
