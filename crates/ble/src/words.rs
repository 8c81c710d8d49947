//! Words of both sides of HCI, and of the books about them: neither side's own, so that none need look across.

/// A device address as the air carries it, least significant octet first.
pub type Address = [u8; 6];

/// Connection handle, as HCI numbers connections: 0..=0x0EFF.
pub type ConnHandle = u16;

/// Role of a device: the end of a connection that it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// Initiated the connection.
    Central,
    /// Advertised.
    Peripheral,
}

/// Bottleneck that keeps a host from giving its controller the next packet of a link: the first stage, from the
/// controller upwards, that is not itself starved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Starved {
    /// Data waits for a controller buffer whose release has not been reported.
    Buffers,
    /// Data waits for an L2CAP buffer of the stack, though the controller has one.
    Pool,
    /// Data, or what would let the host send it, is on its way between host and controller.
    Transport,
    /// Data, its release, or what the application waits for is with a CPU that is late.
    LateHost,
    /// A request or an indication waits for its answer, or a value to be read.
    Response,
    /// Data waits for credits.
    Credits,
    /// The application has as many units under way as it allows itself.
    InFlight,
    /// The application sleeps.
    Sleep,
    /// The application waits for the answer to a call.
    Answer,
    /// The application works on requests of the peer's, which waits for their answers.
    Busy,
    /// The application has nothing to send.
    Application,
    /// The host is an outside one, whose needs cannot be seen.
    Unseen,
}
