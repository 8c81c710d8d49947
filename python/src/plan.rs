//! Plans: found by name, path or text, and changed.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use airtime_lab::plan::toml_text;
use airtime_study::Digest;
use airtime_study::request::catalog::{
    PLAN_OCTETS_MAX, library, looks_like_a_path, once, read, shipped, shipped_as, unknown,
};
use airtime_study::request::select;
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyBytes, PyFloat, PyInt, PyString};

use crate::error::Failure;

/// Plan with its source, so that it can be read again with other changes.
#[pyclass(frozen, module = "airtime._airtime")]
#[derive(Debug)]
pub struct Plan {
    name: String,
    text: String,
    changes: Vec<(String, String)>,
    /// The plan itself.
    pub plan: airtime_lab::Plan,
}

impl Plan {
    fn new(name: String, text: String, changes: Vec<(String, String)>) -> Result<Self, Failure> {
        once(&changes, "set")?;
        let plan = read((name.as_str(), text.as_str()), &changes, &library(), text_of)?;
        Ok(Self { name, text, changes, plan })
    }
}

#[pymethods]
impl Plan {
    /// The shipped plan of this name, or the one in a file.
    #[staticmethod]
    fn load(asked: &str, folder: &str) -> Result<Self, Failure> {
        if let Some((name, text)) = shipped_as(asked, folder) {
            return Self::new(name.to_owned(), text.to_owned(), Vec::new());
        }
        if !looks_like_a_path(asked) && !Path::new(asked).exists() {
            return Err(unknown(asked).into());
        }
        Self::new(asked.to_owned(), text_of(asked)?, Vec::new())
    }

    /// The plan that `text` is, called `name` in messages and records.
    #[staticmethod]
    fn parse(text: &str, name: &str) -> Result<Self, Failure> {
        Self::new(name.to_owned(), text.to_owned(), Vec::new())
    }

    /// The same plan with `changes` made to it as well; the last word on a key counts.
    fn changed(&self, changes: Vec<(String, String)>) -> Result<Self, Failure> {
        once(&changes, "set")?;
        let kept = self.changes.iter().filter(|(key, _)| changes.iter().all(|(other, _)| other != key));
        let all = kept.chain(&changes).cloned().collect();
        Self::new(self.name.clone(), self.text.clone(), all)
    }

    /// Name in records.
    #[getter]
    fn name(&self) -> &str {
        &self.plan.name
    }

    /// File, or name of the shipped plan.
    #[getter]
    fn file(&self) -> &str {
        &self.name
    }

    /// Text of the file.
    #[getter]
    fn text(&self) -> &str {
        &self.text
    }

    /// Changes to it, each a key and its value as TOML.
    #[getter]
    fn changes(&self) -> Vec<(String, String)> {
        self.changes.clone()
    }

    /// Kind of its link: `ble-coc`, `nrf24-ip`.
    #[getter]
    fn link(&self) -> String {
        self.plan.point(0).map(|point| point.scenario.link().to_owned()).unwrap_or_default()
    }

    /// Number of its points.
    fn __len__(&self) -> usize {
        self.plan.len()
    }

    /// Identifiers of its points, or of those that `point` stands for.
    #[pyo3(signature = (point=None))]
    fn ids(&self, point: Option<&str>) -> Result<Vec<String>, Failure> {
        let plans = std::slice::from_ref(&self.plan);
        Ok(select(plans, point)?.into_iter().map(|selected| selected.id(plans)).collect())
    }

    /// Name of what the record of one point depends on: equal ones have equal records.
    fn digest(&self, point: usize) -> Result<String, Failure> {
        if point >= self.plan.len() {
            return Err(Failure::Refused(format!("{}: it has {} points", self.name, self.plan.len())));
        }
        let made = self.plan.made(point)?;
        Ok(Digest::of_point(&self.plan, &made).to_string())
    }

    /// Every key of a point with the value in effect, as JSON.
    fn params<'py>(&self, py: Python<'py>, point: usize) -> Result<Bound<'py, PyBytes>, Failure> {
        let made = self.plan.made(point.min(self.plan.len() - 1))?;
        let json = serde_json::to_vec(&made.scenario.params).map_err(|error| Failure::Failed(error.to_string()))?;
        Ok(PyBytes::new(py, &json))
    }
}

/// Names of the shipped plans of a folder; the empty one has the plans themselves, `field` the published measurements.
#[pyfunction]
pub fn plan_names(folder: &str) -> Vec<&'static str> {
    shipped(folder).collect()
}

/// Value of a key as `--set` takes it: a text as it is, anything else as TOML.
#[pyfunction]
pub fn toml_value(value: &Bound<'_, PyAny>, json: &str) -> Result<String, Failure> {
    if let Ok(text) = value.cast::<PyString>() {
        return Ok(text.to_string());
    }
    let is_number = value.is_instance_of::<PyInt>() || value.is_instance_of::<PyFloat>();
    if is_number && !value.is_instance_of::<PyBool>() {
        return Ok(value.str()?.to_string());
    }
    let value: serde_json::Value = serde_json::from_str(json).map_err(|error| Failure::Refused(error.to_string()))?;
    Ok(toml_text(&value))
}

/// Text of the file at `path`.
///
/// # Errors
/// When it cannot be read, is too long, or is no text.
pub fn text_of(path: &str) -> Result<String, Failure> {
    let bad = |why: String| Failure::Refused(format!("cannot read `{path}`: {why}"));
    let mut octets = Vec::new();
    let file = File::open(path).map_err(|error| bad(error.to_string()))?;
    file.take(PLAN_OCTETS_MAX + 1).read_to_end(&mut octets).map_err(|error| bad(error.to_string()))?;
    if octets.len() as u64 > PLAN_OCTETS_MAX {
        return Err(bad(format!("it is longer than the {PLAN_OCTETS_MAX} octets a plan may have")));
    }
    String::from_utf8(octets).map_err(|error| bad(format!("it is not UTF-8 text: {error}")))
}
