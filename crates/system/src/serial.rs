//! Serial ports: with a controller behind them, a dongle or a board's UART with the H4 transport, and with a board's console.

use std::fs::{File, OpenOptions};
use std::io;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use rustix::fs::OFlags;
use rustix::termios::{ControlModes, OptionalActions, QueueSelector, tcflush, tcgetattr, tcsetattr};

/// Opens the port with eight bits, no parity, and hardware flow control, which H4 asks for (Core 6.0, Vol 4, Part A, 2).
///
/// # Errors
/// When there is none, or it does not take the rate.
pub fn open(device: &Path, baud: u32) -> io::Result<File> {
    opened(device, baud, ControlModes::CRTSCTS)
}

/// Opens the console of a board, as Zephyr and ESP-IDF write theirs: eight bits, no parity, and nothing that holds the board up.
///
/// # Errors
/// When there is none, or it does not take the rate.
pub fn console(device: &Path, baud: u32) -> io::Result<File> {
    opened(device, baud, ControlModes::empty())
}

fn opened(device: &Path, baud: u32, flow: ControlModes) -> io::Result<File> {
    let flags = OFlags::NOCTTY | OFlags::NONBLOCK;
    let port = OpenOptions::new().read(true).write(true).custom_flags(flags.bits() as i32).open(device)?;
    let mut modes = tcgetattr(&port)?;
    modes.make_raw();
    modes.control_modes.remove(ControlModes::CRTSCTS);
    modes.control_modes |= flow | ControlModes::CLOCAL | ControlModes::CREAD;
    modes.set_speed(baud)?;
    tcsetattr(&port, OptionalActions::Now, &modes)?;
    // What an earlier host has left there is not for this one.
    tcflush(&port, QueueSelector::IOFlush)?;
    Ok(port)
}
