//! Settings of a build configuration, whatever its language, and Kconfig's own: a `prj.conf`, an `sdkconfig` or `sdkconfig.defaults`.

use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;

use airtime_keys::Fault;

use super::Refused;

/// Longest line that is read; Kconfig's own strings are far shorter.
const LINE_MAX: usize = 4_096;

/// One line that sets something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setting {
    /// Name, with `CONFIG_`.
    pub name: String,
    /// Value without quotation marks; `n` for a line "is not set".
    pub value: String,
    /// Line, from 1.
    pub line: u32,
    /// Column of the name, from 1.
    pub column: u32,
    /// Condition under which alone it holds; none of Kconfig's lines has one.
    pub when: Option<String>,
}

impl Setting {
    /// The value as a number.
    pub fn number(&self) -> Option<u64> {
        number(&self.value)
    }
}

/// A value as a whole number, which is decimal: Kconfig's type `int` takes no other, and no option that is read here is of its type `hex`.
pub fn number(value: &str) -> Option<u64> {
    value.parse().ok()
}

/// Settings of a build configuration, each at its place.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Configuration {
    settings: Vec<Setting>,
    named: Option<String>,
}

/// A file, read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Name of the file, as it was given.
    pub name: String,
    /// Its settings.
    pub config: Configuration,
}

/// Chips that files are named by. esp-idf, tools/idf_py_actions/constants.py.
const CHIPS: [&str; 12] = [
    "esp32c61", "esp32h21", "esp32c2", "esp32c3", "esp32c5", "esp32c6", "esp32h2", "esp32h4", "esp32p4", "esp32s2",
    "esp32s3", "esp32",
];

/// Chip that a word of a file's name begins with, which people write with a hyphen as well: `esp32-c3`.
fn chip(word: &str) -> Option<&'static str> {
    let word = word.replace('-', "");
    CHIPS.into_iter().find(|chip| word.starts_with(chip))
}

impl Configuration {
    /// Reads `text`, which came from `file`. Options that nobody knows here are kept like any other.
    ///
    /// # Errors
    /// The first line that is neither a setting, a comment nor empty, with its place.
    pub fn parse(file: &str, text: &str) -> Result<Self, Refused> {
        let mut settings = Vec::new();
        for (number, line) in text.lines().enumerate() {
            let line_number = number as u32 + 1;
            let fault = |column: usize, fault: Fault| {
                let place = Some((line_number, column as u32 + 1));
                Refused { file: file.to_owned(), place, fault: Box::new(fault) }
            };
            if line.len() > LINE_MAX {
                return Err(fault(0, Fault::new(format!("the line is longer than {LINE_MAX} octets"))));
            }
            let bare = line.trim_start_matches('\u{feff}').trim_end();
            let indent = line.chars().count() - line.trim_start_matches('\u{feff}').trim_start().chars().count();
            let found = setting(bare.trim_start()).map_err(|(at, wrong)| fault(indent + at, wrong))?;
            if let Some((name, value, at)) = found {
                settings.push(Setting { name, value, line: line_number, column: (indent + at) as u32 + 1, when: None });
            }
        }
        let end = file.rsplit(['/', '\\', '.']).next().unwrap_or_default();
        let chip = end.split('_').find_map(chip).map(str::to_owned);
        Ok(Self { settings, named: chip })
    }

    /// The configuration of a build that takes `files` one after another: of each option the last line of all counts.
    pub fn joined<'a>(files: impl IntoIterator<Item = &'a Self>) -> Self {
        files.into_iter().fold(Self::default(), |mut joined, file| {
            joined.settings.extend_from_slice(&file.settings);
            joined.named = file.named.clone().or(joined.named);
            joined
        })
    }

    /// Chip that the end of its name tells: `sdkconfig.defaults.esp32s3`, `sdkconfig.defaults.esp32p4_eth`.
    pub fn named(&self) -> Option<&str> {
        self.named.as_deref()
    }

    /// Chip of ESP-IDF that it is for: its own line, or the end of the file's name.
    pub fn target(&self) -> Option<&str> {
        let said = self.get("CONFIG_IDF_TARGET").map(|setting| setting.value.as_str());
        said.or_else(|| self.named()).filter(|target| !target.is_empty())
    }

    /// Its lines in order.
    pub fn settings(&self) -> &[Setting] {
        &self.settings
    }

    /// The line that counts for an option: the last one that holds in any case.
    pub fn get(&self, name: &str) -> Option<&Setting> {
        self.settings.iter().rev().find(|setting| setting.name == name && setting.when.is_none())
    }

    /// Tells if an option is `y`.
    pub fn on(&self, name: &str) -> bool {
        self.get(name).is_some_and(|setting| setting.value == "y")
    }

    /// Tells if `name` is the one of its choice that is built: no other of it is `y` further down.
    pub fn chosen(&self, name: &str, others: &[&str]) -> bool {
        let on = |name: &str| self.get(name).filter(|setting| setting.value == "y").map(|setting| setting.line);
        let later = |line: u32| others.iter().filter(|other| **other != name).any(|other| on(other) > Some(line));
        on(name).is_some_and(|line| !later(line))
    }

    /// The configuration with each setting as `read` has it: another name and value, or as it is.
    #[must_use]
    pub fn read_as(&self, read: impl Fn(&Setting) -> Option<(String, String)>) -> Self {
        let as_read = |setting: &Setting| match read(setting) {
            Some((name, value)) => Setting { name, value, ..setting.clone() },
            None => setting.clone(),
        };
        Self { settings: self.settings.iter().map(as_read).collect(), named: self.named.clone() }
    }

    /// The configuration with one more line at its end; as it is if that sets nothing.
    #[must_use]
    pub fn with(&self, line: &str) -> Self {
        let last = self.settings.last().map_or(0, |setting| setting.line);
        let mut settings = self.settings.clone();
        if let Ok(Some((name, value, at))) = setting(line) {
            settings.push(Setting { name, value, line: last + 1, column: at as u32 + 1, when: None });
        }
        Self { settings, named: self.named.clone() }
    }

    /// The number an option is set to.
    pub fn number(&self, name: &str) -> Option<u64> {
        self.get(name).and_then(Setting::number)
    }
}

impl From<Vec<Setting>> for Configuration {
    fn from(settings: Vec<Setting>) -> Self {
        Self { settings, named: None }
    }
}

/// Name, value and column of what a line sets.
type Set = (String, String, usize);

/// Setting of a line; nothing for comments. A fault has its column.
fn setting(line: &str) -> Result<Option<Set>, (usize, Fault)> {
    if let Some(comment) = line.strip_prefix('#') {
        let text = comment.trim();
        let unset = text.strip_suffix(" is not set").filter(|name| name.starts_with("CONFIG_") && named(name));
        return Ok(unset.map(|name| (name.to_owned(), "n".to_owned(), line.len() - line[1..].trim_start().len())));
    }
    if line.is_empty() {
        return Ok(None);
    }
    let form = "CONFIG_NAME=value, # CONFIG_NAME is not set, or a comment";
    let Some((name, value)) = line.split_once('=') else {
        return Err((0, Fault::new(format!("`{line}` sets nothing")).allowing(form)));
    };
    if !name.starts_with("CONFIG_") || !named(name) {
        return Err((0, Fault::new(format!("`{name}` is no name of an option")).allowing(form)));
    }
    let at = name.chars().count() + 1;
    let value = match value.strip_prefix('"') {
        None => value.trim(),
        Some(quoted) => match quoted.strip_suffix('"') {
            Some(text) => text,
            None => return Err((at, Fault::new("a text without its closing quotation mark"))),
        },
    };
    Ok(Some((name.to_owned(), value.to_owned(), 0)))
}

fn named(name: &str) -> bool {
    name.bytes().all(|octet| octet.is_ascii_alphanumeric() || octet == b'_')
}
