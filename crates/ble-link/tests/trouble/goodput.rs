//! TrouBLE against the model host on the same parameters.
//!
//! TrouBLE grants credits once per SDU that its application takes, however many K-frames that had:
//! the model host with the same parameters grants as many after as many K-frames.

use airtime_ble_link::run::Outcome;
use airtime_lab::record::kbps;

use super::hosts::{Kind, Model, Trouble, gaps, outcome};

const MPS: u16 = 247;

fn rate(outcome: &Outcome) -> f64 {
    kbps(outcome.octets(0), outcome.steady)
}

/// Time measured, in which an SDU more or less at its ends does not matter: of a slow link more.
fn duration(buffers: &str) -> &'static str {
    if buffers == "2" { "62s" } else { "12s" }
}

/// Goodput of the four pairs of hosts, the model pair first, in kbit/s.
fn pairs(rule: &str, interval: &str, sdu: u16, credits: u16, buffers: &str) -> [f64; 4] {
    let frames = (sdu + 2).div_ceil(MPS);
    let credits = format!("{{ initial = {credits}, on_connect = 0, grant = {frames}, every = {frames} }}");
    let set = [
        ("central.personality", rule),
        ("peripheral.personality", rule),
        ("ble.conn_interval", interval),
        ("ble.phy", "2M"),
        ("coc.sdu", &sdu.to_string()),
        ("coc.mtu", "2000"),
        ("coc.mps", &MPS.to_string()),
        ("coc.credits", &credits),
        ("coc.in_flight", "16"),
        ("coc.tx_buffers", "16"),
        ("acl.count", buffers),
        ("run.duration", duration(buffers)),
    ];
    [[Model, Model], [Model, Trouble], [Trouble, Model], [Trouble, Trouble]].map(|kinds: [Kind; 2]| {
        let outcome = outcome(kinds, &set);
        let trouble = (outcome.ended, gaps(&outcome), outcome.rests);
        assert_eq!(trouble, (None, 0, 0), "{kinds:?} {rule} {interval} {sdu}");
        rate(&outcome)
    })
}

#[test]
fn goodput_is_the_model_hosts() {
    for (rule, credits, buffers) in [("zephyr-ll", 32, "6"), ("nordic-sdc", 32, "6"), ("zephyr-ll", 12, "2")] {
        for interval in ["7.5ms", "15ms", "30ms", "50ms"] {
            for sdu in [245, 492, 2_000] {
                let [model, others @ ..] = pairs(rule, interval, sdu, credits, buffers);
                println!("{rule} {credits} credits {buffers} buffers {interval} {sdu}: {model:.1} {others:.1?}");
                assert!(model > 10.0, "the model streams");
                for kbps in others {
                    assert!((kbps / model - 1.0).abs() <= 0.02, "{rule} {interval} {sdu}: {kbps} against {model}");
                }
            }
        }
    }
}

/// The fewer indications, the more room on air: the difference between a host that grants after
/// every K-frame and one that grants after every SDU.
#[test]
fn grants_per_sdu_cost_less_air_than_grants_per_frame() {
    let set = [
        ("ble.conn_interval", "30ms"),
        ("coc.sdu", "2000"),
        ("coc.mtu", "2000"),
        ("coc.credits", "{ initial = 32, on_connect = 0, grant = 1, every = 1 }"),
        ("coc.in_flight", "16"),
        ("coc.tx_buffers", "16"),
        ("run.duration", "12s"),
    ];
    let [per_frame, per_sdu] = [[Model, Model], [Trouble, Model]].map(|kinds| rate(&outcome(kinds, &set)));
    assert!(per_sdu > 1.02 * per_frame, "{per_sdu} against {per_frame}");
}
