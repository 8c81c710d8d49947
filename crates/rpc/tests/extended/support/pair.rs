//! Two ends and the frames between them.

use std::collections::VecDeque;

use airtime_core::{Duration, Instant};
use airtime_rpc::crypto::Session;
use airtime_rpc::extended::{Client, Server};
use airtime_rpc::{CallId, Kind};

use super::{Person, Talk, Works, sessions};

/// Frames of 244 octets: an ATT value at an MTU of 247.
pub const FRAME: u16 = 244;

/// A client, a server, who uses them, and the frames under way.
pub struct Pair {
    pub now: Instant,
    pub client: Client,
    pub server: Server,
    pub person: Person,
    pub works: Works,
    pub to_server: VecDeque<Vec<u8>>,
    pub to_client: VecDeque<Vec<u8>>,
    /// Every frame that was sent, for who counts them.
    pub sent_to_server: Vec<Vec<u8>>,
    pub sent_to_client: Vec<Vec<u8>>,
}

impl Pair {
    /// Both ends after the server's first frame.
    pub fn ready() -> Self {
        Self::with(FRAME, 16_384, 16_384)
    }

    /// The same with frames and windows of other lengths.
    pub fn with(frame: u16, response_window: u32, request_window: u32) -> Self {
        Self::new(frame, response_window, request_window, None)
    }

    /// Both ends with every frame sealed.
    pub fn sealed() -> Self {
        Self::new(FRAME, 16_384, 16_384, Some(sessions()))
    }

    fn new(frame: u16, response_window: u32, request_window: u32, sessions: Option<(Session, Session)>) -> Self {
        let (at_client, at_server) = sessions.unzip();
        let patience = Some(Duration::from_secs(10));
        let mut pair = Self {
            now: Instant::ZERO,
            client: Client::new(frame, response_window, patience, at_client),
            server: Server::new(frame, request_window, at_server),
            person: Person::default(),
            works: Works::default(),
            to_server: VecDeque::new(),
            to_client: VecDeque::new(),
            sent_to_server: Vec::new(),
            sent_to_client: Vec::new(),
        };
        pair.settle();
        assert!(pair.client.limits().is_some());
        pair.forget_frames();
        pair
    }

    /// Begins a call.
    pub fn start(&mut self, name: &str, kind: Kind, talk: Talk) -> CallId {
        let id = self.client.start(self.now, name, kind).expect("there is room");
        assert!(self.person.calls.insert(id.0, talk).is_none_or(|old| old.result().is_some()));
        id
    }

    /// Pulls every frame that the client has.
    pub fn client_sends(&mut self) {
        let mut into = [0; 4096];
        while let Some(length) = self.client.transmit(self.now, &mut into, &mut self.person) {
            self.to_server.push_back(into[..length].to_vec());
            self.sent_to_server.push(into[..length].to_vec());
        }
    }

    /// Pulls every frame that the server has.
    pub fn server_sends(&mut self) {
        let mut into = [0; 4096];
        while let Some(length) = self.server.transmit(self.now, &mut into, &mut self.works) {
            self.to_client.push_back(into[..length].to_vec());
            self.sent_to_client.push(into[..length].to_vec());
        }
    }

    /// Hands the frames under way to the server.
    pub fn server_hears(&mut self) {
        while let Some(frame) = self.to_server.pop_front() {
            self.server.receive(self.now, &frame, &mut [0; 4096], &mut self.works);
            self.resume();
        }
    }

    /// Hands the frames under way to the client.
    pub fn client_hears(&mut self) {
        while let Some(frame) = self.to_client.pop_front() {
            self.client.receive(self.now, &frame, &mut [0; 4096], &mut self.person);
        }
    }

    /// Tells both machines that there may be something.
    pub fn resume(&mut self) {
        self.works.standing.keys().for_each(|id| self.server.resume(CallId(*id)));
        self.person.calls.keys().for_each(|id| self.client.resume(CallId(*id)));
    }

    /// Goes on until neither end has anything to say.
    pub fn settle(&mut self) {
        loop {
            self.resume();
            self.client_sends();
            self.server_sends();
            if self.to_server.is_empty() && self.to_client.is_empty() {
                return;
            }
            self.server_hears();
            self.client_hears();
        }
    }

    /// Counts frames from here on.
    pub fn forget_frames(&mut self) {
        self.sent_to_server.clear();
        self.sent_to_client.clear();
    }
}
