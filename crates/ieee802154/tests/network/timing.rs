//! Exact times of single transactions, and of saturated senders against the closed form.

use airtime_core::Duration;
use airtime_core::loss::Loss;
use airtime_ieee802154::mac::Backoff;
use airtime_ieee802154::network::{Config, run};
use airtime_ieee802154::wire::{Addressing, KeyIdMode, Level, Security};

use crate::{Log, outcome, seconds};

fn log(config: &Config) -> String {
    run(config, Log::default()).expect("the configuration fits").1.0.join("\n")
}

/// 32 octets with the header of short addresses in one PAN: PSDU of 43, 1568 µs.
fn short() -> Config {
    Config { payload: 32, backoff: Backoff::Mean, ..Config::default() }
}

#[test]
fn a_transaction_has_the_times_of_the_standard() {
    let config = Config { duration: Duration::from_micros(5_000), ..short() };
    insta::assert_snapshot!(log(&config), @r#"
    0 1: Backoff { attempt: 0 }
    1120 1: Cca { attempt: 0 }
    1248 1: Turnaround { attempt: 0 }
    1440 1>0 begins, until 3008
    1440 1: Sending
    3008 1>0 data of 43 octets: New
    3008 1 delivered 32, 3008 us old
    3008 1: AwaitsAck
    3200 0>1 begins, until 3552
    3552 0>1 ack of 5 octets: Acknowledged
    3552 1: Spacing
    4192 1: Backoff { attempt: 0 }
    "#);
}

#[test]
fn a_frame_that_nobody_acknowledges_is_sent_four_times() {
    let config = Config { loss: Loss::Packet { per: 1.0 }, duration: Duration::from_millis(17), ..short() };
    insta::assert_snapshot!(log(&config), @r#"
    0 1: Backoff { attempt: 0 }
    1120 1: Cca { attempt: 0 }
    1248 1: Turnaround { attempt: 0 }
    1440 1>0 begins, until 3008
    1440 1: Sending
    3008 1>0 data of 43 octets: Lost
    3008 1: AwaitsAck
    3872 1: Backoff { attempt: 1 }
    4992 1: Cca { attempt: 1 }
    5120 1: Turnaround { attempt: 1 }
    5312 1>0 begins, until 6880
    5312 1: Sending
    6880 1>0 data of 43 octets: Lost
    6880 1: AwaitsAck
    7744 1: Backoff { attempt: 2 }
    8864 1: Cca { attempt: 2 }
    8992 1: Turnaround { attempt: 2 }
    9184 1>0 begins, until 10752
    9184 1: Sending
    10752 1>0 data of 43 octets: Lost
    10752 1: AwaitsAck
    11616 1: Backoff { attempt: 3 }
    12736 1: Cca { attempt: 3 }
    12864 1: Turnaround { attempt: 3 }
    13056 1>0 begins, until 14624
    13056 1: Sending
    14624 1>0 data of 43 octets: Lost
    14624 1: AwaitsAck
    15488 1 dropped: NoAck
    15488 1: Backoff { attempt: 0 }
    16608 1: Cca { attempt: 0 }
    16736 1: Turnaround { attempt: 0 }
    16928 1>0 begins, until 18496
    16928 1: Sending
    "#);
}

#[test]
fn a_direct_frame_goes_behind_a_turnaround() {
    let config = Config { csma: false, ack: false, load: Duration::from_micros(700), ..short() };
    insta::assert_snapshot!(log(&Config { duration: Duration::from_micros(4_000), ..config }), @r#"
    0 1: Host
    700 1: Turnaround { attempt: 0 }
    892 1>0 begins, until 2460
    892 1: Sending
    2460 1>0 data of 43 octets: New
    2460 1 delivered 32, 1760 us old
    2460 1: Spacing
    3100 1: Host
    3160 1: Turnaround { attempt: 0 }
    3352 1>0 begins, until 4920
    3352 1: Sending
    "#);
}

/// Cycles that fit: the first frame is loaded first, and the last one needs no space to have arrived.
fn expected(config: &Config) -> u64 {
    let spacing = config.cycle().spacing;
    let arrival = config.cycle().total() - spacing - config.cycle().ack;
    let left = config.duration - config.load;
    if left < arrival { 0 } else { (left - arrival) / config.cycle().total() + 1 }
}

#[test]
fn a_saturated_sender_is_the_closed_form_to_the_nanosecond() {
    let mut runs = 0;
    for (ack, csma) in [(true, true), (true, false), (false, true), (false, false)] {
        for payload in [0, 4, 5, 9, 10, 50, 102] {
            for (min_be, load) in [(0, 0), (3, 0), (3, 193), (3, 2_345), (5, 0)] {
                let load = Duration::from_micros(load);
                let mean = Backoff::Mean;
                let base = Config { payload, ack, csma, min_be, load, backoff: mean, ..Config::default() };
                let config = Config { duration: seconds(3), ..base };
                let outcome = outcome(&config);
                assert_eq!(outcome.total.delivered, expected(&config), "{config:?}");
                assert_eq!(outcome.total.payload, outcome.total.delivered * u64::from(payload));
                assert_eq!(outcome.random_draws, 0, "nothing is left to chance");
                let cycle = config.cycle();
                let first = cycle.total() - cycle.spacing - cycle.ack;
                // A frame that is ready within the space behind the last one waits for the rest of it.
                let space = if config.psdu_octets() > 18 { 640 } else { 192 };
                let later = first + Duration::from_micros(space).saturating_sub(load);
                let (head, tail) = outcome.latencies.split_first().expect("frames have arrived");
                assert!(*head == first && tail.iter().all(|&measured| measured == later), "{config:?}");
                runs += 1;
            }
        }
    }
    assert_eq!(runs, 140);
}

#[test]
fn headers_and_security_take_what_they_take() {
    let (none, short, extended) = (Addressing::None, Addressing::Short, Addressing::Extended);
    let secure = |level, key_id_mode| Security { level, key_id_mode };
    let plain = Security::default();
    // Destination, source, one PAN, security; octets besides the payload, and payload that is left.
    let table = [
        (none, none, true, plain, 5, 122),
        (short, short, true, plain, 11, 116),
        (short, short, false, plain, 13, 114),
        (short, none, true, plain, 9, 118),
        (none, extended, true, plain, 15, 112),
        (extended, short, true, plain, 17, 110),
        (extended, extended, true, plain, 23, 104),
        (extended, extended, false, plain, 25, 102),
        (short, short, true, secure(Level::EncMic32, KeyIdMode::Index), 21, 106),
        (short, extended, true, secure(Level::EncMic32, KeyIdMode::Index), 27, 100),
        (extended, extended, false, secure(Level::EncMic128, KeyIdMode::Source8), 55, 72),
    ];
    for (destination, source, pan_compression, security, overhead, left) in table {
        let addressed = Config { destination, source, pan_compression, security, ..Config::default() };
        let config = Config { payload: left, backoff: Backoff::Mean, duration: seconds(1), ..addressed };
        assert_eq!((config.payload_max(), config.psdu_octets() - usize::from(left)), (left, overhead), "{config:?}");
        // A full frame: 133 octets on the air whatever is in it.
        assert_eq!(outcome(&config).total.delivered, 145, "{config:?}");
        assert!(Config { payload: left + 1, ..config }.check().is_err());
    }
}

#[test]
fn random_backoffs_are_the_closed_form_on_average() {
    let config = Config { duration: seconds(1_000), ..Config::default() };
    let (measured, form) = (outcome(&config).goodput().0 as f64, config.closed_form_bps() as f64);
    // 145,000 backoffs with a deviation of 733 µs in cycles of 6880 µs: 0.03 % is one standard deviation.
    assert!((measured / form - 1.0).abs() < 0.001, "{measured} for {form}");
}

#[test]
fn a_paced_sender_delivers_what_is_offered() {
    let offered = Some("40kbps".parse().expect("a rate"));
    let config = Config { payload: 100, offered, duration: seconds(10), ..Config::default() };
    let outcome = outcome(&config);
    // One frame each 20 ms, the first at once, the last at the very end.
    assert_eq!((outcome.total.offered, outcome.total.delivered, outcome.total.dropped_all()), (501, 500, 0));
    assert_eq!(outcome.per_second, [5_000; 10]);
    // No backoff at all, CCA, turnaround, 117 octets; and 7 periods more at most.
    let least = Duration::from_micros(128 + 192 + 117 * 32);
    assert_eq!(outcome.latency(0), Some(least));
    assert_eq!(outcome.latency(1_000), Some(least + Duration::from_micros(7 * 320)));
}

#[test]
fn a_full_queue_drops_what_the_air_cannot_carry() {
    let offered = Some("200kbps".parse().expect("a rate"));
    let config = Config { offered, queue: 4, duration: seconds(10), ..Config::default() };
    let total = outcome(&config).total;
    let waiting = total.offered - total.delivered - total.dropped_all();
    assert!(total.dropped_all() > 500 && waiting <= 5, "{total:?}");
    let share = total.payload as f64 * 0.8 / config.closed_form_bps() as f64;
    assert!((share - 1.0).abs() < 0.01, "the air is used to the full: {share}");
}

trait Dropped {
    fn dropped_all(&self) -> u64;
}

impl Dropped for airtime_ieee802154::network::Counters {
    fn dropped_all(&self) -> u64 {
        self.drops.iter().sum()
    }
}
