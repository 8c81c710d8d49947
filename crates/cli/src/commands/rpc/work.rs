//! Work for a client, as a command asks for it. Files are opened here, before anything is called.

use std::cell::RefCell;
use std::fs::File;
use std::io::{self, IsTerminal as _, Read as _};
use std::path::Path;
use std::rc::Rc;

use airtime_ble_link::plan::rpc::BENCHES;
use airtime_live::rpc::Work;
use airtime_live::rpc::hex;
use airtime_live::rpc::work::{Calls, Read, Suite, Write};
use airtime_rpc::Kind;
use airtime_rpc::client::Mode;
use airtime_rpc::service::pattern;
use airtime_rpc::suite::{Bench, BenchConfig, Conformance, Script};

use super::messages;
use crate::arguments::rpc::{
    BenchArguments, CallArguments, ReadArguments, RpcCommand, StreamArguments, Way, WriteArguments,
};
use crate::exit::Failure;
use crate::place::{NOTHING, Place};

/// Octets of a file that is written to a server.
const FILE_OCTETS_MAX: u64 = 64 << 20;

/// Octets that were read and are not written anywhere yet.
pub type Kept = Rc<RefCell<Vec<u8>>>;

/// The work of `command` with a server that is asked for `mode`; octets to be printed at the end are in what is kept.
/// `knows` says that the server's memory has the documented content.
///
/// # Errors
/// What makes no sense, or which file cannot be opened.
pub fn work(command: &RpcCommand, mode: Mode, prints: bool, knows: bool) -> Result<(Work, Kept), Failure> {
    let kept = Kept::default();
    let work = match command {
        RpcCommand::Call(arguments) => Work::Calls(call(arguments)?),
        RpcCommand::Read(arguments) => Work::Read(read(arguments, prints, &kept)?),
        RpcCommand::Write(arguments) => Work::Write(write(arguments)?),
        RpcCommand::Stream(arguments) => Work::Calls(stream(arguments)?),
        RpcCommand::Conformance => Work::Suite(Box::new(Suite::new([boxed(match knows {
            true => Conformance::new().knowing(pattern),
            false => Conformance::new(),
        })]))),
        RpcCommand::Bench(arguments) => Work::Suite(Box::new(bench(arguments, mode)?)),
    };
    Ok((work, kept))
}

type AnyScript = Box<dyn Script<{ airtime_live::rpc::work::BUFFER }>>;

fn boxed(script: impl Script<{ airtime_live::rpc::work::BUFFER }> + 'static) -> AnyScript {
    Box::new(script)
}

fn call(arguments: &CallArguments) -> Result<Calls, Failure> {
    let name = arguments.method.clone();
    let request = match &arguments.hex {
        Some(text) => hex::octets(text)
            .ok_or_else(|| Failure::BadInput(format!("--hex {text}: expected pairs of hexadecimal digits")))?,
        None => messages::request(&name, &arguments.fields).map_err(Failure::BadInput)?,
    };
    let kind = messages::kind(&name, arguments.kind);
    Ok(Calls::new(name, kind, vec![request]))
}

fn stream(arguments: &StreamArguments) -> Result<Calls, Failure> {
    let items = 0..arguments.count;
    let (name, kind, requests): (_, _, Vec<Vec<String>>) = match arguments.way {
        Way::Down => ("counter_stream", Kind::ServerStream, vec![vec![format!("count={}", arguments.count)]]),
        Way::Up => {
            let item = |seq: u32| vec![format!("seq={seq}"), format!("value={}", 10 * seq)];
            ("counter_upload", Kind::ClientStream, items.map(item).collect())
        }
        Way::Both => ("chat", Kind::Bidirectional, items.map(|seq| vec![format!("message=item {seq}")]).collect()),
    };
    let requests = requests.iter().map(|fields| messages::request(name, fields)).collect::<Result<_, _>>();
    Ok(Calls::new(name.to_owned(), kind, requests.map_err(Failure::BadInput)?))
}

fn read(arguments: &ReadArguments, prints: bool, kept: &Kept) -> Result<Read, Failure> {
    let &ReadArguments { address, length, .. } = arguments;
    if address.checked_add(length).is_none() {
        return Err(Failure::BadInput(format!(
            "{length} octets from {address:#x} on go beyond the 4 GiB that addresses reach"
        )));
    }
    let sink: Box<dyn io::Write> = match &arguments.output {
        Some(path) => Box::new(Whole(Some(Place::claim(path, arguments.force, NOTHING)?))),
        None if prints && !io::stdout().is_terminal() => Box::new(io::stdout()),
        None => Box::new(Keeper(kept.clone())),
    };
    Ok(Read::new(address, length, sink))
}

/// File that gets its place when all that was asked for has come, which is when it is flushed.
struct Whole(Option<Place>);

impl io::Write for Whole {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        self.0.as_mut().map_or(Ok(0), |place| place.write(octets))
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.take().map_or(Ok(()), Place::placed)
    }
}

fn write(arguments: &WriteArguments) -> Result<Write, Failure> {
    let path = &arguments.file;
    let refused = |source| Failure::Open { path: path.clone(), source };
    let source: Box<dyn io::Read> =
        if path == Path::new("-") { Box::new(io::stdin()) } else { Box::new(File::open(path).map_err(refused)?) };
    let mut octets = Vec::new();
    source.take(FILE_OCTETS_MAX + 1).read_to_end(&mut octets).map_err(refused)?;
    if octets.len() as u64 > FILE_OCTETS_MAX {
        let path = path.display();
        return Err(Failure::BadInput(format!(
            "`{path}` is longer than the {FILE_OCTETS_MAX} octets that are written at once"
        )));
    }
    Ok(Write::new(arguments.at, octets))
}

/// The published benchmarks, with so many calls under way.
fn bench(arguments: &BenchArguments, mode: Mode) -> Result<Suite, Failure> {
    let outstanding = arguments.outstanding;
    if outstanding > 1 && mode == Mode::Compatible {
        let what = format!("--outstanding {outstanding}: compatible mode has one call at a time; add --mode extended");
        return Err(Failure::BadInput(what));
    }
    let configs = BENCHES.map(|config| BenchConfig { outstanding, ..config });
    Ok(Suite::new(configs.map(|config| boxed(Bench::new(config)))))
}

/// Keeps what is read.
struct Keeper(Kept);

impl io::Write for Keeper {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        self.0.borrow_mut().extend_from_slice(octets);
        Ok(octets.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
