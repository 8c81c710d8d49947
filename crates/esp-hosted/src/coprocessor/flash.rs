//! The co-processor's firmware in its flash, as its RPC server sees it.

use airtime_core::Duration;

use crate::rpc::proto::AppDescription;

/// Outcome of a flash operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Flashed {
    /// Result: done, or the error, an `esp_err_t` of [`status`](crate::rpc::status).
    pub result: Result<(), i32>,
    /// Time it took; the answer to the host waits for it.
    pub took: Duration,
}

/// Firmware that runs on the co-processor.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Firmware {
    /// Major, minor, patch: the answer to `GetCoprocessorFwVersion`.
    pub version: [u32; 3],
    /// The answer to `AppGetDesc`.
    pub description: AppDescription,
}

/// Slots for firmware, and which of them boots. Source: the handlers of OTA in `slave/main/slave_control.c`.
pub trait Flash: core::fmt::Debug {
    /// The bootloader runs: what it boots; none when there is nothing, and then the co-processor stays silent.
    fn boot(&mut self) -> Option<Firmware>;
    /// The host has been met: what runs works.
    fn confirm(&mut self) -> Flashed;
    /// An update begins.
    fn begin(&mut self) -> Flashed;
    /// The next octets of its image.
    fn write(&mut self, octets: &[u8]) -> Flashed;
    /// Ends an update: the octets so far were all.
    fn end(&mut self) -> Flashed;
    /// The next boot takes it.
    fn activate(&mut self) -> Flashed;
}
