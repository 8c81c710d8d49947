//! Comparisons: a planted regression is found and has its account, and pairs without a difference raise no alarm.

use std::sync::atomic::AtomicBool;

use airtime_lab::compare::{Comparison, LEVEL, Verdict};
use airtime_lab::run::record;
use airtime_lab::{Library, Plan, Point, Record};
use airtime_study::compare::{NotCompared, Operand, Origin, Question, compare};
use airtime_testing::is_whole;

use crate::generator::seeds;

const BLE: &str = "\
link = \"ble-coc\"
central.personality = \"zephyr-ll\"
peripheral.personality = \"zephyr-ll\"
[ble]
conn_interval = \"7.5ms\"
[coc]
sdu = 492
in_flight = 6
tx_buffers = 6
credits = { initial = 10, on_connect = 10, grant = 1, every = 1 }
[acl]
count = 6
[run]
duration = \"3s\"
warmup = \"500ms\"
";

const MESH: &str =
    "link = \"ieee802154\"\nieee802154.loss = { per = 0.05 }\nrun.duration = \"2s\"\nrun.warmup = \"200ms\"\n";

/// zephyr-ll, but its controllers keep 300 µs more clear at the end of an event.
fn planted() -> Library {
    let mut library = Library::builtin();
    let margin = library.get("zephyr-ll").unwrap().get("controller.margin").unwrap();
    let us: f64 = margin.value.as_str().unwrap().trim_end_matches("us").parse().unwrap();
    let text = format!(
        "based_on = \"zephyr-ll\"\n[controller]\nmargin = {{ value = \"{}us\", status = \"assumed\", source = \"planted\" }}\n",
        us + 300.0
    );
    library.add("zephyr-ll", &text).unwrap();
    library
}

fn operand(name: &str, text: &str, library: &Library, set: &[(&str, String)]) -> Operand {
    let set: Vec<(String, String)> = set.iter().map(|(key, value)| ((*key).to_owned(), value.clone())).collect();
    let plan = Plan::parse("x.toml", text, library, &set).unwrap();
    let point = plan.point(0).unwrap();
    Operand { name: name.to_owned(), from: Origin::Point(Box::new((plan, point))) }
}

fn compared(a: &Operand, b: &Operand, question: &Question) -> Comparison {
    let runner = |plan: &Plan, point: &Point| record(plan, point);
    compare([a, b], question, &runner, &|_| (), &AtomicBool::new(false)).unwrap()
}

fn question() -> Question {
    Question { ends: false, repeats_max: 40, ..Question::default() }
}

#[test]
fn a_planted_margin_is_found_with_its_account_whatever_the_seed() {
    let (clean, planted) = (Library::builtin(), planted());
    let question = Question { conditions: vec!["goodput < -3%".parse().unwrap()], ..question() };
    for seed in seeds(0, if is_whole() { 20 } else { 4 }) {
        let set = [("ble.loss", "{ per = 0.02 }".to_owned()), ("run.seed", (seed * 1_000).to_string())];
        let (a, b) = (operand("clean", BLE, &clean, &set), operand("planted", BLE, &planted, &set));
        let found = compared(&a, &b, &question);
        assert_eq!(found.verdict, Verdict::Worse, "seed {seed}: {}", found.says);
        assert!(found.says.contains("tail +"), "seed {seed}: {}", found.says);
        assert!(found.has_failed(), "seed {seed}: {}", found.conditions[0].says);
    }
}

/// Runs with other seeds are another draw of the same: what they differ by is chance alone.
#[test]
fn pairs_without_a_difference_raise_no_more_alarms_than_the_level() {
    let library = Library::builtin();
    let seeds = seeds(0, if is_whole() { 200 } else { 50 });
    let mut alarms = Vec::new();
    for seed in seeds.clone() {
        let of = |name: &str, seed: u64| operand(name, MESH, &library, &[("run.seed", seed.to_string())]);
        let found = compared(&of("a", seed * 1_000), &of("b", 5_000_000 + seed * 1_000), &question());
        assert!(!found.exact);
        if matches!(found.verdict, Verdict::Better | Verdict::Worse) {
            alarms.push(found.says);
        }
    }
    let most = (LEVEL * seeds.clone().count() as f64).ceil() as usize;
    assert!(alarms.len() <= most, "{} of {}: {alarms:#?}", alarms.len(), seeds.count());
}

#[test]
fn nothing_at_random_is_exact_and_same_seeds_of_the_same_are_the_same() {
    let library = Library::builtin();
    let (a, b) = (operand("a", BLE, &library, &[]), operand("b", BLE, &library, &[("coc.sdu", "244".to_owned())]));
    let found = compared(&a, &b, &question());
    assert_eq!((found.exact, found.repeats), (true, 1));
    assert!(found.figures.iter().all(|figure| figure.low.is_none() && figure.difference_low.is_none()));
    let books = found.books.as_ref().unwrap();
    // Both books are of the same time: what one account has more, the others have less.
    let sum: i64 = found.ledger_ns.iter().map(|(_, ns)| *ns).sum();
    assert_eq!(sum, books.steady_ns[1] as i64 - books.steady_ns[0] as i64);
    let lossy = |name: &str| operand(name, MESH, &library, &[]);
    let same = compared(&lossy("a"), &lossy("b"), &question());
    assert_eq!((same.verdict, same.exact, same.figures[0].difference), (Verdict::Same, false, 0.0), "{}", same.says);
}

/// The records of `operand`, each of one seed.
fn kept(operand: &Operand, seeds: std::ops::Range<u64>) -> Operand {
    let Origin::Point(of) = &operand.from else { unreachable!("it is a point") };
    let (plan, point) = &**of;
    let of_seed = |seed: u64| {
        let set = [("run.seed".to_owned(), seed.into()), ("run.repeat".to_owned(), 1.into())];
        record(plan, &plan.vary(point, &set).unwrap())
    };
    let records: Vec<Record> = seeds.map(of_seed).collect();
    Operand { name: format!("kept {}", operand.name), from: Origin::Kept(records) }
}

#[test]
fn what_was_kept_is_compared_with_runs_of_its_seeds() {
    let library = Library::builtin();
    let now = operand("now", MESH, &library, &[]);
    let slower = operand("slower", MESH, &library, &[("ieee802154.payload", "60".to_owned())]);
    let before = kept(&now, 7..27);
    let same = compared(&before, &now, &question());
    assert_eq!((same.verdict, same.repeats, same.figures[0].difference), (Verdict::Same, 20, 0.0), "{}", same.says);
    assert_eq!(compared(&before, &slower, &question()).verdict, Verdict::Worse);
    // Seeds that both have are pairs; without any, two sets of runs are told apart all the same.
    let found = compared(&before, &kept(&slower, 17..37), &question());
    assert_eq!((found.verdict, found.repeats), (Verdict::Worse, 10));
    assert_eq!(compared(&before, &kept(&slower, 100..120), &question()).verdict, Verdict::Worse);
    // One record of several runs is a summary, whose range is all that is known.
    let Origin::Point(of) = &now.from else { unreachable!("it is a point") };
    let summary = Operand { name: "summary".into(), from: Origin::Kept(vec![record(&of.0, &of.1)]) };
    let found = compared(&summary, &now, &question());
    assert_eq!((found.verdict, found.figures[0].difference), (Verdict::Same, 0.0), "{}", found.says);
    assert_eq!(compared(&summary, &slower, &question()).verdict, Verdict::Worse);
}

#[test]
fn a_verdict_that_hangs_on_an_assumed_value_depends_on_it() {
    let library = Library::builtin();
    let question = Question { ends: true, ..question() };
    let found = |text: &str, set: (&str, &str)| {
        let set = [(set.0, set.1.to_owned())];
        compared(&operand("a", text, &library, &[]), &operand("b", text, &library, &set), &question)
    };
    let sure = found(BLE, ("coc.in_flight", "1"));
    assert_eq!(sure.verdict, Verdict::Worse, "{}", sure.says);
    assert!(sure.ends.run > 4 && sure.ends.depends_on.is_empty(), "{:?}", sure.ends);
    assert!(sure.says.contains(&format!("worse at all {} corners", sure.ends.run)), "{}", sure.says);
    // Two values fill the buffers of a controller whose packets are half as long, and nothing more is to be had there.
    let gatt = "link = \"ble-gatt\"\nble.conn_interval = \"15ms\"\nrun.duration = \"3s\"\nrun.warmup = \"500ms\"\n\
        [gatt]\nmtu = 247\nin_flight = 6\ntx_buffers = 6\n[acl]\ncount = 6\n\
        [central]\npersonality = \"zephyr-ll\"\n[peripheral]\npersonality = \"zephyr-ll\"\n";
    let open = found(gatt, ("gatt.in_flight", "2"));
    assert_eq!(open.verdict, Verdict::Depends, "{}", open.says);
    assert!(open.says.contains(&open.ends.depends_on[0].on), "{}", open.says);
}

#[test]
fn who_stops_it_has_nothing() {
    let library = Library::builtin();
    let (a, b) = (operand("a", MESH, &library, &[]), operand("b", MESH, &library, &[]));
    let runner = |plan: &Plan, point: &Point| record(plan, point);
    let stopped = compare([&a, &b], &question(), &runner, &|_| (), &AtomicBool::new(true));
    assert_eq!(stopped.unwrap_err(), NotCompared::Stopped);
    let empty = Operand { name: "empty".into(), from: Origin::Kept(Vec::new()) };
    let found = compare([&empty, &b], &question(), &runner, &|_| (), &AtomicBool::new(false));
    assert!(matches!(found, Err(NotCompared::Empty(_))));
}
