//! Search for a board: an adapter, a scan, a connection, and the PSM that the board publishes.

use airtime_ble::host::Address;
use airtime_core::{Duration, Instant};

use super::bus::{Arguments, Bus, BusError, Call, Value};
use super::error::BluezError;
use crate::ble::scan::{Advertiser, shown};
use crate::ble::system::{FRAMES, PSM, Part, STREAM, Wanted};

/// Interfaces of BlueZ's objects.
const ADAPTER: &str = "org.bluez.Adapter1";
const DEVICE: &str = "org.bluez.Device1";
pub(super) const CHARACTERISTIC: &str = "org.bluez.GattCharacteristic1";

/// ATT MTU where BlueZ does not tell it, before 5.62: that of a fresh connection. Core 6.0, Vol 3, Part G, 5.2.1.
const ATT_MTU: u16 = 23;

/// Time between two looks at what BlueZ knows. *Assumed*: some advertising intervals of a board.
const LOOK_EVERY: Duration = Duration::from_millis(200);

/// Time in which services are found out: the transaction timeout of ATT. Core 6.0, Vol 3, Part F, 3.3.3.
const RESOLVE_MAX: Duration = Duration::from_secs(30);

/// Names that are told of when the right one is not among them.
const NAMES_TOLD: usize = 8;

/// Characteristic by which values travel.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Characteristic {
    /// Object of BlueZ's that it is.
    pub object: String,
    /// ATT MTU of the connection.
    pub att_mtu: u16,
}

/// Board that was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Board {
    /// Address of the adapter that has heard it.
    pub adapter: String,
    /// Its address, as `--address` takes it.
    pub address: String,
    /// PSM that it publishes, if that was wanted.
    pub psm: Option<u16>,
    /// Object of BlueZ's that is the board.
    pub object: String,
    /// Its stream of values or its frames, if either was wanted.
    pub values: Option<Characteristic>,
}

/// Course of a search.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Step {
    Begin,
    Search { until: Instant },
    Connect,
    Resolve { until: Instant },
    Found,
}

/// Search for a board through BlueZ.
pub struct Finder<B> {
    bus: B,
    wanted: Wanted,
    step: Step,
    /// Path and address of the adapter.
    adapter: (String, String),
    /// Path of the board's object, and its address.
    device: (String, String),
    connected: bool,
    psm: Option<u16>,
    values: Option<Characteristic>,
}

impl<B: Bus> Finder<B> {
    /// Search on `bus`, which begins with the first [`run`](Self::run).
    pub fn new(bus: B, wanted: Wanted) -> Self {
        let nothing = || (String::new(), String::new());
        Self {
            bus,
            wanted,
            step: Step::Begin,
            adapter: nothing(),
            device: nothing(),
            connected: false,
            psm: None,
            values: None,
        }
    }

    /// Step that is under way, in words; none while it scans.
    pub fn step(&self) -> Option<&'static str> {
        match self.step {
            Step::Begin | Step::Search { .. } => None,
            Step::Connect => Some("the connection"),
            Step::Resolve { .. } => Some("the discovery of its services"),
            Step::Found => Some("the channel"),
        }
    }

    /// True once the scan has ended with the board.
    pub fn is_heard(&self) -> bool {
        !matches!(self.step, Step::Begin | Step::Search { .. })
    }

    /// The bus that it is on.
    pub fn bus(&self) -> &B {
        &self.bus
    }

    /// The same, for whoever has found what was wanted.
    pub(super) fn bus_mut(&mut self) -> &mut B {
        &mut self.bus
    }

    /// Name that is looked for.
    pub(super) fn name(&self) -> &str {
        &self.wanted.name
    }

    /// Goes on for `time` or until somebody asks to stop; the board once it is found. A call that BlueZ is slow to answer may take longer.
    ///
    /// # Errors
    /// Why there is none.
    pub fn run(&mut self, time: Duration) -> Result<Option<Board>, BluezError> {
        let end = self.bus.now() + time;
        loop {
            self.turn()?;
            if self.step == Step::Found {
                let ((_, adapter), (object, address)) = (self.adapter.clone(), self.device.clone());
                return Ok(Some(Board { adapter, address, psm: self.psm, object, values: self.values.clone() }));
            }
            if self.bus.is_stopped() || self.bus.now() >= end {
                return Ok(None);
            }
        }
    }

    /// Goes on for `time` or until somebody asks to stop; address of the board once it is heard, before there is a connection.
    ///
    /// # Errors
    /// Why nobody is.
    pub(super) fn hear(&mut self, time: Duration) -> Result<Option<Address>, BluezError> {
        let end = self.bus.now() + time;
        while !self.is_heard() {
            if self.bus.is_stopped() || self.bus.now() >= end {
                return Ok(None);
            }
            self.turn()?;
        }
        let written = self.device.1.rsplit_once("random:").map_or(self.device.1.as_str(), |(_, address)| address);
        Ok(octets(written))
    }

    /// Begins the search anew: the connection that it has made is over.
    pub(super) fn begin_again(&mut self) {
        (self.step, self.connected) = (Step::Begin, false);
    }

    /// Everybody who is heard within the time of the search, or by the time the name is; empty names are looked for in vain.
    ///
    /// # Errors
    /// Why nobody can be heard.
    pub fn scan(&mut self) -> Result<Vec<Advertiser>, BluezError> {
        self.begin()?;
        let until = self.bus.now() + self.wanted.within;
        loop {
            let heard: Vec<_> = self.heard()?.into_iter().map(|(_, device)| advertiser(&device)).collect();
            let named = heard.iter().any(|heard| heard.name.as_ref() == Some(&self.wanted.name));
            if named || self.bus.is_stopped() || self.bus.now() >= until {
                // Discovery also ends with this program's connection to the bus.
                let _ = self.call(&self.adapter.0.clone(), ADAPTER, "StopDiscovery", Arguments::None);
                return Ok(heard);
            }
            self.bus.rest(LOOK_EVERY)?;
        }
    }

    /// Ends the connection that the search has made; whoever has gone already is left alone.
    pub fn hang_up(&mut self) {
        if std::mem::take(&mut self.connected) {
            let _ = self.call(&self.device.0.clone(), DEVICE, "Disconnect", Arguments::None);
        }
    }

    fn turn(&mut self) -> Result<(), BluezError> {
        match self.step.clone() {
            Step::Begin => {
                self.begin()?;
                self.step = Step::Search { until: self.bus.now() + self.wanted.within };
            }
            Step::Search { until } => self.search(until)?,
            Step::Connect => self.connect()?,
            Step::Resolve { until } => self.resolve(until)?,
            Step::Found => {}
        }
        Ok(())
    }

    fn call(&mut self, path: &str, interface: &str, method: &str, arguments: Arguments<'_>) -> Result<Value, BusError> {
        self.bus.call(&Call { path, interface, method, arguments })
    }

    /// Interface of all of BlueZ's objects that have it, by path.
    fn objects(&mut self, interface: &str) -> Result<Vec<(String, Value)>, BluezError> {
        objects(&mut self.bus, interface)
    }

    /// Chooses an adapter and has it scan.
    fn begin(&mut self) -> Result<(), BluezError> {
        self.adapter = adapter(&mut self.bus, self.wanted.adapter.as_deref())?;
        let path = self.adapter.0.clone();
        self.call(&path, ADAPTER, "SetDiscoveryFilter", Arguments::LowEnergy)?;
        match self.call(&path, ADAPTER, "StartDiscovery", Arguments::None) {
            Err(BusError::Refused { name, .. }) if name == "org.bluez.Error.NotReady" => {
                Err(BluezError::Off(self.adapter.1.clone()))
            }
            started => Ok(started.map(drop)?),
        }
    }

    /// Devices that the adapter hears; of those that it only remembers there is no strength.
    fn heard(&mut self) -> Result<Vec<(String, Value)>, BluezError> {
        let of_adapter = format!("{}/", self.adapter.0);
        let mut devices = self.objects(DEVICE)?;
        devices.retain(|(path, device)| {
            path.starts_with(&of_adapter) && (device.number("RSSI").is_some() || device.is("Connected"))
        });
        Ok(devices)
    }

    fn search(&mut self, until: Instant) -> Result<(), BluezError> {
        let heard = self.heard()?;
        let name = self.wanted.name.as_str();
        if let Some((path, device)) = heard.iter().find(|(_, device)| device.text("Name") == Some(name)) {
            self.device = (path.clone(), advertiser(device).to_string());
            let _ = self.call(&self.adapter.0.clone(), ADAPTER, "StopDiscovery", Arguments::None);
            self.step = if self.wanted.part == Part::Address { Step::Found } else { Step::Connect };
            return Ok(());
        }
        if self.bus.now() >= until {
            let mut names: Vec<String> =
                heard.iter().filter_map(|(_, device)| device.text("Name")).map(shown).collect();
            names.truncate(NAMES_TOLD);
            let heard =
                if names.is_empty() { "no name was heard".into() } else { format!("heard {}", names.join(", ")) };
            return Err(BluezError::NotFound { name: name.to_owned(), heard });
        }
        Ok(self.bus.rest(LOOK_EVERY)?)
    }

    fn connect(&mut self) -> Result<(), BluezError> {
        match self.call(&self.device.0.clone(), DEVICE, "Connect", Arguments::None) {
            Ok(_) => {
                self.connected = true;
                self.step = Step::Resolve { until: self.bus.now() + RESOLVE_MAX };
                Ok(())
            }
            Err(BusError::Refused { name, .. }) if name.contains(".Authentication") => {
                Err(BluezError::Pairing(self.wanted.name.clone()))
            }
            Err(error @ (BusError::Refused { .. } | BusError::Silent)) => match error.into() {
                BluezError::Bus(why) => {
                    Err(BluezError::Unconnected { name: self.wanted.name.clone(), why: why.to_string() })
                }
                other => Err(other),
            },
            Err(error) => Err(error.into()),
        }
    }

    /// Waits until the services are known, and has what is wanted of them.
    fn resolve(&mut self, until: Instant) -> Result<(), BluezError> {
        let name = self.wanted.name.clone();
        let path = self.device.0.clone();
        let device = self.objects(DEVICE)?.into_iter().find(|(known, _)| *known == path);
        let Some((_, device)) = device.filter(|(_, device)| device.is("Connected")) else {
            self.connected = false;
            return Err(BluezError::Gone(name));
        };
        if !device.is("ServicesResolved") {
            return if self.bus.now() >= until {
                Err(BluezError::Unresolved(name))
            } else {
                Ok(self.bus.rest(LOOK_EVERY)?)
            };
        }
        match self.wanted.part {
            Part::Address => {}
            Part::Psm => self.psm = Some(self.published(name)?),
            Part::Stream => self.values = Some(self.characteristic(STREAM)?.ok_or(BluezError::NoStream(name))?),
            Part::Frames => self.values = Some(self.characteristic(FRAMES)?.ok_or(BluezError::NoCalls(name))?),
        }
        self.step = Step::Found;
        Ok(())
    }

    /// The board's characteristic `uuid`, if it has it.
    fn characteristic(&mut self, uuid: &str) -> Result<Option<Characteristic>, BluezError> {
        let of_device = format!("{}/", self.device.0);
        let is_it = |(path, of): &(String, Value)| path.starts_with(&of_device) && of.text("UUID") == Some(uuid);
        let found = self.objects(CHARACTERISTIC)?.into_iter().find(is_it);
        Ok(found.map(|(object, of)| {
            let att_mtu = of.number("MTU").and_then(|mtu| u16::try_from(mtu).ok()).unwrap_or(ATT_MTU);
            Characteristic { object, att_mtu }
        }))
    }

    /// PSM that the board publishes.
    fn published(&mut self, name: String) -> Result<u16, BluezError> {
        let of_board = self.characteristic(PSM)?.ok_or_else(|| BluezError::NoPsm(name.clone()))?;
        let read = self.call(&of_board.object, CHARACTERISTIC, "ReadValue", Arguments::NoOptions);
        let psm = match read.map_err(|error| of_value(error, &name))?.octets().as_deref() {
            Some([low, high, ..]) => u16::from_le_bytes([*low, *high]),
            _ => 0,
        };
        // Zero is published where there is none.
        if psm == 0 { Err(BluezError::NoPsm(name)) } else { Ok(psm) }
    }
}

/// Reason that a value of the board `name` is not to be had. BlueZ src/gatt-client.c, create_gatt_dbus_error.
pub(super) fn of_value(error: BusError, name: &str) -> BluezError {
    match error {
        BusError::Refused { name: error, text } if error == "org.bluez.Error.NotAuthorized" || text == "Not paired" => {
            BluezError::Pairing(name.to_owned())
        }
        BusError::Refused { text, .. } if text == "Not connected" => BluezError::Gone(name.to_owned()),
        error => error.into(),
    }
}

/// Interface of all of BlueZ's objects that have it, by path.
fn objects(bus: &mut impl Bus, interface: &str) -> Result<Vec<(String, Value)>, BluezError> {
    let method = "GetManagedObjects";
    let interface_of_all = "org.freedesktop.DBus.ObjectManager";
    let all = bus.call(&Call { path: "/", interface: interface_of_all, method, arguments: Arguments::None })?;
    let Value::Dict(all) = all else { return Ok(Vec::new()) };
    let with = |(path, object): (String, Value)| Some((path, object.of(interface)?.clone()));
    Ok(all.into_iter().filter_map(with).collect())
}

/// Path and address of the adapter that is `wanted`, or of the only one that is powered.
///
/// # Errors
/// When there is none, or more than one.
pub(super) fn adapter(bus: &mut impl Bus, wanted: Option<&str>) -> Result<(String, String), BluezError> {
    chosen(objects(bus, ADAPTER)?, wanted)
}

/// Path and address of the one of `adapters` that is `wanted`, or of the only one that is powered.
fn chosen(adapters: Vec<(String, Value)>, wanted: Option<&str>) -> Result<(String, String), BluezError> {
    let address = |adapter: &Value| adapter.text("Address").unwrap_or_default().to_owned();
    let listed = |adapters: &[(String, Value)]| {
        let told = |(path, adapter): &(String, Value)| {
            format!("{} ({})", address(adapter), path.rsplit('/').next().unwrap_or_default())
        };
        adapters.iter().map(told).collect::<Vec<_>>().join(", ")
    };
    if adapters.is_empty() {
        return Err(BluezError::NoAdapter);
    }
    let (on, off): (Vec<_>, Vec<_>) = adapters.into_iter().partition(|(_, adapter)| adapter.is("Powered"));
    if let Some(wanted) = wanted {
        let all: Vec<_> = on.into_iter().chain(off).collect();
        let known = all.iter().find(|(_, adapter)| address(adapter).eq_ignore_ascii_case(wanted));
        let Some((path, adapter)) = known else {
            let are = format!("{} {}", if all.len() == 1 { "is" } else { "are" }, listed(&all));
            return Err(BluezError::OtherAdapter { wanted: wanted.to_owned(), are });
        };
        let address = address(adapter);
        return if adapter.is("Powered") { Ok((path.clone(), address)) } else { Err(BluezError::Off(address)) };
    }
    match on.as_slice() {
        [] => Err(BluezError::Off(listed(&off))),
        [(path, adapter)] => Ok((path.clone(), address(adapter))),
        several => Err(BluezError::Several(listed(several))),
    }
}

/// Advertiser that a device is.
fn advertiser(device: &Value) -> Advertiser {
    Advertiser {
        address: octets(device.text("Address").unwrap_or_default()).unwrap_or_default(),
        random: device.text("AddressType") == Some("random"),
        name: device.text("Name").map(shown),
        rssi_dbm: device.number("RSSI").and_then(|rssi| i8::try_from(rssi).ok()),
        connectable: None,
    }
}

/// Octets of an address, the last of its text first.
fn octets(text: &str) -> Option<Address> {
    let octets: Option<Vec<u8>> = text.rsplit(':').map(|octet| u8::from_str_radix(octet, 16).ok()).collect();
    octets?.try_into().ok()
}
