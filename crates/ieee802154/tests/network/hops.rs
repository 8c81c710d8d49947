//! Datagrams over routers on one channel: exact times of one, the share of each hop of many, and stations that do not hear each other.

use airtime_core::ledger::Account as _;
use airtime_core::loss::Loss;
use airtime_core::{Duration, Instant};
use airtime_ieee802154::ledger::{Account, Books};
use airtime_ieee802154::lowpan::{IpAddresses, Mesh};
use airtime_ieee802154::mac::Backoff;
use airtime_ieee802154::network::{Config, Datagram, run};
use airtime_ieee802154::trace::{DropPoint, Fate, Sent};
use airtime_ieee802154::wire::{Address, Addressing, Frame, KeyIdMode, Level, Security};

use crate::{Frames, Log, outcome, seconds};

/// Thread's frames to mesh-local addresses, with the retries of OpenThread.
fn mesh(hops: u8, payload: u16) -> Config {
    Config {
        hops,
        datagram: Some(Datagram { payload, addresses: IpAddresses::MeshLocal }),
        security: Security { level: Level::EncMic32, key_id_mode: KeyIdMode::Index },
        retries: 15,
        retry_access: true,
        ..Config::default()
    }
}

#[test]
fn a_lone_datagram_takes_each_hop_to_the_nanosecond() {
    let mut runs = 0;
    for hops in [1, 2, 3, 7, 16] {
        for (ack, csma) in [(true, true), (true, false), (false, true), (false, false)] {
            for (min_be, load) in [(3, 0), (0, 0), (0, 150), (3, 2_345)] {
                let offered = Some("640bps".parse().expect("a rate"));
                let base = Config { ack, csma, min_be, offered, ..mesh(hops, 40) };
                let load = Duration::from_micros(load);
                let config = Config { load, backoff: Backoff::Mean, duration: seconds(2), ..base };
                // 21 octets of header and check, security and MIC, 25 of IPv6 and UDP, and a mesh header of six over several hops.
                let psdu = 21 + 25 + 40 + if hops > 1 { 6 } else { 0 };
                let (backoff, cca) = if csma { ([0, 320, 960, 2_240][min_be as usize] / 2, 128) } else { (0, 0) };
                let (answer, deaf) = if ack { (192 + 352, 192) } else { (0, 0) };
                let ready = load.as_micros() + backoff;
                let first = backoff + cca + 192 + (6 + psdu) * 32;
                let onward = answer + ready.max(deaf) + cca + 192 + (6 + psdu) * 32;
                // Behind the third hop fewer than 15 are left, which fit the first octet of the mesh header.
                let shorter = 32 * u64::from(hops).saturating_sub(3);
                let expected = Duration::from_micros(first + u64::from(hops - 1) * onward - shorter);
                let outcome = outcome(&config);
                assert_eq!(config.way_time(), expected, "{config:?}");
                // One each half a second.
                assert_eq!(outcome.latencies, [expected; 4], "{config:?}");
                assert_eq!((outcome.random_draws, outcome.routers.confirmed), (0, 4 * u64::from(hops - 1)));
                runs += 1;
            }
        }
    }
    assert_eq!(runs, 80);
}

/// With mean backoffs a sender and its router take turns: behind each acknowledgement the router is ready first, and the sender finds
/// the channel busy twice. Of full frames, by hand: 640 µs of space, 1120 + 128 of a first look, 2400 + 128 of a second and 4960 + 128 of
/// a third one, a turnaround, the frame, a turnaround and the acknowledgement.
#[test]
fn two_hops_are_a_closed_form_of_their_own() {
    let config = Config { backoff: Backoff::Mean, duration: seconds(10), ..mesh(2, 1_232) };
    let (outcome, frames) = run(&config, Frames::default()).expect("the configuration fits");
    let cut = config.cut().expect("datagrams");
    // First fragment: 106 - 6 - 4 - 25 = 71, 64 of them whole units; the others 88, and the last one 1232 - 64 - 13 * 88 = 24.
    assert_eq!((cut.frames(), cut.piece(0).payload, cut.piece(1).payload, cut.piece(14).payload), (15, 64, 88, 24));
    let of_sender = frames.0.iter().filter(|(on_air, _)| on_air.from == 1);
    let starts: Vec<(u64, usize)> =
        of_sender.map(|(on_air, psdu)| ((on_air.start - Instant::ZERO).as_micros(), psdu.len())).collect();
    assert!(frames.0.iter().all(|(on_air, _)| matches!(on_air.fate, Fate::New | Fate::Acknowledged)));
    let mut full = 0;
    for pair in starts.windows(2) {
        if (pair[0].1, pair[1].1) == (120, 120) {
            let looks = 640 + (1_120 + 128) + (2_400 + 128) + (4_960 + 128) + 192;
            assert_eq!(pair[1].0 - pair[0].0, (6 + 120) * 32 + 192 + 352 + looks);
            full += 1;
        }
    }
    assert!(full > 500, "{full}");
    assert_eq!(outcome.total.drops, [0; 3]);
}

#[test]
fn goodput_falls_with_the_hops() {
    let goodput = |hops| outcome(&Config { duration: seconds(60), ..mesh(hops, 1_232) }).goodput().0 as f64;
    let one = goodput(1);
    // Every frame is on the air once a hop, so a share is the most; collisions and queues that overflow take their part of it.
    for (hops, least, most) in [(2, 0.35, 0.50), (3, 0.20, 0.33), (4, 0.10, 0.25)] {
        let share = goodput(hops) / one;
        assert!((least..most).contains(&share), "{hops} hops: {share}");
    }
}

#[test]
fn hidden_stations_collide_at_the_router_between_them() {
    // The sender does not hear the router next to the receiver, which spoils what arrives at the one between them.
    let of = |reach| outcome(&Config { reach, duration: seconds(60), ..mesh(3, 1_232) });
    let (all, hidden) = (of(None), of(Some(1)));
    let collided =
        |outcome: &airtime_ieee802154::network::Outcome| outcome.total.collisions as f64 / outcome.total.frames as f64;
    assert!(collided(&hidden) > 1.5 * collided(&all), "{} {}", collided(&hidden), collided(&all));
    // Three hops are everywhere.
    assert!(of(Some(3)).total.payload == all.total.payload);
}

#[test]
fn books_balance_and_payload_is_what_arrives() {
    for (hops, reach) in [(2, None), (3, None), (3, Some(1)), (5, Some(2))] {
        let config = Config { hops, reach, duration: seconds(20), ..mesh(hops, 500) };
        let books = Books::new(Instant::ZERO, 1).among(&config);
        let (outcome, books) = run(&config, books).expect("the configuration fits");
        let ledger = books.ledger_at(Instant::ZERO + config.duration);
        assert!(ledger.balances());
        assert_eq!(ledger.of(Account::Payload), Duration::from_micros(32 * outcome.total.payload), "{hops}");
        assert!(!ledger.of(Account::Forwarding).is_zero() && ledger.of(Account::OtherStations).is_zero());
        assert_eq!(Account::ALL.iter().map(|&account| ledger.of(account)).sum::<Duration>(), config.duration);
    }
}

/// A router on behalf of eight senders is busy with seven of them for the others: that is contention, and not the price of a hop.
#[test]
fn what_is_passed_on_for_others_is_contention() {
    let of = |stations| {
        let config = Config { stations, duration: seconds(20), ..mesh(2, 500) };
        let (_, books) = run(&config, Books::new(Instant::ZERO, 1).among(&config)).expect("the configuration fits");
        let ledger = books.ledger_at(Instant::ZERO + config.duration);
        assert!(ledger.balances());
        let [forwarding, others] = [Account::Forwarding, Account::OtherStations].map(|of| Books::taken(&ledger, of));
        (Books::bottleneck(&ledger), forwarding, others)
    };
    let (alone, forwarding, others) = of(1);
    assert!(alone == Account::Forwarding && others.is_zero(), "{forwarding}");
    let (among, forwarding, others) = of(8);
    assert!(among == Account::OtherStations && others > forwarding * 5, "{others} {forwarding}");
}

/// Senders that do not hear the router next to the receiver are faster than it: datagrams wait in the routers by the thousand.
#[test]
fn what_is_handed_over_has_arrived_waits_or_is_lost() {
    let base = mesh(4, 16);
    for (queue, reach, retries, waits) in
        [(65_535, Some(1), 15, true), (65_535, None, 15, false), (4, Some(1), 3, false)]
    {
        let config = Config { queue, reach, retries, duration: seconds(300), ..base.clone() };
        let outcome = outcome(&config);
        let total = outcome.total;
        assert!(total.arrived > 2_000 && (outcome.waiting > 5_000) == waits, "{total:?} {}", outcome.waiting);
        assert_eq!((total.payload, outcome.latencies.len() as u64), (16 * total.arrived, total.arrived));
        assert_eq!(total.datagrams, total.arrived + outcome.lost() + outcome.waiting);
        // Of one frame each: what is lost was dropped somewhere, and a frame that was given up may have arrived all the same.
        let dropped: u64 = total.drops.iter().chain(&outcome.routers.drops).sum();
        assert!(outcome.lost() <= dropped, "{} {dropped}", outcome.lost());
    }
}

/// Routers hear data and acknowledgements: a loss of these is none of those.
#[test]
fn a_loss_of_acknowledgements_is_none_of_data_at_routers() {
    let of = |loss, loss_ack| {
        let outcome = outcome(&Config { loss, loss_ack, duration: seconds(60), ..mesh(3, 200) });
        let (sender, routers) = (outcome.total, outcome.routers);
        assert!(sender.payload > 10_000, "{sender:?}");
        [sender.missed, routers.missed, sender.acks_missed, routers.acks_missed].map(|count| count > 50)
    };
    let misses = Loss::Shares { miss: 0.1, damage: 0.0 };
    // A frame that begins while its receiver transmits is missed, too, if rarely.
    assert_eq!(of(Loss::None, misses), [false, false, true, true]);
    assert_eq!(of(misses, Loss::Packet { per: 0.0 }), [true, true, false, false]);
    assert_eq!(of(misses, Loss::None), [true; 4]);
}

#[test]
fn a_frame_on_its_way_says_from_where_and_to_where() {
    for addressing in [Addressing::Short, Addressing::Extended] {
        let base = Config { source: addressing, destination: addressing, ..mesh(5, 200) };
        let config = Config { stations: 2, duration: seconds(20), ..base };
        let (outcome, frames) = run(&config, Frames::default()).expect("the configuration fits");
        assert!(outcome.stations.iter().all(|sender| sender.arrived > 3));
        let place = |address| match address {
            Address::Short(place) => u64::from(place),
            Address::Extended(extended) => extended & 0xFF,
            Address::None => panic!("nobody"),
        };
        for (on_air, psdu) in frames.0.iter().filter(|(on_air, _)| on_air.fate == Fate::New && on_air.sent != Sent::Ack)
        {
            let frame = Frame::parse(psdu).expect("a frame");
            let (mesh, rest) = Mesh::parse(frame.payload).expect("headers");
            let mesh = mesh.expect("a mesh header");
            // Stations 1 and 2 send, 6 is next to them and 3 to the receiver.
            let passed = match on_air.from {
                1 | 2 => 0,
                router => 7 - router,
            };
            assert_eq!(usize::from(mesh.hops_left), 17 - passed);
            assert_eq!(on_air.to, [6, 5, 4, 3, 0][passed]);
            assert!([1, 2].contains(&place(mesh.originator)) && place(mesh.destination) == 0);
            let header = [6, 6, 6, 5, 5][passed] + if addressing == Addressing::Extended { 12 } else { 0 };
            assert_eq!(frame.payload.len() - rest.len(), header);
        }
    }
}

#[test]
fn a_router_s_queue_is_bounded() {
    let load = Duration::from_millis(20);
    let slow = Config { queue: 2, load, duration: seconds(10), ..mesh(2, 1_232) };
    // A host of 20 ms at both: none overflows. Without acknowledgements and with hidden ends the sender is faster than its router.
    assert_eq!(outcome(&slow).routers.dropped(DropPoint::Queue), 0);
    let fast = Config { queue: 2, reach: Some(1), stations: 3, duration: seconds(10), ..mesh(2, 1_232) };
    assert!(outcome(&fast).routers.dropped(DropPoint::Queue) > 100);
}

#[test]
fn openthread_6337_has_two_hops() {
    // UDP of 1128 octets from a child by a router to a child: some 45 kbit/s with Thread 1.1, 3 with 1.2.
    let goodput = |retries, retry_access| {
        outcome(&Config { retries, retry_access, duration: seconds(120), ..mesh(2, 1_128) }).goodput().0
    };
    assert!((42_000..50_000).contains(&goodput(15, true)), "{}", goodput(15, true));
    // What a MAC makes of it that sends nothing again: 28 frames have to arrive, each of them at once.
    assert!((2_000..7_000).contains(&goodput(0, false)), "{}", goodput(0, false));
    // A frame that found no free channel is lost to the standard's MAC, however often it sends what is not acknowledged.
    assert!(goodput(15, false) < 20_000);
}

#[test]
fn contradictions_are_refused() {
    let plain = Config { datagram: None, ..mesh(2, 100) };
    assert!(plain.check().expect_err("plain frames").to_string().starts_with("several hops take datagrams"));
    let mixed = Config { source: Addressing::Extended, ..mesh(2, 100) };
    assert!(mixed.check().is_err() && Config { hops: 17, ..mesh(2, 100) }.check().is_err());
    let datagram = Some(Datagram { payload: 100, addresses: IpAddresses::LinkLocal });
    assert!(Config { datagram, ..mesh(2, 100) }.check().is_err());
}

#[test]
fn a_router_answers_before_it_passes_on() {
    let offered = Some("320bps".parse().expect("a rate"));
    let config = Config { offered, backoff: Backoff::Mean, duration: Duration::from_millis(20), ..mesh(2, 40) };
    let log = run(&config, Log::default()).expect("the configuration fits").1.0.join("\n");
    insta::assert_snapshot!(log);
}
