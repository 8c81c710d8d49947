//! Auto-ack mode: the chip acknowledges and repeats.

use airtime_core::Duration;
use airtime_core::loss::Loss;
use airtime_nrf24::tunnel::Mode;

use super::node::Setup;
use super::rig::at;

#[test]
fn goodput_is_near_the_ceiling() {
    let nodes = Setup::new(Mode::AutoAck).up(1_472, 800);
    let kbps = nodes.kbps(1, 1_472);
    println!("{kbps} kbit/s, {:?}", nodes.network.observer.0);
    assert!(kbps >= 500, "{kbps} kbit/s");
}

#[test]
fn what_fits_is_never_lost() {
    for loss in [Loss::None, Loss::Packet { per: 0.05 }] {
        let setup = Setup { loss, ..Setup::new(Mode::AutoAck) };
        let nodes = setup.up(1_472, 350);
        println!("{loss:?}: {} of {}, {:?}", nodes.sink(1).packets, nodes.sent(0), nodes.network.observer.0);
        assert_eq!(nodes.sink(1).packets, nodes.sent(0), "{loss:?}");
    }
}

#[test]
fn stalls_of_the_receiver_are_repaired_by_the_chip() {
    for length in [1, 3] {
        let mut nodes = Setup::new(Mode::AutoAck).nodes(|a, _| a.send(576, 350, at(100), at(4_100)));
        nodes.run_with_stalls(1, Duration::from_millis(length), at(5_000));
        nodes.check();
        let (sent, came) = (nodes.sent(0), nodes.sink(1).packets);
        println!("{length} ms: {came} of {sent}, {:?}", nodes.network.observer.0);
        assert_eq!(came, sent, "{length} ms");
    }
}

#[test]
fn both_directions_at_once() {
    let mut nodes = Setup::new(Mode::AutoAck).nodes(|a, b| {
        a.send(1_472, 800, at(100), at(4_100));
        b.send(1_472, 800, at(100), at(4_100));
    });
    nodes.run_until(at(5_000));
    nodes.check();
    let (up, down) = (nodes.kbps(1, 1_472), nodes.kbps(0, 1_472));
    println!("up {up}, down {down}, {:?}", nodes.network.observer.0);
    assert!(up >= 500 && down >= 500, "up {up}, down {down}");
}
