//! One run after the other: wait until the link is idle, load it, ask how long packets take, read what came of it.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use airtime_core::Duration;
use airtime_study::perf::{Failed, Iperf3, Load, Measured, Outcome, Point, Probes, Settings, Totals};
use airtime_system::clock::Clock;
use airtime_system::sleep;
use thiserror::Error;

use super::commands;
use super::program::{Ended, Program, ProgramError, errors_of};

/// Places where programs run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Places {
    /// The network namespace of the client and of ping; none: where we are.
    pub client: Option<String>,
    /// The network namespace of the server; none: somebody else has started `iperf3 -s`.
    pub server: Option<String>,
}

/// Reason that measuring cannot go on.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum BenchError {
    /// A program cannot be run.
    #[error(transparent)]
    Program(#[from] ProgramError),
    /// A file with raw output cannot be read.
    #[error("cannot read `{}`: {source}", path.display())]
    Read {
        /// Path of the file.
        path: PathBuf,
        /// Error of the system.
        source: io::Error,
    },
    /// Nobody serves tests.
    #[error(
        "no iperf3 server answers at {server} port {port}: start `iperf3 -s` there, or have one started with --server-netns"
    )]
    NoServer {
        /// The host.
        server: String,
        /// Its port.
        port: u16,
    },
    /// Somebody asked to stop.
    #[error("stopped")]
    Stopped,
}

/// Runs tests, and keeps what programs print in a folder.
#[derive(Debug)]
pub struct Bench<'a> {
    settings: &'a Settings,
    places: Places,
    raw: PathBuf,
    /// Time that a test may take beyond its seconds, and that a link may take to fall idle.
    patience: Duration,
    stop: &'a AtomicBool,
}

/// Echo requests that ask whether the link is idle, and how far apart they are.
const IDLE_PROBES: u64 = 5;
const IDLE_EVERY_MS: u64 = 200;

/// Interval at which the replies to echo requests are looked at.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// Time that a fresh server may take until it listens.
const LISTENING: Duration = Duration::from_millis(300);
const CONNECT_AGAIN: usize = 10;

/// Words of iperf3 when nobody listens.
const REFUSED: &str = "Connection refused";

impl<'a> Bench<'a> {
    /// A bench that keeps raw output in the folder `raw`, which there is, and ends at once when `stop` is set.
    ///
    /// # Errors
    /// When iperf3, ping or, with namespaces, ip is not installed.
    pub fn new(
        settings: &'a Settings,
        places: Places,
        raw: PathBuf,
        patience: Duration,
        stop: &'a AtomicBool,
    ) -> Result<Self, BenchError> {
        let bench = Self { settings, places, raw, patience, stop };
        for (name, version) in [("iperf3", "--version"), ("ping", "-V")] {
            bench.run(&[name.to_owned(), version.to_owned()], &bench.raw.join(format!("{name}.version")), patience)?;
        }
        Ok(bench)
    }

    /// Measures `point`.
    ///
    /// # Errors
    /// When programs cannot be run or somebody asked to stop. A test that fails is an [`Outcome::Failed`].
    pub fn measure(&self, point: &Point) -> Result<Outcome, BenchError> {
        let failed = |why: String| Outcome::Failed(Failed { name: point.name(), why });
        if let Err(why) = self.wait_until_idle(point)? {
            return Ok(failed(why));
        }
        let path = self.path(point, "ping.txt");
        let longest = (self.limit() + self.patience).as_nanos() / 1_000_000_000;
        let probing = self.start(&commands::inside(self.client(), &commands::probes(self.settings, longest)), &path)?;
        let (totals, began) = match self.load(point)? {
            Ok(load) => load,
            Err(why) => return Ok(failed(why)),
        };
        let counting = began + f64::from(self.settings.warm_up_seconds);
        let time = counting..=counting + f64::from(self.settings.seconds);
        self.wait_for_replies(&path, *time.end())?;
        drop(probing);
        match Probes::read(&self.printed(&path)?, time) {
            Ok(probes) => Ok(Outcome::Measured(Measured::new(self.settings, point, totals.as_ref(), probes))),
            Err(error) => Ok(failed(error.to_string())),
        }
    }

    /// Waits until requests that were sent before `end` are answered or lost: until a later one is answered, or patience is over.
    fn wait_for_replies(&self, path: &Path, end: f64) -> Result<(), BenchError> {
        let limit = end + self.patience.as_secs_f64();
        while !Probes::reach(&self.printed(path)?, end) && Clock::start().unix_seconds() < limit {
            self.pause(LOOK_EVERY)?;
        }
        Ok(())
    }

    /// Runs the test of `point`: its totals, none of an idle link, and when it began; or why there are none.
    fn load(&self, point: &Point) -> Result<Result<(Option<Totals>, f64), String>, BenchError> {
        let mut began = Clock::start().unix_seconds();
        let Some(command) = commands::client(self.settings, point.load) else { return Ok(Ok((None, began))) };
        let server = self.serve(point)?;
        let path = self.path(point, "iperf3.json");
        let command = commands::inside(self.client(), &command);
        began = began.max(Clock::start().unix_seconds());
        let mut ended = self.run(&command, &path, self.limit())?;
        // A server of ours may not listen yet.
        for _ in 0..CONNECT_AGAIN {
            if server.is_none() || !self.printed(&path)?.contains(REFUSED) {
                break;
            }
            self.pause(LISTENING)?;
            began = Clock::start().unix_seconds();
            ended = self.run(&command, &path, self.limit())?;
        }
        if self.printed(&path)?.contains(REFUSED) {
            let Settings { server, port, .. } = self.settings;
            return Err(BenchError::NoServer { server: server.clone(), port: *port });
        }
        if ended == Ended::TooLong {
            let limit = self.limit();
            return Ok(Err(format!(
                "iperf3 was not through after {limit}: is the link up? A deep queue needs more --patience"
            )));
        }
        let asked = Iperf3 {
            payload: matches!(point.load, Load::Udp(_)).then_some(self.settings.payload_bytes),
            reverse: match point.load {
                Load::Tcp { reverse } => reverse,
                _ => self.settings.reverse,
            },
            seconds: self.settings.seconds,
            omit: self.settings.warm_up_seconds,
        };
        let printed = self.printed(&path)?;
        if printed.trim().is_empty() {
            return Ok(Err(format!("iperf3 printed nothing: {}", self.printed(&errors_of(&path))?.trim())));
        }
        Ok(asked.read(printed.as_bytes()).map(|totals| (Some(totals), began)).map_err(|error| error.to_string()))
    }

    /// Starts a server for one test where it is ours to start.
    fn serve(&self, point: &Point) -> Result<Option<Program>, BenchError> {
        let Some(netns) = &self.places.server else { return Ok(None) };
        let command = commands::inside(Some(netns), &commands::server(self.settings));
        let program = self.start(&command, &self.path(point, "server.txt"))?;
        self.pause(LISTENING)?;
        Ok(Some(program))
    }

    /// Waits until all of some echo requests in a row are answered within the time that they are apart: what an earlier test has
    /// left in a queue is through then.
    fn wait_until_idle(&self, point: &Point) -> Result<Result<(), String>, BenchError> {
        let clock = Clock::start();
        let path = self.path(point, "idle.txt");
        let command = commands::ping(self.settings, IDLE_EVERY_MS, IDLE_PROBES);
        loop {
            self.run(&commands::inside(self.client(), &command), &path, self.patience)?;
            let probes = Probes::read(&self.printed(&path)?, 0.0..=f64::INFINITY);
            let quick = |probes: &Probes| probes.round_trips_ms.iter().all(|ms| *ms < IDLE_EVERY_MS as f64);
            let idle = |probes: &Probes| probes.round_trips_ms.len() as u64 == IDLE_PROBES && quick(probes);
            if probes.as_ref().is_ok_and(idle) {
                return Ok(Ok(()));
            }
            if clock.now().as_nanos() >= self.patience.as_nanos() {
                let why = match &probes {
                    Ok(probes) if probes.round_trips_ms.is_empty() => {
                        format!("does not answer echo requests {}", self.printed(&errors_of(&path))?.trim())
                    }
                    Ok(_) => format!("has not fallen idle within {}", self.patience),
                    Err(error) => format!("cannot be asked: {error}"),
                };
                return Ok(Err(format!("{} {why}", self.settings.server)));
            }
        }
    }

    fn client(&self) -> Option<&str> {
        self.places.client.as_deref()
    }

    fn path(&self, point: &Point, what: &str) -> PathBuf {
        self.raw.join(format!("{}.{what}", point.name()))
    }

    fn limit(&self) -> Duration {
        Duration::from_secs(u64::from(self.settings.warm_up_seconds + self.settings.seconds)) + self.patience
    }

    fn start(&self, command: &[String], stdout: &Path) -> Result<Program, BenchError> {
        Ok(Program::start(command, stdout)?)
    }

    fn run(&self, command: &[String], stdout: &Path, limit: Duration) -> Result<Ended, BenchError> {
        let ended = self.start(command, stdout)?.finish(limit, self.stop)?;
        self.ended(ended)
    }

    fn ended(&self, ended: Ended) -> Result<Ended, BenchError> {
        if ended == Ended::Stopped { Err(BenchError::Stopped) } else { Ok(ended) }
    }

    fn pause(&self, time: Duration) -> Result<(), BenchError> {
        let fault = |source| ProgramError::Start { name: "iperf3".to_owned(), source };
        sleep::sleep(&mut [], time).map_err(fault)?;
        if self.stop.load(Ordering::SeqCst) { Err(BenchError::Stopped) } else { Ok(()) }
    }

    /// Output of a program; octets that are no text are shown as such.
    fn printed(&self, path: &Path) -> Result<String, BenchError> {
        let bytes = fs::read(path).map_err(|source| BenchError::Read { path: path.to_owned(), source })?;
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }
}
