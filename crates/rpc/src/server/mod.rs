//! The called end: answers the set-up, then calls in whichever mode the client speaks.

use airtime_core::{Duration, Instant};

use crate::compatible::{self, Controls, Reply};
use crate::crypto::{ServerExchange, ServerSecrets};
use crate::wire::{Capabilities, Container, Control, HEADER};
use crate::{COMPATIBLE_FRAME_MAX, CallId, Service, extended};

pub use crate::Faults;

/// Configuration of a server. The default is the published firmware's, with the extension on offer.
#[derive(Clone, Copy, Debug)]
pub struct ServerConfig {
    /// Offers the extension to clients that ask; default true.
    pub extended: bool,
    /// Seals its calls; it refuses open ones then. Default false.
    pub encrypted: bool,
    /// The wait for a next frame that it advertises; default 100 ms, as in the published firmware.
    pub timeout: Duration,
    /// Longest request that it advertises, in octets; default 12,288.
    pub max_request: u16,
    /// Longest response that it advertises, in octets; default 65,535.
    pub max_response: u16,
    /// Octets of requests that a call may have under way in extended mode; default 16,384.
    pub window: u32,
}

impl Default for ServerConfig {
    fn default() -> Self {
        Self {
            extended: true,
            encrypted: false,
            timeout: Duration::from_millis(100),
            max_request: 12_288,
            max_response: 65_535,
            window: 16_384,
        }
    }
}

/// The called end of one connection. `BUFFER` is the longest request, command header and seal included, that compatible mode
/// puts together.
#[derive(Debug)]
pub struct Server<const BUFFER: usize> {
    config: ServerConfig,
    frame: u16,
    exchange: Option<ServerExchange>,
    /// The client asked for the extension, which begins after the key exchange if there is one.
    extension_agreed: bool,
    controls: Controls,
    calls: compatible::Server<BUFFER>,
    extended: Option<extended::Server>,
    faults: Faults,
}

impl<const BUFFER: usize> Server<BUFFER> {
    /// A server without a connection.
    pub fn new(config: ServerConfig) -> Self {
        Self {
            config,
            frame: 0,
            exchange: None,
            extension_agreed: false,
            controls: Controls::new(),
            calls: compatible::Server::new(),
            extended: None,
            faults: Faults::default(),
        }
    }

    /// The transport stands and takes frames of up to `frame` octets.
    ///
    /// # Panics
    /// If a call of the connection before was not ended by [`disconnected`](Self::disconnected).
    pub fn connected(&mut self, now: Instant, frame: u16, secrets: ServerSecrets) {
        let _ = now;
        assert!(!self.calls.is_serving(), "the connection before was not ended");
        self.frame = frame;
        self.exchange = self.config.encrypted.then(|| ServerExchange::new(secrets));
        self.extension_agreed = false;
        self.controls.clear();
        let frame = usize::from(frame).min(COMPATIBLE_FRAME_MAX);
        self.calls.connected(frame, self.config.max_response, self.config.encrypted);
        self.extended = None;
        self.faults = Faults::default();
    }

    /// The transport is gone; calls under way are closed.
    pub fn disconnected(&mut self, now: Instant, service: &mut (impl Service + ?Sized)) {
        let _ = now;
        self.controls.clear();
        self.calls.disconnected(service);
        if let Some(extended) = &mut self.extended {
            extended.disconnected(service);
        }
    }

    /// Takes a frame of the client's.
    pub fn receive(&mut self, now: Instant, frame: &[u8], service: &mut (impl Service + ?Sized)) {
        if let Some(extended) = &mut self.extended {
            extended.receive(now, frame, self.calls.scratch(), service);
            return;
        }
        let Ok(container) = Container::parse(frame) else {
            self.faults.malformed += 1;
            return;
        };
        match container.content.control() {
            None => self.calls.receive(&container, &mut self.controls, &mut self.faults, service),
            Some(Ok(control)) => self.control(container.transaction, &control, service),
            Some(Err(_)) => self.faults.malformed += 1,
        }
    }

    /// Writes the next frame into `into`, which has room for the longest one, and says how long it is; none when there is
    /// nothing to send.
    pub fn transmit(&mut self, now: Instant, into: &mut [u8], service: &mut (impl Service + ?Sized)) -> Option<usize> {
        if let Some(len) = self.controls.transmit(into) {
            return Some(len);
        }
        match &mut self.extended {
            Some(extended) => extended.transmit(now, into, service),
            None => {
                let len = self.calls.transmit(into, &mut self.controls, &mut self.faults, service);
                // A call that fails may leave a control instead.
                len.or_else(|| self.controls.transmit(into))
            }
        }
    }

    /// Its deadline has come.
    pub fn wake(&mut self, now: Instant, service: &mut (impl Service + ?Sized)) {
        if let Some(extended) = &mut self.extended {
            extended.wake(now, service);
        }
    }

    /// Instant at which it wants [`wake`](Self::wake).
    pub fn deadline(&self) -> Option<Instant> {
        self.extended.as_ref().and_then(extended::Server::deadline)
    }

    /// The service said [`Next::Later`](crate::Next::Later) of this call and has something now.
    pub fn resume(&mut self, call: CallId) {
        match &mut self.extended {
            Some(extended) => extended.resume(call),
            None => self.calls.resume(call),
        }
    }

    /// Counts of all that it has dropped or refused on this connection.
    pub fn faults(&self) -> Faults {
        match &self.extended {
            Some(extended) => self.faults.with(extended.faults()),
            None => self.faults,
        }
    }

    fn control(&mut self, transaction: u8, control: &Control<'_>, service: &mut (impl Service + ?Sized)) {
        let room = match control {
            Control::TimeoutRequest => {
                let timeout_ms = (self.config.timeout / Duration::from_millis(1)).min(u64::from(u16::MAX)) as u16;
                self.controls.push(transaction, Reply::Timeout { timeout_ms })
            }
            Control::Capabilities(asked) => self.capabilities(transaction, *asked),
            Control::KeyExchange(step) => self.key_exchange(transaction, step),
            Control::StreamEndToServer => {
                self.calls.stream_ended(&mut self.faults, service);
                true
            }
            // What only a server says.
            _ => {
                self.faults.malformed += 1;
                true
            }
        };
        if !room {
            self.faults.busy += 1;
        }
    }

    /// Says what it can do; of the extension only to a client that asks for it.
    fn capabilities(&mut self, transaction: u8, asked: Option<Capabilities>) -> bool {
        let asked = asked.is_some_and(|asked| asked.is_extended());
        let extended = asked && self.config.extended && self.frame >= extended::FRAME_MIN;
        let mut flags = 0;
        if self.config.encrypted {
            flags |= Capabilities::ENCRYPTION;
        }
        if extended {
            flags |= Capabilities::EXTENDED;
        }
        let (max_request, max_response) = (self.config.max_request, self.config.max_response);
        let answer = Capabilities { max_request, max_response, flags };
        if !self.controls.push(transaction, Reply::Capabilities(answer)) {
            return false;
        }
        self.extension_agreed = extended;
        if extended && !self.config.encrypted {
            self.extended = Some(extended::Server::new(self.frame, self.config.window, None));
        }
        true
    }

    /// Takes a step of the key exchange. One that is not taken is not answered, as published.
    fn key_exchange(&mut self, transaction: u8, step: &[u8]) -> bool {
        let Some(exchange) = &mut self.exchange else {
            self.faults.malformed += 1;
            return true;
        };
        let Ok(progress) = exchange.receive(step) else {
            self.faults.not_genuine += 1;
            return true;
        };
        if let Some(session) = progress.session {
            if self.extension_agreed {
                self.extended = Some(extended::Server::new(self.frame, self.config.window, Some(session)));
            } else {
                self.calls.seal(session);
            }
        }
        match progress.send {
            // A client whose frames are too short for the answer does not begin.
            Some(step) if HEADER + step.octets().len() <= usize::from(self.frame) => {
                self.controls.push_step(transaction, step)
            }
            _ => true,
        }
    }
}
