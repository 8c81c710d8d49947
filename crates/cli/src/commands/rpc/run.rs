//! Runs a job: in virtual time, or in real time on somebody's controller.

use airtime_app::Outcome;
use airtime_core::{Duration, Instant};
use airtime_live::client::Client;
use airtime_live::rpc::secrets::Noted;
use airtime_live::rpc::work::Peer;
use airtime_live::rpc::{Calling, Job, ServedConfig, Trust, Virtual, Work};
use airtime_live::{Dialled, Place};
use airtime_rpc::client::Encryption;

use super::session::{Over, Session};
use crate::commands::live::stop_on_signal;
use crate::exit::Failure;
use crate::interrupt;
use crate::output;
use crate::progress::Progress;

/// Interval at which a bar moves.
const LOOK_EVERY: Duration = Duration::from_millis(100);

/// Time that a server is given to hear that its client hangs up. *Assumed*: some connection events at any interval.
const FAREWELL: Duration = Duration::from_secs(3);

/// Octets of the memory of a virtual server.
const MEMORY: u32 = 16 << 20;

/// Address of the virtual server.
const ADDRESS: [u8; 6] = [1, 0, 0, 0x5e, 0x00, 0xc0];

/// A job that was done, or not.
pub struct Done {
    ran: Ran,
    /// Time that it took, from power on.
    pub elapsed: Instant,
    /// Somebody has asked to stop.
    pub interrupted: bool,
}

/// Thing that has run.
enum Ran {
    Virtual(Box<Virtual>),
    Real(Box<Dialled<Calling>>, Option<String>),
}

impl Done {
    /// The job.
    pub fn job(&self) -> &Job {
        self.calling().application().script()
    }

    /// Error that has ended it, if it did not end by itself.
    pub fn error(&self) -> Option<String> {
        let of_link = self.calling().application().outcome().map(ended);
        match &self.ran {
            Ran::Real(_, Some(error)) => Some(error.clone()),
            _ if self.interrupted || self.job().is_done() => None,
            _ => Some(of_link.unwrap_or_else(|| "nothing more happened".to_owned())),
        }
    }

    fn calling(&self) -> &Calling {
        match &self.ran {
            Ran::Virtual(ran) => ran.calling(),
            Ran::Real(ran, _) => ran.client().own(),
        }
    }
}

/// Carries out `work`.
///
/// # Errors
/// When there is no controller, or no randomness.
pub fn run(session: &Session, trust: Trust, work: Work, quiet: bool) -> Result<Done, Failure> {
    let peer = Peer::default();
    let job = Job::new(work, trust, peer.clone(), session.calling.patience);
    let progress = Progress::of(quiet, "{wide_bar} {pos} of {len}, {eta} left");
    match &session.over {
        Over::Virtual => in_virtual_time(session, job, &progress),
        Over::Place(place) => in_real_time(session, place, job, peer, &progress),
    }
}

fn in_virtual_time(session: &Session, job: Job, progress: &Progress) -> Result<Done, Failure> {
    let calling = &session.calling;
    let served = ServedConfig {
        scenario: calling.scenario.clone(),
        address: ADDRESS,
        // Its identity is of the seed, as all of its secrets are.
        identity: (calling.encryption != Encryption::Off).then_some([0; 32]),
        extended: true,
        memory: MEMORY,
    };
    let asked = interrupt::listen()?;
    let mut run = Virtual::new(calling, &served, job);
    let mut stopped = false;
    while !stopped && run.run() {
        show(progress, run.calling().application().script());
        stopped = asked.load(std::sync::atomic::Ordering::SeqCst);
    }
    Ok(Done { elapsed: run.now(), ran: Ran::Virtual(Box::new(run)), interrupted: stopped })
}

fn in_real_time(session: &Session, place: &Place, job: Job, peer: Peer, progress: &Progress) -> Result<Done, Failure> {
    let no_randomness = |error| Failure::Machine(format!("the system has no randomness: {error}"));
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

fn show(progress: &Progress, job: &Job) {
    let (done, of) = job.progress();
    progress.set(done as usize, of as usize);
}

/// Reason that a connection was of no use.
fn ended(outcome: Outcome) -> String {
    match outcome {
        Outcome::ScanTimeout => "no server of this name is in the air; --name says which one is meant".to_owned(),
        Outcome::NoService => "the device of this name does not have the RPC service".to_owned(),
        outcome => outcome.to_string(),
    }
}
