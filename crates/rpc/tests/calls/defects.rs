//! What published implementations do wrong, or may meet: none of it does harm.

use airtime_rpc::compatible::{Assembler, Outgoing, capacity};
use airtime_rpc::server::ServerConfig;
use airtime_rpc::wire::{CommandHeader, Container, Content, Direction};
use airtime_rpc::{CallError, Kind, Status};

use super::pipe::{Pipe, client_config, octets, server_config};

const HELLO: &str = "0a0568656c6c6f";
const WORLD: &str = "0a05776f726c64";

/// The payload of so many octets in containers of `frame`: sequence numbers and lengths.
fn cut(frame: usize, payload: usize) -> Vec<(u8, usize)> {
    let data_len = (payload - 4 - 4) as u16;
    let command = CommandHeader { direction: Direction::Request, name: "echo", data_len };
    let mut outgoing = Outgoing::new(7, command, None, capacity(frame)).expect("it fits");
    let mut assembler = Box::new(Assembler::<65535>::new());
    let mut containers = Vec::new();
    let mut into = [0; 244];
    while !outgoing.is_done() {
        let len = outgoing.transmit(frame, &mut into, |offset, into| {
            for (at, octet) in (offset..).zip(into) {
                *octet = at as u8;
            }
        });
        let container = Container::parse(&into[..len]).expect("a container");
        containers.push((container.sequence, len));
        let complete = assembler.feed(&container).expect("in order");
        assert_eq!(complete, outgoing.is_done());
    }
    let message = assembler.message().expect("complete").octets;
    assert_eq!(message.len(), payload);
    assert!(message[8..].iter().enumerate().all(|(at, octet)| *octet == at as u8));
    containers
}

#[test]
fn no_container_has_the_number_255() {
    for frame in [20, 64, 182, 244] {
        let containers = cut(frame, capacity(frame));
        assert_eq!(containers.last().expect("there are some").0, 254);
        assert!(containers.iter().all(|(_, len)| *len <= frame));
    }
    // 238 and 254 times 240 octets: what the published assembler for firmware can take.
    assert_eq!(capacity(244), 61198);
    let command = CommandHeader { direction: Direction::Request, name: "echo", data_len: 61198 - 8 + 1 };
    assert!(Outgoing::new(0, command, None, capacity(244)).is_err());
}

#[test]
fn frames_are_no_longer_than_published_ends_take() {
    let mut pipe = Pipe::connected(client_config(), server_config());
    pipe.disconnect();
    pipe.frame = 514;
    pipe.connect();
    pipe.run();
    pipe.call("flash_read", Kind::Unary, &[octets("108040")]);
    pipe.call("data_write", Kind::Unary, &[[octets("0a8010"), vec![1; 2048]].concat()]);
    assert_eq!(pipe.log.iter().map(|(_, frame)| frame.len()).max(), Some(244));
}

#[test]
fn what_is_no_container_is_dropped_and_counted() {
    // Nothing; a header cut short; type 0b10; payload lengths beyond what is there.
    let malformed =
        ["", "02", "0200", "020000", "02000005", "0200000500", "02018002aabb", "02014005aabb", "0200000900090004"];
    let mut pipe = Pipe::plain();
    let call = pipe.start("flash_read", Kind::Unary, &[octets("108040")]);
    pipe.pull_client();
    for frame in malformed {
        pipe.give_server(&octets(frame));
    }
    let request = pipe.up.pop_front().expect("a request");
    pipe.give_server(&request);
    pipe.pull_server();
    for (at, answer) in std::mem::take(&mut pipe.down).into_iter().enumerate() {
        // Between the containers of an answer too.
        pipe.give_client(&octets(malformed[at % malformed.len()]));
        pipe.give_client(&answer);
    }
    assert_eq!(pipe.book.result(call).map(|responses| responses[0].len()), Ok(8195));
    assert_eq!(pipe.server.faults().malformed, 9);
    assert_eq!(pipe.client.faults().malformed, 35);
}

#[test]
fn lengths_of_commands_are_proven() {
    let mut pipe = Pipe::plain();
    // data_len 9 with 7 octets; a name beyond the end; a response instead of a request.
    for (transaction, command) in
        ["00046563686f09000a0568656c6c6f", "00ff6563686f07000a0568656c6c6f", "80046563686f07000a0568656c6c6f"]
            .into_iter()
            .enumerate()
    {
        pipe.give_server(&[vec![transaction as u8], octets("00000f000f"), octets(command)].concat());
        pipe.run();
        assert_eq!(pipe.answered(), [""; 0]);
    }
    assert_eq!(pipe.server.faults().malformed, 3);

    let call = pipe.start("echo", Kind::Unary, &[octets(HELLO)]);
    pipe.pull_client();
    pipe.give_client(&octets("0200000f000f80046563686f09000a0568656c6c6f"));
    assert_eq!(pipe.book.result(call), Err(CallError::Malformed));
}

#[test]
fn an_answer_that_comes_too_late_is_not_taken_for_the_next() {
    let mut pipe = Pipe::plain();
    let first = pipe.start("echo", Kind::Unary, &[octets(HELLO)]);
    pipe.pull_client();
    let request = pipe.up.pop_front().expect("a request");
    pipe.give_server(&request);
    pipe.pull_server();
    let late = pipe.down.pop_front().expect("an answer");
    pipe.wait();
    assert_eq!(pipe.book.result(first), Err(CallError::Timeout));

    let second = pipe.start("echo", Kind::Unary, &[octets(WORLD)]);
    pipe.pull_client();
    pipe.give_client(&late);
    assert!(!pipe.book.is_over(second));
    pipe.run();
    assert_eq!(pipe.book.result(second), Ok(vec![octets(WORLD)]));
    assert_eq!(pipe.client.faults().stale, 1);
}

#[test]
fn an_answer_of_another_name_is_not_taken() {
    let mut pipe = Pipe::plain();
    let call = pipe.start("data_write", Kind::Unary, &[octets("0a0101")]);
    pipe.pull_client();
    // Transaction 2 as it should be, but an echo.
    pipe.give_client(&octets("0200000f000f80046563686f07000a0568656c6c6f"));
    assert!(!pipe.book.is_over(call));
    assert_eq!(pipe.client.faults().stale, 1);
    pipe.wait();
    assert_eq!(pipe.book.result(call), Err(CallError::Timeout));
}

#[test]
fn frames_that_come_twice_count_once() {
    let mut pipe = Pipe::plain();
    let items: Vec<_> = ["", "0801100a", "08021014", "0803101e"].map(octets).to_vec();
    let call = pipe.start("counter_upload", Kind::ClientStream, &items);
    pipe.pull_client();
    for frame in std::mem::take(&mut pipe.up) {
        pipe.give_server(&frame);
        pipe.give_server(&frame);
    }
    pipe.pull_server();
    for frame in std::mem::take(&mut pipe.down) {
        pipe.give_client(&frame);
        pipe.give_client(&frame);
    }
    assert_eq!(pipe.book.result(call), Ok(vec![octets("0804")]));
    assert_eq!(pipe.server.faults().out_of_order, 4);
    assert_eq!(pipe.server.faults().stale, 1);

    let call = pipe.start("flash_read", Kind::Unary, &[octets("108040")]);
    pipe.pull_client();
    for frame in std::mem::take(&mut pipe.up) {
        pipe.give_server(&frame);
        pipe.give_server(&frame);
    }
    pipe.pull_server();
    assert_eq!(pipe.down.len(), 35, "answered once");
    for frame in std::mem::take(&mut pipe.down) {
        pipe.give_client(&frame);
        pipe.give_client(&frame);
    }
    assert_eq!(pipe.book.result(call).map(|responses| responses[0].len()), Ok(8195));
    assert_eq!(pipe.client.faults().out_of_order, 34);
}

#[test]
fn frames_out_of_order_end_the_call() {
    let mut pipe = Pipe::plain();
    let call = pipe.start("flash_read", Kind::Unary, &[octets("108040")]);
    pipe.pull_client();
    let request = pipe.up.pop_front().expect("a request");
    pipe.give_server(&request);
    pipe.pull_server();
    pipe.down.swap(20, 21);
    pipe.run();
    assert_eq!(pipe.book.result(call), Err(CallError::Lost));
    assert_eq!(pipe.call("echo", Kind::Unary, &[octets(HELLO)]), [octets(HELLO)]);

    // A request in disorder is not served; its client hears nothing, as published.
    let call = pipe.start("data_write", Kind::Unary, &[[octets("0a8010"), vec![1; 2048]].concat()]);
    pipe.pull_client();
    pipe.up.swap(3, 4);
    pipe.run();
    pipe.wait();
    assert_eq!(pipe.book.result(call), Err(CallError::Timeout));
    assert_eq!(pipe.call("echo", Kind::Unary, &[octets(HELLO)]), [octets(HELLO)]);
}

#[test]
fn a_third_request_is_told_that_the_server_is_busy() {
    let mut pipe = Pipe::plain();
    for transaction in 0x20..0x25 {
        pipe.give_server(&[vec![transaction], octets("00000f000f00046563686f07000a0568656c6c6f")].concat());
    }
    pipe.pull_server();
    let answers: Vec<_> = pipe.answered().iter().map(|frame| frame[..8].to_owned()).collect();
    assert_eq!(answers, ["2200d401", "2300d401", "2400d401", "2000000f", "2100000f"]);
    assert_eq!(pipe.server.faults().busy, 3);
}

#[test]
fn a_flood_takes_no_memory_and_leaves_the_server_at_work() {
    let mut pipe = Pipe::plain();
    for round in 0..10_000_u32 {
        pipe.give_server(&octets("0000c400"));
        pipe.give_server(&[vec![round as u8], octets("00000f000f00046563686f07000a0568656c6c6f")].concat());
        pipe.give_server(&[vec![round as u8], octets("000000ff02aabb")].concat());
    }
    pipe.pull_server();
    // Four controls, then the request under way and the one that waits.
    assert_eq!(pipe.down.len(), 6);
    pipe.down.clear();
    assert_eq!(pipe.call("echo", Kind::Unary, &[octets(HELLO)]), [octets(HELLO)]);
}

#[test]
fn controls_end_only_what_is_under_way() {
    let mut pipe = Pipe::plain();
    // The end of a stream that nobody began, at either end.
    pipe.give_server(&octets("0900c800"));
    pipe.give_client(&octets("0900cc00"));
    let call = pipe.start("echo", Kind::Unary, &[octets(HELLO)]);
    pipe.pull_client();
    // The end of a stream, while the call is unary; errors of another transaction, and of none.
    for control in ["0200cc00", "0900d40102", "0200d400", "0200c400", "0200d006000000000000", "0200d821"] {
        pipe.give_client(&octets(control));
    }
    assert!(!pipe.book.is_over(call));
    pipe.run();
    assert_eq!(pipe.book.result(call), Ok(vec![octets(HELLO)]));

    let call = pipe.start("echo", Kind::Unary, &[octets(HELLO)]);
    pipe.pull_client();
    pipe.give_client(&octets("0300d40102"));
    assert_eq!(pipe.book.result(call), Err(CallError::Refused(Status::Busy)));
}

#[test]
fn an_answer_that_is_too_large_is_said() {
    let mut pipe = Pipe::ready(client_config(), ServerConfig { max_response: 1000, ..server_config() });
    let call = pipe.start("flash_read", Kind::Unary, &[octets("108040")]);
    pipe.run();
    assert_eq!(pipe.answered(), ["0200d40101"]);
    assert_eq!(pipe.book.result(call), Err(CallError::Refused(Status::TooLarge)));
    assert_eq!(pipe.call("echo", Kind::Unary, &[octets(HELLO)]), [octets(HELLO)]);
}

#[test]
fn a_request_that_is_too_large_is_not_sent() {
    let mut pipe = Pipe::plain();
    let call = pipe.start("data_write", Kind::Unary, &[[octets("0a8060"), vec![1; 12288]].concat()]);
    pipe.run();
    assert_eq!(pipe.book.result(call), Err(CallError::Refused(Status::TooLarge)));
    assert_eq!(pipe.sent(), [""; 0]);
}

#[test]
fn what_the_service_does_not_do_is_not_answered() {
    let mut pipe = Pipe::plain();
    // No such method; more flash than may be read; flash beyond its end; text that is no text.
    let calls = [("no_such", "00"), ("flash_read", "10a846"), ("flash_read", "08ffff0310ff01"), ("echo", "0a02c328")];
    for (name, request) in calls {
        let call = pipe.start(name, Kind::Unary, &[octets(request)]);
        pipe.run();
        assert_eq!(pipe.answered(), [""; 0], "{name}");
        pipe.wait();
        assert_eq!(pipe.book.result(call), Err(CallError::Timeout));
        assert_eq!(pipe.service.under_way(), 0);
    }
    assert_eq!((pipe.server.faults().unknown, pipe.server.faults().refused), (1, 3));
}

#[test]
fn a_stream_that_was_left_does_not_keep_the_server() {
    let mut pipe = Pipe::plain();
    // Two items of a stream, and then something else.
    for transaction in [0x30, 0x31] {
        pipe.give_server(
            &[vec![transaction], octets("000012001200"), octets("0e636f756e7465725f75706c6f61640000")].concat(),
        );
    }
    assert_eq!(pipe.service.under_way(), 1);
    assert_eq!(pipe.call("echo", Kind::Unary, &[octets(HELLO)]), [octets(HELLO)]);
    assert_eq!(pipe.service.under_way(), 0);
}

#[test]
fn payload_beyond_the_total_length_is_ignored() {
    let mut assembler = Assembler::<16>::new();
    let container = |sequence, content| Container { transaction: 1, sequence, content };
    assert_eq!(assembler.feed(&container(0, Content::First { total: 3, payload: b"ab" })), Ok(false));
    assert_eq!(assembler.feed(&container(1, Content::Subsequent { payload: b"cdef" })), Ok(true));
    assert_eq!(assembler.message().expect("complete").octets, b"abc");
}
