//! News for people while a server runs: stalls of the machine, and tests of our own hosts that came to nothing.

use airtime_app::{Outcome, Step};
use airtime_core::{Duration, Instant};

use crate::address::written;
use crate::ble::config::Config;
use crate::ble::radios::Radios;

/// Time in which stalls are said once.
const STALLS_APART: Duration = Duration::from_secs(10);

/// News, as far as they were told.
#[derive(Debug, Default)]
pub struct News {
    /// Until when further stalls are the same news.
    quiet_until: Option<Instant>,
}

impl News {
    /// Tells what is new at `wall`.
    pub fn tell(&mut self, config: &Config, radios: &mut Radios, wall: Instant, says: &mut dyn FnMut(&str)) {
        if let Some(stall) = radios.take_stall()
            && self.quiet_until.is_none_or(|until| until <= wall)
        {
            self.quiet_until = Some(wall + STALLS_APART);
            let (lag, interval) = (stall.lag.as_nanos() / 1_000_000, stall.interval);
            says(&format!(
                "the machine was {lag} ms late, longer than the connection interval of {interval}: links carry less than they would, and \
                 their books show it as idle.host or idle.credits"
            ));
        }
        for (device, outcome) in radios.take_news() {
            if let Some(peer) = device.checked_sub(config.endpoints.len()).and_then(|peer| config.peers.get(peer)) {
                let (name, address) = (&peer.name, written(peer.address));
                says(&format!("{name} {address}: {outcome}{}; it begins again", remedy(outcome)));
            }
        }
    }
}

/// Cause of an outcome that whoever sees it cannot guess.
fn remedy(outcome: Outcome) -> &'static str {
    match outcome {
        Outcome::SetupFailed { step: Step::Encryption, .. } => {
            ": encrypted=true is for two hosts of ours, which share a key; an outside host needs it too (docs/live.md)"
        }
        _ => "",
    }
}
