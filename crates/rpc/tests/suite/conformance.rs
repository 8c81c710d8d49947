//! Every published check, in every mode; and that each can fail.

use airtime_core::Instant;
use airtime_rpc::CallError;
use airtime_rpc::client::Mode;
use airtime_rpc::service::{RamFlash, TestService, pattern};
use airtime_rpc::suite::{Conformance, Failure, Report};

use super::liar::{Liar, Lie};
use super::pipe::{Setting, run};

fn checks(reports: &[(Instant, Report)]) -> Vec<(&'static str, Result<(), Failure>)> {
    let checked = |(_, report): &(Instant, Report)| match *report {
        Report::Checked { name, result } => (name, result),
        ref other => panic!("{other:?}"),
    };
    reports.iter().map(checked).collect()
}

fn test_service() -> TestService<RamFlash<65_536>> {
    TestService::new(RamFlash::new())
}

#[test]
fn the_test_service_passes_in_every_mode() {
    for mode in [Mode::Compatible, Mode::Extended] {
        for sealed in [false, true] {
            for frame in [136, 182, 244, 498] {
                let setting = Setting { mode, sealed, frame, lost_at: None };
                let reports = run(&setting, &mut Conformance::new().knowing(pattern), &mut test_service());
                let expected = Conformance::NAMES.map(|name| (name, Ok(()))).to_vec();
                assert_eq!(checks(&reports), expected, "{mode:?}, sealed {sealed}, frames of {frame}");
            }
        }
    }
}

#[test]
fn one_of_them_alone() {
    for name in Conformance::NAMES {
        let mut only = Conformance::only(name).expect("a name of the list");
        let reports = run(&Setting::compatible(), &mut only, &mut test_service());
        assert_eq!(checks(&reports), [(name, Ok(()))]);
    }
    assert!(Conformance::only("echo").is_none());
}

/// One wrong octet fails every check but that of the empty answer, which has none.
#[test]
fn a_wrong_octet_is_noticed() {
    let mut liar = Liar::new(Lie::LastOctet);
    let reports = run(&Setting::compatible(), &mut Conformance::new().knowing(pattern), &mut liar);
    let expected =
        Conformance::NAMES.map(|name| (name, if name == "echo_empty" { Ok(()) } else { Err(Failure::Unexpected) }));
    assert_eq!(checks(&reports), expected);
}

/// Without knowing what flash holds, both readings of it must agree: here the 64th octet is once wrong and once right.
#[test]
fn flash_must_read_the_same_twice() {
    let mut liar = Liar::new(Lie::LastOctet);
    let reports = run(&Setting::compatible(), &mut Conformance::new(), &mut liar);
    let checks = checks(&reports);
    assert_eq!(checks[3], ("flash_read_basic", Ok(())), "nobody knows better");
    assert_eq!(checks[4], ("flash_read_8kb", Err(Failure::Unexpected)));
}

#[test]
fn a_server_without_the_methods_is_not_waited_for_for_ever() {
    let mut liar = Liar::new(Lie::Unknown);
    let reports = run(&Setting::compatible(), &mut Conformance::new(), &mut liar);
    assert_eq!(reports.len(), Conformance::NAMES.len());
    for (name, result) in checks(&reports) {
        assert_eq!(result, Err(Failure::Call(CallError::Timeout)), "{name}");
    }
}

/// A client that wants its calls sealed, and a frame that has no room for the key exchange.
#[test]
fn what_cannot_begin_fails() {
    let setting = Setting { sealed: true, frame: 100, ..Setting::compatible() };
    let reports = run(&setting, &mut Conformance::new(), &mut test_service());
    assert_eq!(checks(&reports), Conformance::NAMES.map(|name| (name, Err(Failure::NotBegun))));
}
