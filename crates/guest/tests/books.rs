//! An idle link is booked to what its sender lacks, seen from outside the host.

mod support;

use airtime_ble::ledger::Account;
use airtime_core::Duration;
use support::Kind::{Model, Trouble};
use support::{Kind, run, scenario};

/// The account with most of the steady state's idle time, and all the books.
fn idle(kinds: [Kind; 2], set: &[(&str, &str)]) -> (Account, Vec<(Account, Duration)>) {
    let mut all = vec![("ble.conn_interval", "50ms"), ("coc.sdu", "245"), ("run.duration", "5s")];
    all.extend_from_slice(set);
    let run = run(&scenario(&all), kinds, 1);
    assert!(run.sdus > 0, "{kinds:?} {set:?} {run:?}");
    let ledger = run.ledger.expect("a link has books");
    let causes = [Account::IdleApp, Account::IdleCredits, Account::IdleBuffers, Account::IdleHost];
    let most = causes.into_iter().max_by_key(|cause| ledger.of(*cause)).expect("there are causes");
    assert!(ledger.of(most) * 2 > ledger.elapsed(), "{kinds:?} {set:?}: the link is idle most of the time");
    (most, ledger.entries().collect())
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
            let apart = here.saturating_sub(there) + there.saturating_sub(here);
            assert!(apart <= Duration::from_millis(100), "{set:?} {account:?}: {here} against {there}");
        }
    }
}

/// TrouBLE has taken an SDU when its controller has; nothing waits behind that but the application.
#[test]
fn a_sleeping_application_is_booked_to_itself() {
    let (cause, _) = idle([Trouble, Trouble], &[PLENTY, ("coc.pacing", "sleep:40ms")]);
    assert_eq!(cause, Account::IdleApp);
}
