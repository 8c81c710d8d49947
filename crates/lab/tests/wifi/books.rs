//! What holds for every run: books that balance, the closed form above, the same bytes for the same seed.

use airtime_core::ledger::Account as _;
use airtime_wifi::air::{Access, Aggregation, Cycle, Guard, Phy, Timing, Width, mpdu_octets};
use airtime_wifi::ledger::Account;
use airtime_wifi::run::Outcome;
use proptest::prelude::*;

use super::{outcome, recorded};

fn payload(outcome: &Outcome) -> u64 {
    [Account::PayloadUp, Account::PayloadDown].iter().map(|account| outcome.ledger.of(*account).as_nanos()).sum()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    fn books_balance_and_goodput_is_below_the_closed_form(
        kind in prop::sample::select(vec!["udp", "tcp"]),
        direction in prop::sample::select(vec!["up", "down", "both"]),
        mcs in 0u8..8,
        window in 1u16..40,
        stations in 1u16..4,
        queue in 1u16..80,
        per in prop::sample::select(vec!["none", "{ per = 0.02 }"]),
        rts in prop::sample::select(vec!["none", "0", "3000"]),
        seed in 0u64..1_000,
    ) {
        let (mcs_text, window_text) = (mcs.to_string(), window.to_string());
        let (stations, queue, seed) = (stations.to_string(), queue.to_string(), seed.to_string());
        let set = [
            ("traffic.kind", kind),
            ("traffic.direction", direction),
            ("wifi.mcs", mcs_text.as_str()),
            ("wifi.ampdu_max", window_text.as_str()),
            ("wifi.stations", stations.as_str()),
            ("wifi.loss", per),
            ("wifi.rts_threshold", rts),
            ("hosted.tx_queue", queue.as_str()),
            ("run.seed", seed.as_str()),
            ("run.duration", "1s"),
            ("run.warmup", "200ms"),
        ];
        let found = outcome(&set);
        // The run itself asserts that its books balance.
        prop_assert_eq!(found.ledger.entries().map(|(_, time)| time.as_nanos()).sum::<u64>(), 1_000_000_000);
        prop_assert!(payload(&found) <= 1_000_000_000);
        let phy = Phy::ht(Width::Mhz20, Guard::Ns400, mcs);
        let mpdu = mpdu_octets(14 + 28 + 1_400, true);
        let timing = Timing::ghz24();
        // No backoff at all is the best that one can draw.
        let access = Access { cw_min: 0, ..Access::BEST_EFFORT };
        let cycle = Cycle::new(&timing, access, &Aggregation::ht(window), phy, mpdu, 64);
        let ceiling = cycle.goodput_bps(1_460) as f64 / 1e3;
        let goodput = airtime_lab::record::kbps(found.octets(), found.steady);
        // What was in queues when the warm-up ended arrives behind it.
        prop_assert!(goodput <= ceiling * 1.25, "{goodput} above {ceiling}");
    }
}

#[test]
fn the_same_seed_makes_the_same_record() {
    let set = [
        ("wifi.stations", "3"),
        ("wifi.loss", "{ per = 0.05 }"),
        ("run.duration", "2s"),
        ("run.warmup", "500ms"),
        ("run.repeat", "1"),
    ];
    let once = serde_json::to_string(&recorded(&set)).unwrap();
    assert_eq!(once, serde_json::to_string(&recorded(&set)).unwrap());
    let other = [&set[..], &[("run.seed", "2")]].concat();
    assert_ne!(once, serde_json::to_string(&recorded(&other)).unwrap());
}

#[test]
fn a_run_without_chance_is_run_once() {
    let set = [("wifi.backoff", "mean"), ("run.duration", "2s"), ("run.warmup", "500ms"), ("run.repeat", "5")];
    assert_eq!(recorded(&set).goodput_kbps.runs, 1);
    assert_eq!(Account::PayloadUp.name(), "payload.up");
}
