//! Steps of the keys of Wi-Fi through an ESP-hosted co-processor.

use airtime_core::Duration;

use super::halved_and_doubled;

/// Counts near `now`.
pub fn counts(name: &str, now: u64) -> Vec<u64> {
    let (half, double) = (now / 2, now.saturating_mul(2));
    match name {
        // The smallest that ESP-IDF has by default, and the largest without window scaling.
        "lwip.snd_buf" | "lwip.wnd" => vec![5_760, half, double, 65_535],
        "lwip.mss" => vec![half, 1_440, 1_460],
        // Where the throttle begins is a share of twenty buffers: a step is one of them.
        "hosted.throttle_high" | "hosted.throttle_low" => vec![now.saturating_sub(5), now + 5],
        "wifi.ampdu_max" | "hosted.rx_ba_window" => vec![6, half, double, 64],
        "hosted.handlers" => vec![3, 8],
        _ => vec![half, double],
    }
}

/// Times near `now`.
pub fn spans(name: &str, now: Duration) -> Vec<Duration> {
    match name {
        // lwIP counts whole ticks of 500 ms: what is below two of them, Kconfig's default, and what it is without quick
        // retransmission.
        "lwip.rto_time" => [300, 1_500, 3_000].map(Duration::from_millis).to_vec(),
        _ => halved_and_doubled(now),
    }
}
