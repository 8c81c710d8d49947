//! Remedies of every link: the search finds what running everything would find, and what it prints can be run.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, Ordering};

use airtime_core::random::stream;
use airtime_lab::explain::{self, Worth};
use airtime_lab::schema::LINKS;
use airtime_lab::{Library, Plan, Record, run};
use airtime_study::{Depth, Explained, Seen};

type Settings = Vec<(String, String)>;

fn settings(pairs: &[(&str, &str)]) -> Settings {
    pairs.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect()
}

fn plan(link: &str, settings: &[(String, String)]) -> Option<Plan> {
    Plan::parse("remedies", &format!("link = \"{link}\"\n"), &Library::builtin(), settings).ok()
}

fn record(plan: &Plan) -> Record {
    run::record(plan, &plan.point(0).expect("a plan has a point"))
}

fn explained(plan: &Plan) -> Explained {
    let point = plan.point(0).expect("a plan has a point");
    airtime_study::explain(plan, &point, &Depth::default(), &run::record, &|_| {}, &AtomicBool::new(false))
}

/// The settings of a change as it is printed: `a=1 --set b=2`; nothing behind the equals sign takes a setting back.
fn printed(set: &str) -> Settings {
    let one = |set: &str| set.split_once('=').map(|(key, value)| (key.to_owned(), value.to_owned()));
    set.split(" --set ").map(|set| one(set).expect("a change is key=value")).collect()
}

/// Link, a count of it that is set to one, and the rest of a plan in which that hurts.
type Planted = (&'static str, &'static str, &'static [(&'static str, &'static str)]);

const TO_ONE: [Planted; 9] = [
    ("ble-gatt", "gatt.in_flight", &[("ble.conn_interval", "15ms"), ("run.duration", "3s")]),
    ("ble-gatt", "gatt.tx_buffers", &[("ble.conn_interval", "15ms"), ("run.duration", "3s")]),
    ("ble-coc", "coc.in_flight", &[("coc.credits", "batched"), ("coc.sdu", "245"), ("run.duration", "3s")]),
    ("ble-coc", "coc.tx_buffers", &[("coc.credits", "batched"), ("run.duration", "3s")]),
    ("ble-coc", "acl.count", &[("coc.credits", "batched"), ("run.duration", "3s")]),
    ("ble-rpc", "rpc.in_flight", &[("rpc.calls", "10"), ("rpc.mode", "extended"), ("rpc.outstanding", "4")]),
    ("nrf24-ip", "nrf24.window", &[("nrf24.mode", "stream"), ("run.duration", "1s"), ("run.warmup", "100ms")]),
    (
        "wifi-hosted",
        "hosted.wifi_tx_buffers",
        &[("run.duration", "600ms"), ("run.warmup", "100ms"), ("run.repeat", "1")],
    ),
    (
        "ieee802154",
        "ieee802154.queue",
        &[("ieee802154.offered", "90kbps"), ("ieee802154.loss", "{ per = 0.2 }"), ("run.duration", "6s")],
    ),
];

fn finds_what_exhaustion_finds(index: usize) {
    let (link, key, rest) = TO_ONE[index];
    let mut set = settings(rest);
    set.push((key.to_owned(), "1".to_owned()));
    let plan = plan(link, &set).unwrap_or_else(|| panic!("{key} can be 1"));
    let point = plan.point(0).unwrap();
    let base = Worth::of(&record(&plan));
    let all = explain::candidates(&plan, &point);
    let worths = all.iter().map(|candidate| Worth::of(&run::record(&plan, &candidate.point)));
    let best = worths.filter(|worth| worth.keeps(&base)).map(|worth| worth.kbps).fold(base.kbps, f64::max);
    let found = explained(&plan);
    let end = found.limit.goodput_kbps;
    assert!(end >= best * 0.97, "{key}: {end} of {best} kbps: {}", found.conclusion);
    let without = Worth::of(&record(&self::plan(link, &settings(rest)).expect("it is possible without")));
    assert!(without.kbps > base.kbps * 1.05, "{key} costs something: {} without", without.kbps);
    let first = found.ladder.iter().find(|rung| rung.turnable).expect("somebody can turn it");
    assert!(first.set.iter().any(|set| set.starts_with(&format!("{key}="))), "{key}: {:?}", first.set);
}

macro_rules! to_one {
    ($($test:ident = $index:literal;)*) => {
        $(#[test]
        fn $test() {
            finds_what_exhaustion_finds($index);
        })*
    };
}

to_one! {
    one_notification_at_a_time = 0;
    one_att_buffer = 1;
    one_sdu_at_a_time = 2;
    one_l2cap_buffer = 3;
    one_acl_buffer = 4;
    one_frame_of_calls_at_a_time = 5;
    a_window_of_one_chunk = 6;
    one_wifi_buffer = 7;
    a_queue_of_one_frame = 8;
}

/// Short plans of every link, each with changes drawn from its own ladders.
fn random_plan(link: &str, seed: u64) -> (Plan, Settings) {
    let mut random = stream(seed, link);
    let mut set = settings(&[("run.duration", "1.5s"), ("run.warmup", "200ms"), ("run.repeat", "2")]);
    if link == "wifi-hosted" {
        set = settings(&[("run.duration", "400ms"), ("run.warmup", "50ms"), ("run.repeat", "1")]);
    }
    if link == "ble-coc" && seed == 1 {
        set.extend(settings(&[("ble.peripherals", "3")]));
    }
    let mut found = plan(link, &set).expect("a link has a plan");
    for _ in 0..3 {
        let changes = explain::candidates(&found, &found.point(0).unwrap());
        let drawn = &changes[random.below(changes.len() as u64) as usize];
        let with: Settings = set.iter().cloned().chain(printed(&drawn.set)).collect();
        // What ends otherwise than well, or carries nothing, explains nothing.
        let Some(changed) = plan(link, &with) else { continue };
        if record(&changed).outcome == "ok" {
            (found, set) = (changed, with);
        }
    }
    (found, set)
}

fn what_is_printed_runs(link: &str, seed: u64) {
    let (ill, set) = random_plan(link, seed);
    let found = explained(&ill);
    let context = format!("{link} {seed}: {set:?}");
    let singles = found.changes.iter().map(|change| (printed(&change.set), change.goodput_kbps));
    let together = found.together.iter().map(|all| (printed(&all.set.join(" --set ")), all.goodput_kbps));
    for (changes, goodput) in singles.chain(together) {
        let with: Settings = set.iter().cloned().chain(changes.clone()).collect();
        let again = record(&plan(link, &with).unwrap_or_else(|| panic!("{changes:?} is possible: {context}")));
        assert_eq!(again.outcome, "ok", "{changes:?}: {context}");
        let worth = Worth::of(&again);
        assert!((worth.kbps - goodput).abs() < 0.05, "{changes:?}: {} for {goodput}: {context}", worth.kbps);
        assert!(worth.keeps(&found.worth) || worth.evens_out(&found.worth), "{changes:?}: {context}");
    }
    let pasted: usize = found.blocks.iter().map(|block| block.lines.len()).sum();
    assert_eq!(pasted == 0, found.changes.is_empty(), "{context}");
}

macro_rules! printed {
    ($($test:ident = $link:literal, $seeds:literal;)*) => {
        $(#[test]
        fn $test() {
            for seed in 1..=$seeds {
                what_is_printed_runs($link, seed);
            }
        })*

        #[test]
        fn no_link_is_left_out() {
            let mine: BTreeSet<&str> = [$($link),*].into();
            assert_eq!(mine, LINKS.iter().copied().collect());
        }
    };
}

printed! {
    remedies_of_channels_run = "ble-coc", 4;
    remedies_of_notifications_run = "ble-gatt", 4;
    remedies_of_calls_run = "ble-rpc", 2;
    remedies_of_tunnels_run = "nrf24-ip", 3;
    remedies_of_chains_run = "wifi-hosted", 2;
    remedies_of_frames_run = "ieee802154", 3;
}

/// Two links on Zephyr v3.2, of which a narrower spacing ends one with 0x08 and gives its air to the other: more in sum, and no gain.
#[test]
fn no_remedy_ends_a_link() {
    let set = settings(&[
        ("central.personality", "zephyr-ll-v3.2"),
        ("peripheral.personality", "zephyr-ll-v3.2"),
        ("central.link_spacing", "10ms"),
        ("ble.peripherals", "2"),
        ("ble.conn_interval", "100ms"),
        ("ble.direction", "c2p"),
        ("run.duration", "8s"),
    ]);
    let plan = plan("ble-coc", &set).unwrap();
    let point = plan.point(0).unwrap();
    let narrower = plan.vary(&point, &[("central.link_spacing".into(), "2ms".into())]).unwrap();
    let ended = run::record(&plan, &narrower);
    assert_eq!(ended.outcome, "0x08 connection timeout: 1 of 2 links");
    let found = explained(&plan);
    let sum: f64 = ended.links.iter().map(|link| link.goodput_kbps).sum();
    assert!(sum > 2.0 * found.worth.kbps, "the link that is left would gain: {sum}");
    let ended = Worth::of(&ended);
    assert!(ended.kbps == 0.0 && !ended.keeps(&found.worth), "{ended:?}");
    let spacings = found.ladder.iter().flat_map(|rung| &rung.changes).filter(|turned| turned.key.contains("spacing"));
    let spacings: Vec<&str> = spacings.filter_map(|turned| turned.to.as_str()).collect();
    assert!(spacings.iter().all(|to| *to == "50ms"), "apart, or as they are: {spacings:?}");
    assert!(
        found.changes.iter().all(|change| change.worst_kbps.is_some_and(|worst| worst > 0.0)),
        "{:?}",
        found.changes
    );
    assert!(!found.changes.is_empty() && found.worth.kbps > 1.9 * found.record.goodput_kbps.median, "the sum counts");
    // The other way round the lost link is what is there to gain, and fewer links are none of it.
    let fewer = plan.vary(&narrower, &[("ble.peripherals".into(), 1.into())]).unwrap();
    assert!(!Worth::of(&run::record(&plan, &fewer)).keeps(&ended) && found.worth.keeps(&ended));
}

/// Two links a few packets apart: the one behind takes all that the first one's events could be longer.
#[test]
fn a_link_that_gets_next_to_nothing_comes_before_the_sum() {
    let apart = [("ble.peripherals", "2"), ("ble.conn_interval", "50ms"), ("run.duration", "4s"), ("run.warmup", "1s")];
    let found = explained(&plan("ble-coc", &settings(&[&apart[..], &[("coc.credits", "batched")]].concat())).unwrap());
    let first = &found.ladder[0];
    assert_eq!((first.set.clone(), first.evens), (vec!["central.link_spacing=25ms".to_owned()], true));
    let (before, after) = (first.worst_before_kbps.unwrap(), first.worst_kbps.unwrap());
    assert!(after > 5.0 * before && after > 0.45 * first.goodput_kbps, "{before} {after} of {}", first.goodput_kbps);
    assert_eq!(found.cause.unwrap().mechanisms, ["neighbours"]);
    assert!(found.ladder[1..].iter().all(|rung| !rung.evens && rung.worst_kbps >= rung.worst_before_kbps));
    let lines: Vec<&String> = first.paste.iter().flat_map(|block| &block.lines).collect();
    assert_eq!(lines, ["CONFIG_BT_CTLR_CENTRAL_SPACING=25000"]);
    // Without a maker of the central's firmware nobody can.
    let linux = [("central.personality", "bluez"), ("central.link_spacing", "3750us"), ("ble.phy", "2M")];
    let theirs = [&apart[..], &linux].concat();
    let found = explained(&plan("ble-coc", &settings(&theirs)).unwrap());
    assert!(found.ladder.iter().all(|rung| !rung.evens), "{:?}", found.ladder);
}

/// A stage that takes all the time is half as costly on the faster machine, and the others cost what they did.
#[test]
fn faster_machines_are_run_and_not_the_same_one_again() {
    let slow = [("hosted.sdio_clock", "5MHz"), ("run.duration", "1s"), ("run.warmup", "100ms"), ("run.repeat", "1")];
    let found = explained(&plan("wifi-hosted", &settings(&slow)).unwrap());
    let gain = |what: &str| -> f64 {
        let sentence = found.machine.iter().find(|sentence| sentence.contains(what)).expect("each stage is halved");
        let (_, gain) = sentence.rsplit_once(", ").expect("it has a gain");
        gain.trim_end_matches(" %").parse().expect("it is a number")
    };
    assert!(gain("at the bus") > 5.0 && gain("per call").abs() < 1.0, "{:?}", found.machine);
}

#[test]
fn what_is_stopped_says_how_far_it_came() {
    let plan = plan("ble-gatt", &settings(&[("gatt.in_flight", "1"), ("run.duration", "3s")])).unwrap();
    let point = plan.point(0).unwrap();
    let cancel = AtomicBool::new(false);
    let watch = |seen: &Seen<'_>| cancel.store(seen.runs >= 12, Ordering::Relaxed);
    let found = airtime_study::explain(&plan, &point, &Depth::default(), &run::record, &watch, &cancel);
    let stopped = found.stopped.expect("it was stopped");
    assert!((12..20).contains(&stopped.after), "{stopped:?}");
    let expected = format!("stopped after {} runs; nothing has gained so far", stopped.after);
    assert!(found.conclusion.starts_with(&expected), "{}", found.conclusion);
    assert!(found.changes.is_empty() && found.together.is_none(), "no figure of a short run is printed");

    let at_once = AtomicBool::new(true);
    let found = airtime_study::explain(&plan, &point, &Depth::default(), &run::record, &|_| {}, &at_once);
    assert_eq!(found.stopped.map(|stopped| stopped.after), Some(0));
}

/// The same plan gives the same answer, however its runs are spread over threads.
#[test]
fn an_explanation_is_a_function_of_its_plan() {
    let plan = plan("ble-coc", &settings(&[("coc.in_flight", "1"), ("run.duration", "3s")])).unwrap();
    let (once, again) = (explained(&plan), explained(&plan));
    assert_eq!((once.changes, once.together), (again.changes, again.together));
    assert_eq!((once.conclusion, once.blocks), (again.conclusion, again.blocks));
}
