//! A question of a page: a plan, and what is changed of it.

use std::sync::LazyLock;

use airtime_lab::configurations::{self, Configuration, End, File, Files, Line, build_of};
use airtime_lab::plan::PlanError;
use airtime_lab::{Library, Plan, Point, spelling};
use serde::Deserialize;

/// Question of a page, as it is written in JSON.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Ask {
    /// Name of a shipped plan; of another one, the name of its file.
    pub plan: String,
    /// Text of a plan that is not shipped.
    pub text: Option<String>,
    /// Keys with their values, as behind `--set`.
    pub set: Vec<(String, String)>,
    /// Id of the point that is meant, of several; without it the first.
    pub point: Option<String>,
    /// Build configuration to run with.
    pub config: Option<Pasted>,
}

/// Build configuration that somebody has pasted.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Pasted {
    /// Its lines.
    pub text: String,
    /// End of the link that it is built into, `central` or `peripheral`; empty where nobody says.
    pub end: String,
}

/// A question that was read: its plan, and what became of the lines of a build configuration.
pub struct Asked {
    /// The plan with all changes.
    pub plan: Plan,
    /// Lines of the build configuration.
    pub lines: Vec<Line>,
    /// Number of the point that is meant.
    pub index: usize,
}

/// Devices that are shipped; reading them takes longer than a short run.
static LIBRARY: LazyLock<Library> = LazyLock::new(Library::builtin);

impl Ask {
    /// The question that `json` is.
    ///
    /// # Errors
    /// When it is none.
    pub fn parse(json: &str) -> Result<Self, String> {
        serde_json::from_str(json).map_err(|error| error.to_string())
    }

    /// The plan that is asked about.
    ///
    /// # Errors
    /// When the plan, a change or a line of the configuration makes no sense.
    pub fn read(&self) -> Result<Asked, String> {
        let set: Vec<_> = self.set.iter().map(|(key, value)| (key.clone(), value.clone())).collect();
        let plan = Plan::parse(&self.plan, self.text()?, &LIBRARY, &set).map_err(|error| error.to_string())?;
        let files = self.config.as_ref().map_or(Ok(Files::default()), files)?;
        let (plan, lines) = configurations::apply(plan, &files).map_err(|error| error.to_string())?;
        let index = self.index(&plan)?;
        Ok(Asked { plan, lines, index })
    }

    /// Text of the plan.
    fn text(&self) -> Result<&str, String> {
        if let Some(text) = &self.text {
            return Ok(text);
        }
        let known = airtime_plans::ALL;
        if let Some((_, text)) = known.iter().find(|(name, _)| *name == self.plan) {
            return Ok(text);
        }
        let nearest = spelling::nearest(&self.plan, known.iter().map(|(name, _)| *name));
        let hint = nearest.map_or_else(String::new, |nearest| format!("; did you mean `{nearest}`?"));
        Err(format!("no shipped plan is called `{}`{hint}", self.plan))
    }

    fn index(&self, plan: &Plan) -> Result<usize, String> {
        let Some(id) = &self.point else { return Ok(0) };
        let found = (0..plan.len()).find(|index| plan.id(*index) == *id);
        found.ok_or_else(|| format!("{}: no point is called `{id}`", plan.name))
    }
}

impl Asked {
    /// The devices that a plan can name.
    pub fn library(&self) -> &'static Library {
        &LIBRARY
    }

    /// The point that is meant.
    ///
    /// # Errors
    /// When it is impossible.
    pub fn point(&self) -> Result<Point, String> {
        self.plan.made(self.index).map_err(|error| error.to_string())
    }
}

/// Name of a file that was pasted and tells nothing of its build.
const PASTED: &str = "prj.conf";

fn files(pasted: &Pasted) -> Result<Files, String> {
    let parsed = |name: &str| Configuration::parse(name, &pasted.text).map_err(PlanError::from);
    let file = |name: &str| Ok(File { config: parsed(name)?, name: name.to_owned() });
    let file = file(PASTED).map_err(|error: PlanError| error.to_string())?;
    let build = build_of(&file).ok_or("the lines are of no build that is known: a prj.conf or an sdkconfig is")?;
    // Messages name it as its build does.
    let name = if build == configurations::Build::Esp { "sdkconfig" } else { PASTED };
    let file = File { config: parsed(name).map_err(|error| error.to_string())?, name: name.to_owned() };
    let end = match pasted.end.as_str() {
        "central" => Some(End::Central),
        "peripheral" => Some(End::Peripheral),
        _ => None,
    };
    Ok(Files { files: vec![(build, file)], end })
}
