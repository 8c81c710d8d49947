//! What loss, duplicates, collisions and busy channels do to frames.

use airtime_core::Duration;
use airtime_core::loss::Loss;
use airtime_ieee802154::mac::Backoff;
use airtime_ieee802154::network::{Config, ConfigError, Counters, run};
use airtime_ieee802154::trace::{DropPoint, Fate, Sent};
use airtime_ieee802154::wire::{Frame, Level, Security};

use crate::{Frames, outcome, seconds};

fn lossy(per: f64) -> Config {
    Config { loss: Loss::Packet { per }, duration: seconds(400), ..Config::default() }
}

#[test]
fn losses_are_sent_again_and_duplicates_are_discarded() {
    let per = 0.2;
    let outcome = outcome(&lossy(per));
    let total = outcome.total;
    let near = |count: u64, of: u64, share: f64| {
        let (measured, deviation) = (count as f64 / of as f64, (share * (1.0 - share) / of as f64).sqrt());
        assert!((measured - share).abs() < 4.0 * deviation, "{measured} for {share}, {deviation}");
    };
    near(total.lost, total.frames, per);
    near(total.acks_lost, total.frames - total.lost, per);
    // An attempt fails when the frame or its acknowledgement is lost; four of them in a row give the frame up.
    let failed = per + (1.0 - per) * per;
    near(total.dropped(DropPoint::NoAck), total.handed, failed.powi(4));
    // It has not arrived only if four frames were lost; else it counts as delivered, given up or not.
    near(total.handed - total.delivered, total.handed, per.powi(4));
    // Every frame that is sent is new, a duplicate or lost, but for one that may be on the air at the end.
    let ended = total.delivered + total.duplicates + total.lost;
    assert!(total.frames - ended <= 1 && total.collisions == 0);
    assert_eq!(total.acks + total.acks_lost, total.delivered + total.duplicates);
    assert!(total.duplicates > 5_000);
}

/// A frame that is not found and one that fails its check are both passed over in silence (IEEE Std 802.15.4-2020, 6.7.2), and so are
/// acknowledgements: what follows is the same to the nanosecond.
#[test]
fn misses_and_damage_are_told_apart_and_are_alike_to_a_sender() {
    let with = |loss, loss_ack| outcome(&Config { loss, loss_ack, ..lossy(0.0) }).total;
    let (miss, damage) = (Loss::Shares { miss: 0.1, damage: 0.0 }, Loss::Shares { miss: 0.0, damage: 0.1 });
    let (missed, damaged) = (with(miss, Loss::None), with(damage, Loss::None));
    assert!(missed.missed > 1_000 && missed.acks_missed > 1_000, "{missed:?}");
    assert_eq!((missed.missed, missed.damaged), (missed.lost, 0));
    assert_eq!((missed.acks_missed, missed.acks_damaged), (missed.acks_lost, 0));
    let told =
        Counters { missed: 0, damaged: missed.missed, acks_missed: 0, acks_damaged: missed.acks_missed, ..missed };
    assert_eq!(damaged, told);
    // Acknowledgements have a loss of their own: every one that is lost is a duplicate, while the data comes through.
    let acks = with(Loss::None, miss);
    assert!(acks.lost == 0 && acks.acks_missed > 1_000 && acks.duplicates.abs_diff(acks.acks_missed) < 10, "{acks:?}");
    let data = with(miss, Loss::Packet { per: 0.0 });
    assert!(data.missed > 1_000 && data.acks_lost == 0 && data.duplicates == 0, "{data:?}");
}

#[test]
fn without_acknowledgements_a_loss_is_a_loss() {
    let total = outcome(&Config { ack: false, ..lossy(0.1) }).total;
    assert_eq!((total.retries, total.acks, total.duplicates, total.frames), (0, 0, 0, total.handed));
    assert!((0.095..0.105).contains(&(total.lost as f64 / total.frames as f64)), "{total:?}");
}

#[test]
fn bit_errors_strike_longer_frames_more_often() {
    let lost = |payload| {
        let bits = Config { payload, loss: Loss::Bit { ber: 1e-4 }, ack: false, ..lossy(0.0) };
        let total = outcome(&bits).total;
        total.lost as f64 / total.frames as f64
    };
    // 23 and 133 octets with what the PHY adds.
    for (payload, octets) in [(6, 23), (116, 133)] {
        let expected = 1.0 - (1.0f64 - 1e-4).powi(8 * octets);
        assert!((lost(payload) / expected - 1.0).abs() < 0.06, "{payload}: {} for {expected}", lost(payload));
    }
}

/// Two senders without CSMA-CA that begin together never get through: nothing ever parts them.
#[test]
fn senders_that_begin_together_collide() {
    let config = Config { stations: 2, csma: false, retries: 1, duration: seconds(1), ..Config::default() };
    let (outcome, frames) = run(&config, Frames::default()).expect("the configuration fits");
    assert_eq!(outcome.total.delivered, 0);
    assert!(outcome.total.collisions > 300 && outcome.total.acks == 0);
    assert_eq!(frames.with(Fate::Collided), frames.0.len());
    assert_eq!(outcome.stations[0], outcome.stations[1]);
    assert!(outcome.total.dropped(DropPoint::NoAck) > 150);
}

/// An acknowledgement begins a turnaround, 192 µs, behind its frame, and an assessment takes 128: one that lies in between finds the
/// channel idle, and the frame behind it meets the acknowledgement.
#[test]
fn acknowledgements_are_not_safe_from_carrier_sense() {
    let config = Config { stations: 3, duration: seconds(60), ..Config::default() };
    let (outcome, frames) = run(&config, Frames::default()).expect("the configuration fits");
    let hit = frames.0.iter().filter(|(on_air, _)| on_air.sent == Sent::Ack && on_air.fate == Fate::Collided);
    assert!(hit.count() > 50);
    assert!(outcome.total.acks_lost > 50 && outcome.total.duplicates > 30, "{:?}", outcome.total);
}

/// Who has found the channel idle is deaf for a turnaround: of two assessments that end within it, both frames collide.
#[test]
fn collisions_begin_within_a_turnaround() {
    let config = Config { stations: 4, duration: seconds(60), ack: false, ..Config::default() };
    let (_, frames) = run(&config, Frames::default()).expect("the configuration fits");
    let mut starts: Vec<_> = frames.0.iter().map(|(on_air, _)| (on_air.start, on_air.fate)).collect();
    starts.sort_unstable_by_key(|&(start, _)| start);
    let mut collisions = 0;
    for pair in starts.windows(2) {
        let [(first, fate), (second, _)] = [pair[0], pair[1]];
        let overlap = second - first < Duration::from_micros(4_256);
        // An assessment that ends later than the frame began hears it.
        let blind = Duration::from_micros(192);
        assert!(!overlap || second - first <= blind + Duration::from_micros(128), "{first} {second}");
        collisions += u32::from(overlap && fate == Fate::Collided);
    }
    assert!(collisions > 300, "{collisions}");
}

#[test]
fn a_channel_that_is_always_taken_gives_access_failures() {
    let config = Config { stations: 30, duration: seconds(30), ..Config::default() };
    let total = outcome(&config).total;
    assert!(total.dropped(DropPoint::ChannelAccess) * 2 > total.handed, "{total:?}");
    assert!(total.cca_busy * 2 > total.cca);
    // Five assessments at most per access, and one more access per frame that was sent.
    assert!(total.cca <= 5 * (total.handed + total.frames));
}

#[test]
fn damaged_frames_have_a_wrong_check_in_captures_and_others_are_whole() {
    let config = Config { security: Security { level: Level::EncMic32, ..Security::default() }, ..lossy(0.3) };
    let config = Config { payload: 50, stations: 3, duration: seconds(20), ..config };
    let (_, frames) = run(&config, Frames::default()).expect("the configuration fits");
    let mut numbers = Vec::new();
    for (on_air, psdu) in &frames.0 {
        let frame = Frame::parse(psdu);
        assert_eq!(frame.is_ok(), on_air.fcs_valid(), "{on_air:?}");
        assert_eq!(on_air.channel, 11);
        if let (Ok(frame), Fate::New, 2) = (frame, on_air.fate, on_air.from) {
            numbers.push(u32::from_le_bytes(frame.payload[..4].try_into().expect("four octets")));
        }
    }
    assert!(numbers.len() > 300);
    assert!(numbers.windows(2).all(|pair| pair[0] < pair[1]), "in order, each once");
}

#[test]
fn contradictions_are_refused_by_name() {
    let error = |config: Config| run(&config, ()).unwrap_err().to_string();
    let base = Config::default;
    assert!(error(Config { payload: 117, ..base() }).contains("116 of 127"));
    assert!(error(Config { min_be: 6, ..base() }).contains("min_be is out of range; allowed are 0 to 5"));
    for config in [
        Config { max_be: 2, min_be: 0, ..base() },
        Config { max_backoffs: 6, ..base() },
        Config { retries: 16, ..base() },
        Config { stations: 0, ..base() },
        Config { channel: 27, ..base() },
        Config { queue: 0, ..base() },
    ] {
        assert!(matches!(config.check(), Err(ConfigError::Range { .. })), "{config:?}");
    }
    let security = Security { level: Level::Enc, ..Security::default() };
    assert_eq!(Config { security, ..base() }.check(), Err(ConfigError::Reserved));
    let offered = |rate: &str, payload| Config { offered: Some(rate.parse().expect("a rate")), payload, ..base() };
    assert_eq!(offered("0bps", 10).check(), Err(ConfigError::Offered));
    assert_eq!(offered("1kbps", 0).check(), Err(ConfigError::Offered));
    assert_eq!(Config { stations: 2, backoff: Backoff::Mean, ..base() }.check(), Err(ConfigError::Mean));
}
