//! The co-processor as access point: what is otherwise than for a station, and that nothing else is.

use airtime_core::Duration;
use airtime_wifi::ledger::Account;
use airtime_wifi::run::Outcome;

use super::outcome;

const AIR: [(&str, &str); 3] = [("hosted.bus", "none"), ("run.duration", "20s"), ("run.warmup", "1s")];

fn of(mode: &'static str, with: &[(&'static str, &'static str)]) -> Outcome {
    outcome(&[&[("wifi.mode", mode)], with].concat())
}

/// Two stations with data contend by the same rules, whichever of them is the access point: without beacons the books are the same.
#[test]
fn without_beacons_the_air_is_the_same() {
    let quiet = [&AIR[..], &[("wifi.beacons", "false"), ("wifi.stations", "2")]].concat();
    let (station, access_point) = (of("station", &quiet), of("access-point", &quiet));
    let booked = |outcome: &Outcome| {
        let [arrived, late] =
            [Account::PayloadUp, Account::Undelivered].map(|account| outcome.steady_ledger.of(account));
        // What is on the wire behind a station's access point when the time ends is not with its application yet.
        let rest = outcome
            .steady_ledger
            .entries()
            .filter(|(account, _)| ![Account::PayloadUp, Account::Undelivered].contains(account));
        (arrived + late, rest.map(|(_, time)| time).collect::<Vec<_>>())
    };
    assert_eq!(booked(&station), booked(&access_point));
    assert!(station.octets() > 0);
}

/// The access point's beacons are on the air either way. Those of the station that sends the data do not contend with it; those of another do,
/// and collide once in sixteen when its backoff and theirs run out in the same slot.
#[test]
fn its_own_beacons_never_collide_with_its_own_data() {
    let (station, access_point) =
        (of("station", &[&AIR[..], &[("wifi.beacons", "true")]].concat()), of("access-point", &AIR));
    let management = |outcome: &Outcome| outcome.steady_ledger.of(Account::Management).as_nanos();
    assert_eq!(access_point.counted.of("ppdus.collided"), 0);
    assert!(station.counted.of("ppdus.collided") > 0);
    // 19 s have 185 beacons.
    let mean = management(&access_point) / 185;
    assert!((1_000_000..1_400_000).contains(&mean), "a beacon of some 120 octets at 1 Mbit/s: {mean} ns");
    assert_eq!(of("station", &AIR).steady_ledger.of(Account::Management).as_nanos(), 0);
}

/// `transport_drv_ap_tx` looks at no throttle, and `process_rx_pkt` offers a frame of the access point once: a host that brings more than the air
/// takes is held by credits alone, and what finds no Wi-Fi buffer is lost.
#[test]
fn its_host_is_never_throttled() {
    let slow = [("wifi.mcs", "2"), ("wifi.backoff", "mean"), ("run.duration", "4s"), ("run.warmup", "1s")];
    let (station, access_point) = (of("station", &slow), of("access-point", &slow));
    assert!(station.counted.of("drops.throttled") > 1_000);
    assert_eq!(access_point.counted.of("drops.throttled"), 0);
    let lost = |outcome: &Outcome| outcome.counted.of("drops.slave_no_buffer");
    assert!(lost(&access_point) > 2 * lost(&station), "{} {}", lost(&access_point), lost(&station));
}

/// There is no wired hop: a co-processor that is the access point answers an echo of its station in what the chain takes.
#[test]
fn the_station_at_the_other_end_is_the_far_host() {
    let ping = [
        ("traffic.ping", "20ms"),
        ("traffic.offered", "1Mbps"),
        ("path.rtt", "30ms"),
        ("run.duration", "3s"),
        ("run.warmup", "1s"),
    ];
    let round_trip = |mode| of(mode, &ping).round_trips.expect("echoes came back").p50;
    assert!(round_trip("station") > Duration::from_millis(30));
    assert!(round_trip("access-point") < Duration::from_millis(10));
}
