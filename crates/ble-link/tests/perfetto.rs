//! Just enough of protocol buffers to read a timeline back.

use std::collections::BTreeMap;

/// A field of a message: its number, and a number or octets.
pub enum Field<'a> {
    Number(u64, u64),
    Octets(u64, &'a [u8]),
}

/// The fields of a message.
pub fn fields(mut bytes: &[u8]) -> Vec<Field<'_>> {
    let mut fields = Vec::new();
    while !bytes.is_empty() {
        let tag = varint(&mut bytes);
        let value = varint(&mut bytes);
        fields.push(match tag & 7 {
            0 => Field::Number(tag >> 3, value),
            2 => {
                let (octets, rest) = bytes.split_at(value as usize);
                bytes = rest;
                Field::Octets(tag >> 3, octets)
            }
            other => panic!("wire type {other} is not used"),
        });
    }
    fields
}

fn varint(bytes: &mut &[u8]) -> u64 {
    let mut value = 0;
    for shift in (0..64).step_by(7) {
        let (octet, rest) = bytes.split_first().expect("a varint ends");
        *bytes = rest;
        value |= u64::from(octet & 0x7f) << shift;
        if octet & 0x80 == 0 {
            return value;
        }
    }
    panic!("a varint has at most ten octets");
}

fn number(message: &[u8], number: u64) -> Option<u64> {
    fields(message).into_iter().find_map(|field| match field {
        Field::Number(n, value) if n == number => Some(value),
        _ => None,
    })
}

fn octets(message: &[u8], number: u64) -> Vec<&[u8]> {
    let all = fields(message).into_iter();
    all.filter_map(|field| if let Field::Octets(n, octets) = field { (n == number).then_some(octets) } else { None })
        .collect()
}

fn text(message: &[u8], number: u64) -> String {
    String::from_utf8(octets(message, number).first().unwrap_or(&&[][..]).to_vec()).expect("text is UTF-8")
}

/// A span of a track.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slice {
    pub from: u64,
    pub to: u64,
    pub name: String,
    pub notes: BTreeMap<String, String>,
}

/// What one track holds.
#[derive(Clone, Debug, Default)]
pub struct Track {
    pub slices: Vec<Slice>,
    pub instants: Vec<(u64, String)>,
    pub counts: Vec<(u64, u64)>,
    open: Option<Slice>,
}

/// The tracks of a trace by the names on their paths.
pub fn tracks(trace: &[u8]) -> BTreeMap<String, Track> {
    let mut paths: BTreeMap<u64, String> = BTreeMap::new();
    let mut events = Vec::new();
    for packet in octets(trace, 1) {
        if let [descriptor] = octets(packet, 60)[..] {
            let process = octets(descriptor, 3);
            let name = process.first().map_or_else(|| text(descriptor, 2), |process| text(process, 6));
            let parent = number(descriptor, 5).map(|parent| format!("{}/", paths[&parent]));
            let id = number(descriptor, 1).expect("a track has a number");
            assert!(paths.insert(id, parent.unwrap_or_default() + &name).is_none(), "track {id} twice");
        }
        if let [event] = octets(packet, 11)[..] {
            events.push((number(packet, 8).expect("an event has a stamp"), event));
        }
    }
    // Perfetto sorts by stamp and keeps the order of the file within one.
    events.sort_by_key(|(at, _)| *at);
    let mut tracks = BTreeMap::new();
    for (at, event) in events {
        let path = &paths[&number(event, 11).expect("an event has a track")];
        take(tracks.entry(path.clone()).or_default(), at, event);
    }
    for (path, track) in &tracks {
        assert!(track.open.is_none(), "a slice of {path} never ends");
    }
    tracks
}

fn take(track: &mut Track, at: u64, event: &[u8]) {
    match number(event, 9) {
        Some(1) => {
            let notes = octets(event, 4).into_iter().map(|note| {
                let value = number(note, 3).or(number(note, 2)).map_or_else(|| text(note, 6), |n| n.to_string());
                (text(note, 10), value)
            });
            let slice = Slice { from: at, to: at, name: text(event, 23), notes: notes.collect() };
            assert!(track.open.replace(slice).is_none(), "two slices at {at}");
        }
        Some(2) => {
            let slice = track.open.take().expect("what ends has begun");
            track.slices.push(Slice { to: at, ..slice });
        }
        Some(3) => track.instants.push((at, text(event, 23))),
        Some(4) => track.counts.push((at, number(event, 30).expect("a counter has a value"))),
        other => panic!("an event of type {other:?}"),
    }
}
