//! The IP packets of one direction whose fate is open.

use alloc::collections::VecDeque;

use airtime_core::Duration;

use crate::trace::Upload;

/// Most packets whose fate is open. A tunnel has a window of 32 chunks under way; what is older will not come any more.
const OPEN_MAX: usize = 64;

/// Most octets of headers of a packet: IPv4 and TCP, both with options.
const HEADERS_MAX: u32 = 120;

#[derive(Clone, Copy, Debug)]
struct Open {
    packet: u32,
    /// Octets of payload that have arrived.
    payload: u32,
    /// Octets of its uploads that were lost and have not come since.
    missing: u32,
    /// Air booked to payload.
    booked: Duration,
}

/// Packets in the order of sending.
#[derive(Clone, Debug, Default)]
pub struct Packets {
    open: VecDeque<Open>,
}

impl Packets {
    /// An upload of a packet was sent for the first time, and was lost.
    /// What must be given up for it: air booked to the payload of a packet that is too old.
    pub fn lost(&mut self, upload: &Upload) -> Option<Duration> {
        let given_up = self.make_room(upload.packet);
        if let Some(open) = self.find(upload.packet) {
            open.missing += octets(upload);
        }
        given_up
    }

    /// An upload that was lost before has come after all. Whether anything of its packet was missing.
    pub fn recovered(&mut self, upload: &Upload) -> bool {
        let Some(open) = self.find(upload.packet).filter(|open| open.missing > 0) else { return false };
        open.missing = open.missing.saturating_sub(octets(upload));
        true
    }

    /// An upload has arrived, and `air` was booked to its payload. As [`lost`](Self::lost).
    pub fn arrived(&mut self, upload: &Upload, air: Duration) -> Option<Duration> {
        let given_up = self.make_room(upload.packet);
        if let Some(open) = self.find(upload.packet) {
            open.payload += u32::from(upload.payload);
            open.booked += air;
        }
        given_up
    }

    /// An IP packet of `octets` came out of the tunnel: the oldest that can be it. Those before it will not come any
    /// more; how many they are, and the air booked to their payload.
    pub fn delivered(&mut self, octets: u32) -> (u64, Duration) {
        let fits = |open: &Open| open.missing == 0 && (open.payload..=open.payload + HEADERS_MAX).contains(&octets);
        let Some(at) = self.open.iter().position(fits) else { return (0, Duration::ZERO) };
        let wasted = self.open.drain(..at).fold((0, Duration::ZERO), |(n, air), open| (n + 1, air + open.booked));
        self.open.pop_front();
        wasted
    }

    /// Settles all that was booked so far: it stays where it is.
    pub fn settle(&mut self) {
        for open in &mut self.open {
            open.booked = Duration::ZERO;
        }
    }

    fn find(&mut self, packet: u32) -> Option<&mut Open> {
        self.open.iter_mut().rev().find(|open| open.packet == packet)
    }

    /// Makes sure that `packet` has its place.
    fn make_room(&mut self, packet: u32) -> Option<Duration> {
        // Numbers rise; a packet that was given up is not opened again by a straggler.
        if self.open.back().is_some_and(|last| packet.wrapping_sub(last.packet) as i32 <= 0) {
            return None;
        }
        let given_up = if self.open.len() == OPEN_MAX { self.open.pop_front() } else { None };
        self.open.push_back(Open { packet, payload: 0, missing: 0, booked: Duration::ZERO });
        given_up.map(|open| open.booked)
    }
}

/// Octets of an upload.
fn octets(upload: &Upload) -> u32 {
    u32::from(upload.payload) + u32::from(upload.headers) + u32::from(upload.tunnel)
}
