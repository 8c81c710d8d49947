//! Perfetto traces: tracks of slices, instants and counters, as protocol buffers.
//!
//! Field numbers are those of `protos/perfetto/trace/{trace_packet,track_event/*}.proto` of Perfetto; no field of those
//! messages has ever changed its number. Stamps are nanoseconds of virtual time in the trace's default clock.

mod reader;

use alloc::vec::Vec;

use airtime_core::Instant;

use crate::sink::Sink;
pub use reader::{Malformed, Packet, packet};

/// Number of a track within its trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Track(pub u64);

/// Value of an annotation of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value<'a> {
    /// A number.
    Count(u64),
    /// A word.
    Text(&'a str),
    /// Yes or no.
    Flag(bool),
}

/// A name and its value.
pub type Annotation<'a> = (&'a str, Value<'a>);

/// Writes a trace.
#[derive(Clone, Debug)]
pub struct Writer<S> {
    sink: S,
    packet: Vec<u8>,
    tracks: u64,
}

const SLICE_BEGIN: u64 = 1;
const SLICE_END: u64 = 2;
const INSTANT: u64 = 3;
const COUNTER: u64 = 4;

/// All packets are of one sequence, which needs a number (`trusted_packet_sequence_id`).
const SEQUENCE: u64 = 1;
/// Children of a track stand in the order of their ranks (`TrackDescriptor.ChildTracksOrdering.EXPLICIT`).
const BY_RANK: u64 = 3;
/// `CounterDescriptor.UNIT_COUNT`.
const UNIT_COUNT: u64 = 2;

impl<S: Sink> Writer<S> {
    /// A trace without tracks.
    pub fn new(sink: S) -> Self {
        Self { sink, packet: Vec::with_capacity(512), tracks: 0 }
    }

    /// A track at the top, shown as a process: `pid` tells it from others.
    pub fn process(&mut self, pid: u32, name: &str) -> Track {
        self.describe(|packet| {
            message(packet, 3, |process| {
                number(process, 1, pid.into());
                text(process, 6, name);
            });
        })
    }

    /// A track below `parent`; siblings are shown by `rank`.
    pub fn track(&mut self, parent: Track, rank: u32, name: &str) -> Track {
        self.describe(|packet| child(packet, parent, rank, name))
    }

    /// A counter below `parent`.
    pub fn counter_track(&mut self, parent: Track, rank: u32, name: &str) -> Track {
        self.describe(|packet| {
            child(packet, parent, rank, name);
            message(packet, 8, |counter| number(counter, 3, UNIT_COUNT));
        })
    }

    /// A span on `track`. Spans of one track follow one another.
    pub fn slice(&mut self, track: Track, from: Instant, to: Instant, name: &str, notes: &[Annotation<'_>]) {
        self.event(from, SLICE_BEGIN, track, |event| {
            text(event, 23, name);
            annotate(event, notes);
        });
        self.event(to, SLICE_END, track, |_| ());
    }

    /// A point on `track`.
    pub fn instant(&mut self, track: Track, at: Instant, name: &str, notes: &[Annotation<'_>]) {
        self.event(at, INSTANT, track, |event| {
            text(event, 23, name);
            annotate(event, notes);
        });
    }

    /// The value of the counter `track` from `at` on.
    pub fn count(&mut self, track: Track, at: Instant, value: u64) {
        self.event(at, COUNTER, track, |event| number(event, 30, value));
    }

    /// Sink that the bytes go to.
    pub fn sink(&mut self) -> &mut S {
        &mut self.sink
    }

    /// Ends the trace.
    pub fn into_sink(self) -> S {
        self.sink
    }

    fn describe(&mut self, fields: impl FnOnce(&mut Vec<u8>)) -> Track {
        self.tracks += 1;
        let track = Track(self.tracks);
        self.packet(|packet| {
            message(packet, 60, |descriptor| {
                number(descriptor, 1, track.0);
                fields(descriptor);
                number(descriptor, 11, BY_RANK);
            });
        });
        self.sink.put_head(&self.packet);
        track
    }

    fn event(&mut self, at: Instant, kind: u64, track: Track, fields: impl FnOnce(&mut Vec<u8>)) {
        self.packet(|packet| {
            number(packet, 8, at.as_nanos());
            message(packet, 11, |event| {
                number(event, 9, kind);
                number(event, 11, track.0);
                fields(event);
            });
        });
        self.sink.put(&self.packet);
    }

    fn packet(&mut self, fields: impl FnOnce(&mut Vec<u8>)) {
        self.packet.clear();
        message(&mut self.packet, 1, |packet| {
            fields(packet);
            number(packet, 10, SEQUENCE);
        });
    }
}

fn child(descriptor: &mut Vec<u8>, parent: Track, rank: u32, name: &str) {
    text(descriptor, 2, name);
    number(descriptor, 5, parent.0);
    number(descriptor, 12, rank.into());
}

fn annotate(event: &mut Vec<u8>, notes: &[Annotation<'_>]) {
    for (name, value) in notes {
        message(event, 4, |note| {
            text(note, 10, name);
            match value {
                Value::Flag(flag) => number(note, 2, u64::from(*flag)),
                Value::Count(count) => number(note, 3, *count),
                Value::Text(word) => text(note, 6, word),
            }
        });
    }
}

/// Wire types of protocol buffers.
const VARINT: u64 = 0;
const LENGTH_DELIMITED: u64 = 2;

fn number(out: &mut Vec<u8>, field: u64, value: u64) {
    varint(out, field << 3 | VARINT);
    varint(out, value);
}

fn text(out: &mut Vec<u8>, field: u64, text: &str) {
    varint(out, field << 3 | LENGTH_DELIMITED);
    varint(out, text.len() as u64);
    out.extend_from_slice(text.as_bytes());
}

/// A message in a message. Its length is written in four octets whatever it is, which a varint may be, so that it can
/// be filled in afterwards.
fn message(out: &mut Vec<u8>, field: u64, fields: impl FnOnce(&mut Vec<u8>)) {
    varint(out, field << 3 | LENGTH_DELIMITED);
    let start = out.len() + 4;
    out.resize(start, 0);
    fields(out);
    let octets = out.len() - start;
    assert!(octets < 1 << 28, "a message fits a length of four octets");
    for (n, octet) in out[start - 4..start].iter_mut().enumerate() {
        *octet = (octets >> (7 * n)) as u8 & 0x7f | if n < 3 { 0x80 } else { 0 };
    }
}

fn varint(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn golden_bytes() {
        let mut writer = Writer::new(Vec::new());
        let device = writer.process(7, "d");
        assert_eq!(
            *writer.sink(),
            b"\x0a\x96\x80\x80\x00\xe2\x03\x8e\x80\x80\x00\x08\x01\x1a\x85\x80\x80\x00\x08\x07\x32\x01d\x58\x03\x50\x01"
        );
        writer.sink().clear();
        let counter = writer.counter_track(device, 3, "c");
        assert_eq!(
            *writer.sink(),
            b"\x0a\x9a\x80\x80\x00\xe2\x03\x92\x80\x80\x00\x08\x02\x12\x01c\x28\x01\x60\x03\x42\x82\x80\
            \x80\x00\x18\x02\x58\x03\x50\x01"
        );
        writer.sink().clear();
        writer.count(counter, Instant::from_nanos(300), 5);
        assert_eq!(
            *writer.sink(),
            b"\x0a\x91\x80\x80\x00\x40\xac\x02\x5a\x87\x80\x80\x00\x48\x04\x58\x02\xf0\x01\x05\x50\x01"
        );
        writer.sink().clear();
        writer.instant(counter, Instant::ZERO, "x", &[("y", Value::Text("z"))]);
        assert_eq!(
            *writer.sink(),
            b"\x0a\x9c\x80\x80\x00\x40\x00\x5a\x93\x80\x80\x00\x48\x03\x58\x02\xba\x01\x01x\x22\x86\x80\
            \x80\x00\x52\x01y\x32\x01z\x50\x01"
        );
    }

    #[test]
    fn a_slice_is_two_packets() {
        let mut writer = Writer::new(Vec::new());
        let track = writer.process(1, "");
        writer.sink().clear();
        writer.slice(track, Instant::from_nanos(1), Instant::from_nanos(2), "s", &[]);
        let (begin, end): (&[u8], &[u8]) = (
            b"\x0a\x91\x80\x80\x00\x40\x01\x5a\x88\x80\x80\x00\x48\x01\x58\x01\xba\x01\x01s\x50\x01",
            b"\x0a\x8d\x80\x80\x00\x40\x02\x5a\x84\x80\x80\x00\x48\x02\x58\x01\x50\x01",
        );
        assert_eq!(*writer.sink(), [begin, end].concat());
    }
}
