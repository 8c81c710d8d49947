//! A dongle: HCI over USB as a stream of H4 octets. Core 6.0, Vol 4, Part B: commands are control requests, events come by an interrupt
//! endpoint, ACL data goes by two bulk endpoints, and a header says where a packet ends.
//!
//! Transfers block, so each way has a thread of its own, with a socket between them and whoever has the stream.

mod error;
mod found;
mod ways;

use std::io::{self, Read, Write};
use std::net::Shutdown;
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};

use airtime_ble::hci::{ACL_DATA, EVENT};
use nusb::descriptors::TransferType;
use nusb::transfer::{Bulk, Direction, In, Interrupt, Out};
use nusb::{Interface, MaybeFuture};

use self::error::UsbError;
use self::found::{found, named};
use self::ways::{receive, send};
use super::place::Choice;

/// Interface of commands, events and ACL data. Core 6.0, Vol 4, Part B, 2.1.1.
const PRIMARY: u8 = 0;

/// A dongle that is taken from whichever driver had it, until this is dropped.
pub struct Dongle {
    stream: UnixStream,
    ended: Arc<AtomicBool>,
    threads: Vec<JoinHandle<()>>,
}

/// Addresses of the endpoints of its primary interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Endpoints {
    events: u8,
    acl_in: u8,
    acl_out: u8,
}

impl Dongle {
    /// The dongle of `choice`.
    ///
    /// # Errors
    /// When there is none, or several, or it is not to be had.
    pub fn open(choice: &Choice) -> io::Result<Self> {
        let found = found(choice)?;
        let device = found.open().wait().map_err(|error| UsbError::refused(&found, &error))?;
        let interface = device.detach_and_claim_interface(PRIMARY).wait();
        let interface = interface.map_err(|error| UsbError::refused(&found, &error))?;
        let endpoints = endpoints(&interface).ok_or_else(|| UsbError::NoController(named(&found)))?;
        Ok(Self::with(&interface, endpoints)?)
    }

    fn with(interface: &Interface, endpoints: Endpoints) -> Result<Self, UsbError> {
        let events = interface.endpoint::<Interrupt, In>(endpoints.events)?;
        let acl_in = interface.endpoint::<Bulk, In>(endpoints.acl_in)?;
        let acl_out = interface.endpoint::<Bulk, Out>(endpoints.acl_out)?;
        let (stream, far) = UnixStream::pair()?;
        stream.set_nonblocking(true)?;
        let ended = Arc::new(AtomicBool::new(false));
        let (to_host, more_to_host, interface) = (far.try_clone()?, far.try_clone()?, interface.clone());
        let [over, also_over] = [Arc::clone(&ended), Arc::clone(&ended)];
        let threads = vec![
            spawn("usb-events", move || receive(events, EVENT, to_host, &over))?,
            spawn("usb-acl", move || receive(acl_in, ACL_DATA, more_to_host, &also_over))?,
            spawn("usb-out", move || send(&interface, acl_out, far))?,
        ];
        Ok(Self { stream, ended, threads })
    }
}

/// Thread of one way.
fn spawn(name: &str, way: impl FnOnce() + Send + 'static) -> io::Result<JoinHandle<()>> {
    thread::Builder::new().name(name.to_owned()).spawn(way)
}

/// Endpoints of a primary interface, if it is one.
fn endpoints(interface: &Interface) -> Option<Endpoints> {
    let descriptor = interface.descriptor()?;
    let all: Vec<_> = descriptor.endpoints().collect();
    let of = |kind: TransferType, way: Direction| {
        let found = all.iter().find(|endpoint| endpoint.transfer_type() == kind && endpoint.direction() == way);
        found.map(|endpoint| endpoint.address())
    };
    Some(Endpoints {
        events: of(TransferType::Interrupt, Direction::In)?,
        acl_in: of(TransferType::Bulk, Direction::In)?,
        acl_out: of(TransferType::Bulk, Direction::Out)?,
    })
}

impl Read for Dongle {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        self.stream.read(into)
    }
}

impl Write for Dongle {
    fn write(&mut self, octets: &[u8]) -> io::Result<usize> {
        self.stream.write(octets)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.stream.flush()
    }
}

impl AsFd for Dongle {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.stream.as_fd()
    }
}

impl Drop for Dongle {
    fn drop(&mut self) {
        // The last of the interface gives it back to the driver that it was taken from, so nobody is left behind with it.
        self.ended.store(true, Ordering::Relaxed);
        let _ = self.stream.shutdown(Shutdown::Both);
        for thread in self.threads.drain(..) {
            let _ = thread.join();
        }
    }
}
