//! Owners of keys: who can turn them.

/// Owner of a key: who can turn it.
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
    /// Owners that can be asked to turn keys, by the word that asks them: `--who central`.
    pub const ROLES: [(&'static str, Self); 8] = [
        ("firmware", Self::Firmware),
        ("central", Self::CentralApplication),
        ("application", Self::Application),
        ("daemon", Self::Daemon),
        ("host", Self::HostFirmware),
        ("coprocessor", Self::CoprocessorFirmware),
        ("access-point", Self::AccessPoint),
        ("machine", Self::Machine),
    ];

    /// Owner that this word asks, if one of [`ROLES`](Self::ROLES) is meant.
    pub fn asked_by(word: &str) -> Option<Self> {
        Self::ROLES.into_iter().find_map(|(role, turns)| (role == word).then_some(turns))
    }

    /// Name of the owner as tables write it.
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

/// Rule by which the owner of a key follows from a scenario.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Knob {
    /// The same owner in every scenario.
    Of(Turns),
    /// The device that streams.
    Sender,
    /// The device that receives the stream.
    Receiver,
    /// The end that initiates the connection.
    Central,
    /// The end that advertises.
    Peripheral,
    /// The program that streams, whatever its stack: the central's application, or the peripheral's firmware.
    Program,
    /// The central's application where it may choose the interval; elsewhere the firmware asks.
    Interval,
}

impl Knob {
    /// Name of the rule as documentation writes it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Of(turns) => turns.name(),
            Self::Sender => "sender",
            Self::Receiver => "receiver",
            Self::Central => "central",
            Self::Peripheral => "peripheral",
            Self::Program => "sender's application",
            Self::Interval => "central's application or firmware",
        }
    }
}
