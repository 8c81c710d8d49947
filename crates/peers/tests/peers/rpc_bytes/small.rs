//! Command packets and controls.

use airtime_rpc::wire::{Capabilities, Command, CommandError, Container, Control, Direction, PeerError};
use libtest_mimic::Failed;
use serde_json::{Value, json};

use super::library::{Library, hex, octets, pattern};

pub fn commands() -> Result<(), Failed> {
    let mut library = Library::start()?;
    for name in ["a", "echo", "counter_stream", "sixteen_letters_"] {
        for len in [0, 1, 2, 127, 128, 255, 256, 8_192, 65_535] {
            for direction in [Direction::Request, Direction::Response] {
                let data = pattern(len);
                let response = u8::from(direction == Direction::Response);
                let theirs = library.octets("command", &[json!(response), json!(name), hex(&data)])?;
                let command = Command { direction, name, data: &data };
                let mut ours = vec![0; theirs.len()];
                assert_eq!(command.emit(&mut ours), theirs.len());
                assert!(ours == theirs, "{name} with {len} octets");
                assert!(Command::parse(&theirs) == Ok(command), "{name} with {len} octets");
                let read = library.answer("parse_command", &[hex(&ours)])?;
                assert_eq!((&read["response"], &read["name"]), (&json!(response), &json!(name)));
                assert!(octets(&read["data"])? == data);
            }
        }
    }
    cut_short(&mut library)?;
    // Names that firmware does not take, which the library makes all the same.
    for name in ["", "seventeen_letters"] {
        let theirs = library.octets("command", &[json!(0), json!(name), json!("")])?;
        assert_eq!(Command::parse(&theirs), Err(CommandError::Name));
    }
    Ok(())
}

/// The library takes data that is shorter than its length says; ours does not.
fn cut_short(library: &mut Library) -> Result<(), Failed> {
    let whole = library.octets("command", &[json!(0), json!("echo"), hex(&pattern(20))])?;
    let mut taken_by_library = 0;
    for len in 0..whole.len() {
        let error = Command::parse(&whole[..len]).expect_err("a command that is cut short");
        if library.ask("parse_command", &[hex(&whole[..len])])?.is_ok() {
            assert!(matches!(error, CommandError::Data { announced: 20, .. }), "{error:?}");
            taken_by_library += 1;
        }
    }
    assert_eq!(taken_by_library, 20, "the quirk is gone");
    Ok(())
}

pub fn controls() -> Result<(), Failed> {
    let mut library = Library::start()?;
    let capabilities = |max_request, max_response, flags| {
        Control::Capabilities(Some(Capabilities { max_request, max_response, flags }))
    };
    let step = pattern(129);
    let controls: [(&str, &[Value], Control<'_>); 10] = [
        ("timeout_request", &[], Control::TimeoutRequest),
        ("timeout_response", &[json!(100)], Control::Timeout { timeout_ms: 100 }),
        ("timeout_response", &[json!(65_535)], Control::Timeout { timeout_ms: 65_535 }),
        ("stream_end_c2p", &[], Control::StreamEndToServer),
        ("stream_end_p2c", &[], Control::StreamEndToClient),
        ("capabilities_request", &[], capabilities(0, 0, 0)),
        ("capabilities_response", &[json!(12_288), json!(65_535), json!(1)], capabilities(12_288, 65_535, 1)),
        ("error_response", &[json!(1)], Control::Error(PeerError::ResponseTooLarge)),
        ("error_response", &[json!(2)], Control::Error(PeerError::Busy)),
        ("key_exchange", &[hex(&step)], Control::KeyExchange(&step)),
    ];
    for transaction in [0, 1, 9, 255] {
        for (make, arguments, control) in &controls {
            let asked = [&[json!(make), json!(transaction)], *arguments].concat();
            let theirs = library.octets("control", &asked)?;
            let mut ours = [0; 140];
            let len = control.emit(transaction, &mut ours);
            assert_eq!(ours[..len], theirs, "{make}");
            let container = Container::parse(&theirs).map_err(|error| error.to_string())?;
            assert_eq!(container.content.control(), Some(Ok(*control)), "{make}");
            assert_eq!(container.transaction, transaction);
        }
    }
    // An old peripheral reads the flag of extended mode and thinks nothing of it.
    let mut frame = [0; 10];
    capabilities(0, 0, Capabilities::EXTENDED).emit(1, &mut frame);
    let read = library.answer("parse", &[hex(&frame)])?;
    assert_eq!((&read["type"], &read["control"]), (&json!(3), &json!(4)));
    assert_eq!(octets(&read["payload"])?, [0, 0, 0, 0, 0, 0x80]);
    Ok(())
}
