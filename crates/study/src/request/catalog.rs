//! Plans by name, and plans that are read.

use std::fs::{self, File};
use std::io::Read as _;

use airtime_lab::plan::{PlanError, personality_files};
use airtime_lab::{Library, Plan, links, spelling};

use super::Refused;

/// Shipped plans by name: the path below `plans/` without `.toml`.
const SHIPPED: &[(&str, &str)] = airtime_plans::ALL;

/// Octets of a plan at most: nobody writes a longer one, and a device or a huge file named by mistake is not read to its end.
pub const PLAN_OCTETS_MAX: u64 = 1 << 20;

/// Octets of an image of firmware at most, *assumed*: with all that it says to a debugger, ours have less than a tenth.
const IMAGE_OCTETS_MAX: u64 = 64 << 20;

/// The personalities that ship, with images of firmware from files.
pub fn library() -> Library {
    Library::builtin().reading_images(image)
}

/// Octets of the image of firmware at `path`, or why there are none.
fn image(path: &str) -> Result<Vec<u8>, String> {
    let unread = |error| format!("cannot be read: {error}");
    // A pipe would be waited for.
    if !fs::metadata(path).map_err(unread)?.is_file() {
        return Err("not a file".into());
    }
    let mut octets = Vec::new();
    let file = File::open(path).map_err(unread)?;
    file.take(IMAGE_OCTETS_MAX + 1).read_to_end(&mut octets).map_err(unread)?;
    if octets.len() as u64 > IMAGE_OCTETS_MAX {
        return Err(format!("longer than the {} MiB that an image may have", IMAGE_OCTETS_MAX >> 20));
    }
    Ok(octets)
}

/// Names of the shipped plans in `folder` of `plans/`; the empty folder is `plans/` itself.
pub fn shipped(folder: &str) -> impl Iterator<Item = &'static str> {
    all().filter(move |name| name.rsplit_once('/').map_or("", |(f, _)| f) == folder)
}

/// Names of all shipped plans.
pub fn all() -> impl Iterator<Item = &'static str> {
    SHIPPED.iter().map(|(name, _)| *name)
}

/// Name and text of the shipped plan that `asked` names, by its whole name, by the name below `folder` or by its last part.
pub fn shipped_as(asked: &str, folder: &str) -> Option<(&'static str, &'static str)> {
    let below = format!("{folder}/{asked}");
    let last = |name: &str| name.rsplit('/').next() == Some(asked);
    SHIPPED
        .iter()
        .find(|(name, _)| *name == below)
        .or_else(|| SHIPPED.iter().find(|(name, _)| *name == asked))
        .or_else(|| SHIPPED.iter().find(|(name, _)| last(name)))
        .copied()
}

/// Tells if `asked`, which names no shipped plan, is meant as the path of a file, whether there is one or not.
pub fn looks_like_a_path(asked: &str) -> bool {
    asked.contains(['/', '\\']) || asked.ends_with(".toml")
}

/// Refusal of a name that neither a shipped plan nor a file has.
pub fn unknown(asked: &str) -> Refused {
    let last = |name: &'static str| name.rsplit('/').next().unwrap_or(name);
    let nearest = spelling::nearest(&asked.to_lowercase(), all().chain(all().map(last)));
    let hint = nearest.map_or_else(|| ";".to_owned(), |nearest| format!("; did you mean `{nearest}`?"));
    Refused(format!("no shipped plan and no file is called `{asked}`{hint} `airtime plans` lists the plans"))
}

/// Reads the plan `text` that came from `name`, with `changes` made to it. A personality that it or a change names by its file is what
/// `file` reads from there.
///
/// # Errors
/// The first thing that is wrong with any of it.
pub fn read<E: From<PlanError> + From<Refused>>(
    (name, text): (&str, &str),
    changes: &[(String, String)],
    shipped: &Library,
    file: impl Fn(&str) -> Result<String, E>,
) -> Result<Plan, E> {
    let names_link = changes.iter().any(|(key, _)| key == links::LINK);
    if is_empty(text) && !names_link {
        return Err(Refused(format!("{name}: the plan says nothing; `airtime new ble-coc` prints one")).into());
    }
    let mut library = shipped.clone();
    for path in personality_files(text, changes) {
        library.add(&path, &file(&path)?)?;
    }
    Ok(Plan::parse(name, text, &library, changes)?)
}

/// Tells if a plan has no line but comments.
fn is_empty(text: &str) -> bool {
    text.trim_start_matches('\u{feff}').lines().map(str::trim).all(|line| line.is_empty() || line.starts_with('#'))
}

/// Refusal of `changes` that set a key twice; `option` is what makes a change.
///
/// # Errors
/// When they do.
pub fn once(changes: &[(String, String)], option: &str) -> Result<(), Refused> {
    for (position, (key, value)) in changes.iter().enumerate() {
        if let Some((_, before)) = changes[..position].iter().find(|(earlier, _)| earlier == key) {
            return Err(Refused(format!(
                "{option} {key}={value}: it is set twice, and was {key}={before} before; a list of values is a plan's [sweep]"
            )));
        }
    }
    Ok(())
}
