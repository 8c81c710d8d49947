//! Configurations in other languages than Kconfig's: the header of the nRF5 SDK, and the YAML of Mynewt.

use crate::sdkconfig::{Sdkconfig, Setting};

/// Settings of an `sdk_config.h`: its `#define` lines with a value, of several of one name the first, for each is guarded by `#ifndef`.
pub fn header(text: &str) -> Sdkconfig {
    let mut settings: Vec<Setting> = Vec::new();
    for (number, line) in text.lines().enumerate() {
        let Some((name, value, column)) = define(line) else { continue };
        if !settings.iter().any(|known| known.name == name) {
            settings.push(Setting { name, value, line: number as u32 + 1, column });
        }
    }
    Sdkconfig::from(settings)
}

/// Name, value and column of a `#define` of a constant.
fn define(line: &str) -> Option<(String, String, u32)> {
    let rest = line.trim_start().strip_prefix('#')?.trim_start().strip_prefix("define")?;
    let rest = rest.strip_prefix([' ', '\t'])?.trim_start();
    let (name, rest) = rest.split_once([' ', '\t'])?;
    let value = rest.split("//").next()?.split("/*").next()?.trim();
    let value = value.trim_start_matches('(').trim_end_matches(')').trim_matches('"');
    let bare = value.trim_end_matches(['u', 'U', 'l', 'L']);
    let value = if bare.bytes().all(|octet| octet.is_ascii_digit()) { bare } else { value };
    let column = line.find(name)? as u32 + 1;
    (!value.is_empty() && !name.contains('(')).then(|| (name.to_owned(), value.to_owned(), column))
}

/// Settings of a `syscfg.yml`: those of `syscfg.vals`, and what `syscfg.defs` gives as a value.
pub fn syscfg(text: &str) -> Sdkconfig {
    let mut settings: Vec<Setting> = Vec::new();
    let (mut section, mut defined) = (None, None);
    for (number, line) in text.lines().enumerate() {
        let bare = line.split(" #").next().unwrap_or_default();
        let trimmed = bare.trim();
        if trimmed.is_empty() || trimmed.starts_with('#') {
            continue;
        }
        let indent = bare.len() - bare.trim_start().len();
        let Some((name, value)) = trimmed.split_once(':') else { continue };
        let value = value.trim().trim_matches(['"', '\'']);
        if indent == 0 {
            section = ["syscfg.vals", "syscfg.defs"].into_iter().find(|section| name.starts_with(section));
            defined = None;
            continue;
        }
        let (name, column) = match (section, name) {
            (Some("syscfg.vals"), _) => (name.to_owned(), indent as u32 + 1),
            (Some(_), "value") => match defined.clone() {
                Some(defined) => (defined, indent as u32 + 1),
                None => continue,
            },
            (Some(_), name)
                if name.bytes().all(|octet| octet.is_ascii_uppercase() || octet.is_ascii_digit() || octet == b'_') =>
            {
                defined = Some(name.to_owned());
                (name.to_owned(), indent as u32 + 1)
            }
            _ => continue,
        };
        if !value.is_empty() && !matches!(value, ">" | "|") {
            settings.push(Setting { name, value: value.to_owned(), line: number as u32 + 1, column });
        }
    }
    Sdkconfig::from(settings)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_header_is_read_as_a_compiler_would() {
        let text = "#ifndef SDK_CONFIG_H\n#define SDK_CONFIG_H\n// <o> NRF_SDH_BLE_GAP_DATA_LENGTH  <27-251>\n#ifndef A\n#define A 251\n\
                    #endif\n//#define B 3\n  #define C ( 6 ) // units\n#define D 320U\n#define E(x) (x)\n#define A 27\n#define F 0x10\n";
        let config = header(text);
        let read: Vec<_> =
            config.settings().iter().map(|set| (set.name.as_str(), set.value.trim(), set.line)).collect();
        assert_eq!(read, [("A", "251", 5), ("C", "6", 8), ("D", "320", 9), ("F", "0x10", 12)]);
    }

    #[test]
    fn values_of_mynewt_are_read_with_what_is_defined() {
        let text = "# comment\nsyscfg.defs:\n    OWN: 1\n    OTHER:\n        description: >\n            Words: more\n        value: 7\n\n\
                    syscfg.vals:\n    BLE_ATT_PREFERRED_MTU: 247 # octets\n    # LEFT: 1\n\nsyscfg.vals.BLE_EXT_ADV:\n    A: 'x'\npkg.deps:\n    - y\n";
        let config = syscfg(text);
        let read: Vec<_> =
            config.settings().iter().map(|set| (set.name.as_str(), set.value.as_str(), set.line)).collect();
        assert_eq!(read, [("OWN", "1", 3), ("OTHER", "7", 7), ("BLE_ATT_PREFERRED_MTU", "247", 10), ("A", "x", 14)]);
    }

    proptest! {
        #[test]
        fn no_text_panics(text in "[ -~\\n\\t#:/*\u{e4}]{0,300}") {
            header(&text);
            syscfg(&text);
        }
    }
}
