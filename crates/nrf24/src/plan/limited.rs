//! Clauses on how a mechanism limited a run, with what its link counted.

use alloc::format;
use alloc::string::String;

use airtime_keys::Mechanism;
use airtime_link::Told;

use super::facts;
use super::keys::Radio;

/// Clause on how `mechanism` limited the run `before`, beside the one `after`; none where nothing counted says more than its keys.
pub fn limited(mechanism: Mechanism, before: &Told<'_>, after: &Told<'_>) -> Option<String> {
    if let (Mechanism::Answers | Mechanism::Packet, Some(refused)) = (mechanism, facts::refused(before)) {
        return Some(refused);
    }
    match mechanism {
        Mechanism::Packet => {
            let (was, is) = (octets_a_frame(before)?, octets_a_frame(after)?);
            (is > was + 1.0).then(|| format!("each frame carries {was:.0} octets of payload, and {is:.0} of 32 fit"))
        }
        Mechanism::Rate => {
            let (was, is) = (before.text(Radio::RATE)?, after.text(Radio::RATE)?);
            Some(format!("frames are sent at {was}, and the chips have {is}"))
        }
        Mechanism::Handover if before.text(Radio::MODE) == Some("rf24-gateway") => {
            let (full, sent) =
                (before.count("fifo_full"), before.counted("frames.").map(|(_, frames)| frames).sum::<u64>());
            (full > 0).then(|| {
                format!("{full} of {sent} frames found the receiver's FIFO of three full, because its loop sleeps")
            })
        }
        Mechanism::Offered => {
            let baud = before.params.get(Radio::SERIAL.name)?.as_u64()?;
            Some(format!("the serial port brings {} octets a second, and the link carries more", baud / 10))
        }
        Mechanism::Losses => {
            let count = |what: &str| {
                ["up", "down"].iter().map(|way| before.count(&format!("frames_{what}.{way}"))).sum::<u64>()
            };
            let (missed, damaged) = (count("missed"), count("damaged"));
            let sent: u64 = before.counted("frames.").map(|(_, frames)| frames).sum();
            (missed + damaged > 0).then(|| format!("of {sent} frames {missed} were missed and {damaged} damaged"))
        }
        _ => None,
    }
}

/// Octets of payload that arrived for each frame of the way they went.
fn octets_a_frame(told: &Told<'_>) -> Option<f64> {
    let of = |way: &str| (told.count(&format!("octets.{way}")), told.count(&format!("frames.{way}")));
    let (octets, frames) = ["up", "down"].map(of).into_iter().max_by_key(|(octets, _)| *octets)?;
    (frames > 0).then(|| octets as f64 / frames as f64)
}
