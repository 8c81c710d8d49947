//! Operands of a comparison: from words of the command line to pairs of points and records.

use std::borrow::Cow;

use airtime_lab::{Condition, Plan};
use airtime_study::compare::{Operand, Origin};

use crate::arguments::{ChangeArguments, CompareArguments};
use crate::catalog;
use crate::exit::Failure;
use crate::measure::parse;
use crate::request::Changes;
use crate::results;
use crate::select::select;

/// Part of the id of a point that says its seed: points that differ in it alone are runs of one.
const SEED: &str = "run.seed=";

/// Two that are compared.
#[derive(Debug)]
pub struct Pair {
    /// The first.
    pub a: Operand,
    /// The second.
    pub b: Operand,
    /// Values of the grid that both have; empty where there is no grid.
    pub point: String,
    /// Thresholds of the second's plan, as conditions that must not hold.
    pub thresholds: Vec<Condition>,
}

/// An operand with its points.
struct Named {
    name: String,
    points: Vec<(String, Origin)>,
    thresholds: Vec<Condition>,
}

/// Every other operand with the first, point by point.
///
/// # Errors
/// When one cannot be read, or there are not two, or their points do not match.
pub fn pairs(arguments: &CompareArguments) -> Result<Vec<Pair>, Failure> {
    let mut all = named(arguments)?;
    let a = all.remove(0);
    let mut found = Vec::new();
    for b in &all {
        found.extend(matched(&a, b)?);
    }
    Ok(found)
}

fn named(arguments: &CompareArguments) -> Result<Vec<Named>, Failure> {
    let CompareArguments { operands, with, baseline, changes, .. } = arguments;
    let mut all: Vec<Named> = Vec::new();
    if let Some(path) = baseline {
        all.push(kept(&path.to_string_lossy(), changes.point.as_deref())?);
    }
    match (operands.as_slice(), with.as_slice()) {
        (operands, []) => {
            for operand in operands {
                all.push(operand_of(operand, changes)?);
            }
        }
        ([plan], variants) => {
            if is_kept(plan) {
                return Err(Failure::BadInput(format!("--with changes a plan, and `{plan}` has records of runs")));
            }
            if variants.len() == 1 && all.is_empty() {
                all.push(operand_of(plan, changes)?);
            }
            for variant in variants {
                all.push(variant_of(plan, variant, changes)?);
            }
        }
        (operands, _) => {
            let count = operands.len();
            return Err(Failure::BadInput(format!(
                "--with makes variants of one plan, and there are {count} operands"
            )));
        }
    }
    if all.len() < 2 {
        return Err(Failure::BadInput(format!(
            "`{}` alone is compared with nothing: name another one, or a variant (--with KEY=VALUE), or what it was (--baseline FILE)",
            operands[0]
        )));
    }
    Ok(all)
}

fn operand_of(operand: &str, changes: &ChangeArguments) -> Result<Named, Failure> {
    if is_kept(operand) { kept(operand, changes.point.as_deref()) } else { plan(operand, operand, changes, &[]) }
}

/// Tells if `operand` is records and no plan.
fn is_kept(operand: &str) -> bool {
    !catalog::is_shipped(operand, "") && results::is_kept(operand)
}

/// The variant of a plan with `KEY=VALUE,…` on top of all other changes.
fn variant_of(operand: &str, variant: &str, changes: &ChangeArguments) -> Result<Named, Failure> {
    plan(operand, variant, changes, &super::super::split(variant))
}

fn plan(operand: &str, name: &str, changes: &ChangeArguments, with: &[String]) -> Result<Named, Failure> {
    let variant = ChangeArguments { set: with.to_vec(), seed: None, point: None };
    let own = Changes::of(&variant).map_err(|failure| match failure {
        Failure::BadInput(says) => Failure::BadInput(says.replace("--set", "--with")),
        other => other,
    })?;
    let mut all = Changes::of(changes)?;
    // A variant has the last word.
    all.0.retain(|(key, _)| own.0.iter().all(|(other, _)| other != key));
    all.0.extend(own.0);
    let plans = parse(&[catalog::find(operand, "")?], &all)?;
    let mut points: Vec<(String, Origin)> = Vec::new();
    for selected in select(&plans, changes.point.as_deref())? {
        let plan = &plans[selected.plan];
        let id = without_seed(&plan.id(selected.index));
        if points.iter().all(|(known, _)| *known != id) {
            let point = selected.point(&plans)?;
            points.push((id, Origin::Point(Box::new((plan.clone(), point)))));
        }
    }
    Ok(Named { name: name.to_owned(), points, thresholds: thresholds(&plans[0]) })
}

/// The threshold of a plan as the condition that it is not met.
fn thresholds(plan: &Plan) -> Vec<Condition> {
    let Some(threshold) = plan.threshold else { return Vec::new() };
    let sign = match (threshold.at_least, threshold.strict) {
        (true, false) => "<",
        (true, true) => "<=",
        (false, false) => ">",
        (false, true) => ">=",
    };
    format!("goodput {sign} {}", threshold.rate).parse().into_iter().collect()
}

/// Records of a file, a folder or a report, those of one point together.
fn kept(operand: &str, point: Option<&str>) -> Result<Named, Failure> {
    let documents = results::find(operand)?.unwrap_or_default();
    let records = documents.iter().flat_map(|document| &document.records).map(Cow::into_owned);
    let mut points: Vec<(String, Origin)> = Vec::new();
    for record in records {
        let id = without_seed(&record.id);
        let is_asked = point
            .is_none_or(|asked| id.strip_prefix(asked).is_some_and(|rest| rest.is_empty() || rest.starts_with('/')));
        if !is_asked {
            continue;
        }
        match points.iter_mut().find(|(known, _)| *known == id) {
            Some((_, Origin::Kept(of))) => of.push(record),
            _ => points.push((id, Origin::Kept(vec![record]))),
        }
    }
    if points.is_empty() {
        let of = point.map(|point| format!(" of {point}")).unwrap_or_default();
        return Err(Failure::BadInput(format!("`{operand}` has no record{of}")));
    }
    Ok(Named { name: operand.to_owned(), points, thresholds: Vec::new() })
}

fn without_seed(id: &str) -> String {
    id.split('/').filter(|part| !part.starts_with(SEED)).collect::<Vec<_>>().join("/")
}

/// Pairs of the points of two operands: the only ones, or those with the same id, or with the same values of the grid.
fn matched(a: &Named, b: &Named) -> Result<Vec<Pair>, Failure> {
    let operand = |of: &Named, origin: &Origin| Operand { name: of.name.clone(), from: origin.clone() };
    let pair = |(of_a, of_b): (&Origin, &Origin), point: &str| Pair {
        a: operand(a, of_a),
        b: operand(b, of_b),
        point: point.to_owned(),
        thresholds: b.thresholds.clone(),
    };
    if let ([(_, one)], [(_, other)]) = (a.points.as_slice(), b.points.as_slice()) {
        return Ok(vec![pair((one, other), "")]);
    }
    // Plans of other names have other ids; the values behind them may be the same.
    let whole = |id: &str| id.to_owned();
    let values = |id: &str| id.split_once('/').map_or(String::new(), |(_, values)| values.to_owned());
    for name in [&whole as &dyn Fn(&str) -> String, &values] {
        let partner = |(id, one): &(String, Origin)| {
            let mut same = b.points.iter().filter(|(other, _)| name(other) == name(id));
            let (_, other) = same.next().filter(|_| a.points.len() == b.points.len())?;
            Some(pair((one, other), &name(id)))
        };
        if let Some(found) = a.points.iter().map(partner).collect::<Option<Vec<Pair>>>() {
            return Ok(found);
        }
    }
    let (in_a, in_b) = (a.points.len(), b.points.len());
    let example = a.points.iter().chain(&b.points).map(|(id, _)| id.as_str()).next().unwrap_or_default();
    Err(Failure::BadInput(format!(
        "{} has {in_a} points and {} has {in_b}, and they are not the same ones: compare one of them (--point '{example}')",
        a.name, b.name
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_of_one_point_with_several_seeds_are_one() {
        assert_eq!(without_seed("x/run.seed=3/coc.sdu=5"), "x/coc.sdu=5");
        assert_eq!(without_seed("x"), "x");
    }
}
