//! A run as a sniffer with the receiver's ears writes it down.

use alloc::vec::Vec;
use core::cell::Cell;

use airtime_capture::pcapng::Writer;
use airtime_core::{EventLoop, Instant};
use airtime_link::{Captures, Noted, Origin};

use super::link::Point;
use super::run::network;
use crate::network::Observer;
use crate::trace::OnAir;
use crate::wire::tap::{Channel, FcsType, LINK_TYPE, Tap};

/// Name of the program in captures.
const APPLICATION: &str = "airtime";

/// Writes every frame on the air, with its time, in the order of their ends.
struct Sniffer<'a> {
    files: Vec<(Writer<Noted<'a>>, u32)>,
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

/// Runs `point` once with `seed`, and writes its packets to all that is wanted, until nobody wants the rest or a file takes no more.
pub fn captured(point: &Point, seed: u64, captures: Captures<'_>) {
    let Captures { wanted, origin, stop, .. } = captures;
    let failed = Cell::new(false);
    let begin = |sink| {
        let mut writer = Writer::new(Noted::new(sink, &failed), APPLICATION);
        let heard = "every frame, as its receiver has it; one that it missed, as it was sent";
        let interface = writer.interface(LINK_TYPE, "air", heard);
        (writer, interface)
    };
    let files = wanted.into_iter().map(|capture| begin(capture.sink)).collect();
    let mut network = network(point, seed, Sniffer { files, origin, octets: Vec::new() });
    network.start(Instant::ZERO);
    let mut events = EventLoop::new(Instant::ZERO, &network);
    let end = Instant::ZERO + point.run.duration;
    events.run_unless(&mut network, end, &|| stop() || failed.get());
}
