//! Packets that are missed end the event for both sides; packets that are damaged do not, the first of them.

use airtime_testing::is_whole;

use super::cut_stream::{self, STREAM, mean};
use crate::support::{outcome, plan};

/// New data PDUs an event, of each of `seeds` runs.
fn pdus_an_event(interval: &str, loss: &str, seeds: u32) -> Vec<f64> {
    // As much is seen of few seeds as of many.
    let duration = if seeds >= 100 { "6s" } else { "60s" };
    let set = [("ble.conn_interval", interval), ("ble.loss", loss), ("run.duration", duration), ("run.warmup", "1s")];
    cut_stream::pdus_an_event(&set, seeds)
}

/// The central misses a reply, or the peripheral a packet of its central: either ends the event for both, and the next one begins
/// where this one ended. Of what fits, N exchanges, the k-th carries a new PDU if none of the k before was missed by anybody:
/// Σ over k = 1…N of (q_c q_p)^k.
#[test]
fn an_event_goes_as_far_as_nobody_misses_a_packet() {
    for (interval, fits, loss, share) in [
        ("7.5ms", 4, "{ miss = 0.05 }", 0.05),
        ("100ms", 70, "{ miss = 0.05 }", 0.05),
        ("30ms", 20, "{ miss = 0.2 }", 0.2),
    ] {
        let q: f64 = (1.0_f64 - share).powi(2);
        let expected: f64 = (1..=fits).map(|k| q.powi(k)).sum();
        let (mean, error) = mean(&pdus_an_event(interval, loss, 20));
        // An event may hold a fraction more or less than its whole PDUs where a credit takes part: less than 1 %.
        assert!(
            (mean - expected).abs() <= 3.0 * error + 0.01 * expected,
            "{interval} {loss}: {mean:.3} ± {error:.3}, expected {expected:.3}"
        );
    }
}

/// A damaged packet is answered, and costs its exchange alone; two in a row at one end close the event.
#[test]
fn damage_costs_an_exchange_and_a_miss_the_rest_of_the_event() {
    let at = |interval, loss| mean(&pdus_an_event(interval, loss, 5)).0;
    for (interval, fits) in [("15ms", 10.0), ("100ms", 70.0)] {
        let (damaged, missed) = (at(interval, "{ damage = 0.05 }"), at(interval, "{ miss = 0.05 }"));
        // About a tenth of the exchanges, and more where two in a row are likelier before the event is over.
        assert!((0.60 * fits..0.93 * fits).contains(&damaged), "{interval}: {damaged}");
        assert!(missed < damaged - 0.2 * fits, "{interval}: {missed} {damaged}");
    }
}

/// New PDUs an event of at most `fits` exchanges, where each packet is damaged with probability `damage`: two in a row at the central
/// end the event, two in a row at the peripheral end it behind its reply, and a PDU whose acknowledgement was damaged comes again.
fn under_damage(fits: usize, damage: f64) -> f64 {
    // By state at the beginning of an event: what is sent has not arrived yet, or has.
    let mut begins = [1.0, 0.0];
    let mut new = 0.0;
    for _ in 0..50 {
        let (mut ends, mut states) = ([0.0; 2], vec![(begins[0], false, 0, 0), (begins[1], true, 0, 0)]);
        new = 0.0;
        for exchange in 1..=fits {
            let mut next = Vec::new();
            for (p, arrived, central, peripheral) in states {
                for (p, heard_by_peripheral) in [(p * (1.0 - damage), true), (p * damage, false)] {
                    for (p, heard_by_central) in [(p * (1.0 - damage), true), (p * damage, false)] {
                        let arrived = arrived && !heard_by_peripheral;
                        new += if heard_by_central && !arrived { p } else { 0.0 };
                        let peripheral = if heard_by_peripheral { 0 } else { peripheral + 1 };
                        let central = if heard_by_central { 0 } else { central + 1 };
                        let arrived = arrived || heard_by_central;
                        if exchange == fits || central == 2 || peripheral == 2 {
                            ends[usize::from(arrived)] += p;
                        } else {
                            next.push((p, arrived, central, peripheral));
                        }
                    }
                }
            }
            // States that are equal are one.
            next.sort_by_key(|state| (state.1, state.2, state.3));
            next.dedup_by(|a, b| {
                (a.1, a.2, a.3) == (b.1, b.2, b.3) && {
                    b.0 += a.0;
                    true
                }
            });
            states = next;
        }
        begins = ends;
    }
    new
}

/// The rule of two in a row at either end, over a hundred seeds, or over a thousand.
#[test]
fn two_damaged_packets_in_a_row_end_an_event() {
    let seeds = if is_whole() { 1_000 } else { 100 };
    for (interval, fits, loss, damage) in
        [("15ms", 10, "{ damage = 0.05 }", 0.05), ("30ms", 20, "{ damage = 0.1 }", 0.1)]
    {
        let (mean, error) = mean(&pdus_an_event(interval, loss, seeds));
        let expected = under_damage(fits, damage);
        // As above: a fraction of a PDU where a credit takes part.
        assert!(
            (mean - expected).abs() <= 3.0 * error + 0.01 * expected,
            "{interval} {loss}: {mean:.3} ± {error:.3}, expected {expected:.3}"
        );
    }
}

/// Where nothing is lost a long interval carries more; where packets are missed it carries less, because a miss costs what is left of
/// an event.
#[test]
fn misses_turn_the_order_of_intervals_round() {
    let goodput = |interval: &str, loss: &str| {
        let more = [("ble.conn_interval", interval), ("ble.loss", loss), ("run.duration", "60s")];
        let set: Vec<_> = STREAM.iter().chain(&more).copied().collect();
        let (_, point) = plan(&set);
        let duration = point.scenario.run().duration.as_secs_f64();
        outcome(&set).octets(0) as f64 * 8.0 / 1e3 / duration
    };
    let intervals = ["7.5ms", "15ms", "30ms", "50ms", "100ms"];
    let table: Vec<String> = ["none", "{ miss = 0.01 }", "{ miss = 0.05 }", "{ miss = 0.2 }"]
        .into_iter()
        .map(|loss| {
            let cells: Vec<String> = intervals
                .iter()
                .map(|interval| format!("{:>6.0}", goodput(interval, &loss.replace("none", "\"none\""))))
                .collect();
            format!("{loss:<16}{}", cells.concat())
        })
        .collect();
    insta::assert_snapshot!(format!("kbps at {}\n{}", intervals.join(", "), table.join("\n")));
}
