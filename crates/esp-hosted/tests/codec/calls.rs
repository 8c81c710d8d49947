//! Requests under way, and who handles custom messages.

use airtime_core::{Duration, Instant};
use airtime_esp_hosted::rpc::{
    CUSTOM_ID_RESERVED, CallFaults, Calls, Expired, HANDLERS_DEFAULT, Handlers, OUTSTANDING_MAX, RegisterError,
    Request, Response, Settled, TooMany,
};

fn at(ms: u64) -> Instant {
    Instant::ZERO + Duration::from_millis(ms)
}

fn request(id: u32) -> Request {
    Request::of(id).unwrap()
}

fn reply(id: u32) -> Response {
    Response::of(id + 256, 0).unwrap()
}

#[test]
fn a_reply_ends_its_request() {
    let mut calls = Calls::new();
    let start = calls.begin(at(0), &request(280)).unwrap();
    let connect = calls.begin(at(1), &request(282)).unwrap();
    assert_eq!((start, connect), (1, 2));
    assert_eq!(calls.deadline(), Some(at(5000)));
    // Replies may come in any order.
    assert_eq!(calls.settle(connect, &reply(282)), Settled::Answered);
    assert_eq!(calls.settle(start, &reply(280)), Settled::Answered);
    assert_eq!((calls.outstanding(), calls.deadline(), calls.expire(at(99_999))), (0, None, None));
    assert_eq!(calls.faults(), CallFaults::default());
}

#[test]
fn five_at_once() {
    let mut calls = Calls::new();
    for _ in 0..OUTSTANDING_MAX {
        calls.begin(at(0), &request(350)).unwrap();
    }
    assert_eq!(calls.begin(at(0), &request(350)), Err(TooMany));
    assert_eq!(calls.settle(3, &reply(350)), Settled::Answered);
    assert_eq!(calls.begin(at(0), &request(350)), Ok(6));
    assert_eq!(calls.faults().refused, 1);
}

#[test]
fn requests_run_out_of_time_each_in_its_own() {
    let mut calls = Calls::new();
    let scan = calls.begin(at(0), &request(286)).unwrap();
    let ota = calls.begin(at(0), &request(272)).unwrap();
    let write = calls.begin(at(1), &request(273)).unwrap();
    let mut passed = Vec::new();
    while let Some(deadline) = calls.deadline() {
        assert_eq!(calls.expire(deadline - Duration::from_nanos(1)), None);
        passed.push((deadline, calls.expire(deadline).unwrap()));
    }
    let expected = [
        (at(5001), Expired { uid: write, id: 273 }),
        (at(15_000), Expired { uid: ota, id: 272 }),
        (at(30_000), Expired { uid: scan, id: 286 }),
    ];
    assert_eq!(passed, expected);
    assert_eq!(calls.faults().timeouts, 3);
}

#[test]
fn late_unknown_and_wrong_replies_are_counted() {
    let mut calls = Calls::new();
    let uid = calls.begin(at(0), &request(273)).unwrap();
    assert_eq!(calls.settle(uid, &reply(274)), Settled::Wrong);
    assert_eq!(calls.outstanding(), 1, "it still waits for its own reply");
    assert!(calls.expire(at(5000)).is_some());
    assert_eq!(calls.settle(uid, &reply(273)), Settled::Late);
    assert_eq!(calls.settle(uid, &reply(273)), Settled::Unknown, "a second time nobody waits for it");
    assert_eq!(calls.settle(99, &reply(273)), Settled::Unknown);
    assert_eq!(calls.faults(), CallFaults { timeouts: 1, late: 1, wrong: 1, unknown: 2, refused: 0 });
}

#[test]
fn a_restart_gives_all_up() {
    let mut calls = Calls::new();
    for _ in 0..3 {
        calls.begin(at(0), &request(272)).unwrap();
    }
    let given_up: Vec<u32> = std::iter::from_fn(|| calls.abort()).map(|call| call.uid).collect();
    assert_eq!((given_up, calls.outstanding()), (vec![1, 2, 3], 0));
    assert_eq!(calls.settle(2, &reply(272)), Settled::Late);
}

#[test]
fn memory_of_calls_is_bounded() {
    let mut calls = Calls::new();
    for round in 0..1000 {
        let uid = calls.begin(at(round), &request(280)).unwrap();
        assert_eq!(calls.abort().map(|call| call.uid), Some(uid));
    }
    // The oldest are forgotten, the youngest are not.
    assert_eq!(calls.settle(1, &reply(280)), Settled::Unknown);
    assert_eq!(calls.settle(1000, &reply(280)), Settled::Late);
}

#[test]
fn a_table_of_handlers() {
    let mut handlers = Handlers::default();
    assert_eq!(handlers.register(CUSTOM_ID_RESERVED, 'x'), Err(RegisterError::Reserved));
    for (id, handler) in [(0x100, 'a'), (0x101, 'b'), (0x102, 'c')] {
        handlers.register(id, handler).unwrap();
    }
    assert_eq!(handlers.register(0x101, 'x'), Err(RegisterError::Taken(0x101)));
    // Raw frames need four commands: a table as it is built by default does not do.
    assert_eq!(handlers.register(0x103, 'd'), Err(RegisterError::Full(HANDLERS_DEFAULT)));
    assert_eq!(handlers.find(0x102), Some(&mut 'c'));
    assert_eq!(handlers.find(0x103), None);
    assert_eq!(handlers.unhandled(), 1);
    assert_eq!(handlers.unregister(0x100), Some('a'));
    assert_eq!(handlers.register(0x103, 'd'), Ok(()));
    assert_eq!(Handlers::<u8>::new(100).limit(), 32);
}
