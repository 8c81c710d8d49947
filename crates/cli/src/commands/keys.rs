//! `airtime keys`: the keys of plans, with their values, owners, and lines of build configurations.

use airtime_lab::schema::{self, Default, KEYS, Key, Scope, scope};
use airtime_lab::spelling;
use airtime_report::{Align, List, Table, Weight, json};
use serde::Serialize;

use super::accounts;
use crate::exit::{Exit, Failure};
use crate::output::{self, Form};
use crate::request::Manner;

/// Lists every key, or those that `asked` names: one by its name or by an option of a build configuration, or those of a table or of a
/// mechanism.
pub fn keys(asked: Option<&str>, manner: Manner) -> Result<Exit, Failure> {
    let found = match asked {
        None => KEYS.to_vec(),
        Some(asked) => named(asked)?,
    };
    let entries: Vec<Entry> = found.iter().copied().map(Entry::of).collect();
    output::print(&output::rendered(|out| match manner.form {
        Form::Json => json(&List { schema: SCHEMA, name: "keys", entries: &entries }, out),
        form => form.exporter().export_table(&table(&found), out),
    })?)?;
    Ok(Exit::Ok)
}

/// The schema of the document.
const SCHEMA: &str = "airtime/keys/1";

/// Key as programs read it. Fields are added, never renamed.
#[derive(Debug, Serialize)]
struct Entry {
    key: &'static str,
    meaning: &'static str,
    values: String,
    default: Option<String>,
    whose: &'static str,
    mechanism: Option<&'static str>,
    links: Vec<&'static str>,
    configuration: Vec<Line>,
}

/// Option of a build configuration that a key is.
#[derive(Debug, Serialize)]
struct Line {
    option: &'static str,
    image: &'static str,
}

impl Entry {
    fn of(key: &'static Key) -> Self {
        let lines = key.config.iter().map(|line| Line { option: line.config, image: line.side.name() });
        Self {
            key: key.name,
            meaning: key.doc,
            values: values(key),
            default: Some(default(key)).filter(|default| !default.is_empty()),
            whose: key.knob.name(),
            mechanism: Some(mechanism(key)).filter(|mechanism| !mechanism.is_empty()),
            links: match scope(key) {
                Scope::Of(links) => links.to_vec(),
                Scope::Plan | Scope::Every => vec!["all"],
            },
            configuration: lines.collect(),
        }
    }
}

/// Names of all keys.
pub fn names() -> impl Iterator<Item = &'static str> {
    KEYS.iter().map(|key| key.name)
}

fn table(keys: &[&Key]) -> Table {
    let mut table = Table::default();
    table.column("key", Align::Left, keys.iter().map(|key| key.name));
    table.column("meaning", Align::Left, keys.iter().map(|key| key.doc));
    table.column("values", Align::Left, keys.iter().map(|key| values(key)));
    table.column_if_any("default", Align::Left, keys.iter().map(|key| default(key)));
    table.column("whose", Align::Left, keys.iter().map(|key| key.knob.name()));
    table.column_if_any("mechanism", Align::Left, keys.iter().map(|key| mechanism(key).to_owned()));
    table.column_if_any("links", Align::Left, keys.iter().map(|key| links(key)));
    table.column_if_any("configuration", Align::Left, keys.iter().map(|key| configuration(key)));
    // A list of many keys is for finding one; all of one is shown by its name.
    let weight = if keys.len() > 1 { Weight::Detail } else { Weight::Needed };
    table.columns[2..].iter_mut().for_each(|column| column.weight = weight);
    table
}

fn values(key: &Key) -> String {
    let unit = key.unit.map_or_else(String::new, |unit| format!(", {unit}"));
    format!("{}{unit}", key.kind.allowed())
}

fn default(key: &Key) -> String {
    match key.default {
        Default::Count(n) => n.to_string(),
        Default::Text(text) => text.to_owned(),
        Default::Flag(flag) => flag.to_string(),
        Default::From(rule) => format!("from {rule}"),
        Default::Absent => String::new(),
    }
}

/// Mechanism of a link that the key eases, by the name that an explanation gives it.
fn mechanism(key: &Key) -> &'static str {
    key.eases.map_or("", |eases| eases.mechanism.name())
}

fn links(key: &Key) -> String {
    match scope(key) {
        Scope::Of(links) => links.join(", "),
        Scope::Plan | Scope::Every => "all".to_owned(),
    }
}

/// Options of build configurations that the key is, each with the image it is of.
fn configuration(key: &Key) -> String {
    let options = key.config.iter().map(|option| format!("{} ({})", option.config, option.side.name()));
    options.collect::<Vec<_>>().join(", ")
}

fn named(asked: &str) -> Result<Vec<&'static Key>, Failure> {
    // As it stands behind `--set` too.
    let asked = asked.trim().split('=').next().unwrap_or_default();
    if let Some(key) = schema::find(asked) {
        return Ok(vec![key]);
    }
    let is_option = |key: &&'static Key| key.config.iter().any(|option| option.config == asked);
    let below = |key: &&'static Key| key.name.strip_prefix(asked).is_some_and(|rest| rest.starts_with('.'));
    let last = |key: &&'static Key| key.last() == asked;
    let eases = |key: &&'static Key| mechanism(key) == asked && !asked.is_empty();
    for is_meant in [&is_option as &dyn Fn(&&'static Key) -> bool, &below, &last, &eases] {
        let found: Vec<&'static Key> = KEYS.iter().copied().filter(is_meant).collect();
        if !found.is_empty() {
            return Ok(found);
        }
    }
    let is_account = accounts::words().any(|word| word == asked);
    let about = about(asked);
    if !is_account && !about.is_empty() {
        return Ok(about);
    }
    let hint = if is_account {
        format!("; it is a word of tables: airtime accounts {asked}")
    } else {
        let options = KEYS.iter().flat_map(|key| key.config.iter().map(|option| option.config));
        let nearest = spelling::nearest(asked, KEYS.iter().map(|key| key.name).chain(options));
        nearest.map_or_else(String::new, |nearest| format!("; did you mean `{nearest}`?"))
    };
    Err(Failure::BadInput(format!("no key is called `{asked}`{hint} (airtime keys lists them)")))
}

/// Keys whose name, meaning or options have every word of `asked`, in whatever case: `event length`.
fn about(asked: &str) -> Vec<&'static Key> {
    // Fewer letters are in everything.
    const LETTERS: usize = 3;
    let words: Vec<String> = asked.split_whitespace().map(str::to_lowercase).collect();
    if words.is_empty() || words.iter().any(|word| word.len() < LETTERS) {
        return Vec::new();
    }
    let has_all = |key: &&'static Key| {
        let options = key.config.iter().map(|option| option.config);
        let text: Vec<String> = [key.name, key.doc].into_iter().chain(options).map(str::to_lowercase).collect();
        words.iter().all(|word| text.iter().any(|text| text.contains(word)))
    };
    KEYS.iter().copied().filter(has_all).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(asked: &str) -> Vec<&'static str> {
        named(asked).unwrap().into_iter().map(|key| key.name).collect()
    }

    #[test]
    fn a_key_is_found_by_name_table_last_part_or_option() {
        assert_eq!(found("coc.sdu"), ["coc.sdu"]);
        assert_eq!(found("coc.sdu=495"), ["coc.sdu"]);
        assert_eq!(found("CONFIG_LWIP_TCP_SND_BUF_DEFAULT"), ["lwip.snd_buf"]);
        assert!(found("coc").len() > 3 && found("coc").iter().all(|name| name.starts_with("coc.")));
        assert!(found("gaps").contains(&"ble.frame_space"));
        assert!(found("in_flight").contains(&"gatt.in_flight") && found("in_flight").contains(&"coc.in_flight"));
    }

    #[test]
    fn a_key_is_found_by_what_other_stacks_call_it() {
        let packets = ["central.event_packets", "peripheral.event_packets"];
        let length = ["central.event_length", "peripheral.event_length"];
        assert_eq!(found("event_pdu_cap"), packets);
        assert_eq!(found("packets per event"), packets);
        assert_eq!(found("CONFIG_BT_CTLR_SDC_MAX_CONN_EVENT_LEN_DEFAULT"), length);
        assert_eq!(found("NRF_SDH_BLE_GAP_EVENT_LENGTH"), length);
        assert!(length.iter().all(|name| found("event length").contains(name)));
    }

    #[test]
    fn another_word_is_told_the_nearest() {
        let said = |asked: &str| named(asked).unwrap_err().to_string();
        assert!(said("coc.sud").contains("did you mean `coc.sdu`"), "{}", said("coc.sud"));
        assert!(said("cap").contains("airtime accounts cap"));
    }

    #[test]
    fn one_key_is_shown_with_everything() {
        let key = table(&named("lwip.snd_buf").unwrap());
        let row = &key.rows[0];
        assert!(row.iter().any(|cell| cell == "CONFIG_LWIP_TCP_SND_BUF_DEFAULT (host)"), "{row:?}");
        assert!(row.iter().any(|cell| cell == "host's sdkconfig") && row.iter().any(|cell| cell == "wifi-hosted"));
    }
}
