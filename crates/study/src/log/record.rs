//! From a test that a log tells to a record of the laboratory.

use airtime_lab::record::{DataLength, Environment, Goodput, Measured, Negotiated, REAL, tenth};
use airtime_lab::{Ordered, Record, Verdict};
use serde_json::{Value, json};

use super::statement::{CountingEnd, Stretch, Test};
use super::terms::Change;
use super::{LogError, Options};

/// The record of `test`; `number` tells several of one log apart.
///
/// # Errors
/// When link or end are nowhere said, or the warm-up leaves nothing.
pub fn of(test: &Test, options: &Options, number: Option<usize>) -> Result<Record, LogError> {
    let link = options.link.as_deref().or(test.named).or(test.link).ok_or(LogError::Link)?;
    let figure = Figure::of(test, options)?;
    let name = options.name.as_deref().unwrap_or(test.program);
    let mut record = Record {
        id: number.map_or_else(|| name.to_owned(), |number| format!("{name}-{number}")),
        link: link.to_owned(),
        params: params(test, link),
        series_kbps: test.stretches.iter().map(|stretch| tenth(stretch.kbps)).collect(),
        label: test.name.clone().unwrap_or_default(),
        outcome: "ok".to_owned(),
        radio: Some(REAL.to_owned()),
        environment: Some(known(&options.environment, &test.environment)),
        accepted_kbps: figure.accepted.map(tenth),
        delivered_bytes: figure.octets,
        steady_ns: (figure.seconds * 1e9) as u64,
        elapsed_ns: (figure.covered * 1e9) as u64,
        ..Record::default()
    };
    record.goodput_kbps = figure.arrived.map(|kbps| Goodput::of(&[kbps])).unwrap_or_default();
    record.negotiated = negotiated(test, &record.params);
    let accepted = figure.arrived.is_none();
    record.measured = figure.arrived.or(figure.accepted).map(|value| Measured {
        value: tenth(value),
        unit: "kbps".to_owned(),
        source: options.source.clone(),
        accepted,
        ..Measured::default()
    });
    record.verdict = Some(verdict(&record, &changed(test, &figure), "the log"));
    record.note = Some(note(test, &figure));
    Ok(record)
}

/// The figures that count.
struct Figure {
    arrived: Option<f64>,
    accepted: Option<f64>,
    octets: u64,
    seconds: f64,
    covered: f64,
    /// First of the stretches that count; 0 where a total does.
    from: usize,
    says: String,
}

impl Figure {
    fn of(test: &Test, options: &Options) -> Result<Self, LogError> {
        let end = options.end.or(test.end);
        let warmup = options.warmup.as_secs_f64();
        let covered = test.stretches.iter().map(|stretch| stretch.seconds).sum::<f64>();
        let whole = test.received.or(test.sent).and_then(|total| total.seconds).unwrap_or(covered);
        let mut figure = Self {
            arrived: test.received.map(|total| total.kbps),
            accepted: test.sent.map(|total| total.kbps),
            octets: test.received.and_then(|total| total.octets).unwrap_or(0),
            seconds: whole,
            covered: whole.max(covered),
            from: 0,
            says: String::new(),
        };
        let program = [test.sent, test.received].into_iter().flatten().any(|total| total.steady);
        if program {
            figure.says = "its program has left out a warm-up of its own".to_owned();
        } else if let [first, _, ..] = test.stretches.as_slice() {
            let end = end.ok_or(LogError::End { line: first.line })?;
            let steady = steady(&test.stretches, warmup);
            let (from, seconds, kbps) =
                steady.ok_or(LogError::Short { line: first.line, covered_s: covered, warmup_s: warmup })?;
            (figure.from, figure.seconds) = (from, seconds);
            match end {
                CountingEnd::Sender => figure.accepted = Some(kbps),
                CountingEnd::Receiver => {
                    figure.octets = (kbps * seconds * 125.0).round() as u64;
                    figure.arrived = Some(kbps);
                }
            }
            let beside = end == CountingEnd::Sender && figure.arrived.is_some();
            figure.says = format!(
                "its first {} s are left out{}",
                tenth(covered - seconds),
                if beside { " of what was accepted; what arrived is the receiver's total" } else { "" }
            );
        } else if let [only] = test.stretches.as_slice() {
            match end.ok_or(LogError::End { line: only.line })? {
                CountingEnd::Sender => figure.accepted = figure.accepted.or(Some(only.kbps)),
                CountingEnd::Receiver => figure.arrived = figure.arrived.or(Some(only.kbps)),
            }
        }
        if figure.says.is_empty() {
            figure.says = "a total: no warm-up is left out".to_owned();
        }
        let line =
            test.stretches.first().map(|stretch| stretch.line).or(test.received.or(test.sent).map(|total| total.line));
        match figure.is_of_a_link(test) {
            true => Ok(figure),
            false => Err(LogError::Figure { line: line.unwrap_or(1) }),
        }
    }

    /// Tells if all of them are rates and times: numbers that a garbled log has as well come to none.
    fn is_of_a_link(&self, test: &Test) -> bool {
        let rates = [self.arrived, self.accepted].into_iter().flatten();
        let each = test.stretches.iter().map(|stretch| stretch.kbps);
        rates.chain(each).chain([self.seconds, self.covered]).all(|figure| (0.0..FIGURE_MAX).contains(&figure))
    }
}

/// Part of a stretch by which its clock may be early without losing it to the warm-up: a hundredth. *Assumed.*
const EARLY: f64 = 1e-2;

/// Bound of rates in 10³ bit/s and of times in seconds: a petabit per second, and 30 million years. *Assumed.*
const FIGURE_MAX: f64 = 1e15;

/// Index of the first stretch that begins behind the warm-up; length and rate of it and those behind it.
fn steady(stretches: &[Stretch], warmup: f64) -> Option<(usize, f64, f64)> {
    let (mut from, mut at, mut seconds, mut kbit) = (None, 0.0, 0.0, 0.0);
    for (index, stretch) in stretches.iter().enumerate() {
        if at + stretch.seconds * EARLY >= warmup {
            from = from.or(Some(index));
            seconds += stretch.seconds;
            kbit += stretch.seconds * stretch.kbps;
        }
        at += stretch.seconds;
    }
    from.map(|from| (from, seconds, kbit / seconds))
}

/// Keys of a plan that the log tells.
fn params(test: &Test, link: &str) -> Ordered<Value> {
    let mut params = Ordered::new();
    if let Some(interval) = test.terms.interval() {
        params.set("ble.conn_interval", json!(interval.to_string()));
    }
    if let Some(phy) = test.terms.phy {
        params.set("ble.phy", json!(phy));
    }
    if let Some((out, _)) = test.terms.data_length {
        params.set("ble.data_length", json!(out));
    }
    if let Some(direction) = test.direction {
        params.set("ble.direction", json!(direction));
    }
    if let (Some(mps), "ble-coc") = (test.mps, link) {
        params.set("coc.mps", json!(mps));
    }
    if let Some(kind) = test.traffic {
        params.set("traffic.kind", json!(kind));
    }
    // A stream has calls of so many octets, and no payloads.
    let payloads = test.traffic != Some("tcp") && (link == "nrf24-ip" || link == "wifi-hosted");
    if let (Some(octets), true) = (test.unit_octets, payloads) {
        params.set("traffic.payload", json!(octets));
    }
    params
}

/// The terms, where the log tells all that records must have.
fn negotiated(test: &Test, params: &Ordered<Value>) -> Option<Negotiated> {
    let (out, back) = test.terms.data_length?;
    let peripheral_sends = test.direction != Some("c2p");
    let (c2p, p2c) = if peripheral_sends { (back, out) } else { (out, back) };
    Some(Negotiated {
        conn_interval: params.get("ble.conn_interval")?.as_str()?.to_owned(),
        phy: test.terms.phy?.to_owned(),
        dle: DataLength { c2p, p2c },
        mtu: test.mtu,
        mps: test.mps,
        ..Negotiated::default()
    })
}

/// Terms that changed while what counts was measured, each once.
fn changed(test: &Test, figure: &Figure) -> Vec<&'static str> {
    // What was told before the first stretch that counts ended changed within it, if not before it.
    let counts = test.changes.iter().filter(|change| change.behind >= figure.from);
    let mut terms: Vec<_> = counts.map(|change| change.term).collect();
    terms.sort_unstable();
    terms.dedup();
    terms
}

/// Verdict on a comparison of `record` with the lab: one in which its `source` lacks what the figure depends on, or has two values of a term
/// that `changed`, predicts nothing.
pub fn verdict(record: &Record, changed: &[&str], source: &str) -> Verdict {
    let keys: &[(&str, &str)] = match record.link.as_str() {
        "ble-coc" | "ble-gatt" => &[
            ("ble.conn_interval", "the connection interval"),
            ("ble.phy", "the PHY"),
            ("ble.data_length", "the data length"),
        ],
        _ => return Verdict::NotPredicted(format!("{source} says nothing of the link below it")),
    };
    let unsaid = keys.iter().filter(|(key, _)| record.params.get(key).is_none()).map(|(_, words)| *words);
    match unsaid.collect::<Vec<_>>().as_slice() {
        [] if !changed.is_empty() => {
            Verdict::NotPredicted(format!("{} changed while it was measured", changed.join(" and ")))
        }
        [] => Verdict::Predicted,
        unsaid => Verdict::NotPredicted(format!("{source} does not say {}", unsaid.join(", "))),
    }
}

fn note(test: &Test, figure: &Figure) -> String {
    let mut note = format!("Log of {}: {}.", test.program, figure.says);
    for said in test.notes.iter().cloned().chain(test.changes.iter().map(Change::says)) {
        let mut rest = said.chars();
        if let Some(first) = rest.next() {
            note.push_str(&format!(" {}{}.", first.to_uppercase(), rest.as_str()));
        }
    }
    note
}

/// Surroundings of both, the first before the second.
fn known(given: &Environment, said: &Environment) -> Environment {
    let either = |given: &Option<String>, said: &Option<String>| given.clone().or_else(|| said.clone());
    Environment {
        board: either(&given.board, &said.board),
        serial: either(&given.serial, &said.serial),
        firmware: either(&given.firmware, &said.firmware),
        os: either(&given.os, &said.os),
        controller: either(&given.controller, &said.controller),
        date: either(&given.date, &said.date),
        distance: either(&given.distance, &said.distance),
        conditions: either(&given.conditions, &said.conditions),
    }
}
