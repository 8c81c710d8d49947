//! The published tunnel: its rate, its overrun, what a stall does to it, and the same records for the same seed.

use airtime_lab::{Library, Plan, run};

use super::{kbps, outcome};

const LEGACY: (&str, &str) = ("nrf24.mode", "legacy");

#[test]
fn published_rates_come_out_with_one_set_of_host_costs() {
    let small = kbps(&[LEGACY, ("traffic.payload", "32"), ("run.duration", "6s")]);
    let large = kbps(&[LEGACY, ("traffic.kind", "tcp"), ("run.duration", "6s")]);
    assert!((small / 185.0 - 1.0).abs() <= 0.15, "32 octets: {small}");
    assert!((large / 420.0 - 1.0).abs() <= 0.15, "a speed test: {large}");
}

#[test]
fn the_test_overruns_by_what_lies_in_the_queue() {
    let base = [LEGACY, ("traffic.payload", "32"), ("run.warmup", "1s")];
    let rate = kbps(&[&base[..], &[("run.duration", "6s")]].concat());
    for offered in [250.0, 400.0, 600.0f64] {
        let text = format!("{offered}kbps");
        let set = [("traffic.offered", text.as_str()), ("traffic.drain", "true"), ("run.duration", "5s")];
        let overrun = outcome(&[&base[..], &set].concat()).overrun.expect("it has waited").as_nanos() as f64 / 1e9;
        let identity = 5.0 * (offered / rate - 1.0);
        // A packet is 1.2 ms, and the first of a batch waits for nobody.
        assert!((overrun - identity).abs() <= 0.02 * identity + 0.005, "{offered}: {overrun} for {identity}");
    }
}

#[test]
fn without_acknowledgements_next_to_nothing_comes_through() {
    let found = kbps(&[LEGACY, ("nrf24.auto_ack", "false"), ("traffic.payload", "32"), ("run.duration", "4s")]);
    assert!(found < 0.05 * 185.0, "{found}");
}

#[test]
fn stalls_of_the_receiver_lose_more_than_a_tenth_of_its_packets_and_none_of_ours() {
    for (length, payload, mode) in
        [("1ms", "32", "legacy"), ("3ms", "32", "legacy"), ("3ms", "1472", "legacy"), ("3ms", "32", "stream")]
    {
        let stall = format!("{{ every = \"50ms\", for = \"{length}\" }}");
        let set = [("nrf24.mode", mode), ("nrf24.stall", &stall), ("traffic.payload", payload)];
        let found = outcome(&[&set[..], &[("run.duration", "12s")]].concat());
        let [entered, left] = [found.counted.packets_carried[0], found.counted.packets_out[0]];
        let lost = 100 * entered.saturating_sub(left) / entered;
        match mode {
            "legacy" => assert!(lost > 10, "{length} {payload}: {left} of {entered}"),
            // What is under way at either end of the time that is counted: a window of chunks.
            _ => assert!(entered.abs_diff(left) <= 20, "{length} {payload}: {left} of {entered}"),
        }
    }
}

#[test]
fn the_reasons_are_named() {
    let (plan, point) =
        crate::support::plan(&[("link", "nrf24-ip"), LEGACY, ("traffic.payload", "32"), ("run.duration", "4s")]);
    let says = run::record(&plan, &point).bottleneck.says;
    for reason in ["packet size: 32 octets", "every frame is acknowledged", "sleeps of 360us", "queue: without a bound"]
    {
        assert!(says.contains(reason), "{reason}: {says}");
    }
    assert!(!says.contains("a cycle of"), "the cycle of a full frame is not that of these: {says}");
    // A frame that is not full has a shorter cycle than one that is: the parts are those of the mean frame.
    let us_after = |word: &str| {
        let rest = &says[says.find(word).unwrap_or_else(|| panic!("{word}: {says}")) + word.len()..];
        rest.split_whitespace().next().and_then(|us| us.parse::<u64>().ok()).unwrap_or_else(|| panic!("{word}: {says}"))
    };
    let parts = ["auto-ack cycle: ", "waking up: ", "SPI and system calls: "].map(us_after);
    let whole = us_after("us of the ");
    let sum = parts.into_iter().sum::<u64>();
    assert!(sum <= whole && sum * 100 >= whole * 95, "{parts:?} of {whole}: {says}");
}

#[test]
fn rows_have_the_figures_they_are_compared_by() {
    let text = include_str!("../../../../plans/field/nrf24_ip.toml");
    let plan = Plan::parse("field/nrf24_ip", text, &Library::builtin(), &[]).expect("the shipped plan is good");
    let set = [("run.duration".to_owned(), "3s".into()), ("run.warmup".to_owned(), "500ms".into())];
    let lab = |id: &str| {
        let point = plan.points().into_iter().find(|point| point.id == id).expect("a row of the plan");
        let point = plan.vary(&point, &set).expect("it can be shorter");
        run::record(&plan, &point).lab.expect("a figure to compare")
    };
    let overrun = lab("nrf24-overrun-600");
    assert_eq!((overrun.field.as_str(), overrun.unit.as_str()), ("overrun_s", "s"));
    assert!((4.0..6.5).contains(&overrun.value), "{overrun:?}");
    let batch = lab("nrf24-batch");
    assert_eq!(batch.field, "air_busy_ms_per_batch");
    // Three acknowledged cycles of 445 us.
    assert!((batch.value - 1.335).abs() < 0.001, "{batch:?}");
}
