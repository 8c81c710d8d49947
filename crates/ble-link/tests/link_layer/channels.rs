//! Losses on some of the channels.

use airtime_testing::is_whole;

use super::cut_stream;

/// Length of a run: a tenth, in which the standard error is three times as large, or the whole.
fn seconds() -> u64 {
    if is_whole() { 300 } else { 30 }
}

/// Mean and standard error of the new data PDUs an event over five seeds, where a fifth is missed on these channels.
fn pdus_an_event(interval: &str, channels: &str) -> (f64, f64) {
    let duration = format!("{}s", seconds());
    let set = [
        ("ble.conn_interval", interval),
        ("ble.loss.miss", "0.2"),
        ("ble.loss_channels", channels),
        ("run.duration", &duration),
    ];
    cut_stream::mean(&cut_stream::pdus_an_event(&set, 5))
}

/// An event stays on its channel, and events are spread evenly over 37 of them: the stream is the sum over channels. Where packets are
/// missed an event carries Σ over k = 1…N of (q_c q_p)^k, elsewhere what it carries without losses: N, and the fraction that is left of
/// a PDU where a credit takes part.
#[test]
fn losses_on_some_channels_cost_their_share_of_events() {
    for (interval, fits) in [("7.5ms", 4), ("30ms", 20)] {
        let (clear, _) = pdus_an_event(interval, "\"39\"");
        assert!((f64::from(fits)..1.03 * f64::from(fits)).contains(&clear), "{interval}: {clear}");
        let q: f64 = 0.8 * 0.8;
        let missed: f64 = (1..=fits).map(|k| q.powi(k)).sum();
        // `wifi-1` takes ten of the channels for data and one for advertising.
        for (channels, lossy) in [("0-9", 10.0), ("wifi-1", 10.0), ("0-20", 21.0), ("all", 37.0)] {
            // Channels follow from the access address, the same for all seeds: as if they were drawn once for all events.
            let milliseconds: f64 = interval.trim_end_matches("ms").parse().expect("ms");
            let (share, events) = (lossy / 37.0, 1e3 * seconds() as f64 / milliseconds);
            let hops = (clear - missed) * (share * (1.0_f64 - share) / events).sqrt();
            let expected = (lossy * missed + (37.0 - lossy) * clear) / 37.0;
            let (mean, error) = pdus_an_event(interval, channels);
            assert!(
                (mean - expected).abs() <= 3.0 * error.hypot(hops) + 0.01 * expected,
                "{interval} {channels}: {mean:.3} ± {error:.3}, expected {expected:.3}"
            );
        }
    }
}
