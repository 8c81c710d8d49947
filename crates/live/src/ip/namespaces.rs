//! The two namespaces of a live link and the devices in them.

use std::path::Path;

use airtime_system::{Deed, FOLDER, Ipv4Network, Journal, Linux, SystemError, Tun, TunConfig};

/// The two ends of a link, by number.
pub const ENDS: [&str; 2] = ["a", "b"];

/// Names of the namespaces, by end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Names(pub [String; 2]);

impl Names {
    /// `NAME-a` and `NAME-b`; without a name, ones that no other process has.
    pub fn new(name: Option<&str>) -> Self {
        let stem = name.map_or_else(|| format!("airtime-{}", std::process::id()), str::to_owned);
        Self(ENDS.map(|end| format!("{stem}-{end}")))
    }
}

/// Two namespaces that go with this.
pub struct Namespaces {
    configs: [TunConfig; ENDS.len()],
    /// The device of each end, while it has one.
    devices: [Option<Tun>; ENDS.len()],
    // Behind the devices: those go first.
    journal: Journal,
}

impl Namespaces {
    /// Makes them, after undoing what a process that was killed has left; `says` is told of that. The journal is called like the
    /// `server`, and the device in each of them `name`.
    ///
    /// # Errors
    /// When the system refuses: namespaces are for root.
    pub fn make(
        names: &Names,
        server: &str,
        name: &str,
        mtu: u16,
        says: Box<dyn FnMut(&str)>,
    ) -> Result<Self, SystemError> {
        let mut journal = Journal::open(Path::new(FOLDER), server, Box::new(Linux), says)?;
        for name in &names.0 {
            journal.carry_out(Deed::namespace(name)?)?;
        }
        let device = |end: usize| TunConfig {
            name: name.to_owned(),
            namespace: Some(names.0[end].clone()),
            address: Ipv4Network { address: [10, 0, 0, end as u8 + 1].into(), length: 24 },
            mtu,
        };
        Ok(Self { configs: [device(0), device(1)], devices: [None, None], journal })
    }

    /// Configurations of the devices.
    pub fn configs(&self) -> &[TunConfig; ENDS.len()] {
        &self.configs
    }

    /// Makes the device of `end`.
    ///
    /// # Errors
    /// When the system refuses.
    pub fn open(&mut self, end: usize) -> Result<(), SystemError> {
        self.devices[end] = Some(Tun::open(&self.configs[end], self.journal.machine())?);
        Ok(())
    }

    /// The device of `end`, if it has one.
    pub fn device(&self, end: usize) -> Option<&Tun> {
        self.devices[end].as_ref()
    }

    /// The device of `end` goes.
    pub fn close(&mut self, end: usize) {
        self.devices[end] = None;
    }
}
