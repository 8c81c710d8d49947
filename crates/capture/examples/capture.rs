//! Captures the first seconds of a run: `cargo run -p airtime-capture --example capture -- DIRECTORY SECONDS
//! KEY=VALUE…` writes `air.pcapng`, `host-N.btsnoop` and `timeline.perfetto-trace` into the directory. Keys are a
//! plan's.

use std::fs::write;
use std::path::Path;

use airtime_core::Duration;

#[path = "../tests/support/mod.rs"]
#[allow(dead_code, reason = "tests look at the rest")]
mod support;

fn main() -> std::io::Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [directory, seconds, keys @ ..] = arguments.as_slice() else {
        eprintln!("usage: capture DIRECTORY SECONDS KEY=VALUE...");
        std::process::exit(2);
    };
    let keys: Vec<(&str, &str)> = keys.iter().filter_map(|key| key.split_once('=')).collect();
    let seconds = seconds.parse().unwrap_or_else(|_| panic!("{seconds} is no number of seconds"));
    let captured = support::captured(&keys, Duration::from_secs(seconds));
    let directory = Path::new(directory);
    write(directory.join("air.pcapng"), captured.air.into_sink())?;
    write(directory.join("timeline.perfetto-trace"), captured.timeline.into_sink())?;
    for (device, host) in captured.hosts.into_iter().enumerate() {
        write(directory.join(format!("host-{device}.btsnoop")), host.into_sink())?;
    }
    Ok(())
}
