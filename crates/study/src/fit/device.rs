//! The device that explains the figures: its values, how sure each is, and its file.

use airtime_lab::Personality;
use airtime_lab::fit::{DeviceAxis, axes};
use airtime_lab::plan::toml_text;
use airtime_lab::schema::Key;
use serde::Serialize;

use super::bench::{Bench, Told};
use super::decide::{FittedValue, Next, alike, fitted_values, next, within};
use super::rank::Ranked;
use super::search::{Cut, Landscape};
use super::{Free, Request};

/// Known devices, the nearest first, that are tried as what it is like, *assumed*: what is not free decides among them, a rule that no
/// other has. Where none of them explains the figures, the others are tried as well.
const BASES: usize = 6;
/// Known devices whose values are starts of the search besides the base, *assumed*.
const OTHERS: usize = 2;
/// Values that are free where nobody names them, *assumed*: those that change the figures most.
const FREE_MAX: usize = 6;
/// Values of a key that are tried to see if it changes a figure, *assumed*.
const SCREENED_MAX: usize = 5;
/// Part of the repeatability by which a figure has to change for a value to be worth looking for, *assumed*.
const CHANGE: f64 = 0.5;

/// A device whose values were looked for.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FittedDevice {
    /// Known device that it is like; what was not free is as there.
    pub base: String,
    /// Its errors.
    #[serde(flatten)]
    pub errors: Ranked,
    /// Values that were free.
    pub values: Vec<FittedValue>,
    /// Pairs of them that the figures cannot tell apart.
    pub alike: Vec<[&'static str; 2]>,
    /// Values that known devices differ in, and of which these points say nothing.
    pub silent: Vec<&'static str>,
    /// The measurement that would tell what is left apart.
    pub next: Option<Next>,
    /// Set if the budget was spent before the search was at its end.
    pub spent: bool,
    /// Its personality, as a file.
    pub toml: String,
}

/// Looks for the values of a device like one of the first in the `ranking`; none where that is not asked for, or nothing was found.
pub fn fitted(
    bench: &Bench<'_>,
    request: &Request<'_>,
    known: &[Personality],
    ranking: &[Ranked],
    noise_pct: f64,
) -> Option<FittedDevice> {
    let mut silent = Vec::new();
    let of = |ranked: &Ranked| known.iter().find(|device| device.name == ranked.device);
    let first = ranking.first().and_then(of)?;
    let free = match request.free {
        Free::Nothing => return None,
        Free::These(axes) => axes.to_vec(),
        Free::Sensitive => sensitive(bench, first, known, noise_pct, &mut silent)?,
    };
    let points = &request.measured.points;
    // Devices that no point tells apart are one base.
    let mut bases: Vec<&Ranked> = ranking.iter().collect();
    bases.dedup_by(|one, other| one.rank == other.rank);
    let (mut chosen, mut cut) = (None, None);
    for (tried, base) in bases.into_iter().filter_map(of).enumerate() {
        let is_explained = |(_, landscape): &(f64, Landscape<'_, '_>)| {
            landscape.best().is_some_and(|best| Ranked::of("", &best.errors, None, noise_pct).fits)
        };
        if tried >= BASES && chosen.as_ref().is_some_and(is_explained) {
            break;
        }
        let mut landscape = Landscape::new(bench, base, free.clone(), points.len(), noise_pct);
        cut = landscape.descend_from_base().err();
        let cost = landscape.best().map_or(f64::INFINITY, |best| best.cost);
        if chosen.as_ref().is_none_or(|(least, _)| cost < *least) {
            chosen = Some((cost, landscape));
        }
        if cut.is_some() {
            break;
        }
    }
    let (_, mut landscape) = chosen?;
    let base = landscape.base;
    let others: Vec<&Personality> =
        ranking.iter().filter_map(of).filter(|other| other.name != base.name).take(OTHERS).collect();
    if cut.is_none() {
        cut = landscape.search(&others).and_then(|()| within(&mut landscape)).err();
    }
    let best = landscape.best()?.clone();
    let measurement = match cut {
        Some(_) => None,
        None => next(&landscape, bench, &request.measured.plan, points).unwrap_or_else(|spent| {
            cut = Some(spent);
            None
        }),
    };
    let mut found = FittedDevice {
        base: base.name.clone(),
        errors: Ranked::of("fitted", &best.errors, None, noise_pct),
        values: fitted_values(&landscape),
        alike: alike(&landscape),
        silent,
        next: measurement,
        spent: cut == Some(Cut::Spent),
        toml: String::new(),
    };
    found.toml = toml(&found, &landscape, request);
    Some(found)
}

/// Axes of the values that change a figure at some point, those that change most first and as many as are looked for; the others are
/// `silent`. None when somebody stopped it.
fn sensitive(
    bench: &Bench<'_>,
    base: &Personality,
    known: &[Personality],
    noise_pct: f64,
    silent: &mut Vec<&'static str>,
) -> Option<Vec<DeviceAxis>> {
    let mut effects: Vec<(f64, DeviceAxis)> = Vec::new();
    for axis in axes(known) {
        let one = Landscape::new(bench, base, vec![axis.clone()], 0, noise_pct);
        let mut tried = one.of_base();
        tried.extend(known.iter().filter_map(|device| device.get(axis.key.name)).map(|entry| entry.value.clone()));
        let mut distinct = Vec::new();
        for value in tried.into_iter().chain(axis.values.first().cloned()).chain(axis.values.last().cloned()) {
            if !distinct.contains(&value) {
                distinct.push(value);
            }
        }
        distinct.truncate(SCREENED_MAX + 1);
        if !bench.affords(distinct.len()) {
            break;
        }
        let devices: Vec<_> = distinct.iter().map(|value| one.device(std::slice::from_ref(value))).collect();
        let told = bench.figures(&devices)?;
        effects.push((effect(&told), axis));
    }
    effects.sort_by(|one, other| other.0.total_cmp(&one.0));
    silent.extend(effects.iter().filter(|(effect, _)| *effect < CHANGE * noise_pct).map(|(_, axis)| axis.key.name));
    effects.retain(|(effect, _)| *effect >= CHANGE * noise_pct);
    Some(effects.into_iter().take(FREE_MAX).map(|(_, axis)| axis).collect())
}

/// Largest change of a figure against that of the first, in per cent.
fn effect(told: &[Vec<Told>]) -> f64 {
    let Some((own, others)) = told.split_first() else { return 0.0 };
    let change = |(one, other): (&Told, &Told)| match (one, other) {
        (Told::Figure(one), Told::Figure(other)) if *one > 0.0 => 100.0 * (other / one - 1.0).abs(),
        // A value that the device cannot have at a point says nothing.
        _ => 0.0,
    };
    others.iter().flat_map(|other| own.iter().zip(other).map(change)).fold(0.0, f64::max)
}

/// The file of the device: values that the figures decide, with where they are from.
fn toml(found: &FittedDevice, landscape: &Landscape<'_, '_>, request: &Request<'_>) -> String {
    let mut device = landscape.device(&landscape.of_base());
    let decided = found.values.iter().filter(|value| value.decided || value.value != value.was);
    let key = |name: &str| landscape.axes.iter().find(|axis| axis.key.name == name).map(|axis| axis.key);
    device.values = decided.filter_map(|value| Some((key(value.key)?, value.value.clone()))).collect();
    let points = request.measured.points.len();
    let source = |key: &Key| {
        let value = found.values.iter().find(|value| value.key == key.name);
        let range = value.map(FittedValue::range).unwrap_or_default();
        let decided = value.is_some_and(|value| value.decided);
        let errors = &found.errors;
        let says = format!(
            "airtime fit to {points} figures of {}, median error {} %, largest {} %: {range}",
            sources(request),
            errors.median_abs_error_pct,
            errors.worst_abs_error_pct
        );
        (if decided { "derived" } else { "assumed" }, says)
    };
    let description = format!("A device like {}, fitted to {points} measured figures", found.base);
    device.text(&description, &source)
}

/// Sources of the figures, without what is behind a colon: lines of a file.
fn sources(request: &Request<'_>) -> String {
    let mut found: Vec<&str> = Vec::new();
    for row in request.measured.points.iter().filter_map(|point| point.row.as_ref()) {
        let source = row
            .source
            .rsplit_once(':')
            .filter(|(_, line)| line.parse::<u64>().is_ok())
            .map_or(&*row.source, |(file, _)| file);
        if !found.contains(&source) {
            found.push(source);
        }
    }
    found.join(", ")
}

impl FittedValue {
    /// Words for what it may be.
    pub fn range(&self) -> String {
        let words = toml_text;
        match self.within.as_slice() {
            [] => "not bounded".to_owned(),
            [only] => format!("only {} is within the noise", words(only)),
            _ if !self.decided => "every value that was tried is within the noise".to_owned(),
            [low, .., high] if self.is_number() => format!("{} to {} are within the noise", words(low), words(high)),
            several => {
                let all: Vec<String> = several.iter().map(words).collect();
                format!("{} are within the noise", all.join(", "))
            }
        }
    }

    fn is_number(&self) -> bool {
        let number = |value: &serde_json::Value| {
            value.is_number()
                || value.as_str().is_some_and(|text| text == "none" || text.starts_with(|c: char| c.is_ascii_digit()))
        };
        self.within.iter().all(number)
    }
}
