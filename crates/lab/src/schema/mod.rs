//! Every key of a plan, gathered from where it is declared: validation, nearest spelling, `--set`, the params of a record,
//! `docs/plan.md` and the candidates of `explain` all come from these declarations.

pub mod json;
mod keys;
mod markdown;

use std::sync::LazyLock;

pub use airtime_keys::{Default, Key, Kind, Knob, Need, Threshold, Turns};
pub use keys::{FAMILIES, KEYS, LINK, LINKS, Scope};
pub use markdown::markdown;

impl Scope {
    /// Tells if a key of this scope means something to the link of this name.
    pub fn covers(&self, link: &str) -> bool {
        match self {
            Self::Plan | Self::Every => true,
            Self::Of(links) => links.contains(&link),
        }
    }

    /// Tells if a key of this scope is about such a link at all: one of `ble-gatt` may stand in a plan of `ble-coc`, but
    /// none of Bluetooth LE in one of the nRF24L01+ or of Wi-Fi.
    pub fn concerns(&self, link: &str) -> bool {
        match self {
            Self::Plan | Self::Every => true,
            Self::Of(links) => links.iter().any(|own| family(own).contains(&link)),
        }
    }
}

/// The links that have keys together with this one, itself among them.
fn family(link: &str) -> &'static [&'static str] {
    FAMILY_LINKS.iter().find(|links| links.contains(&link)).map_or(&[], Vec::as_slice)
}

/// Links of each family. A point of a plan asks for them once for each key, and a grid has many points.
static FAMILY_LINKS: LazyLock<Vec<Vec<&'static str>>> = LazyLock::new(|| {
    let links = |tables: &&[airtime_keys::Table]| -> Vec<&'static str> {
        let mut links: Vec<&'static str> = tables.iter().flat_map(|table| table.links.iter().copied()).collect();
        links.sort_unstable();
        links.dedup();
        links
    };
    FAMILIES.iter().map(links).collect()
});

/// Links to which `key` means something.
pub fn scope(key: &Key) -> &'static Scope {
    &keys::SCOPES[index(key)].1
}

/// Positions in [`KEYS`], by name.
static BY_NAME: LazyLock<Vec<(&'static str, usize)>> = LazyLock::new(|| {
    let mut names: Vec<_> = KEYS.iter().enumerate().map(|(index, key)| (key.name, index)).collect();
    names.sort_unstable();
    names
});

/// Position in [`KEYS`] of the key of this dotted name.
pub(crate) fn position(name: &str) -> Option<usize> {
    BY_NAME.binary_search_by_key(&name, |(known, _)| known).ok().map(|found| BY_NAME[found].1)
}

/// Position in [`KEYS`].
pub(crate) fn index(key: &Key) -> usize {
    position(key.name).expect("every key is in the table")
}

/// The key of this dotted name.
pub fn find(name: &str) -> Option<&'static Key> {
    position(name).map(|index| KEYS[index])
}

/// Tells if `name` is a table of keys: `ble`, or `ble.loss`.
pub fn is_table(name: &str) -> bool {
    KEYS.iter().any(|key| key.name.strip_prefix(name).is_some_and(|rest| rest.starts_with('.')))
}

/// The names directly below `table` (`""` for the top), in the order of [`KEYS`].
pub fn below(table: &str) -> Vec<&'static str> {
    let mut names: Vec<&'static str> = Vec::new();
    for key in KEYS.iter() {
        let rest = match table {
            "" => Some(key.name),
            _ => key.name.strip_prefix(table).and_then(|rest| rest.strip_prefix('.')),
        };
        let Some(first) = rest.and_then(|rest| rest.split('.').next()) else { continue };
        if !names.contains(&first) {
            names.push(first);
        }
    }
    names
}

#[cfg(test)]
mod tests;
