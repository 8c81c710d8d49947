//! Reading of the command line: arguments become values that make sense.

use std::path::PathBuf;

use airtime_lab::links;
use airtime_study::request::catalog::once;
use airtime_study::{Opening, Shard};

use crate::arguments::{ChangeArguments, FormArguments, MeasuringArguments};
use crate::exit::Failure;
use crate::keep::Wish;
use crate::output::Form;

/// More threads than this are a slip of the finger.
const THREADS_MAX: usize = 1024;

/// Manner of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Manner {
    /// Form of the output.
    pub form: Form,
    /// Leaves out progress and prose.
    pub quiet: bool,
}

impl Manner {
    /// Manner that `arguments` ask for.
    ///
    /// # Errors
    /// When they ask for two forms at once.
    pub fn of(arguments: &FormArguments) -> Result<Self, Failure> {
        let form = match (arguments.json, arguments.csv, arguments.markdown) {
            (false, false, false) => Form::Text,
            (true, false, false) => Form::Json,
            (false, true, false) => Form::Csv,
            (false, false, true) => Form::Markdown,
            _ => return Err(Failure::BadInput("--json, --csv and --markdown exclude one another".to_owned())),
        };
        Ok(Self { form, quiet: arguments.quiet })
    }
}

/// Changes to plans: dotted names with their values, in the order given.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Changes(pub Vec<(String, String)>);

impl Changes {
    /// Changes that `arguments` ask for; the seed is a parameter like any other.
    ///
    /// # Errors
    /// When a change is not of the form `key=value`, or a key is changed twice.
    pub fn of(arguments: &ChangeArguments) -> Result<Self, Failure> {
        let change = |text: &String| match text.split_once('=') {
            Some((key, value)) if !key.trim().is_empty() => Ok((key.trim().to_owned(), value.trim().to_owned())),
            _ => Err(Failure::BadInput(format!("--set {text}: expected KEY=VALUE, such as --set coc.sdu=495"))),
        };
        let mut changes = arguments.set.iter().map(change).collect::<Result<Vec<_>, _>>()?;
        changes.extend(arguments.seed.map(|seed| ("run.seed".to_owned(), seed.to_string())));
        once(&changes, "--set")?;
        Ok(Self(changes))
    }
}

/// Manner of measuring.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Measuring {
    /// Changes to the plans.
    pub changes: Changes,
    /// The only point to run, by its id.
    pub point: Option<String>,
    /// Threads; zero: one per core.
    pub threads: usize,
    /// Places to keep the records, and what may become of those that an earlier run has kept.
    pub keep: Vec<Wish>,
    /// Part of the grid to run.
    pub shard: Shard,
}

impl Measuring {
    /// Manner that `arguments` ask for.
    ///
    /// # Errors
    /// When a change, the number of threads or the shard makes no sense, or there is nothing to resume.
    pub fn of(arguments: &MeasuringArguments) -> Result<Self, Failure> {
        let threads = match arguments.threads {
            None => 0,
            Some(threads) if (1..=THREADS_MAX).contains(&threads) => threads,
            Some(threads) => {
                return Err(Failure::BadInput(format!("--threads {threads}: expected 1 to {THREADS_MAX}")));
            }
        };
        let shard = arguments.shard.as_deref().map_or(Ok(Shard::WHOLE), str::parse);
        if arguments.resume && arguments.output.is_empty() {
            return Err(Failure::BadInput("--resume needs the folder to go on with: -o DIR".to_owned()));
        }
        Ok(Self {
            changes: Changes::of(&arguments.changes)?,
            point: arguments.changes.point.clone(),
            threads,
            keep: wishes(&arguments.output, opening(arguments.resume, arguments.force)),
            shard: shard.map_err(|error| Failure::BadInput(format!("--shard {error}")))?,
        })
    }
}

/// Wish for each of `paths`.
pub fn wishes(paths: &[PathBuf], opening: Opening) -> Vec<Wish> {
    paths.iter().map(|path| Wish { path: path.clone(), opening }).collect()
}

/// Manner of opening a folder that these options ask for.
pub const fn opening(resume: bool, force: bool) -> Opening {
    match (resume, force) {
        (true, _) => Opening::Resume,
        (false, true) => Opening::Replace,
        (false, false) => Opening::Fresh,
    }
}

/// `name` as the kind of a link.
///
/// # Errors
/// When no link is called so.
pub fn kind_of_link(name: String) -> Result<String, Failure> {
    match links::find(&name) {
        Some(_) => Ok(name),
        None => Err(Failure::BadInput(format!(
            "--link {name}: there are ble-coc, ble-gatt, nrf24-ip, wifi-hosted and ieee802154"
        ))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_is_split_at_its_first_equals_sign() {
        let set = vec!["ble.loss={ per = 0.1 }".to_owned()];
        let changes = Changes::of(&ChangeArguments { set, seed: Some(7), point: None }).unwrap();
        assert_eq!(changes.0[0], ("ble.loss".to_owned(), "{ per = 0.1 }".to_owned()));
        assert_eq!(changes.0[1], ("run.seed".to_owned(), "7".to_owned()));
    }

    #[test]
    fn a_key_is_changed_once() {
        let changes = |set: [&str; 2], seed| {
            let set = set.map(str::to_owned).to_vec();
            Changes::of(&ChangeArguments { set, seed, point: None }).map_err(|failure| failure.to_string())
        };
        assert!(changes(["coc.sdu=1", "coc.mps=1"], Some(1)).is_ok());
        assert!(changes(["coc.sdu=1", " coc.sdu = 2"], None).unwrap_err().contains("was coc.sdu=1 before"));
        assert!(changes(["run.seed=1", "coc.mps=1"], Some(1)).unwrap_err().contains("run.seed"));
    }

    #[test]
    fn what_makes_no_sense_is_bad_input() {
        let bad = |arguments: MeasuringArguments| Measuring::of(&arguments).unwrap_err().to_string();
        let changes = ChangeArguments { set: vec!["coc.sdu".to_owned()], ..Default::default() };
        assert!(bad(MeasuringArguments { changes, ..Default::default() }).contains("KEY=VALUE"));
        assert!(bad(MeasuringArguments { threads: Some(0), ..Default::default() }).contains("1 to 1024"));
        assert!(bad(MeasuringArguments { shard: Some("3/2".into()), ..Default::default() }).contains("3/2"));
        assert!(bad(MeasuringArguments { resume: true, ..Default::default() }).contains("-o DIR"));
    }
}
