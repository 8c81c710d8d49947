//! Device of a node, where packets come from and go to.

use std::io;
use std::os::fd::AsFd;

use airtime_system::Tun;

/// A device for IP packets. Reading and writing never wait.
pub trait Device: AsFd + Sync {
    /// The next packet; none while none waits.
    ///
    /// # Errors
    /// When the device is gone.
    fn read(&self, packet: &mut [u8]) -> io::Result<Option<usize>>;

    /// Takes a packet, or does not: false.
    ///
    /// # Errors
    /// When the device is gone.
    fn write(&self, packet: &[u8]) -> io::Result<bool>;
}

impl Device for Tun {
    fn read(&self, packet: &mut [u8]) -> io::Result<Option<usize>> {
        Tun::read(self, packet)
    }

    fn write(&self, packet: &[u8]) -> io::Result<bool> {
        Tun::write(self, packet)
    }
}
