//! A platform's Bluetooth as the central of the test sees it, and the course of a measurement on any of them.

use airtime_app::Outcome;
use airtime_core::Duration;
use airtime_lab::record::Negotiated;
use airtime_live::ble::whole::Whole;

use super::super::reasons::State;
use super::refusal::Refusal;

/// Time for all that comes before the stream: 15 s of scan, then the steps of the set-up. *Assumed.*
const SETUP_MAX: Duration = Duration::from_secs(45);

/// Stretch after which it is looked how things stand, and told.
const SECOND: Duration = Duration::from_secs(1);

/// A platform that can look for a board, connect, and open the stream. It does all of that by itself once it runs.
pub trait BackEnd {
    /// Goes on for `time`.
    ///
    /// # Errors
    /// When there is no adapter any more, or it does not answer.
    fn go_on(&mut self, time: Duration) -> Result<(), Refusal>;

    /// State of things.
    fn status(&self) -> Status;

    /// Set if somebody has asked to stop: [`go_on`](Self::go_on) takes no time then.
    fn is_stopped(&self) -> bool;
}

/// State of a central.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Status {
    /// The adapter has answered.
    pub up: bool,
    /// It has been configured.
    pub ready: bool,
    /// Step of the set-up that is under way, in words.
    pub step: Option<&'static str>,
    /// Connections that came about.
    pub connections: u64,
    /// Time since the last stream began; none before the first one.
    pub streaming: Option<Duration>,
    /// Payload that was carried, in octets.
    pub octets: u64,
    /// Outcome of the last test that ended.
    pub ended: Option<Outcome>,
    /// Goodput by whole seconds, 10³ bit/s.
    pub series_kbps: Vec<f64>,
    /// The same behind the warm-up, once that has lasted a second.
    pub steady_kbps: Option<f64>,
    /// Terms of the connection.
    pub negotiated: Option<Negotiated>,
    /// Payload that has arrived, against what the test sends; none where this end sends, or the other end is of somebody else's.
    pub whole: Option<Whole>,
}

impl Status {
    /// The same, as far as a reason is found in it that there is no stream.
    fn state(&self) -> State {
        let Self { up, ready, connections, step, ended, .. } = *self;
        State { up, ready, connections, step, outcome: ended }
    }
}

/// Carries a stream of `length` through on `back_end`, and tells `tell` each second; the state at its end, which comes earlier if somebody
/// has asked to stop.
///
/// # Errors
/// Why there was none, or not to its end.
pub fn measure(back_end: &mut dyn BackEnd, length: Duration, mut tell: impl FnMut(&Status)) -> Result<Status, Refusal> {
    let mut waited = Duration::ZERO;
    loop {
        back_end.go_on(SECOND)?;
        let status = back_end.status();
        tell(&status);
        if let Some(outcome) = status.ended {
            return Err(Refusal::Ended { outcome, seconds: status.series_kbps.len() });
        }
        match status.streaming {
            Some(streaming) if streaming >= length => return Ok(status),
            Some(_) if back_end.is_stopped() => return Ok(status),
            Some(_) => {}
            None if back_end.is_stopped() => return Err(Refusal::Stopped),
            None => waited += SECOND,
        }
        if waited >= SETUP_MAX {
            return Err(Refusal::Unmet(status.state()));
        }
    }
}
