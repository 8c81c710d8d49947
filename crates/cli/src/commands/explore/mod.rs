//! `airtime explore`: the laboratory as a page, on loopback.

mod browser;
#[cfg(not(feature = "explorer"))]
mod built;
#[cfg(feature = "explorer")]
#[path = "embedded.rs"]
mod built;
mod http;
mod site;

use std::net::{Ipv4Addr, TcpListener};
use std::path::Path;
use std::sync::{Arc, mpsc};
use std::thread;

use crate::arguments::ExploreArguments;
use crate::exit::{Exit, Failure};
use crate::interrupt;
use crate::output;
use site::Site;

/// Serves the explorer until somebody asks to stop.
pub fn explore(arguments: &ExploreArguments) -> Result<Exit, Failure> {
    let site = Arc::new(site(arguments.dir.as_deref())?);
    let place = (Ipv4Addr::LOCALHOST, arguments.port.unwrap_or(0));
    let taken = |error| Failure::Machine(format!("cannot listen at {}:{}: {error}", place.0, place.1));
    let listener = TcpListener::bind(place).map_err(taken)?;
    let address = listener.local_addr().map_err(taken)?;
    let (asked, stop) = mpsc::channel();
    interrupt::on_signal({
        let asked = asked.clone();
        move || drop(asked.send(Ok(Exit::Ok)))
    })?;
    let serve = move || {
        let error = http::serve(&listener, &site);
        drop(asked.send(Err(Failure::Machine(format!("cannot take connections at {address}: {error}")))));
    };
    let machine = |error| Failure::Machine(format!("cannot start a thread: {error}"));
    thread::Builder::new().name("explorer".to_owned()).spawn(serve).map_err(machine)?;
    let address = format!("http://{address}/");
    output::print(format!("{address}\n").as_bytes())?;
    let opened = if !arguments.no_open && browser::open(&address) { ", and a browser is told to open it" } else { "" };
    output::say(&format!("the explorer is at that address, on this machine alone{opened}; Ctrl-C ends it"));
    stop.recv().unwrap_or(Ok(Exit::Ok))
}

/// The files of the explorer, where somebody says it is or where it is built.
fn site(asked: Option<&Path>) -> Result<Site, Failure> {
    let how =
        "`cargo xtask explorer` in the repository builds it into target/explorer, --dir FOLDER names another place";
    if let Some(folder) = asked {
        let bad = |why: String| Failure::BadInput(format!("--dir {}: {why}; {how}", folder.display()));
        return Site::read(folder).map_err(bad);
    }
    built::site(how)
}
