//! Device names without allocation.

use core::fmt;

/// A complete local name of at most [`Name::OCTETS_MAX`] octets of UTF-8.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Name {
    octets: [u8; Name::OCTETS_MAX],
    len: u8,
}

impl Name {
    /// Longest name that fits a scan response next to the type and length of its one structure.
    pub const OCTETS_MAX: usize = 29;

    /// The name, or none when it is longer than [`Name::OCTETS_MAX`].
    pub fn new(text: &str) -> Option<Self> {
        let mut octets = [0; Self::OCTETS_MAX];
        octets.get_mut(..text.len())?.copy_from_slice(text.as_bytes());
        Some(Self { octets, len: text.len() as u8 })
    }

    /// The name of the test device number `index` of a set: the first has the plain name, the
    /// others `-2`, `-3`, … behind it. A name that leaves no room is shortened.
    pub fn numbered(self, index: u8) -> Self {
        if index == 0 {
            return self;
        }
        // Three digits at most, the last of them first.
        let (mut digits, mut count, mut left) = ([0; 3], 0, u16::from(index) + 1);
        while left > 0 {
            (digits[count], count, left) = (b'0' + (left % 10) as u8, count + 1, left / 10);
        }
        let text = self.as_str();
        let room = Self::OCTETS_MAX - 1 - count;
        let keep = (0..=text.len().min(room)).rev().find(|&end| text.is_char_boundary(end)).unwrap_or(0);
        let mut name = Self { octets: [0; Self::OCTETS_MAX], len: (keep + 1 + count) as u8 };
        name.octets[..keep].copy_from_slice(&self.octets[..keep]);
        name.octets[keep] = b'-';
        for (place, digit) in name.octets[keep + 1..].iter_mut().zip(digits[..count].iter().rev()) {
            *place = *digit;
        }
        name
    }

    /// The name as text.
    pub fn as_str(&self) -> &str {
        // The octets come from a `str` cut at a character's boundary, so they are always text.
        core::str::from_utf8(&self.octets[..usize::from(self.len)]).unwrap_or("")
    }
}

impl Default for Name {
    /// `nRF54L15_Test`, the name of the published test.
    fn default() -> Self {
        const TEXT: &[u8] = b"nRF54L15_Test";
        let mut octets = [0; Self::OCTETS_MAX];
        octets[..TEXT.len()].copy_from_slice(TEXT);
        Self { octets, len: TEXT.len() as u8 }
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self.as_str(), f)
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::Name;

    #[test]
    fn the_devices_of_a_set_have_names_of_their_own() {
        let name = Name::default();
        assert_eq!(name.numbered(0).as_str(), "nRF54L15_Test");
        assert_eq!(name.numbered(1).as_str(), "nRF54L15_Test-2");
        assert_eq!(name.numbered(3).as_str(), "nRF54L15_Test-4");
        assert_eq!(name.numbered(9).as_str(), "nRF54L15_Test-10");
        assert_eq!(name.numbered(255).as_str(), "nRF54L15_Test-256");
    }

    #[test]
    fn a_long_name_is_refused_or_shortened_at_a_character() {
        assert_eq!(Name::new("123456789012345678901234567890"), None);
        let name = Name::new("12345678901234567890123456ü").unwrap();
        assert_eq!(name.numbered(1).as_str(), "12345678901234567890123456-2");
        assert_eq!(name.numbered(19).as_str(), "12345678901234567890123456-20");
    }
}
