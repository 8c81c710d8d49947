//! Encrypted conversations: what is not genuine is never delivered.

use airtime_rpc::client::{ClientConfig, Encryption, SetupError, State};
use airtime_rpc::crypto::{Pin, identity};
use airtime_rpc::server::ServerConfig;
use airtime_rpc::{CallError, Kind};

use super::pipe::{FRAME, Pipe, SERVER_SECRETS, client_config, octets, server_config};

const HELLO: &str = "0a0568656c6c6f";

fn client(pin: Pin) -> ClientConfig {
    ClientConfig { encryption: Encryption::Required(pin), ..client_config() }
}

fn server() -> ServerConfig {
    ServerConfig { encrypted: true, ..server_config() }
}

fn sealed() -> Pipe {
    Pipe::ready(client(Pin::Known(identity(&SERVER_SECRETS.identity))), server())
}

/// How the set-up ends when the frame that the server sends as number `at` is made another.
fn set_up(config: ClientConfig, at: usize, change: impl Fn(&mut Vec<u8>)) -> State {
    let mut pipe = Pipe::connected(config, server());
    let mut answers = 0;
    loop {
        pipe.pull_client();
        let Some(frame) = pipe.up.pop_front() else { return pipe.client.state() };
        pipe.give_server(&frame);
        pipe.pull_server();
        for mut frame in std::mem::take(&mut pipe.down) {
            if answers == at {
                change(&mut frame);
            }
            answers += 1;
            pipe.give_client(&frame);
        }
    }
}

#[test]
fn every_method_passes_sealed() {
    let mut pipe = sealed();
    assert_eq!(pipe.call("echo", Kind::Unary, &[octets(HELLO)]), [octets(HELLO)]);
    assert_eq!(pipe.call("counter_stream", Kind::ServerStream, &[octets("0805")]).len(), 5);
    let items: Vec<_> = ["", "0801100a"].map(octets).to_vec();
    assert_eq!(pipe.call("counter_upload", Kind::ClientStream, &items), [octets("0802")]);
    let data = [octets("0a8040"), vec![0xa5; 8192]].concat();
    assert_eq!(pipe.call("data_write", Kind::Unary, &[data]), [octets("088040")]);
    // Neither the name of a method nor its octets are in the clear.
    assert!(!pipe.sent().concat().contains("6563686f"));
    assert_eq!(pipe.server.faults(), Default::default());
    assert_eq!(pipe.client.faults(), Default::default());
}

#[test]
fn a_server_that_was_not_pinned_is_refused() {
    let state = set_up(client(Pin::Known([9; 32])), usize::MAX, |_| {});
    assert_eq!(state, State::Failed(SetupError::WrongIdentity));
}

#[test]
fn steps_that_were_changed_are_refused() {
    // The answers are TIMEOUT, CAPABILITIES, the server's key, its confirmation.
    for (at, octet) in [(2, 5), (2, 40), (2, 110), (3, 20), (3, 40)] {
        let state = set_up(client(Pin::FirstUse), at, |frame| frame[octet] ^= 1);
        assert_eq!(state, State::Failed(SetupError::NotGenuine), "octet {octet} of answer {at}");
    }
    let state = set_up(client(Pin::FirstUse), 2, |frame| {
        frame.truncate(60);
        frame[3] = 56;
    });
    assert_eq!(state, State::Failed(SetupError::Malformed));
}

#[test]
fn a_server_that_does_not_seal_is_refused() {
    let mut pipe = Pipe::connected(client(Pin::FirstUse), server_config());
    pipe.run();
    assert_eq!(pipe.client.state(), State::Failed(SetupError::NotOffered));
    assert!(pipe.client.start(pipe.now, "echo", Kind::Unary).is_err());
}

#[test]
fn a_frame_that_is_too_short_for_the_exchange_is_said() {
    let mut pipe = Pipe::connected(client(Pin::FirstUse), server());
    pipe.disconnect();
    pipe.frame = 132;
    pipe.connect();
    pipe.run();
    assert_eq!(pipe.client.state(), State::Failed(SetupError::FrameTooShort));
    pipe.disconnect();
    pipe.frame = 133;
    pipe.connect();
    pipe.run();
    assert!(matches!(pipe.client.state(), State::Ready(_)));
}

#[test]
fn a_call_in_the_open_is_refused_by_a_server_that_seals() {
    let mut pipe = Pipe::ready(client_config(), server());
    let call = pipe.start("echo", Kind::Unary, &[octets(HELLO)]);
    pipe.run();
    assert_eq!(pipe.answered(), [""; 0]);
    assert_eq!(pipe.server.faults().not_genuine, 1);
    pipe.wait();
    assert_eq!(pipe.book.result(call), Err(CallError::Timeout));
}

#[test]
fn a_message_that_comes_again_is_refused() {
    let mut pipe = sealed();
    pipe.call("echo", Kind::Unary, &[octets(HELLO)]);
    let (mut request, mut answer) = (pipe.log[0].1.clone(), pipe.log[1].1.clone());
    // Under another transaction, so that only the seal can tell.
    request[0] = 0x77;
    pipe.give_server(&request);
    pipe.pull_server();
    assert!(pipe.down.is_empty());
    assert_eq!(pipe.server.faults().not_genuine, 1);

    let call = pipe.start("echo", Kind::Unary, &[octets("0a05776f726c64")]);
    pipe.pull_client();
    answer[0] = pipe.up[0][0];
    pipe.give_client(&answer);
    assert!(!pipe.book.is_over(call));
    assert_eq!(pipe.client.faults().not_genuine, 1);
}

#[test]
fn a_message_that_was_changed_is_refused() {
    let mut pipe = sealed();
    let call = pipe.start("echo", Kind::Unary, &[octets(HELLO)]);
    pipe.pull_client();
    let mut request = pipe.up.pop_front().expect("a request");
    request[14] ^= 1;
    pipe.give_server(&request);
    pipe.run();
    assert_eq!(pipe.answered(), [""; 0]);
    pipe.wait();
    assert_eq!(pipe.book.result(call), Err(CallError::Timeout));
    assert_eq!(pipe.call("echo", Kind::Unary, &[octets(HELLO)]), [octets(HELLO)]);
}

#[test]
fn a_missing_item_of_a_sealed_stream_is_noticed() {
    let mut pipe = sealed();
    let call = pipe.start("counter_stream", Kind::ServerStream, &[octets("0805")]);
    pipe.pull_client();
    let request = pipe.up.pop_front().expect("a request");
    pipe.give_server(&request);
    pipe.pull_server();
    pipe.down.remove(2);
    pipe.run();
    assert_eq!(pipe.book.result(call), Err(CallError::Lost));

    let items: Vec<_> = ["", "0801100a", "08021014"].map(octets).to_vec();
    let call = pipe.start("counter_upload", Kind::ClientStream, &items);
    pipe.pull_client();
    pipe.up.remove(1);
    pipe.run();
    pipe.wait();
    assert_eq!(pipe.book.result(call), Err(CallError::Timeout), "no wrong count");
    assert_eq!(pipe.service.under_way(), 0);
}

#[test]
fn a_second_key_exchange_changes_nothing() {
    let mut pipe = Pipe::connected(client(Pin::FirstUse), server());
    pipe.run();
    let steps: Vec<_> =
        pipe.log.iter().filter(|(up, frame)| *up && frame[2] == 0xd8).map(|(_, frame)| frame.clone()).collect();
    assert_eq!(steps.len(), 2);
    pipe.log.clear();
    for step in &steps {
        pipe.give_server(step);
    }
    pipe.pull_server();
    assert_eq!(pipe.answered(), [""; 0]);
    assert_eq!(pipe.server.faults().not_genuine, 2);
    assert_eq!(pipe.call("echo", Kind::Unary, &[octets(HELLO)]), [octets(HELLO)]);
    assert_eq!(pipe.frame, FRAME);
}
