//! Searches, streams and calls on a bus that is none.

mod calls;
mod peripheral;

use std::collections::BTreeMap;
use std::io;

use airtime_core::{Duration, Instant};

use self::calls::Board as Called;
use super::*;
use crate::ble::system::{Part, Values, Wanted, Way, Written};

const HCI0: &str = "/org/bluez/hci0";
const BOARD: &str = "/org/bluez/hci0/dev_C0_00_5E_00_01_02";
const PSM: &str = "/org/bluez/hci0/dev_C0_00_5E_00_01_02/service0010/char0011";
const STREAM: &str = "/org/bluez/hci0/dev_C0_00_5E_00_01_02/service0010/char0013";
const FRAMES: &str = "/org/bluez/hci0/dev_C0_00_5E_00_01_02/service0020/char0021";

/// Time of a read or a write with its answer: two intervals.
const TRANSACTION: Duration = Duration::from_millis(100);

fn dict<const N: usize>(of: [(&str, Value); N]) -> Value {
    Value::Dict(of.map(|(name, value)| (name.to_owned(), value)).into())
}

fn text(text: &str) -> Value {
    Value::Text(text.to_owned())
}

/// BlueZ with two adapters, the first of which is powered, and a board that is heard after a second.
struct Fake {
    objects: BTreeMap<String, Value>,
    /// Errors by method.
    errors: Vec<(&'static str, BusError)>,
    /// Methods that were called.
    calls: Vec<String>,
    now: Instant,
    /// Instant at which somebody asks to stop.
    stops: Instant,
    /// Instant at which the board goes.
    goes: Instant,
    value: Vec<u8>,
    /// Octets of the values that it notifies every 100 ms.
    notified: usize,
    /// Values that were written to its stream, and how.
    written: Vec<(Vec<u8>, Written)>,
    /// Board with remote calls.
    called: Option<Called>,
}

impl Fake {
    fn new() -> Self {
        let adapter = |address: &str, powered| {
            dict([("org.bluez.Adapter1", dict([("Address", text(address)), ("Powered", Value::Flag(powered))]))])
        };
        let objects = [
            (HCI0.to_owned(), adapter("00:1A:7D:DA:71:13", true)),
            ("/org/bluez/hci1".to_owned(), adapter("00:1A:7D:DA:71:14", false)),
        ];
        Self {
            objects: objects.into(),
            errors: Vec::new(),
            calls: Vec::new(),
            now: Instant::ZERO,
            stops: Instant::FAR_FUTURE,
            goes: Instant::FAR_FUTURE,
            value: vec![0x80, 0x00],
            notified: 244,
            written: Vec::new(),
            called: None,
        }
    }

    /// Characteristic of the board, once it is connected.
    fn characteristic(&mut self, path: &str, uuid: &str) {
        self.set(path, "org.bluez.GattCharacteristic1", "UUID", text(uuid));
        self.set(path, "org.bluez.GattCharacteristic1", "MTU", Value::Number(247));
    }

    /// Property that has changed.
    fn changed(path: &str, of: (&str, Value)) -> Option<Change> {
        Some(Change { path: path.to_owned(), properties: dict([of]) })
    }

    fn refusing(method: &'static str, name: &str, said: &str) -> Self {
        let refused = BusError::Refused { name: name.to_owned(), text: said.to_owned() };
        Self { errors: vec![(method, refused)], ..Self::new() }
    }

    fn did(&self, method: &str) -> bool {
        self.calls.iter().any(|call| call == method)
    }

    /// Property of an interface of an object.
    fn set(&mut self, path: &str, interface: &str, name: &str, value: Value) {
        let empty = || Value::Dict(BTreeMap::new());
        let Value::Dict(object) = self.objects.entry(path.to_owned()).or_insert_with(empty) else { panic!("{path}") };
        let Value::Dict(of) = object.entry(interface.to_owned()).or_insert_with(empty) else { panic!("{interface}") };
        of.insert(name.to_owned(), value);
    }

    /// Objects that BlueZ knows by now, with their properties.
    fn objects(&mut self) -> Value {
        let device = "org.bluez.Device1";
        if self.did("StartDiscovery") && self.now >= Instant::ZERO + Duration::from_secs(1) {
            for (name, value) in [
                ("Address", text("C0:00:5E:00:01:02")),
                ("AddressType", text("random")),
                ("Name", text("board")),
                ("RSSI", Value::Number(-40)),
                ("Connected", Value::Flag(self.did("Connect") && self.now < self.goes)),
                ("ServicesResolved", Value::Flag(self.did("Connect") && !self.did("Unresolved"))),
            ] {
                self.set(BOARD, device, name, value);
            }
            self.set("/org/bluez/hci0/dev_old", device, "Name", text("remembered"));
        }
        Value::Dict(self.objects.clone())
    }
}

impl Bus for Fake {
    fn call(&mut self, call: &Call<'_>) -> Result<Value, BusError> {
        self.calls.push(call.method.to_owned());
        if let Some((_, error)) = self.errors.iter().find(|(method, _)| *method == call.method) {
            return Err(error.clone());
        }
        match call.method {
            "GetManagedObjects" => Ok(self.objects()),
            "Connect" => {
                self.characteristic(PSM, "8d5f0002-4c5e-4a7b-9f3a-61697274696d");
                if self.notified > 0 {
                    self.characteristic(STREAM, "8d5f0003-4c5e-4a7b-9f3a-61697274696d");
                }
                if let Some(called) = &mut self.called {
                    called.connected(self.now);
                    self.characteristic(FRAMES, "12340002-0000-1000-8000-00805f9b34fb");
                }
                Ok(Value::Other)
            }
            "ReadValue" => {
                let octets = if call.path == PSM { self.value.clone() } else { vec![7; 246] };
                self.now += TRANSACTION;
                Ok(Value::List(octets.into_iter().map(|octet| Value::Number(octet.into())).collect()))
            }
            "StartNotify" if call.path == FRAMES => {
                self.called.as_mut().unwrap().subscribed(self.now);
                Ok(Value::Other)
            }
            "WriteValue" => {
                let Arguments::Write(octets, way) = call.arguments else { panic!("{call:?}") };
                if self.now >= self.goes {
                    return Err(BusError::Refused {
                        name: "org.bluez.Error.Failed".to_owned(),
                        text: "Not connected".to_owned(),
                    });
                }
                if let Some(called) = self.called.as_mut().filter(|_| call.path == FRAMES) {
                    called.write(self.now, octets, way);
                } else {
                    self.now += TRANSACTION;
                    self.written.push((octets.to_vec(), way));
                }
                Ok(Value::Other)
            }
            _ => Ok(Value::Other),
        }
    }

    fn watch(&mut self, path: &str) -> Result<(), BusError> {
        self.calls.push(format!("watch {path}"));
        Ok(())
    }

    fn change(&mut self, time: Duration) -> Result<Option<Change>, BusError> {
        let step = Duration::from_millis(100);
        if time < step {
            self.now += time;
            return Ok(None);
        }
        if let Some(frame) = self.called.as_mut().filter(|_| self.now < self.goes).and_then(Called::notified) {
            self.now += Duration::from_millis(1);
            let octets = frame.into_iter().map(|octet| Value::Number(octet.into())).collect();
            return Ok(Self::changed(FRAMES, ("Value", Value::List(octets))));
        }
        self.now += step;
        if self.now >= self.goes {
            if let Some(called) = &mut self.called {
                called.lost(self.now);
                self.goes = Instant::FAR_FUTURE;
            }
            return Ok(Self::changed(BOARD, ("Connected", Value::Flag(false))));
        }
        assert!(self.did("StartNotify"));
        let value = || ("Value", Value::List(vec![Value::Number(7); self.notified]));
        Ok(if self.called.is_some() { None } else { Self::changed(STREAM, value()) })
    }

    fn now(&self) -> Instant {
        self.now
    }

    fn rest(&mut self, time: Duration) -> io::Result<()> {
        self.now += time;
        Ok(())
    }

    fn is_stopped(&self) -> bool {
        self.now >= self.stops
    }
}

fn wanted(name: &str) -> Wanted {
    Wanted { adapter: None, name: name.to_owned(), within: Duration::from_secs(15), part: Part::Psm }
}

/// BlueZ that looks for the stream of the board.
fn streams(bus: Fake) -> Bluez<Fake> {
    Bluez::new(bus, Wanted { part: Part::Stream, ..wanted("board") })
}

fn finder(bus: Fake) -> Finder<Fake> {
    Finder::new(bus, wanted("board"))
}

fn refused(bus: Fake) -> String {
    finder(bus).run(Duration::from_secs(60)).unwrap_err().to_string()
}

#[test]
fn a_board_is_found_by_its_name_with_the_psm_that_it_publishes() {
    let mut finder = finder(Fake::new());
    assert_eq!(finder.run(Duration::from_millis(500)).unwrap(), None, "nobody is heard in the first second");
    assert!(!finder.is_heard() && finder.step().is_none());
    let board = finder.run(Duration::from_secs(60)).unwrap().unwrap();
    assert_eq!((board.adapter.as_str(), board.psm), ("00:1A:7D:DA:71:13", Some(0x0080)));
    assert_eq!(board.address, "random:C0:00:5E:00:01:02");
    finder.hang_up();
    finder.hang_up();
    let calls = &finder.bus().calls;
    assert_eq!(calls.iter().filter(|call| *call == "Disconnect").count(), 1);
    assert!(calls.iter().position(|call| call == "StopDiscovery") < calls.iter().position(|call| call == "Connect"));
}

#[test]
fn a_psm_that_is_known_needs_no_connection_of_bluez() {
    let mut finder = Finder::new(Fake::new(), Wanted { part: Part::Address, ..wanted("board") });
    assert_eq!(finder.run(Duration::from_secs(60)).unwrap().unwrap().psm, None);
    assert!(!finder.bus().did("Connect"));
}

#[test]
fn values_are_counted_from_the_first_that_is_notified() {
    let mut values = Values::new(streams(Fake::new()), Way::Notified, Duration::from_secs(1));
    values.run(Duration::from_millis(500)).unwrap();
    assert!(!values.is_open() && values.streaming().is_none());
    values.run(Duration::from_secs(10)).unwrap();
    let calls = &values.host().bus().calls;
    let place = |name: &str| calls.iter().position(|call| call == name).unwrap();
    assert!(place(&format!("watch {STREAM}")) < place("StartNotify"), "none is missed");
    let (rate, now) = values.rate();
    // 244 octets every 100 ms, of which the first comes with the begin of what is measured.
    let kbps = rate.steady_by(now).unwrap();
    assert!((19.52..19.75).contains(&kbps), "{kbps}");
    assert!(values.octets() > 80 * 244 && values.octets().is_multiple_of(244), "{}", values.octets());
    values.hang_up();
    assert!(values.host().bus().did("Disconnect"));
}

/// A read or a write in each two intervals of 50 ms: what is counted is what was answered.
#[test]
fn values_are_read_and_written_one_as_soon_as_the_one_before_is_answered() {
    let over = |way| {
        let mut values = Values::new(streams(Fake::new()), way, Duration::from_secs(1));
        values.run(Duration::from_secs(12)).unwrap();
        assert!(values.streaming().is_some() && !values.host().bus().did("StartNotify"));
        let (rate, now) = values.rate();
        let bus = values.host().bus();
        (rate.steady_by(now).unwrap(), bus.written.clone(), values.octets())
    };
    // 10 values a second, and with the one at its begin 101 in ten of them.
    let (kbps, _, _) = over(Way::Read);
    assert!((19.6..=19.9).contains(&kbps), "{kbps}");
    let (kbps, written, octets) = over(Way::Written { octets: 512, long: false });
    assert!((19.4..19.8).contains(&kbps), "{kbps}");
    assert!(
        written.iter().all(|(value, way)| value.len() == 244 && *way == Written::Request),
        "one request carries 244"
    );
    assert_eq!(octets, written.len() as u64 * 244);
    let mut first = [0; 244];
    airtime_app::payload::write(3, &mut first);
    assert_eq!(written[3].0, first, "each has its number");
    let (_, written, _) = over(Way::Written { octets: 512, long: true });
    assert!(written.iter().all(|(value, _)| value.len() == 512));
}

#[test]
fn a_stream_that_is_not_there_or_ends_is_told_of() {
    let said = |bus: Fake| {
        let mut values = Values::new(streams(bus), Way::Notified, Duration::ZERO);
        let error = values.run(Duration::from_secs(30)).unwrap_err();
        (error.to_string(), values.octets())
    };
    let (none, _) = said(Fake { notified: 0, ..Fake::new() });
    assert!(none.contains("`board` has no characteristic of the test's stream"), "{none}");
    let (pairing, _) = said(Fake::refusing("StartNotify", "org.bluez.Error.NotPermitted", "Not paired"));
    assert!(pairing.contains("bluetoothctl pair"), "{pairing}");
    let (left, octets) = said(Fake { goes: Instant::ZERO + Duration::from_secs(5), ..Fake::new() });
    assert!(left.contains("`board` has gone in mid-stream") && octets > 0, "{left}, {octets}");
    let bus = Fake { goes: Instant::ZERO + Duration::from_secs(5), ..Fake::new() };
    let mut writes = Values::new(streams(bus), Way::Written { octets: 20, long: false }, Duration::ZERO);
    let left = writes.run(Duration::from_secs(30)).unwrap_err().to_string();
    assert!(left.contains("`board` has gone in mid-stream") && writes.octets() > 0, "{left}");
}

#[test]
fn who_is_heard_is_listed_and_who_is_remembered_is_not() {
    let mut finder = Finder::new(Fake::new(), wanted(""));
    let heard = finder.scan().unwrap();
    let [board] = heard.as_slice() else { panic!("{heard:?}") };
    assert_eq!((board.name.as_deref(), board.rssi_dbm, board.random), (Some("board"), Some(-40), true));
    assert!(finder.bus().now() >= Instant::ZERO + Duration::from_secs(15), "it listens to the end");
    let mut named = Finder::new(Fake::new(), wanted("board"));
    named.scan().unwrap();
    assert!(named.bus().now() < Instant::ZERO + Duration::from_secs(15), "a name that is heard ends it");
}

#[test]
fn whoever_stops_it_waits_no_longer() {
    let stops = Instant::ZERO + Duration::from_millis(400);
    let mut finder = finder(Fake { stops, ..Fake::new() });
    assert_eq!(finder.run(Duration::from_secs(60)).unwrap(), None);
    assert_eq!(finder.bus().now(), stops);
}

#[test]
fn each_refusal_of_bluez_says_what_to_do() {
    const DBUS: &str = "org.freedesktop.DBus.Error";
    for (method, name, said, words) in [
        ("GetManagedObjects", format!("{DBUS}.ServiceUnknown"), "", "systemctl start bluetooth"),
        ("GetManagedObjects", format!("{DBUS}.Spawn.ChildExited"), "", "systemctl start bluetooth"),
        ("GetManagedObjects", format!("{DBUS}.AccessDenied"), "", "the group `bluetooth`"),
        ("StartDiscovery", "org.bluez.Error.NotReady".into(), "Resource Not Ready", "is off: `bluetoothctl power on`"),
        (
            "Connect",
            "org.bluez.Error.Failed".into(),
            "le-connection-abort-by-local",
            "le-connection-abort-by-local; it may",
        ),
        ("Connect", "org.bluez.Error.AuthenticationRejected".into(), "", "bluetoothctl pair"),
        ("ReadValue", "org.bluez.Error.NotPermitted".into(), "Not paired", "bluetoothctl pair"),
        ("ReadValue", "org.bluez.Error.Failed".into(), "Not connected", "has gone while its services were read"),
        (
            "ReadValue",
            "org.bluez.Error.Failed".into(),
            "ATT error: 0x0e",
            "BlueZ: org.bluez.Error.Failed: ATT error: 0x0e",
        ),
    ] {
        let said = refused(Fake::refusing(method, &name, said));
        assert!(said.contains(words), "{method}, {name}: {said}");
    }
    let lost = Fake { errors: vec![("Connect", BusError::Silent)], ..Fake::new() };
    assert!(refused(lost).contains("no answer for 45s"));
}

#[test]
fn each_lack_of_a_machine_or_a_board_says_what_to_do() {
    let powered = |path: &str, powered| {
        let mut bus = Fake::new();
        bus.set(path, "org.bluez.Adapter1", "Powered", Value::Flag(powered));
        refused(bus)
    };
    assert!(powered(HCI0, false).contains("the adapter 00:1A:7D:DA:71:13 (hci0), 00:1A:7D:DA:71:14 (hci1) is off"));
    assert!(powered("/org/bluez/hci1", true).contains("several adapters are powered: 00:1A:7D:DA:71:13 (hci0), "));
    assert!(refused(Fake { objects: BTreeMap::new(), ..Fake::new() }).contains("BlueZ has no adapter"));
    for value in [vec![0, 0], vec![0x80], vec![]] {
        assert!(refused(Fake { value, ..Fake::new() }).contains("--psm 0x0080"));
    }
    let gone = Fake { goes: Instant::ZERO, ..Fake::new() };
    assert!(refused(gone).contains("`board` has gone while its services were read"));
    let unresolved = Fake { calls: vec!["Unresolved".into()], ..Fake::new() };
    assert!(refused(unresolved).contains("bluetoothctl remove"));
    let mut other = Finder::new(Fake::new(), wanted("bord"));
    let said = other.run(Duration::from_secs(60)).unwrap_err().to_string();
    assert!(said.contains("nobody advertises as `bord` (heard board); "), "{said}");
}

#[test]
fn the_adapter_that_is_asked_for_is_taken() {
    let on = |adapter: &str| {
        let mut bus = Fake::new();
        bus.set("/org/bluez/hci2", "org.bluez.Adapter1", "Address", text("00:1A:7D:DA:71:15"));
        bus.set("/org/bluez/hci2", "org.bluez.Adapter1", "Powered", Value::Flag(true));
        let wanted = Wanted { adapter: Some(adapter.to_owned()), part: Part::Address, ..wanted("board") };
        Finder::new(bus, wanted).run(Duration::from_secs(60))
    };
    assert_eq!(on("00:1a:7d:da:71:13").unwrap().unwrap().adapter, "00:1A:7D:DA:71:13");
    assert!(on("00:1A:7D:DA:71:14").unwrap_err().to_string().contains("71:14 is off"));
    let other = on("00:1A:7D:DA:71:99").unwrap_err().to_string();
    assert!(other.contains("there is no adapter 00:1A:7D:DA:71:99: there are 00:1A:7D:DA:71:13 (hci0), "), "{other}");
    // The board is in reach of another adapter than this.
    assert!(on("00:1A:7D:DA:71:15").unwrap_err().to_string().contains("no name was heard"));
}
