//! Reading of the command line: arguments become a measurement that makes sense.

use std::path::PathBuf;

use airtime_core::Duration;
use airtime_live::perf::Places;
use airtime_study::Opening;
use airtime_study::perf::{HEADER_OCTETS, Load, PAYLOAD_MIN, Settings};

use super::seconds;
use crate::arguments::{BenchArguments, PerfArguments};
use crate::exit::Failure;
use crate::request::{kind_of_link, opening};

/// Most octets of an IPv4 packet (RFC 791, 3.1).
const PACKET_MAX: usize = 65_535;
/// Longer tests and more runs than these are slips of the finger.
const SECONDS_MAX: u32 = 86_400;
const RUNS_MAX: u32 = 1_000;
/// The shortest time between echo requests that ping(8) grants to ordinary users, and the longest that gives samples.
const PING_MS: std::ops::RangeInclusive<u64> = 2..=10_000;

/// Request: the things to measure, and the place where they are kept.
#[derive(Clone, Debug)]
pub struct Request {
    pub settings: Settings,
    pub places: Places,
    pub patience: Duration,
    pub output: PathBuf,
    pub opening: Opening,
    /// Link below the tunnel, if it was said.
    pub below: Option<Below>,
}

/// Link below a tunnel.
#[derive(Clone, Debug)]
pub struct Below {
    /// Kind of the link, as plans have it.
    pub link: String,
    /// `real` or `live`, as records have it.
    pub radio: String,
}

impl Request {
    /// Datagrams over a list of loads, and an idle link.
    ///
    /// # Errors
    /// When a value makes no sense.
    pub fn udp(arguments: &PerfArguments) -> Result<Self, Failure> {
        let payload = arguments.payload;
        let most = PACKET_MAX - HEADER_OCTETS;
        if !(PAYLOAD_MIN..=most).contains(&payload) {
            return Err(bad(format!("--payload {payload}: iperf3 sends {PAYLOAD_MIN} to {most} octets")));
        }
        let mut loads = vec![Load::Idle];
        for rate in &arguments.load {
            if rate.0 == 0 {
                return Err(bad("--load 0: an idle link is measured anyway".to_owned()));
            }
            if loads.contains(&Load::Udp(*rate)) {
                return Err(bad(format!("--load: {rate} is there twice; --repeat measures every load more than once")));
            }
            loads.push(Load::Udp(*rate));
        }
        Self::new(&arguments.bench, loads, payload, arguments.reverse)
    }

    /// A stream up and one down, and an idle link.
    ///
    /// # Errors
    /// When a value makes no sense.
    pub fn speedtest(bench: &BenchArguments) -> Result<Self, Failure> {
        let loads = vec![Load::Idle, Load::Tcp { reverse: false }, Load::Tcp { reverse: true }];
        // No datagram is sent; the least stands for none.
        Self::new(bench, loads, PAYLOAD_MIN, false)
    }

    fn new(bench: &BenchArguments, loads: Vec<Load>, payload_bytes: usize, reverse: bool) -> Result<Self, Failure> {
        let length = seconds("--for", bench.length)?;
        let warm_up_seconds = seconds("--warm-up", bench.warm_up)?;
        // iperf3 3.12 refuses to omit more than a minute.
        if length == 0 || length > SECONDS_MAX || warm_up_seconds > 60 {
            return Err(bad("--for is from 1s to a day, --warm-up at most 60s".to_owned()));
        }
        let every = bench.ping_every;
        let ping_ms = every.as_nanos() / 1_000_000;
        if !every.as_nanos().is_multiple_of(1_000_000) || !PING_MS.contains(&ping_ms) {
            return Err(bad(format!("--ping-every {every}: expected whole milliseconds from 2ms to 10s")));
        }
        if bench.repeat == 0 || bench.repeat > RUNS_MAX {
            return Err(bad(format!("--repeat {}: expected 1 to {RUNS_MAX}", bench.repeat)));
        }
        let server = bench.server.clone().unwrap_or_default();
        let names = [Some(&server), bench.client_netns.as_ref(), bench.server_netns.as_ref()];
        // Programs take these as words: a name that begins with a dash would be an option.
        if let Some(name) = names.into_iter().flatten().find(|name| name.is_empty() || name.starts_with('-')) {
            return Err(bad(format!("`{name}` is not the name of a host or a network namespace")));
        }
        let settings = Settings {
            server,
            port: bench.port,
            loads,
            payload_bytes,
            reverse,
            repeats: bench.repeat,
            seconds: length,
            warm_up_seconds,
            probe_every_ms: ping_ms as u32,
            probe_bytes: bench.ping_payload,
            seed: bench.seed,
        };
        let places = Places { client: bench.client_netns.clone(), server: bench.server_netns.clone() };
        Ok(Self {
            settings,
            places,
            patience: bench.patience,
            output: bench.output.clone(),
            opening: opening(bench.resume, bench.force),
            below: below(bench)?,
        })
    }
}

fn below(bench: &BenchArguments) -> Result<Option<Below>, Failure> {
    let Some(link) = bench.link.clone() else { return Ok(None) };
    Ok(Some(Below { link: kind_of_link(link)?, radio: bench.radio.clone() }))
}

fn bad(what: String) -> Failure {
    Failure::BadInput(what)
}
