//! Ends of what is not known: both ends of every value that a plan or a personality assumes, to see if a verdict hangs on one of them.

use airtime_core::Duration;
use airtime_core::units::{Frequency, Size};
use airtime_keys::{Key, Kind};
use airtime_link::identity;
use serde_json::Value;

use crate::personality::{BASED_ON, LINK, Status};
use crate::plan::{Corner, Plan, Point, corners, toml_text};
use crate::schema;

/// Part of an assumed number that its true value may be, and times as much as it, *assumed*: no personality says how wrong it may be.
const FACTOR: u64 = 2;

/// A value that is not known.
#[derive(Clone, Debug, PartialEq)]
pub struct Unknown {
    /// Name for people: `host.latency of macos`.
    pub name: String,
    /// Device that assumes it.
    device: String,
    /// Dotted name of the key.
    pub key: &'static str,
    /// Its lower and its upper end.
    pub ends: [Value; 2],
}

/// The values that are assumed at `point` of `plan`, each with its ends; without those that the plan says, and those that change nothing.
pub fn assumed(plan: &Plan, point: &Point) -> Vec<Unknown> {
    let mut devices: Vec<&str> = devices(point).map(|(_, name)| name).collect();
    devices.dedup();
    let before = identity(&*point.scenario.link);
    let mut found = Vec::new();
    for device in devices {
        let Some(personality) = plan.library().get(device) else { continue };
        for entry in personality.describe().iter().filter(|entry| entry.status == Status::Assumed) {
            let Some(key) = personality.kind.key(entry.key) else { continue };
            let Some(ends) = ends(key, &entry.value) else { continue };
            let name = format!("{} of {device}", entry.key);
            let unknown = Unknown { name, device: device.to_owned(), key: entry.key, ends };
            let changes = |end| {
                let (_, at) = unknown.at(plan, point, end)?;
                // The name of the device is another one in any case.
                (told(&identity(&*at.scenario.link)) != told(&before)).then_some(())
            };
            if changes(0).or_else(|| changes(1)).is_some() {
                found.push(unknown);
            }
        }
    }
    found
}

/// The corners of the ranges that the plan has at `point`, each with a name for people; none where it has no ranges.
pub fn of_ranges(point: &Point) -> Vec<(String, Corner)> {
    if point.unlogged.is_empty() {
        return Vec::new();
    }
    let named = |corner: Corner| {
        let set: Vec<String> = corner.1.iter().map(|(key, value)| format!("{key} {}", toml_text(value))).collect();
        (set.join(", "), corner)
    };
    corners(&point.unlogged).into_iter().map(named).collect()
}

impl Unknown {
    /// `point` with the value at its lower (0) or upper end (1), and the plan that it is of; none where that is impossible.
    pub fn at(&self, plan: &Plan, point: &Point, end: usize) -> Option<(Plan, Point)> {
        let device = self.device.as_str();
        let kind = plan.library().get(device)?.kind.link;
        let end = &self.ends[end];
        let text = format!(
            "{LINK} = \"{kind}\"\n{BASED_ON} = {}\n{} = {{ value = {end}, status = \"assumed\", source = \"an end of it\" }}\n",
            Value::from(device),
            self.key,
        );
        // Those that differ from it stay as they are: the device of the plan alone is another one.
        let other = format!("{device} with {} {}", self.key, toml_text(end));
        let mut library = plan.library().clone();
        library.add(&other, &text).ok()?;
        let plan = plan.clone().with_library(library);
        let named = devices(point).filter(|(_, name)| *name == device);
        let changes: Vec<(String, Value)> = named.map(|(key, _)| (key.to_owned(), other.as_str().into())).collect();
        let point = plan.vary(point, &changes).ok()?;
        Some((plan, point))
    }

    /// True if `point` has the device that assumes it.
    pub fn concerns(&self, point: &Point) -> bool {
        devices(point).any(|(_, name)| name == self.device)
    }
}

/// Devices that `point` names, each with the key that does.
fn devices(point: &Point) -> impl Iterator<Item = (&str, &str)> {
    let is_one = |key: &str| schema::find(key).is_some_and(|key| matches!(key.kind, Kind::Personality));
    let named = point.scenario.params.iter().filter(move |(key, _)| is_one(key));
    named.filter_map(|(key, value)| Some((key, value.as_str()?)))
}

/// `identity` without the names of its devices.
fn told(identity: &str) -> Vec<&str> {
    identity.lines().filter(|line| !line.contains("personality=")).collect()
}

/// Half and twice the number that `value` is, within the range of `key`; none of what is no number, and of nothing.
fn ends(key: &Key, value: &Value) -> Option<[Value; 2]> {
    let now = key.kind.number(value).filter(|now| *now > 0)?;
    let (least, most, write): (u64, u64, fn(u64) -> Value) = match key.kind {
        Kind::Count(least, most) | Kind::CountOrNone(least, most) => (least, most, Value::from),
        Kind::Span(least, most) | Kind::SpanOrNone(least, most) => {
            (least.as_nanos(), most.as_nanos(), |ns| Duration::from_nanos(ns).to_string().into())
        }
        Kind::Size(least, most) => (least, most, |octets| Size(octets).to_string().into()),
        Kind::Clock(least, most) => (least, most, |hertz| Frequency(hertz).to_string().into()),
        _ => return None,
    };
    let [low, high] = [now / FACTOR, now.saturating_mul(FACTOR)].map(|end| end.clamp(least, most));
    (low != high).then(|| [write(low), write(high)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::personality::Library;

    fn plan(text: &str) -> (Plan, Point) {
        let plan = Plan::parse("x.toml", text, &Library::builtin(), &[]).unwrap();
        let point = plan.point(0).unwrap();
        (plan, point)
    }

    #[test]
    fn an_assumed_number_has_two_ends_and_a_published_one_none() {
        let (plan, point) = plan("link = \"ble-coc\"\ncentral.personality = \"macos\"\nble.direction = \"c2p\"\n");
        let found = assumed(&plan, &point);
        let names: Vec<&str> = found.iter().map(|unknown| unknown.name.as_str()).collect();
        assert!(names.contains(&"host.latency of macos"), "{names:?}");
        assert!(!names.iter().any(|name| name.starts_with("controller.event_time_cap of macos")), "{names:?}");
        let latency = found.iter().find(|unknown| unknown.name == "host.latency of macos").unwrap();
        assert_eq!(latency.ends, [Value::from("100us"), "400us".into()]);
        let (_, at) = latency.at(&plan, &point, 1).unwrap();
        assert_ne!(identity(&*at.scenario.link), identity(&*point.scenario.link));
        assert!(latency.concerns(&point) && !latency.concerns(&at), "its device has another name there");
    }

    #[test]
    fn what_the_plan_says_is_not_assumed() {
        let text = "link = \"ble-coc\"\ncentral.personality = \"macos\"\nble.direction = \"c2p\"\n";
        let (said, point) = plan(&format!("{text}host.latency = \"200us\"\n"));
        assert!(assumed(&said, &point).iter().all(|unknown| unknown.name != "host.latency of macos"));
    }

    #[test]
    fn ranges_of_a_plan_have_corners_with_names() {
        let text = "link = \"ble-coc\"\nunlogged.host.latency = [\"0us\", \"1ms\", \"2ms\"]\n\
            [[row]]\nid = \"a\"\nunlogged = [\"host.latency\"]\n";
        let names: Vec<String> = of_ranges(&plan(text).1).into_iter().map(|(name, _)| name).collect();
        assert_eq!(names, ["host.latency 0us", "host.latency 2ms"]);
        assert!(of_ranges(&plan("link = \"ble-coc\"\n").1).is_empty());
    }
}
