//! Plans by name or by path.

use std::io::Read;
use std::path::Path;

use airtime_lab::spelling;

use crate::exit::Failure;
use crate::place;

/// Shipped plans by name: the path below `plans/` without `.toml`.
const SHIPPED: &[(&str, &str)] = airtime_plans::ALL;

/// Nobody writes a longer plan; a device or a huge file named by mistake is not read to its end.
const PLAN_OCTETS_MAX: u64 = 1 << 20;

/// A plan's text and what to call it in messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The path as given, or the name of a shipped plan.
    pub name: String,
    /// Text of the file.
    pub text: String,
}

/// Names of the shipped plans in `folder` of `plans/`; the empty folder is `plans/` itself.
pub fn shipped(folder: &str) -> impl Iterator<Item = &'static str> {
    SHIPPED.iter().map(|(name, _)| *name).filter(move |name| name.rsplit_once('/').map_or("", |(f, _)| f) == folder)
}

/// Names of all shipped plans.
pub fn all() -> impl Iterator<Item = &'static str> {
    SHIPPED.iter().map(|(name, _)| *name)
}

/// The plan that `asked` names: a shipped plan, by its whole name or by the name below `folder`, or a
/// file.
///
/// # Errors
/// When there is neither, or the file cannot be read.
pub fn find(asked: &str, folder: &str) -> Result<Source, Failure> {
    if let Some((name, text)) = shipped_as(asked, folder) {
        return Ok(Source { name: (*name).to_owned(), text: (*text).to_owned() });
    }
    let looks_like_a_path = asked.contains(['/', '\\']) || asked.ends_with(".toml");
    if looks_like_a_path || Path::new(asked).exists() { read(asked) } else { Err(unknown(asked)) }
}

/// Tells if `asked` names a shipped plan, which goes before a file of that name.
pub fn is_shipped(asked: &str, folder: &str) -> bool {
    shipped_as(asked, folder).is_some()
}

fn shipped_as(asked: &str, folder: &str) -> Option<&'static (&'static str, &'static str)> {
    let below = format!("{folder}/{asked}");
    let last = |name: &str| name.rsplit('/').next() == Some(asked);
    SHIPPED
        .iter()
        .find(|(name, _)| *name == below)
        .or_else(|| SHIPPED.iter().find(|(name, _)| *name == asked))
        .or_else(|| SHIPPED.iter().find(|(name, _)| last(name)))
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

fn unknown(asked: &str) -> Failure {
    let last = |name: &'static str| name.rsplit('/').next().unwrap_or(name);
    let nearest = spelling::nearest(&asked.to_lowercase(), all().chain(all().map(last)));
    let hint = nearest.map_or_else(|| ";".to_owned(), |nearest| format!("; did you mean `{nearest}`?"));
    Failure::BadInput(format!("no shipped plan and no file is called `{asked}`{hint} `airtime plans` lists the plans"))
}
