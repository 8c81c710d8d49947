//! Wait of an application: why it gives its host nothing at an instant.

/// Reason of an application to give its host nothing more for a link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Wait {
    /// Nothing is to be sent.
    #[default]
    Idle,
    /// Sleep: its program waits for a time between two units.
    Sleep,
    /// Units under way: as many as it allows itself have not been reported as sent.
    InFlight,
    /// Answer: calls are under way, and everything of them is with the host.
    Answer,
    /// Request: as many of an upload as may be have no answer.
    Request,
    /// Busy: the other end waits for answers, and this one works on their requests.
    Busy,
}
