//! The memory that a live server lets its clients read and write.

use airtime_rpc::service::{Flash, pattern};

/// Octets with the documented content ([`pattern`]) until they are written; they go with the server.
#[derive(Clone, Debug)]
pub struct Memory(Vec<u8>);

impl Memory {
    /// Memory of so many octets.
    pub fn new(octets: u32) -> Self {
        Self((0..octets).map(pattern).collect())
    }
}

impl Flash for Memory {
    fn len(&self) -> u32 {
        self.0.len() as u32
    }

    fn read(&mut self, address: u32, into: &mut [u8]) {
        let address = address as usize;
        into.copy_from_slice(&self.0[address..address + into.len()]);
    }

    fn write(&mut self, address: u32, octets: &[u8]) {
        let address = address as usize;
        self.0[address..address + octets.len()].copy_from_slice(octets);
    }
}
