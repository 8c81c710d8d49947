//! The flash that the service reads: what the chip has mapped, the image itself.

use airtime_rpc::service::Flash;

/// Octets of the region: from the start of the RRAM, where the image is. nRF54L15 datasheet, Memory: 1524 kB.
const OCTETS: u32 = 1_524 * 1_024;

/// The chip's own memory, to be read and not to be written: a write would be to the image that runs, and goes through the
/// radio's timeslots at that (nrf-mpsl's rule). What is written to the service is taken, counted and forgotten.
#[derive(Clone, Copy, Debug, Default)]
pub struct Rram;

impl Flash for Rram {
    fn len(&self) -> u32 {
        OCTETS
    }

    fn read(&mut self, address: u32, into: &mut [u8]) {
        #[allow(unsafe_code, reason = "memory that no Rust object owns")]
        // SAFETY: the RRAM is mapped from address 0 on and always readable (nRF54L15 datasheet, Memory map); the caller has
        // checked the range, and `copy_from` reads octets, which may hold anything. Volatile: address 0 is no null here.
        for (offset, octet) in (address..OCTETS).zip(into) {
            *octet = unsafe { core::ptr::with_exposed_provenance::<u8>(offset as usize).read_volatile() };
        }
    }

    fn write(&mut self, _address: u32, _octets: &[u8]) {}
}
