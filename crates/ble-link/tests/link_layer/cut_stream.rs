//! A stream on controllers that cut their events, run over seeds.

use rayon::prelude::*;

use crate::support::outcome;

/// Peripheral to central, 2M, SDUs of 492 octets.
pub const STREAM: [(&str, &str); 6] = [
    ("central.personality", "zephyr-ll-v3.2"),
    ("peripheral.personality", "zephyr-ll-v3.2"),
    ("coc.credits", "{ initial = 60, on_connect = 0, grant = 2, every = 2 }"),
    ("acl.count", "6"),
    ("coc.tx_buffers", "6"),
    ("coc.in_flight", "6"),
];

/// New data PDUs an event with these keys besides, of each of `seeds` runs.
pub fn pdus_an_event(set: &[(&str, &str)], seeds: u32) -> Vec<f64> {
    let run = |seed: u32| {
        let seed = seed.to_string();
        let own = [("run.seed", seed.as_str())];
        let outcome = outcome(&STREAM.iter().chain(set).chain(&own).copied().collect::<Vec<_>>());
        outcome.counts.data_pdus as f64 / outcome.counts.events as f64
    };
    (1..=seeds).into_par_iter().map(run).collect()
}

/// Mean of `seen`, and its standard error.
pub fn mean(seen: &[f64]) -> (f64, f64) {
    let n = seen.len() as f64;
    let mean = seen.iter().sum::<f64>() / n;
    let variance = seen.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (n - 1.0);
    (mean, (variance / n).sqrt())
}
