//! How long a client waits, and what it does when nothing comes.

use airtime_core::{Duration, Instant};
use airtime_rpc::client::{ClientConfig, Encryption, SetupError, State};
use airtime_rpc::crypto::Pin;
use airtime_rpc::server::ServerConfig;
use airtime_rpc::{CallError, Kind, Refused, Status};

use super::pipe::{PATIENCE, Pipe, client_config, octets, server_config};

const HELLO: &str = "0a0568656c6c6f";

fn after(wait: Duration) -> Option<Instant> {
    Some(Instant::ZERO + wait)
}

#[test]
fn nobody_answers_the_set_up() {
    let mut pipe = Pipe::connected(client_config(), server_config());
    assert_eq!(pipe.client.deadline(), None, "nothing was asked yet");
    pipe.pull_client();
    assert_eq!(pipe.client.deadline(), after(Duration::from_secs(1)));
    pipe.wait();
    pipe.pull_client();
    assert_eq!(pipe.client.deadline(), after(Duration::from_secs(2)));
    pipe.wait();
    assert_eq!(pipe.client.state(), State::Failed(SetupError::Timeout));
    assert_eq!(pipe.client.deadline(), None);
    assert_eq!(pipe.client.start(pipe.now, "echo", Kind::Unary), Err(Refused::NotReady));
}

#[test]
fn one_answer_of_two_is_enough_for_calls_in_the_open() {
    // An old peripheral that knows nothing of capabilities, and one that knows nothing of timeouts.
    for (answered, frame) in [(0, "0000c4026400"), (1, "0100d0060030ffff0000")] {
        let mut pipe = Pipe::connected(client_config(), server_config());
        for question in 0..2 {
            pipe.pull_client();
            if question == answered {
                pipe.give_client(&octets(frame));
            } else {
                pipe.wait();
            }
        }
        assert!(matches!(pipe.client.state(), State::Ready(_)), "{:?}", pipe.client.state());
    }
}

#[test]
fn a_step_of_the_exchange_is_waited_for_longer() {
    let client = ClientConfig { encryption: Encryption::Required(Pin::FirstUse), ..client_config() };
    let mut pipe = Pipe::connected(client, ServerConfig { encrypted: true, ..server_config() });
    pipe.pull_client();
    pipe.give_client(&octets("0000c4026400"));
    pipe.pull_client();
    pipe.give_client(&octets("0100d0060030ffff0100"));
    pipe.pull_client();
    assert_eq!(pipe.client.deadline(), after(Duration::from_secs(2)));
    pipe.wait();
    assert_eq!(pipe.client.state(), State::Failed(SetupError::Timeout));
}

#[test]
fn every_frame_renews_the_patience() {
    let mut pipe = Pipe::plain();
    let call = pipe.start("flash_read", Kind::Unary, &[octets("108040")]);
    pipe.pull_client();
    let request = pipe.up.pop_front().expect("a request");
    pipe.give_server(&request);
    pipe.pull_server();
    for frame in std::mem::take(&mut pipe.down) {
        pipe.now += Duration::from_millis(1900);
        pipe.client.wake(pipe.now, &mut pipe.book);
        pipe.give_client(&frame);
    }
    assert_eq!(pipe.book.result(call).map(|responses| responses.len()), Ok(1));
    assert_eq!(pipe.client.deadline(), None);
}

#[test]
fn the_server_may_ask_for_more_patience() {
    let server = ServerConfig { timeout: Duration::from_secs(5), ..server_config() };
    let mut pipe = Pipe::ready(client_config(), server);
    pipe.start("echo", Kind::Unary, &[octets(HELLO)]);
    assert_eq!(pipe.client.deadline(), after(Duration::from_secs(5)));
}

#[test]
fn a_caller_may_take_its_time() {
    let mut pipe = Pipe::plain();
    let call = pipe.start("counter_upload", Kind::ClientStream, &[octets("")]);
    pipe.book.keep_open(call, true);
    pipe.run();
    assert_eq!(pipe.client.deadline(), None, "nobody waits for the server");
    pipe.now += Duration::from_secs(3600);
    pipe.book.add(call, octets("0801100a"));
    pipe.book.keep_open(call, false);
    pipe.run();
    assert!(!pipe.book.is_over(call), "it has not been told");
    pipe.client.resume(call);
    pipe.run();
    assert_eq!(pipe.book.result(call), Ok(vec![octets("0802")]));
}

#[test]
fn a_unary_call_that_is_cancelled_before_it_has_gone_makes_room_at_once() {
    let mut pipe = Pipe::plain();
    let call = pipe.start("echo", Kind::Unary, &[octets(HELLO)]);
    assert_eq!(pipe.client.room(), 0);
    assert_eq!(pipe.client.start(pipe.now, "echo", Kind::Unary), Err(Refused::Busy));
    pipe.client.cancel(pipe.now, call, &mut pipe.book);
    assert_eq!(pipe.book.result(call), Err(CallError::Refused(Status::Cancelled)));
    assert_eq!(pipe.client.room(), 1);
    assert_eq!(pipe.call("echo", Kind::Unary, &[octets("0a05776f726c64")]), [octets("0a05776f726c64")]);
}

/// A server that still answers would refuse the first items of an upload and take later ones for its begin.
#[test]
fn a_unary_call_that_is_cancelled_is_waited_for_once_it_has_gone() {
    let mut pipe = Pipe::plain();
    let call = pipe.start("echo", Kind::Unary, &[octets(HELLO)]);
    pipe.pull_client();
    pipe.client.cancel(pipe.now, call, &mut pipe.book);
    assert_eq!(pipe.book.result(call), Err(CallError::Refused(Status::Cancelled)));
    assert_eq!(pipe.client.room(), 0, "its answer is on the way");
    pipe.run();
    assert_eq!(pipe.client.room(), 1);
    assert_eq!(pipe.call("echo", Kind::Unary, &[octets("0a05776f726c64")]), [octets("0a05776f726c64")]);
    assert_eq!(pipe.client.faults().stale, 0);
}

#[test]
fn a_stream_that_is_cancelled_is_waited_for() {
    let mut pipe = Pipe::plain();
    let call = pipe.start("counter_stream", Kind::ServerStream, &[octets("0805")]);
    pipe.pull_client();
    pipe.client.cancel(pipe.now, call, &mut pipe.book);
    assert_eq!(pipe.book.result(call), Err(CallError::Refused(Status::Cancelled)));
    assert_eq!(pipe.client.room(), 0, "items are on their way");
    pipe.run();
    assert_eq!(pipe.client.room(), 1);
    assert_eq!(pipe.call("counter_stream", Kind::ServerStream, &[octets("0802")]).len(), 2);

    let call = pipe.start("counter_upload", Kind::ClientStream, &[octets(""), octets("0801100a")]);
    pipe.book.keep_open(call, true);
    pipe.run();
    pipe.client.cancel(pipe.now, call, &mut pipe.book);
    assert_eq!(pipe.client.room(), 0);
    pipe.run();
    assert_eq!(pipe.client.room(), 1);
    assert_eq!(pipe.call("counter_upload", Kind::ClientStream, &[octets("")]), [octets("0801")], "counted anew");
}

#[test]
fn a_connection_that_goes_ends_calls_at_both_ends() {
    let mut pipe = Pipe::plain();
    let call = pipe.start("flash_read", Kind::Unary, &[octets("108040")]);
    pipe.pull_client();
    let request = pipe.up.pop_front().expect("a request");
    pipe.give_server(&request);
    assert_eq!(pipe.service.under_way(), 1);
    pipe.disconnect();
    assert_eq!(pipe.book.result(call), Err(CallError::Lost));
    assert_eq!(pipe.service.under_way(), 0);
    assert_eq!(pipe.client.state(), State::Idle);
    pipe.connect();
    pipe.run();
    let next = pipe.call("echo", Kind::Unary, &[octets(HELLO)]);
    assert_eq!(next, [octets(HELLO)]);
}

#[test]
fn what_a_call_may_be_named() {
    let mut pipe = Pipe::plain();
    for name in ["", "seventeen_letters", "écho"] {
        assert_eq!(pipe.client.start(pipe.now, name, Kind::Unary), Err(Refused::Name));
    }
    assert_eq!(pipe.client.start(pipe.now, "chat", Kind::Bidirectional), Err(Refused::Unsupported));
}

#[test]
fn patience_is_at_least_the_callers() {
    let mut pipe = Pipe::plain();
    pipe.start("echo", Kind::Unary, &[octets(HELLO)]);
    assert_eq!(pipe.client.deadline(), after(PATIENCE));
}
