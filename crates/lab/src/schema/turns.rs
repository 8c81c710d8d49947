//! Who can turn a key.

use super::{Key, Knob};
use crate::plan::ble::{self, Direction, Stack};
use crate::plan::scenario::{AnyLink, Scenario};

/// Who can turn a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Turns {
    /// The firmware of the peripheral.
    Firmware,
    /// The application on the central.
    CentralApplication,
    /// Only the operating system of a phone or computer.
    Os,
    /// The program at one end, or its options.
    Application,
    /// The daemon that carries IP, or its options.
    Daemon,
    /// The build configuration of the host's firmware.
    HostFirmware,
    /// The build configuration of the co-processor's firmware.
    CoprocessorFirmware,
    /// Whoever sets up the access point.
    AccessPoint,
    /// Whoever sets up the machine that runs it: its kernel, its bus, the rights of the daemon.
    Machine,
    /// Nobody: it is the environment, or a property of the experiment.
    Nobody,
}

impl Turns {
    /// As tables write it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Firmware => "firmware",
            Self::CentralApplication => "central's application",
            Self::Os => "operating system",
            Self::Application => "application",
            Self::Daemon => "daemon",
            Self::HostFirmware => "host's sdkconfig",
            Self::CoprocessorFirmware => "co-processor's firmware",
            Self::AccessPoint => "access point",
            Self::Machine => "host machine",
            Self::Nobody => "nobody",
        }
    }
}

impl Key {
    /// Who can turn this key in `scenario`.
    pub fn turns(&self, scenario: &Scenario) -> Turns {
        match &scenario.link {
            link if !self.scope.concerns(link) => Turns::Nobody,
            AnyLink::Ble(scenario) => self.turns_ble(scenario),
            AnyLink::Nrf24(_) | AnyLink::Wifi(_) => match self.knob {
                Knob::Of(turns) => turns,
                _ => Turns::Nobody,
            },
        }
    }

    fn turns_ble(&self, scenario: &ble::Scenario) -> Turns {
        let of = |central: bool| {
            let device = if central { &scenario.central } else { &scenario.peripheral };
            match (device.stack, central) {
                (Stack::Os, _) => Turns::Os,
                (Stack::Firmware, true) => Turns::CentralApplication,
                (Stack::Firmware, false) => Turns::Firmware,
            }
        };
        let central_sends = scenario.direction == Direction::CentralToPeripheral;
        if scenario.rpc.is_some() && matches!(self.knob, Knob::Sender | Knob::Receiver) {
            return if self.means_something_to_calls() { of(self.table() == "peer_host") } else { Turns::Nobody };
        }
        match self.knob {
            Knob::Of(turns) => turns,
            Knob::Interval if scenario.central.host.intervals.application_chooses => Turns::CentralApplication,
            Knob::Interval => Turns::Firmware,
            Knob::Sender => of(central_sends),
            Knob::Receiver => of(!central_sends),
        }
    }
}
