//! Radios that are well, and radios with one thing wrong each.
#![cfg(target_os = "linux")]

use std::io;
use std::os::fd::{AsFd, BorrowedFd};

use airtime_hw::{Ailment, Bell, Board, Health, examine};

use super::board::{Remote, boards};

/// Fault of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    None,
    /// Nothing but this comes back.
    Reads(u8),
    /// One bit of longer transactions is turned.
    Bit,
    /// A register's bit for 250 kbps is not kept.
    NoPlus,
    CeTiedHigh,
    CeElsewhere,
    IrqTiedLow,
    IrqElsewhere,
    NoInterrupts,
    Refuses,
}

/// A board with a fault, if any.
struct Ill {
    board: Remote,
    fault: Fault,
    silent: Bell,
}

impl Board for Ill {
    fn transfer(&self, octets: &mut [u8]) -> io::Result<()> {
        let wrote = octets.to_vec();
        self.board.transfer(octets)?;
        match self.fault {
            Fault::Refuses => return Err(io::ErrorKind::PermissionDenied.into()),
            Fault::Reads(octet) => octets.fill(octet),
            Fault::Bit if octets.len() == 6 => octets[3] ^= 0x10,
            // RF_SETUP is read.
            Fault::NoPlus if wrote[0] == 0x06 => octets[1] &= !0x20,
            _ => {}
        }
        Ok(())
    }

    fn set_ce(&self, high: bool) -> io::Result<()> {
        match self.fault {
            Fault::CeTiedHigh => self.board.set_ce(true),
            Fault::CeElsewhere => Ok(()),
            _ => self.board.set_ce(high),
        }
    }

    fn irq_is_low(&self) -> io::Result<bool> {
        match self.fault {
            Fault::IrqTiedLow => Ok(true),
            Fault::IrqElsewhere => Ok(false),
            _ => self.board.irq_is_low(),
        }
    }

    fn edges(&self) -> BorrowedFd<'_> {
        if self.fault == Fault::NoInterrupts { self.silent.as_fd() } else { self.board.edges() }
    }

    fn forget_edges(&self) -> io::Result<()> {
        self.board.forget_edges()
    }
}

fn examined(fault: Fault) -> (Result<Health, Ailment>, Vec<String>) {
    let board = boards(1).remove(0).remove(0);
    let ill = Ill { board, fault, silent: Bell::new().unwrap() };
    let mut steps = Vec::new();
    let health = examine(&ill, |step| steps.push(step.to_owned()));
    (health, steps)
}

#[test]
fn a_radio_that_is_well_passes_every_step() {
    let (health, steps) = examined(Fault::None);
    assert_eq!(health.unwrap(), Health { plus: true, carriers: Vec::new() });
    assert_eq!(steps.len(), 4, "{steps:?}");
    assert!(steps[0].contains("STATUS 0x0E"), "{steps:?}");
}

#[test]
fn a_radio_without_the_plus_is_told_of_and_is_well() {
    let (health, steps) = examined(Fault::NoPlus);
    assert!(!health.unwrap().plus && steps[2].contains("250 kbps cannot be set"), "{steps:?}");
}

#[test]
fn each_fault_is_found_at_its_step() {
    for (fault, passed, words) in [
        (Fault::Refuses, 0, "the kernel refuses"),
        (Fault::Reads(0), 0, "no power"),
        (Fault::Reads(0xFF), 0, "MISO is not connected"),
        (Fault::Bit, 1, "given a5 5a 0f f0 33 has a5 5a 1f f0 33"),
        (Fault::CeTiedHigh, 3, "CE is tied to power"),
        (Fault::CeElsewhere, 3, "does not leave though CE was raised"),
        (Fault::IrqTiedLow, 3, "IRQ is low though"),
        (Fault::IrqElsewhere, 3, "IRQ has stayed high"),
        (Fault::NoInterrupts, 3, "has told of no edge"),
    ] {
        let (health, steps) = examined(fault);
        let said = health.unwrap_err().to_string();
        assert!(said.contains(words) && steps.len() == passed, "{fault:?}: {said}, {steps:?}");
    }
}
