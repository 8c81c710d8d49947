//! Goodput against closed forms: within one percent below, never above.

use airtime_core::Duration;
use airtime_nrf24::air::Rate;
use airtime_nrf24::driver::Config;
use airtime_nrf24::host::Cost;
use airtime_nrf24::trace::Lint;

use super::pair::{CALLS, FREE, Seen, config};
use super::{closed_form, stream};

/// Thousandths of kbit/s between the first arrival and that `frames` later.
fn reached(seen: &Seen, frames: u64) -> u64 {
    let arrivals = &seen.arrivals[1];
    // The first payloads start a pipeline that is not full yet.
    let first = arrivals.len() - 1 - frames as usize;
    closed_form::kbps_thousandths(frames, (arrivals[first + frames as usize] - arrivals[first]).as_nanos())
}

fn assert_reached(what: &str, reached: u64, ceiling: u64) {
    assert!(reached <= ceiling, "{what}: {reached} is above the closed form, {ceiling}");
    assert!(reached * 100 >= ceiling * 99, "{what}: {reached} is not within 1 % of {ceiling}");
}

/// Every rate and width, at no cost and at 15 µs for each transaction.
fn every(test: impl Fn(Cost, Config, &str)) {
    for rate in Rate::ALL {
        for width in 3..=5 {
            for cost in [FREE, CALLS] {
                let what = format!("{rate} AW{width}, {} per transaction", cost.transaction);
                test(cost, config(rate, width), &what);
            }
        }
    }
}

#[test]
fn acknowledged_payloads_fill_the_air_with_ce_high() {
    every(|cost, config, what| {
        let config = Config { ard: Config::shortest_ard(config.rate, 0), ..config };
        let seen = stream::run(cost, config, 400, false);
        let cycle = closed_form::acknowledged(config.rate, config.address_width, 32, 0);
        assert_reached(what, reached(&seen, 380), closed_form::kbps_thousandths(1, cycle));
        assert_eq!(seen.lints, []);
    });
}

#[test]
fn a_stream_without_acknowledgement_has_no_gap() {
    every(|cost, config, what| {
        let seen = stream::run(cost, config, 400, true);
        let frame = closed_form::frame(config.rate, config.address_width, 32);
        assert_reached(what, reached(&seen, 380), closed_form::kbps_thousandths(1, frame));
        assert_eq!(seen.lints.len(), 1, "{what}: {:?}", seen.lints);
        assert!(seen.lints.iter().all(|lint| *lint == (0, Lint::TxBeyond4Ms)), "{what}: {:?}", seen.lints);
    });
}

#[test]
fn a_stream_with_breaks_is_never_in_tx_for_more_than_4_ms() {
    every(|cost, config, what| {
        let config = Config { pll_break: true, ..config };
        let frames = closed_form::frames_per_stay(config.rate, config.address_width);
        let seen = stream::run(cost, config, (frames * 12) as u32, true);
        let stay = closed_form::stay(config.rate, config.address_width);
        assert_reached(what, reached(&seen, frames * 10), closed_form::kbps_thousandths(frames, stay));
        assert!(seen.longest_stay.as_nanos() <= 4_000_000, "{what}: {} in TX", seen.longest_stay);
        assert_eq!(seen.lints, [], "{what}");
    });
}

#[test]
fn a_host_that_is_late_loses_goodput_but_neither_payloads_nor_the_break() {
    let config = Config { pll_break: true, ..config(Rate::M2, 5) };
    // From an interrupt to the task up to four frames, more than the FIFO has: interrupts merge, the FIFO runs dry, and looks
    // at STATUS fall between the end of a frame and its interrupt.
    for wake in (0..700).step_by(9) {
        for call in (1..60).step_by(17) {
            let (wake, call) = (Duration::from_micros(wake), Duration::from_micros(call));
            let late = Cost { wake, transaction: call, sleep_slack: Duration::from_micros(55), ..FREE };
            let seen = stream::run_on([late, FREE], config, 120, true);
            assert!(seen.longest_stay.as_nanos() <= 4_000_000, "{wake}, {call}: {} in TX", seen.longest_stay);
            assert_eq!(seen.lints, [], "{wake}, {call}");
        }
    }
}

#[test]
fn the_published_figures_at_2_mbps() {
    // kbit/s, rounded: auto-ack, stream, stream with breaks.
    for (width, figures) in [(3, [575, 1_636, 1_583]), (5, [555, 1_556, 1_507])] {
        let config = config(Rate::M2, width);
        let broken = Config { pll_break: true, ..config };
        let frames = closed_form::frames_per_stay(Rate::M2, width);
        let reached = [
            reached(&stream::run(CALLS, config, 400, false), 380),
            reached(&stream::run(CALLS, config, 400, true), 380),
            reached(&stream::run(CALLS, broken, (frames * 12) as u32, true), frames * 10),
        ];
        for (reached, figure) in reached.into_iter().zip(figures) {
            assert!(reached.abs_diff(figure * 1_000) * 100 <= figure * 1_000, "AW{width}: {reached} against {figure}");
        }
    }
}
