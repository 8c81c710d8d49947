//! The calling end: set-up of a connection, then calls in whichever mode both ends speak.

mod config;
mod setup;
mod state;

use airtime_core::{Duration, Instant};

use self::setup::{ANSWER_WAIT, Agreed, Setup};
use crate::crypto::{ClientSecrets, SEAL_OCTETS};
use crate::wire::{Capabilities, Container, Control};
use crate::{CALLS_MAX, COMPATIBLE_FRAME_MAX, CallId, Caller, Faults, Kind, Refused, compatible, extended};

pub use config::{ClientConfig, Encryption, Mode};
pub use state::{SetupError, State, Terms};

/// The calling end of one connection. `BUFFER` is the longest response, command header and seal included, that compatible mode
/// puts together; 16 KiB take everything that the published test service sends.
#[derive(Debug)]
pub struct Client<const BUFFER: usize> {
    config: ClientConfig,
    frame: u16,
    stage: Stage,
    calls: compatible::Client<BUFFER>,
    extended: Option<extended::Client>,
    faults: Faults,
}

/// Stage of a client's connection.
#[derive(Debug)]
enum Stage {
    Idle,
    SettingUp(Setup),
    /// Extended mode is agreed on; the server has not yet said what it takes.
    Greeting(Terms, Instant),
    Ready(Terms),
    Failed(SetupError),
}

impl<const BUFFER: usize> Client<BUFFER> {
    /// A client without a connection.
    pub fn new(config: ClientConfig) -> Self {
        let calls = compatible::Client::new();
        Self { config, frame: 0, stage: Stage::Idle, calls, extended: None, faults: Faults::default() }
    }

    /// The transport stands and takes frames of up to `frame` octets; the set-up begins.
    pub fn connected(&mut self, now: Instant, frame: u16, secrets: ClientSecrets) {
        // The waits begin when the questions go.
        let _ = now;
        self.frame = frame;
        self.calls.connected(usize::from(frame).min(COMPATIBLE_FRAME_MAX));
        self.extended = None;
        self.faults = Faults::default();
        self.stage = Stage::SettingUp(Setup::new(secrets));
    }

    /// The transport is gone; calls under way end.
    pub fn disconnected(&mut self, now: Instant, caller: &mut (impl Caller + ?Sized)) {
        let _ = now;
        self.stage = Stage::Idle;
        self.calls.disconnected(caller);
        if let Some(extended) = &mut self.extended {
            extended.disconnected(caller);
        }
    }

    /// Takes a frame of the server's.
    pub fn receive(&mut self, now: Instant, frame: &[u8], caller: &mut (impl Caller + ?Sized)) {
        if let Some(extended) = &mut self.extended {
            extended.receive(now, frame, self.calls.scratch(), caller);
            self.greeted();
            return;
        }
        let Ok(container) = Container::parse(frame) else {
            self.faults.malformed += 1;
            return;
        };
        match container.content.control() {
            None => self.calls.receive(now, &container, &mut self.faults, caller),
            Some(Ok(control)) => self.control(now, container.transaction, &control, caller),
            Some(Err(_)) => self.faults.malformed += 1,
        }
    }

    /// Writes the next frame into `into`, which has room for the longest one, and says how long it is; none when there is
    /// nothing to send.
    pub fn transmit(&mut self, now: Instant, into: &mut [u8], caller: &mut (impl Caller + ?Sized)) -> Option<usize> {
        match (&mut self.stage, &mut self.extended) {
            (Stage::Greeting(..) | Stage::Ready(_), Some(extended)) => extended.transmit(now, into, caller),
            (Stage::Ready(_), None) => self.calls.transmit(now, into, caller),
            (Stage::SettingUp(setup), _) => {
                setup.transmit(now, &self.config, self.frame, || self.calls.count_transaction(), into)
            }
            _ => None,
        }
    }

    /// Its deadline has come.
    pub fn wake(&mut self, now: Instant, caller: &mut (impl Caller + ?Sized)) {
        match (&mut self.stage, &mut self.extended) {
            (Stage::SettingUp(setup), _) => {
                let outcome = setup.wake(now, &self.config, self.frame);
                self.set_up(now, outcome);
            }
            (Stage::Greeting(_, until), _) if *until <= now => self.stage = Stage::Failed(SetupError::Timeout),
            (Stage::Ready(_), Some(extended)) => extended.wake(now, caller),
            (Stage::Ready(_), None) => self.calls.wake(now, caller),
            _ => {}
        }
    }

    /// Instant at which it wants [`wake`](Self::wake).
    pub fn deadline(&self) -> Option<Instant> {
        match (&self.stage, &self.extended) {
            (Stage::SettingUp(setup), _) => setup.deadline(),
            (Stage::Greeting(_, until), _) => Some(*until),
            (Stage::Ready(_), Some(extended)) => extended.deadline(),
            (Stage::Ready(_), None) => self.calls.deadline(),
            _ => None,
        }
    }

    /// State of the connection.
    pub fn state(&self) -> State {
        match self.stage {
            Stage::Idle => State::Idle,
            Stage::SettingUp(_) | Stage::Greeting(..) => State::SettingUp,
            Stage::Ready(terms) => State::Ready(terms),
            Stage::Failed(error) => State::Failed(error),
        }
    }

    /// Calls that could begin now.
    pub fn room(&self) -> usize {
        match (&self.stage, &self.extended) {
            (Stage::Ready(_), Some(extended)) => extended.room(),
            (Stage::Ready(_), None) => self.calls.room(),
            _ => 0,
        }
    }

    /// True while a call is under way.
    pub fn is_calling(&self) -> bool {
        matches!(self.stage, Stage::Ready(terms) if self.room() < usize::from(terms.outstanding))
    }

    /// Begins a call; its requests are pulled from the caller by `transmit`.
    ///
    /// # Errors
    /// Why it could not begin.
    pub fn start(&mut self, now: Instant, name: &str, kind: Kind) -> Result<CallId, Refused> {
        match (&self.stage, &mut self.extended) {
            (Stage::Ready(_), Some(extended)) => extended.start(now, name, kind),
            (Stage::Ready(_), None) => self.calls.start(now, name, kind),
            _ => Err(Refused::NotReady),
        }
    }

    /// Begins a call that has a patience of its own instead of that of the configuration, or none: in extended mode the deadline of
    /// the whole call. Compatible mode waits for each frame, as it does for every call.
    ///
    /// # Errors
    /// As for [`start`](Self::start).
    pub fn start_within(
        &mut self,
        now: Instant,
        name: &str,
        kind: Kind,
        patience: Option<Duration>,
    ) -> Result<CallId, Refused> {
        match (&self.stage, &mut self.extended) {
            (Stage::Ready(_), Some(extended)) => extended.start_within(now, name, kind, patience),
            _ => self.start(now, name, kind),
        }
    }

    /// The caller said [`Next::Later`](crate::Next::Later) of this call and has something now.
    pub fn resume(&mut self, call: CallId) {
        match &mut self.extended {
            Some(extended) => extended.resume(call),
            None => self.calls.resume(call),
        }
    }

    /// Ends a call before its time; it is told [`ended`](Caller::ended) with [`Status::Cancelled`](crate::Status::Cancelled).
    /// Compatible mode has no word for it: what the server may be answering is waited for before the next call can begin.
    pub fn cancel(&mut self, now: Instant, call: CallId, caller: &mut (impl Caller + ?Sized)) {
        match &mut self.extended {
            Some(extended) => extended.cancel(now, call, caller),
            None => self.calls.cancel(now, call, caller),
        }
    }

    /// Counts of octets it has dropped on this connection.
    pub fn faults(&self) -> Faults {
        match &self.extended {
            Some(extended) => self.faults.with(extended.faults()),
            None => self.faults,
        }
    }

    fn control(&mut self, now: Instant, transaction: u8, control: &Control<'_>, caller: &mut (impl Caller + ?Sized)) {
        match (&mut self.stage, control) {
            (Stage::SettingUp(setup), _) => {
                let outcome = setup.receive(control, &self.config, self.frame);
                self.set_up(now, outcome);
            }
            (Stage::Ready(_), Control::StreamEndToClient) => self.calls.stream_ended(&mut self.faults, caller),
            (Stage::Ready(_), Control::Error(error)) => {
                self.calls.refused(transaction, *error, &mut self.faults, caller)
            }
            // An answer of the set-up that came twice or too late.
            _ => self.faults.stale += 1,
        }
    }

    /// Takes the outcome of a step of the set-up.
    fn set_up(&mut self, now: Instant, outcome: Result<Option<Agreed>, SetupError>) {
        match outcome {
            Ok(None) => {}
            Ok(Some(agreed)) => self.agreed(now, agreed),
            Err(error) => self.stage = Stage::Failed(error),
        }
    }

    fn agreed(&mut self, now: Instant, agreed: Agreed) {
        let capabilities =
            agreed.capabilities.unwrap_or(Capabilities { max_request: u16::MAX, max_response: u16::MAX, flags: 0 });
        let (identity, session) = agreed.session.unzip();
        // A server that seals takes extended frames only sealed.
        let extended = setup::asks_extended(&self.config, self.frame)
            && capabilities.is_extended()
            && capabilities.is_encrypted() == session.is_some();
        if extended {
            let patience = Some(self.config.patience);
            self.extended = Some(extended::Client::new(self.frame, self.config.window, patience, session));
            let terms = Terms {
                mode: Mode::Extended,
                identity,
                seals: capabilities.is_encrypted(),
                max_request: u32::MAX,
                max_response: u32::MAX,
                outstanding: CALLS_MAX as u8,
                frame: self.frame,
            };
            self.stage = Stage::Greeting(terms, now + ANSWER_WAIT);
            return;
        }
        let frame = self.frame.min(COMPATIBLE_FRAME_MAX as u16);
        let max_request = usize::from(capabilities.max_request).min(compatible::capacity(usize::from(frame)));
        let seal = if session.is_some() { SEAL_OCTETS } else { 0 };
        let terms = Terms {
            mode: Mode::Compatible,
            identity,
            seals: capabilities.is_encrypted(),
            max_request: max_request.saturating_sub(seal) as u32,
            max_response: usize::from(capabilities.max_response).min(BUFFER).saturating_sub(seal) as u32,
            outstanding: 1,
            frame,
        };
        let patience = agreed.timeout.map_or(self.config.patience, |timeout| timeout.max(self.config.patience));
        self.calls.ready(max_request, patience, session);
        self.stage = Stage::Ready(terms);
    }

    /// Calls may begin once the server has said what it takes.
    fn greeted(&mut self) {
        let limits = self.extended.as_ref().and_then(extended::Client::limits);
        if let (Stage::Greeting(terms, _), Some(limits)) = (&self.stage, limits) {
            self.stage = Stage::Ready(Terms { outstanding: limits.calls.min(CALLS_MAX as u8), ..*terms });
        }
    }
}
