//! Names of points, and what the plan asks of each: known before it is made, and if it is impossible.

use airtime_link::Ordered;
use airtime_link::config::{set_argument, toml_text};
use serde_json::Value;

use super::settings::Assignment;
use super::{Plan, Row};
use crate::links::LINK;
use crate::schema::{Scope, scope};

/// A point that was not made.
#[derive(Clone, Debug)]
pub struct Outline {
    /// Its identifier.
    pub id: String,
    /// Label that tells it from its neighbours, for people.
    pub label: String,
    /// The published experiment.
    pub row: Option<Row>,
    /// Name of its link.
    pub link: String,
    /// Keys of this link that the plan sets, with the value that it asks for.
    pub asked: Ordered<Value>,
}

impl Plan {
    /// Identifier of the point of this number.
    ///
    /// # Panics
    /// When there are not as many.
    pub fn id(&self, index: usize) -> String {
        self.names(index).0
    }

    /// The point of this number without a scenario.
    ///
    /// # Panics
    /// When there are not as many.
    pub fn outline(&self, index: usize) -> Outline {
        let (id, label) = self.names(index);
        let row = self.variant(index).0.map(|row| row.row.clone());
        let settings = self.settings(&self.assignments(index)).unwrap_or_else(|_| self.base.clone());
        let link = settings.text(LINK).unwrap_or_default().to_owned();
        let own = settings.all().filter(|(key, _)| *scope(key) != Scope::Plan && scope(key).covers(&link));
        let asked = own.map(|(key, value)| (key.name, value.clone())).collect();
        Outline { id, label, row, link, asked }
    }

    /// Names that the identifiers of all points follow from, in the order of the points: the plan's, those of rows with the number of
    /// their candidates, and each axis with its values.
    pub fn coordinates_by_name(&self) -> Vec<String> {
        let rows = self.rows.iter().map(|row| format!("{}/{}", row.row.id, row.candidates.len()));
        let axes = self.axes.iter().flat_map(|axis| {
            let values = axis.values.iter().map(|value| set_argument(axis.key.name, &value.node.json()));
            std::iter::once(axis.key.name.to_owned()).chain(values)
        });
        std::iter::once(self.name.clone()).chain(rows).chain(axes).collect()
    }

    /// Identifier and label of point `index`.
    pub(super) fn names(&self, index: usize) -> (String, String) {
        let (row, candidate) = self.variant(index);
        let mut id = row.map_or(&self.name, |row| &row.row.id).clone();
        let mut said: Vec<String> = Vec::new();
        if let Some((n, row)) = candidate.zip(row) {
            id = format!("{id}/candidate-{}", n + 1);
            said.extend(row.candidates[n].iter().map(describe));
        }
        for assignment in &self.coordinates(index) {
            id = format!("{id}/{}", set_argument(assignment.key.name, &assignment.node.json()));
            said.push(describe(assignment));
        }
        let head = row.map(|row| row.row.changed.as_ref().unwrap_or(&row.row.id));
        let label = head.cloned().into_iter().chain(said).collect::<Vec<_>>().join(", ");
        (id, if label.is_empty() { self.name.clone() } else { label })
    }
}

/// `sdu 492`: an assignment for people.
pub fn describe(assignment: &Assignment) -> String {
    format!("{} {}", assignment.key.name, toml_text(&assignment.node.json()))
}
