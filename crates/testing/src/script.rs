//! Octets read as scripts.

/// A script that is being read: to its end and never refused, so every byte string is one. Each octet keeps its meaning when others
/// behind it change, which is what lets a fuzzer learn.
#[derive(Debug)]
pub struct Script<'a>(&'a [u8]);

impl<'a> Script<'a> {
    /// Script of the first `most` of `bytes`: longer ones add time and no new states.
    pub fn new(bytes: &'a [u8], most: usize) -> Self {
        Self(&bytes[..bytes.len().min(most)])
    }

    /// Tells if nothing is left.
    pub fn is_over(&self) -> bool {
        self.0.is_empty()
    }

    /// The next octet, 0 behind the end.
    pub fn octet(&mut self) -> u8 {
        self.take(1).first().copied().unwrap_or(0)
    }

    /// The next word, little endian, 0 behind the end.
    pub fn word(&mut self) -> u16 {
        u16::from_le_bytes([self.octet(), self.octet()])
    }

    /// The next `len` octets, or those that are left.
    pub fn take(&mut self, len: usize) -> &'a [u8] {
        let (taken, rest) = self.0.split_at(len.min(self.0.len()));
        self.0 = rest;
        taken
    }

    /// Up to `most` octets, as many as the next word says, or those that are left.
    pub fn octets(&mut self, most: usize) -> &'a [u8] {
        let len = usize::from(self.word()) % (most + 1);
        self.take(len)
    }

    /// A length octet and the octets it stands for, or those that are left. Most values stand for a short packet, so that a random
    /// script does not end with its first.
    pub fn packet(&mut self) -> &'a [u8] {
        let octet = usize::from(self.octet());
        self.take(if octet < 0xf0 { octet & 0x1f } else { octet })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_script_is_read_to_its_end_and_never_refused() {
        let bytes = [2, 0, 7, 8, 0x23, 1, 2, 3, 4];
        let mut script = Script::new(&bytes, 100);
        assert_eq!(script.octets(5), [7, 8]);
        // Of 0x23 five bits count.
        assert_eq!(script.packet(), [1, 2, 3]);
        assert_eq!((script.is_over(), script.word()), (false, 4));
        assert_eq!((script.is_over(), script.octet(), script.packet().len(), script.octets(9).len()), (true, 0, 0, 0));
        let mut short = Script::new(&bytes, 3);
        assert_eq!((short.octets(5), short.is_over()), (&[7][..], true));
        assert_eq!(Script::new(&[0xf1, 9, 9], 100).packet(), [9, 9]);
    }
}
