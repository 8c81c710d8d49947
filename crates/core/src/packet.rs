//! Pooled byte buffers: once a run is warm, sending a packet allocates nothing.

use alloc::boxed::Box;
use alloc::rc::Rc;
use alloc::vec::Vec;
use core::cell::RefCell;
use core::fmt;
use core::ops::{Deref, DerefMut};

/// Buffers that wait to be used again. Cloning shares the pool; a run has one.
#[derive(Clone, Default)]
#[expect(clippy::vec_box, reason = "the boxes themselves go round")]
pub struct Pool(Rc<RefCell<Vec<Box<Buffer>>>>);

/// Storage of a packet. It stays where it is, so that handing a packet on moves two words.
struct Buffer {
    /// The headroom and what is in the packet.
    bytes: Vec<u8>,
    /// Offset of the packet's first octet.
    start: usize,
}

impl Buffer {
    #[cold]
    fn make_headroom(&mut self, octets: usize) {
        self.bytes.splice(..self.start, core::iter::repeat_n(0, HEADROOM + octets));
        self.start = HEADROOM + octets;
    }
}

/// Octets of a fresh buffer: an H4 ACL packet of the largest LE data length with room to spare.
const FRESH_CAPACITY: usize = 288;

/// Octets in front of a fresh packet that are kept for headers: Ethernet II (14), and that of a bus or a tunnel.
const HEADROOM: usize = 32;

impl Pool {
    /// A pool without buffers: one is allocated whenever none is free.
    pub fn new() -> Self {
        Self::default()
    }

    /// An empty packet, whose buffer comes back to this pool when it is dropped.
    pub fn packet(&self) -> Packet {
        let buffer = self.0.borrow_mut().pop().unwrap_or_else(fresh);
        Packet { buffer: Some(buffer), pool: self.clone() }
    }

    /// A packet that holds a copy of `bytes`.
    pub fn copy(&self, bytes: &[u8]) -> Packet {
        let mut packet = self.packet();
        packet.put(bytes);
        packet
    }

    /// Number of buffers that wait in the pool.
    pub fn idle(&self) -> usize {
        self.0.borrow().len()
    }
}

/// A buffer with nothing in it but the headroom.
fn fresh() -> Box<Buffer> {
    let mut bytes = Vec::with_capacity(HEADROOM + FRESH_CAPACITY);
    bytes.resize(HEADROOM, 0);
    Box::new(Buffer { bytes, start: HEADROOM })
}

impl fmt::Debug for Pool {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Pool({} idle)", self.idle())
    }
}

/// A byte string on loan from a [`Pool`]; dropping it gives the buffer back.
pub struct Packet {
    /// There until the packet is dropped.
    buffer: Option<Box<Buffer>>,
    pool: Pool,
}

impl Packet {
    /// Appends `bytes` to the packet.
    pub fn put(&mut self, bytes: &[u8]) {
        self.buffer_mut().bytes.extend_from_slice(bytes);
    }

    /// Appends one octet to the packet.
    pub fn put_u8(&mut self, value: u8) {
        self.buffer_mut().bytes.push(value);
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

    /// Puts `octets` in front: a header. Nothing else moves while there is headroom.
    // Inlined, so that a header of a known length is moved and not copied by a call.
    #[inline]
    pub fn prepend(&mut self, octets: &[u8]) {
        let buffer = self.buffer_mut();
        if octets.len() > buffer.start {
            buffer.make_headroom(octets.len());
        }
        let end = buffer.start;
        buffer.start -= octets.len();
        buffer.bytes[buffer.start..end].copy_from_slice(octets);
    }

    /// Drops the first `octets`, or all there are: a header, the other way round.
    pub fn strip(&mut self, octets: usize) {
        let buffer = self.buffer_mut();
        buffer.start = (buffer.start + octets).min(buffer.bytes.len());
    }

    /// Makes the packet `len` octets long; new octets are zero.
    pub fn resize(&mut self, len: usize) {
        let buffer = self.buffer_mut();
        buffer.bytes.resize(buffer.start + len, 0);
    }

    /// Drops everything behind the first `len` octets.
    pub fn truncate(&mut self, len: usize) {
        let buffer = self.buffer_mut();
        buffer.bytes.truncate(buffer.start + len);
    }

    /// A second packet with the same octets.
    pub fn duplicate(&self) -> Self {
        self.pool.copy(self)
    }

    fn buffer(&self) -> &Buffer {
        self.buffer.as_deref().expect("it is there until the packet is dropped")
    }

    fn buffer_mut(&mut self) -> &mut Buffer {
        self.buffer.as_deref_mut().expect("it is there until the packet is dropped")
    }
}

impl Deref for Packet {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        let Buffer { bytes, start } = self.buffer();
        &bytes[*start..]
    }
}

impl DerefMut for Packet {
    fn deref_mut(&mut self) -> &mut [u8] {
        let Buffer { bytes, start } = self.buffer_mut();
        &mut bytes[*start..]
    }
}

impl Drop for Packet {
    fn drop(&mut self) {
        let Some(mut buffer) = self.buffer.take() else { return };
        // Headers that were put in front do no harm there. A packet that was cut short behind them has less than that.
        buffer.bytes.resize(HEADROOM, 0);
        buffer.start = HEADROOM;
        self.pool.0.borrow_mut().push(buffer);
    }
}

impl fmt::Debug for Packet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("[")?;
        for byte in self.iter() {
            write!(f, "{byte:02x}")?;
        }
        f.write_str("]")
    }
}

impl PartialEq for Packet {
    fn eq(&self, other: &Self) -> bool {
        **self == **other
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
    fn a_header_comes_in_front() {
        let pool = Pool::new();
        for header in [&[][..], &[9], &[7; HEADROOM], &[8; HEADROOM + 1], &[6; 3 * HEADROOM]] {
            let mut whole = pool.copy(&[1, 2, 3]);
            whole.prepend(header);
            assert_eq!(&*whole, &[header, &[1, 2, 3]].concat());
            whole.prepend(&[5, 4]);
            whole.put_u8(9);
            assert_eq!(&*whole, &[&[5, 4], header, &[1, 2, 3, 9]].concat());
            whole.strip(header.len() + 3);
            assert_eq!(&*whole, &[2, 3, 9]);
            whole.prepend(&[8]);
            whole.truncate(2);
            assert_eq!(&*whole, &[8, 2]);
            whole.strip(3);
            assert!(whole.is_empty());
            drop(whole);
            assert!(pool.packet().is_empty());
        }
    }

    #[test]
    fn what_was_cut_off_behind_its_header_comes_back_empty_too() {
        let pool = Pool::new();
        let mut packet = pool.copy(&[1, 2, 3]);
        packet.prepend(&[4, 5]);
        packet.truncate(0);
        drop(packet);
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
