//! Logs that are one JSON document: iperf3's, that of `airtime hw sink`, that of `airtime perf`.

use airtime_lab::record::Environment;
use serde::Deserialize;

use super::statement::{CountingEnd, Stretch, Test, Total};
use super::{LogError, iperf3};

/// Reads the tests in the document `text`.
pub fn read(text: &str) -> Result<Vec<Test>, LogError> {
    let head: Head = parsed(text)?;
    match head.schema.as_deref() {
        Some("airtime/hw-sink/1") => Ok(sink(&parsed(text)?)),
        Some("airtime/perf/1") => Ok(perf(parsed(text)?)),
        None => iperf3::tests(parsed(text)?),
        Some(_) => Err(LogError::Unknown),
    }
}

#[derive(Deserialize)]
struct Head {
    schema: Option<String>,
}

fn parsed<'a, T: Deserialize<'a>>(text: &'a str) -> Result<T, LogError> {
    serde_json::from_str(text).map_err(|error| LogError::Json {
        line: error.line(),
        column: error.column(),
        why: error.to_string(),
    })
}

#[derive(Deserialize)]
struct Sink {
    udp: Vec<Flow>,
    tcp: Vec<Flow>,
}

#[derive(Deserialize)]
struct Flow {
    from: String,
    bytes: u64,
    first_ns: u64,
    last_ns: u64,
    goodput_kbps: Option<f64>,
    series_kbps: Vec<f64>,
}

fn sink(sink: &Sink) -> Vec<Test> {
    let flows = sink.udp.iter().map(|flow| ("udp", flow)).chain(sink.tcp.iter().map(|flow| ("tcp", flow)));
    flows.filter_map(|(kind, flow)| flow.test(kind)).collect()
}

impl Flow {
    fn test(&self, kind: &str) -> Option<Test> {
        let seconds = self.last_ns.saturating_sub(self.first_ns) as f64 / 1e9;
        let kbps = self.goodput_kbps.filter(|_| seconds > 0.0)?;
        // The last second is the one in which it ended: its octets by the time that was left of it.
        let whole = (seconds.floor() as usize).min(self.series_kbps.len());
        let stretch = |&kbps: &f64| Stretch { line: 1, seconds: 1.0, kbps };
        Some(Test {
            program: "hw-sink",
            end: Some(CountingEnd::Receiver),
            stretches: self.series_kbps[..whole].iter().map(stretch).collect(),
            received: Some(Total { line: 1, kbps, octets: Some(self.bytes), seconds: Some(seconds), steady: false }),
            name: Some(format!("{kind} from {}", self.from)),
            ..Test::default()
        })
    }
}

#[derive(Deserialize)]
struct Perf {
    runs: Vec<Run>,
}

#[derive(Deserialize)]
struct Run {
    name: String,
    load: String,
    seconds: u32,
    sent_kbps: f64,
    goodput_kbps: f64,
    payload_bytes: Option<u64>,
}

fn perf(perf: Perf) -> Vec<Test> {
    let total =
        |kbps, run: &Run| Total { line: 1, kbps, octets: None, seconds: Some(run.seconds.into()), steady: true };
    let loaded = perf.runs.into_iter().filter(|run| run.load != "idle" && run.goodput_kbps > 0.0);
    let test = |run: Run| Test {
        program: "perf",
        end: Some(CountingEnd::Receiver),
        sent: Some(total(run.sent_kbps, &run)),
        received: Some(total(run.goodput_kbps, &run)),
        unit_octets: run.payload_bytes,
        environment: Environment::default(),
        name: Some(run.name),
        ..Test::default()
    };
    loaded.map(test).collect()
}
