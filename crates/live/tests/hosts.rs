//! Our own hosts on controllers of somebody else's.

use airtime_core::Duration;
use airtime_lab::Library;
use airtime_live::PeerConfig;
use airtime_live::options::host;

use crate::support::{Desk, config, peer};

fn own(text: &str, role: Option<&str>) -> Result<PeerConfig, String> {
    host(text, role, &Library::builtin()).map_err(|error| error.to_string())
}

/// A source and a sink, each told as little as can be.
fn plain() -> Desk {
    let mut desk = Desk::new(config(&["pty,acl.count=24", "pty,acl.count=24"]));
    for (device, text) in ["coc-source", "coc-sink"].into_iter().enumerate() {
        desk.plug_host(device, &own(text, None).unwrap());
    }
    desk
}

#[test]
fn a_source_and_a_sink_that_were_told_nothing_meet_and_are_not_short_of_credits() {
    let mut desk = plain();
    desk.run(Duration::from_secs(8));
    let [source, sink] = [0, 1].map(|device| desk.hosts[device].as_ref().unwrap());
    assert!(source.progress().submitted >= sink.progress().delivered && sink.progress().delivered > 100_000);
    // One credit is 32.9 kbps here.
    let steady = sink.rate().steady_kbps().unwrap();
    assert!(steady > 300.0, "{steady}");
    assert!(sink.rate().series_kbps().len() >= 4 && sink.is_up() && sink.progress().ready);
}

#[test]
fn noise_on_the_line_is_passed_over_and_the_host_begins_again() {
    let mut desk = plain();
    desk.run(Duration::from_secs(4));
    let before = desk.hosts[1].as_ref().unwrap().progress();
    desk.disturb(1, b"*** Booting Zephyr OS ***\r\n");
    desk.run(Duration::from_secs(12));
    let after = desk.hosts[1].as_ref().unwrap().progress();
    assert!(before.streams == 1 && after.streams == 2, "{before:?} {after:?}");
    assert!(after.delivered > before.delivered + 100_000, "{before:?} {after:?}");
}

#[test]
fn a_channel_is_opened_where_psm_says_without_asking_gatt() {
    let streamed = |source: &str, sink: &str| {
        let mut desk = Desk::new(config(&["pty,acl.count=24", "pty,acl.count=24"]));
        desk.plug(0, source);
        desk.plug(1, sink);
        desk.run(Duration::from_secs(3));
        let progress = desk.hosts[1].as_ref().unwrap().progress();
        (progress.delivered > 100_000, progress.outcome.map(|outcome| outcome.to_string()))
    };
    assert_eq!(streamed("coc-source,psm=0x0085", "coc-sink,role=central,psm=133"), (true, None));
    let refused = streamed("coc-source", "coc-sink,role=central,psm=0x0085");
    assert_eq!(refused, (false, Some("the peripheral refused the channel (0x0002)".to_owned())));
}

#[test]
fn what_cannot_be_meant_is_refused() {
    for (text, role, said) in [
        ("coc-sink,psm=0x100", None, "is no LE PSM"),
        ("gatt-sink,psm=0x80", None, "go by no channel"),
        ("coc-sink,role=central", Some("peripheral"), "which of them is meant?"),
    ] {
        let error = own(text, role).unwrap_err();
        assert!(error.starts_with("live host ") && error.contains(said), "{error}");
    }
    assert_eq!(own("gatt-sink", Some("peripheral")).unwrap().role_name(), "peripheral");
    assert_eq!(own("gatt-sink,role=peripheral", None).unwrap().role_name(), "peripheral");
}

#[test]
fn a_source_and_a_sink_beside_it_are_not_both_the_same() {
    let refused = |texts: [&str; 2]| {
        let peers = [peer(0, texts[0]), peer(1, texts[1])];
        airtime_live::options::check_roles(&peers).err()
    };
    let said = refused(["coc-source", "coc-sink"]).unwrap();
    assert!(said.contains("both peripherals and never meet") && said.contains("role=central"), "{said}");
    for meets in
        [["coc-source", "coc-sink,role=central"], ["coc-source", "gatt-sink"], ["coc-source", "coc-sink,name=two"]]
    {
        assert_eq!(refused(meets), None, "{meets:?}");
    }
}
