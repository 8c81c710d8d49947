//! What the published implementation writes, octet by octet.

use airtime_rpc::wire::{Capabilities, Command, Container, Content, Control, Direction, PeerError};

use super::hex::hex;

/// The container that an only one is.
fn only(transaction: u8, message: &[u8]) -> Vec<u8> {
    let total = u16::try_from(message.len()).expect("a short message");
    let mut frame = [0; 244];
    let content = Content::First { total, payload: message };
    let len = Container { transaction, sequence: 0, content }.emit(&mut frame);
    frame[..len].to_vec()
}

fn command(direction: Direction, name: &str, data: &str) -> Vec<u8> {
    let data = hex(data);
    let command = Command { direction, name, data: &data };
    let mut packet = [0xAA; 300];
    let len = command.emit(&mut packet);
    assert_eq!(Command::parse(&packet[..len]), Ok(command));
    packet[..len].to_vec()
}

#[test]
fn requests_of_one_container() {
    use Direction::Request;
    let frames = [
        ("echo", "0a0568656c6c6f", "2a00000f000f 00046563686f07000a0568656c6c6f"),
        ("flash_read", "108040", "2a0000110011 000a666c6173685f726561640300108040"),
        ("data_write", "0a0400010203", "2a0000140014 000a646174615f777269746506000a0400010203"),
    ];
    for (name, data, frame) in frames {
        assert_eq!(only(0x2A, &command(Request, name, data)), hex(frame), "{name}");
        let frame = hex(frame);
        let container = Container::parse(&frame).expect("a container");
        let Content::First { total, payload } = container.content else { panic!("{container:?}") };
        assert_eq!((container.transaction, usize::from(total)), (0x2A, payload.len()));
        assert_eq!(Command::parse(payload).expect("a command").name, name);
    }
}

#[test]
fn command_packets() {
    use Direction::{Request, Response};
    let packets = [
        (Response, "echo", "0a0568656c6c6f", "80046563686f07000a0568656c6c6f"),
        (Response, "data_write", "0804", "800a646174615f777269746502000804"),
        (Request, "counter_stream", "0805", "000e636f756e7465725f73747265616d02000805"),
        (Response, "counter_stream", "0803101e", "800e636f756e7465725f73747265616d04000803101e"),
        (Response, "counter_upload", "0805", "800e636f756e7465725f75706c6f616402000805"),
    ];
    for (direction, name, data, packet) in packets {
        assert_eq!(command(direction, name, data), hex(packet), "{name}");
    }
}

#[test]
fn controls() {
    let answered = Capabilities { max_request: 12_288, max_response: 65_535, flags: Capabilities::ENCRYPTION };
    let controls = [
        (0x00, Control::TimeoutRequest, "0000c400"),
        (0x00, Control::Timeout { timeout_ms: 100 }, "0000c4026400"),
        (0x01, Control::Capabilities(Some(Capabilities::default())), "0100d006000000000000"),
        (0x01, Control::Capabilities(None), "0100d000"),
        (0x01, Control::Capabilities(Some(answered)), "0100d0060030ffff0100"),
        (0x09, Control::StreamEndToServer, "0900c800"),
        (0x09, Control::StreamEndToClient, "0900cc00"),
        (0x09, Control::Error(PeerError::Busy), "0900d40102"),
        (0x09, Control::Error(PeerError::ResponseTooLarge), "0900d40101"),
        (0x02, Control::KeyExchange(&[1, 2, 3]), "0200d803010203"),
    ];
    for (transaction, control, frame) in controls {
        let mut into = [0; 16];
        let len = control.emit(transaction, &mut into);
        assert_eq!(into[..len], hex(frame), "{control:?}");
        let container = Container::parse(&into[..len]).expect("a container");
        assert_eq!((container.transaction, container.sequence), (transaction, 0));
        assert_eq!(container.content.control(), Some(Ok(control)));
    }
    assert!(answered.is_encrypted() && !answered.is_extended());
    assert!(Capabilities { flags: 0x8000, ..answered }.is_extended());
}

/// What stands behind a payload, and the reserved bits, are ignored by every published end.
#[test]
fn reserved_bits_and_trailing_octets_are_ignored() {
    let frame = hex("2a 05 43 02 beef 99");
    let content = Content::Subsequent { payload: &[0xBE, 0xEF] };
    assert_eq!(Container::parse(&frame), Ok(Container { transaction: 0x2A, sequence: 5, content }));
    let packet = hex("ff 01 61 0000");
    let command = Command { direction: Direction::Response, name: "a", data: &[] };
    assert_eq!(Command::parse(&packet), Ok(command));
    assert_eq!(Control::parse(1, &[100, 0, 9]), Ok(Control::Timeout { timeout_ms: 100 }));
}

#[test]
fn an_empty_message_is_one_container() {
    assert_eq!(only(7, &[]), hex("070000000000"));
    let content = Content::First { total: 0, payload: &[] };
    assert_eq!(Container::parse(&hex("070000000000")), Ok(Container { transaction: 7, sequence: 0, content }));
}
