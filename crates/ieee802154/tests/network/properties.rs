//! Properties of any network: books balance, goodput stays below the closed form, same seed, same run.

use airtime_core::ledger::Account as _;
use airtime_core::loss::Loss;
use airtime_core::units::Bitrate;
use airtime_core::{Duration, Instant};
use airtime_ieee802154::ledger::{Account, Books};
use airtime_ieee802154::mac::Backoff;
use airtime_ieee802154::network::{Config, run};
use airtime_ieee802154::wire::{Addressing, KeyIdMode, Level, Security};
use proptest::prelude::*;

use crate::Log;

fn loss() -> impl Strategy<Value = Loss> {
    prop_oneof![
        Just(Loss::None),
        (0.0f64..0.6).prop_map(|per| Loss::Packet { per }),
        (0.0f64..1e-3).prop_map(|ber| Loss::Bit { ber }),
        (1u64..60, 1u64..60).prop_map(|(every, burst)| Loss::Burst {
            good: 0.01,
            bad: 0.9,
            every: Duration::from_millis(every),
            burst: Duration::from_millis(burst),
            missed: 0.5,
        }),
    ]
}

prop_compose! {
    fn config()(
        frame in (0u8..=72, 0usize..3, 0usize..3, any::<bool>(), 0usize..8, 0usize..4),
        mac in (any::<bool>(), any::<bool>(), 0u8..=8, 3u8..=8, 0u8..=5, 0u8..=7),
        plant in (1u8..8, proptest::option::of(500u64..60_000), 1u16..5, 0u64..4_000),
        loss in loss(),
        seed in any::<u64>(),
    ) -> Config {
        let (payload, source, destination, pan_compression, level, key_id_mode) = frame;
        let (ack, csma, min_be, max_be, max_backoffs, retries) = mac;
        let (stations, offered, queue, load) = plant;
        let level = if Level::ALL[level] == Level::Enc { Level::EncMic64 } else { Level::ALL[level] };
        Config {
            payload: if offered.is_some() { payload.max(1) } else { payload },
            source: Addressing::ALL[source],
            destination: Addressing::ALL[destination],
            pan_compression,
            security: Security { level, key_id_mode: KeyIdMode::ALL[key_id_mode] },
            ack,
            csma,
            min_be: min_be.min(max_be),
            max_be,
            max_backoffs,
            retries,
            stations,
            offered: offered.map(Bitrate),
            queue,
            load: Duration::from_micros(load),
            loss,
            duration: Duration::from_millis(700),
            seed,
            ..Config::default()
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 150, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn books_balance_and_payload_is_what_arrived(config in config()) {
        let last = usize::from(config.stations);
        let books = (Books::new(Instant::ZERO, 1), Books::new(Instant::ZERO, last));
        let (outcome, books) = run(&config, books).expect("the configuration fits");
        let end = Instant::ZERO + config.duration;
        for (station, books) in [(1, &books.0), (last, &books.1)] {
            let ledger = books.ledger_at(end);
            prop_assert!(ledger.balances());
            prop_assert_eq!(ledger.elapsed(), config.duration);
            let counters = &outcome.stations[station - 1];
            prop_assert_eq!(ledger.of(Account::Payload), Duration::from_micros(32) * counters.payload);
            prop_assert_eq!(ledger.of(Account::Ack), Duration::from_micros(352) * counters.acks);
            let octets = config.psdu_octets() as u64 + 6;
            for (account, frames) in [
                (Account::Collision, counters.collisions),
                (Account::Loss, counters.lost),
                (Account::Duplicate, counters.duplicates),
            ] {
                prop_assert_eq!(ledger.of(account), Duration::from_micros(32) * (octets * frames), "{}", account.name());
            }
        }
    }

    #[test]
    fn same_seed_same_run(config in config()) {
        let (first, log) = run(&config, Log::default()).expect("the configuration fits");
        let (second, other) = run(&config, Log::default()).expect("the configuration fits");
        prop_assert_eq!(first, second);
        prop_assert_eq!(log.0, other.0);
    }

    #[test]
    fn no_sender_beats_its_fastest_cycle(config in config()) {
        let (outcome, ()) = run(&config, ()).expect("the configuration fits");
        // Luck may leave out every backoff, and nothing else.
        let fastest = Config { min_be: 0, ..config.clone() };
        let most = config.duration / fastest.cycle().total() + 1;
        for counters in &outcome.stations {
            prop_assert!(counters.delivered <= most, "{:?}", counters);
            prop_assert!(counters.handed <= counters.offered);
            // Who does not say who it is has duplicates that nobody recognises, among others like it.
            let known = config.stations == 1 || config.source != Addressing::None;
            prop_assert!(!known || counters.delivered <= counters.handed, "{:?}", counters);
        }
        let long = Config { stations: 1, loss: Loss::None, offered: None, duration: Duration::from_secs(60), ..config };
        let cycles = long.duration / long.cycle().total() + 1;
        let (mean, ()) = run(&Config { backoff: Backoff::Mean, ..long.clone() }, ()).expect("the configuration fits");
        prop_assert!(mean.total.delivered <= cycles);
        // A backoff deviates by 0.58 of its mean, and is not all of a cycle.
        let (random, ()) = run(&long, ()).expect("the configuration fits");
        let most = cycles as f64 + 5.0 * 0.58 * (cycles as f64).sqrt();
        prop_assert!(random.total.delivered as f64 <= most, "{} for {cycles}", random.total.delivered);
    }

    #[test]
    fn what_is_sent_is_accounted_for(config in config()) {
        let (outcome, ()) = run(&config, ()).expect("the configuration fits");
        for counters in &outcome.stations {
            let ended = counters.delivered + counters.duplicates + counters.collisions + counters.lost;
            prop_assert!(counters.frames - ended <= 1, "{:?}", counters);
            let done: u64 = counters.confirmed + counters.drops[1] + counters.drops[2];
            prop_assert!(counters.handed - done <= 1, "{:?}", counters);
            prop_assert!(config.ack || counters.acks + counters.retries == 0);
        }
        let total = outcome.total;
        prop_assert_eq!(outcome.latencies.len() as u64, total.arrived);
        if config.stations == 1 || config.source != Addressing::None {
            // One frame each may wait, and what is lost was given up, or was sent once and for all.
            prop_assert_eq!(total.handed, total.arrived + outcome.lost() + outcome.waiting);
            prop_assert!(outcome.waiting <= u64::from(config.stations));
            let unheard = if config.ack { 0 } else { total.lost + total.collisions };
            prop_assert!(outcome.lost() <= total.drops[1] + total.drops[2] + unheard, "{:?}", outcome);
        }
        prop_assert_eq!(outcome.per_second.iter().sum::<u64>(), outcome.total.payload);
        prop_assert_eq!(outcome.latencies.len() as u64, outcome.total.delivered);
    }
}
