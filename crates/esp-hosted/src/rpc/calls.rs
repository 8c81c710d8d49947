//! Requests under way. `host/drivers/rpc/core/rpc_core.c`, `host/drivers/rpc/wrap/rpc_wrap.c`.

use alloc::collections::VecDeque;
use alloc::vec::Vec;

use airtime_core::{Duration, Instant};

use super::catalogue::{Request, Response};

/// Requests that may be under way at once.
pub const OUTSTANDING_MAX: usize = 5;

/// Number of requests that ran out of time and are remembered, to tell a late reply from one that nobody asked for.
/// *Assumed*; it counts and decides nothing.
const REMEMBERED: usize = 32;

/// Time for which the host waits for the reply to `request`.
pub const fn timeout(request: &Request) -> Duration {
    match request {
        Request::WifiScanStart(_) => Duration::from_secs(30),
        Request::OtaBegin(_) => Duration::from_secs(15),
        _ => Duration::from_secs(5),
    }
}

/// As many requests as there may be are under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{OUTSTANDING_MAX} requests are under way")]
pub struct TooMany;

/// A request that has run out of time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Expired {
    /// Identity of the call.
    pub uid: u32,
    /// Number of the request.
    pub id: u32,
}

/// Verdict on a reply.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Settled {
    /// Answer to a request under way, which it ends.
    Answered,
    /// Late answer to a request that had run out of time.
    Late,
    /// A reply of another kind than the request under way, which still waits.
    Wrong,
    /// Reply to a call that nobody made.
    Unknown,
}

/// Faults of calls, counted by kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct CallFaults {
    /// Requests that ran out of time.
    pub timeouts: u64,
    /// Replies that came behind that.
    pub late: u64,
    /// Replies of another kind than their request.
    pub wrong: u64,
    /// Replies that nobody asked for.
    pub unknown: u64,
    /// Requests that were refused for their number.
    pub refused: u64,
}

/// The host's requests under way.
#[derive(Clone, Debug, Default)]
pub struct Calls {
    /// Never more than [`OUTSTANDING_MAX`].
    waiting: Vec<Waiting>,
    expired: VecDeque<u32>,
    last_uid: u32,
    faults: CallFaults,
}

#[derive(Clone, Copy, Debug)]
struct Waiting {
    uid: u32,
    id: u32,
    until: Instant,
}

impl Calls {
    /// No request has been made.
    pub fn new() -> Self {
        Self::default()
    }

    /// `request` is sent now; returns the identity it is sent with, which counts from 1.
    ///
    /// # Errors
    /// When too many are under way.
    pub fn begin(&mut self, now: Instant, request: &Request) -> Result<u32, TooMany> {
        if self.waiting.len() == OUTSTANDING_MAX {
            self.faults.refused += 1;
            return Err(TooMany);
        }
        // 0 is not an identity.
        self.last_uid = self.last_uid.checked_add(1).unwrap_or(1);
        self.waiting.push(Waiting { uid: self.last_uid, id: request.id(), until: now + timeout(request) });
        Ok(self.last_uid)
    }

    /// A request that was begun is not sent after all.
    pub fn withdraw(&mut self, uid: u32) {
        self.waiting.retain(|call| call.uid != uid);
    }

    /// A reply has come.
    pub fn settle(&mut self, uid: u32, response: &Response) -> Settled {
        if let Some(at) = self.waiting.iter().position(|call| call.uid == uid) {
            if self.waiting[at].id + 256 != response.id() {
                self.faults.wrong += 1;
                return Settled::Wrong;
            }
            self.waiting.remove(at);
            return Settled::Answered;
        }
        if let Some(at) = self.expired.iter().position(|expired| *expired == uid) {
            self.expired.remove(at);
            self.faults.late += 1;
            return Settled::Late;
        }
        self.faults.unknown += 1;
        Settled::Unknown
    }

    /// The next request that has run out of time; drained to none.
    pub fn expire(&mut self, now: Instant) -> Option<Expired> {
        let at = self.waiting.iter().position(|call| call.until <= now)?;
        Some(self.give_up(at))
    }

    /// The next request of those under way, given up because the link was restarted; drained to none.
    pub fn abort(&mut self) -> Option<Expired> {
        (!self.waiting.is_empty()).then(|| self.give_up(0))
    }

    fn give_up(&mut self, at: usize) -> Expired {
        let Waiting { uid, id, .. } = self.waiting.remove(at);
        self.faults.timeouts += 1;
        if self.expired.len() == REMEMBERED {
            self.expired.pop_front();
        }
        self.expired.push_back(uid);
        Expired { uid, id }
    }

    /// Instant at which the next request runs out of time.
    pub fn deadline(&self) -> Option<Instant> {
        self.waiting.iter().map(|call| call.until).min()
    }

    /// Requests under way.
    pub fn outstanding(&self) -> usize {
        self.waiting.len()
    }

    /// Faults so far.
    pub const fn faults(&self) -> CallFaults {
        self.faults
    }
}
