//! The memory that a live server lets its clients read and write.

use std::io::{self, ErrorKind};

use airtime_rpc::service::{Flash, pattern};

/// Octets with the documented content ([`pattern`]) until they are written; they go with the server.
#[derive(Clone, Debug)]
pub struct Memory(Vec<u8>);

impl Memory {
    /// Memory of so many octets.
    ///
    /// # Errors
    /// When the system does not have as many.
    pub fn new(octets: u32) -> io::Result<Self> {
        let mut memory = Vec::new();
        memory.try_reserve_exact(octets as usize).map_err(|_| {
            io::Error::new(
                ErrorKind::OutOfMemory,
                format!("the system has no {octets} octets; --memory asks for fewer"),
            )
        })?;
        memory.extend((0..octets).map(pattern));
        Ok(Self(memory))
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
