//! Security as it costs air: the auxiliary security header and the MIC. 9.4.
//!
//! No key is here and nothing is enciphered: a MIC is a digest, and payload stays readable in captures. Security costs air, not
//! secrecy.

use airtime_core::Packet;
use airtime_core::bytes::Reader;

use super::FrameError;

/// Octets of the longest MIC.
const MIC_MAX: usize = 16;

/// Security level. 9.4.2, Security Level field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
#[cfg_attr(feature = "plan", derive(airtime_keys::Words))]
pub enum Level {
    /// No security, and no auxiliary header.
    #[default]
    None,
    /// MIC of 4 octets.
    #[cfg_attr(feature = "plan", word("mic-32"))]
    Mic32,
    /// MIC of 8 octets.
    #[cfg_attr(feature = "plan", word("mic-64"))]
    Mic64,
    /// MIC of 16 octets.
    #[cfg_attr(feature = "plan", word("mic-128"))]
    Mic128,
    /// Enciphered, without MIC; reserved since 2015.
    Enc,
    /// Enciphered, MIC of 4 octets.
    #[cfg_attr(feature = "plan", word("enc-mic-32"))]
    EncMic32,
    /// Enciphered, MIC of 8 octets.
    #[cfg_attr(feature = "plan", word("enc-mic-64"))]
    EncMic64,
    /// Enciphered, MIC of 16 octets.
    #[cfg_attr(feature = "plan", word("enc-mic-128"))]
    EncMic128,
}

impl Level {
    /// Every level; the place is the number on the air.
    pub const ALL: [Self; 8] = [
        Self::None,
        Self::Mic32,
        Self::Mic64,
        Self::Mic128,
        Self::Enc,
        Self::EncMic32,
        Self::EncMic64,
        Self::EncMic128,
    ];

    /// Octets of the MIC.
    pub const fn mic_octets(self) -> usize {
        match self {
            Self::None | Self::Enc => 0,
            Self::Mic32 | Self::EncMic32 => 4,
            Self::Mic64 | Self::EncMic64 => 8,
            Self::Mic128 | Self::EncMic128 => 16,
        }
    }

    /// As plans write it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Mic32 => "mic-32",
            Self::Mic64 => "mic-64",
            Self::Mic128 => "mic-128",
            Self::Enc => "enc",
            Self::EncMic32 => "enc-mic-32",
            Self::EncMic64 => "enc-mic-64",
            Self::EncMic128 => "enc-mic-128",
        }
    }
}

/// Way to name the key. 9.4.2, Key Identifier Mode field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Default)]
#[cfg_attr(feature = "plan", derive(airtime_keys::Words))]
pub enum KeyIdMode {
    /// Implied by the two that talk: nothing is sent.
    #[default]
    Implicit,
    /// By an index of one octet.
    Index,
    /// By a source of four octets and an index.
    #[cfg_attr(feature = "plan", word("source-4"))]
    Source4,
    /// By a source of eight octets and an index.
    #[cfg_attr(feature = "plan", word("source-8"))]
    Source8,
}

impl KeyIdMode {
    /// Every mode; the place is the number on the air.
    pub const ALL: [Self; 4] = [Self::Implicit, Self::Index, Self::Source4, Self::Source8];

    /// Octets of the key identifier.
    pub const fn octets(self) -> usize {
        match self {
            Self::Implicit => 0,
            Self::Index => 1,
            Self::Source4 => 5,
            Self::Source8 => 9,
        }
    }

    /// As plans write it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Implicit => "implicit",
            Self::Index => "index",
            Self::Source4 => "source-4",
            Self::Source8 => "source-8",
        }
    }
}

/// Security of a sender's frames.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Security {
    /// Protection of the frames: MIC, encipherment, or both.
    pub level: Level,
    /// Way to name the key.
    pub key_id_mode: KeyIdMode,
}

impl Security {
    /// Octets of the auxiliary security header: 5, 6, 10 or 14; none without security. 9.4.
    pub const fn header_octets(self) -> usize {
        match self.level {
            Level::None => 0,
            _ => 5 + self.key_id_mode.octets(),
        }
    }

    /// Octets that security adds to a frame: header and MIC.
    pub const fn octets(self) -> usize {
        self.header_octets() + self.level.mic_octets()
    }
}

/// The auxiliary security header. 9.4.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AuxiliaryHeader {
    /// Protection, and the way to name the key.
    pub security: Security,
    /// Number of the frame, so that none is taken twice.
    pub frame_counter: u32,
}

impl AuxiliaryHeader {
    pub(super) fn put(&self, out: &mut Packet) {
        let Security { level, key_id_mode } = self.security;
        out.put_u8(level as u8 | (key_id_mode as u8) << 3);
        out.put_u32(self.frame_counter);
        // Key source and key index: the same for every frame.
        let key = [0, 0, 0, 0, 0, 0, 0, 0, 1];
        out.put(&key[key.len() - key_id_mode.octets()..]);
    }

    pub(super) fn read(reader: &mut Reader<'_>) -> Result<Self, FrameError> {
        let control = reader.u8().ok_or(FrameError::Short)?;
        // Bits 5 and 6 leave the frame counter out and choose the nonce: frame version 2 only. 9.4.2.
        if control & 0b0110_0000 != 0 {
            return Err(FrameError::Version);
        }
        let level = Level::ALL[usize::from(control & 0b111)];
        let key_id_mode = KeyIdMode::ALL[usize::from(control >> 3 & 0b11)];
        if level == Level::None {
            return Err(FrameError::Security);
        }
        let frame_counter = reader.u32().ok_or(FrameError::Short)?;
        reader.take(key_id_mode.octets()).ok_or(FrameError::Short)?;
        Ok(Self { security: Security { level, key_id_mode }, frame_counter })
    }
}

/// Digest over `octets` that stands for the MIC, of which a level sends the first
/// [`mic_octets`](Level::mic_octets).
pub fn mic(octets: &[u8]) -> [u8; MIC_MAX] {
    // FNV-1a with 128 bits.
    let digest = octets.iter().fold(0x6c62_272e_07bb_0142_62b8_2175_6295_c58d_u128, |digest, &octet| {
        (digest ^ u128::from(octet)).wrapping_mul(0x0000_0000_0100_0000_0000_0000_0000_013b)
    });
    digest.to_le_bytes()
}
