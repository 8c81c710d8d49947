//! Properties of every link that there is, whatever it is.

use airtime_lab::links::ALL;
use airtime_lab::plan::set_argument;
use airtime_lab::run::record;
use airtime_lab::{Library, Plan, explain};
use airtime_testing::Tenth;

fn plan(link: &str, set: &[(String, String)]) -> Plan {
    let text = format!("link = \"{link}\"\n[run]\nduration = \"3s\"\n");
    Plan::parse("x.toml", &text, &Library::builtin(), set).expect("a plan of two keys is possible")
}

fn names() -> impl Iterator<Item = &'static str> {
    ALL.iter().flat_map(|link| link.names()).copied()
}

#[test]
fn the_shortest_plan_runs_and_its_books_balance() {
    for name in names() {
        let plan = plan(name, &[]);
        let found = record(&plan, &plan.point(0).unwrap());
        assert_eq!((found.link.as_str(), found.outcome.as_str()), (name, "ok"));
        let sum = |books: &airtime_lab::Ordered<u64>| books.iter().map(|(_, ns)| *ns).sum::<u64>();
        assert_eq!(
            (sum(&found.ledger_ns), sum(&found.steady_ledger_ns)),
            (found.elapsed_ns, found.steady_ns),
            "{name}"
        );
        assert!(found.goodput_kbps.median > 0.0 && found.bottleneck.says.ends_with('.'), "{name}");
    }
}

#[test]
fn params_replay_the_scenario() {
    for name in names() {
        let shortest = plan(name, &[]).point(0).unwrap().scenario;
        let plain = |value: &serde_json::Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
        let set: Vec<_> = shortest.params.iter().map(|(name, value)| (name.to_owned(), plain(value))).collect();
        assert_eq!(plan(name, &set).point(0).unwrap().scenario, shortest, "{name}");
    }
}

/// Every change is looked at, and a tenth of them run.
#[test]
fn every_change_of_an_explanation_runs_as_it_is_printed() {
    let mut tenth = Tenth::new();
    for name in names() {
        let plan_of = plan(name, &[]);
        let candidates = explain::candidates(&plan_of, &plan_of.point(0).unwrap());
        assert!(candidates.len() > 5, "{name}: {} candidates", candidates.len());
        for candidate in candidates {
            // What is impossible by itself comes with its companion; a table has no value but those of its parts.
            let own = candidate.set.split(" --set ").next().expect("there is a first part");
            let value = candidate.point.scenario.params.get(candidate.key);
            assert!(value.is_none_or(|value| set_argument(candidate.key, value) == own), "{name}: {own}");
            if !tenth.takes() {
                continue;
            }
            let found = record(&plan_of, &candidate.point);
            let booked = found.ledger_ns.iter().map(|(_, ns)| *ns).sum::<u64>();
            assert_eq!(booked, found.elapsed_ns, "{name} with {}", candidate.set);
            assert!(!found.outcome.is_empty(), "{name} with {}", candidate.set);
        }
    }
}
