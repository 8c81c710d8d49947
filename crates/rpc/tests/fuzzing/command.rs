//! Command packets and controls.

use airtime_rpc::wire::{Capabilities, Command, Container, Control, Direction};

use super::{OCTETS_MAX, Script};

/// Runs one script: packets and controls as they come, and packets made of parts.
pub fn command(bytes: &[u8]) {
    let mut script = Script::new(bytes, OCTETS_MAX);
    while !script.is_over() {
        match script.octet() % 3 {
            0 => parse(script.octets(600)),
            1 => {
                let direction = if script.octet() & 1 == 0 { Direction::Request } else { Direction::Response };
                let name = core::str::from_utf8(script.octets(20)).unwrap_or("not text");
                let data = script.octets(500);
                // A fuzzer need not find the lengths.
                let mut packet = vec![if direction == Direction::Request { 0x7F } else { 0x80 }, name.len() as u8];
                packet.extend_from_slice(name.as_bytes());
                packet.extend_from_slice(&(data.len() as u16).to_le_bytes());
                packet.extend_from_slice(data);
                let is_name = (1..=16).contains(&name.len()) && name.is_ascii();
                assert_eq!(Command::parse(&packet).is_ok(), is_name, "{name:?}");
                parse(&packet);
            }
            _ => {
                let (code, payload) = (script.octet(), script.octets(255));
                if let Ok(control) = Control::parse(code, payload) {
                    emitted(&control, script.octet());
                }
            }
        }
    }
}

/// A packet that was read says the same when it is made again.
fn parse(octets: &[u8]) {
    if let Ok(command) = Command::parse(octets) {
        let mut again = vec![0; octets.len()];
        assert_eq!(command.emit(&mut again), octets.len());
        assert_eq!(again[1..], octets[1..]);
        assert_eq!(Command::parse(&again), Ok(command));
        assert!(octets.len() < 4 || Command::parse(&octets[..octets.len() - 1]).is_err());
    }
}

fn emitted(control: &Control<'_>, transaction: u8) {
    let mut frame = [0; 260];
    let len = control.emit(transaction, &mut frame);
    let container = Container::parse(&frame[..len]).expect("what is made is read");
    assert_eq!(container.content.control(), Some(Ok(*control)));
    if let Control::Capabilities(Some(capabilities)) = control {
        assert_eq!(capabilities.is_extended(), capabilities.flags & Capabilities::EXTENDED != 0);
    }
}
