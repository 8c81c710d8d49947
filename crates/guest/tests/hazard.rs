//! TrouBLE's `send` waits for the credits of the whole SDU. A peer that grants the rest of an SDU
//! only when it has seen the SDU's first K-frame waits for that: neither moves.

mod support;

use airtime_ble::ledger::Account;
use airtime_core::{Duration, Instant};
use support::Kind::{Model, Trouble};
use support::{Kind, Run, run, scenario};

fn zephyr_recv(sdu: &str, kinds: [Kind; 2]) -> Run {
    let scenario = scenario(&[
        ("coc.credits", "zephyr-recv"),
        ("coc.mps", "247"),
        ("coc.mtu", "500"),
        ("coc.sdu", sdu),
        ("run.duration", "20s"),
    ]);
    run(&scenario, kinds, 1)
}

/// The account that most of the time since the warm-up went to, and its share.
fn most(run: &Run) -> (Account, f64) {
    let ledger = run.ledger.as_ref().expect("a link has books");
    assert!(ledger.balances());
    let (account, time) = ledger.entries().max_by_key(|(_, time)| *time).expect("there are accounts");
    (account, time.as_secs_f64() / ledger.elapsed().as_secs_f64())
}

#[test]
fn an_sdu_of_two_frames_never_starts_and_the_books_say_why() {
    let run = zephyr_recv("492", [Model, Trouble]);
    assert_eq!((run.sdus, run.kbps), (0, 0.0), "nothing arrives");
    assert!(run.streaming && run.ended.is_none(), "nor does the connection end: {run:?}");
    let (account, share) = most(&run);
    assert_eq!(account, Account::IdleCredits);
    assert!(share > 0.95, "{share}");
    assert!(run.end < Instant::ZERO + Duration::from_secs(60), "the lab does not hang: {}", run.end);
}

#[test]
fn an_sdu_of_one_frame_goes() {
    let run = zephyr_recv("245", [Model, Trouble]);
    assert!(run.sdus > 100, "{run:?}");
    assert_eq!(run.gaps, 0);
}

#[test]
fn the_model_host_sends_frame_by_frame_and_goes_on() {
    let run = zephyr_recv("492", [Model, Model]);
    assert!(run.sdus > 100, "{run:?}");
}
