mod pattern;
mod validate;

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::values::{CLOCKS, RATES, SIZES, TIMES};
use super::*;
use crate::personality::Library;
use crate::plan::{MEASURED_KEYS, Plan, ROW_KEYS};
use crate::schema::{KEYS, Kind};
use crate::toml::tree;
use validate::faults;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// A TOML text as a schema sees it.
fn document(text: &str) -> Value {
    let entries = tree::parse("x.toml", text).unwrap();
    entries.into_iter().map(|entry| (entry.name, entry.node.json())).collect()
}

/// Every TOML file below a folder of the repository.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(files(&path));
        // The folder is a package, and says so in a file that is no plan.
        } else if path.extension().is_some_and(|end| end == "toml") && !path.ends_with("Cargo.toml") {
            found.push(path);
        }
    }
    found
}

#[test]
fn the_schemas_are_up_to_date() {
    for (name, schema) in [("plan", plan()), ("personality", personality())] {
        let path = format!("{ROOT}/schemas/{name}.schema.json");
        if std::env::var_os("AIRTIME_BLESS").is_some() {
            std::fs::write(&path, print(&schema)).unwrap();
        }
        let kept = std::fs::read_to_string(&path).unwrap_or_default();
        assert!(
            kept == print(&schema),
            "schemas/{name}.schema.json is out of date: AIRTIME_BLESS=1 cargo test -p airtime-lab"
        );
        assert_eq!(serde_json::from_str::<Value>(&kept).unwrap(), schema, "what is printed is the schema");
    }
}

#[test]
fn whatever_ships_conforms() {
    for (folder, schema, least) in [("plans", plan(), 50), ("personalities", personality(), 8)] {
        let found = files(&Path::new(ROOT).join(folder));
        assert!(found.len() >= least, "{} in {folder}", found.len());
        for path in found {
            let text = std::fs::read_to_string(&path).unwrap();
            assert_eq!(faults(&document(&text), &schema), Vec::<String>::new(), "{}", path.display());
        }
    }
}

#[test]
fn every_key_may_stand_in_every_place_that_the_reader_takes_it_in() {
    let (schema, library) = (plan(), Library::builtin());
    for text in [
        "\"coc.sdu\" = 495\n",
        "coc.sdu = 495\n",
        "[coc]\nsdu = 495\n",
        "[coc.credits]\ninitial = 10\n",
        "[coc]\ncredits.initial = 10\n",
        "[coc]\n\"credits.initial\" = 10\n",
        "coc.credits = \"android\"\n",
        "ble.loss = { per = 0.1 }\n",
        "ble.conn_interval = \" 7.5 ms \"\n",
        "threshold.goodput = \">= 1_000kbps\"\n",
        "need.rate = \"5Mbps to 15Mbps\"\n",
        "[sweep]\n\"coc.sdu\" = [247, 492]\n",
        "[sweep.coc]\nsdu = { from = 200, to = 400, step = 7 }\n",
        "[sweep]\nble.conn_interval = { from = \"7.5ms\", to = \"50ms\", step = \"1.25ms\" }\n",
        "[sweep.ble.loss]\nper = [0.1, 0.2]\n",
        "[sweep]\n\"coc.credits\" = [\"android\", { max = 9 }]\n",
        "[unlogged]\n\"coc.sdu\" = [200, 300, 400]\n",
        "[[row]]\nid = \"a\"\nset = { \"coc.sdu\" = 4, ble.phy = \"1M\" }\ncandidates = [{ coc.sdu = 9 }]\n",
    ] {
        let read = Plan::parse("x.toml", text, &library, &[]).map(|_| ());
        assert_eq!(read, Ok(()), "{text}");
        assert_eq!(faults(&document(text), &schema), Vec::<String>::new(), "{text}");
    }
}

#[test]
fn mistakes_in_a_plan_are_marked() {
    let (schema, library) = (plan(), Library::builtin());
    for text in [
        "link = \"ble-cock\"\n",
        "[coc]\nsud = 495\n",
        "[co]\nsdu = 495\n",
        "coc.sdu = 0\n",
        "coc.sdu = \"495\"\n",
        "ble.conn_interval = 15\n",
        "ble.conn_interval = \"15 furlongs\"\n",
        "ble.phy = \"3M\"\n",
        "ble.encrypted = 1\n",
        "ble.loss.per = 1.5\n",
        "ble.loss.pre = 0.5\n",
        "coc.credits = \"androit\"\n",
        "threshold.goodput = \"500kbps\"\n",
        "central.personality = \"zephir\"\n",
        "[sweep]\n\"coc.sdu\" = 9\n",
        "[sweep]\n\"coc.sdu\" = []\n",
        "[sweep]\nname = [\"a\", \"b\"]\n",
        "[sweep]\n\"coc.sdu\" = { from = 200, to = 400 }\n",
        "[sweep]\n\"coc.sud\" = [1, 2]\n",
        "[unlogged]\n\"coc.sud\" = [200, 300, 400]\n",
        "[[row]]\nset = {}\n",
        "[[row]]\nid = \"a\"\nsett = {}\n",
        "[[row]]\nid = \"a\"\nmeasured = { value = 0 }\n",
        "[[row]]\nid = \"a\"\nmeasured = { value = 1, unit = \"furlongs\" }\n",
        "[[row]]\nid = \"a\"\nverdict = \"predictet\"\n",
    ] {
        assert!(Plan::parse("x.toml", text, &library, &[]).is_err(), "the reader takes {text}");
        assert!(!faults(&document(text), &schema).is_empty(), "the schema takes {text}");
    }
}

#[test]
fn mistakes_in_a_personality_are_marked() {
    let schema = personality();
    let known = |value: &str| format!("{{ value = {value}, status = \"assumed\", source = \"s\" }}\n");
    let of = |line: String| format!("based_on = \"zephyr-ll\"\n[controller]\n{line}");
    for text in [
        of(format!("margn = {}", known("\"1us\""))),
        of(format!("margin = {}", known("1"))),
        of(format!("budget = {}", known("\"full\""))),
        of("margin = \"1us\"\n".into()),
        of("margin = { value = \"1us\", status = \"guessed\", source = \"s\" }\n".into()),
        of("margin = { value = \"1us\", status = \"assumed\" }\n".into()),
        of(format!("event_pdu_cap = {}", known("0"))),
        "stack = \"os9\"\nbased_on = \"zephyr-ll\"\n".into(),
        format!("based_on = \"zephyr-ll\"\n[host]\ncredits = {}", known("{ intial = 3 }")),
        format!("based_on = \"zephyr-ll\"\n[bus]\nwake = {}", known("\"1us\"")),
        format!("link = \"wifi-hosted\"\nbased_on = \"esp32-p4-c6\"\n[bus]\nwke = {}", known("\"1us\"")),
        "link = \"nrf24-ip\"\nbased_on = \"zephyr-ll\"\n".into(),
    ] {
        assert!(Library::builtin().add("x", &text).is_err(), "the reader takes {text}");
        assert!(!faults(&document(&text), &schema).is_empty(), "the schema takes {text}");
    }
    for text in [
        of(format!("event_pdu_cap = {}", known("\"none\""))),
        format!("based_on = \"zephyr-ll\"\n[host]\ncredits = {}", known("{ initial = 3, below = 2 }")),
        format!("link = \"wifi-hosted\"\nbased_on = \"esp32-p4-c6\"\n[bus]\nwake = {}", known("\"1us\"")),
    ] {
        assert_eq!(Library::builtin().add("x", &text), Ok(()), "{text}");
        assert_eq!(faults(&document(&text), &schema), Vec::<String>::new(), "{text}");
    }
}

#[test]
fn the_default_of_every_key_conforms() {
    let schema = plan();
    for key in KEYS.iter() {
        let Some(value) = key.default.value() else { continue };
        let document = json!({ key.name: value });
        assert_eq!(faults(&document, &schema), Vec::<String>::new(), "{}", key.name);
    }
}

#[test]
fn rows_have_the_names_that_the_reader_knows() {
    let schema = plan();
    let names = |rule: &Value| -> Vec<String> { rule["properties"].as_object().unwrap().keys().cloned().collect() };
    let mut row = names(&schema["$defs"]["row"]);
    let mut known: Vec<&str> = ROW_KEYS.to_vec();
    row.sort();
    known.sort_unstable();
    assert_eq!(row, known);
    assert_eq!(names(&schema["$defs"]["row"]["properties"]["measured"]), MEASURED_KEYS);
}

#[test]
fn units_are_those_that_are_read() {
    use airtime_core::Duration;
    use airtime_core::units::{Bitrate, Frequency, Size};
    type Reads = fn(&str) -> bool;
    let reads: [(&[&str], Reads); 4] = [
        (TIMES, |text| text.parse::<Duration>().is_ok()),
        (SIZES, |text| text.parse::<Size>().is_ok()),
        (CLOCKS, |text| text.parse::<Frequency>().is_ok()),
        (RATES, |text| text.parse::<Bitrate>().is_ok()),
    ];
    let all: Vec<&str> = reads.iter().flat_map(|(units, _)| units.iter().copied()).collect();
    for (units, read) in reads {
        for unit in &all {
            assert_eq!(read(&format!("1{unit}")), units.contains(unit), "{unit} among {units:?}");
        }
    }
    assert!(KEYS.iter().any(|key| matches!(key.kind, Kind::Clock(..))));
}
