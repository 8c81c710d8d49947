//! Pooled byte buffers: once a run is warm, sending a packet allocates nothing.

use alloc::rc::Rc;
use alloc::vec::Vec;
use core::cell::RefCell;
use core::fmt;
use core::ops::{Deref, DerefMut};

/// Buffers that wait to be used again. Cloning shares the pool; a run has one.
#[derive(Clone, Default)]
pub struct Pool(Rc<RefCell<Vec<Vec<u8>>>>);

/// Octets of a fresh buffer: an H4 ACL packet of the largest LE data length with room to spare.
const FRESH_CAPACITY: usize = 288;

impl Pool {
    /// An empty pool.
    pub fn new() -> Self {
        Self::default()
    }

    /// An empty packet.
    pub fn packet(&self) -> Packet {
        let bytes = self.0.borrow_mut().pop().unwrap_or_else(|| Vec::with_capacity(FRESH_CAPACITY));
        Packet { bytes, pool: self.clone() }
    }

    /// A packet that holds a copy of `bytes`.
    pub fn copy(&self, bytes: &[u8]) -> Packet {
        let mut packet = self.packet();
        packet.put(bytes);
        packet
    }

    /// How many buffers wait in the pool.
    pub fn idle(&self) -> usize {
        self.0.borrow().len()
    }
}

impl fmt::Debug for Pool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Pool({} idle)", self.idle())
    }
}

/// A byte string on loan from a [`Pool`]; dropping it gives the buffer back.
pub struct Packet {
    bytes: Vec<u8>,
    pool: Pool,
}

impl Packet {
    /// Appends `bytes`.
    pub fn put(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
    }

    /// Appends one octet.
    pub fn put_u8(&mut self, value: u8) {
        self.bytes.push(value);
    }

    /// Appends two octets, little endian.
    pub fn put_u16(&mut self, value: u16) {
        self.put(&value.to_le_bytes());
    }

    /// Appends the low three octets, little endian.
    pub fn put_u24(&mut self, value: u32) {
        self.put(&value.to_le_bytes()[..3]);
    }

    /// Appends four octets, little endian.
    pub fn put_u32(&mut self, value: u32) {
        self.put(&value.to_le_bytes());
    }

    /// Appends eight octets, little endian.
    pub fn put_u64(&mut self, value: u64) {
        self.put(&value.to_le_bytes());
    }

    /// Makes the packet `len` octets long; new octets are zero.
    pub fn resize(&mut self, len: usize) {
        self.bytes.resize(len, 0);
    }

    /// Drops everything behind the first `len` octets.
    pub fn truncate(&mut self, len: usize) {
        self.bytes.truncate(len);
    }

    /// A second packet with the same octets.
    pub fn duplicate(&self) -> Self {
        self.pool.copy(self)
    }
}

impl Deref for Packet {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        &self.bytes
    }
}

impl DerefMut for Packet {
    fn deref_mut(&mut self) -> &mut [u8] {
        &mut self.bytes
    }
}

impl Drop for Packet {
    fn drop(&mut self) {
        let mut bytes = core::mem::take(&mut self.bytes);
        bytes.clear();
        self.pool.0.borrow_mut().push(bytes);
    }
}

impl fmt::Debug for Packet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[")?;
        for byte in self.bytes.iter() {
            write!(f, "{byte:02x}")?;
        }
        f.write_str("]")
    }
}

impl PartialEq for Packet {
    fn eq(&self, other: &Self) -> bool {
        self.bytes == other.bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn buffers_come_back_empty() {
        let pool = Pool::new();
        let packet = pool.copy(&[1, 2, 3]);
        assert_eq!(pool.idle(), 0);
        drop(packet);
        assert_eq!(pool.idle(), 1);
        assert!(pool.packet().is_empty());
    }

    #[test]
    fn numbers_are_little_endian() {
        let mut packet = Pool::new().packet();
        packet.put_u8(1);
        packet.put_u16(0x0302);
        packet.put_u24(0x06_0504);
        assert_eq!(&*packet, &[1, 2, 3, 4, 5, 6]);
    }
}
