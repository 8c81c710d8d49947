//! The log: `defmt`'s frames by the second UART.
#![allow(unsafe_code, reason = "`defmt::Logger` is an unsafe trait")]

use core::cell::{Cell, UnsafeCell};

use critical_section::RestoreState;

use crate::uart::LOG;

#[defmt::global_logger]
struct Logger;

/// The encoder, and the critical section that guards it.
struct Guarded {
    encoder: UnsafeCell<defmt::Encoder>,
    before: Cell<Option<RestoreState>>,
}

// SAFETY: between `acquire` and `release`, which alone touch it, nothing else runs.
unsafe impl Sync for Guarded {}

static GUARDED: Guarded = Guarded { encoder: UnsafeCell::new(defmt::Encoder::new()), before: Cell::new(None) };

/// An octet waits until the one before it is gone: a log with holes would look like one of another program.
fn send(octets: &[u8]) {
    octets.iter().for_each(|octet| while !LOG.send(*octet) {});
}

// SAFETY: `defmt` calls `acquire` first, `release` last, and neither within the other.
unsafe impl defmt::Logger for Logger {
    fn acquire() {
        // SAFETY: `release` ends it.
        let before = unsafe { critical_section::acquire() };
        GUARDED.before.set(Some(before));
        // SAFETY: see `Guarded`.
        unsafe { (*GUARDED.encoder.get()).start_frame(send) };
    }

    unsafe fn flush() {}

    unsafe fn release() {
        // SAFETY: see `Guarded`.
        unsafe { (*GUARDED.encoder.get()).end_frame(send) };
        if let Some(before) = GUARDED.before.take() {
            // SAFETY: as `acquire` was told.
            unsafe { critical_section::release(before) };
        }
    }

    unsafe fn write(octets: &[u8]) {
        // SAFETY: see `Guarded`.
        unsafe { (*GUARDED.encoder.get()).write(octets, send) };
    }
}
