//! The threads of a node on real time, with virtual chips in the place of silicon, and sockets in that of TUN
//! devices.
#![cfg(target_os = "linux")]

use std::os::unix::net::UnixDatagram;
use std::thread;

use airtime_hw::{Daemon, DaemonError};
use airtime_nrf24::station::{Config, StationEnd};
use airtime_nrf24::tunnel::Mode;

use super::board::{Remote, boards};
use super::device::{Deleted, Socket, crosses, device};

/// Two nodes that run while `act` has their devices; what they seal they seal with `key`.
fn nodes(mode: Mode, key: Option<[u8; 32]>, act: impl FnOnce([UnixDatagram; 2], &[Daemon<Remote, Socket>])) {
    let radios = if mode == Mode::AckPayload { 1 } else { 2 };
    let mut boards = boards(radios).into_iter();
    let (mut daemons, mut outside) = (vec![], vec![]);
    for (end, epoch) in [(StationEnd::A, 1), (StationEnd::B, 2)] {
        let (device, theirs) = device();
        let mut config = Config::usual(end, mode, epoch);
        config.tunnel.key = key;
        daemons.push(Daemon::new(config, boards.next().unwrap(), device).unwrap());
        outside.push(theirs);
    }
    thread::scope(|scope| {
        let runs: Vec<_> = daemons.iter().map(|daemon| scope.spawn(|| daemon.run(None, None, |_| {}))).collect();
        act(outside.try_into().unwrap(), &daemons);
        daemons.iter().for_each(|daemon| {
            daemon.stopper().stop();
        });
        for run in runs {
            run.join().unwrap().unwrap();
        }
    });
    for daemon in &daemons {
        let figures = daemon.figures();
        let crossed = figures.traffic.crossed;
        assert_eq!(figures.mode, Some(mode));
        assert!(crossed.packets_in >= 10 && crossed.packets_out >= 10, "{figures:?}");
    }
}

#[test]
fn packets_cross_between_threads_in_every_mode() {
    for mode in [Mode::Stream, Mode::AutoAck, Mode::AckPayload] {
        nodes(mode, None, |[a, b], _| {
            for number in 0..10 {
                crosses(&a, &b, number, 400);
                crosses(&b, &a, 100 + number, 400);
            }
        });
    }
}

#[test]
fn an_epoch_gives_way_to_the_next_while_the_node_runs() {
    nodes(Mode::Stream, Some([7; 32]), |[a, b], daemons| {
        for number in 0..10 {
            crosses(&a, &b, number, 400);
            crosses(&b, &a, 100 + number, 400);
            daemons[number as usize % 2].renew().unwrap();
        }
        crosses(&a, &b, 10, 400);
    });
}

#[test]
fn a_radio_that_does_not_answer_ends_the_node() {
    let (device, _outside) = device();
    let daemon =
        Daemon::new(Config::usual(StationEnd::A, Mode::Stream, 1), vec![Remote::dead(), Remote::dead()], device)
            .unwrap();
    let error = daemon.run(None, None, |_| {}).unwrap_err();
    assert!(matches!(error, DaemonError::Radio { .. }), "{error}");
    assert!(error.to_string().contains("failed"), "{error}");
}

#[test]
fn a_device_that_goes_ends_the_node() {
    let boards = boards(2).remove(0);
    let daemon = Daemon::new(Config::usual(StationEnd::A, Mode::Stream, 1), boards, Deleted::new()).unwrap();
    assert!(matches!(daemon.run(None, None, |_| {}), Err(DaemonError::Device)));
}
