//! Tables of the parts: the answer to every command in every state that can be reached. They are not written but driven
//! out of the parts, without a controller: a row that changes is a change of behaviour.

mod advertising;
mod lists;

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Write;

use airtime_core::bytes::Reader;
use airtime_core::{Instant, Pool};

use super::{Answer, Call};
use crate::hci::opcode::Opcode;
use crate::hci::{Status, event};

/// States after which a part counts as one without end.
const STATES_MAX: usize = 100;

/// Octets of a Command Complete before the return parameters behind the status.
const BEFORE_RETURNS: usize = 7;

/// Input of a part: a command, or something that happens around it. Says what comes of it.
type Input<M> = fn(&mut M) -> String;

/// Table of a part under `heading`: the states reached from `start` by `inputs`, and in each what each input does.
fn table<M>(heading: &str, start: impl Fn() -> M, inputs: &[(&str, Input<M>)], shown: impl Fn(&M) -> String) -> String {
    let mut text = format!("# {heading}\n");
    let mut names = alloc::vec![shown(&start())];
    // The way to each state, by number of input: parts need not be copied.
    let mut ways: Vec<Vec<usize>> = alloc::vec![Vec::new()];
    let mut next = 0;
    while next < ways.len() {
        assert!(next < STATES_MAX, "{heading} has no end");
        let _ = writeln!(text, "\n{next}: {}", names[next]);
        let mut stays: Vec<(String, Vec<&str>)> = Vec::new();
        for (number, (name, input)) in inputs.iter().enumerate() {
            let mut part = start();
            for &step in &ways[next] {
                inputs[step].1(&mut part);
            }
            let outcome = input(&mut part);
            let state = shown(&part);
            let index = names.iter().position(|known| *known == state).unwrap_or(names.len());
            if index == names.len() {
                ways.push(ways[next].iter().copied().chain([number]).collect());
                names.push(state);
            }
            if index == next && outcome.is_empty() {
                continue;
            }
            if index != next {
                let _ = writeln!(text, "  {}", format!("{name} -> {index}  {outcome}").trim_end());
            } else if let Some((_, names)) = stays.iter_mut().find(|(known, _)| *known == outcome) {
                names.push(name);
            } else {
                stays.push((outcome, alloc::vec![name]));
            }
        }
        for (outcome, names) in stays {
            let _ = writeln!(text, "  stays, {outcome}: {}", names.join(", "));
        }
        next += 1;
    }
    text
}

/// Carries out a command with these parameters, and says how it is answered and which effects it has.
fn answer(params: &[u8], run: impl FnOnce(&mut Call<'_>) -> Answer) -> String {
    let returns = event::command_complete(&Pool::new(), Opcode(0), Status::SUCCESS);
    let mut call = Call { now: Instant::ZERO, r: Reader::new(params), returns, ahead: None, afterwards: None };
    let mut text = match run(&mut call) {
        Ok(()) => String::from("done"),
        Err(status) => String::from(status.text()),
    };
    let returned = &call.returns[BEFORE_RETURNS..];
    if !returned.is_empty() {
        let _ = write!(text, ", returns {returned:02x?}");
    }
    for effect in [call.ahead, call.afterwards].into_iter().flatten() {
        let _ = write!(text, ", {effect:?}");
    }
    text
}
