//! Runs a job: in virtual time, or in real time on somebody's controller.

#[cfg(unix)]
mod real;
#[cfg(any(target_os = "linux", target_os = "macos", windows))]
mod system;

use airtime_app::Outcome;
use airtime_app::rpc::Central;
use airtime_core::Instant;
#[cfg(unix)]
use airtime_live::Dialled;
use airtime_live::ble::Virtual;
#[cfg(any(target_os = "linux", target_os = "macos", windows))]
use airtime_live::ble::system::Calls;
#[cfg(unix)]
use airtime_live::rpc::Calling;
use airtime_live::rpc::secrets::Noted;
use airtime_live::rpc::work::Peer;
use airtime_live::rpc::{Job, ServedConfig, Trust, Work};
use airtime_rpc::client::Encryption;
#[cfg(unix)]
use real::in_real_time;
#[cfg(any(target_os = "linux", target_os = "macos", windows))]
use system::by_adapter;

use super::session::{Over, Session};
use crate::exit::Failure;
use crate::interrupt;
use crate::progress::Progress;

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
    #[cfg(unix)]
    Real(Box<Dialled<Calling>>, Option<String>),
    #[cfg(any(target_os = "linux", target_os = "macos", windows))]
    System(Box<Calls<system::Host>>, Option<String>),
}

impl Done {
    /// Job that the run is about.
    pub fn job(&self) -> &Job {
        self.central().script()
    }

    /// Error that has ended it, if it did not end by itself.
    pub fn error(&self) -> Option<String> {
        let of_link = self.central().outcome().map(ended);
        match &self.ran {
            #[cfg(unix)]
            Ran::Real(_, Some(error)) => Some(error.clone()),
            #[cfg(any(target_os = "linux", target_os = "macos", windows))]
            Ran::System(_, Some(error)) => Some(error.clone()),
            _ if self.interrupted || self.job().is_done() => None,
            _ => Some(of_link.unwrap_or_else(|| "nothing more happened".to_owned())),
        }
    }

    /// True if there is a controller that has not answered: nothing further can be blamed on anybody else.
    pub fn is_unanswered(&self) -> bool {
        match &self.ran {
            #[cfg(unix)]
            Ran::Real(ran, _) => !ran.client().is_up(),
            // Who is not heard by the system is an error of its own.
            _ => false,
        }
    }

    fn central(&self) -> &Central<Job, Noted> {
        match &self.ran {
            Ran::Virtual(ran) => ran.calling().application(),
            #[cfg(unix)]
            Ran::Real(ran, _) => ran.client().own().application(),
            #[cfg(any(target_os = "linux", target_os = "macos", windows))]
            Ran::System(ran, _) => ran.central(),
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
        Over::Adapter(adapter) => by_adapter(session, adapter.as_deref(), job, peer, &progress),
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

#[cfg(not(unix))]
fn in_real_time(_: &Session, place: &airtime_live::Place, _: Job, _: Peer, _: &Progress) -> Result<Done, Failure> {
    let command = format!("rpc --over {place}");
    Err(crate::commands::unsupported::needs(&command, "UNIX; virtual radios are to be had here"))
}

#[cfg(not(any(target_os = "linux", target_os = "macos", windows)))]
fn by_adapter(_: &Session, _: Option<&str>, _: Job, _: Peer, _: &Progress) -> Result<Done, Failure> {
    Err(Failure::Machine("--adapter needs Linux, macOS or Windows; --hci is for every UNIX".to_owned()))
}

/// Failure of a system without randomness.
fn no_randomness(error: std::io::Error) -> Failure {
    Failure::Machine(format!("the system has no randomness: {error}"))
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
