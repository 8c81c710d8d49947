//! A run as a sniffer with the receiver's ears writes it down, and as a time line.

use alloc::vec::Vec;
use core::cell::Cell;

use airtime_capture::pcapng::Writer;
use airtime_core::{EventLoop, Instant};
use airtime_link::{Captures, Form, Noted, Origin};

use super::link::Point;
use super::run::network;
use super::timeline::Timeline;
use crate::network::Observer;
use crate::trace::{OnAir, Phase};
use crate::wire::tap::{Channel, FcsType, LINK_TYPE, Tap};

/// Name of the program in captures.
const APPLICATION: &str = "airtime";

/// Writes every frame on the air, with its time, in the order of their ends.
struct Sniffer<'a> {
    files: Vec<File<'a>>,
    origin: Origin,
    octets: Vec<u8>,
}

/// File of a capture.
enum File<'a> {
    /// Packets, on this interface.
    Air(Writer<Noted<'a>>, u32),
    Timeline(Timeline<Noted<'a>>),
}

impl<'a> File<'a> {
    fn new(form: Form, sink: Noted<'a>) -> Self {
        if form == Form::Timeline {
            return Self::Timeline(Timeline::new(sink));
        }
        let mut writer = Writer::new(sink, APPLICATION);
        let heard = "every frame, as its receiver has it; one that it missed, as it was sent";
        let interface = writer.interface(LINK_TYPE, "air", heard);
        Self::Air(writer, interface)
    }
}

impl Observer for Sniffer<'_> {
    fn transmission(&mut self, on_air: &OnAir, psdu: &[u8]) {
        let tap = Tap {
            fcs: FcsType::Crc16,
            channel: Some(Channel { number: on_air.channel.into(), page: 0 }),
            start: Some(on_air.start),
            end: Some(on_air.end),
            ..Tap::default()
        };
        self.octets.clear();
        tap.emit(&mut self.octets);
        self.octets.extend_from_slice(psdu);
        for file in &mut self.files {
            match file {
                File::Air(writer, interface) => {
                    let stamp = self.origin.unix_nanos(on_air.end);
                    writer.packet(*interface, stamp, |out| out.extend_from_slice(&self.octets));
                }
                File::Timeline(timeline) => timeline.frame(on_air),
            }
        }
    }

    fn phase(&mut self, now: Instant, station: usize, phase: Phase) {
        for file in &mut self.files {
            if let File::Timeline(timeline) = file {
                timeline.phase(now, station, phase);
            }
        }
    }
}

/// Runs `point` once with `seed`, and writes it to all that is wanted, until nobody wants the rest or a file takes no more.
pub fn captured(point: &Point, seed: u64, captures: Captures<'_>) {
    let Captures { wanted, origin, stop, .. } = captures;
    let failed = Cell::new(false);
    let files = wanted.into_iter().map(|capture| File::new(capture.form, Noted::new(capture.sink, &failed))).collect();
    let mut network = network(point, seed, Sniffer { files, origin, octets: Vec::new() });
    network.start(Instant::ZERO);
    let mut events = EventLoop::new(Instant::ZERO, &network);
    let end = Instant::ZERO + point.run.duration;
    events.run_unless(&mut network, end, &|| stop() || failed.get());
}
