//! The receiver's contexts.

use super::fields::{Static, decompress};
use super::{COMPRESSED, CONTEXTS, SETS_CONTEXT};
use crate::trace::DropPoint;
use crate::tunnel::integrity::check;
use crate::tunnel::ip::Outline;

/// The receiver's contexts.
#[derive(Debug, Default)]
pub(in crate::tunnel) struct Decompressor {
    contexts: [Option<Static>; CONTEXTS],
    /// Bit i: context i is to be asked for.
    wanted: u16,
}

impl Decompressor {
    /// Writes the packet that came as `octets` to `packet`; its length. `sum` is the check of the packet as it was.
    pub(in crate::tunnel) fn restore(
        &mut self,
        octets: &[u8],
        sum: u16,
        packet: &mut [u8],
    ) -> Result<usize, DropPoint> {
        let (&first, rest) = octets.split_first().ok_or(DropPoint::Malformed)?;
        let context = usize::from(first & 0xf);
        match first & 0xf0 {
            COMPRESSED => {
                let Some(fields) = &self.contexts[context] else {
                    self.wanted |= 1 << context;
                    return Err(DropPoint::Context);
                };
                let restored = decompress(fields, rest, packet).ok_or(DropPoint::Malformed);
                // A context that makes another packet of it than was sent is as good as none.
                let whole = restored.and_then(|len| checked(&packet[..len], sum).map(|_| len));
                self.wanted |= u16::from(whole.is_err()) << context;
                whole
            }
            SETS_CONTEXT => {
                let len = copied(rest, sum, packet)?;
                self.contexts[context] = Static::of(rest).map(|(fields, _)| fields);
                Ok(len)
            }
            _ => copied(octets, sum, packet),
        }
    }

    /// True if a context is to be asked for.
    pub(in crate::tunnel) fn wants(&self) -> bool {
        self.wanted != 0
    }

    /// A context to be asked for.
    pub(in crate::tunnel) fn take_wanted(&mut self) -> Option<u8> {
        let context = self.wants().then(|| self.wanted.trailing_zeros())?;
        self.wanted &= self.wanted - 1;
        Some(context as u8)
    }
}

fn checked(packet: &[u8], sum: u16) -> Result<(), DropPoint> {
    if check(packet) != sum {
        return Err(DropPoint::Integrity);
    }
    Outline::of(packet).map(|_| ()).ok_or(DropPoint::Malformed)
}

fn copied(octets: &[u8], sum: u16, packet: &mut [u8]) -> Result<usize, DropPoint> {
    checked(octets, sum)?;
    packet.get_mut(..octets.len()).ok_or(DropPoint::Malformed)?.copy_from_slice(octets);
    Ok(octets.len())
}
