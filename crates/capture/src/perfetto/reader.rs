//! Reading of the traces that [`Writer`](super::Writer) writes, a packet at a time.

use alloc::string::String;

use airtime_core::Instant;

use super::{COUNTER, INSTANT, LENGTH_DELIMITED, SLICE_BEGIN, SLICE_END, Track, VARINT};

/// Packet of a trace.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Packet {
    /// A track; one without a parent is a process.
    Track {
        /// Number of the track.
        track: Track,
        /// Track that it is below.
        parent: Option<Track>,
        /// Name of the track.
        name: String,
    },
    /// Beginning of a slice.
    Begin(Track, Instant, String),
    /// End of the slice that began last on its track.
    End(Track, Instant),
    /// Point on a track.
    Instant(Track, Instant, String),
    /// Value of a counter from an instant on.
    Count(Track, Instant, u64),
}

/// Error: the octets are not those of a whole packet of such a trace.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Malformed;

/// Reads the one packet that `octets` are.
///
/// # Errors
/// When it is no packet of [`Writer`](super::Writer)'s, or damaged.
pub fn packet(octets: &[u8]) -> Result<Packet, Malformed> {
    let whole = field(&mut &*octets, 1)?.ok_or(Malformed)?;
    let mut stamp = 0;
    let (mut descriptor, mut event) = (None, None);
    for entry in fields(whole) {
        match entry? {
            (8, Field::Number(nanos)) => stamp = nanos,
            (11, Field::Octets(octets)) => event = Some(octets),
            (60, Field::Octets(octets)) => descriptor = Some(octets),
            _ => {}
        }
    }
    match (descriptor, event) {
        (Some(octets), _) => described(octets),
        (None, Some(octets)) => happened(octets, Instant::from_nanos(stamp)),
        (None, None) => Err(Malformed),
    }
}

fn described(octets: &[u8]) -> Result<Packet, Malformed> {
    let (mut track, mut parent, mut name) = (None, None, String::new());
    for entry in fields(octets) {
        match entry? {
            (1, Field::Number(number)) => track = Some(Track(number)),
            (5, Field::Number(number)) => parent = Some(Track(number)),
            (2, Field::Octets(octets)) => name = text(octets),
            (3, Field::Octets(process)) => name = field(&mut &*process, 6)?.map(text).unwrap_or_default(),
            _ => {}
        }
    }
    Ok(Packet::Track { track: track.ok_or(Malformed)?, parent, name })
}

fn happened(octets: &[u8], at: Instant) -> Result<Packet, Malformed> {
    let (mut kind, mut track, mut name, mut value) = (0, None, String::new(), 0);
    for entry in fields(octets) {
        match entry? {
            (9, Field::Number(number)) => kind = number,
            (11, Field::Number(number)) => track = Some(Track(number)),
            (23, Field::Octets(octets)) => name = text(octets),
            (30, Field::Number(number)) => value = number,
            _ => {}
        }
    }
    let track = track.ok_or(Malformed)?;
    match kind {
        SLICE_BEGIN => Ok(Packet::Begin(track, at, name)),
        SLICE_END => Ok(Packet::End(track, at)),
        INSTANT => Ok(Packet::Instant(track, at, name)),
        COUNTER => Ok(Packet::Count(track, at, value)),
        _ => Err(Malformed),
    }
}

fn text(octets: &[u8]) -> String {
    String::from_utf8_lossy(octets).into_owned()
}

/// Value of a field.
enum Field<'a> {
    Number(u64),
    Octets(&'a [u8]),
}

/// Octets of the first field `number` of a message.
fn field<'a>(octets: &mut &'a [u8], number: u64) -> Result<Option<&'a [u8]>, Malformed> {
    for entry in fields(octets) {
        if let (n, Field::Octets(inner)) = entry?
            && n == number
        {
            return Ok(Some(inner));
        }
    }
    Ok(None)
}

/// Fields of a message, in their order; the last is an error where it is cut.
fn fields(mut octets: &[u8]) -> impl Iterator<Item = Result<(u64, Field<'_>), Malformed>> {
    core::iter::from_fn(move || {
        if octets.is_empty() {
            return None;
        }
        let entry = next(&mut octets).ok_or(Malformed);
        if entry.is_err() {
            octets = &[];
        }
        Some(entry)
    })
}

fn next<'a>(octets: &mut &'a [u8]) -> Option<(u64, Field<'a>)> {
    let key = varint(octets)?;
    let value = match key & 7 {
        VARINT => Field::Number(varint(octets)?),
        LENGTH_DELIMITED => {
            let length = usize::try_from(varint(octets)?).ok()?;
            let (inner, rest) = octets.split_at_checked(length)?;
            *octets = rest;
            Field::Octets(inner)
        }
        _ => return None,
    };
    Some((key >> 3, value))
}

fn varint(octets: &mut &[u8]) -> Option<u64> {
    let mut value = 0;
    for shift in (0..64).step_by(7) {
        let (octet, rest) = octets.split_first()?;
        *octets = rest;
        value |= u64::from(octet & 0x7f) << shift;
        if octet & 0x80 == 0 {
            return Some(value);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use alloc::borrow::ToOwned;
    use alloc::vec;
    use alloc::vec::Vec;

    use super::super::{Value, Writer};
    use super::*;
    use crate::Sink;

    /// Sink that reads each packet as it comes.
    #[derive(Default)]
    struct Packets(Vec<Packet>);

    impl Sink for Packets {
        fn put(&mut self, octets: &[u8]) {
            self.0.push(packet(octets).unwrap());
            for cut in 0..octets.len() {
                assert_eq!(packet(&octets[..cut]), Err(Malformed), "{cut} octets of {}", octets.len());
            }
        }
    }

    #[test]
    fn what_was_written_is_read() {
        let mut writer = Writer::new(Packets::default());
        let device = writer.process(7, "nRF");
        let lane = writer.track(device, 1, "PDUs");
        let credits = writer.counter_track(device, 2, "credits");
        let at = Instant::from_nanos;
        writer.slice(lane, at(1_500_000), at(1_508_000), "data 251", &[("sn", Value::Flag(true))]);
        writer.instant(lane, at(9), "lost", &[]);
        writer.count(credits, at(u64::MAX), 300);
        assert_eq!(
            writer.into_sink().0,
            vec![
                Packet::Track { track: device, parent: None, name: "nRF".to_owned() },
                Packet::Track { track: lane, parent: Some(device), name: "PDUs".to_owned() },
                Packet::Track { track: credits, parent: Some(device), name: "credits".to_owned() },
                Packet::Begin(lane, at(1_500_000), "data 251".to_owned()),
                Packet::End(lane, at(1_508_000)),
                Packet::Instant(lane, at(9), "lost".to_owned()),
                Packet::Count(credits, at(u64::MAX), 300),
            ]
        );
    }
}
