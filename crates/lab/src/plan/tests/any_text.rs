//! No text panics, and what is accepted can be run.

use airtime_ble_link::plan::Scenario;
use proptest::prelude::*;

use crate::personality::Library;
use crate::plan::{CHECKED_MAX, Plan, Point};
use crate::schema::KEYS;

/// Values of every kind, right and wrong.
const VALUES: [&str; 16] = [
    "1",
    "0",
    "300",
    "65535",
    "-1",
    "0.5",
    "true",
    "\"15ms\"",
    "\"4s\"",
    "\"2M\"",
    "\"macos\"",
    "\"both\"",
    "\"none\"",
    "{ initial = 1 }",
    "[1, 2]",
    "{ from = \"7.5ms\", to = \"1s\", step = \"1.25ms\" }",
];

fn ble(point: &Point) -> &Scenario {
    point.scenario.of::<airtime_ble_link::plan::Scenario>().unwrap()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn any_text_is_a_plan_or_an_error(text in "(?s).{0,200}") {
        let _ = Plan::parse("x.toml", &text, &Library::empty(), &[]);
        let _ = Library::empty().add("x.toml", &text);
    }

    #[test]
    fn any_keys_are_a_plan_or_an_error_with_a_place(
        lines in proptest::collection::vec((0..KEYS.len(), 0..VALUES.len(), any::<bool>()), 0..6),
    ) {
        let library = Library::builtin();
        let line = |(key, value, sweep): &(usize, usize, bool)| {
            let table = if *sweep { "sweep." } else { "" };
            format!("{table}{} = {}\n", KEYS[*key].name, VALUES[*value])
        };
        let text: String = lines.iter().map(line).collect();
        match Plan::parse("x.toml", &text, &library, &[]) {
            Err(error) => prop_assert!(error.line().is_some(), "{text}\n{error}"),
            Ok(plan) => {
                let point = plan.point(0).expect("a plan has a point");
                let sdu_fits = ble(&point).sdu() <= ble(&point).receiver().host.coc_mtu;
                prop_assert!(sdu_fits || point.scenario.link() != "ble-coc", "{text}");
                prop_assert!(point.scenario.run().warmup < point.scenario.run().duration);
                prop_assert!(plan.point(plan.len() - 1).is_some(), "the last corner is checked, however many there are");
                if let Err(error) = plan.made(plan.len() / 2) {
                    prop_assert!(plan.len() > CHECKED_MAX && error.line().is_some(), "{text}\n{error}");
                }
            }
        }
    }
}
