//! The plan that a bench runs, as far as a bench goes by it.

use airtime_ble_link::plan::Carrier;
use airtime_core::Duration;
use airtime_study::Digest;
use airtime_study::request::single;

use crate::arguments::ChangeArguments;
use crate::exit::Failure;
use crate::request::Changes;
use crate::{catalog, measure};

/// A plan of one point.
#[derive(Clone, Debug)]
pub struct Planned {
    /// File, or name, as given.
    pub file: String,
    /// Identifier of its point.
    pub name: String,
    /// Kind of link.
    pub link: String,
    /// Length of a run.
    pub duration: Duration,
    /// Part of it that does not count.
    pub warmup: Duration,
    /// Digest of all that a run of it depends on.
    pub digest: String,
}

impl Planned {
    /// The one point of `plan`.
    ///
    /// # Errors
    /// When there is no such plan, or it has several points.
    pub fn of(plan: &str, changes: &ChangeArguments) -> Result<Self, Failure> {
        let plans = measure::parse(&[catalog::find(plan, "")?], &Changes::of(changes)?)?;
        let selected = single(&plans, changes.point.as_deref(), "measured on a bench")?;
        let point = selected.point(&plans)?;
        let time = |key: &str| point.scenario.params.get(key)?.as_str()?.parse().ok();
        // Every link has both.
        let (duration, warmup) = (time("run.duration").unwrap_or_default(), time("run.warmup").unwrap_or_default());
        Ok(Self {
            file: plan.to_owned(),
            name: point.id.clone(),
            link: point.scenario.link().to_owned(),
            duration,
            warmup,
            digest: Digest::of_point(&plans[selected.plan], &point).to_string(),
        })
    }

    /// Link of this machine's own central.
    ///
    /// # Errors
    /// When the plan is of none.
    pub fn carrier(&self) -> Result<Carrier, Failure> {
        match self.link.as_str() {
            "ble-coc" => Ok(Carrier::BleCoc),
            "ble-gatt" => Ok(Carrier::BleGatt),
            other => Err(Failure::BadInput(format!(
                "{}: it is a plan of {other}, and `host` of the bench is the central of ble-coc and ble-gatt",
                self.file
            ))),
        }
    }

    /// Name of the folder of its logs.
    pub fn folder(&self) -> String {
        let fits = |c: char| c.is_ascii_alphanumeric() || "._=-".contains(c);
        let name: String = self.name.chars().map(|c| if fits(c) { c } else { '-' }).collect();
        name.trim_start_matches('.').to_owned()
    }
}
