//! Little-endian reading of untrusted bytes. Writing is [`Packet`](crate::Packet)'s.

/// A cursor over a byte string; every read says `None` at the end instead of panicking.
#[derive(Clone, Copy, Debug)]
pub struct Reader<'a> {
    rest: &'a [u8],
}

impl<'a> Reader<'a> {
    /// A cursor at the start of `bytes`.
    pub const fn new(bytes: &'a [u8]) -> Self {
        Self { rest: bytes }
    }

    /// The part that has not been read yet.
    pub const fn rest(&self) -> &'a [u8] {
        self.rest
    }

    /// True once everything has been read.
    pub const fn is_empty(&self) -> bool {
        self.rest.is_empty()
    }

    /// The next `n` octets.
    pub fn take(&mut self, n: usize) -> Option<&'a [u8]> {
        let (head, tail) = self.rest.split_at_checked(n)?;
        self.rest = tail;
        Some(head)
    }

    /// The next `N` octets as an array.
    pub fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        self.take(N)?.try_into().ok()
    }

    /// The next octet, as a number.
    pub fn u8(&mut self) -> Option<u8> {
        self.array::<1>().map(|[b]| b)
    }

    /// The next two octets.
    pub fn u16(&mut self) -> Option<u16> {
        self.array().map(u16::from_le_bytes)
    }

    /// The next three octets.
    pub fn u24(&mut self) -> Option<u32> {
        self.array().map(|[a, b, c]| u32::from_le_bytes([a, b, c, 0]))
    }

    /// The next four octets.
    pub fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    /// The next eight octets.
    pub fn u64(&mut self) -> Option<u64> {
        self.array().map(u64::from_le_bytes)
    }
}

#[cfg(test)]
mod tests {
    use super::Reader;

    #[test]
    fn reads_to_the_end_and_no_further() {
        let mut r = Reader::new(&[1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
        assert_eq!(r.u8(), Some(1));
        assert_eq!(r.u16(), Some(0x0302));
        assert_eq!(r.u24(), Some(0x0006_0504));
        assert_eq!(r.u32(), Some(0x0a09_0807));
        assert_eq!(r.u8(), None);
        assert!(r.is_empty());
    }

    #[test]
    fn a_short_read_takes_nothing() {
        let mut r = Reader::new(&[1]);
        assert_eq!(r.u16(), None);
        assert_eq!(r.u8(), Some(1));
    }
}
