//! What tshark reads in a capture of IEEE 802.15.4.

use libtest_mimic::{Failed, Trial};

use crate::captures::{count, expect, is_clean};
use crate::command::output;
use crate::peer::{Peer, beside};
use crate::program::airtime;

/// The tests of this file.
pub fn trials() -> Vec<Trial> {
    vec![
        beside("tshark dissects frames of IEEE 802.15.4", &[Peer::Tshark], tshark_reads_frames),
        beside("tshark puts the fragments of 6LoWPAN together", &[Peer::Tshark], tshark_reassembles),
        beside("tshark finds the frames of IEEE 802.15.4 that noise damaged", &[Peer::Tshark], tshark_finds_damage),
    ]
}

/// Captures 2 s of the shipped plan with these changes, and dissects them.
fn captured(changes: &[&str], test: impl Fn(&std::path::Path) -> Result<(), Failed>) -> Result<(), Failed> {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("air.pcapng");
    let mut command = airtime();
    command.args(["trace", "ieee802154", "-o"]).arg(&file);
    for change in ["run.duration=2s", "run.warmup=0us"].iter().chain(changes) {
        command.args(["--set", change]);
    }
    output(&mut command)?;
    test(&file)
}

fn tshark_reads_frames() -> Result<(), Failed> {
    // With mean backoffs a cycle is 6.88 ms: 290 whole ones, and of the last one nothing but a backoff.
    captured(&["ieee802154.backoff=mean", "ieee802154.security=mic-32"], |file| {
        is_clean(file)?;
        expect("data", count(file, "wpan.frame_type == 1 && wpan.src16 == 1 && wpan.dst16 == 0")?, 290)?;
        expect("secured", count(file, "wpan.security == 1 && wpan.aux_sec.sec_level == 1")?, 290)?;
        expect("acknowledgements", count(file, "wpan.frame_type == 2")?, 290)?;
        expect("check", count(file, "wpan.fcs_ok == 1")?, 580)?;
        expect("channel", count(file, "wpan-tap.ch_num == 11")?, 580)
    })
}

fn tshark_reassembles() -> Result<(), Failed> {
    for addresses in ["link-local", "mesh-local", "global"] {
        let kind = format!("ieee802154.ip_addresses={addresses}");
        // Five or six fragments of 500 octets, 33 to 38 ms: more than 50 datagrams in 2 s.
        captured(&["ieee802154.backoff=mean", "traffic.payload=500", &kind], |file| {
            is_clean(file)?;
            let whole = count(file, "udp.length == 508 && udp.srcport == 5001 && ipv6.hlim == 64")?;
            let firsts = count(file, "6lowpan.frag.size == 548 && 6lowpan.iphc.nh == 1")?;
            if whole > 50 && (whole == firsts || whole + 1 == firsts) {
                return Ok(());
            }
            Err(format!("{addresses}: {whole} datagrams of {firsts} first fragments").into())
        })?;
    }
    Ok(())
}

fn tshark_finds_damage() -> Result<(), Failed> {
    captured(&["ieee802154.loss={ per = 0.5 }"], |file| {
        let (good, bad) = (count(file, "wpan.fcs_ok == 1")?, count(file, "wpan.fcs_ok == 0")?);
        let share = bad as f64 / (good + bad) as f64;
        // Some 400 frames at one half: six standard errors are 0.15.
        if (0.35..0.65).contains(&share) { Ok(()) } else { Err(format!("{bad} of {} are bad", good + bad).into()) }
    })
}
