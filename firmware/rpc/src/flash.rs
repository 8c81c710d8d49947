//! The flash that the service reads: a region of the RRAM set aside for it, outside of code, constants and keys.

use airtime_rpc::service::{RomFlash, pattern};

/// Octets of the region, as `memory.x` has it: the largest object of the benchmarks (`rpc.payload` of a large object) and a
/// multiple of the 8192 of a published `flash_read`.
const OCTETS: usize = 256 * 1_024;

/// Content that clients read, as documented. It is part of the image, so that flashing overwrites whatever an earlier program
/// has left in the region.
#[allow(unsafe_code, reason = "the region has to be apart from code, constants and keys")]
// SAFETY: `memory.x` gives the section a region of the RRAM that nothing else uses; data that nobody writes may be there.
#[unsafe(link_section = ".served")]
static SERVED: [u8; OCTETS] = {
    let mut octets = [0; OCTETS];
    let mut address = 0;
    while address < OCTETS {
        octets[address] = pattern(address as u32);
        address += 1;
    }
    octets
};

/// The memory of the service. Clients' addresses count from the beginning of the region, not of the RRAM. It is read and not
/// written: a write to RRAM goes through the radio's timeslots (nrf-mpsl's rule). What is written to the service is taken,
/// counted and forgotten.
pub(crate) fn served() -> RomFlash<'static> {
    RomFlash::new(&SERVED)
}
