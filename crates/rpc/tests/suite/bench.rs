//! Benchmarks: which calls are made, when each began and ended, what is said of those that went wrong.

use airtime_core::{Duration, Instant};
use airtime_rpc::client::Mode;
use airtime_rpc::service::{PatternFlash, RamFlash, TestService, pattern};
use airtime_rpc::suite::{Bench, BenchConfig, Method, Report};
use airtime_rpc::{CallError, Status};

use super::liar::{Liar, Lie};
use super::pipe::{DELAY, FRAMES, Setting, run};

const fn bench(call: Method, payload: u32, calls: u32) -> BenchConfig {
    BenchConfig { call, payload, calls: Some(calls), warmup: 1, outstanding: 1 }
}

fn test_service() -> TestService<RamFlash<65_536>> {
    TestService::new(RamFlash::new())
}

struct Call {
    took: Duration,
    items: u32,
    octets: u32,
    warmup: bool,
    result: Result<(), CallError>,
}

/// The calls of a benchmark, and how long its measured part took. Reports come in the one order that makes sense.
fn calls(reports: &[(Instant, Report)]) -> (Vec<Call>, Duration) {
    let (mut calls, mut began, mut ended) = (Vec::new(), None, None);
    for (now, report) in reports {
        assert!(ended.is_none(), "nothing follows the end");
        match *report {
            Report::Began { .. } => {
                assert!(calls.iter().all(|call: &Call| call.warmup));
                began = Some(*now);
            }
            Report::Call { took, items, octets, warmup, result, .. } => {
                assert_eq!(warmup, began.is_none());
                calls.push(Call { took, items, octets, warmup, result });
            }
            Report::Ended { took, .. } => ended = Some((took, *now)),
            ref other => panic!("{other:?}"),
        }
    }
    let (took, now) = ended.expect("it ends");
    assert_eq!(began.expect("it begins") + took, now);
    (calls, took)
}

#[test]
fn the_published_benchmark() {
    // Frames of a response that takes more than a handful go in rounds of what fits into the pipe.
    let rounds = |frames: u64| DELAY * frames.div_ceil(FRAMES as u64);
    let flash_8k = rounds(35);
    let benches = [
        (bench(Method::FlashRead, 8_192, 10), DELAY + flash_8k, 8_192, 1),
        (bench(Method::FlashRead, 1, 20), DELAY * 2, 1, 1),
        (bench(Method::Echo, 5, 50), DELAY * 2, 10, 1),
        (bench(Method::DataWrite, 200, 20), DELAY * 2, 200, 1),
        // The end of a stream is a frame of its own.
        (bench(Method::CounterStream, 20, 3), DELAY + rounds(21), 160, 20),
        (bench(Method::CounterUpload, 20, 3), rounds(21) + DELAY, 160, 20),
    ];
    for (config, each, octets, items) in benches {
        let reports = run(&Setting::compatible(), &mut Bench::new(config).knowing(pattern), &mut test_service());
        let (calls, took) = calls(&reports);
        let measured = config.calls.expect("a number");
        assert_eq!(calls.len() as u32, 1 + measured, "{config:?}");
        for call in &calls {
            assert_eq!((call.result, call.octets, call.items), (Ok(()), octets, items), "{config:?}");
            assert_eq!(call.took, each, "{config:?}");
        }
        assert_eq!(took, each * u64::from(measured), "one after the other: {config:?}");
    }
}

#[test]
fn eight_outstanding_take_the_time_of_one() {
    let config = BenchConfig { outstanding: 8, ..bench(Method::Echo, 20, 64) };
    let reports = run(&Setting::extended(), &mut Bench::new(config), &mut test_service());
    let (calls, took) = calls(&reports);
    assert_eq!(calls.len(), 65);
    assert!(calls.iter().all(|call| call.result == Ok(()) && call.took == DELAY * 2));
    assert_eq!(took, DELAY * 2 * 8);
}

/// Compatible mode has one call at a time, whatever the benchmark would like.
#[test]
fn one_call_at_a_time_in_compatible_mode() {
    let config = BenchConfig { outstanding: 8, ..bench(Method::Echo, 20, 16) };
    let (calls, took) = calls(&run(&Setting::compatible(), &mut Bench::new(config), &mut test_service()));
    assert_eq!((calls.len(), took), (17, DELAY * 2 * 16));
}

#[test]
fn large_objects_both_ways() {
    for sealed in [false, true] {
        let setting = Setting { sealed, ..Setting::extended() };
        for method in [Method::BulkRead, Method::BulkWrite] {
            let mut service = TestService::new(PatternFlash::new(1 << 20));
            let config = BenchConfig { warmup: 0, ..bench(method, 200_000, 2) };
            let (calls, _) = calls(&run(&setting, &mut Bench::new(config).knowing(pattern), &mut service));
            assert_eq!(calls.iter().map(|call| call.result).collect::<Vec<_>>(), [Ok(()), Ok(())], "{method:?}");
            let written = if method == Method::BulkWrite { 400_000 } else { 0 };
            assert_eq!((service.flash().written(), service.flash().differing()), (written, 0));
        }
    }
}

#[test]
fn wrong_octets_fail_calls() {
    for method in [Method::Echo, Method::FlashRead, Method::DataWrite, Method::CounterStream, Method::CounterUpload] {
        let mut liar = Liar::new(Lie::LastOctet);
        let (calls, _) =
            calls(&run(&Setting::compatible(), &mut Bench::new(bench(method, 20, 5)).knowing(pattern), &mut liar));
        assert!(calls.iter().all(|call| call.result == Err(CallError::Malformed)), "{method:?}");
    }
    let mut liar = Liar::new(Lie::LastOctet);
    let (calls, _) = calls(&run(&Setting::extended(), &mut Bench::new(bench(Method::BulkRead, 20, 5)), &mut liar));
    assert!(
        calls.iter().all(|call| call.result == Err(CallError::Malformed)),
        "the check of a large object is its own"
    );
}

/// A benchmark whose every call fails ends before its time.
#[test]
fn a_benchmark_gives_up() {
    let mut liar = Liar::new(Lie::Unknown);
    let config = BenchConfig { calls: None, ..bench(Method::Echo, 20, 0) };
    let reports = run(&Setting::extended(), &mut Bench::new(config), &mut liar);
    let (calls, _) = calls(&reports);
    assert_eq!(calls.len(), 32);
    assert!(calls.iter().all(|call| call.result == Err(CallError::Refused(Status::UnknownCommand))));
}

#[test]
fn a_lost_connection_fails_what_is_under_way_and_no_more() {
    for mode in [Mode::Compatible, Mode::Extended] {
        let lost_at = Some(Instant::ZERO + Duration::from_millis(405));
        let setting = Setting { mode, lost_at, ..Setting::compatible() };
        let config = bench(Method::Echo, 20, 40);
        let (calls, _) = calls(&run(&setting, &mut Bench::new(config), &mut test_service()));
        assert_eq!(calls.len(), 41);
        let lost = calls.iter().filter(|call| call.result == Err(CallError::Lost)).count();
        let well = calls.iter().filter(|call| call.result == Ok(())).count();
        assert_eq!((lost, well), (1, 40), "{mode:?}");
    }
}

#[test]
fn a_script_is_the_same_every_time() {
    let config = BenchConfig { outstanding: 3, ..bench(Method::FlashRead, 3_000, 20) };
    let once = || run(&Setting::extended(), &mut Bench::new(config), &mut test_service());
    assert_eq!(once(), once());
}
