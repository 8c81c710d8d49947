//! Logs of boards while they run: each is kept line by line, on a thread of its own, and told to whoever waits for figures.

use std::fs::File;
use std::io::Write as _;
use std::os::fd::OwnedFd;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{self, JoinHandle};

use airtime_study::log::{Told, told};
use airtime_system::lines::{Heard, Lines};
use airtime_system::program::Program;
use airtime_system::serial;
use airtime_system::stop::Stop;

use super::file::{Board, Log};
use super::step::{Step, created};
use crate::exit::Failure;

/// Logs that are listened to.
pub struct Listening {
    /// Events that they tell.
    pub told: Receiver<Event>,
    tells: Sender<Event>,
    programs: Vec<(usize, Program)>,
    threads: Vec<JoinHandle<()>>,
    /// Somebody wants the whole to stop.
    stop: Arc<Stop>,
    /// The measurement is over.
    over: Arc<Stop>,
}

/// Thing that a log tells, with the number of its board.
pub enum Event {
    /// Line with a figure.
    Figure(usize, Told, String),
    /// Nothing comes any more.
    Ended(usize),
    /// Somebody wants the whole to stop.
    Stopped,
    /// The log cannot be kept.
    Lost(usize, std::io::Error),
}

impl Listening {
    /// Listens to nobody yet.
    ///
    /// # Errors
    /// When the system has no descriptors left.
    pub fn new(stop: Arc<Stop>) -> Result<Self, Failure> {
        let over = Stop::new().map_err(|error| Failure::Machine(format!("cannot wait for logs: {error}")))?;
        let (tells, told) = channel();
        Ok(Self { told, tells, programs: Vec::new(), threads: Vec::new(), stop, over: Arc::new(over) })
    }

    /// Listens to the console of `board`, the one with this number, if it has one: before the board is reset.
    ///
    /// # Errors
    /// When there is no such console, or its log cannot be kept.
    pub fn console(&mut self, number: usize, board: &Board, folder: &Path) -> Result<(), Failure> {
        let Log::Console(port, baud) = &board.log else { return Ok(()) };
        let stream = serial::console(port, *baud).map_err(|error| {
            let remedy = match error.kind() {
                std::io::ErrorKind::PermissionDenied => {
                    "the user has to be in the group of the port, `dialout` or `uucp`"
                }
                _ => "`ls /dev/serial/by-id` names the ports that there are",
            };
            let (role, port, place) = (&board.role, port.display(), &board.place);
            Failure::Machine(format!("{role}: cannot open its console `{port}` ({place}): {error}; {remedy}"))
        })?;
        self.listen(number, stream, &log(board, folder))
    }

    /// Starts the command whose output is the log of `board`, if it has one: behind its reset, for a probe serves one program at a time.
    ///
    /// # Errors
    /// When there is no such program, or its log cannot be kept.
    pub fn command(&mut self, number: usize, board: &Board, bench: &Path, folder: &Path) -> Result<(), Failure> {
        let Log::Command(command) = &board.log else { return Ok(()) };
        let said = errors(board, folder);
        let step = Step { name: "log", board, command, folder: bench, said: &said };
        let mut program = step.start(Stdio::piped(), created(&said)?.into())?;
        let output = program.output().expect("its output is a pipe");
        self.programs.push((number, program));
        self.listen(number, File::from(OwnedFd::from(output)), &log(board, folder))
    }

    /// The program behind the log of the board with this number.
    pub fn program(&mut self, number: usize) -> Option<&mut Program> {
        self.programs.iter_mut().find(|(of, _)| *of == number).map(|(_, program)| program)
    }

    /// Ends it: the logs are whole behind this.
    pub fn end(mut self) {
        self.over.stopper().stop();
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }

    fn listen(&mut self, number: usize, stream: File, path: &Path) -> Result<(), Failure> {
        let mut kept = created(path)?;
        let (tells, stop, over) = (self.tells.clone(), self.stop.clone(), self.over.clone());
        let listen = move || {
            let mut lines = Lines::of(stream);
            loop {
                let event = match lines.next(&[&stop, &over]) {
                    Ok(Heard::Line(line)) => match kept.write_all(&line) {
                        Ok(()) => figure(number, &line),
                        Err(error) => Some(Event::Lost(number, error)),
                    },
                    Ok(Heard::Stopped) => Some(Event::Stopped),
                    Ok(Heard::Ended) => Some(Event::Ended(number)),
                    Err(error) => Some(Event::Lost(number, error)),
                };
                let is_last = matches!(event, Some(Event::Ended(_) | Event::Stopped | Event::Lost(..)));
                // Who does not listen wants the log alone.
                event.map(|event| tells.send(event));
                if is_last {
                    return;
                }
            }
        };
        let named = thread::Builder::new().name("log".to_owned()).spawn(listen);
        self.threads.push(named.map_err(|error| Failure::Machine(format!("cannot start a thread: {error}")))?);
        Ok(())
    }
}

impl Drop for Listening {
    fn drop(&mut self) {
        self.over.stopper().stop();
    }
}

fn figure(number: usize, line: &[u8]) -> Option<Event> {
    let line = String::from_utf8_lossy(line);
    let line = line.trim_end();
    match told(line) {
        Told::Nothing => None,
        told => Some(Event::Figure(number, told, line.to_owned())),
    }
}

/// File of the log of `board`.
pub fn log(board: &Board, folder: &Path) -> PathBuf {
    folder.join(format!("{}-log.log", board.role))
}

/// File of what the program behind the log of `board` says of itself.
pub fn errors(board: &Board, folder: &Path) -> PathBuf {
    folder.join(format!("{}-log-stderr.log", board.role))
}
