//! Sockets in the place of TUN devices, and what goes through them.
#![cfg(target_os = "linux")]

use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixDatagram;
use std::time;

use airtime_hw::Device;

/// A socket in the place of a TUN device.
pub struct Socket(UnixDatagram);

impl AsFd for Socket {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

impl Device for Socket {
    fn read(&self, packet: &mut [u8]) -> io::Result<Option<usize>> {
        match self.0.recv(packet) {
            Ok(octets) => Ok(Some(octets)),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => Ok(None),
            Err(error) => Err(error),
        }
    }
    fn write(&self, packet: &[u8]) -> io::Result<bool> {
        Ok(self.0.send(packet).is_ok())
    }
}

/// A device that somebody has deleted.
pub struct Deleted(UnixDatagram);

impl Deleted {
    pub fn new() -> Self {
        Self(UnixDatagram::unbound().unwrap())
    }
}

impl AsFd for Deleted {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

impl Device for Deleted {
    fn read(&self, _: &mut [u8]) -> io::Result<Option<usize>> {
        Err(io::ErrorKind::NotFound.into())
    }
    fn write(&self, _: &[u8]) -> io::Result<bool> {
        Err(io::ErrorKind::NotFound.into())
    }
}

/// A device and its other side, which waits when asked to.
pub fn device() -> (Socket, UnixDatagram) {
    let (ours, theirs) = UnixDatagram::pair().unwrap();
    ours.set_nonblocking(true).unwrap();
    theirs.set_read_timeout(Some(time::Duration::from_millis(200))).unwrap();
    (Socket(ours), theirs)
}

/// A UDP packet of IPv4 without checksums of its payload; `number` is in it.
pub fn datagram(number: u32, octets: u16) -> Vec<u8> {
    let mut packet = vec![0x45, 0, 0, 0, 0, 0, 0, 0, 64, 17, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2];
    packet[2..4].copy_from_slice(&octets.to_be_bytes());
    let sum = packet.chunks(2).map(|pair| u32::from(u16::from_be_bytes([pair[0], pair[1]]))).sum::<u32>();
    let folded = !((sum & 0xffff) + (sum >> 16)) as u16;
    packet[10..12].copy_from_slice(&folded.to_be_bytes());
    packet.extend([0x13, 0x88, 0x13, 0x89]);
    packet.extend((octets - 20).to_be_bytes());
    packet.extend([0, 0]);
    packet.extend(number.to_be_bytes());
    packet.resize(octets.into(), number as u8);
    packet
}

/// Sends packet `number` of `octets` from one side until it has come out at the other.
pub fn crosses(from: &UnixDatagram, to: &UnixDatagram, number: u32, octets: u16) {
    let (sent, mut got) = (datagram(number, octets), [0; 2_048]);
    for _ in 0..200 {
        from.send(&sent).unwrap();
        while let Ok(octets) = to.recv(&mut got) {
            if got[..octets] == sent {
                return;
            }
        }
    }
    panic!("packet {number} does not get across");
}
