//! The library in a process of its own, asked line by line.

use std::io::Write;
use std::process::ChildStdin;

use libtest_mimic::Failed;
use serde_json::{Value, json};

use crate::peer::python;
use crate::server::Process;

pub struct Library {
    process: Process,
    questions: ChildStdin,
}

impl Library {
    pub fn start() -> Result<Self, Failed> {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/scripts/rpc_bytes.py");
        let (process, questions) = Process::told(python().arg(path), false)?;
        Ok(Self { process, questions })
    }

    /// What it answers to `question`, or the name of the exception that it raises.
    pub fn ask(&mut self, question: &str, arguments: &[Value]) -> Result<Result<Value, String>, Failed> {
        let mut line = vec![json!(question)];
        line.extend_from_slice(arguments);
        writeln!(self.questions, "{}", json!(line))?;
        let mut says = self.process.json()?;
        if let Some(error) = says["error"].as_str() {
            return Ok(Err(error.to_owned()));
        }
        Ok(Ok(says["answer"].take()))
    }

    /// What it answers, which is no exception.
    pub fn answer(&mut self, question: &str, arguments: &[Value]) -> Result<Value, Failed> {
        Ok(self.ask(question, arguments)?.map_err(|error| format!("{question} raises {error}"))?)
    }

    /// Octets that it answers.
    pub fn octets(&mut self, question: &str, arguments: &[Value]) -> Result<Vec<u8>, Failed> {
        octets(&self.answer(question, arguments)?)
    }
}

/// Octets as the library takes them.
pub fn hex(octets: &[u8]) -> Value {
    Value::String(octets.iter().map(|octet| format!("{octet:02x}")).collect())
}

/// Octets as the library gives them.
pub fn octets(value: &Value) -> Result<Vec<u8>, Failed> {
    let digits = value.as_str().ok_or_else(|| format!("no octets: {value}"))?;
    let pairs = (0..digits.len()).step_by(2).map(|at| u8::from_str_radix(&digits[at..at + 2], 16));
    pairs.collect::<Result<_, _>>().map_err(|error| format!("{error}: {digits}").into())
}

/// Some octets that are not all the same, nor repeat with a container.
pub fn pattern(len: usize) -> Vec<u8> {
    (0..len).map(|at| (at * 7 + at / 251) as u8).collect()
}
