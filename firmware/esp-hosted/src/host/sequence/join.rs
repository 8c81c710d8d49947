//! The way into a network: Wi-Fi of the co-processor set up by calls, the access point, and the station's own address.

use airtime_core::{Duration, Instant};
use airtime_esp_hosted::coprocessor::CoprocessorConfig;
use airtime_esp_hosted::host::{BringUp, Host, HostOutput};
use airtime_esp_hosted::rpc::proto::{Empty, MacAddressOf};
use airtime_esp_hosted::rpc::{Event, Request, Response};
use log::warn;

use super::plan::Plan;

/// Time in which a network is joined, attempts in vain and their scans included. *Assumed.*
pub const LIMIT: Duration = Duration::from_secs(30);
/// Attempts at the access point: a station in a busy place is not heard at once. *Assumed*: that of ESP-IDF's example (`station`).
const ATTEMPTS: u8 = 5;
/// Station of `MacAddressOf`.
const STATION: i32 = 1;

/// Station that has joined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Joined {
    /// Primary channel of the access point.
    pub channel: u8,
    /// MAC address of the station.
    pub mac: [u8; 6],
}

/// Stands for one that has not: a channel that everybody may use, and an address of nobody's.
impl Default for Joined {
    fn default() -> Self {
        Self { channel: 1, mac: [2, 0, 0, 0, 0, 1] }
    }
}

/// The calls, one after the other.
pub struct Joining {
    bring_up: BringUp,
    until: Instant,
    attempts: u8,
    /// The access point has refused, and is to be asked again.
    again: bool,
    /// The call for the address; made once.
    asked: Option<u32>,
    mac: Option<[u8; 6]>,
    over: bool,
}

impl Joining {
    /// Joins the network of a plan, on a transport that is up.
    pub fn new(now: Instant, plan: &Plan<'_>) -> Self {
        // What the firmware was built with is what it is asked for.
        let init = CoprocessorConfig::default().wifi;
        let mut bring_up = BringUp::with_password(init, plan.ssid, plan.password);
        bring_up.up(now);
        let (attempts, until) = (1, now + LIMIT);
        Self { bring_up, until, attempts, again: false, asked: None, mac: None, over: false }
    }

    /// The host's side says something.
    pub fn said(&mut self, now: Instant, output: &HostOutput) {
        self.bring_up.said(now, output);
        match output {
            HostOutput::Event(Event::StaDisconnected(event)) => {
                let reason = event.sta_disconnected.as_ref().map_or(0, |left| left.reason);
                warn!("the access point is not joined, attempt {}: reason {reason}", self.attempts);
                self.again = self.attempts < ATTEMPTS;
                self.over |= !self.again;
                self.attempts += 1;
            }
            HostOutput::Reply { uid, response: Response::GetMacAddress(reply) } if self.asked == Some(*uid) => {
                self.mac = reply.mac.as_slice().try_into().ok();
                self.over = true;
            }
            HostOutput::Expired(expired) if self.asked == Some(expired.uid) => self.over = true,
            _ => {}
        }
    }

    /// Makes the next call; tells if it has made one.
    pub fn run(&mut self, now: Instant, host: &mut Host) -> bool {
        if core::mem::take(&mut self.again) {
            return host.call(now, Request::WifiConnect(Empty {})).is_ok();
        }
        if self.bring_up.connected().is_some() && self.asked.is_none() {
            self.asked = host.call(now, Request::GetMacAddress(MacAddressOf { mode: STATION })).ok();
            return self.asked.is_some();
        }
        self.bring_up.ask(now, host)
    }

    /// True when it is over, one way or the other.
    pub fn is_over(&self, now: Instant) -> bool {
        self.over || self.bring_up.refused().is_some() || now >= self.until
    }

    /// Instant at which it is given up.
    pub fn until(&self) -> Instant {
        self.until
    }

    /// Outcome of it; says why there is none.
    pub fn outcome(&self) -> Option<Joined> {
        if let Some(status) = self.bring_up.refused() {
            warn!("the co-processor does not do what a station needs: status {status:#x}");
        } else if self.bring_up.connected().is_none() {
            warn!("the access point is not joined");
        } else if self.mac.is_none() {
            warn!("the co-processor does not tell its MAC address");
        }
        self.bring_up.connected()?;
        // What the host's side was told by a chip is a byte of a channel; anything else is none.
        let channel = u8::try_from(self.bring_up.joined().channel).ok().filter(|channel| (1..=14).contains(channel));
        Some(Joined { channel: channel.unwrap_or(Joined::default().channel), mac: self.mac? })
    }
}
