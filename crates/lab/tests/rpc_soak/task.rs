//! What one call of the mix sends and expects: all of it follows from the call's number.

use airtime_core::Duration;
use airtime_core::random::{Stream, stream};
use airtime_rpc::Kind;
use airtime_rpc::service::{FLASH_READ_MAX, pattern};

/// Tag of the field that carries a call's number: field 15, four octets. The test service has no such field and passes it over,
/// as protobuf has it for those of later versions.
const NUMBER_TAG: u8 = 15 << 3 | 5;

/// Octets of that field.
const NUMBER_FIELD: usize = 5;

/// Longest text that is echoed, number included, with which a message is within what the service holds.
const TEXT_MAX: u64 = 240;

/// Longest write: a request of compatible mode goes up to 12 288 octets.
const WRITE_MAX: u64 = 8_000;

/// Longest stream, in items.
const ITEMS_MAX: u64 = 100;

/// Flash that is read.
const FLASH: u64 = 1 << 20;

/// Longest request and response of a task, in octets: what a call takes of memory at most.
pub const OCTETS_MAX: usize = FLASH_READ_MAX as usize + WRITE_MAX as usize;

/// Calls that there is a place for from the begin, so that the books of an hour do not grow either.
pub const CALLS_EXPECTED: usize = 1 << 19;

/// One call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Task {
    pub name: &'static str,
    pub kind: Kind,
    /// The messages that go, the first of which ends with the number.
    pub requests: Vec<Vec<u8>>,
    /// The messages that come if it ends well.
    pub responses: Vec<Vec<u8>>,
    /// A deadline of its own.
    pub patience: Option<Duration>,
    /// When it is cancelled, counted from its begin.
    pub cancelled_after: Option<Duration>,
}

impl Task {
    /// Call `number` of the run with `seed`.
    pub fn of(seed: u64, number: u32) -> Self {
        let mut chance = stream(seed, &format!("soak/call/{number}"));
        let mut task = match chance.below(5) {
            0 => echo(&mut chance, number),
            1 => data_write(&mut chance),
            2 => flash_read(&mut chance),
            3 => counter_stream(&mut chance),
            _ => counter_upload(&mut chance),
        };
        task.requests[0].push(NUMBER_TAG);
        task.requests[0].extend_from_slice(&number.to_le_bytes());
        task.patience = (chance.below(8) == 0).then(|| milliseconds(&mut chance, 20, 400));
        task.cancelled_after = (chance.below(12) == 0).then(|| milliseconds(&mut chance, 0, 200));
        task
    }

    fn new(name: &'static str, kind: Kind, requests: Vec<Vec<u8>>, responses: Vec<Vec<u8>>) -> Self {
        Self { name, kind, requests, responses, patience: None, cancelled_after: None }
    }
}

/// The number that the first request of a call ends with.
pub fn number(request: &[u8]) -> Option<u32> {
    let (tag, number) = request.last_chunk::<NUMBER_FIELD>()?.split_first()?;
    (*tag == NUMBER_TAG).then_some(u32::from_le_bytes(number.try_into().ok()?))
}

fn echo(chance: &mut Stream, number: u32) -> Task {
    let mut text = format!("call {number} ").into_bytes();
    text.resize(text.len() + chance.below(TEXT_MAX - text.len() as u64) as usize, b'.');
    let message = octets(1, &text);
    Task::new("echo", Kind::Unary, vec![message.clone()], vec![message])
}

fn data_write(chance: &mut Stream) -> Task {
    let first = chance.bits() as u8;
    let data: Vec<u8> = (0..1 + chance.below(WRITE_MAX)).map(|at| first.wrapping_add(at as u8)).collect();
    Task::new("data_write", Kind::Unary, vec![octets(1, &data)], vec![integer(1, data.len() as u32)])
}

fn flash_read(chance: &mut Stream) -> Task {
    let (address, length) = (chance.below(FLASH) as u32, 1 + chance.below(u64::from(FLASH_READ_MAX)) as u32);
    let data: Vec<u8> = (address..address + length).map(pattern).collect();
    let request = [integer(1, address), integer(2, length)].concat();
    Task::new("flash_read", Kind::Unary, vec![request], vec![[integer(1, address), octets(2, &data)].concat()])
}

fn counter_stream(chance: &mut Stream) -> Task {
    let count = chance.below(ITEMS_MAX) as u32;
    Task::new("counter_stream", Kind::ServerStream, vec![integer(1, count)], (0..count).map(item).collect())
}

fn counter_upload(chance: &mut Stream) -> Task {
    // The first item carries the number, so that there is one.
    let items = 1 + chance.below(ITEMS_MAX) as u32;
    Task::new("counter_upload", Kind::ClientStream, (0..items).map(item).collect(), vec![integer(1, items)])
}

/// An item of a stream of either direction: they look the same.
fn item(seq: u32) -> Vec<u8> {
    [integer(1, seq), integer(2, 10 * seq)].concat()
}

/// A field of a protocol buffer with a number, which is left out when it is zero.
fn integer(field: u8, value: u32) -> Vec<u8> {
    if value == 0 { Vec::new() } else { [vec![field << 3], varint(value)].concat() }
}

/// A field with octets or text.
fn octets(field: u8, octets: &[u8]) -> Vec<u8> {
    [&[field << 3 | 2], varint(octets.len() as u32).as_slice(), octets].concat()
}

/// Base 128, least significant group first.
fn varint(mut value: u32) -> Vec<u8> {
    let mut octets = Vec::new();
    while value >= 0x80 {
        octets.push(value as u8 | 0x80);
        value >>= 7;
    }
    octets.push(value as u8);
    octets
}

fn milliseconds(chance: &mut Stream, from: u64, to: u64) -> Duration {
    Duration::from_micros(1_000 * from + chance.below(1_000 * (to - from)))
}
