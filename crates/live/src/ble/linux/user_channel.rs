//! User channel of an adapter: its controller without the kernel's host, as a stream of H4 octets. Linux `net/bluetooth/hci_sock.c`: what is
//! read is a packet with its H4 indicator, and so is what is written.

use std::io::{self, ErrorKind, Read, Write};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};

use airtime_core::Duration;
use airtime_system::sleep::sleep;
use ots_core::l2cap::{AddressType, L2capSockAddr, MacAddress};
use rustix::event::{PollFd, PollFlags};
use rustix::io::Errno;
use rustix::net::{AddressFamily, Protocol, SocketFlags, SocketType, socket_with};
use socket2::{SockAddr, Socket};

use crate::ble::h4::Framer;

/// Protocol number of HCI sockets: Linux `bluetooth.h`, BTPROTO_HCI.
const HCI: u32 = 1;

/// Number of the user channel: Linux `hci_sock.h`, HCI_CHANNEL_USER.
const USER: u8 = 1;

/// Longest wait for room in the socket. *Assumed*: a host sends no more than its controller has buffers for.
const ROOM_MAX: Duration = Duration::from_secs(1);

/// Controller of an adapter, until this is dropped; the kernel's host has it then as it was, switched off.
#[derive(Debug)]
pub struct UserChannel {
    socket: Socket,
    framer: Framer,
}

impl UserChannel {
    /// The controller of adapter number `index`, which has to be off.
    ///
    /// # Errors
    /// When there is none, the kernel's host has it, or this user may not, with what to do.
    pub fn open(index: u16) -> io::Result<Self> {
        Self::bound(index).map_err(|error| refused(index, &error))
    }

    fn bound(index: u16) -> io::Result<Self> {
        let (flags, protocol) = (SocketFlags::CLOEXEC | SocketFlags::NONBLOCK, Protocol::from_raw(protocol(HCI)));
        let socket: OwnedFd = socket_with(AddressFamily::BLUETOOTH, SocketType::RAW, flags, Some(protocol))?;
        let socket = Socket::from(socket);
        socket.bind(&address(index))?;
        Ok(Self { socket, framer: Framer::default() })
    }

    /// Writes a packet, once there is room for it.
    fn send(socket: &Socket, packet: &[u8]) -> io::Result<()> {
        loop {
            match rustix::io::write(socket.as_fd(), packet) {
                Ok(_) => return Ok(()),
                Err(Errno::AGAIN) => {
                    let mut fds = [PollFd::from_borrowed_fd(socket.as_fd(), PollFlags::OUT)];
                    if sleep(&mut fds, ROOM_MAX)? && fds[0].revents().is_empty() {
                        return Err(io::Error::new(ErrorKind::TimedOut, "the controller does not read"));
                    }
                }
                Err(Errno::INTR) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }
}

const fn protocol(number: u32) -> std::num::NonZeroU32 {
    match std::num::NonZeroU32::new(number) {
        Some(number) => number,
        None => unreachable!(),
    }
}

/// Address of the user channel of an adapter. No library here has addresses of HCI without `unsafe`; their octets (Linux `hci_sock.h`, struct
/// sockaddr_hci: family, adapter, channel, two each) are the first six of an address of L2CAP (`l2cap.h`, struct sockaddr_l2: family, PSM,
/// device address), of which the kernel reads no more. PSMs are little-endian, and so are all machines that this is built for.
fn address(index: u16) -> SockAddr {
    let channel = MacAddress::from([0, 0, 0, 0, 0, USER]);
    SockAddr::from(&L2capSockAddr::new(channel, AddressType::Public, index))
}

/// Reason for an error, with what to do. Linux `hci_sock.c`, hci_sock_bind.
fn refused(index: u16, error: &io::Error) -> io::Error {
    let (kind, what) = match error.raw_os_error().map(Errno::from_raw_os_error) {
        Some(Errno::NODEV) => (
            ErrorKind::NotFound,
            format!("there is no hci{index}: `ls /sys/class/bluetooth` names the adapters that there are"),
        ),
        Some(Errno::BUSY | Errno::ALREADY | Errno::USERS) => (
            ErrorKind::ResourceBusy,
            format!(
                "hci{index} is the kernel's: `bluetoothctl power off`, or `btmgmt -i hci{index} power off`, lets go of it"
            ),
        ),
        Some(Errno::PERM | Errno::ACCESS) => (
            ErrorKind::Other,
            format!("hci{index}: permission denied; the user channel needs CAP_NET_ADMIN, which root has"),
        ),
        Some(Errno::AFNOSUPPORT | Errno::PROTONOSUPPORT) => (
            ErrorKind::NotFound,
            "this Linux has no Bluetooth: `modprobe bluetooth` loads it, where the kernel was built with it".to_owned(),
        ),
        _ => (error.kind(), format!("hci{index}: {error}")),
    };
    io::Error::new(kind, what)
}

impl Read for UserChannel {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        Ok(rustix::io::read(self.socket.as_fd(), into)?)
    }
}

impl Write for UserChannel {
    /// Takes all octets, and sends the packets that they end.
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        self.framer.push(octets);
        while let Some(packet) = self.framer.packet() {
            Self::send(&self.socket, packet)?;
        }
        Ok(octets.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl AsFd for UserChannel {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.socket.as_fd()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// sockaddr_hci of adapter 1: AF_BLUETOOTH (31), the adapter, the user channel.
    #[test]
    fn an_address_of_l2cap_begins_as_one_of_hci() {
        let address = L2capSockAddr::try_from(address(0x0201)).unwrap();
        assert_eq!((address.psm, address.addr.into_array()), (0x0201, [0, 0, 0, 0, 0, USER]));
        assert_eq!(super::address(1).family(), 31);
    }

    #[test]
    fn each_error_of_the_kernel_has_a_reason() {
        for (errno, words) in [
            (Errno::NODEV, "there is no hci3: `ls /sys/class/bluetooth`"),
            (Errno::BUSY, "hci3 is the kernel's: `bluetoothctl power off`"),
            (Errno::USERS, "hci3 is the kernel's"),
            (Errno::PERM, "CAP_NET_ADMIN"),
            (Errno::AFNOSUPPORT, "modprobe bluetooth"),
            (Errno::NOMEM, "hci3: "),
        ] {
            let said = refused(3, &io::Error::from_raw_os_error(errno.raw_os_error())).to_string();
            assert!(said.contains(words), "{said}");
        }
    }
}
