//! Causes of remote calls.

use airtime_core::random::Stream;

use super::{Cause, Settings, check, pick, set};

const LINK: &str = "ble-rpc";

/// A plan in which calls keep the link busy.
fn healthy(random: &mut Stream) -> Settings {
    let mut settings = set(&[("rpc.calls", "20"), ("rpc.mode", "extended"), ("rpc.outstanding", "8")]);
    settings.extend(set(&[
        ("ble.conn_interval", pick(random, &["15ms", "30ms"])),
        ("rpc.call", pick(random, &["flash_read", "data_write"])),
    ]));
    settings
}

planted! {
    one_call_at_a_time = Cause {
        link: LINK,
        name: "one call at a time",
        plant: |random| {
            (healthy(random), set(&[("rpc.outstanding", "1")]))
        },
        account: "idle.call",
        remedies: &["rpc.outstanding"],
        leads: false,
    };
    one_frame_at_a_time = Cause {
        link: LINK,
        name: "one frame at a time",
        plant: |random| {
            (healthy(random), set(&[("rpc.in_flight", "1")]))
        },
        account: "idle.window",
        remedies: &["rpc.in_flight"],
        leads: true,
    };
    a_late_host = Cause {
        link: LINK,
        name: "late host",
        plant: |random| {
            let late = pick(random, &["20ms", "35ms"]);
            (healthy(random), set(&[("host.latency", late)]))
        },
        account: "idle.host",
        remedies: &["host.latency"],
        leads: true,
    };
}
