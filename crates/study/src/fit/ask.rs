//! Request of a fit in words: the end that is looked for, and the values of it that are free.

use airtime_lab::fit::{DeviceAxis, axis, devices, ends};
use airtime_lab::schema::Key;

use super::Measurements;
use crate::request::Refused;

/// The values of a device that are named, each with what it may be, if that is said.
///
/// # Errors
/// When a device has none of that name, or it is named twice.
pub fn free_values(
    measured: &Measurements,
    end: &'static Key,
    named: &[(String, Vec<String>)],
) -> Result<Vec<DeviceAxis>, Refused> {
    let Some(point) = measured.points.first() else { return Ok(Vec::new()) };
    let known = devices(&measured.plan, point, end);
    let mut found: Vec<DeviceAxis> = Vec::new();
    for (name, values) in named {
        let called = if values.is_empty() { name.clone() } else { format!("{name}={}", values.join(",")) };
        let bad = |why: String| Refused(format!("--free {called}: {why}"));
        let one = axis(&known, name, values).map_err(|error| bad(error.to_string()))?;
        if found.iter().any(|known| known.key.name == one.key.name) {
            return Err(bad("it is free already".to_owned()));
        }
        found.push(one);
    }
    Ok(found)
}

/// The key of the end that is `asked` for, or of the only one.
///
/// # Errors
/// When there is none, or several and none is asked for.
pub fn end(measured: &Measurements, asked: Option<&str>) -> Result<&'static Key, Refused> {
    let point = measured.points.first();
    let all = point.map(ends).unwrap_or_default();
    let named = |key: &&'static Key| asked.is_some_and(|asked| asked == key.table() || asked == key.name);
    let names = || all.iter().map(|key| key.table()).collect::<Vec<_>>().join(" or ");
    match (all.as_slice(), asked) {
        ([], _) => {
            let link = point.map_or("this link", |point| point.scenario.link());
            Err(Refused(format!("no end of {link} is described by a personality: there is nothing to fit")))
        }
        ([only], None) => Ok(only),
        (_, None) => Err(Refused(format!("which end was measured? --end {}", names()))),
        (all, Some(asked)) => all
            .iter()
            .copied()
            .find(|key| named(key))
            .ok_or_else(|| Refused(format!("--end {asked}: no end of that name; expected {}", names()))),
    }
}
