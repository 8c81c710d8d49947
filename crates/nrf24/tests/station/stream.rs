//! Stream mode on the host costs of the published tunnel.

use airtime_core::Duration;
use airtime_core::loss::Loss;
use airtime_nrf24::ledger::Account;
use airtime_nrf24::station::Config;
use airtime_nrf24::trace::DropPoint;
use airtime_nrf24::tunnel::Mode;

use super::node::Setup;
use super::rig::at;

const STREAM: Mode = Mode::Stream;

#[test]
fn goodput_without_loss() {
    for (payload, offered, least) in [(32, 1_500, 555), (548, 2_000, 1_200), (1_472, 2_000, 1_350)] {
        let nodes = Setup::new(STREAM).up(payload, offered);
        let kbps = nodes.kbps(1, payload);
        println!("{payload} octets: {kbps} kbit/s, {:?}", nodes.network.observer.0);
        assert!(kbps >= least, "{payload} octets: {kbps} kbit/s");
    }
}

#[test]
fn goodput_at_three_per_cent_loss() {
    let setup = Setup { loss: Loss::Packet { per: 0.03 }, ..Setup::new(STREAM) };
    let nodes = setup.up(1_472, 2_000);
    let kbps = nodes.kbps(1, 1_472);
    println!("{kbps} kbit/s, {:?}", nodes.network.observer.0);
    assert!(kbps >= 1_200, "{kbps} kbit/s");
}

#[test]
fn what_fits_is_never_lost() {
    for loss in [Loss::None, Loss::Packet { per: 0.03 }, Loss::Bit { ber: 1e-4 }] {
        let setup = Setup { loss, ..Setup::new(STREAM) };
        let nodes = setup.up(1_472, 900);
        println!("{loss:?}: {} of {}, {:?}", nodes.sink(1).packets, nodes.sent(0), nodes.network.observer.0);
        assert_eq!(nodes.sink(1).packets, nodes.sent(0), "{loss:?}");
    }
}

#[test]
fn delay_at_one_and_a_half_times_the_load_stays_bounded() {
    for (payload, capacity, bound) in [(1_472, 1_450, 60), (548, 1_400, 25)] {
        let nodes = Setup::new(STREAM).up(payload, capacity * 3 / 2);
        let sink = nodes.sink(1);
        let (half, most) = (sink.percentile(50), sink.percentile(99));
        println!("{payload} octets: p50 {half}, p99 {most}, {} kbit/s", nodes.kbps(1, payload));
        assert!(most <= Duration::from_millis(bound), "{payload} octets: p99 {most}");
    }
}

#[test]
fn stalls_lose_nothing() {
    for (length, payload, offered) in [(1, 32, 300), (3, 32, 300), (3, 1_472, 900), (10, 1_472, 700)] {
        let mut nodes = Setup::new(STREAM).nodes(|a, _| a.send(payload, offered, at(100), at(4_100)));
        nodes.run_with_stalls(1, Duration::from_millis(length), at(5_000));
        nodes.check();
        let (sent, came) = (nodes.sent(0), nodes.sink(1).packets);
        println!("{length} ms, {payload} octets: {came} of {sent}, {:?}", nodes.network.observer.0);
        assert_eq!(came, sent, "{length} ms, {payload} octets");
    }
}

#[test]
fn both_directions_at_once() {
    let mut nodes = Setup::new(STREAM).nodes(|a, b| {
        a.send(1_472, 2_000, at(100), at(4_100));
        b.send(1_472, 2_000, at(100), at(4_100));
    });
    nodes.run_until(at(5_000));
    nodes.check();
    let (up, down) = (nodes.kbps(1, 1_472), nodes.kbps(0, 1_472));
    println!("up {up}, down {down}, {:?}", nodes.network.observer.0);
    assert!(up >= 1_100 && down >= 1_100, "up {up}, down {down}");
    assert!(up.abs_diff(down) < 100, "up {up}, down {down}");
}

#[test]
fn small_packets_are_three_times_as_fast_as_published() {
    let nodes = Setup::new(STREAM).up(32, 1_500);
    let kbps = nodes.kbps(1, 32);
    let legacy = super::legacy::saturated(32, |_| {});
    println!("{kbps} against {legacy} kbit/s");
    assert!(kbps >= 3 * legacy, "{kbps} against {legacy} kbit/s");
}

#[test]
fn the_books_show_a_full_air() {
    for (mode, least) in [(STREAM, 90), (Mode::AutoAck, 30)] {
        let mut nodes = Setup::new(mode).nodes(|a, _| a.send(1_472, 2_000, at(100), at(4_100)));
        nodes.run_until(at(1_000));
        let before = nodes.network.observer.1.begin_measuring(at(1_000));
        nodes.run_until(at(4_000));
        let ledger = nodes.network.observer.1.ledger_at(at(4_000)).since(&before);
        assert!(ledger.balances());
        let permille = |account: Account| ledger.of(account).as_nanos() / 3_000_000;
        println!(
            "{mode:?}: {:?}",
            ledger.entries().map(|(account, _)| (account, permille(account))).collect::<Vec<_>>()
        );
        let used = [Account::PayloadUp, Account::Headers, Account::Chunk, Account::PhyOverhead].map(permille);
        assert!(used.iter().sum::<u64>() >= 10 * least, "{used:?}");
        // Settling and acknowledgements are the chip's; the host may cost no more than a hundredth.
        let host = [Account::IdleSpi, Account::IdleCpu, Account::IdleSleep, Account::IdleWake].map(permille);
        assert!(host.iter().sum::<u64>() <= 10, "{host:?}");
    }
}

#[test]
fn compression_and_encryption_carry_the_same_packets() {
    let compressed: fn(&mut Config) = |config| config.tunnel.compression = true;
    let sealed: fn(&mut Config) = |config| config.tunnel.key = Some([0x5A; 32]);
    let both: fn(&mut Config) = |config| {
        config.tunnel.compression = true;
        config.tunnel.key = Some([0x5A; 32]);
    };
    let plain = Setup::new(STREAM).up(32, 1_800).kbps(1, 32);
    let loss = Loss::Packet { per: 0.02 };
    for (what, change) in [("compressed", compressed), ("sealed", sealed), ("both", both)] {
        for mode in [STREAM, Mode::AutoAck, Mode::AckPayload] {
            let nodes = Setup { change, loss, ..Setup::new(mode) }.up(1_472, 300);
            assert_eq!(nodes.sink(1).packets, nodes.sent(0), "{what}, {mode:?}");
        }
        let small = Setup { change, ..Setup::new(STREAM) }.up(32, 1_800).kbps(1, 32);
        println!("32 octets, {what}: {small} kbit/s, plain {plain}");
    }
    // 60 octets and a check of two fill two chunks; a compressed header leaves so little of the second that it is short.
    let small = Setup { change: compressed, ..Setup::new(STREAM) }.up(32, 1_800).kbps(1, 32);
    assert!(small * 10 >= plain * 12, "{small} kbit/s, plain {plain}");
}

#[test]
fn ends_with_different_keys_exchange_nothing() {
    let mut nodes =
        Setup { change: different_keys, ..Setup::new(STREAM) }.nodes(|a, _| a.send(576, 100, at(100), at(900)));
    nodes.run_until(at(1_500));
    nodes.check();
    assert_eq!(nodes.sink(1).packets, 0);
    println!("{:?}", nodes.network.observer.0);
    assert!(nodes.network.observer.0.dropped(1, DropPoint::Authentication) > 0);
}

fn different_keys(config: &mut Config) {
    config.tunnel.key = Some([config.tunnel.epoch as u8; 32]);
}
