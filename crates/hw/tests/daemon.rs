//! The threads of a node on real time, with virtual chips in the place of silicon, and sockets in that of TUN
//! devices.
#![cfg(target_os = "linux")]

use std::io;
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::net::UnixDatagram;
use std::thread;
use std::time;

use airtime_hw::{Daemon, DaemonError, Device};
use airtime_nrf24::station::{Config, StationEnd};
use airtime_nrf24::tunnel::Mode;

use super::board::{Remote, boards};

/// A socket in the place of a TUN device.
struct Socket(UnixDatagram);

impl AsFd for Socket {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

impl Device for Socket {
    fn read(&self, packet: &mut [u8]) -> io::Result<Option<usize>> {
        match self.0.recv(packet) {
            Ok(octets) => Ok(Some(octets)),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => Ok(None),
            Err(error) => Err(error),
        }
    }
    fn write(&self, packet: &[u8]) -> io::Result<bool> {
        Ok(self.0.send(packet).is_ok())
    }
}

/// A device that somebody has deleted.
struct Deleted(UnixDatagram);

impl AsFd for Deleted {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}

impl Device for Deleted {
    fn read(&self, _: &mut [u8]) -> io::Result<Option<usize>> {
        Err(io::ErrorKind::NotFound.into())
    }
    fn write(&self, _: &[u8]) -> io::Result<bool> {
        Err(io::ErrorKind::NotFound.into())
    }
}

/// A device and its other side, which waits when asked to.
fn device() -> (Socket, UnixDatagram) {
    let (ours, theirs) = UnixDatagram::pair().unwrap();
    ours.set_nonblocking(true).unwrap();
    theirs.set_read_timeout(Some(time::Duration::from_millis(200))).unwrap();
    (Socket(ours), theirs)
}

/// A UDP packet of IPv4 without checksums of its payload; `number` is in it.
fn datagram(number: u32, octets: u16) -> Vec<u8> {
    let mut packet = vec![0x45, 0, 0, 0, 0, 0, 0, 0, 64, 17, 0, 0, 10, 0, 0, 1, 10, 0, 0, 2];
    packet[2..4].copy_from_slice(&octets.to_be_bytes());
    let sum = packet.chunks(2).map(|pair| u32::from(u16::from_be_bytes([pair[0], pair[1]]))).sum::<u32>();
    let folded = !((sum & 0xffff) + (sum >> 16)) as u16;
    packet[10..12].copy_from_slice(&folded.to_be_bytes());
    packet.extend([0x13, 0x88, 0x13, 0x89]);
    packet.extend((octets - 20).to_be_bytes());
    packet.extend([0, 0]);
    packet.extend(number.to_be_bytes());
    packet.resize(octets.into(), number as u8);
    packet
}

/// Sends packet `number` from one side until it has come out at the other.
fn crosses(from: &UnixDatagram, to: &UnixDatagram, number: u32) {
    let (sent, mut got) = (datagram(number, 400), [0; 2_048]);
    for _ in 0..200 {
        from.send(&sent).unwrap();
        while let Ok(octets) = to.recv(&mut got) {
            if got[..octets] == sent {
                return;
            }
        }
    }
    panic!("packet {number} does not get across");
}

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
                crosses(&a, &b, number);
                crosses(&b, &a, 100 + number);
            }
        });
    }
}

#[test]
fn an_epoch_gives_way_to_the_next_while_the_node_runs() {
    nodes(Mode::Stream, Some([7; 32]), |[a, b], daemons| {
        for number in 0..10 {
            crosses(&a, &b, number);
            crosses(&b, &a, 100 + number);
            daemons[number as usize % 2].renew().unwrap();
        }
        crosses(&a, &b, 10);
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
    let device = Deleted(UnixDatagram::unbound().unwrap());
    let boards = boards(2).remove(0);
    let daemon = Daemon::new(Config::usual(StationEnd::A, Mode::Stream, 1), boards, device).unwrap();
    assert!(matches!(daemon.run(None, None, |_| {}), Err(DaemonError::Device)));
}
