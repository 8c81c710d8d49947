//! A device as the file of a personality describes it.

use airtime_core::Duration;
use airtime_keys::{Fault, Keys};

use super::{Device, INTERVAL_GRID, INTERVAL_MIN, Image, Program, Stack};
use airtime_ble::personality::{Controller, Host, Intervals};
use airtime_ble::transport::Bus;

/// Bluetooth LE device: the keys of its personality.
#[derive(Clone, Copy, Debug, PartialEq, Keys)]
#[keys(table = "", required)]
pub struct Personality {
    /// Owner of its host's stack, who can turn its knobs.
    #[key(default = "firmware")]
    pub stack: Stack,
    /// Image that it runs, by the build configuration that has its options: the lines to paste are of that one.
    #[key(default = "none")]
    pub image: Image,
    /// Its controller.
    #[key(nested)]
    pub controller: Controller,
    /// Its host.
    #[key(nested)]
    pub host: Host,
}

impl Personality {
    /// The device that has this personality, with the lab's own host.
    pub fn device(self, name: &str) -> Device {
        let Self { stack, image, controller, host } = self;
        Device { name: name.into(), controller, host, program: Program::Model, bus: Bus::Memory, stack, image }
    }
}

impl airtime_keys::Personality for Personality {
    const LINK: &'static str = "ble";
    const ABOUT: &'static str = "a Bluetooth LE device";

    fn check(&self) -> Result<(), Fault> {
        let intervals = &self.host.intervals;
        if intervals.min > intervals.max {
            let what = format!("`{}` is above `{}`", Intervals::MIN.name, Intervals::MAX.name);
            return Err(Fault::new(what).about([Intervals::MIN, Intervals::MAX]));
        }
        // Below 7.5 ms the grid of shorter connection intervals is finer.
        let on_grid = |span: Duration| span < INTERVAL_MIN || (span % INTERVAL_GRID).is_zero();
        if !on_grid(intervals.initial) {
            let what = format!("`{}` is not a multiple of {INTERVAL_GRID}", Intervals::INITIAL.name);
            return Err(Fault::new(what).about([Intervals::INITIAL]));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {

    use airtime_keys::{Key, Personality as _, Value};

    use super::*;

    #[test]
    fn every_key_comes_back_as_it_is_shown() {
        let policy = airtime_ble::personality::CreditPolicy::RefillBelow { initial: 9, below: 3 };
        let host = Host { credits: policy, flow_control: Some(4), ..Host::default() };
        let device = Personality { stack: Stack::Os, image: Image::None, controller: Controller::default(), host };
        let mut shown: Vec<(&str, Value)> = Vec::new();
        device.show(&(), &mut |key, value| shown.push((key.name, value)));
        let names: Vec<&str> = Personality::KEYS.iter().map(|key| key.name).collect();
        assert_eq!(shown.iter().map(|(name, _)| *name).collect::<Vec<_>>(), names);
        let set = |key: &Key| shown.iter().find(|(name, _)| *name == key.name).map(|(_, value)| value.clone());
        for key in Personality::KEYS {
            let value = set(key).unwrap();
            assert_eq!(key.kind.check(key.name, &value), Ok(value), "{}", key.name);
        }
        assert_eq!(Personality::read(&set), Ok(device));
    }

    #[test]
    fn intervals_that_no_central_grants_are_refused() {
        let intervals = |change: fn(&mut Intervals)| {
            let (controller, mut host) = (Controller::default(), Host::default());
            change(&mut host.intervals);
            Personality { stack: Stack::Firmware, image: Image::Zephyr, controller, host }
                .check()
                .map_err(|fault| fault.about)
        };
        assert_eq!(intervals(|_| ()), Ok(()));
        assert_eq!(intervals(|own| own.min = Duration::from_secs(5)).unwrap_err()[0], "host.intervals.min");
        assert_eq!(intervals(|own| own.initial = Duration::from_micros(8_000)), Err(vec!["host.intervals.initial"]));
    }
}
