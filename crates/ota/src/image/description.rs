//! Description of an image, as it stands in the image.

use alloc::string::{String, ToString};
use core::fmt;

use super::{DESCRIPTION, DESCRIPTION_MAGIC};

/// The description of an application: `esp_app_desc_t`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Description {
    /// Version, up to 32 octets; esp-hosted's is `MAJOR.MINOR.PATCH`.
    pub version: String,
    /// Project, up to 32 octets.
    pub project: String,
    /// Version of ESP-IDF it was built with.
    pub idf: String,
    /// SHA-256 of the ELF file: it tells two builds of one version apart.
    pub elf_sha256: [u8; 32],
}

impl Description {
    /// Reads it; none when the magic word is another.
    pub(super) fn parse(octets: &[u8; DESCRIPTION]) -> Option<Self> {
        let word = u32::from_le_bytes([octets[0], octets[1], octets[2], octets[3]]);
        if word != DESCRIPTION_MAGIC {
            return None;
        }
        let mut elf_sha256 = [0; 32];
        elf_sha256.copy_from_slice(&octets[144..176]);
        Some(Self {
            version: text(&octets[16..48]),
            project: text(&octets[48..80]),
            idf: text(&octets[112..144]),
            elf_sha256,
        })
    }

    /// Writes it; a text that is too long is cut.
    pub(super) fn emit(&self) -> [u8; DESCRIPTION] {
        let mut octets = [0; DESCRIPTION];
        octets[..4].copy_from_slice(&DESCRIPTION_MAGIC.to_le_bytes());
        for (at, text) in [(16, &self.version), (48, &self.project), (112, &self.idf)] {
            // The last of the 32 octets stays 0, as C wants it.
            let length = text.len().min(31);
            octets[at..at + length].copy_from_slice(&text.as_bytes()[..length]);
        }
        octets[144..176].copy_from_slice(&self.elf_sha256);
        octets
    }

    /// The version as three numbers, if it begins with them: `2.11.7`, `v2.11.7-rc1`.
    pub fn numbers(&self) -> Option<[u32; 3]> {
        let text = self.version.trim_start_matches(['v', 'V']);
        let end = text.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(text.len());
        let mut parts = text[..end].split('.').map(|part| part.parse::<u32>().ok());
        let numbers = [parts.next()??, parts.next()??, parts.next()??];
        Some(numbers)
    }
}

impl fmt::Display for Description {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.project, self.version)
    }
}

/// The text up to the first 0; what is not printable ASCII becomes `?`: it is shown to people.
fn text(octets: &[u8]) -> String {
    let end = octets.iter().position(|octet| *octet == 0).unwrap_or(octets.len());
    let printable = |octet: &u8| if octet.is_ascii_graphic() || *octet == b' ' { char::from(*octet) } else { '?' };
    octets[..end].iter().map(printable).collect::<String>().trim().to_string()
}
