//! `airtime live ble`: controllers on one medium, an HCI endpoint each.

use std::time::{SystemTime, UNIX_EPOCH};

use airtime_ble_link::capture::Captures;
use airtime_capture::Origin;
use airtime_core::Duration;
use airtime_lab::Library;
use airtime_live::Sink;
use airtime_live::address::written;
use airtime_live::ble::config::DEVICES_MAX;
use airtime_live::ble::options::{OptionError, check_roles, endpoint, peer, personality_files};
use airtime_live::ble::server::BindError;
use airtime_live::rpc::{hex, public_identity};
use airtime_live::{Config, EndpointConfig, Server};
use airtime_system::reach;

use super::shared::Shared;
use super::{bad, check_time, in_stretches, tables};
use crate::arguments::live::{LiveBleArguments, LiveCaptureArguments, LiveTimeArguments};
use crate::capture::{self, CaptureFile};
use crate::catalog;
use crate::exit::{Exit, Failure};
use crate::interrupt::stop_on_signal;
use crate::output::{self, Form};
use crate::request::Manner;
use crate::ring::{self, Bounds};

/// Octets of a file of a capture, at least: its head and some records.
const SIZE_MIN: u32 = 64 << 10;

/// Serves until it is stopped, or for the time that was asked for, and reports.
pub fn ble(arguments: &LiveBleArguments, manner: Manner) -> Result<Exit, Failure> {
    check_time(&arguments.time)?;
    serve(&config(arguments)?, &arguments.captures, &arguments.time, manner)
}

/// Serves what `config` says, with captures as they were asked for.
pub(super) fn serve(
    config: &Config,
    captured: &LiveCaptureArguments,
    time: &LiveTimeArguments,
    manner: Manner,
) -> Result<Exit, Failure> {
    let says: Box<dyn FnMut(&str)> = if manner.quiet { Box::new(|_| {}) } else { Box::new(output::say) };
    let devices = config.endpoints.len() + config.peers.len() + config.served.len();
    let captures = captures(captured, devices, !manner.quiet)?;
    let sink = captures.clone().map(|shared| Box::new(shared) as Sink);
    let mut server = Server::bind(config.clone(), sink, says).map_err(refused)?;
    let stopper = server.stopper();
    stop_on_signal(stopper.clone())?;
    for served in &config.served {
        let key = served.identity.map_or_else(|| "open".to_owned(), |seed| hex::written(&public_identity(&seed)));
        output::say(&format!("serving {} {} {key}", served.scenario.connection.name, written(served.address)));
    }
    for (endpoint, address) in config.endpoints.iter().zip(server.addresses()) {
        // Scripts wait for these lines, so they are said in any case.
        output::say(&format!("listening {address} {} {}", written(endpoint.address), endpoint.personality));
    }
    say_reach(&server.addresses());
    let run = |server: &mut Server, time| {
        server.run(time).map_err(|error| Failure::Machine(format!("cannot wait for what is due: {error}")))
    };
    let mut before = (0, 0);
    let tell = |server: &Server| output::say(&progress(server, &mut before));
    let exit = in_stretches(time, &stopper, &mut server, run, tell)?;
    let report = server.report();
    let bytes = match manner.form {
        Form::Json => output::rendered(|out| airtime_report::json(&report, out))?,
        form => output::rendered(|out| {
            let exporter = form.exporter();
            exporter.export_tables(&tables::tables(&report), out)
        })?,
    };
    output::print(&bytes)?;
    drop(server);
    if let Some(captures) = captures.and_then(Shared::into_captures) {
        captures.into_sinks().try_for_each(|file| file.finish().map(drop))?;
    }
    Ok(exit)
}

/// Says which of these addresses other machines can reach.
fn say_reach(addresses: &[String]) {
    let of_tcp = addresses.iter().filter_map(|address| address.strip_prefix("tcp:")?.parse().ok());
    of_tcp.filter_map(|at| reach::said("tcp", at)).for_each(|said| output::say(&said));
}

/// Captures with dates of today, in the files that were asked for; devices are called by their numbers.
fn captures(asked: &LiveCaptureArguments, devices: usize, says: bool) -> Result<Option<Shared>, Failure> {
    let paths = asked.capture.as_slice();
    if paths.is_empty() {
        return Ok(None);
    }
    if asked.capture_size < SIZE_MIN {
        return Err(Failure::BadInput(format!("--capture-size {}: at least {SIZE_MIN} octets", asked.capture_size)));
    }
    let bounds = Bounds { octets: asked.capture_size.into(), files: asked.capture_files, says };
    let names: Vec<String> = (0..devices).map(|device| device.to_string()).collect();
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let origin = Origin::from_unix(Duration::from_nanos(since.as_nanos() as u64));
    let views = |form| Ok(if form == airtime_capture::Form::Host { names.clone() } else { vec![String::new()] });
    let planned = capture::planned(paths, views)?;
    ring::check(&planned, bounds.files)?;
    let mut captures = Captures::new(names, origin, false);
    for file in planned {
        captures.add(file.form, file.view, CaptureFile::live(&file, bounds, asked.force)?);
    }
    Ok(Some(Shared::new(captures)))
}

/// A line on how it goes; `before` is the time and the payload of the line before.
fn progress(server: &Server, before: &mut (u64, u64)) -> String {
    let radios = server.radios();
    let (now, carried) = (radios.pacer().now().as_nanos(), radios.network().observer.carried());
    let kbps = (carried - before.1) as f64 * 8e6 / (now - before.0).max(1) as f64;
    *before = (now, carried);
    let links = radios.network().observer.open();
    let lag = radios.pacer().lag().summary().map_or(0.0, |lag| lag.p99_us);
    format!("{:.1} s: {links} links, {kbps:.1} kbps, lag p99 {lag} us", now as f64 / 1e9)
}

fn config(arguments: &LiveBleArguments) -> Result<Config, Failure> {
    let library = library(arguments.hci.iter().chain(&arguments.peer))?;
    let behind = arguments.hci.len();
    let peers = arguments.peer.iter().enumerate().map(|(index, text)| peer(behind + index, text, &library));
    let config = Config {
        endpoints: endpoints(&arguments.hci, &library)?,
        peers: peers.collect::<Result<_, OptionError>>().map_err(bad)?,
        co_channel: arguments.interference == "co-channel",
        allow_remote: arguments.allow_remote,
        ..Config::default()
    };
    check(&config)?;
    check_roles(&config.peers).map_err(Failure::BadInput)?;
    Ok(config)
}

/// The shipped personalities, and those that these options name by their files.
pub(super) fn library<'a>(options: impl Iterator<Item = &'a String>) -> Result<Library, Failure> {
    let mut library = Library::builtin();
    for path in options.flat_map(|text| personality_files(text)) {
        library.add(&path, &catalog::read(&path)?.text)?;
    }
    Ok(library)
}

/// The controllers for outside hosts.
pub(super) fn endpoints(options: &[String], library: &Library) -> Result<Vec<EndpointConfig>, Failure> {
    let endpoints = options.iter().enumerate().map(|(index, text)| endpoint(index, text, library));
    endpoints.collect::<Result<_, OptionError>>().map_err(bad)
}

/// Checks that there is room for all of them, each with an address of its own.
pub(super) fn check(config: &Config) -> Result<(), Failure> {
    let outside = config.endpoints.iter().map(|endpoint| endpoint.address);
    let own = config.peers.iter().map(|peer| peer.address).chain(config.served.iter().map(|served| served.address));
    let mut addresses: Vec<_> = outside.chain(own).collect();
    if addresses.len() > DEVICES_MAX {
        let what = format!("{} controllers: the medium has room for {DEVICES_MAX}", addresses.len());
        return Err(Failure::BadInput(what));
    }
    addresses.sort_unstable();
    if let Some(pair) = addresses.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(Failure::BadInput(format!("two controllers have the address {}", written(pair[0]))));
    }
    Ok(())
}

fn refused(error: BindError) -> Failure {
    match error {
        BindError::Address(_) | BindError::Remote(_) | BindError::Occupied { .. } | BindError::Foreign { .. } => {
            Failure::BadInput(error.to_string())
        }
        other => Failure::Machine(other.to_string()),
    }
}
