//! Program that is a device's host.

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use airtime_core::units::Frequency;
use airtime_keys::{Field, Kind, Value};

/// Word in front of the path of an image.
const FIRMWARE: &str = "firmware:";

/// Clock of a CPU that executes an image, unless the plan says otherwise: that of an nRF52, which is half of an nRF54L15's.
pub const CLOCK: Frequency = Frequency(64_000_000);

/// Program that is a device's host.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub enum Program {
    /// The lab's own, with everything its personality says.
    #[default]
    Model,
    /// `trouble-host`, unmodified; of its personality's host it has the terms of channels, and no CPU.
    Trouble,
    /// Image of firmware, executed with the time that its CPU takes.
    Firmware(Firmware),
}

/// Image of firmware: an ELF.
#[derive(Clone, PartialEq, Eq)]
pub struct Firmware {
    /// Path of the file.
    pub path: Arc<str>,
    /// Octets of the file; none until whoever reads the plan has been given them.
    pub elf: Arc<[u8]>,
}

impl Firmware {
    /// Digest of the octets, by which an image is told from the one that its file had before: FNV-1a, 64 bits. RFC 9923.
    pub fn digest(&self) -> u64 {
        let (offset, prime) = (0xcbf2_9ce4_8422_2325, 0x0000_0100_0000_01b3);
        self.elf.iter().fold(offset, |digest: u64, octet| (digest ^ u64::from(*octet)).wrapping_mul(prime))
    }
}

impl fmt::Debug for Firmware {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Firmware").field("path", &self.path).field("octets", &self.elf.len()).finish()
    }
}

impl Program {
    /// Form of its key.
    pub const KIND: Kind = Kind::Parsed {
        allowed: "\"model\", \"trouble\", or \"firmware:\" with the path of an ELF such as \"firmware:target/firmware/emulated-m33-v7m/peripheral\"",
        alternatives: &[],
        canonical: |text| Ok(text.parse::<Self>()?.to_string()),
    };

    /// Name in messages.
    pub fn known_as(&self) -> &'static str {
        match self {
            Self::Model => "the lab's own host",
            Self::Trouble => "TrouBLE",
            Self::Firmware(_) => "an image",
        }
    }

    /// True of the lab's own host, which has every key.
    pub fn is_model(&self) -> bool {
        *self == Self::Model
    }
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Model => f.write_str("model"),
            Self::Trouble => f.write_str("trouble"),
            Self::Firmware(firmware) => write!(f, "{FIRMWARE}{}", firmware.path),
        }
    }
}

impl FromStr for Program {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "model" => Ok(Self::Model),
            "trouble" => Ok(Self::Trouble),
            _ => match text.strip_prefix(FIRMWARE) {
                Some("") => Err(format!("`{text}` has no path")),
                Some(path) => Ok(Self::Firmware(Firmware { path: path.into(), elf: Arc::from([]) })),
                None => Err(format!("`{text}` is no host")),
            },
        }
    }
}

impl Field for Program {
    fn parse(value: &Value) -> Option<Self> {
        value.as_str()?.parse().ok()
    }

    fn shown(&self) -> Value {
        self.to_string().into()
    }
}
