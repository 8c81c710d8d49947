//! The measurement: consoles are opened, boards reset, and figures awaited, from their logs or from this machine's own central.

use std::path::Path;
use std::sync::mpsc::RecvTimeoutError;

use airtime_ble_link::plan::Carrier;
use airtime_core::{Duration, Instant};
use airtime_lab::Record;
use airtime_study::log::Told;
use airtime_system::clock::Clock;
use airtime_system::program::Ended;

use super::file::{Bench, Board, Host, Log};
use super::interrupt::Interrupt;
use super::listen::{Event, Listening, errors, log};
use super::step::{Step, ended, last_lines, waits};
use crate::arguments::ChangeArguments;
use crate::arguments::ble::HwBleArguments;
use crate::commands::ble;
use crate::exit::Failure;
use crate::output;

/// Time in which whatever follows a total comes: that of the other end, of another link. *Assumed.*
const SETTLE: Duration = Duration::from_secs(2);

/// A measurement.
pub struct Measurement<'a> {
    /// The bench.
    pub bench: &'a Bench,
    /// Folder for the logs.
    pub folder: &'a Path,
    /// Longest that figures are waited for; of this machine's own central the length of the stream.
    pub length: Duration,
    /// Set if nobody wants to read how it goes.
    pub quiet: bool,
}

/// End of a measurement.
pub enum Outcome {
    /// It is done, with the record of this machine's own central if there is one.
    Done(Option<Box<Record>>),
    /// Somebody has stopped it.
    Stopped,
}

impl Measurement<'_> {
    /// Carries it out; `central` are the arguments of this machine's own, where it is one.
    ///
    /// # Errors
    /// When a board cannot be reset or listened to, or no figure comes.
    pub fn carry_out(
        &self,
        central: Option<&(HwBleArguments, Carrier)>,
        interrupt: &Interrupt,
    ) -> Result<Outcome, Failure> {
        let mut listening = Listening::new(interrupt.stop.clone())?;
        for (number, board) in self.bench.boards.iter().enumerate() {
            listening.console(number, board, self.folder)?;
        }
        for (number, board) in self.bench.boards.iter().enumerate() {
            if !self.reset(board, interrupt)? {
                return Ok(Outcome::Stopped);
            }
            listening.command(number, board, &self.bench.folder, self.folder)?;
        }
        let outcome = match central {
            Some((arguments, link)) => {
                let streamed = ble::measured(arguments, *link, self.quiet, |stopper| interrupt.stops_too(stopper))?;
                match streamed {
                    Some(streamed) if streamed.is_whole => Outcome::Done(Some(Box::new(streamed.record))),
                    _ => Outcome::Stopped,
                }
            }
            None => self.wait(&mut listening, interrupt)?,
        };
        listening.end();
        Ok(outcome)
    }

    fn reset(&self, board: &Board, interrupt: &Interrupt) -> Result<bool, Failure> {
        if board.reset.is_empty() {
            return Ok(true);
        }
        let said = self.folder.join(format!("{}-reset.log", board.role));
        let step = Step { name: "reset", board, command: &board.reset, folder: &self.bench.folder, said: &said };
        let done = step.carry_out(self.bench.limit, &interrupt.stop)?;
        if done && !self.quiet {
            output::say(&format!("{}-reset: done", board.role));
        }
        Ok(done)
    }

    /// Waits for the figures of the boards: until a total has come and what follows it, all logs have ended, or the time is over.
    fn wait(&self, listening: &mut Listening, interrupt: &Interrupt) -> Result<Outcome, Failure> {
        let clock = Clock::start();
        let mut until = Instant::ZERO + self.length;
        let mut waited = Waited {
            figures: 0,
            totals: 0,
            open: self.bench.boards.iter().filter(|board| board.log != Log::None).count(),
        };
        while waited.open > 0 {
            let rest = until.saturating_since(clock.now());
            match listening.told.recv_timeout(std::time::Duration::from_nanos(rest.as_nanos())) {
                Ok(event) => {
                    if self.takes(event, &mut waited, listening, interrupt)? {
                        until = until.min(clock.now() + SETTLE);
                    }
                }
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => break,
            }
            if interrupt.is_asked() {
                return Ok(Outcome::Stopped);
            }
        }
        match (interrupt.is_asked(), waited.figures) {
            (true, _) => Ok(Outcome::Stopped),
            (false, 0) => Err(self.silent(waited.open)),
            (false, _) => Ok(Outcome::Done(None)),
        }
    }

    /// Takes an event; true if it is a total.
    fn takes(
        &self,
        event: Event,
        waited: &mut Waited,
        listening: &mut Listening,
        interrupt: &Interrupt,
    ) -> Result<bool, Failure> {
        let board = |number: usize| &self.bench.boards[number];
        match event {
            Event::Figure(number, told, line) => {
                waited.figures += 1;
                waited.totals += usize::from(told == Told::Total);
                if !self.quiet {
                    output::say(&format!("{}: {line}", board(number).role));
                }
                return Ok(told == Told::Total);
            }
            Event::Ended(number) => {
                waited.open -= 1;
                self.check_end(board(number), listening, number, waited, interrupt)?;
            }
            Event::Stopped => {}
            Event::Lost(number, source) => {
                let path = log(board(number), self.folder);
                return Err(Failure::Write { what: path.display().to_string(), source });
            }
        }
        Ok(false)
    }

    /// Refuses an end that comes too early: that of a console, or of a program that failed before there was a total.
    fn check_end(
        &self,
        board: &Board,
        listening: &mut Listening,
        number: usize,
        waited: &Waited,
        interrupt: &Interrupt,
    ) -> Result<(), Failure> {
        if waited.totals > 0 || interrupt.is_asked() {
            return Ok(());
        }
        match (&board.log, listening.program(number)) {
            (Log::Console(port, _), _) => Err(Failure::Machine(format!(
                "{}: its console `{}` has gone before there was a total: see to its cable and its supply, and call this once more",
                board.role,
                port.display()
            ))),
            (Log::Command(command), Some(program)) => {
                // Its output ends just before it does.
                let status = match program.wait(SETTLE, &interrupt.stop).map_err(waits)? {
                    Ended::Exited(status) if !status.success() => status,
                    _ => return Ok(()),
                };
                let said = errors(board, self.folder);
                let step = Step { name: "log", board, command, folder: &self.bench.folder, said: &said };
                Err(step.failed(&ended(status)))
            }
            _ => Ok(()),
        }
    }

    /// The failure of a bench that has told no figure, with `open` logs to the end.
    fn silent(&self, open: usize) -> Failure {
        let why = if open > 0 { format!("within {}", self.length) } else { "before the logs ended".to_owned() };
        let logs = self.bench.boards.iter().filter(|board| board.log != Log::None).map(|board| {
            let path = log(board, self.folder);
            let lines = last_lines(&path);
            match lines.is_empty() {
                true => {
                    format!("`{}` is empty: see to its rate and to the image, which may log elsewhere", path.display())
                }
                false => format!("`{}` ends so:\n{lines}", path.display()),
            }
        });
        let logs: Vec<String> = logs.collect();
        Failure::Machine(format!("no figure that `airtime hw log` knows has come {why}; {}", logs.join("\n")))
    }
}

/// Events so far.
struct Waited {
    figures: usize,
    totals: usize,
    /// Logs that go on.
    open: usize,
}

/// Arguments of `airtime hw ble` for this machine's own central.
pub fn central(
    host: &Host,
    plan: &str,
    board: Option<&Board>,
    length: Duration,
    changes: &ChangeArguments,
) -> HwBleArguments {
    HwBleArguments {
        hci: host.hci.clone(),
        adapter: host.adapter.clone(),
        address: host.address.clone(),
        plan: Some(plan.to_owned()),
        name: host.name.clone(),
        role: "central".to_owned(),
        psm: host.psm,
        length,
        radio: None,
        board: board.map(|board| board.board.clone()),
        changes: ChangeArguments { set: changes.set.clone(), seed: changes.seed, point: changes.point.clone() },
    }
}
