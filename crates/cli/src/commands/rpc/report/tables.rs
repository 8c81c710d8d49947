//! A report as people read it.

use std::fmt::Write as _;
use std::io::{self, IsTerminal as _};

use airtime_report::{Align, Table};
use serde_json::Value;

use super::{BenchmarkReport, CallReport, CheckReport, Latency, Report, TransferReport, ms};
use crate::arguments::rpc::RpcCommand;
use crate::exit::Failure;
use crate::output::{self, Form};

/// The report in this form, which is not JSON.
pub fn shown(report: &Report, command: &RpcCommand, form: Form, kept: &[u8]) -> Result<Vec<u8>, Failure> {
    match command {
        RpcCommand::Read(_) if form == Form::Text => {
            // A terminal is shown octets; everybody else has them already.
            Ok(if io::stdout().is_terminal() { dump(report, kept).into_bytes() } else { Vec::new() })
        }
        RpcCommand::Write(_) if form == Form::Text => Ok(Vec::new()),
        // A table of no answer would be an empty line.
        RpcCommand::Call(_) | RpcCommand::Stream(_)
            if report.call.as_ref().is_none_or(|call| call.responses.is_empty()) =>
        {
            Ok(Vec::new())
        }
        _ => output::rendered(|out| form.exporter().export_table(&table(report), out)),
    }
}

/// Octets as people look at them: sixteen a line behind their address.
fn dump(report: &Report, kept: &[u8]) -> String {
    let address = report.transfer.as_ref().and_then(|transfer| transfer.address).unwrap_or_default() as usize;
    let mut text = String::new();
    for (line, octets) in kept.chunks(16).enumerate() {
        let spaced = octets.iter().map(|octet| format!("{octet:02x}")).collect::<Vec<_>>().join(" ");
        let shown: String =
            octets.iter().map(|&o| if o.is_ascii_graphic() || o == b' ' { o as char } else { '.' }).collect();
        let _ = writeln!(text, "{:08x}  {spaced:47}  {shown}", address + 16 * line);
    }
    text
}

fn table(report: &Report) -> Table {
    if let Some(checks) = &report.checks {
        return checked(checks);
    }
    if let Some(benchmarks) = &report.benchmarks {
        return measured(benchmarks);
    }
    match (&report.call, &report.transfer) {
        (Some(call), _) => answered(call),
        (_, Some(transfer)) => moved(transfer),
        _ => Table::default(),
    }
}

fn checked(checks: &[CheckReport]) -> Table {
    let mut table = Table::default();
    table.column("check", Align::Left, checks.iter().map(|check| check.name));
    table.column("result", Align::Left, checks.iter().map(|check| if check.passed { "PASS" } else { "FAIL" }));
    table.column_if_any("why", Align::Left, checks.iter().map(|check| check.why.clone().unwrap_or_default()));
    table
}

fn measured(all: &[BenchmarkReport]) -> Table {
    let figure = |of: fn(&BenchmarkReport) -> Option<f64>| {
        all.iter().map(move |bench| of(bench).map(|value| value.to_string()).unwrap_or_default())
    };
    let latency = |of: fn(&Latency) -> f64| {
        all.iter().map(move |bench| bench.latency_ms.as_ref().map(|l| of(l).to_string()).unwrap_or_default())
    };
    let mut table = Table::default();
    table.column("benchmark", Align::Left, all.iter().map(|bench| bench.name));
    table.column("calls", Align::Right, all.iter().map(|bench| bench.calls.to_string()));
    table.column("payload B", Align::Right, all.iter().map(|bench| bench.payload_bytes.to_string()));
    table.column("ms/call", Align::Right, figure(|bench| bench.ms_per_call));
    table.column("KiB/s", Align::Right, figure(|bench| bench.kib_per_s));
    table.column("ms/item", Align::Right, figure(|bench| bench.ms_per_item));
    table.column("p50 ms", Align::Right, latency(|l| l.p50));
    table.column("p95 ms", Align::Right, latency(|l| l.p95));
    table.column("p99 ms", Align::Right, latency(|l| l.p99));
    let failed = |bench: &BenchmarkReport| if bench.failed > 0 { bench.failed.to_string() } else { String::new() };
    table.column_if_any("failed", Align::Right, all.iter().map(failed));
    table
}

fn answered(call: &CallReport) -> Table {
    let mut names: Vec<&str> = Vec::new();
    for name in call.responses.iter().filter_map(Value::as_object).flat_map(|fields| fields.keys()) {
        if !names.contains(&name.as_str()) {
            names.push(name);
        }
    }
    let plain = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let mut table = Table::default();
    for name in names {
        let values = call.responses.iter().map(|fields| fields.get(name).map(plain).unwrap_or_default());
        table.column(name, Align::Left, values);
    }
    let octets = call.responses.iter().map(|response| response.as_str().unwrap_or_default().to_owned());
    table.column_if_any("octets", Align::Left, octets);
    table
}

fn moved(transfer: &TransferReport) -> Table {
    let mut table = Table::default();
    table.column("octets", Align::Right, [transfer.done.to_string()]);
    table.column("of", Align::Right, [transfer.length.to_string()]);
    table.column("ms", Align::Right, [transfer.took_ns.map(|ns| ms(ns).to_string()).unwrap_or_default()]);
    table.column("KiB/s", Align::Right, [transfer.kib_per_s.map(|rate| rate.to_string()).unwrap_or_default()]);
    table.column("CRC-32", Align::Left, [transfer.crc32.as_str()]);
    table
}
