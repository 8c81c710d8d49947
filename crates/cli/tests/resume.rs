//! Run folders that are gone on with: in another process, and of every plan that ships.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use airtime_lab::links::{Scenario, identity};
use airtime_lab::run::Repeats;
use airtime_lab::{Library, Plan};
use airtime_study::Digest;

fn airtime(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_airtime")).args(arguments).output().unwrap()
}

/// Plans with a grid, or with a value that has several forms.
fn plans() -> Vec<&'static str> {
    let marks = ["sweep", "credits", "pacing", "loss_channels"];
    let is_one = |text: &str| marks.iter().any(|mark| text.contains(mark));
    airtime_plans::ALL.iter().filter(|(_, text)| is_one(text)).map(|(name, _)| *name).collect()
}

/// Finished points of a run folder.
fn points(folder: &Path) -> usize {
    fs::read_to_string(folder.join("records.jsonl")).unwrap().matches("{\"point\":").count()
}

/// Each start of the program has its functions elsewhere.
#[test]
fn no_point_that_is_finished_is_run_again_in_another_process() {
    let plans = plans();
    assert!(plans.len() > 30, "{plans:?}");
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("out");
    let run = |more: &[&str]| {
        let short =
            ["run.duration=100ms", "run.warmup=20ms", "run.repeat=1"].into_iter().flat_map(|set| ["--set", set]);
        let kept = ["-o", folder.to_str().unwrap(), "--json", "-q"];
        let output = airtime(&[&["run"], &*plans, &short.collect::<Vec<_>>(), &kept, more].concat());
        (output.stdout, points(&folder))
    };
    let first = run(&[]);
    assert!(first.1 > 300, "{} points", first.1);
    assert!(run(&["--resume"]) == first, "the first time");
    assert!(run(&["--resume"]) == first, "the second time");
}

fn digest(plan: &Plan, index: usize) -> Digest {
    Digest::of_point(plan, &plan.point(index).unwrap())
}

#[test]
fn a_point_is_another_one_when_its_personality_says_something_else() {
    let plan = |initial: u32| {
        let mut library = Library::builtin();
        let source = "status = \"assumed\", source = \"a test\"";
        let host = format!("[host]\nlatency = {{ value = \"{initial}us\", {source} }}");
        library.add("own.toml", &format!("description = \"x\"\nbased_on = \"macos\"\n{host}\n")).unwrap();
        // Both ends stream, and differ in what the host of each says.
        let text = "central.personality = \"own.toml\"\nble.direction = \"both\"\n";
        Plan::parse("x.toml", text, &library, &[]).unwrap()
    };
    assert_eq!(digest(&plan(10), 0), digest(&plan(10), 0));
    assert_ne!(digest(&plan(10), 0), digest(&plan(11), 0));
}

#[test]
fn a_point_is_another_one_when_its_plan_says_something_else_about_it() {
    let plan = |text: &str| Plan::parse("x.toml", text, &Library::builtin(), &[]).unwrap();
    let own =
        "unlogged.host.latency = [\"0us\", \"1ms\", \"2ms\"]\n[[row]]\nid = \"a\"\nunlogged = [\"host.latency\"]\n";
    let texts = [
        String::new(),
        "name = \"y\"\n".to_owned(),
        "acl.count = 4\n".to_owned(),
        "run.seed = 2\n".to_owned(),
        own.to_owned(),
        own.replace("2ms", "3ms"),
        format!("{own}note = \"of another day\"\n"),
        format!("{own}measured = {{ value = 9, source = \"a test\" }}\n"),
    ];
    let digests: BTreeSet<Digest> = texts.iter().map(|text| digest(&plan(text), 0)).collect();
    assert_eq!(digests.len(), texts.len());
}

/// In a test, and in one process, the text of `Debug` is all of a scenario; keys that mean nothing in it are no part of its identity.
#[test]
fn scenarios_of_one_identity_run_alike() {
    let mut seen: BTreeMap<String, Box<dyn Scenario>> = BTreeMap::new();
    let ran = |link: &dyn Scenario| Repeats::of(link, &|| false).record;
    for (name, text) in airtime_plans::ALL {
        let plan = Plan::parse(name, text, &Library::builtin(), &[]).unwrap();
        for index in 0..plan.len() {
            let link = plan.point(index).unwrap().scenario.link;
            let before = seen.entry(identity(&*link)).or_insert_with(|| link.boxed());
            if format!("{before:?}") != format!("{link:?}") {
                assert_eq!(ran(&**before), ran(&*link), "{name}, point {index}");
            }
        }
    }
    assert!(seen.len() > 300);
}
