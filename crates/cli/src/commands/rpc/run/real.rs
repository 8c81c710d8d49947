//! A job in real time, on somebody's controller.

use airtime_core::Duration;
use airtime_live::ble::client::Client;
use airtime_live::rpc::secrets::Noted;
use airtime_live::rpc::work::Peer;
use airtime_live::rpc::{Calling, Job};
use airtime_live::{Dialled, Place};

use super::{Done, Ran, no_randomness, show};
use crate::commands::rpc::session::Session;
use crate::exit::Failure;
use crate::interrupt::stop_on_signal;
use crate::output;
use crate::progress::Progress;

/// Interval at which a bar moves.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// Time that a server is given to hear that its client hangs up. *Assumed*: some connection events at any interval.
const FAREWELL: Duration = Duration::from_secs(3);

/// Does `job` over the controller at `place`.
///
/// # Errors
/// When there is no controller, or no randomness.
pub fn in_real_time(
    session: &Session,
    place: &Place,
    job: Job,
    peer: Peer,
    progress: &Progress,
) -> Result<Done, Failure> {
    let secrets = Noted::from_system(None, peer).map_err(no_randomness)?;
    let client = Client::with(|pool| session.calling.station(job, secrets, pool));
    let mut host = Dialled::over(client, place)
        .map_err(|error| Failure::Machine(format!("cannot reach the controller at `{place}`: {error}")))?;
    let stopper = host.stopper();
    stop_on_signal(stopper.clone())?;
    let over = |calling: &Calling| calling.application().is_over();
    let mut error = None;
    while error.is_none() && !stopper.is_asked() && !over(host.client().own()) {
        let ran = host.run_until(Some(LOOK_EVERY), over);
        error = ran.err().map(|error| format!("{place}: {error}"));
        show(progress, host.client().own().application().script());
    }
    let (elapsed, interrupted) = (host.client().pacer().now(), stopper.is_asked());
    if error.is_none() && !interrupted {
        farewell(&mut host);
    }
    Ok(Done { ran: Ran::Real(Box::new(host), error), elapsed, interrupted })
}

/// Hangs up, so that the server need not find out by itself. What is over is over, whether or not it hears.
fn farewell(host: &mut Dialled<Calling>) {
    host.client_mut().tell(|calling| calling.application_mut().hang_up());
    let is_gone = |calling: &Calling| calling.application().link().is_none_or(|link| !link.is_connected());
    if host.run_until(Some(FAREWELL), is_gone).is_err() {
        output::say("the controller has gone before the server could be told");
    }
}
