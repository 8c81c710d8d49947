//! Personalities: devices as data, each value with where it is from.

use airtime_lab::{Library, Personality, spelling};
use pyo3::prelude::*;
use serde_json::{Value, json};

use crate::error::Failure;
use crate::plan::text_of;

/// Names of the shipped personalities.
#[pyfunction]
pub fn personality_names() -> Vec<String> {
    Library::builtin().names().into_iter().map(str::to_owned).collect()
}

/// The shipped personality of this name, or the one in a file, as JSON.
///
/// # Errors
/// When there is neither, or it makes no sense.
#[pyfunction]
pub fn personality(name: &str) -> Result<String, Failure> {
    let mut library = Library::builtin();
    if library.get(name).is_none() {
        if !name.ends_with(".toml") && !name.contains(['/', '\\']) {
            let nearest = spelling::nearest(&name.to_lowercase(), library.names());
            let hint = nearest.map_or_else(|| ";".to_owned(), |nearest| format!("; did you mean `{nearest}`?"));
            let all = library.names().join(", ");
            return Err(Failure::Refused(format!("there is no personality `{name}`{hint} shipped are: {all}")));
        }
        library.add(name, &text_of(name)?)?;
    }
    let found = library.get(name).ok_or_else(|| Failure::Refused(format!("`{name}` holds no personality")))?;
    Ok(document(found).to_string())
}

fn document(found: &Personality) -> Value {
    let values = found.describe().iter().map(|entry| {
        json!({
            "key": entry.key,
            "value": entry.value,
            "status": entry.status.name(),
            "source": entry.source,
            "checked": entry.checked,
            "from_": entry.from,
        })
    });
    json!({
        "name": found.name,
        "description": found.description,
        "based_on": found.based_on,
        "values": values.collect::<Vec<_>>(),
    })
}
