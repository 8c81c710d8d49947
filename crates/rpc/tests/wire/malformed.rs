//! Octets that nobody may send, and what is said of each.

use airtime_rpc::wire::{
    Command, CommandError, Container, ContainerError, Control, ControlCode, ControlError, PeerError,
};

use super::hex::hex;

#[test]
fn frames() {
    use ContainerError::{Header, Payload, Type};
    let frames = [
        ("", Header),
        ("2a", Header),
        ("2a00", Header),
        ("2a0000", Header),
        ("2a00000f", Header),
        ("2a00000f00", Header),
        ("2a0140", Header),
        ("2a00c4", Header),
        ("2a008000", Type),
        ("2a0080", Type),
        ("2a00bf05 0102030405", Type),
        ("2a00000f000f 00", Payload { announced: 15, present: 1 }),
        ("2a0000ffffff", Payload { announced: 255, present: 0 }),
        ("2a014002 01", Payload { announced: 2, present: 1 }),
        ("0000c402 64", Payload { announced: 2, present: 1 }),
    ];
    for (frame, error) in frames {
        assert_eq!(Container::parse(&hex(frame)), Err(error), "{frame}");
    }
}

#[test]
fn commands() {
    use CommandError::{Data, Header, Name};
    let packets = [
        ("", Header),
        ("00", Header),
        ("0004 656368", Header),
        ("0004 6563686f", Header),
        ("0004 6563686f 07", Header),
        ("00ff 6563686f 0000", Header),
        ("0000 0000", Name),
        ("0011 6161616161616161616161616161616161 0000", Name),
        ("0002 c3a4 0000", Name),
        ("0002 ff61 0000", Name),
        ("0004 6563686f 0700 0a05", Data { announced: 7, present: 2 }),
        ("0004 6563686f 0100 0a05", Data { announced: 1, present: 2 }),
        ("0004 6563686f ffff", Data { announced: 65_535, present: 0 }),
    ];
    for (packet, error) in packets {
        assert_eq!(Command::parse(&hex(packet)), Err(error), "{packet}");
    }
}

#[test]
fn controls() {
    use ControlCode::{Capabilities, Error, KeyExchange, Timeout};
    for code in [0].into_iter().chain(7..=255) {
        assert_eq!(Control::parse(code, &[0; 8]), Err(ControlError::Unknown { code }));
    }
    let lengths = [(Timeout, 1), (Capabilities, 1), (Capabilities, 5), (Error, 0), (KeyExchange, 0)];
    for (code, octets) in lengths {
        let error = ControlError::Length { code, octets };
        assert_eq!(Control::parse(code as u8, &[0; 8][..octets]), Err(error));
    }
    assert_eq!(Control::parse(5, &[77]), Ok(Control::Error(PeerError::Other(77))));
}

#[test]
fn messages_say_what_is_wrong() {
    let says = |frame: &str| Container::parse(&hex(frame)).expect_err("malformed").to_string();
    assert_eq!(says("2a014002 01"), "the container announces 2 octets of payload and has 1");
    assert_eq!(ControlError::Unknown { code: 9 }.to_string(), "control 9 is not defined; 1 to 6 are");
    assert_eq!(CommandError::Name.to_string(), "a method's name has 1 to 16 ASCII characters");
}
