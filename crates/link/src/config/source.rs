//! Configurations in other languages than Kconfig's: the header of the nRF5 SDK, and the YAML of Mynewt.

use alloc::borrow::ToOwned;
use alloc::collections::BTreeSet;
use alloc::string::{String, ToString};
use alloc::vec::Vec;

use super::{Configuration, Setting};

/// Settings of an `sdk_config.h`: its `#define` lines with a value, of several of one name the first, for each is guarded by `#ifndef`.
pub fn header(text: &str) -> Configuration {
    let mut settings: Vec<Setting> = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let Some((name, value, column)) = define(line) else { continue };
        if !settings.iter().any(|known| known.name == name) {
            settings.push(Setting { name, value, line: number as u32 + 1, column, when: None });
        }
    }
    Configuration::from(settings)
}

/// Name, value and column of a `#define` of a constant.
fn define(line: &str) -> Option<(String, String, u32)> {
    let rest = line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("define")?;
    let rest = rest.strip_prefix([' ', '\t'])?.trim_start();
    let (name, rest) = rest.split_once([' ', '\t'])?;
    let value = rest.split("//").next()?.split("/*").next()?;
    let mut value = value.trim();
    while let Some(inner) = value.strip_prefix('(').and_then(|rest| rest.strip_suffix(')')) {
        value = inner.trim();
    }
    let value = value.trim_matches('"');
    let column = line.find(name)? as u32 + 1;
    (!value.is_empty() && !name.contains('(')).then(|| (name.to_owned(), constant(value), column))
}

/// `value` in decimal, if it is a whole number as C writes it: decimal, octal or hexadecimal, with a suffix or without. Keys and rules then
/// read the same number.
fn constant(value: &str) -> String {
    let bare = value.trim_end_matches(['u', 'U', 'l', 'L']);
    let number = match bare.strip_prefix("0x").or_else(|| bare.strip_prefix("0X")) {
        Some(digits) => u64::from_str_radix(digits, 16),
        None if bare.starts_with('0') => u64::from_str_radix(bare, 8),
        None => bare.parse(),
    };
    number.map_or_else(|_| value.to_owned(), |number| number.to_string())
}

/// A section of a `syscfg.yml`.
#[derive(Default)]
struct Section {
    /// Set if it defines options; else it gives values.
    defines: bool,
    /// Condition under which alone it holds.
    when: Option<String>,
    /// Columns before its names, those of the first one.
    indent: Option<usize>,
    /// The option that is being defined, and the columns before its properties.
    defined: Option<(String, Option<usize>)>,
}

impl Section {
    /// The section of this heading, if it has settings.
    fn headed(heading: &str) -> Option<Self> {
        let of = |name: &str| {
            let rest = heading.strip_prefix(name)?;
            let when = rest.strip_prefix('.').map(|when| when.trim_matches(['\'', '"']).to_owned());
            (rest.is_empty() || when.is_some()).then_some(when)
        };
        let values = of("syscfg.vals").map(|when| Self { when, ..Self::default() });
        values.or_else(|| of("syscfg.defs").map(|when| Self { defines: true, when, ..Self::default() }))
    }

    /// Option that `name` with `indent` columns before it gives a value, if it does: a name of the section, or the property `value` of one.
    fn option(&mut self, name: &str, indent: usize) -> Option<String> {
        if *self.indent.get_or_insert(indent) == indent {
            self.defined = self.defines.then(|| (name.to_owned(), None));
            return Some(name.to_owned());
        }
        let (option, own) = self.defined.as_mut()?;
        // Words of a description are further in than the properties.
        (*own.get_or_insert(indent) == indent && name == "value").then(|| option.clone())
    }
}

/// Settings of a `syscfg.yml`: those of `syscfg.vals`, and what `syscfg.defs` gives as a value. Of a section with a condition those that no
/// other one names, with the condition.
pub fn syscfg(text: &str) -> Configuration {
    let mut settings: Vec<Setting> = Vec::new();
    let mut section: Option<Section> = None;
    for (number, line) in text.lines().enumerate() {
        let bare = line.split(" #").next().unwrap_or_default();
        let trimmed = bare.trim();
        if trimmed.is_empty() || trimmed.starts_with('#') {
            continue;
        }
        let indent = bare.len() - bare.trim_start().len();
        if indent == 0 {
            section = Section::headed(trimmed.strip_suffix(':').unwrap_or(trimmed));
            continue;
        }
        let Some((name, value)) = trimmed.split_once(':') else { continue };
        let value = value.trim().trim_matches(['"', '\'']);
        let Some(section) = &mut section else { continue };
        let Some(name) = section.option(name, indent) else { continue };
        if !value.is_empty() && !matches!(value, ">" | "|") {
            let (line, column, when) = (number as u32 + 1, indent as u32 + 1, section.when.clone());
            settings.push(Setting { name, value: constant(value), line, column, when });
        }
    }
    let plain: BTreeSet<String> =
        settings.iter().filter(|setting| setting.when.is_none()).map(|setting| setting.name.clone()).collect();
    settings.retain(|setting| setting.when.is_none() || !plain.contains(&setting.name));
    Configuration::from(settings)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_header_is_read_as_a_compiler_would() {
        let text = "#ifndef SDK_CONFIG_H\n#define SDK_CONFIG_H\n// <o> NRF_SDH_BLE_GAP_DATA_LENGTH  <27-251>\n#ifndef A\n#define A 251\n\
                    #endif\n//#define B 3\n  #define C ( 6 ) // units\n#define D 320U\n#define E(x) (x)\n#define A 27\n#define F 0x10\n\
                    #define G ((0x1FUL))\n#define H 017\n#define I (A) + 1\n#define J \"\"\n";
        let config = header(text);
        let read: Vec<_> =
            config.settings().iter().map(|set| (set.name.as_str(), set.value.as_str(), set.line)).collect();
        let expected = [
            ("A", "251", 5),
            ("C", "6", 8),
            ("D", "320", 9),
            ("F", "16", 12),
            ("G", "31", 13),
            ("H", "15", 14),
            ("I", "(A) + 1", 15),
        ];
        assert_eq!(read, expected);
    }

    /// Name, value, line and condition of the settings of a `syscfg.yml`.
    fn of_mynewt(text: &str) -> Vec<(String, String, u32, Option<String>)> {
        let config = syscfg(text);
        let told = |set: &Setting| (set.name.clone(), set.value.clone(), set.line, set.when.clone());
        config.settings().iter().map(told).collect()
    }

    #[test]
    fn values_of_mynewt_are_read_with_what_is_defined() {
        let text = "# comment\nsyscfg.defs:\n    OWN: 1\n    OTHER:\n        description: >\n            Words: more\n        value: 0x10\n\n\
                    syscfg.vals:\n    BLE_ATT_PREFERRED_MTU: 247 # octets\n    # LEFT: 1\n\npkg.deps:\n    - y\n";
        let read = of_mynewt(text);
        let read: Vec<_> = read.iter().map(|(name, value, line, _)| (name.as_str(), value.as_str(), *line)).collect();
        assert_eq!(read, [("OWN", "1", 3), ("OTHER", "16", 7), ("BLE_ATT_PREFERRED_MTU", "247", 10)]);
    }

    #[test]
    fn a_value_with_a_condition_has_it_and_stands_behind_one_without() {
        let text = "syscfg.vals.BLE_MESH:\n    MTU: 100\n    MPS: 64\nsyscfg.vals:\n    MTU: 185\n\
                    syscfg.vals.'!BLE_HOST && !BABBLESIM':\n    SIZE: 1\nsyscfg.valsX:\n    A: 1\nsyscfg.restrictions:\n    B: 1\n";
        let of = |name: &str, value: &str, line, when: Option<&str>| {
            (name.to_owned(), value.to_owned(), line, when.map(str::to_owned))
        };
        let expected = [
            of("MPS", "64", 3, Some("BLE_MESH")),
            of("MTU", "185", 5, None),
            of("SIZE", "1", 7, Some("!BLE_HOST && !BABBLESIM")),
        ];
        assert_eq!(of_mynewt(text), expected);
        assert_eq!(syscfg(text).get("MPS"), None, "no rule counts on it");
    }

    #[test]
    fn a_word_of_a_description_is_no_option() {
        // nimble/host/mesh/syscfg.yml has such a description.
        let text = "syscfg.defs:\n  FIRST:\n    description: >\n      Long, and\n      NOTE: do not change it\n      value: 3\n    value: 7\n  \
                    SECOND:\n    value: 9\n";
        let read = of_mynewt(text);
        let read: Vec<_> = read.iter().map(|(name, value, line, _)| (name.as_str(), value.as_str(), *line)).collect();
        assert_eq!(read, [("FIRST", "7", 7), ("SECOND", "9", 9)]);
    }

    proptest! {
        #[test]
        fn no_text_panics(text in "[ -~\\n\\t#:/*\u{e4}]{0,300}") {
            header(&text);
            syscfg(&text);
        }
    }
}
