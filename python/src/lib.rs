//! The laboratory as Python sees it: plans, questions and answers of the other rooms behind the interpreter's own types. What a user
//! reads is written in `package/airtime`; here is no logic but that of waiting.

mod answer;
mod ask;
mod devices;
mod error;
mod folder;
mod plan;
mod sheet;
mod table;
mod trace;
mod watch;

use pyo3::prelude::*;

/// Native part of the package `airtime`.
#[pymodule]
mod _airtime {
    #[pymodule_export]
    use super::answer::Answer;
    #[pymodule_export]
    use super::ask::{compare, explain, fit, tune, tune_parts};
    #[pymodule_export]
    use super::devices::{personality, personality_names};
    #[pymodule_export]
    use super::error::{Error, FolderError, InputError, PlanError};
    #[pymodule_export]
    use super::folder::{kept, kept_of, merge, part_of};
    #[pymodule_export]
    use super::plan::{Plan, plan_names, toml_value};
    #[pymodule_export]
    use super::sheet::{Sheet, measure};
    #[pymodule_export]
    use super::trace::{read_capture, time_line_html, trace};

    /// Version of the program that gives the same records.
    #[pymodule_export]
    #[allow(non_upper_case_globals)]
    const __version__: &str = env!("CARGO_PKG_VERSION");
}
