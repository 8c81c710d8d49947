//! Eight saturated pairs in real time: our own hosts on UNIX sockets, against what virtual time predicts.
//!
//! `cargo bench -p airtime-live`; `AIRTIME_BENCH_SECONDS` says for how long (default 20). It prints
//! figures and asserts nothing: they are the machine's.

use std::path::{Path, PathBuf};
use std::sync::mpsc;
use std::thread::{self, JoinHandle};
use std::{env, fs};

use airtime_ble_link::run;
use airtime_core::Duration;
use airtime_lab::Library;
use airtime_live::ble::options::{endpoint, peer};
use airtime_live::{Config, Dialled, PeerConfig, Place, Report, Server, Stopper};
use rustix::time::{ClockId, clock_gettime};

const PAIRS: usize = 8;

/// Finding one another and setting up, one after the other on three channels, is left out.
const SET_UP: Duration = Duration::from_secs(6);

/// Enough buffers that a host on a socket is never waited for.
const TEST: &str = "interval=15ms,phy=2M,credits=bumble,acl.count=24";

fn main() {
    // `cargo test --benches` asks whether it runs at all; it is no test.
    if env::args().any(|argument| argument == "--test") {
        return;
    }
    let seconds = env::var("AIRTIME_BENCH_SECONDS").ok().and_then(|text| text.parse().ok()).unwrap_or(20);
    let folder = tempfile::tempdir().expect("a folder for the sockets");
    println!("load before: {}", load());
    let predicted = predicted();
    let (server, stopper) = serve(folder.path());
    let hosts: Vec<_> = (0..2 * PAIRS).map(|device| host(folder.path(), device, seconds)).collect();
    let delivered: Vec<u64> = hosts.into_iter().map(|host| host.join().expect("a host runs to its end")).collect();
    stopper.stop();
    let (report, cpu) = server.join().expect("the server runs to its end");
    println!("{PAIRS} pairs for {seconds} s, {TEST}; predicted {predicted:.1} kbps each");
    for pair in 0..PAIRS {
        let kbps = delivered[2 * pair + 1] as f64 * 8.0 / seconds as f64 / 1e3;
        println!("pair {pair}: {kbps:.1} kbps, {:+.2} %", 100.0 * (kbps - predicted) / predicted);
    }
    let lag = report.lag.expect("there were steps");
    let elapsed = report.elapsed_ns as f64 / 1e9;
    println!("lag: p50 {} us, p90 {} us, p99 {} us, max {} us", lag.p50_us, lag.p90_us, lag.p99_us, lag.max_us);
    println!("steps: {:.0} per second", report.steps as f64 / elapsed);
    println!("server thread: {:.1} % of a core", 100.0 * cpu / elapsed);
    let latencies: Vec<f64> = report.endpoints.iter().filter_map(|e| Some(e.host_latency?.p50_us)).collect();
    println!("host latency, p50 of each that ever waited for a buffer: {latencies:?} us");
    println!("load after: {}", load());
}

fn socket(folder: &Path, device: usize) -> PathBuf {
    folder.join(format!("{device}.sock"))
}

/// Even devices are centrals and stream to the odd one behind them.
fn test(device: usize) -> PeerConfig {
    let kind = if device.is_multiple_of(2) { "coc-source,role=central" } else { "coc-sink,role=peripheral" };
    let text = format!("{kind},name=pair-{},{TEST}", device / 2);
    peer(device, &text, &Library::builtin()).expect("the test makes sense")
}

/// What the same two hosts do in virtual time.
fn predicted() -> f64 {
    let outcome = run::run(&test(0).scenario, 1);
    outcome.octets(0) as f64 * 8e6 / outcome.steady.as_nanos() as f64
}

fn serve(folder: &Path) -> (JoinHandle<(Report, f64)>, Stopper) {
    let places: Vec<String> =
        (0..2 * PAIRS).map(|device| format!("unix:{},acl.count=24", socket(folder, device).display())).collect();
    let (ready, wait) = mpsc::channel();
    let server = thread::spawn(move || {
        let library = Library::builtin();
        let endpoints = places.iter().enumerate().map(|(index, text)| endpoint(index, text, &library));
        let endpoints = endpoints.collect::<Result<_, _>>().expect("the endpoints make sense");
        let config = Config { endpoints, ..Config::default() };
        let mut server = Server::bind(config, None, Box::new(|_| {})).expect("the sockets can be opened");
        ready.send(server.stopper()).expect("somebody waits");
        server.run(None).expect("the server can wait");
        let cpu = clock_gettime(ClockId::ThreadCPUTime);
        (server.report(), cpu.tv_sec as f64 + cpu.tv_nsec as f64 / 1e9)
    });
    (server, wait.recv().expect("the server listens"))
}

/// A host in a thread of its own; it comes back with the octets that arrived after the set-up.
fn host(folder: &Path, device: usize, seconds: u64) -> JoinHandle<u64> {
    let place = Place::Unix(socket(folder, device));
    thread::spawn(move || {
        let mut host = Dialled::open(&test(device), &place).expect("the server answers");
        host.run(Some(SET_UP)).expect("the server stays");
        let before = host.client().progress().delivered;
        host.run(Some(Duration::from_secs(seconds))).expect("the server stays");
        host.client().progress().delivered - before
    })
}

fn load() -> String {
    fs::read_to_string("/proc/loadavg").map_or_else(|_| "unknown".into(), |text| text.trim().to_owned())
}
