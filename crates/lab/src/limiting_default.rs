//! A default that limits a run: one that the plan says nothing of, as the credits that a receiver's device hands out one at a time.
//!
//! Whoever writes two lines gets the rest from the devices. Where a run then waits for what a device gives by default, that is no
//! property of the link; what to set instead is found by runs, as in an [explanation](crate::explain).

use std::borrow::Cow;

use airtime_link::{DefaultLimit, Stop};

use crate::explain::{Candidate, GAIN_MIN_PCT, Worth, candidates};
use crate::links;
use crate::plan::{Plan, Point};
use crate::record::Record;
use crate::run::record_unless;

/// A default that limits a run, and what the run is without it.
#[derive(Clone, Debug, PartialEq)]
pub struct LimitingDefault {
    /// Setting that ends it, as `--set` takes it.
    pub set: String,
    /// Name of the key that the plan does not set.
    pub key: &'static str,
    /// The default, the device that has it, and what it makes of the run.
    pub limit: DefaultLimit,
    /// Owner of the setting.
    pub who: &'static str,
    /// Goodput with the default, over all links, 10³ bit/s.
    pub kbps: f64,
    /// Goodput with the setting.
    pub instead_kbps: f64,
}

impl LimitingDefault {
    /// Sentence on the cause and the remedy.
    pub fn says(&self) -> String {
        let Self { set, key, limit, kbps, instead_kbps, who } = self;
        format!(
            "{kbps:.1} kbps is what a default makes of it, for the plan sets no {key}: {}; --set {set} gives {instead_kbps:.1} kbps \
             ({who} can make it)",
            limit.cause
        )
    }

    /// Reason for setting it from the start.
    pub fn reason(&self) -> String {
        format!(
            "Set, for the default is {}: {:.1} kbps instead of {:.1}.",
            self.limit.cause, self.kbps, self.instead_kbps
        )
    }
}

/// The default that limits the run of `point` that `record` is of, if there is one: what it gives is waited for more than anything
/// else, nothing that the plan or an option says is about it, and another value gains without losing anything.
pub fn limiting_default(plan: &Plan, point: &Point, record: &Record, stop: Stop<'_>) -> Option<LimitingDefault> {
    let key = links::find(&record.link)?.tacit()?.name;
    let limit = limit(record).filter(|_| !plan.says(point, key))?;
    let base = Worth::of(record);
    let mut found: Vec<(Candidate, Worth)> = Vec::new();
    for candidate in candidates(plan, point).into_iter().filter(|candidate| candidate.key == key) {
        let worth = Worth::of(&record_unless(plan, &candidate.point, stop));
        if stop() {
            return None;
        }
        if worth.keeps(&base) && worth.gain_pct(&base) >= GAIN_MIN_PCT {
            found.push((candidate, worth));
        }
    }
    let most = found.iter().map(|(_, worth)| worth.kbps).reduce(f64::max)?;
    // Policies that come to the same are told by the first, which in the order of the schema is the nearest to Zephyr.
    let enough = |worth: &Worth| worth.kbps * (1.0 + GAIN_MIN_PCT / 100.0) >= most;
    let (candidate, worth) = found.into_iter().find(|(_, worth)| enough(worth))?;
    Some(LimitingDefault {
        set: candidate.set,
        key,
        limit,
        who: candidate.turns.name(),
        kbps: base.kbps,
        instead_kbps: worth.kbps,
    })
}

/// Most runs of a plan of which such a default is looked for: where the first of them are limited by what the plan says, so are the
/// others.
const LIMITED_MAX: usize = 8;

/// Remark on the first of `runs` of `plan` that such a default limits, if there is one; the point of a run is made when it is needed.
pub fn remark<'a>(
    plan: &Plan,
    runs: impl Iterator<Item = (impl FnOnce() -> Option<Point>, Cow<'a, Record>)>,
    stop: Stop<'_>,
) -> Option<String> {
    let mut limited = runs.filter(|(_, record)| is_limited(record)).take(LIMITED_MAX);
    limited.find_map(|(point, record)| limiting_default(plan, &point()?, &record, stop)).map(|found| found.says())
}

/// Tells if the run that `record` is of is limited by what may be such a default.
fn is_limited(record: &Record) -> bool {
    limit(record).is_some()
}

fn limit(record: &Record) -> Option<DefaultLimit> {
    links::find(&record.link)?.limited_by_default(&record.bottleneck.account, &record.told())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::personality::Library;
    use crate::run::record;

    fn of(text: &str, set: &[(&str, &str)]) -> Option<LimitingDefault> {
        let set: Vec<_> = set.iter().map(|(key, value)| ((*key).to_owned(), (*value).to_owned())).collect();
        let plan = Plan::parse("x.toml", text, &Library::builtin(), &set).unwrap();
        let point = plan.point(0).unwrap();
        limiting_default(&plan, &point, &record(&plan, &point), &|| false)
    }

    const TWO_LINES: &str = "link = \"ble-coc\"\nperipheral.personality = \"zephyr-ll\"\n";

    #[test]
    fn the_shortest_plan_is_told_its_default() {
        let found = of(TWO_LINES, &[]).unwrap();
        assert_eq!((found.set.as_str(), found.limit.default.as_str()), ("coc.credits=batched", "zephyr-recv"));
        assert_eq!((found.limit.device.as_str(), found.who), ("zephyr-ll", "central's application"));
        assert!(found.says().contains("hands out one credit at a time"), "{}", found.says());
        assert!(found.instead_kbps > 10.0 * found.kbps, "{found:?}");
        // The run that is promised is the one that is got.
        let set = found.set.split_once('=').unwrap();
        let plan = Plan::parse("x.toml", TWO_LINES, &Library::builtin(), &[(set.0.into(), set.1.into())]).unwrap();
        let got = record(&plan, &plan.point(0).unwrap()).goodput_kbps.median;
        assert!((got - found.instead_kbps).abs() < 0.05, "{got} {found:?}");
    }

    #[test]
    fn what_somebody_said_is_no_default() {
        assert_eq!(of(TWO_LINES, &[("coc.credits", "zephyr-recv")]), None);
        assert_eq!(of("coc.credits = \"zephyr-recv\"\n", &[]), None);
        assert_eq!(of("[[row]]\nid = \"one\"\nset = { \"coc.credits\" = \"zephyr-recv\" }\n", &[]), None);
        assert_eq!(of("coc.credits = { max = 1 }\n", &[]), None);
    }

    #[test]
    fn a_link_that_waits_for_something_else_has_no_such_default() {
        assert_eq!(of("central.personality = \"macos\"\n", &[]), None);
        assert_eq!(of("link = \"ble-gatt\"\n", &[]), None);
        assert!(of("central.personality = \"macos\"\nble.direction = \"c2p\"\n", &[]).is_some());
    }
}
