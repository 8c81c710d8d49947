//! Clauses on how a mechanism limited a run, with what its link counted.

use alloc::format;
use alloc::string::String;

use airtime_keys::Mechanism;
use airtime_link::Told;

use crate::ledger::{FOLLOWED, MSDUS};

/// Clause on how `mechanism` limited the run `before`, beside the one `after`; none where nothing counted says more than its keys.
pub fn limited(mechanism: Mechanism, before: &Told<'_>, after: &Told<'_>) -> Option<String> {
    match mechanism {
        Mechanism::Packet => {
            let aggregated = |told: &Told<'_>| ratio(told.count("mpdus"), told.count("ppdus"));
            let carried = |told: &Told<'_>| {
                let octets: u64 = told.counted("octets.").map(|(_, octets)| octets).sum();
                ratio(octets, told.counted("packets.delivered.").map(|(_, packets)| packets).max().unwrap_or(0))
            };
            let (was, is) = (carried(before)?, carried(after)?);
            if is > was + 1.0 {
                return Some(format!("each packet carries {was:.0} octets of payload, and {is:.0} fit"));
            }
            let (was, is) = (aggregated(before)?, aggregated(after)?);
            if is > was + 0.1 {
                return Some(format!("each PPDU carries {was:.1} MPDUs, and {is:.1} would be there to fill it"));
            }
            let msdus =
                |told: &Told<'_>| ratio(told.count(MSDUS).max(told.count("mpdus.new")), told.count("mpdus.new"));
            let (was, is) = (msdus(before)?, msdus(after)?);
            (is > was + 0.1).then(|| format!("each MPDU carries {was:.1} MSDUs, and {is:.1} fit"))
        }
        Mechanism::Contention => {
            let (was, is) = (before.count(FOLLOWED), after.count(FOLLOWED));
            (is > was).then(|| {
                format!(
                    "the channel is contended for {} times, and {} suffice",
                    before.count("ppdus") - was,
                    after.count("ppdus") - is
                )
            })
        }
        Mechanism::Rate => {
            let (was, is) = (before.count("phy_kbps"), after.count("phy_kbps"));
            (was > 0 && is > was).then(|| {
                format!("the air runs at {:.1} Mbit/s, and {:.1} are possible", was as f64 / 1e3, is as f64 / 1e3)
            })
        }
        Mechanism::Bus => Some(format!("the bus is busy {:.0} % of the time", busy(before, "busy.bus_ns")?)),
        Mechanism::Cpu => {
            let (host, slave) = (busy(before, "busy.host_cpu_ns")?, busy(before, "busy.coprocessor_ns")?);
            Some(format!("the host's processor is busy {host:.0} % of the time, the co-processor's {slave:.0} %"))
        }
        Mechanism::Losses => {
            let (lost, sent) = (before.count("mpdus.lost"), before.count("mpdus"));
            (lost > 0).then(|| format!("of {sent} MPDUs {lost} were lost"))
        }
        Mechanism::Neighbours => {
            let (others, own) = (before.count("ppdus.other_stations"), before.count("ppdus"));
            (others > 0).then(|| format!("other stations sent {others} PPDUs beside {own} of its own"))
        }
        _ => None,
    }
}

fn ratio(of: u64, by: u64) -> Option<f64> {
    (by > 0).then(|| of as f64 / by as f64)
}

/// Share of the steady state for which something was busy, in percent.
fn busy(told: &Told<'_>, counter: &str) -> Option<f64> {
    ratio(told.count(counter), told.steady.as_nanos()).map(|share| 100.0 * share).filter(|share| *share > 0.0)
}
