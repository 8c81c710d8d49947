//! ACL termination. Core 6.0, Vol 6, Part B, 5.1.6.
//!
//! The side that asks goes when its LL_TERMINATE_IND is acknowledged, and stays at most as long as a
//! silent link would. The side that is asked goes when it has sent the acknowledgement: an event that
//! leaves no room for it is followed by one that begins with it.

use alloc::vec;
use alloc::vec::Vec;

use airtime_core::Instant;

use super::effect::Effect;
use super::facts::Facts;
use crate::hci::Status;
use crate::ll::control::Control;

/// Termination of a connection, from either side.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Termination {
    /// Instant at which the connection ends although the peer has not acknowledged our LL_TERMINATE_IND, once that is queued.
    by: Option<Instant>,
    /// Departure under way since the peer has sent LL_TERMINATE_IND.
    leaving: Option<Leaving>,
}

/// Departure of a side that has got an LL_TERMINATE_IND.
#[derive(Clone, Copy, Debug)]
struct Leaving {
    /// The reason that its host is given.
    reason: Status,
    /// The acknowledgement has been sent, and nothing says that it was lost.
    acknowledged: bool,
    /// An event has ended since.
    stayed: bool,
}

/// Input of the termination. What each packet says comes as calls of their own, because there are so many.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Input {
    /// The connection is to end.
    Asked(Status),
    /// The peer has acknowledged our LL_TERMINATE_IND.
    Acknowledged,
    /// The peer has not, for too long.
    Late,
    /// LL_TERMINATE_IND.
    Indicated(Status),
}

impl Termination {
    /// Takes an input in.
    pub fn handle(&mut self, facts: &Facts<'_>, input: Input) -> Vec<Effect> {
        match input {
            Input::Asked(reason) => {
                // T_terminate begins when the PDU is queued and is as long as the supervision timeout.
                self.by = Some(facts.now + facts.timing.timeout);
                vec![Effect::Send(Control::TerminateInd { reason })]
            }
            Input::Acknowledged | Input::Late if self.by.is_some() => vec![Effect::End(Status::LOCAL_HOST_TERMINATED)],
            Input::Acknowledged | Input::Late => vec![],
            Input::Indicated(reason) => {
                self.leaving = Some(Leaving { reason, acknowledged: false, stayed: false });
                vec![]
            }
        }
    }

    /// Notes that a packet was heard. A peer that has terminated and still sends has not got the
    /// acknowledgement, whether its packet can be read or not.
    pub fn note_heard(&mut self) {
        if let Some(leaving) = &mut self.leaving {
            (leaving.acknowledged, leaving.stayed) = (false, false);
        }
    }

    /// Notes that a packet was sent: each one acknowledges what has come before it.
    pub fn note_sent(&mut self) {
        if let Some(leaving) = &mut self.leaving {
            leaving.acknowledged = true;
        }
    }

    /// Reason why the connection ends for this side with the event that is over, if it does. A side that `stays` is there for one
    /// more event: its acknowledgement may have met a radio that was off.
    pub fn left(&mut self, stays: bool) -> Option<Status> {
        let leaving = self.leaving.as_mut().filter(|leaving| leaving.acknowledged)?;
        let stayed = core::mem::replace(&mut leaving.stayed, true);
        (stayed || !stays).then_some(leaving.reason)
    }

    /// True once the peer has terminated.
    pub fn leaves(&self) -> bool {
        self.leaving.is_some()
    }

    /// Instant at which our own LL_TERMINATE_IND has waited long enough, once there is one.
    pub fn by(&self) -> Option<Instant> {
        self.by
    }
}
