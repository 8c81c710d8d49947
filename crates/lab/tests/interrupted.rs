//! Runs that somebody stops.

use std::cell::Cell;

use airtime_lab::run::{record, record_unless};
use airtime_lab::{Library, Plan};

/// The default plan of every kind of link, and of the tests that take the place of traffic; all of them far too long.
const PLANS: [&str; 8] = [
    "link = \"ble-coc\"",
    "link = \"ble-gatt\"",
    "link = \"nrf24-ip\"",
    "link = \"wifi-hosted\"",
    "link = \"wifi-hosted\"\ntraffic.kind = \"tcp\"",
    "link = \"wifi-hosted\"\ntraffic.kind = \"raw\"",
    "link = \"wifi-hosted\"\ntraffic.kind = \"capture\"\nwifi.beacons = true\nhosted.peer_data = true\nhosted.firmware = \"custom\"\nhosted.handlers = 8",
    "link = \"ieee802154\"",
];

fn plan(text: &str, duration: &str, warmup: &str) -> Plan {
    let set = [("run.duration".to_owned(), duration.to_owned()), ("run.warmup".to_owned(), warmup.to_owned())];
    Plan::parse("test.toml", text, &Library::builtin(), &set).unwrap_or_else(|error| panic!("{text}: {error}"))
}

#[test]
fn a_run_that_is_stopped_ends_early_with_what_was_measured() {
    for text in PLANS {
        let plan = plan(text, "24h", "1s");
        let looks = Cell::new(0);
        let stop = || {
            looks.set(looks.get() + 1);
            looks.get() > 300
        };
        let record = record_unless(&plan, &plan.point(0).unwrap(), &stop);
        assert!(record.outcome.starts_with("interrupted after "), "{text}: {}", record.outcome);
        assert!(record.outcome.ends_with(" s of 86400s"), "{text}: {}", record.outcome);
        assert_eq!(record.ledger_ns.iter().map(|(_, ns)| ns).sum::<u64>(), record.elapsed_ns, "{text}: books balance");
        // Some 300,000 steps are seconds of any link; a capture has no goodput.
        let rate = record.goodput_kbps;
        assert!((rate.runs == 1 && rate.median > 0.0) || text.contains("capture"), "{text}: {rate:?}");
    }
}

#[test]
fn a_run_that_is_stopped_before_it_is_warm_has_no_goodput() {
    for text in PLANS {
        let plan = plan(text, "24h", "1h");
        let record = record_unless(&plan, &plan.point(0).unwrap(), &|| true);
        assert!(record.outcome != "ok", "{text}: {}", record.outcome);
        assert!(record.goodput_kbps.median <= 0.0, "{text}: {:?}", record.goodput_kbps);
        assert_eq!(record.ledger_ns.iter().map(|(_, ns)| ns).sum::<u64>(), record.elapsed_ns, "{text}: books balance");
    }
}

#[test]
fn asking_changes_nothing() {
    for text in PLANS {
        let plan = plan(text, "3s", "1s");
        let point = plan.point(0).unwrap();
        assert_eq!(record_unless(&plan, &point, &|| false), record(&plan, &point), "{text}");
    }
}
