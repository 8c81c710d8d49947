//! Device models beside measured figures: the ends of a link that a personality describes, and candidates for one of them.
//!
//! - [`ends`], [`devices`]: the ends of a point, and the personalities that can be there · [`Device`]: one of them with other values
//! - [`DeviceAxis`]: a value of a device with what it may be, from its own declaration and from what known devices have

mod axis;

use serde_json::Value;

use crate::personality::{BASED_ON, DESCRIPTION, LINK, Library, Personality};
use crate::plan::{Plan, Point};
use crate::schema::{KEYS, Key, Kind};
use crate::toml::PlanError;

pub use axis::{DeviceAxis, NotAnAxis, axes, axis};

/// Name of a candidate in its plan.
const CANDIDATE: &str = "the candidate";

/// Keys of the personalities that `point` names, one for each end of its link that is a device: `central.personality`.
pub fn ends(point: &Point) -> Vec<&'static Key> {
    let is_one = |key: &&Key| matches!(key.kind, Kind::Personality) && point.scenario.params.get(key.name).is_some();
    KEYS.iter().copied().filter(is_one).collect()
}

/// The personality at the `end` of `point`.
pub fn at_end<'a>(plan: &'a Plan, point: &Point, end: &Key) -> Option<&'a Personality> {
    plan.library().get(point.scenario.params.get(end.name)?.as_str()?)
}

/// Every personality that the plan can name and that is of the same kind as the one at this `end` of `point`, in the order of the library.
pub fn devices(plan: &Plan, point: &Point, end: &Key) -> Vec<Personality> {
    let Some(now) = at_end(plan, point, end) else { return Vec::new() };
    // The plan's own library stays unread: it is copied for every candidate.
    let all = plan.library().clone();
    all.iter().filter(|personality| personality.kind.link == now.kind.link).cloned().collect()
}

/// A personality with other values.
#[derive(Clone, Debug)]
pub struct Device {
    /// Personality that it differs from.
    pub base: String,
    /// Kind of it, as files name it.
    pub kind: &'static str,
    /// Values that are its own.
    pub values: Vec<(&'static Key, Value)>,
}

impl Device {
    /// The plan with this device to name, and the name.
    ///
    /// # Errors
    /// When the values do not go together.
    pub fn named(&self, plan: &Plan) -> Result<(Plan, String), PlanError> {
        if self.values.is_empty() {
            return Ok((plan.clone(), self.base.clone()));
        }
        let mut library: Library = plan.library().clone();
        library.add(CANDIDATE, &self.text("", &|_| ("assumed", "a candidate".to_owned())))?;
        Ok((plan.clone().with_library(library), CANDIDATE.to_owned()))
    }

    /// The file of it: `description`, and each value with the status and the source that `origin` gives it.
    pub fn text(&self, description: &str, origin: &dyn Fn(&Key) -> (&'static str, String)) -> String {
        let mut text = String::new();
        if !description.is_empty() {
            text.push_str(&format!("{DESCRIPTION} = {}\n", Value::from(description)));
        }
        text.push_str(&format!(
            "{BASED_ON} = {}\n{LINK} = {}\n",
            Value::from(self.base.as_str()),
            Value::from(self.kind)
        ));
        let mut table = "";
        for (key, value) in &self.values {
            let (status, source) = origin(key);
            if key.table() != table {
                table = key.table();
                text.push_str(&format!("\n[{table}]\n"));
            }
            text.push_str(&format!(
                "{} = {{ value = {}, status = \"{status}\", source = {} }}\n",
                key.last(),
                inline(value),
                Value::from(source)
            ));
        }
        text
    }
}

/// `point` of `plan` with the device called `name` at this `end`.
///
/// # Errors
/// When the point is impossible with it.
pub fn with_device(plan: &Plan, point: &Point, end: &Key, name: &str) -> Result<Point, PlanError> {
    plan.vary(point, &[(end.name.to_owned(), name.into())])
}

/// A value as TOML has it within a line; strings of JSON are strings of TOML.
fn inline(value: &Value) -> String {
    match value {
        Value::Object(table) => {
            let parts: Vec<String> = table.iter().map(|(name, value)| format!("{name} = {}", inline(value))).collect();
            format!("{{ {} }}", parts.join(", "))
        }
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan() -> (Plan, Point) {
        let text = "link = \"ble-coc\"\ncentral.personality = \"macos\"\nble.direction = \"c2p\"\n";
        let plan = Plan::parse("x.toml", text, &Library::builtin(), &[]).unwrap();
        let point = plan.point(0).unwrap();
        (plan, point)
    }

    fn key(name: &str) -> &'static Key {
        crate::links::device_kinds()[0].key(name).unwrap()
    }

    #[test]
    fn a_link_has_an_end_for_each_device_and_devices_of_its_kind() {
        let (plan, point) = plan();
        let names: Vec<&str> = ends(&point).iter().map(|key| key.name).collect();
        assert_eq!(names, ["central.personality", "peripheral.personality"]);
        let devices = devices(&plan, &point, ends(&point)[0]);
        assert!(devices.iter().any(|device| device.name == "iphone"));
        assert!(
            devices.iter().all(|device| device.name != "esp32-p4-c6"),
            "a chain of Wi-Fi is no end of Bluetooth LE"
        );
    }

    #[test]
    fn a_candidate_is_what_its_file_says() {
        let (plan, point) = plan();
        let credits = serde_json::json!({ "initial": 5, "on_connect": 0, "grant": 1, "every": 1 });
        let device = Device {
            base: "macos".into(),
            kind: "ble",
            values: vec![(key("controller.margin"), "300us".into()), (key("host.credits"), credits)],
        };
        let device = Device { kind: at_end(&plan, &point, ends(&point)[0]).unwrap().kind.link, ..device };
        let (other, name) = device.named(&plan).unwrap();
        let at = with_device(&other, &point, ends(&point)[0], &name).unwrap();
        assert_ne!(airtime_link::identity(&*at.scenario.link), airtime_link::identity(&*point.scenario.link));
        let text = device.text("A Mac", &|_| ("derived", "a \"fit\"".to_owned()));
        let mut library = Library::builtin();
        library.add("mine.toml", &text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let mine = library.get("mine.toml").unwrap();
        assert_eq!(mine.get("controller.margin").unwrap().value, Value::from("300us"));
        assert_eq!((mine.description.as_str(), mine.based_on.as_deref()), ("A Mac", Some("macos")));
    }
}
