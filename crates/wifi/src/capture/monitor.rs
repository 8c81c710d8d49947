//! 802.11 frames as pcapng with radiotap.
//!
//! What a monitor interface would write: link type 127, each frame with its FCS. Two sources make the same file: a station of
//! the virtual cell that listens to everything ([`WifiCapture::heard`]), and packets that a co-processor hands its host as
//! custom events ([`WifiCapture::packet`]), which know neither the width nor the time of a frame.

use airtime_capture::pcapng::Writer;
use airtime_capture::{Origin, Sink};
use airtime_core::Instant;

use crate::cell::StationId;
use crate::hosted::raw::PromiscuousPacket;
use crate::network::Observer;
use crate::wire::radiotap::{Ampdu, LINK_TYPE};
use crate::wire::{Channel, Radiotap, RxInfo, fcs};

/// Name of the program in captures.
const APPLICATION: &str = "airtime";

/// Writes every frame that was heard.
///
/// A stamp is the end of a frame, or when its packet came to the host, in nanoseconds. Frames of an A-MPDU end together: those
/// that end at one instant are taken for one A-MPDU.
#[derive(Debug)]
pub struct WifiCapture<S> {
    writer: Writer<S>,
    origin: Origin,
    interface: u32,
    /// The only station whose frames are written, if there is one.
    station: Option<StationId>,
    /// Number of the last A-MPDU, and when it ended.
    ampdu: (u32, Option<Instant>),
    frames: u64,
}

impl<S: Sink> WifiCapture<S> {
    /// A capture with one interface, `monitor`.
    pub fn new(sink: S, origin: Origin) -> Self {
        let mut writer = Writer::new(sink, APPLICATION);
        let interface = writer.interface(LINK_TYPE, "monitor", "every frame that was heard");
        Self { writer, origin, interface, station: None, ampdu: (0, None), frames: 0 }
    }

    /// Restricts the capture, as an observer of a network, to what `station` hears.
    pub fn of_station(self, station: StationId) -> Self {
        Self { station: Some(station), ..self }
    }

    /// A station heard `frame`, which has its FCS; it ended at `end`.
    pub fn heard(&mut self, end: Instant, frame: &[u8], info: &RxInfo) {
        let ampdu = info.aggregated.then(|| {
            if self.ampdu.1 != Some(end) {
                self.ampdu = (self.ampdu.0.wrapping_add(1), Some(end));
            }
            Ampdu { reference: self.ampdu.0, last: None }
        });
        let radiotap = Radiotap {
            tsft_us: Some((end - Instant::ZERO).as_micros()),
            fcs: true,
            bad_fcs: fcs::check(frame).is_none(),
            channel: Some(Channel::of(info.channel)),
            signal_dbm: Some(info.rssi_dbm),
            phy: Some(info.phy),
            other_rate: false,
            ampdu,
        };
        self.write(end, &radiotap, frame);
    }

    /// A packet came to the host at `at`. One without octets says nothing that a capture could hold, and is left out.
    pub fn packet(&mut self, at: Instant, packet: &PromiscuousPacket<'_>) {
        if packet.frame.is_empty() {
            return;
        }
        let radiotap = Radiotap {
            tsft_us: None,
            fcs: true,
            bad_fcs: packet.rx_state != 0,
            channel: Some(Channel::of(packet.channel)),
            signal_dbm: Some(packet.rssi_dbm),
            phy: packet.rate.phy(),
            other_rate: false,
            ampdu: None,
        };
        self.write(at, &radiotap, packet.frame);
    }

    fn write(&mut self, at: Instant, radiotap: &Radiotap, frame: &[u8]) {
        self.frames += 1;
        self.writer.packet(self.interface, self.origin.unix_nanos(at), |out| {
            radiotap.emit(out);
            out.extend_from_slice(frame);
        });
    }

    /// Frames written.
    pub const fn frames(&self) -> u64 {
        self.frames
    }

    /// Sink that the bytes go to.
    pub fn sink(&mut self) -> &mut S {
        self.writer.sink()
    }

    /// Ends the capture.
    pub fn into_sink(self) -> S {
        self.writer.into_sink()
    }
}

impl<S: Sink> Observer for WifiCapture<S> {
    fn heard(&mut self, now: Instant, station: StationId, frame: &[u8], info: &RxInfo) {
        if self.station.is_none_or(|only| only == station) {
            WifiCapture::heard(self, now, frame, info);
        }
    }
}
