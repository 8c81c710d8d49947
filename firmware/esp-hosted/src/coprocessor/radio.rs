//! The radio, as the server of raw frames wants it.

use airtime_esp_hosted::raw::RadioRequest;
use airtime_ieee80211::wire::RxInfo;

/// Octets of the longest frame that is handed over; a message has room for it.
pub const FRAME_MAX: usize = 1600;

/// A frame that was heard.
pub struct Heard {
    octets: usize,
    frame: [u8; FRAME_MAX],
    /// Reception info of the receiver.
    pub info: RxInfo,
}

impl Heard {
    /// A frame with its FCS; what is beyond [`FRAME_MAX`] is cut off.
    pub fn new(frame: &[u8], info: RxInfo) -> Self {
        let octets = frame.len().min(FRAME_MAX);
        let mut held = [0; FRAME_MAX];
        held[..octets].copy_from_slice(&frame[..octets]);
        Self { octets, frame: held, info }
    }

    /// The frame with its FCS.
    pub fn frame(&self) -> &[u8] {
        &self.frame[..self.octets]
    }
}

/// Radio of a board.
pub trait Radio {
    /// Carries out a request of the service; the status is the answer to the host.
    fn carry_out(&self, request: &RadioRequest) -> i32;

    /// Next frame that was heard. Those that come while nobody asks may be lost, as on any bus slower than the air.
    fn heard(&self) -> impl Future<Output = Heard>;
}
