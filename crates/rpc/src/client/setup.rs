//! The set-up of a connection, step by step.

use airtime_core::{Duration, Instant};

use super::{ClientConfig, Encryption, Mode, SetupError};
use crate::crypto::{ClientExchange, ClientSecrets, ExchangeError, Session, Step};
use crate::extended;
use crate::wire::{Capabilities, Control};

/// Wait for the answers to the first two steps; that of the published clients.
pub(super) const ANSWER_WAIT: Duration = Duration::from_secs(1);

/// Wait for each step of the key exchange; that of the published clients.
const EXCHANGE_WAIT: Duration = Duration::from_secs(2);

/// Shortest frame that carries the longest step of the key exchange: 129 octets and the header of a control.
const EXCHANGE_FRAME: u16 = 133;

/// A set-up under way.
#[derive(Debug)]
pub(super) struct Setup {
    step: At,
    /// Set once all that is to be sent has gone.
    sent: bool,
    deadline: Option<Instant>,
    secrets: ClientSecrets,
    /// Number of the two questions that were answered.
    answers: u8,
    timeout: Option<Duration>,
    capabilities: Option<Capabilities>,
}

#[derive(Debug)]
enum At {
    Timeout,
    Capabilities,
    Exchange(ClientExchange, Step),
    /// Everything is agreed on.
    Over,
}

/// Agreement that a set-up has reached.
#[derive(Debug)]
pub(super) struct Agreed {
    /// The wait that the server advertises.
    pub timeout: Option<Duration>,
    /// None if the server says nothing: the published clients go on then.
    pub capabilities: Option<Capabilities>,
    /// The server's identity and the session, when calls are sealed.
    pub session: Option<([u8; 32], Session)>,
}

impl Setup {
    pub fn new(secrets: ClientSecrets) -> Self {
        Self { step: At::Timeout, sent: false, deadline: None, secrets, answers: 0, timeout: None, capabilities: None }
    }

    pub fn deadline(&self) -> Option<Instant> {
        self.deadline
    }

    /// Writes the question that is due.
    pub fn transmit(
        &mut self,
        now: Instant,
        config: &ClientConfig,
        frame: u16,
        transaction: impl FnOnce() -> u8,
        into: &mut [u8],
    ) -> Option<usize> {
        if self.sent {
            return None;
        }
        let (control, wait) = match &self.step {
            At::Timeout => (Control::TimeoutRequest, ANSWER_WAIT),
            At::Capabilities => {
                let flags = if asks_extended(config, frame) { Capabilities::EXTENDED } else { 0 };
                (Control::Capabilities(Some(Capabilities { flags, ..Capabilities::default() })), ANSWER_WAIT)
            }
            At::Exchange(_, step) => (Control::KeyExchange(step.octets()), EXCHANGE_WAIT),
            At::Over => return None,
        };
        let len = control.emit(transaction(), into);
        self.sent = true;
        self.deadline = Some(now + wait);
        Some(len)
    }

    /// Takes a control of the server's; what was agreed on, if it was the last answer.
    ///
    /// # Errors
    /// Why the connection is of no use.
    pub fn receive(
        &mut self,
        control: &Control<'_>,
        config: &ClientConfig,
        frame: u16,
    ) -> Result<Option<Agreed>, SetupError> {
        if !self.sent {
            return Ok(None);
        }
        match (&mut self.step, control) {
            (At::Timeout, Control::Timeout { timeout_ms }) => {
                self.answers += 1;
                self.timeout = Some(Duration::from_millis(u64::from(*timeout_ms)));
                self.go(At::Capabilities);
                Ok(None)
            }
            (At::Capabilities, Control::Capabilities(Some(capabilities))) => {
                self.answers += 1;
                self.capabilities = Some(*capabilities);
                self.asked(config, frame)
            }
            (At::Exchange(exchange, _), Control::KeyExchange(step)) => {
                let progress = exchange.receive(step).map_err(setup_error)?;
                let identity = exchange.identity();
                if let (Some(session), Some(identity)) = (progress.session, identity) {
                    return Ok(Some(self.agree(Some((identity, session)))));
                }
                if let (At::Exchange(_, due), Some(step)) = (&mut self.step, progress.send) {
                    *due = step;
                    self.sent = false;
                    self.deadline = None;
                }
                Ok(None)
            }
            _ => Ok(None),
        }
    }

    /// A wait is over. The published clients go on without an answer to the questions; a server that answers neither is none.
    ///
    /// # Errors
    /// Why the connection is of no use.
    pub fn wake(&mut self, now: Instant, config: &ClientConfig, frame: u16) -> Result<Option<Agreed>, SetupError> {
        if self.deadline.is_none_or(|deadline| deadline > now) {
            return Ok(None);
        }
        match self.step {
            At::Timeout => {
                self.go(At::Capabilities);
                Ok(None)
            }
            At::Capabilities if self.answers > 0 => self.asked(config, frame),
            At::Capabilities | At::Exchange(..) => Err(SetupError::Timeout),
            At::Over => Ok(None),
        }
    }

    /// The questions are over.
    fn asked(&mut self, config: &ClientConfig, frame: u16) -> Result<Option<Agreed>, SetupError> {
        let Encryption::Required(pin) = config.encryption else { return Ok(Some(self.agree(None))) };
        if !self.capabilities.is_some_and(|capabilities| capabilities.is_encrypted()) {
            return Err(if self.capabilities.is_some() { SetupError::NotOffered } else { SetupError::Timeout });
        }
        if frame < EXCHANGE_FRAME {
            return Err(SetupError::FrameTooShort);
        }
        let (exchange, step) = ClientExchange::start(self.secrets, pin);
        self.go(At::Exchange(exchange, step));
        Ok(None)
    }

    fn go(&mut self, step: At) {
        self.step = step;
        self.sent = false;
        self.deadline = None;
    }

    fn agree(&mut self, session: Option<([u8; 32], Session)>) -> Agreed {
        self.go(At::Over);
        Agreed { timeout: self.timeout, capabilities: self.capabilities, session }
    }
}

/// Tells if a client asks for the extension.
pub(super) fn asks_extended(config: &ClientConfig, frame: u16) -> bool {
    config.mode == Mode::Extended && frame >= extended::FRAME_MIN
}

fn setup_error(error: ExchangeError) -> SetupError {
    match error {
        ExchangeError::WrongIdentity => SetupError::WrongIdentity,
        ExchangeError::NotGenuine | ExchangeError::WeakKey => SetupError::NotGenuine,
        _ => SetupError::Malformed,
    }
}
