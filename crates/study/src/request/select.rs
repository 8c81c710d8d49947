//! Selection of points of plans.

use airtime_lab::{Plan, PlanError, Point, spelling};

use super::Refused;

/// A point by the position of its plan and its number there. A point is made when it is run: a grid
/// may have a hundred thousand.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Selected {
    /// Position of the plan.
    pub plan: usize,
    /// Number of the point in the plan.
    pub index: usize,
}

impl Selected {
    /// The point itself.
    ///
    /// # Errors
    /// When it is impossible, as one of a large grid may turn out to be.
    ///
    /// # Panics
    /// When it was selected from other plans.
    pub fn point(self, plans: &[Plan]) -> Result<Point, PlanError> {
        plans[self.plan].made(self.index)
    }

    /// Its identifier.
    ///
    /// # Panics
    /// When it was selected from other plans.
    pub fn id(self, plans: &[Plan]) -> String {
        plans[self.plan].id(self.index)
    }
}

/// The one point of `plans`, or the one of this id, for what is `done` to one point at a time.
///
/// # Errors
/// When there are several, or none has the id.
pub fn single(plans: &[Plan], id: Option<&str>, done: &str) -> Result<Selected, Refused> {
    let points = select(plans, id)?;
    if let [selected] = points.as_slice() {
        return Ok(*selected);
    }
    let example = points.first().map(|selected| selected.id(plans)).unwrap_or_default();
    Err(Refused(format!(
        "{}: one point is {done} at a time, and the plan has {}: add --point '{example}', or another",
        plans[0].file,
        points.len(),
    )))
}

/// Every point of `plans`, or that of this id; the id of a row stands for all of its candidates and its points of the grid.
///
/// # Errors
/// When no point has the id.
pub fn select(plans: &[Plan], id: Option<&str>) -> Result<Vec<Selected>, Refused> {
    let of_plan = |(plan, p): (usize, &Plan)| (0..p.len()).map(move |index| Selected { plan, index });
    let all = plans.iter().enumerate().flat_map(of_plan);
    let Some(id) = id else { return Ok(all.collect()) };
    let named: Vec<(Selected, String)> = all.map(|selected| (selected, selected.id(plans))).collect();
    let exactly = |name: &str| name == id;
    let below = |name: &str| name.strip_prefix(id).is_some_and(|rest| rest.starts_with('/'));
    // What a record's replay names is that point alone, whatever else begins with the same words.
    for is_meant in [&exactly as &dyn Fn(&str) -> bool, &below] {
        let found: Vec<Selected> = named.iter().filter(|(_, name)| is_meant(name)).map(|(point, _)| *point).collect();
        if !found.is_empty() {
            return Ok(found);
        }
    }
    let nearest = spelling::nearest(id, named.iter().map(|(_, name)| name.as_str()));
    let example = nearest.or(named.first().map(|(_, name)| name.as_str())).unwrap_or_default();
    Err(Refused(format!("--point {id}: no such point among {}; one is `{example}`", named.len())))
}
