//! `airtime live`: virtual radios in real time.

use airtime_lab::Library;
use airtime_live::config::{DEVICES_MAX, written};
use airtime_live::options::{OptionError, endpoint, peer, personality_files};
use airtime_live::server::BindError;
use airtime_live::{Config, Server};

use crate::arguments::{LiveBleArguments, LiveCommand};
use crate::catalog;
use crate::exit::{Exit, Failure};
use crate::output;
use crate::request::Manner;

/// Serves until it is stopped, or for the time that was asked for.
pub fn live(command: &LiveCommand, manner: Manner) -> Result<Exit, Failure> {
    let LiveCommand::Ble(arguments) = command;
    ble(arguments, manner)
}

fn ble(arguments: &LiveBleArguments, manner: Manner) -> Result<Exit, Failure> {
    let config = config(arguments)?;
    let says: Box<dyn FnMut(&str)> = if manner.quiet { Box::new(|_| {}) } else { Box::new(output::say) };
    let mut server = Server::bind(&config, None, says).map_err(refused)?;
    let stopper = server.stopper();
    let stop = move || {
        if !stopper.stop() {
            std::process::exit(Exit::Interrupted as i32);
        }
    };
    ctrlc::set_handler(stop).map_err(|error| Failure::Machine(format!("cannot listen for Ctrl-C: {error}")))?;
    for (endpoint, address) in config.endpoints.iter().zip(server.addresses()) {
        // Scripts wait for this line, so it is said in any case.
        output::say(&format!("listening {address} {} {}", written(endpoint.address), endpoint.personality));
    }
    server.run(arguments.time).map_err(|error| Failure::Machine(format!("cannot wait for the next event: {error}")))?;
    // Without a time of its own, being stopped is how a server ends.
    Ok(if arguments.time.is_some() && server.stopper().is_asked() { Exit::Interrupted } else { Exit::Ok })
}

fn config(arguments: &LiveBleArguments) -> Result<Config, Failure> {
    let mut library = Library::builtin();
    for path in arguments.hci.iter().chain(&arguments.peer).flat_map(|text| personality_files(text)) {
        library.add(&path, &catalog::read(&path)?.text)?;
    }
    let endpoints = arguments.hci.iter().enumerate().map(|(index, text)| endpoint(index, text, &library));
    let behind = arguments.hci.len();
    let peers = arguments.peer.iter().enumerate().map(|(index, text)| peer(behind + index, text, &library));
    let config = Config {
        endpoints: endpoints.collect::<Result<_, OptionError>>().map_err(bad)?,
        peers: peers.collect::<Result<_, OptionError>>().map_err(bad)?,
        co_channel: arguments.interference == "co-channel",
        allow_remote: arguments.allow_remote,
    };
    let mut addresses: Vec<_> =
        config.endpoints.iter().map(|e| e.address).chain(config.peers.iter().map(|p| p.address)).collect();
    if addresses.len() > DEVICES_MAX {
        return Err(Failure::BadInput(format!(
            "{} controllers: the medium has room for {DEVICES_MAX}",
            addresses.len()
        )));
    }
    addresses.sort_unstable();
    if let Some(pair) = addresses.windows(2).find(|pair| pair[0] == pair[1]) {
        return Err(Failure::BadInput(format!("two controllers have the address {}", written(pair[0]))));
    }
    Ok(config)
}

fn bad(error: OptionError) -> Failure {
    Failure::BadInput(error.to_string())
}

fn refused(error: BindError) -> Failure {
    match error {
        BindError::Address(_) | BindError::Remote(_) | BindError::Occupied { .. } => {
            Failure::BadInput(error.to_string())
        }
        other => Failure::Machine(other.to_string()),
    }
}
