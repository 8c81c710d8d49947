//! The start of a host's application: handshake, Wi-Fi set up by remote calls, connected. The laboratory's hosts and those on boards
//! have the same.

use alloc::collections::VecDeque;

use airtime_core::Instant;

use super::{Failure, Host, HostOutput};
use crate::rpc::proto::{
    Empty, Joined, Mode, StaConfig, WifiConfig, WifiConfigOf, WifiInit, WifiInitConfig, WifiSetConfig,
};
use crate::rpc::{Event, Request, status};

/// `WIFI_MODE_STA`.
const STATION: i32 = 1;

/// Bring-up of a station: the requests of `esp_wifi_remote` to a fresh co-processor, one call after the other.
#[derive(Debug)]
pub struct BringUp {
    calls: VecDeque<Request>,
    /// The call under way.
    waits: Option<u32>,
    ready: Option<Instant>,
    connected: Option<Instant>,
    joined: Joined,
    failed: Option<Failure>,
    refused: Option<i32>,
}

impl BringUp {
    /// `init` is what the host's `wifi_init_config_t` says; it goes over the values that the co-processor was built with.
    pub fn new(init: WifiInitConfig, ssid: &str) -> Self {
        Self::with_password(init, ssid, "")
    }

    /// The same for a network with a password; an empty one is that of an open network.
    pub fn with_password(init: WifiInitConfig, ssid: &str, password: &str) -> Self {
        let station = StaConfig { ssid: ssid.into(), password: password.into(), ..StaConfig::default() };
        let cfg = Some(WifiConfig { u: Some(WifiConfigOf::Sta(station)) });
        let calls = VecDeque::from([
            Request::WifiInit(WifiInit { cfg: Some(init) }),
            Request::SetMode(Mode { mode: STATION }),
            Request::WifiStart(Empty {}),
            Request::WifiSetConfig(WifiSetConfig { iface: 0, cfg }),
            Request::WifiConnect(Empty {}),
        ]);
        let joined = Joined::default();
        Self { calls, waits: None, ready: None, connected: None, joined, failed: None, refused: None }
    }

    /// Instant at which the transport was up.
    pub fn ready(&self) -> Option<Instant> {
        self.ready
    }

    /// Instant at which the station was connected: frames go to the air from then on.
    pub fn connected(&self) -> Option<Instant> {
        self.connected
    }

    /// Network that was joined, as the co-processor tells it; of zeros before.
    pub fn joined(&self) -> &Joined {
        &self.joined
    }

    /// Reason that the transport is down, if it is.
    pub fn failure(&self) -> Option<Failure> {
        self.failed
    }

    /// The [status] of a call that was refused, after which nothing else is asked;
    /// [`TIMEOUT`](status::TIMEOUT) of one that nobody has answered.
    pub fn refused(&self) -> Option<i32> {
        self.refused
    }

    fn refuse(&mut self, status: i32) {
        self.refused = Some(status);
        self.calls.clear();
    }

    /// The transport is up already: begins.
    pub fn up(&mut self, now: Instant) {
        self.ready.get_or_insert(now);
    }

    /// The host's side says something.
    pub fn said(&mut self, now: Instant, output: &HostOutput) {
        match output {
            HostOutput::Ready(_) => self.ready = Some(now),
            HostOutput::Failed(failure) => self.failed = Some(*failure),
            HostOutput::Event(Event::StaConnected(event)) => {
                self.connected = Some(now);
                self.joined = event.sta_connected.clone().unwrap_or_default();
            }
            HostOutput::Reply { uid, response } if self.waits == Some(*uid) => {
                self.waits = None;
                if response.status() != status::OK {
                    self.refuse(response.status());
                }
            }
            HostOutput::Expired(expired) if self.waits == Some(expired.uid) => {
                self.waits = None;
                self.refuse(status::TIMEOUT);
            }
            _ => {}
        }
    }

    /// Makes the next call if it is time; tells if it has.
    pub fn ask(&mut self, now: Instant, host: &mut Host) -> bool {
        if self.ready.is_none() || self.waits.is_some() {
            return false;
        }
        let Some(request) = self.calls.pop_front() else { return false };
        self.waits = host.call(now, request).ok();
        self.waits.is_some()
    }
}
