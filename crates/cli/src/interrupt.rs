//! Ctrl-C and SIGTERM: once to end the points that are running early and print what was measured, twice to stop at once.

use std::process;
use std::sync::atomic::{AtomicBool, Ordering};

use airtime_live::Stopper;

use crate::exit::{Exit, Failure};
use crate::output;

static ASKED: AtomicBool = AtomicBool::new(false);

/// Begins to listen; the flag returned is set when somebody asks to stop.
///
/// # Errors
/// When the system refuses the handler.
pub fn listen() -> Result<&'static AtomicBool, Failure> {
    on_signal(|| {
        if ASKED.swap(true, Ordering::SeqCst) {
            process::exit(Exit::Interrupted as i32);
        }
        output::say("stopping with what was measured so far; once more to stop at once");
    })?;
    Ok(&ASKED)
}

/// Lets Ctrl-C and SIGTERM stop what goes on, once in good order and twice at once.
///
/// # Errors
/// When the system refuses the handler.
pub fn stop_on_signal(stopper: Stopper) -> Result<(), Failure> {
    on_signal(move || {
        if !stopper.stop() {
            std::process::exit(Exit::Interrupted as i32);
        }
    })
}

/// Calls `asked`, on a thread of its own, whenever somebody asks to stop: by Ctrl-C, SIGTERM, or a terminal that is closed, unless
/// whoever has started the program wants it to outlive that (nohup).
///
/// # Errors
/// When the system refuses the handler.
pub fn on_signal(asked: impl FnMut() + Send + 'static) -> Result<(), Failure> {
    register(asked).map_err(|error| Failure::Machine(format!("cannot listen for Ctrl-C: {error}")))
}

#[cfg(unix)]
fn register(mut asked: impl FnMut() + Send + 'static) -> std::io::Result<()> {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
    let hangup = (!is_ignored(SIGHUP)).then_some(SIGHUP);
    let mut signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM].into_iter().chain(hangup))?;
    let wait = move || signals.forever().for_each(|_| asked());
    std::thread::Builder::new().name("signals".to_owned()).spawn(wait).map(drop)
}

/// Tells if the program was started with `signal` ignored, as far as the system says so: proc_pid_status(5), SigIgn.
#[cfg(unix)]
fn is_ignored(signal: i32) -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).unwrap_or_default();
    u64::from_str_radix(ignored.trim(), 16).is_ok_and(|ignored| ignored >> (signal - 1) & 1 == 1)
}

#[cfg(not(unix))]
fn register(asked: impl FnMut() + Send + 'static) -> Result<(), ctrlc::Error> {
    ctrlc::set_handler(asked)
}
