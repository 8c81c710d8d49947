//! Streams that H4 octets travel on.

use std::fs::File;
use std::io::{self, ErrorKind, Read, Write};
use std::net::TcpStream;
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::path::Path;

#[cfg(target_os = "linux")]
use super::linux::user_channel::UserChannel;
use super::place::Place;
use super::usb::Dongle;

/// A two-way stream of octets.
pub trait Duplex: Read + Write + AsFd {}

impl<T: Read + Write + AsFd> Duplex for T {}

/// Stream to the controller at `place`; a port of this machine as `opened` by device and rate.
///
/// # Errors
/// When nothing answers there.
pub fn dialled(place: &Place, opened: fn(&Path, u32) -> io::Result<File>) -> io::Result<Box<dyn Duplex>> {
    Ok(match place {
        Place::Tcp(at) => {
            let stream = TcpStream::connect(at)?;
            stream.set_nodelay(true)?;
            stream.set_nonblocking(true)?;
            Box::new(stream)
        }
        Place::Unix(path) => {
            let stream = UnixStream::connect(path)?;
            stream.set_nonblocking(true)?;
            Box::new(stream)
        }
        Place::Serial { device, baud } => Box::new(opened(device, *baud)?),
        Place::Usb(choice) => Box::new(Dongle::open(choice)?),
        #[cfg(target_os = "linux")]
        Place::Adapter(index) => Box::new(UserChannel::open(*index)?),
        #[cfg(not(target_os = "linux"))]
        Place::Adapter(_) => return Err(io::Error::new(ErrorKind::Unsupported, "hci0 and its like are Linux's")),
        Place::Pty(_) => {
            return Err(io::Error::new(ErrorKind::Unsupported, "a host dials tcp:…, unix:…, serial:…, usb or hci0"));
        }
    })
}

/// Tells if an error only means "later".
pub fn waits(error: &io::Error) -> bool {
    matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted)
}
