//! Plans by name or by path.

use std::io::Read;
use std::path::Path;

use airtime_study::request::catalog::{PLAN_OCTETS_MAX, looks_like_a_path, shipped_as, unknown};
pub use airtime_study::request::catalog::{all, shipped};

use crate::exit::Failure;
use crate::place;

/// A plan's text and what to call it in messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The path as given, or the name of a shipped plan.
    pub name: String,
    /// Text of the file.
    pub text: String,
}

/// The plan that `asked` names: a shipped plan, by its whole name or by the name below `folder`, or a
/// file.
///
/// # Errors
/// When there is neither, or the file cannot be read.
pub fn find(asked: &str, folder: &str) -> Result<Source, Failure> {
    if let Some((name, text)) = shipped_as(asked, folder) {
        return Ok(Source { name: name.to_owned(), text: text.to_owned() });
    }
    if looks_like_a_path(asked) || Path::new(asked).exists() { read(asked) } else { Err(unknown(asked).into()) }
}

/// Tells if `asked` names a shipped plan, which goes before a file of that name.
pub fn is_shipped(asked: &str, folder: &str) -> bool {
    shipped_as(asked, folder).is_some()
}

/// Reads the text file at `path`.
///
/// # Errors
/// When it cannot be read, is too long or is not text.
pub fn read(path: &str) -> Result<Source, Failure> {
    let bad = |why: String| Failure::BadInput(format!("cannot read `{path}`: {why}"));
    let mut bytes = Vec::new();
    let file = place::open(Path::new(path), &|| false).map_err(|error| bad(error.to_string()))?;
    file.take(PLAN_OCTETS_MAX + 1).read_to_end(&mut bytes).map_err(|error| bad(error.to_string()))?;
    if bytes.len() as u64 > PLAN_OCTETS_MAX {
        return Err(bad(format!("it is longer than the {PLAN_OCTETS_MAX} octets a plan may have")));
    }
    let text = String::from_utf8(bytes).map_err(|error| bad(format!("it is not UTF-8 text: {error}")))?;
    Ok(Source { name: path.to_owned(), text })
}
