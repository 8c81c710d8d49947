//! Operands of a comparison: plans and records, point by point.

use airtime_lab::{Condition, Plan, Record};

use super::{Operand, Origin};
use crate::request::{Refused, select};

/// Part of the id of a point that says its seed: points that differ in it alone are runs of one.
const SEED: &str = "run.seed=";

/// Two that are compared.
#[derive(Clone, Debug)]
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

/// Operand with its points.
#[derive(Clone, Debug)]
pub struct Named {
    /// Name for people.
    pub name: String,
    points: Vec<(String, Origin)>,
    thresholds: Vec<Condition>,
}

impl Named {
    /// The points of `plan`, or those of the id `point`, each once whatever its seed.
    ///
    /// # Errors
    /// When there is no such point, or one is impossible.
    pub fn of_plan<E: From<Refused> + From<airtime_lab::PlanError>>(
        name: &str,
        plan: &Plan,
        point: Option<&str>,
    ) -> Result<Self, E> {
        let plans = std::slice::from_ref(plan);
        let mut points: Vec<(String, Origin)> = Vec::new();
        for selected in select(plans, point)? {
            let id = without_seed(&plan.id(selected.index));
            if points.iter().all(|(known, _)| *known != id) {
                let point = selected.point(plans)?;
                points.push((id, Origin::Point(Box::new((plan.clone(), point)))));
            }
        }
        Ok(Self { name: name.to_owned(), points, thresholds: thresholds(plan) })
    }

    /// Records, or those of the id `point`, those of one point together.
    ///
    /// # Errors
    /// When there is none.
    pub fn of_records(
        name: &str,
        records: impl IntoIterator<Item = Record>,
        point: Option<&str>,
    ) -> Result<Self, Refused> {
        let mut points: Vec<(String, Origin)> = Vec::new();
        for record in records {
            let id = without_seed(&record.id);
            let is_asked = point.is_none_or(|asked| {
                id.strip_prefix(asked).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
            });
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
            return Err(Refused(format!("`{name}` has no record{of}")));
        }
        Ok(Self { name: name.to_owned(), points, thresholds: Vec::new() })
    }
}

/// The thresholds of a plan as the conditions that they are not met.
fn thresholds(plan: &Plan) -> Vec<Condition> {
    let goodput = plan.threshold.and_then(|threshold| format!("goodput {threshold}").parse::<Condition>().ok());
    goodput.iter().chain(&plan.limits).map(Condition::opposite).collect()
}

fn without_seed(id: &str) -> String {
    id.split('/').filter(|part| !part.starts_with(SEED)).collect::<Vec<_>>().join("/")
}

/// Pairs of the points of two operands: the only ones, or those with the same id, or with the same values of the grid.
///
/// # Errors
/// When their points are not the same ones.
pub fn matched(a: &Named, b: &Named) -> Result<Vec<Pair>, Refused> {
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
    Err(Refused(format!(
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
