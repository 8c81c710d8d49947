//! Operands of a comparison: from words of the command line to pairs of points and records.

use std::borrow::Cow;

use airtime_study::compare::{Named, Pair, matched};

use crate::arguments::{ChangeArguments, CompareArguments};
use crate::catalog;
use crate::exit::Failure;
use crate::measure::parse;
use crate::request::Changes;
use crate::results;

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
    Named::of_plan(name, &plans[0], changes.point.as_deref())
}

/// Records of a file, a folder or a report, those of one point together.
fn kept(operand: &str, point: Option<&str>) -> Result<Named, Failure> {
    let documents = results::find(operand)?.unwrap_or_default();
    let records = documents.iter().flat_map(|document| &document.records).map(Cow::into_owned);
    Ok(Named::of_records(operand, records, point)?)
}
