//! Comma-separated values of every command: columns of numbers, and columns of text.

use std::fs;
use std::process::Command;

/// Columns in which texts stand beside numbers: values as files write them, and names that somebody chose.
const AS_WRITTEN: [&str; 3] = ["value", "label", "id"];

fn csv(arguments: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_airtime")).args(arguments).args(["--csv", "-q"]).output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(!text.is_empty(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    text
}

/// Lines of comma-separated values: quotation marks hold commas and line feeds together.
fn lines(text: &str) -> Vec<Vec<String>> {
    let (mut lines, mut quoted) = (vec![vec![String::new()]], false);
    let mut characters = text.chars().peekable();
    while let Some(c) = characters.next() {
        let line = lines.last_mut().unwrap();
        match c {
            '"' if quoted && characters.peek() == Some(&'"') => {
                line.last_mut().unwrap().push(characters.next().unwrap())
            }
            '"' => quoted = !quoted,
            ',' if !quoted => line.push(String::new()),
            '\n' if !quoted => lines.push(vec![String::new()]),
            c => line.last_mut().unwrap().push(c),
        }
    }
    assert_eq!(lines.pop(), Some(vec![String::new()]), "the last line ends");
    lines
}

/// Tells if a cell is a number that has its unit behind it.
fn has_unit(cell: &str) -> bool {
    let rest = cell.trim_start_matches(|c: char| c.is_ascii_digit() || "+-.~".contains(c));
    let unit = rest.trim_start();
    let units = ["%", "us", "µs", "ms", "s", "min", "kbps", "Mbps", "kHz", "MHz", "B", "kB", "octets"];
    rest.len() < cell.len()
        && cell.starts_with(|c: char| c.is_ascii_digit() || "+-~".contains(c))
        && units.contains(&unit)
}

fn check(arguments: &[&str]) {
    let text = csv(arguments);
    let lines = lines(&text);
    let (headings, rows) = lines.split_first().unwrap();
    assert!(!rows.is_empty(), "{arguments:?} prints nothing but {headings:?}");
    for (at, heading) in headings.iter().enumerate() {
        assert!(!heading.is_empty(), "{arguments:?}: a column without a name: {headings:?}");
        assert_eq!(headings.iter().filter(|other| *other == heading).count(), 1, "{arguments:?}: {heading} twice");
        let cells: Vec<&str> = rows.iter().map(|row| row.get(at).map_or("", String::as_str)).collect();
        assert!(rows.iter().all(|row| row.len() == headings.len()), "{arguments:?}: one table alone");
        let numbers = cells.iter().filter(|cell| cell.parse::<f64>().is_ok()).count();
        let filled = cells.iter().filter(|cell| !cell.is_empty()).count();
        let known = AS_WRITTEN.contains(&heading.as_str());
        assert!(known || numbers == 0 || numbers == filled, "{arguments:?}: {heading} mixes: {cells:?}");
        assert!(known || !cells.iter().any(|cell| has_unit(cell)), "{arguments:?}: units in {heading}: {cells:?}");
        assert!(!cells.iter().any(|cell| cell.contains(['█', '▏', '−'])), "{arguments:?}: art in {heading}");
    }
}

#[test]
fn every_command_prints_columns_of_numbers_and_of_text() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let short = ["--set", "run.duration=2100ms", "--set", "run.repeat=1"];
    let with = |head: &[&'static str]| [head, &short].concat();
    check(&with(&["run", "coc-mac", "two-peripherals", "nrf24-stream", "wifi-udp-tx", "ieee802154"]));
    check(&with(&["run", "gatt-notify", "--set", "central.personality=iphone", "--set", "ble.conn_interval=7.5ms"]));
    check(&["run", "rpc-conformance"]);
    check(&with(&["run", "l2cap-optimisation"]));
    check(&with(&["sweep", "interval-sweep", "--set", "central.personality=iphone"]));
    check(&with(&["sweep", "wifi-ba-window"]));
    check(&with(&["field", "ieee802154"]));
    check(&with(&["field", "ble_rpc", "--point", "rpc-macos-flash-call"]));
    check(&["explain", "coc-nrf", "--set", "run.duration=2200ms", "--set", "run.repeat=1"]);
    check(&["personality", "list"]);
    check(&["personality", "show", "iphone"]);
    check(&["plans"]);
    let capture = path("air.pcapng");
    let traced = with(&["trace", "coc-nrf", "-o"]);
    let traced = [&traced[..3], &[capture.as_str()], &traced[3..]].concat();
    assert!(Command::new(env!("CARGO_BIN_EXE_airtime")).args(&traced).arg("-q").status().unwrap().success());
    check(&["trace", "read", &capture]);
    let config = path("sdkconfig");
    fs::write(&config, "CONFIG_LWIP_TCP_RTO_TIME=300\nCONFIG_LWIP_TCP_SND_BUF_DEFAULT=5760\n").unwrap();
    check(&["check", &config]);
    check(&["rpc", "bench", "--over", "rpc-bench", "--point", "flash_read_throughput"]);
}

/// A plan's note about its figures stands below a table for people, too.
#[test]
fn the_note_of_a_plan_is_printed_with_its_run() {
    let short = ["run", "wifi-udp-tx", "-q", "--set", "run.duration=4s"];
    let output = Command::new(env!("CARGO_BIN_EXE_airtime")).args(short).env("COLUMNS", "200").output().unwrap();
    let text = str::from_utf8(&output.stdout).unwrap();
    assert_eq!(text.matches("published: 42.18 Mbps").count(), 1, "{text}");
}
