//! Frames that are missed, frames that are damaged, and acknowledgements that are lost.

use airtime_nrf24::ledger::Account;

use super::{kbps, outcome};

const SHORT: (&str, &str) = ("run.duration", "4s");

/// A chip is silent on a wrong check as on a frame that it has not found (Product Specification 1.0, 7.5.2): what follows is the same,
/// octet by octet, and only the counters tell.
#[test]
fn misses_and_damage_are_told_apart_and_are_alike_to_a_sender() {
    for mode in ["legacy", "auto-ack", "ack-payload", "stream"] {
        let with = |loss| outcome(&[("nrf24.mode", mode), ("nrf24.loss", loss), SHORT]);
        let (missed, damaged) = (with("{ miss = 0.05 }"), with("{ damage = 0.05 }"));
        let (found, spoiled) = (&missed.counted, &damaged.counted);
        assert_eq!(missed.octets(), damaged.octets(), "{mode}");
        assert_eq!(found.frames, spoiled.frames, "{mode}");
        assert!(found.frames_missed[0] > 50 && spoiled.frames_damaged[0] > 50, "{mode}: {found:?} {spoiled:?}");
        assert_eq!(found.frames_damaged, [0; 2], "{mode}");
        // Beside them there are frames that nobody could hear, the same in both.
        let told = [0, 1].map(|end| spoiled.frames_missed[end] + spoiled.frames_damaged[end]);
        assert_eq!(found.frames_missed, told, "{mode}");
        assert_eq!((found.acks_damaged, spoiled.acks_damaged), ([0; 2], found.acks_missed), "{mode}");
        // In ack-payload the acknowledgements go by the chip of the node that answers; stream has none.
        assert_eq!(found.acks_missed.iter().sum::<u64>() > 30, mode != "stream", "{mode}: {found:?}");
    }
}

/// Either way has a loss of its own, and so have acknowledgements.
#[test]
fn a_direction_and_acknowledgements_lose_by_themselves() {
    let with = |keys: &[(&str, &str)]| {
        let set = [&[("nrf24.mode", "auto-ack"), ("traffic.direction", "both"), SHORT][..], keys].concat();
        outcome(&set).counted
    };
    let lost = "{ miss = 0.1 }";
    let at_a = with(&[("nrf24.loss_at_a", lost), ("nrf24.loss_acknowledgement", "{ per = 0 }")]);
    assert!(at_a.frames_missed[0] == 0 && at_a.frames_missed[1] > 50 && at_a.acks_lost == [0; 2], "{at_a:?}");
    let at_b = with(&[("nrf24.loss", lost), ("nrf24.loss_at_a", "{ per = 0 }")]);
    // What `b` hears is frames of `a`, and what `a` answers to frames of `b`.
    assert!(at_b.frames_missed[0] > 50 && at_b.acks_missed[0] > 50 && at_b.acks_missed[1] == 0, "{at_b:?}");
    let acks = with(&[("nrf24.loss_acknowledgement", "{ damage = 0.1 }")]);
    assert!(acks.frames_damaged == [0; 2] && acks.acks_missed == [0; 2], "{acks:?}");
    assert!(acks.acks_damaged.iter().all(|&count| count > 50), "{acks:?}");
}

/// A receiver that has acknowledged needs 130 us to listen again (`Tstby2a`; Product Specification 1.0, Table 19). With the shortest ARD
/// the retransmission begins before that, and is for nobody: a lost acknowledgement costs two attempts, a lost frame one. With 250 us
/// more either costs one.
#[test]
fn a_lost_acknowledgement_costs_two_attempts_with_the_shortest_ard() {
    let with = |ard, key| {
        let set =
            [("nrf24.mode", "auto-ack"), ("nrf24.ard", ard), (key, "{ miss = 0.1 }"), ("traffic.payload", "1472")];
        (outcome(&[&set[..], &[SHORT]].concat()).counted, kbps(&[&set[..], &[SHORT]].concat()))
    };
    let (frame, acknowledgement) = ("nrf24.loss_at_b", "nrf24.loss_acknowledgement");
    let (deaf, short) = with("250us", acknowledgement);
    assert!(deaf.acks_missed[1] > 200, "{deaf:?}");
    assert!(deaf.frames_missed[0].abs_diff(deaf.acks_missed[1]) <= 2, "{deaf:?}");
    let (_, short_frame) = with("250us", frame);
    assert!(short < 0.97 * short_frame, "{short} and {short_frame}");
    let ((heard, long), (_, long_frame)) = (with("500us", acknowledgement), with("500us", frame));
    assert_eq!(heard.frames_missed, [0; 2], "{heard:?}");
    // Loss at `b` takes acknowledgements of the feedback as well.
    assert!((1.0..1.05).contains(&(long / long_frame)) && long > short, "{long} and {long_frame}");
}

/// At its sensitivity of -82 dBm at 2 Mbit/s a receiver gets one bit of a thousand wrong: 3 octets of address hide 2.4 % of the frames,
/// and of those that are found 9 + 256 + 16 bits damage 24.5 %.
#[test]
fn frames_are_missed_and_damaged_by_their_level() {
    let set = |level| [("nrf24.level", level), ("traffic.payload", "1472"), SHORT];
    let counted = outcome(&set("-82dBm")).counted;
    let (sent, missed) = (counted.frames[0] as f64, counted.frames_missed[0] as f64);
    let damaged = counted.frames_damaged[0] as f64;
    assert!((0.019..0.029).contains(&(missed / sent)), "{counted:?}");
    assert!((0.22..0.26).contains(&(damaged / sent)), "{counted:?}");
    let clear = outcome(&set("-72dBm")).counted;
    assert_eq!((clear.frames_missed[0], clear.frames_damaged[0]), (0, 0), "{clear:?}");
}

/// A frame of which only acknowledgements are lost is given up and has arrived: it is no loss, and its books know it once.
#[test]
fn a_raw_frame_that_arrived_is_not_lost_with_its_acknowledgements() {
    let raw = [("traffic.kind", "raw"), ("nrf24.write", "blocking"), ("nrf24.arc", "1"), SHORT];
    for (loss, arrives) in [("nrf24.loss_acknowledgement", true), ("nrf24.loss_at_b", false)] {
        let found = outcome(&[&raw[..], &[(loss, "{ per = 1.0 }")]].concat());
        let count = |name: &str| found.counted.named.get(name).copied().unwrap_or(0);
        let (given_up, frames) = (count("max_rt"), found.counted.frames[0]);
        assert!(given_up > 100 && frames.abs_diff(2 * given_up) <= 2, "{loss}: {given_up} of {frames}");
        assert_eq!(found.octets() > 0, arrives, "{loss}");
        if !arrives {
            assert!(count("dropped.max_rt").abs_diff(given_up) <= 1, "{loss}: {given_up}");
            continue;
        }
        assert_eq!(count("dropped.max_rt"), 0);
        assert!(found.counted.taken[0].abs_diff(given_up) <= 1, "{given_up} of {}", found.counted.taken[0]);
        assert_eq!(found.octets(), 32 * found.counted.taken[0]);
        let of = |account| found.steady_ledger.of(account).as_nanos();
        assert_eq!(of(Account::PayloadUp), 4_000 * found.octets());
        // The second of each pair is a duplicate, of 329 bits.
        assert!(of(Account::Retransmission).abs_diff(given_up * 329 * 500) <= 329 * 500);
        assert!(found.steady_ledger.balances());
    }
}
