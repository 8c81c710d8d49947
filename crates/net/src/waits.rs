//! Wait of a host: why nothing leaves it.

/// Reason that a host sends nothing now.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Waits {
    /// It has a packet for the interface, or waits for nothing but the interface.
    Nothing,
    /// Application that has nothing to send.
    App,
    /// CPU time of calls, copies and switches.
    Cpu,
    /// The congestion window is full.
    Cwnd,
    /// The receiver's window or the send buffer is full, and less than the congestion window.
    Window,
    /// Retransmission timer: nothing has come back for longer than any round trip before.
    Rto,
    /// Nagle's algorithm or a delayed acknowledgement holds octets back.
    Delayed,
    /// The interface refused a segment, and nothing tries again before an acknowledgement or a timer.
    Refused,
}
