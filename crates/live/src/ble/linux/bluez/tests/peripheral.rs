//! Peripherals on a bus that is none: calls of BlueZ's, and what comes of them.

use std::collections::VecDeque;

use airtime_core::{Duration, Instant};

use super::Fake;
use crate::ble::linux::bluez::objects::{
    ADVERTISEMENT, CHARACTERISTIC, Called, Happening, Objects, Offer, ROOT, Typed,
};
use crate::ble::linux::bluez::{
    Arguments, Bus, BusError, Call, Change, Peripheral, PeripheralConfig, ServedBus, Value,
};

/// Time between two calls of BlueZ's, or of a value and its confirmation: two intervals.
const PAUSE: Duration = Duration::from_millis(100);

/// BlueZ that calls back as it is told to.
struct Caller {
    bus: Fake,
    happenings: VecDeque<Happening>,
    told: Vec<Vec<u8>>,
    registered: Vec<(String, String)>,
    /// It confirms what is indicated.
    confirms: bool,
}

impl Caller {
    fn new(happenings: impl IntoIterator<Item = Happening>) -> Self {
        let happenings = happenings.into_iter().collect();
        Self { bus: Fake::new(), happenings, told: Vec::new(), registered: Vec::new(), confirms: true }
    }
}

impl Bus for Caller {
    fn call(&mut self, call: &Call<'_>) -> Result<Value, BusError> {
        self.bus.call(call)
    }

    fn watch(&mut self, path: &str) -> Result<(), BusError> {
        self.bus.watch(path)
    }

    fn change(&mut self, time: Duration) -> Result<Option<Change>, BusError> {
        self.bus.change(time)
    }

    fn now(&self) -> Instant {
        self.bus.now()
    }

    fn rest(&mut self, time: Duration) -> std::io::Result<()> {
        self.bus.rest(time)
    }

    fn is_stopped(&self) -> bool {
        self.bus.is_stopped()
    }
}

impl ServedBus for Caller {
    fn call_served(&mut self, call: &Call<'_>, objects: &Objects) -> Result<Value, BusError> {
        let Arguments::Object(path) = call.arguments else { panic!("{call:?}") };
        self.registered.push((call.method.to_owned(), path.to_owned()));
        // BlueZ reads what it is given before it answers.
        let method = if path == ROOT { "GetManagedObjects" } else { "GetAll" };
        assert!(objects.answer(&called(path, method)).is_some_and(|(answer, _)| answer.is_some()));
        self.bus.call(call)
    }

    fn serve(&mut self, _: &Objects, time: Duration) -> Result<Option<Happening>, BusError> {
        let happening = self.happenings.pop_front();
        self.bus.now += if happening.is_some() { PAUSE } else { time };
        Ok(happening)
    }

    fn tell(&mut self, path: &str, value: &[u8]) -> Result<(), BusError> {
        assert_eq!(path, CHARACTERISTIC);
        self.told.push(value.to_vec());
        if self.confirms {
            self.happenings.push_back(Happening::Confirmed);
        }
        Ok(())
    }
}

fn called(path: &str, method: &str) -> Called {
    Called { path: path.to_owned(), method: method.to_owned(), arguments: Vec::new() }
}

fn config(offer: Offer) -> PeripheralConfig {
    PeripheralConfig { adapter: None, name: "pi".to_owned(), offer, octets: 20, warmup: Duration::from_secs(1) }
}

#[test]
fn a_peripheral_hands_over_its_objects_and_publishes_its_psm() {
    let mut peripheral = Peripheral::new(Caller::new([Happening::Read]), config(Offer::Psm(0x0081)));
    assert_eq!(peripheral.adapter(), None);
    peripheral.run(Duration::from_secs(1)).unwrap();
    peripheral.run(Duration::from_secs(1)).unwrap();
    let registered = [("RegisterApplication", ROOT), ("RegisterAdvertisement", ADVERTISEMENT)];
    assert_eq!(peripheral.bus().registered, registered.map(|(method, path)| (method.to_owned(), path.to_owned())));
    assert_eq!(peripheral.adapter(), Some("00:1A:7D:DA:71:13"));
    assert!(peripheral.streaming().is_none(), "a PSM is no payload");
    let objects = Objects::new("pi".to_owned(), Offer::Psm(0x0081));
    let read = objects.answer(&called(CHARACTERISTIC, "ReadValue"));
    assert_eq!(read, Some((Some(Typed::Octets(vec![0x81, 0x00])), Happening::Read)));
    assert_eq!(objects.answer(&called(CHARACTERISTIC, "AcquireNotify")), None, "BlueZ has to ask for each value");
    assert_eq!(objects.answer(&called("/elsewhere", "GetAll")), None);
}

#[test]
fn values_that_are_written_are_counted() {
    let values = (0..41).map(|_| Happening::Written(vec![7; 100]));
    let mut peripheral = Peripheral::new(Caller::new(values), config(Offer::Written));
    peripheral.run(Duration::from_millis(4_100)).unwrap();
    assert_eq!(peripheral.octets(), 4_100);
    let (rate, now) = peripheral.rate();
    // 100 octets every 100 ms.
    assert!((7.9..=8.3).contains(&rate.steady_by(now).unwrap()), "{:?}", rate.steady_by(now));
}

#[test]
fn a_value_is_indicated_once_the_one_before_is_confirmed() {
    let mut peripheral = Peripheral::new(Caller::new([]), config(Offer::Indicated));
    peripheral.run(Duration::from_secs(1)).unwrap();
    assert!(peripheral.bus().told.is_empty(), "nobody has subscribed");
    let mut peripheral = Peripheral::new(Caller::new([Happening::Subscribed(true)]), config(Offer::Indicated));
    peripheral.run(Duration::from_secs(5)).unwrap();
    let told = peripheral.bus().told.len() as u64;
    // One of the 50 turns was the subscription; the last value is under way.
    assert_eq!((told, peripheral.octets()), (49, 49 * 20));
    let mut first = [0; 20];
    airtime_app::payload::write(2, &mut first);
    assert_eq!(peripheral.bus().told[2], first, "each has its number");
    let silent = Caller { confirms: false, ..Caller::new([Happening::Subscribed(true)]) };
    let mut unconfirmed = Peripheral::new(silent, config(Offer::Indicated));
    unconfirmed.run(Duration::from_secs(5)).unwrap();
    assert_eq!((unconfirmed.bus().told.len(), unconfirmed.octets()), (1, 0));
}

#[test]
fn what_bluez_does_not_advertise_is_told_of() {
    let refused = BusError::Refused {
        name: "org.bluez.Error.NotPermitted".to_owned(),
        text: "Maximum advertisements reached".to_owned(),
    };
    let bus = Fake { errors: vec![("RegisterAdvertisement", refused)], ..Fake::new() };
    let mut peripheral = Peripheral::new(Caller { bus, ..Caller::new([]) }, config(Offer::Written));
    let said = peripheral.run(Duration::from_secs(1)).unwrap_err().to_string();
    assert!(said.contains("does not take RegisterAdvertisement (Maximum advertisements reached)"), "{said}");
    let mut released = Peripheral::new(Caller::new([Happening::Released]), config(Offer::Written));
    let said = released.run(Duration::from_secs(1)).unwrap_err().to_string();
    assert!(said.contains("BlueZ advertises no more"), "{said}");
}
