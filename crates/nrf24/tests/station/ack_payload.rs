//! Ack-payload mode: one radio per node, the other direction on acknowledgements.

use airtime_core::loss::Loss;
use airtime_nrf24::tunnel::Mode;

use super::node::Setup;
use super::rig::at;

#[test]
fn both_directions_over_one_pair_of_radios() {
    let mut nodes = Setup::new(Mode::AckPayload).nodes(|a, b| {
        a.send(1_472, 600, at(100), at(4_100));
        b.send(1_472, 600, at(100), at(4_100));
    });
    nodes.run_until(at(5_000));
    nodes.check();
    let (up, down) = (nodes.kbps(1, 1_472), nodes.kbps(0, 1_472));
    println!("up {up}, down {down}, {:?}", nodes.network.observer.0);
    // Reference 1.6: 446.8 kbit/s of 32 octets each way.
    assert!((370..=447).contains(&up) && (370..=447).contains(&down), "up {up}, down {down}");
}

#[test]
fn the_polled_end_alone_gets_its_packets_across() {
    for loss in [Loss::None, Loss::Packet { per: 0.02 }] {
        let mut nodes =
            Setup { loss, ..Setup::new(Mode::AckPayload) }.nodes(|_, b| b.send(576, 100, at(100), at(4_100)));
        nodes.run_until(at(5_000));
        nodes.check();
        println!("{loss:?}: {} of {}, {:?}", nodes.sink(0).packets, nodes.sent(1), nodes.network.observer.0);
        assert_eq!(nodes.sink(0).packets, nodes.sent(1), "{loss:?}");
    }
}

#[test]
fn the_polling_end_alone_gets_its_packets_across() {
    for loss in [Loss::None, Loss::Packet { per: 0.02 }] {
        let nodes = Setup { loss, ..Setup::new(Mode::AckPayload) }.up(576, 200);
        println!("{loss:?}: {} of {}, {:?}", nodes.sink(1).packets, nodes.sent(0), nodes.network.observer.0);
        assert_eq!(nodes.sink(1).packets, nodes.sent(0), "{loss:?}");
    }
}
