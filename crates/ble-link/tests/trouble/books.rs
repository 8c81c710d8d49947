//! An idle link is booked to what its sender lacks, seen from outside the host.

use airtime_ble::ledger::{Account, EMPTY_SENDER};

use super::hosts::{Kind, Model, Trouble, outcome, sdus};

/// The account with most of the steady state's idle time, and each account's share of all the time.
fn idle(kinds: [Kind; 2], set: &[(&str, &str)]) -> (Account, Vec<(Account, f64)>) {
    let link = [("ble.conn_interval", "50ms"), ("coc.sdu", "245"), ("run.duration", "7s")];
    let outcome = outcome(kinds, &[&link, set].concat());
    assert!(sdus(&outcome)[1] > 0, "{kinds:?} {set:?} {outcome:?}");
    let ledger = outcome.steady_ledger.expect("a link has books");
    let causes = EMPTY_SENDER.into_iter().chain([Account::IdleCredits, Account::IdlePeer]);
    let most = causes.max_by_key(|cause| ledger.of(*cause)).expect("there are causes");
    assert!(ledger.of(most) * 2 > ledger.elapsed(), "{kinds:?} {set:?}: the link is idle most of the time");
    let all = ledger.elapsed().as_secs_f64();
    (most, ledger.entries().map(|(account, time)| (account, time.as_secs_f64() / all)).collect())
}

const PLENTY: (&str, &str) = ("coc.credits", "{ initial = 64, on_connect = 0, grant = 1, every = 1 }");
const FEW: (&str, &str) = ("coc.credits", "{ initial = 2, on_connect = 0, grant = 1, every = 1 }");

#[test]
fn a_lack_of_credits_or_buffers_is_booked_as_the_model_hosts_is() {
    let cases = [(vec![FEW], Account::IdleCredits), (vec![PLENTY, ("acl.count", "2")], Account::IdleBuffers)];
    for (set, cause) in cases {
        let (of_model, model) = idle([Model, Model], &set);
        let (of_trouble, trouble) = idle([Trouble, Trouble], &set);
        assert_eq!((of_model, of_trouble), (cause, cause), "{set:?}");
        for ((account, here), (_, there)) in model.into_iter().zip(trouble) {
            assert!((here - there).abs() <= 0.02, "{set:?} {account:?}: {here} against {there}");
        }
    }
}

/// TrouBLE has taken an SDU when its controller has; nothing waits behind that but the application.
#[test]
fn a_sleeping_application_is_booked_to_itself() {
    let (cause, _) = idle([Trouble, Trouble], &[PLENTY, ("coc.pacing", "sleep:40ms")]);
    assert_eq!(cause, Account::IdleSleep);
}
