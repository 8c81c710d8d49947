//! Keys of power save: when the station dozes, and when it hears of the frames that wait for it.

use airtime_core::Duration;
use airtime_keys::{Keys, Words};

use super::Context;
use crate::cell;
use crate::cell::StationId;

/// Beacons from one that an ESP32 in maximum modem sleep wakes for to the next. ESP-IDF, `wifi_sta_config_t`, `listen_interval`: 3 if it
/// is 0.
const LISTEN_INTERVAL: u16 = 3;

/// Beacons from one DTIM to the next. *Assumed*: hostapd has 2, most routers and the SoftAP of ESP-IDF have 1.
const DTIM_PERIOD: u8 = 1;

/// Time for which an ESP32 stays awake behind a frame. ESP-IDF, `CONFIG_ESP_WIFI_SLP_DEFAULT_MIN_ACTIVE_TIME`.
const MIN_ACTIVE: Duration = Duration::from_millis(50);

/// Keys of power save.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Keys)]
#[keys(table = "wifi", context = Context)]
pub struct PowerSave {
    /// Power save of the station, which is the far host where the co-processor is the access point: none, or as an ESP32 dozes:
    /// with `min-modem` (`WIFI_PS_MIN_MODEM`, what ESP-IDF has if nobody sets it) it wakes for every DTIM, with `max-modem`
    /// (`WIFI_PS_MAX_MODEM`) every `wifi.listen_interval` beacons. Meanwhile the access point holds its frames.
    #[key(from = "none", whose = CoprocessorFirmware, mechanism = Handover, way = Less)]
    pub power_save: Option<Saving>,
    /// Beacons from one that the station wakes for to the next, in `max-modem`.
    #[key(
        range = 1..=100, unit = "beacons", from = "3", whose = CoprocessorFirmware, when = Context::listens,
        mechanism = Handover, way = Less
    )]
    pub listen_interval: Option<u16>,
    /// Beacons from one DTIM of the access point to the next: what the station wakes for in `min-modem`.
    #[key(
        range = 1..=255, unit = "beacons", from = "1", whose = AccessPoint, when = Context::dozes,
        mechanism = Handover, way = Less
    )]
    pub dtim_period: Option<u8>,
    /// Time for which the station stays awake behind its last frame of data, either way.
    #[key(
        range = "1ms"..="60s", from = "50ms", whose = CoprocessorFirmware, when = Context::dozes, mechanism = Handover,
        way = More
    )]
    pub min_active: Option<Duration>,
}

/// Power save of a station.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Words)]
pub enum Saving {
    /// None.
    None,
    /// It wakes for every DTIM.
    MinModem,
    /// It wakes every so many beacons.
    MaxModem,
}

impl PowerSave {
    /// Fills in what the plan left out, where a station dozes.
    pub fn fill(&mut self) {
        if self.dozes() {
            self.min_active.get_or_insert(MIN_ACTIVE);
            self.dtim_period.get_or_insert(DTIM_PERIOD);
        }
        if self.listens() {
            self.listen_interval.get_or_insert(LISTEN_INTERVAL);
        }
    }

    /// Power save in effect.
    pub fn saving(&self) -> Saving {
        self.power_save.unwrap_or(Saving::None)
    }

    /// Tells if the station dozes.
    pub fn dozes(&self) -> bool {
        self.saving() != Saving::None
    }

    /// Tells if it chooses the beacons that it wakes for.
    pub fn listens(&self) -> bool {
        self.saving() == Saving::MaxModem
    }

    /// Power save of `station`, if it has one.
    pub fn of(&self, station: StationId) -> Option<cell::PowerSave> {
        let dtim_period = self.dtim_period.unwrap_or(DTIM_PERIOD);
        let every = if self.listens() { self.listen_interval } else { Some(dtim_period.into()) };
        self.dozes().then(|| cell::PowerSave {
            station,
            every: every.unwrap_or(LISTEN_INTERVAL),
            dtim_period,
            min_active: self.min_active.unwrap_or(MIN_ACTIVE),
        })
    }
}
