//! The links as they declare themselves to the laboratory.

use std::any::Any;

use crate::plan::rpc::mode_name;
use crate::plan::{
    Advertiser, Carrier, Coc, Connection, Device, Gatt, Initiator, Intervals, Personality, Program, Rpc, Scenario,
    TABLES,
};
use airtime_keys::config::ConfigOption;
use airtime_keys::{Fault, Key, Mechanism, Run, Source, Table, Turns, Value, Words};
use airtime_link::config::Configurations;
use airtime_link::{Captures, DefaultLimit, Delivery, DeviceKind, Devices, Form, Link, Ran, Stop, Told};
use airtime_rpc::client::Mode;

use crate::config::BoardFiles;
use crate::{facts, foreign, limited, prices, run};

/// Streams and remote calls over Bluetooth LE.
#[derive(Clone, Copy, Debug)]
pub struct BleLink;

/// Kind of personality: a device with its controller and its host.
const DEVICE: DeviceKind = DeviceKind::of::<Personality>();

impl Link for BleLink {
    fn names(&self) -> &'static [&'static str] {
        Carrier::WORDS
    }

    fn about(&self) -> &'static str {
        "an L2CAP credit-based channel, GATT notifications and write commands, remote calls over either"
    }

    fn tables(&self) -> &'static [Table] {
        TABLES
    }

    fn accounts(&self) -> &'static [(&'static str, &'static str)] {
        airtime_ble::ledger::Account::LEGEND
    }

    fn phy_kbps(&self, told: &Told<'_>) -> f64 {
        facts::phy_kbps(told)
    }

    fn facts(&self, told: &Told<'_>) -> Vec<String> {
        facts::facts(told)
    }

    fn limited(&self, mechanism: Mechanism, before: &Told<'_>, after: &Told<'_>) -> Option<String> {
        limited::limited(mechanism, before, after)
    }

    fn prices(&self, before: &Told<'_>, after: &Told<'_>) -> Vec<String> {
        prices::prices(before, after)
    }

    fn delivery(&self, told: &Told<'_>) -> Delivery {
        facts::delivery(told)
    }

    fn device_kind(&self) -> Option<&'static DeviceKind> {
        Some(&DEVICE)
    }

    fn configurations(&self) -> Option<&'static dyn Configurations> {
        Some(&BoardFiles)
    }

    fn tacit(&self) -> Option<&'static Key> {
        Some(Coc::CREDITS)
    }

    fn limited_by_default(&self, account: &str, told: &Told<'_>) -> Option<DefaultLimit> {
        limited::by_default(account, told)
    }

    fn superseded(&self) -> &'static [[&'static Key; 2]] {
        &[[Intervals::CONN_INTERVAL, Intervals::REQUEST_INTERVAL]]
    }

    fn read(
        &self,
        name: &str,
        from: &dyn Source,
        devices: &dyn Devices,
    ) -> Result<Box<dyn airtime_link::Scenario>, Fault> {
        let kind = Carrier::from_word(name).expect("a plan is read by the link that has its name");
        let mut scenario = Scenario::read(kind, from, &|key, name| {
            devices.of::<Personality>(key, name).map(|personality| personality.device(name))
        })?;
        for (key, device) in [(Initiator::HOST, &mut scenario.central), (Advertiser::HOST, &mut scenario.peripheral)] {
            if let Program::Firmware(firmware) = &mut device.program {
                firmware.elf = devices.image(key, &firmware.path)?;
            }
        }
        foreign::check(&scenario, from)?;
        Ok(Box::new(Point(scenario)))
    }
}

/// One point of a plan over Bluetooth LE.
#[derive(Clone, Debug, PartialEq)]
pub struct Point(pub Scenario);

impl airtime_link::Scenario for Point {
    fn link(&self) -> &'static str {
        self.0.link.name()
    }

    fn run(&self) -> &Run {
        &self.0.run
    }

    fn show(&self, told: &mut dyn FnMut(&'static Key, Value)) {
        self.0.show(told);
    }

    fn devices(&self, told: &mut dyn FnMut(&'static str, &'static Key, Value)) {
        self.0.devices(told);
    }

    fn turns(&self, key: &Key) -> Turns {
        self.0.turns(key)
    }

    fn fitting(&self, key: &Key, now: u64) -> Vec<u64> {
        self.0.fitting(key, now)
    }

    fn most(&self, key: &Key) -> Option<u64> {
        self.0.most(key)
    }

    /// Several calls at a time need the mode that has them.
    fn companion(&self, key: &Key) -> Option<(&'static Key, Value)> {
        let compatible = self.0.rpc.as_ref()?.mode == Mode::Compatible;
        let several = key.name == Rpc::OUTSTANDING.name;
        (several && compatible).then(|| (Rpc::MODE, mode_name(Mode::Extended).into()))
    }

    /// Keys of a carrier mean nothing to calls over the other one.
    fn keeper(&self, key: &Key) -> String {
        let carriers = [Coc::MPS, Gatt::MTU].iter().any(|own| own.table() == key.table());
        let calls = self.0.rpc.as_ref().filter(|_| carriers);
        calls.map(|calls| format!("{}={}", Rpc::TRANSPORT.name, calls.transport.word())).unwrap_or_default()
    }

    fn has_option(&self, key: &Key, option: &ConfigOption) -> bool {
        let of = |device: &Device| device.program == Program::Model && device.image.has(option);
        match self.turns(key) {
            Turns::CentralApplication => of(&self.0.central),
            Turns::Os => false,
            _ => of(&self.0.peripheral),
        }
    }

    /// Zephyr takes the smaller of what it can send and receive for the ATT MTU, and no longer packet than one buffer of its host holds.
    // Zephyr, subsys/bluetooth/host/att_internal.h, BT_LOCAL_ATT_MTU_UATT; common/Kconfig, BT_BUF_ACL_RX_SIZE.
    fn lines_beside(&self, key: &Key, value: &Value) -> Vec<String> {
        const L2CAP_HEADER: u64 = 4;
        let octets = match key.name {
            name if name == Gatt::MTU.name => value.as_u64().map(|mtu| mtu + L2CAP_HEADER),
            name if name == Connection::DATA_LENGTH.name => value.as_u64(),
            _ => None,
        };
        octets.map(|octets| format!("CONFIG_BT_BUF_ACL_RX_SIZE={octets}")).into_iter().collect()
    }

    fn ran_unless(&self, seed: u64, stop: Stop<'_>) -> Ran {
        run::ran(&self.0, seed, stop)
    }

    fn captures(&self, form: Form) -> Result<Vec<String>, String> {
        Ok(run::captures(&self.0, form))
    }

    fn captured(&self, seed: u64, captures: Captures<'_>) {
        run::captured(&self.0, seed, captures);
    }

    fn boxed(&self) -> Box<dyn airtime_link::Scenario> {
        Box::new(self.clone())
    }

    fn as_any(&self) -> &dyn Any {
        &self.0
    }
}
