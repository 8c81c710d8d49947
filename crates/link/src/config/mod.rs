//! Build configurations of boards, whatever their language: lines with their places, what became of each in a plan, findings about them,
//! and what a link says of those that its devices are built with.
//!
//! - [`Configuration`]: settings of a file, read from Kconfig, a C header or YAML · [`Build`]: the build system that a file is of
//! - [`Configurations`]: what a link knows of its devices' files · [`Planned`]: a plan as it looks at one · [`Board`]: what is built
//! - [`Line`]: a line, and its [`Fate`] · [`Finding`]: what is wrong with one · [`Trial`]: runs that show it

mod board;
mod build;
mod configuration;
mod finding;
mod line;
mod source;
mod trial;

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Debug;

use airtime_keys::config::ConfigOption;
use airtime_keys::{Key, Source, Value};

pub use board::{Assigned, Board, BuiltDevice, End, Planned, Refused, set_argument, toml_text};
pub use build::Build;
pub use configuration::{Configuration, File, Setting, number};
pub use finding::{Finding, Gone, Weight};
pub use line::{Fate, Line, NOT_MODELLED};
pub use source::{header, syscfg};
pub use trial::{Alone, Claim, Sample, Spelling, Trial, TrialRun};

/// Build configurations of the devices of a link: what their lines set in a plan, and what is wrong with them.
pub trait Configurations: Debug + Sync {
    /// Claim to `config`, of which nobody says what it is for; none where it is of no device of this link.
    fn claim(&self, build: Build, config: &Configuration) -> Option<Claim>;

    /// Key that names the device at `end`.
    fn personality(&self, end: End) -> Option<&'static Key> {
        let _ = end;
        None
    }

    /// Tells if `key` is about the board at `end` alone, in a plan with these `settings`.
    fn owns(&self, end: End, key: &Key, settings: &dyn Source) -> bool {
        let _ = (end, key, settings);
        true
    }

    /// Tells if `key` is about the board at `end` alone, whatever a plan says.
    fn always_owns(&self, end: End, key: &Key) -> bool {
        let _ = (end, key);
        true
    }

    /// Settings of the `files`, each of its build, in `plan`, and the fate of each line; `asked` is the end of the link that the board is.
    ///
    /// # Errors
    /// When a file is of no device of this link, or no device of the plan is built so.
    fn board(&self, plan: &dyn Planned, files: &[(Build, File)], asked: Option<End>) -> Result<Board, Refused>;

    /// End of the link that a board with `config` is: the one that was `asked` for, or the one that the file tells.
    fn end(&self, build: Build, config: &Configuration, asked: Option<End>) -> Option<End> {
        let _ = (build, config);
        asked
    }

    /// Plan in which the lines of `config` are told when no plan goes with it.
    fn alone(&self, build: Build, config: &Configuration, end: Option<End>) -> Alone;

    /// Settings of the file in that plan, with the fate of each line.
    ///
    /// # Errors
    /// As [`board`](Self::board).
    fn board_alone(&self, plan: &dyn Planned, build: Build, file: File, end: Option<End>) -> Result<Board, Refused>;

    /// Worth of an option of this link's devices in a file that is of another link's; none where it says nothing.
    fn elsewhere(&self, build: Build, option: &str) -> Option<String> {
        let _ = (build, option);
        None
    }

    /// Findings about `config` by rule, in the order of its lines.
    fn findings(&self, build: Build, config: &Configuration, end: Option<End>) -> Vec<Finding>;

    /// Names and values that may be misspelt in `config`; none where nobody looks.
    fn spelling(&self, build: Build, config: &Configuration) -> Option<Spelling> {
        let _ = (build, config);
        None
    }

    /// Lines of `config` whose names are gone.
    fn gone(&self, build: Build, config: &Configuration) -> Vec<Gone> {
        let _ = (build, config);
        Vec::new()
    }

    /// Trials that show what `finding` about `config` costs.
    fn trials(&self, build: Build, config: &Configuration, finding: &Finding, end: Option<End>) -> Vec<Trial> {
        let _ = (build, config, finding, end);
        Vec::new()
    }

    /// Trials that show what `config` gains where it becomes `after`.
    fn gains(&self, build: Build, config: &Configuration, after: &Configuration, end: Option<End>) -> Vec<Trial> {
        let _ = (build, config, after, end);
        Vec::new()
    }

    /// Options, each with the key that it is, whose lines an explanation says to keep.
    fn kept(&self) -> Vec<(&'static Key, &'static ConfigOption)> {
        Vec::new()
    }
}

/// Value of `key` where the option of this name in an image of `side` says `text`; none where it is no such option.
pub fn value_of(key: &Key, side: airtime_keys::config::Side, option: &str, text: &str) -> Option<Value> {
    let own = key.config.iter().find(|own| own.side == side && own.config == option)?;
    own.form.value(text)
}
