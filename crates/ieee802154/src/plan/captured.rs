//! A run as a sniffer with the receiver's ears writes it down.

use alloc::vec::Vec;

use airtime_capture::pcapng::Writer;
use airtime_core::{Duration, EventLoop, Instant};
use airtime_link::{Captures, Origin, Sink};

use super::link::Point;
use super::run::network;
use crate::network::Observer;
use crate::trace::OnAir;
use crate::wire::tap::{Channel, FcsType, LINK_TYPE, Tap};

/// Name of the program in captures.
const APPLICATION: &str = "airtime";

/// Stretch of a run between two looks at whether anybody still wants it.
const STRETCH: Duration = Duration::from_millis(100);

/// Writes every frame on the air, with its time, in the order of their ends.
struct Sniffer<'a> {
    files: Vec<(Writer<&'a mut dyn Sink>, u32)>,
    origin: Origin,
    octets: Vec<u8>,
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
        for (writer, interface) in &mut self.files {
            writer.packet(*interface, self.origin.unix_nanos(on_air.end), |out| out.extend_from_slice(&self.octets));
        }
    }
}

/// Runs `point` once with `seed`, and writes its packets to all that is wanted.
pub fn captured(point: &Point, seed: u64, captures: Captures<'_>) {
    let Captures { wanted, origin, stop, .. } = captures;
    let begin = |sink| {
        let mut writer = Writer::new(sink, APPLICATION);
        let interface = writer.interface(LINK_TYPE, "air", "every frame, as its receiver has it");
        (writer, interface)
    };
    let files = wanted.into_iter().map(|capture| begin(capture.sink)).collect();
    let mut network = network(point, seed, Sniffer { files, origin, octets: Vec::new() });
    network.start(Instant::ZERO);
    let mut events = EventLoop::new(Instant::ZERO, &network);
    let end = Instant::ZERO + point.run.duration;
    let mut until = Instant::ZERO;
    while until < end && !stop() && !network.observer.files.iter_mut().any(|(writer, _)| writer.sink().has_failed()) {
        until = (until + STRETCH).min(end);
        events.run_until(&mut network, until);
    }
}
