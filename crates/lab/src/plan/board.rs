//! Settings of a build configuration in a plan: of one of its devices, wherever that device is the one a key is about.

use airtime_ble_link::plan::{Advertiser, Connection, Direction, Initiator};
use airtime_keys::{Field, Key, Knob};

use super::settings::{Assignment, Settings};
use crate::schema;
use crate::toml::PlanError;

/// End of a link of Bluetooth LE.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The one that initiates the connection.
    Central,
    /// The one that advertises.
    Peripheral,
}

impl End {
    /// Name as keys and options write it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Central => "central",
            Self::Peripheral => "peripheral",
        }
    }

    /// The key that names its device.
    pub const fn personality(self) -> &'static Key {
        match self {
            Self::Central => Initiator::PERSONALITY,
            Self::Peripheral => Advertiser::PERSONALITY,
        }
    }

    /// Tells if what `knob` turns is this end's alone where the stream goes `direction`.
    const fn owns(self, knob: Knob, direction: Direction) -> bool {
        match (knob, direction) {
            (Knob::Sender | Knob::Receiver, Direction::Both) => false,
            (Knob::Sender, Direction::CentralToPeripheral) | (Knob::Receiver, Direction::PeripheralToCentral) => {
                matches!(self, Self::Central)
            }
            (Knob::Sender | Knob::Receiver | Knob::Peripheral, _) => matches!(self, Self::Peripheral),
            (Knob::Central, _) => matches!(self, Self::Central),
            _ => true,
        }
    }
}

/// Settings that are built into a board.
#[derive(Clone, Debug, Default)]
pub struct Board {
    /// End that the board is; none where the link has no such ends.
    pub end: Option<End>,
    /// Values of keys of the plan.
    pub set: Vec<Assignment>,
    /// Names of devices, and of what each becomes with the configuration.
    pub devices: Vec<(String, String)>,
    /// Options of the command line that name the files, for the replay of a record.
    pub arguments: Vec<String>,
}

impl Board {
    /// Tells if `key` is set by the board at every point, whichever way the stream goes.
    pub fn sets(&self, key: &Key) -> bool {
        let ways = [Direction::PeripheralToCentral, Direction::CentralToPeripheral, Direction::Both];
        let owns = self.end.is_none_or(|end| ways.into_iter().all(|way| end.owns(key.knob, way)));
        owns && self.set.iter().any(|assignment| assignment.key.name == key.name)
    }

    /// Puts everything into `settings` that is the board's at this point and not `fixed`.
    pub fn put(&self, file: &str, settings: &mut Settings, fixed: &dyn Fn(&Key) -> bool) -> Result<(), PlanError> {
        if self.set.is_empty() && self.devices.is_empty() {
            return Ok(());
        }
        let direction = settings.text(Connection::DIRECTION.name).and_then(|text| Direction::parse(&text.into()));
        let direction = direction.unwrap_or(Direction::PeripheralToCentral);
        for assignment in &self.set {
            let owned = self.end.is_none_or(|end| end.owns(assignment.key.knob, direction));
            if owned && !fixed(assignment.key) {
                settings.assign(file, assignment)?;
            }
        }
        let Some(key) = self.end.map(End::personality) else { return Ok(()) };
        let name = settings.text(key.name).unwrap_or_default();
        let built = self.devices.iter().find(|(base, _)| base == name).map(|(_, built)| built.clone());
        if let (Some(built), Some(key)) = (built, schema::find(key.name)) {
            settings.replace(key, built.into());
        }
        Ok(())
    }
}
