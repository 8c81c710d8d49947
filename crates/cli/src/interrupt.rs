//! Ctrl-C and SIGTERM: once to end the points that are running early and print what was measured, twice to stop at once.

use std::process;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::exit::{Exit, Failure};
use crate::output;

static ASKED: AtomicBool = AtomicBool::new(false);

/// Begins to listen; the flag returned is set when somebody asks to stop.
///
/// # Errors
/// When the system refuses the handler.
pub fn listen() -> Result<&'static AtomicBool, Failure> {
    let asked = || {
        if ASKED.swap(true, Ordering::SeqCst) {
            process::exit(Exit::Interrupted as i32);
        }
        output::say("stopping with what was measured so far; once more to stop at once");
    };
    ctrlc::set_handler(asked).map_err(|error| Failure::Machine(format!("cannot listen for Ctrl-C: {error}")))?;
    Ok(&ASKED)
}
