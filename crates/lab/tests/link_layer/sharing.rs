//! Several links on one central whose events are cut, beside Zephyr's own link layer (`ll_sw_split` v3.2, in BabbleSim on nrf52_bsim).

use crate::support::record;

/// A run of Zephyr with `peripherals` links of SDUs of 492 octets, and what each of them carried in 10³ bit/s.
struct Run {
    /// `EVENT_OVERHEAD_START_US`.
    lead: &'static str,
    interval: &'static str,
    /// Distance between two anchors: where v3.2 puts them by itself, or by its options for spacing.
    spacing: &'static str,
    kbps: &'static [f64],
}

const RUNS: [Run; 7] = [
    // Each link's reply of 251 octets would end behind the next link's prepare: all but the last starve.
    Run { lead: "750us", interval: "15ms", spacing: "1636us", kbps: &[0.0, 1049.7] },
    Run { lead: "750us", interval: "30ms", spacing: "1644us", kbps: &[0.0, 0.0, 0.0, 1115.7] },
    Run { lead: "750us", interval: "15ms", spacing: "3406us", kbps: &[131.2, 918.5] },
    Run { lead: "750us", interval: "50ms", spacing: "3406us", kbps: &[39.4, 1259.6] },
    Run { lead: "750us", interval: "30ms", spacing: "4665us", kbps: &[131.2, 1114.9] },
    Run { lead: "275us", interval: "15ms", spacing: "3406us", kbps: &[262.4, 1049.7] },
    Run { lead: "275us", interval: "50ms", spacing: "4657us", kbps: &[118.1, 1220.3] },
];

#[test]
fn the_next_link_takes_the_radio_as_it_does_in_zephyr() {
    for Run { lead, interval, spacing, kbps } in RUNS {
        let peripherals = kbps.len().to_string();
        let record = record(&[
            ("central.personality", "zephyr-ll-v3.2"),
            ("peripheral.personality", "zephyr-ll-v3.2"),
            ("central.prepare_lead", lead),
            ("peripheral.prepare_lead", lead),
            ("peripheral.drift_skip", "true"),
            ("central.link_spacing", spacing),
            ("ble.peripherals", peripherals.as_str()),
            ("ble.conn_interval", interval),
            ("coc.credits", "{ initial = 60, on_connect = 0, grant = 2, every = 2 }"),
            ("acl.count", "6"),
            ("coc.tx_buffers", "6"),
            ("coc.in_flight", "6"),
            ("run.duration", "20s"),
            ("run.warmup", "1s"),
        ]);
        // What a link lacks went to the one that took the radio, where there was time for another exchange.
        let taken = record.steady_ledger_ns.get("other_link").copied().unwrap_or_default();
        assert!(kbps[0] == 0.0 || taken > record.steady_ns / 2, "{lead} {interval} {spacing}: {taken}");
        let seen: Vec<f64> = record.links.iter().map(|link| link.goodput_kbps).collect();
        let near = |(seen, real): (&f64, &f64)| (seen - real).abs() <= 0.005 * real;
        assert!(
            seen.len() == kbps.len() && seen.iter().zip(kbps).all(near),
            "{lead} {interval} {spacing}: {seen:?}, {kbps:?}"
        );
    }
}
