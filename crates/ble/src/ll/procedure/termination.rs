//! ACL termination. Core 6.0, Vol 6, Part B, 5.1.6.
//!
//! The side that asks goes when its LL_TERMINATE_IND is acknowledged, and stays at most as long as a
//! silent link would. The side that is asked goes when it has sent the acknowledgement: an event that
//! leaves no room for it is followed by one that begins with it.

use super::{Connection, Context, Control, Status};

/// Departure of a side that has got an LL_TERMINATE_IND.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Leaving {
    /// The reason that its host is given.
    reason: Status,
    /// The acknowledgement has been sent, and nothing says that it was lost.
    acknowledged: bool,
}

impl Connection {
    /// Asks the peer to end the connection.
    pub(super) fn terminate(&mut self, ctx: &mut Context<'_>, reason: Status) {
        // T_terminate begins when the PDU is queued and is as long as the supervision timeout.
        self.procedures.terminates_by = Some(ctx.now + self.timing.timeout);
        self.send(ctx, Control::TerminateInd { reason });
    }

    /// The peer asks to end the connection, which this side does once it has acknowledged that.
    pub(super) fn leave(&mut self, reason: Status) {
        self.procedures.waiting.clear();
        self.leaving = Some(Leaving { reason, acknowledged: false });
    }

    /// Notes that a packet was heard. A peer that has terminated and still sends has not got the
    /// acknowledgement, whether its packet can be read or not.
    pub(crate) fn note_heard(&mut self) {
        if let Some(leaving) = &mut self.leaving {
            leaving.acknowledged = false;
        }
    }

    /// Notes that a packet was sent: each one acknowledges what has come before it.
    pub(crate) fn note_sent(&mut self) {
        if let Some(leaving) = &mut self.leaving {
            leaving.acknowledged = true;
        }
    }

    /// Reason why the connection ends with the event for this side, if it does.
    pub(crate) fn left(&self) -> Option<Status> {
        self.leaving.filter(|leaving| leaving.acknowledged).map(|leaving| leaving.reason)
    }
}
