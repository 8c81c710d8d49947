//! Records: the same for the same seed, with books that balance, for every shipped plan.

use airtime_core::ledger::Account as _;
use airtime_lab::{Library, Plan, run};
use airtime_nrf24::ledger::Account;

use super::{link, outcome};

const SHIPPED: [(&str, &str); 8] = [
    ("nrf24-legacy", include_str!("../../../../plans/nrf24-legacy.toml")),
    ("nrf24-stream", include_str!("../../../../plans/nrf24-stream.toml")),
    ("nrf24-auto-ack", include_str!("../../../../plans/nrf24-auto-ack.toml")),
    ("nrf24-ack-payload", include_str!("../../../../plans/nrf24-ack-payload.toml")),
    ("nrf24-lossy", include_str!("../../../../plans/nrf24-lossy.toml")),
    ("nrf24-tcp", include_str!("../../../../plans/nrf24-tcp.toml")),
    ("nrf24-raw", include_str!("../../../../plans/nrf24-raw.toml")),
    ("nrf24-gateway", include_str!("../../../../plans/nrf24-gateway.toml")),
];

#[test]
fn records_of_shipped_plans_balance_and_repeat() {
    let set = [("run.duration".to_owned(), "4s".to_owned()), ("run.warmup".to_owned(), "1s".to_owned())];
    for (name, text) in SHIPPED {
        let plan = Plan::parse(name, text, &Library::builtin(), &set).unwrap_or_else(|error| panic!("{error}"));
        let point = plan.point(0).expect("a plan has a point");
        let record = run::record(&plan, &point);
        let again = run::record(&plan, &point);
        assert_eq!(serde_json::to_string(&record).ok(), serde_json::to_string(&again).ok(), "{name}");
        assert_eq!(record.link, "nrf24-ip");
        assert_eq!(record.elapsed_ns, 4_000_000_000, "{name}");
        assert_eq!(record.ledger_ns.iter().map(|(_, ns)| ns).sum::<u64>(), record.elapsed_ns, "{name}");
        assert_eq!(record.steady_ledger_ns.iter().map(|(_, ns)| ns).sum::<u64>(), record.steady_ns, "{name}");
        let drawn = record.counters.get("random_draws").copied();
        let expected = if link(&point).air.loss == airtime_core::loss::Loss::None { 1 } else { 3 };
        assert_eq!((drawn > Some(0), record.goodput_kbps.runs), (expected == 3, expected), "{name}");
        // Raw frames say nothing of when they left.
        let has_delays = record.latency_ms.is_some() || name == "nrf24-raw";
        assert!(record.goodput_kbps.median > 100.0 && has_delays, "{name}: {record:?}");
        assert!(record.bottleneck.says.ends_with('.'), "{name}: {}", record.bottleneck.says);
    }
}

/// Octets of payload are the payload accounts: at 2 Mbit/s 4 us each.
#[test]
fn payload_accounts_are_the_goodput() {
    let modes = ["legacy", "auto-ack", "stream", "rf24-gateway"].map(|mode| ("nrf24.mode", mode));
    for (key, mode) in modes.into_iter().chain([("traffic.kind", "raw")]) {
        let found = outcome(&[(key, mode), ("run.duration", "4s"), ("nrf24.loss", "{ per = 0.01 }")]);
        let booked = found.steady_ledger.of(Account::PayloadUp).as_nanos() as f64 / 4_000.0;
        let share = booked / found.octets() as f64;
        assert!(
            (share - 1.0).abs() < 0.02,
            "{mode}: {share} of {} octets, {}",
            found.octets(),
            Account::PayloadUp.name()
        );
    }
}

#[test]
fn a_host_without_a_cost_still_moves_on() {
    // What `explain` tries: each cost taken away by itself, and all of them together.
    let costs = ["transaction", "pin", "wake", "sleep_slack", "tun"].map(|cost| format!("nrf24_host.{cost}"));
    let without = |costs: &[String]| -> Vec<(String, String)> {
        costs.iter().map(|cost| (cost.clone(), "0us".to_owned())).collect()
    };
    let mut cases: Vec<_> = costs.chunks(1).map(without).collect();
    cases.push(without(&costs));
    for free in &cases {
        for mode in ["stream", "auto-ack", "ack-payload", "legacy", "rf24-gateway"] {
            // Two ends of the gateway that begin at once listen to nobody for longer than this.
            let half_duplex = mode == "rf24-gateway";
            let ways = [("tcp", "up"), if half_duplex { ("udp", "up") } else { ("tcp", "both") }, ("udp", "both")];
            for (kind, direction) in ways.into_iter().take(if half_duplex { 2 } else { 3 }) {
                let short = [("run.duration", "150ms"), ("run.warmup", "0us")];
                let mut set = vec![("nrf24.mode", mode), ("traffic.kind", kind), ("traffic.direction", direction)];
                set.extend(short);
                set.extend(free.iter().map(|(key, value)| (key.as_str(), value.as_str())));
                assert!(super::kbps(&set) > 0.0, "{set:?}");
            }
        }
    }
}
