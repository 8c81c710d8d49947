//! Who speaks the extension with whom.

use airtime_rpc::client::{ClientConfig, Encryption, Mode, State, Terms};
use airtime_rpc::crypto::Pin;
use airtime_rpc::server::ServerConfig;
use airtime_rpc::{CALLS_MAX, Kind};

use super::pipe::{Pipe, client_config, octets, server_config};

const HELLO: &str = "0a0568656c6c6f";

fn terms(mode: Mode, extended: bool, seal: Encryption, encrypted: bool) -> (Terms, Pipe) {
    let client = ClientConfig { mode, encryption: seal, ..client_config() };
    let mut pipe = Pipe::connected(client, ServerConfig { extended, encrypted, ..server_config() });
    pipe.run();
    let State::Ready(terms) = pipe.client.state() else { panic!("{:?}", pipe.client.state()) };
    (terms, pipe)
}

#[test]
fn both_ends_have_to_want_it() {
    let (off, on) = (Encryption::Off, Encryption::Required(Pin::FirstUse));
    for (mode, extended, seal, encrypted, expected) in [
        (Mode::Extended, true, off, false, Mode::Extended),
        (Mode::Extended, true, on, true, Mode::Extended),
        (Mode::Extended, false, off, false, Mode::Compatible),
        (Mode::Extended, false, on, true, Mode::Compatible),
        (Mode::Compatible, true, off, false, Mode::Compatible),
        (Mode::Compatible, true, on, true, Mode::Compatible),
        // Whoever does not seal cannot speak it with a server that does.
        (Mode::Extended, true, off, true, Mode::Compatible),
    ] {
        let (terms, mut pipe) = terms(mode, extended, seal, encrypted);
        assert_eq!(terms.mode, expected, "{mode:?} {extended} {seal:?} {encrypted}");
        assert_eq!(terms.identity.is_some(), seal == on);
        if encrypted == (seal == on) {
            assert_eq!(pipe.call("echo", Kind::Unary, &[octets(HELLO)]), [octets(HELLO)]);
        }
    }
}

#[test]
fn a_server_says_nothing_of_it_to_who_does_not_ask() {
    let (_, pipe) = terms(Mode::Compatible, true, Encryption::Off, false);
    assert_eq!(pipe.sent()[1], "0100d006000000000000");
    assert_eq!(pipe.answered(), ["0000c4026400", "0100d0060030ffff0000"]);
    let (_, pipe) = terms(Mode::Extended, true, Encryption::Off, false);
    assert_eq!(pipe.sent()[1], "0100d006000000000080");
    assert_eq!(pipe.answered()[1], "0100d0060030ffff0080");
}

#[test]
fn frames_that_are_too_short_for_it_stay_with_the_published_protocol() {
    let client = ClientConfig { mode: Mode::Extended, ..client_config() };
    let mut pipe = Pipe::connected(client, server_config());
    pipe.disconnect();
    pipe.log.clear();
    pipe.frame = 20;
    pipe.connect();
    pipe.run();
    assert_eq!(pipe.sent()[1], "0100d006000000000000");
    assert_eq!(pipe.call("echo", Kind::Unary, &[octets(HELLO)]), [octets(HELLO)]);
    assert!(pipe.log.iter().all(|(_, frame)| frame.len() <= 20));
}

#[test]
fn eight_calls_are_under_way_in_extended_mode() {
    for (seal, encrypted) in [(Encryption::Off, false), (Encryption::Required(Pin::FirstUse), true)] {
        let (terms, mut pipe) = terms(Mode::Extended, true, seal, encrypted);
        assert_eq!(usize::from(terms.outstanding), CALLS_MAX);
        assert_eq!(pipe.client.room(), CALLS_MAX);
        let calls: Vec<_> = (0..CALLS_MAX)
            .map(|at| match at % 4 {
                0 => pipe.start("echo", Kind::Unary, &[octets(HELLO)]),
                1 => pipe.start("flash_read", Kind::Unary, &[octets("108040")]),
                2 => pipe.start("counter_stream", Kind::ServerStream, &[octets("0805")]),
                _ => pipe.start("counter_upload", Kind::ClientStream, &[octets(""), octets("0801100a")]),
            })
            .collect();
        pipe.run();
        for (at, call) in calls.into_iter().enumerate() {
            let responses = pipe.book.result(call).expect("the call went well");
            match at % 4 {
                0 => assert_eq!(responses, [octets(HELLO)]),
                1 => assert_eq!(responses[0].len(), 8195),
                2 => assert_eq!(responses.len(), 5),
                _ => assert_eq!(responses, [octets("0802")]),
            }
        }
    }
}
