//! Byte strings read as scripts: what the fuzz targets run, and what the ordinary tests run with
//! random scripts and with the corpora of `fuzz/corpus`.
//!
//! A script is read to its end and never refused, so every byte string is one. Each byte keeps its
//! meaning when bytes behind it change, which is what lets a fuzzer learn.

pub mod air;
pub mod controller;
pub mod host;

use airtime_core::bytes::Reader;

/// Scripts longer than this add time and no new states.
const OCTETS_MAX: usize = 4096;

/// The bytes of a script, from which anything can be read at any time.
pub struct Script<'a>(Reader<'a>);

impl<'a> Script<'a> {
    /// Reads `bytes` from the start.
    pub fn new(bytes: &'a [u8]) -> Self {
        Self(Reader::new(&bytes[..bytes.len().min(OCTETS_MAX)]))
    }

    /// Whether nothing is left.
    pub fn is_done(&self) -> bool {
        self.0.is_empty()
    }

    /// The next octet, 0 behind the end.
    pub fn octet(&mut self) -> u8 {
        self.0.u8().unwrap_or(0)
    }

    /// The next word, little endian, 0 behind the end.
    pub fn word(&mut self) -> u16 {
        u16::from_le_bytes([self.octet(), self.octet()])
    }

    /// A length octet and the octets it stands for, or those that are left. Most values stand for a
    /// short packet, so that a random script does not end with its first.
    pub fn bytes(&mut self) -> &'a [u8] {
        let octet = usize::from(self.octet());
        let wanted = if octet < 0xf0 { octet & 0x1f } else { octet };
        self.0.take(wanted.min(self.0.rest().len())).unwrap_or(&[])
    }
}

/// Runs the script of the target with this name.
pub fn run(target: &str, bytes: &[u8]) {
    match target {
        "hci" => controller::hci(bytes),
        "ll_control" => controller::ll_control(bytes),
        "l2cap_att" => host::l2cap_att(bytes),
        other => panic!("no fuzz target is called {other}"),
    }
}
