//! Report on a job: one document of the schema `airtime/rpc/1`, and [tables](shown) of it.

mod tables;

use std::fmt::Write as _;

use airtime_core::Duration;
use airtime_live::rpc::work::{Benchmark, Check};
use airtime_live::rpc::{Job, Work, hex};
use airtime_rpc::suite::Failure as Miss;
use serde::Serialize;
use serde_json::Value;

use super::run::Done;
use super::session::Session;
use super::{left_over, messages};
use crate::arguments::rpc::RpcCommand;
use crate::output::counted;
pub use tables::shown;

/// The schema of the document.
pub const SCHEMA: &str = "airtime/rpc/1";

/// Report on a job. Fields are added, never renamed.
#[derive(Debug, Serialize)]
pub struct Report {
    schema: &'static str,
    airtime: &'static str,
    command: &'static str,
    over: String,
    /// Nothing when calls could not begin.
    server: Option<ServerReport>,
    elapsed_ns: u64,
    /// Connections that calls could begin on.
    connections: u32,
    error: Option<String>,
    call: Option<CallReport>,
    transfer: Option<TransferReport>,
    checks: Option<Vec<CheckReport>>,
    benchmarks: Option<Vec<BenchmarkReport>>,
    #[serde(skip)]
    remarks: Vec<String>,
}

/// Terms that were agreed on with a server.
#[derive(Debug, Serialize)]
struct ServerReport {
    address: Option<String>,
    mode: &'static str,
    /// Its Ed25519 key; nothing when calls were made in the open.
    identity: Option<String>,
    max_request: u32,
    max_response: u32,
    outstanding: u8,
    frame: u16,
}

/// A call with its answers.
#[derive(Debug, Serialize)]
struct CallReport {
    method: String,
    requests: usize,
    responses: Vec<Value>,
    took_ns: Option<u64>,
}

/// A transfer.
#[derive(Debug, Serialize)]
struct TransferReport {
    address: Option<u32>,
    length: u64,
    done: u64,
    crc32: String,
    calls: u32,
    resumed: u32,
    took_ns: Option<u64>,
    kib_per_s: Option<f64>,
    /// Data that was read, when it was written nowhere else.
    data: Option<String>,
}

/// A check.
#[derive(Debug, Serialize)]
struct CheckReport {
    name: &'static str,
    passed: bool,
    why: Option<String>,
}

/// A benchmark.
#[derive(Debug, Serialize)]
struct BenchmarkReport {
    name: &'static str,
    calls: usize,
    items: u64,
    payload_bytes: u64,
    failed: u64,
    took_ns: Option<u64>,
    ms_per_call: Option<f64>,
    kib_per_s: Option<f64>,
    ms_per_item: Option<f64>,
    latency_ms: Option<Latency>,
}

/// Percentiles of the time of a call.
#[derive(Debug, Serialize)]
struct Latency {
    p50: f64,
    p95: f64,
    p99: f64,
    max: f64,
}

/// Checks of a job that makes some.
pub fn checks(job: &Job) -> &[Check] {
    match job.work() {
        Work::Suite(suite) => suite.checks(),
        _ => &[],
    }
}

/// Benchmarks of a job that runs some.
pub fn benchmarks(job: &Job) -> &[Benchmark] {
    match job.work() {
        Work::Suite(suite) => suite.benchmarks(),
        _ => &[],
    }
}

impl Report {
    /// The report of what is done; `kept` is what was read and goes nowhere else.
    pub fn new(command: &RpcCommand, session: &Session, done: &Done, kept: &[u8]) -> Self {
        let job = done.job();
        let (call, transfer) = (call(job), transfer(job, kept));
        let mut remarks: Vec<String> = transfer.iter().filter_map(|transfer| transferred(transfer, command)).collect();
        remarks.extend(call.iter().filter_map(|call| Some(format!("{} ms", ms(call.took_ns?)))));
        remarks.extend(left_over(job));
        remarks.extend(job.remark());
        Self {
            schema: SCHEMA,
            airtime: env!("CARGO_PKG_VERSION"),
            command: name(command),
            over: session.said.clone(),
            server: job.terms().map(|terms| ServerReport {
                address: job.peer().address(),
                mode: airtime_ble_link::plan::rpc::mode_name(terms.mode),
                identity: terms.identity.map(|key| hex::written(&key)),
                max_request: terms.max_request,
                max_response: terms.max_response,
                outstanding: terms.outstanding,
                frame: terms.frame,
            }),
            elapsed_ns: done.elapsed.as_nanos(),
            connections: job.connections(),
            error: job.error().map(ToString::to_string).or_else(|| done.error()),
            call,
            transfer,
            checks: matches!(command, RpcCommand::Conformance).then(|| checks(job).iter().map(check).collect()),
            benchmarks: matches!(command, RpcCommand::Bench(_))
                .then(|| benchmarks(job).iter().map(benchmark).collect()),
            remarks,
        }
    }

    /// Remarks for people beside the data.
    pub fn remarks(&self) -> &[String] {
        &self.remarks
    }
}

fn name(command: &RpcCommand) -> &'static str {
    match command {
        RpcCommand::Call(_) => "call",
        RpcCommand::Read(_) => "read",
        RpcCommand::Write(_) => "write",
        RpcCommand::Stream(_) => "stream",
        RpcCommand::Conformance => "conformance",
        RpcCommand::Bench(_) => "bench",
    }
}

fn ms(ns: u64) -> f64 {
    (ns as f64 / 1e3).round() / 1e3
}

fn rate(octets: u64, took: Duration) -> Option<f64> {
    (!took.is_zero()).then(|| (octets as f64 / 1_024.0 / took.as_secs_f64() * 10.0).round() / 10.0)
}

fn call(job: &Job) -> Option<CallReport> {
    let Work::Calls(calls) = job.work() else { return None };
    Some(CallReport {
        method: calls.name().to_owned(),
        requests: calls.requests(),
        responses: calls.responses().iter().map(|octets| messages::response(calls.name(), octets)).collect(),
        took_ns: calls.took().map(Duration::as_nanos),
    })
}

fn transfer(job: &Job, kept: &[u8]) -> Option<TransferReport> {
    let crc32 = |crc: u32| format!("{crc:08x}");
    match job.work() {
        Work::Read(read) => Some(TransferReport {
            address: Some(read.range().0),
            length: u64::from(read.range().1),
            done: u64::from(read.have()),
            crc32: crc32(read.crc32()),
            calls: read.course().calls(),
            resumed: read.course().resumed(),
            took_ns: read.course().took().map(Duration::as_nanos),
            kib_per_s: read.course().took().and_then(|took| rate(u64::from(read.have()), took)),
            data: (!kept.is_empty()).then(|| hex::written(kept)),
        }),
        Work::Write(write) => Some(TransferReport {
            address: write.address(),
            length: write.length() as u64,
            done: write.have() as u64,
            crc32: crc32(write.crc32()),
            calls: write.course().calls(),
            resumed: write.course().resumed(),
            took_ns: write.course().took().map(Duration::as_nanos),
            kib_per_s: write.course().took().and_then(|took| rate(write.length() as u64, took)),
            data: None,
        }),
        _ => None,
    }
}

fn transferred(transfer: &TransferReport, command: &RpcCommand) -> Option<String> {
    let TransferReport { length, crc32, calls, resumed, .. } = transfer;
    let did = if matches!(command, RpcCommand::Read(_)) { "read" } else { "written" };
    let mut says = format!("{} {did} in {} ms", counted(*length, "octet"), ms(transfer.took_ns?));
    if let Some(rate) = transfer.kib_per_s {
        let _ = write!(says, ", {rate} KiB/s");
    }
    let _ = write!(says, "; CRC-32 {crc32}, {}", counted(u64::from(*calls), "call"));
    if *resumed > 0 {
        let _ = write!(says, ", {resumed} of them where an earlier one had stopped");
    }
    Some(says)
}

fn check(check: &Check) -> CheckReport {
    let why = check.result.err().map(|miss| match miss {
        Miss::Call(error) => error.to_string(),
        Miss::Unexpected => "the answer is not what it should be".to_owned(),
        _ => "it could not begin".to_owned(),
    });
    CheckReport { name: check.name, passed: check.result.is_ok(), why }
}

fn benchmark(bench: &Benchmark) -> BenchmarkReport {
    let took = bench.took.filter(|took| !took.is_zero());
    let each = |count: u64| took.filter(|_| count > 0).map(|took| ms(took.as_nanos() / count));
    let streams = matches!(bench.name, "counter_stream" | "counter_upload");
    let mut calls = bench.calls.clone();
    calls.sort_unstable();
    // The smallest that so many percent of the calls do not exceed.
    let rank = |percent: usize| ms(calls[(calls.len() * percent).div_ceil(100).max(1) - 1].as_nanos());
    let latency = (!calls.is_empty()).then(|| Latency { p50: rank(50), p95: rank(95), p99: rank(99), max: rank(100) });
    BenchmarkReport {
        name: bench.name,
        calls: calls.len(),
        items: bench.items,
        payload_bytes: bench.octets,
        failed: bench.failed,
        took_ns: bench.took.map(Duration::as_nanos),
        ms_per_call: each(calls.len() as u64),
        kib_per_s: took.filter(|_| !streams).and_then(|took| rate(bench.octets, took)),
        ms_per_item: each(bench.items).filter(|_| streams),
        latency_ms: latency,
    }
}
