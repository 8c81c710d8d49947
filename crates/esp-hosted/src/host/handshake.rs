//! Handshake: the co-processor's description of itself when it starts, and the host's conclusions. Source:
//! `process_init_event`.

use airtime_core::Instant;

use super::receive::Incoming;
use super::start::Stage;
use super::{BACKLOG_MAX, Failure, Host, HostDrop, HostOutput};
use crate::wire::Header;
use crate::wire::start::{CoprocessorStart, HostStart, Version, capability, raw_throughput};

/// Chips that a host knows. Source: the list in `process_init_event`.
fn known(chip: u8) -> bool {
    use crate::wire::start::chip::{ESP32, ESP32_C2, ESP32_C3, ESP32_C5, ESP32_C6, ESP32_C61, ESP32_S2, ESP32_S3};
    matches!(chip, ESP32 | ESP32_S2 | ESP32_C3 | ESP32_S3 | ESP32_C2 | ESP32_C6 | ESP32_C61 | ESP32_C5)
}

/// Comparison of the versions of both sides; the patch level does not count. Source: `compare_fw_version`, which warns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Versions {
    /// Versions are the same.
    Same,
    /// The host is newer: "upgrade co-proc to avoid RPC timeouts".
    HostNewer,
    /// The co-processor is newer: "upgrade host to avoid compatibility issues".
    CoprocessorNewer,
}

/// Knowledge of a host about its co-processor once the transport is up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Handshake {
    /// Start-up event of the co-processor.
    pub coprocessor: CoprocessorStart,
    /// Comparison of the versions; without one the co-processor's counts as 0.0.0.
    pub versions: Versions,
    /// Set if it offers Wi-Fi over SDIO or SPI at all; a host only prints it.
    pub wlan: bool,
}

impl Host {
    /// A frame of the private interface.
    pub(super) fn private_frame(&mut self, now: Instant, incoming: &Incoming) {
        let start = (incoming.header.kind == Header::PRIVATE_EVENT)
            .then(|| CoprocessorStart::parse(&incoming.payload).ok())
            .flatten();
        let Some(start) = start else {
            return self.told.lost(HostDrop::Start, incoming.payload.len());
        };
        let Some(chip) = start.chip.filter(|&chip| known(chip)) else {
            // "ESP board type is not mentioned": the driver ignores the event, and waits on.
            return self.told.lost(HostDrop::Start, incoming.payload.len());
        };
        if chip != self.config.chip {
            return self.fail(Failure::Chip(chip));
        }
        if start.sdio_mode.is_some_and(|mode| mode != self.config.mode) {
            return self.fail(Failure::Mode);
        }
        self.up(now, start, chip);
    }

    fn up(&mut self, now: Instant, start: CoprocessorStart, chip: u8) {
        if self.start.stage == Stage::Up {
            // The co-processor has started again behind our back: nobody will answer what it was asked.
            self.abort_calls();
            self.throttled = false;
        }
        self.start.stage = Stage::Up;
        let layout = self.config.layout();
        let (high, low) = self.config.throttle_percent;
        let answer = HostStart {
            capabilities: Some(0),
            chip: Some(chip),
            raw_throughput: Some(raw_throughput::NONE),
            throttle_high_percent: Some(high),
            throttle_low_percent: Some(low),
            unknown: 0,
        };
        let mut frame = self.pool.packet();
        answer.emit(&layout, &mut frame);
        if self.backlog.len() < BACKLOG_MAX {
            self.backlog.push_back(frame);
        }
        self.next_frame(now);
        let handshake = Handshake {
            coprocessor: start,
            versions: compare(self.config.version, start.firmware.unwrap_or_default()),
            wlan: start.capabilities.is_some_and(|bits| bits & (capability::WLAN_SDIO | capability::WLAN_SPI) != 0),
        };
        self.told.say(HostOutput::Ready(handshake));
    }
}

fn compare(host: Version, coprocessor: Version) -> Versions {
    match (host.major, host.minor).cmp(&(coprocessor.major, coprocessor.minor)) {
        core::cmp::Ordering::Equal => Versions::Same,
        core::cmp::Ordering::Greater => Versions::HostNewer,
        core::cmp::Ordering::Less => Versions::CoprocessorNewer,
    }
}
