//! TrouBLE's `send` waits for the credits of the whole SDU. A peer that grants the rest of an SDU
//! only when it has seen the SDU's first K-frame waits for that: neither moves.

use airtime_ble::ledger::Account;
use airtime_ble_link::run::Outcome;
use airtime_core::{Duration, Instant};
use airtime_lab::run::record;

use super::hosts::{Kind, Model, Trouble, gaps, outcome, plan, sdus, streams};

/// One credit, and the second of an SDU when its first K-frame has come.
fn zephyr_recv(sdu: &str) -> [(&str, &str); 5] {
    [("coc.credits", "zephyr-recv"), ("coc.mps", "247"), ("coc.mtu", "500"), ("coc.sdu", sdu), ("run.duration", "20s")]
}

/// The account that most of the steady state went to, and its share.
fn most(outcome: &Outcome) -> (Account, f64) {
    let ledger = outcome.steady_ledger.as_ref().expect("a link has books");
    assert!(ledger.balances());
    let (account, time) = ledger.entries().max_by_key(|(_, time)| *time).expect("there are accounts");
    (account, time.as_secs_f64() / ledger.elapsed().as_secs_f64())
}

#[test]
fn an_sdu_of_two_frames_never_starts_and_the_books_say_why() {
    let outcome = outcome([Model, Trouble], &zephyr_recv("492"));
    assert_eq!((sdus(&outcome), outcome.octets(0)), ([0, 0], 0), "nothing arrives");
    assert!(streams(&outcome), "nor does the connection end: {outcome:?}");
    let (account, share) = most(&outcome);
    assert_eq!(account, Account::IdleCredits);
    assert!(share > 0.95, "{share}");
    assert!(outcome.end < Instant::ZERO + Duration::from_secs(60), "the lab does not hang: {}", outcome.end);
}

#[test]
fn an_sdu_of_one_frame_goes() {
    let outcome = outcome([Model, Trouble], &zephyr_recv("245"));
    assert!(sdus(&outcome)[1] > 100, "{outcome:?}");
    assert_eq!(gaps(&outcome), 0);
}

#[test]
fn the_model_host_sends_frame_by_frame_and_goes_on() {
    let outcome = outcome([Model, Model], &zephyr_recv("492"));
    assert!(sdus(&outcome)[1] > 100, "{outcome:?}");
}

fn says(kinds: [Kind; 2], set: &[(&str, &str)]) -> String {
    let (plan, point) = plan(kinds, set);
    record(&plan, &point).bottleneck.says
}

/// Only where it stands still: an SDU that goes, and a host that sends frame by frame, wait for credits.
#[test]
fn the_record_names_the_host_that_waits() {
    let stuck = |kinds, set: &[(&str, &str)], frames: u16| {
        let says = says(kinds, set);
        let expected = format!("TrouBLE sends an SDU when it has credits for all of its {frames} K-frames");
        assert!(says.contains(&expected) && says.ends_with("neither moves."), "{set:?}: {says}");
    };
    // Two octets of length go before an SDU of 246. Core 6.0, Vol 3, Part A, 3.4.3.
    stuck([Model, Trouble], &zephyr_recv("246"), 2);
    stuck([Model, Trouble], &zephyr_recv("492"), 2);
    // TrouBLE's own default is eight credits.
    stuck([Trouble, Trouble], &[("coc.sdu", "2000"), ("run.duration", "20s")], 9);
    // Two SDUs go, the third has two credits, and the next grant comes two K-frames later.
    let batched = ("coc.credits", "{ initial = 20, on_connect = 0, grant = 20, every = 20 }");
    stuck([Model, Trouble], &[("coc.sdu", "2000"), ("run.duration", "20s"), batched], 9);
    for (kinds, sdu) in [([Model, Trouble], "245"), ([Model, Model], "492")] {
        let goes = says(kinds, &zephyr_recv(sdu));
        assert!(goes.contains("the sender waits for credits") && !goes.contains("TrouBLE"), "{kinds:?}: {goes}");
    }
}
