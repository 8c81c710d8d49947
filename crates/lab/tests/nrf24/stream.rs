//! Our tunnel on the radios and hosts of the published one.

use super::{kbps, outcome};

const LARGE: (&str, &str) = ("traffic.payload", "1472");
const SHORT: (&str, &str) = ("run.duration", "6s");

#[test]
fn it_carries_several_times_what_was_published() {
    let small = [("traffic.payload", "32"), SHORT];
    let (ours, published) = (kbps(&small), kbps(&[&small[..], &[("nrf24.mode", "legacy")]].concat()));
    assert!(ours >= 3.0 * published, "{ours} for {published}");
    let (udp, tcp) = (kbps(&[LARGE, SHORT]), kbps(&[("traffic.kind", "tcp"), SHORT]));
    assert!(udp >= 1_350.0 && tcp >= 1_350.0, "UDP {udp}, TCP {tcp}");
    let lossy = kbps(&[LARGE, SHORT, ("nrf24.loss", "{ per = 0.03 }")]);
    assert!(lossy >= 1_200.0, "{lossy}");
    let acked = kbps(&[LARGE, SHORT, ("nrf24.mode", "auto-ack")]);
    assert!(acked >= 500.0, "{acked}");
}

#[test]
fn its_queue_is_short_under_overload() {
    for (payload, mtu, most) in [("1472", "1500", 60.0), ("548", "576", 25.0)] {
        let set = [("traffic.payload", payload), ("nrf24.mtu", mtu), ("traffic.offered", "2220kbps"), SHORT];
        let latency = outcome(&set).latency.expect("it was measured");
        assert!(latency.p99.as_millis_f64() <= most, "{payload}: {latency:?}");
    }
}

#[test]
fn what_arrives_is_whole_and_in_order_whatever_is_lost() {
    for loss in ["{ per = 0.1 }", "{ ber = 0.0003 }", "{ good = 0.0, bad = 0.9, every = \"100ms\", burst = \"10ms\" }"]
    {
        for mode in ["stream", "auto-ack", "ack-payload"] {
            let set =
                [("nrf24.mode", mode), ("nrf24.loss", loss), ("traffic.direction", "both"), ("run.duration", "4s")];
            let outcome = outcome(&set);
            for flow in outcome.flows {
                assert!(flow.octets > 30_000, "{mode} {loss}: {flow:?}");
                assert_eq!((flow.late, flow.again, flow.damaged), (0, 0, 0), "{mode} {loss}");
            }
        }
    }
}
