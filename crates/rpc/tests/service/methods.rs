//! Each method, from opening to closing.

use airtime_rpc::service::{Flash, RamFlash, TestService};
use airtime_rpc::{CALLS_MAX, CallId, Kind, Next, Service, Status};

type Service4 = TestService<RamFlash<4096>>;

fn service() -> Service4 {
    TestService::new(RamFlash::new())
}

/// The response messages of a call whose request messages come in pieces.
fn call(service: &mut Service4, name: &str, requests: &[&[u8]], piece: usize) -> Result<Vec<Vec<u8>>, Status> {
    let id = CallId(9);
    let kind = service.open(id, name)?;
    let result = answer(service, id, kind, requests, piece);
    service.closed(id);
    assert_eq!(service.under_way(), 0);
    result
}

fn answer(
    service: &mut Service4,
    id: CallId,
    kind: Kind,
    requests: &[&[u8]],
    piece: usize,
) -> Result<Vec<Vec<u8>>, Status> {
    for request in requests {
        let pieces = request.len().div_ceil(piece).max(1);
        for at in 0..pieces {
            let end = request.len().min((at + 1) * piece);
            service.received(id, &request[at * piece..end], at + 1 == pieces)?;
        }
    }
    if matches!(kind, Kind::ClientStream | Kind::Bidirectional) {
        service.finished(id)?;
    }
    let mut responses = Vec::new();
    loop {
        match service.next(id) {
            Next::Message { octets } => {
                let mut response = vec![0; octets as usize];
                for at in (0..response.len()).step_by(piece) {
                    let end = response.len().min(at + piece);
                    service.read(id, at as u32, &mut response[at..end]);
                }
                responses.push(response);
                if matches!(kind, Kind::Unary | Kind::ClientStream) {
                    return Ok(responses);
                }
            }
            Next::End => return Ok(responses),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn an_echo_is_the_text() {
    for piece in [1, 7, 1000] {
        assert_eq!(call(&mut service(), "echo", &[b"\x0a\x05hello"], piece), Ok(vec![b"\x0a\x05hello".to_vec()]));
        assert_eq!(call(&mut service(), "echo", &[b""], piece), Ok(vec![vec![]]));
    }
    let long = [vec![0x0a, 0x81, 0x02], vec![b'x'; 257]].concat();
    assert_eq!(call(&mut service(), "echo", &[&long], 100), Err(Status::BadArgument));
}

#[test]
fn a_flash_read_is_what_the_flash_has() {
    let mut expected = vec![0; 1000];
    RamFlash::<4096>::new().read(3, &mut expected);
    for piece in [1, 7, 240] {
        let responses = call(&mut service(), "flash_read", &[b"\x08\x03\x10\xe8\x07"], piece);
        assert_eq!(responses, Ok(vec![[b"\x08\x03\x12\xe8\x07".to_vec(), expected.clone()].concat()]));
    }
    // Up to the last octet, and beyond it; nothing; more than is published.
    assert!(call(&mut service(), "flash_read", &[b"\x08\xff\x1f\x10\x01"], 240).is_ok());
    assert_eq!(call(&mut service(), "flash_read", &[b"\x08\xff\x1f\x10\x02"], 240), Err(Status::BadArgument));
    assert_eq!(
        call(&mut service(), "flash_read", &[b"\x08\xff\xff\xff\xff\x0f\x10\x02"], 240),
        Err(Status::BadArgument)
    );
    assert_eq!(call(&mut service(), "flash_read", &[b"\x08\x03"], 240), Ok(vec![b"\x08\x03".to_vec()]));
    let mut large = TestService::new(RamFlash::<16384>::new());
    let id = CallId(0);
    large.open(id, "flash_read").expect("there is room");
    assert_eq!(large.received(id, b"\x10\x81\x40", true), Err(Status::BadArgument));
}

#[test]
fn a_data_write_is_counted() {
    let data = [vec![0x0a, 0xac, 0x02], vec![7; 300]].concat();
    for piece in [1, 7, 1000] {
        assert_eq!(call(&mut service(), "data_write", &[&data], piece), Ok(vec![vec![0x08, 0xac, 0x02]]));
    }
    assert_eq!(call(&mut service(), "data_write", &[b""], 9), Ok(vec![vec![]]));
    assert_eq!(call(&mut service(), "data_write", &[&data[..200]], 9), Err(Status::BadArgument));
    // A field that nobody knows does not count.
    assert_eq!(call(&mut service(), "data_write", &[b"\x0a\x01a\x12\x03abc"], 1), Ok(vec![vec![0x08, 1]]));
}

#[test]
fn counters_go_both_ways() {
    let stream = call(&mut service(), "counter_stream", &[b"\x08\x03"], 1);
    assert_eq!(stream, Ok(vec![vec![], vec![8, 1, 16, 10], vec![8, 2, 16, 20]]));
    assert_eq!(call(&mut service(), "counter_stream", &[b""], 1), Ok(vec![]));
    assert_eq!(call(&mut service(), "counter_stream", &[b"\x08\x90\x4e"], 9).map(|items| items.len()), Ok(10_000));
    assert_eq!(call(&mut service(), "counter_stream", &[b"\x08\x91\x4e"], 9), Err(Status::BadArgument));
    let items: [&[u8]; 3] = [b"", b"\x08\x01\x10\x0a", b"\x08\x02\x10\x14"];
    assert_eq!(call(&mut service(), "counter_upload", &items, 1), Ok(vec![vec![8, 3]]));
    assert_eq!(call(&mut service(), "counter_upload", &[], 1), Ok(vec![vec![]]));
}

#[test]
fn a_conversation_comes_back_in_order() {
    let said: Vec<Vec<u8>> = (0..30).map(|at| vec![0x0a, 1, b'a' + at % 26]).collect();
    let said: Vec<_> = said.iter().map(Vec::as_slice).collect();
    assert_eq!(call(&mut service(), "chat", &said, 1), Ok(said.iter().map(|octets| octets.to_vec()).collect()));
    assert_eq!(call(&mut service(), "chat", &[b"\x0a\x02\xc3\x28"], 1), Err(Status::BadArgument));
}

#[test]
fn a_conversation_says_how_much_it_takes() {
    let mut service = service();
    let id = CallId(1);
    service.open(id, "chat").expect("there is room");
    assert_eq!(service.open(CallId(2), "chat"), Err(Status::Busy));
    assert_eq!(service.next(id), Next::Later);
    assert!(service.room(id) >= 200);
    // As many empty messages as its room has octets and ends of messages.
    for _ in 0..service.room(id) {
        assert_eq!(service.received(id, b"", true), Ok(()));
    }
    // And the octets that come unasked, in one message after another.
    let mut fresh = self::service();
    fresh.open(id, "chat").expect("there is room");
    for _ in 0..512 / 4 {
        assert_eq!(fresh.received(id, b"\x0a\x01x", true), Ok(()));
    }
    assert!(fresh.room(id) < 512);
}

#[test]
fn there_is_room_for_so_many_calls() {
    let mut service = service();
    for at in 0..CALLS_MAX as u16 {
        assert_eq!(service.open(CallId(at), "echo"), Ok(Kind::Unary));
    }
    assert_eq!(service.open(CallId(99), "echo"), Err(Status::Busy));
    service.closed(CallId(3));
    assert_eq!(service.open(CallId(99), "counter_stream"), Ok(Kind::ServerStream));
    assert_eq!(service.open(CallId(100), "no_such_method"), Err(Status::UnknownCommand));
}

#[test]
fn the_service_is_small() {
    // Every call has its own state; none has a buffer of 8 KB.
    assert!(size_of::<TestService<()>>() < 6 * 1024, "{}", size_of::<TestService<()>>());
}
