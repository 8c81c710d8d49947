//! A controller behind H4 as an adapter of this machine's own Bluetooth stack: packets between its stream and `/dev/vhci`.
//!
//! Linux `drivers/bluetooth/hci_vhci.c`: a write is one packet for the host, a read is one packet of the host.

use std::collections::VecDeque;
use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind, Read, Write};
use std::os::fd::AsFd;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use airtime_core::Duration;
use airtime_system::serial;
use airtime_system::sleep::{LEFT, REST_MAX, sleep};
use airtime_system::stop::{Stop, Stopper};
use rustix::event::{PollFd, PollFlags};
use rustix::fs::OFlags;
use rustix::termios::isatty;

use crate::ble::Place;
use crate::ble::h4::{Framer, PACKET_MAX};
use crate::ble::stream::{Duplex, dialled, waits};

/// Device by which the kernel takes a controller from a program.
pub const DEVICE: &str = "/dev/vhci";

/// Indicator of what goes between the program and the device alone. Linux `bluetooth.h`, HCI_VENDOR_PKT.
const VENDOR: u8 = 0xff;

/// Request for an adapter, of the kind HCI_PRIMARY and without quirks; the answer begins alike.
const CREATE: [u8; 2] = [VENDOR, 0];

/// Time within which the kernel answers that. *Assumed.*
const CREATE_MAX: Duration = Duration::from_secs(5);

/// Octets read from the controller in one turn.
const READ_OCTETS: usize = 4_096;

/// Bridge between a controller and the kernel.
pub struct Vhci {
    index: u16,
    kernel: File,
    controller: Box<dyn Duplex>,
    framer: Framer,
    /// Octets of the kernel that wait for the controller: at most one packet.
    outgoing: VecDeque<u8>,
    stop: Stop,
}

impl Vhci {
    /// Bridge to the controller at `place`, with an adapter of the kernel for it.
    ///
    /// # Errors
    /// When either is not to be had; the second word of the pair tells which: the place, or the device.
    pub fn open(place: &Place) -> Result<Self, (io::Error, String)> {
        let controller = dialled(place, port).map_err(|error| (error, place.to_string()))?;
        let of_kernel = |error| (error, DEVICE.to_owned());
        let flags = OFlags::NONBLOCK.bits() as i32;
        let opened = OpenOptions::new().read(true).write(true).custom_flags(flags).open(DEVICE);
        let mut kernel = opened.map_err(of_kernel)?;
        let index = create(&mut kernel).map_err(of_kernel)?;
        let stop = Stop::new().map_err(of_kernel)?;
        Ok(Self { index, kernel, controller, framer: Framer::of_controller(), outgoing: VecDeque::new(), stop })
    }

    /// Number of the adapter: 0 is `hci0`.
    pub fn index(&self) -> u16 {
        self.index
    }

    /// Handle that stops [`run`](Self::run) from another thread.
    pub fn stopper(&self) -> Stopper {
        self.stop.stopper()
    }

    /// Carries packets both ways until it is stopped. The adapter goes with the bridge.
    ///
    /// # Errors
    /// When the controller has gone, or sends what is no H4.
    pub fn run(&mut self) -> io::Result<()> {
        while !self.stop.is_asked() {
            let [of_controller, of_kernel] = self.wait()?;
            if of_controller {
                self.take()?;
            }
            if of_kernel && self.outgoing.is_empty() {
                self.fetch()?;
            }
            self.send()?;
        }
        Ok(())
    }

    /// Waits until there is something to do: to read of the controller, of the kernel.
    fn wait(&self) -> io::Result<[bool; 2]> {
        let mut flags = PollFlags::IN;
        flags.set(PollFlags::OUT, !self.outgoing.is_empty());
        // What the controller does not take yet is not fetched either.
        let of_kernel = if self.outgoing.is_empty() { PollFlags::IN } else { PollFlags::empty() };
        let mut fds = [
            PollFd::from_borrowed_fd(self.controller.as_fd(), flags),
            PollFd::from_borrowed_fd(self.kernel.as_fd(), of_kernel),
            PollFd::from_borrowed_fd(self.stop.as_fd(), PollFlags::IN),
        ];
        let whole = sleep(&mut fds, REST_MAX)?;
        let is = |fd: &PollFd<'_>| whole && fd.revents().intersects(PollFlags::IN | LEFT);
        Ok([is(&fds[0]), is(&fds[1])])
    }

    /// Reads of the controller, and hands whole packets to the kernel.
    fn take(&mut self) -> io::Result<()> {
        let mut bytes = [0; READ_OCTETS];
        match self.controller.read(&mut bytes) {
            Ok(0) => return Err(io::Error::new(ErrorKind::UnexpectedEof, "the controller has gone")),
            Ok(octets) => self.framer.push(&bytes[..octets]),
            Err(error) if waits(&error) => {}
            Err(error) => return Err(error),
        }
        while let Some(packet) = self.framer.packet() {
            self.kernel.write_all(packet)?;
        }
        if self.framer.is_lost() {
            return Err(io::Error::new(ErrorKind::InvalidData, "what the controller sends is no H4"));
        }
        Ok(())
    }

    /// Reads one packet of the kernel.
    fn fetch(&mut self) -> io::Result<()> {
        let mut packet = [0; PACKET_MAX];
        match self.kernel.read(&mut packet) {
            Ok(octets) if packet[0] != VENDOR => self.outgoing.extend(&packet[..octets]),
            Ok(_) => {}
            Err(error) if waits(&error) => {}
            Err(error) => return Err(error),
        }
        Ok(())
    }

    /// Writes what waits for the controller, as much as it takes.
    fn send(&mut self) -> io::Result<()> {
        while !self.outgoing.is_empty() {
            match self.controller.write(self.outgoing.as_slices().0) {
                Ok(octets) => drop(self.outgoing.drain(..octets)),
                Err(error) if waits(&error) => break,
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

/// Asks the kernel for an adapter; its number.
fn create(kernel: &mut File) -> io::Result<u16> {
    kernel.write_all(&CREATE)?;
    sleep(&mut [PollFd::from_borrowed_fd(kernel.as_fd(), PollFlags::IN)], CREATE_MAX)?;
    let mut answer = [0; 4];
    let octets = kernel.read(&mut answer)?;
    if octets < answer.len() || answer[..2] != CREATE {
        return Err(io::Error::new(ErrorKind::InvalidData, "the kernel has given no adapter"));
    }
    Ok(u16::from_le_bytes([answer[2], answer[3]]))
}

/// A serial port; or a port of a virtual machine, which is no terminal and has no rate.
fn port(device: &Path, baud: u32) -> io::Result<File> {
    let flags = OFlags::NOCTTY | OFlags::NONBLOCK;
    let port = OpenOptions::new().read(true).write(true).custom_flags(flags.bits() as i32).open(device)?;
    if isatty(&port) { serial::open(device, baud) } else { Ok(port) }
}
