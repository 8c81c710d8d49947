//! A TUN device, in a network namespace or not. It goes with its descriptor.

use std::fs::{self, File};
use std::io::{self, ErrorKind};
use std::os::fd::{AsFd, BorrowedFd};
use std::path::Path;

use rustix::io::Errno;
use rustix::thread::{LinkNameSpaceType, move_into_link_name_space};
use tun_rs::{DeviceBuilder, SyncDevice};

use super::deed::device_name;
use super::error::SystemError;
use super::machine::Machine;
use super::network::Ipv4Network;

/// Packets that wait in the kernel until they are read, at most; the device's driver drops what comes on top. They are
/// read as soon as they are there, so it only has to hold a burst of the time that reading is late: a window of TCP.
/// *Assumed.*
pub const QUEUE_PACKETS: u32 = 64;

/// Configuration of a device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TunConfig {
    /// Name of the device.
    pub name: String,
    /// The namespace it is in; none is that of this process.
    pub namespace: Option<String>,
    /// Address of the device, with the length of its network.
    pub address: Ipv4Network,
    /// Largest IP packet.
    pub mtu: u16,
}

/// A TUN device. Reading and writing never wait.
pub struct Tun {
    device: SyncDevice,
}

impl Tun {
    /// Makes the device and sets it up, with `ip` of `machine`. IPv6 is off on it: nobody asks for routers here.
    ///
    /// # Errors
    /// When the system refuses; without the right to administer networks (root, CAP_NET_ADMIN) it does.
    pub fn open(config: &TunConfig, machine: &mut dyn Machine) -> Result<Self, SystemError> {
        let name = device_name(&config.name)?;
        let device = match &config.namespace {
            Some(namespace) => within(namespace, || make(name))??,
            None => make(name)?,
        };
        let ip = |machine: &mut dyn Machine, arguments: &[&str]| match &config.namespace {
            Some(namespace) => machine.run("ip", &[&["-n", namespace], arguments].concat()),
            None => machine.run("ip", arguments),
        };
        let (mtu, queue) = (config.mtu.to_string(), QUEUE_PACKETS.to_string());
        ip(machine, &["address", "add", &config.address.with_length(), "dev", name])?;
        ip(machine, &["link", "set", "dev", name, "mtu", &mtu, "txqueuelen", &queue, "multicast", "off", "up"])?;
        if config.namespace.is_some() {
            ip(machine, &["link", "set", "dev", "lo", "up"])?;
        }
        Ok(Self { device })
    }

    /// The next packet from the kernel in `buffer`; none while none waits. What is longer than the buffer is cut off.
    ///
    /// # Errors
    /// When the device is gone.
    pub fn read(&self, buffer: &mut [u8]) -> io::Result<Option<usize>> {
        match self.device.recv(buffer) {
            Ok(octets) => Ok(Some(octets)),
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Gives a packet to the kernel; false when it does not take it: no IP packet, or no room.
    ///
    /// # Errors
    /// When the device is gone.
    pub fn write(&self, packet: &[u8]) -> io::Result<bool> {
        match self.device.send(packet) {
            Ok(octets) => Ok(octets == packet.len()),
            Err(error) => match error.kind() {
                ErrorKind::WouldBlock | ErrorKind::Interrupted | ErrorKind::InvalidInput | ErrorKind::OutOfMemory => {
                    Ok(false)
                }
                // While somebody has set the device down, it takes nothing.
                _ if error.raw_os_error() == Some(Errno::IO.raw_os_error()) => Ok(false),
                _ => Err(error),
            },
        }
    }
}

impl AsFd for Tun {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.device.as_fd()
    }
}

/// Result of `act` in a namespace. A thread of its own goes there, and comes back no more: the others stay where they
/// are.
fn within<T: Send>(namespace: &str, act: impl FnOnce() -> T + Send) -> Result<T, SystemError> {
    let path = Path::new("/run/netns").join(namespace);
    let place = File::open(&path).map_err(SystemError::file("enter", &path))?;
    let done = std::thread::scope(|scope| {
        let thread = scope.spawn(|| {
            move_into_link_name_space(place.as_fd(), Some(LinkNameSpaceType::Network))?;
            Ok(act())
        });
        thread.join().expect("a thread in a namespace does not panic")
    });
    done.map_err(|errno: Errno| SystemError::file("enter", &path)(errno.into()))
}

fn make(name: &str) -> Result<SyncDevice, SystemError> {
    const DEVICE: &str = "/dev/net/tun";
    let path = Path::new("/sys/class/net").join(name);
    if fs::exists(Path::new("/proc/sys/net/ipv4/conf").join(name)).unwrap_or(false) {
        return Err(SystemError::Taken { what: "a network device", name: path.display().to_string() });
    }
    let device = DeviceBuilder::new().name(name).inherit_enable_state().build_sync();
    let device = device.map_err(SystemError::file("make a TUN device with", DEVICE))?;
    device.set_nonblocking(true).map_err(SystemError::file("use", DEVICE))?;
    // Where the kernel has no IPv6 there is nothing to switch off.
    let ipv6 = Path::new("/proc/sys/net/ipv6/conf").join(name).join("disable_ipv6");
    if fs::exists(&ipv6).unwrap_or(false) {
        fs::write(&ipv6, "1\n").map_err(SystemError::file("write", &ipv6))?;
    }
    Ok(device)
}
