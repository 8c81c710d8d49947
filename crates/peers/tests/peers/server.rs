//! A running `airtime live ble`, and outside hosts on its endpoints.

use std::io::{BufRead, BufReader, Read};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread;
use std::time::Duration;

use libtest_mimic::Failed;
use serde_json::Value;

use crate::peer::python;
use crate::program::airtime;

/// How long anything may take before a test gives up: bounds a hang, measures nothing.
pub const PATIENCE: Duration = Duration::from_secs(60);

/// A child process that does not outlive its test, its lines as they come.
pub struct Process {
    child: Child,
    lines: Receiver<String>,
}

impl Process {
    /// Starts `command`; `lines` come from its standard output, or from its standard error.
    pub fn start(command: &mut Command, of_stderr: bool) -> Result<Self, Failed> {
        Self::spawn(command.stdin(Stdio::null()), of_stderr)
    }

    /// The same with a standard input to write to.
    pub fn told(command: &mut Command, of_stderr: bool) -> Result<(Self, ChildStdin), Failed> {
        let mut process = Self::spawn(command.stdin(Stdio::piped()), of_stderr)?;
        let stdin = process.child.stdin.take().ok_or("no standard input")?;
        Ok((process, stdin))
    }

    /// Starts `command` with a standard input that comes from elsewhere; `lines` come from its standard output.
    pub fn reading(command: &mut Command, from: Stdio) -> Result<Self, Failed> {
        Self::spawn(command.stdin(from), false)
    }

    fn spawn(command: &mut Command, of_stderr: bool) -> Result<Self, Failed> {
        command.stdout(Stdio::piped());
        command.stderr(if of_stderr { Stdio::piped() } else { Stdio::inherit() });
        let mut child = command.spawn()?;
        let (sender, lines) = mpsc::channel();
        let source: Box<dyn Read + Send> = if of_stderr {
            Box::new(child.stderr.take().ok_or("no standard error")?)
        } else {
            Box::new(child.stdout.take().ok_or("no standard output")?)
        };
        thread::spawn(move || {
            for line in BufReader::new(source).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        Ok(Self { child, lines })
    }

    /// The next line.
    pub fn line(&self) -> Result<String, Failed> {
        self.line_within(PATIENCE)
    }

    /// The next line of what may take long.
    pub fn line_within(&self, patience: Duration) -> Result<String, Failed> {
        Ok(self.lines.recv_timeout(patience).map_err(|_| "nothing more is said")?)
    }

    /// The next line as JSON.
    pub fn json(&self) -> Result<Value, Failed> {
        let line = self.line()?;
        serde_json::from_str(&line).map_err(|error| format!("{error}: {line}").into())
    }

    /// Asks it to end, as Ctrl-C does, and gives its standard output if that was not read by lines.
    pub fn interrupt(mut self) -> Result<String, Failed> {
        let status = Command::new("kill").args(["-INT", &self.child.id().to_string()]).status()?;
        assert!(status.success(), "the process is still there");
        let mut text = String::new();
        if let Some(mut stdout) = self.child.stdout.take() {
            stdout.read_to_string(&mut text)?;
        }
        self.child.wait()?;
        Ok(text)
    }

    /// Waits until it has ended by itself, and gives the lines that were not read yet.
    pub fn lines_to_end(mut self) -> Result<Vec<String>, Failed> {
        let mut lines = Vec::new();
        loop {
            match self.lines.recv_timeout(PATIENCE) {
                Ok(line) => lines.push(line),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => return Err(format!("it does not end: {lines:?}").into()),
            }
        }
        let status = self.child.wait()?;
        if status.success() { Ok(lines) } else { Err(format!("it ended with {status}: {lines:?}").into()) }
    }

    /// Waits until it has ended by itself.
    pub fn end(self) -> Result<(), Failed> {
        self.lines_to_end().map(|_| ())
    }

    /// Its process identifier.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Kills it, which it cannot see coming.
    pub fn kill(mut self) -> Result<(), Failed> {
        self.child.kill()?;
        self.child.wait()?;
        Ok(())
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended by itself.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A server with TCP endpoints.
pub struct Server {
    process: Process,
    /// Ports in the order of the endpoints.
    pub ports: Vec<u16>,
}

impl Server {
    /// One endpoint for each of `options`, such as `,acl.count=24`, and more arguments.
    pub fn start(options: &[&str], more: &[&str]) -> Result<Self, Failed> {
        let mut command = airtime();
        command.args(["live", "ble", "--json"]).args(more);
        for options in options {
            command.args(["--hci", &format!("tcp:127.0.0.1:0{options}")]);
        }
        let process = Process::start(&mut command, true)?;
        let mut ports = Vec::new();
        while ports.len() < options.len() {
            let line = process.line()?;
            if let Some(port) = listening_port(&line) {
                ports.push(port);
            }
        }
        Ok(Self { process, ports })
    }

    /// The endpoint as Bumble names it.
    pub fn transport(&self, endpoint: usize) -> String {
        format!("tcp-client:127.0.0.1:{}", self.ports[endpoint])
    }

    /// Ends the server and gives its report.
    pub fn report(self) -> Result<Value, Failed> {
        let text = self.process.interrupt()?;
        serde_json::from_str(&text).map_err(|error| format!("{error}: {text}").into())
    }

    /// Its process identifier.
    pub fn id(&self) -> u32 {
        self.process.id()
    }
}

/// The port in a line such as `listening tcp:127.0.0.1:40123 …`.
pub fn listening_port(line: &str) -> Option<u16> {
    let rest = line.split_once("listening")?.1;
    let (_, rest) = rest.split_once("127.0.0.1:")?;
    rest.split(|c: char| !c.is_ascii_digit()).next()?.parse().ok()
}

/// Starts one of the scripts of this package.
pub fn script(name: &str, arguments: &[&str]) -> Result<Process, Failed> {
    Process::start(&mut command(name, arguments), false)
}

/// The same with a standard input to write to, or to end.
pub fn told_script(name: &str, arguments: &[&str]) -> Result<(Process, ChildStdin), Failed> {
    Process::told(&mut command(name, arguments), false)
}

fn command(script: &str, arguments: &[&str]) -> Command {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/scripts/");
    let mut command = python();
    command.arg(format!("{path}{script}")).args(arguments);
    command
}
