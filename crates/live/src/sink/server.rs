//! Sockets, clock and books in one loop, on one thread.

use std::io::{self, ErrorKind, Read};
use std::net::{IpAddr, SocketAddr, TcpListener, TcpStream, UdpSocket};
use std::os::fd::AsFd;

use airtime_core::{Duration, Instant};
use airtime_system::clock::{Clock, TIME_MAX};
use airtime_system::sleep::sleep;
use airtime_system::stop::{Stop, Stopper};
use rustix::event::{PollFd, PollFlags};

use super::flow::Flow;

/// Flows that are kept of each kind; later ones are counted and not taken.
pub const FLOWS_MAX: usize = 64;
/// The largest datagram, and the largest read of a stream.
const READ_MAX: usize = 65_536;
/// Reads of one socket before the others have their turn.
const READS_MAX: usize = 64;

/// Configuration of the receiver: the places where it listens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// IP address that is listened at.
    pub bind: IpAddr,
    /// The port for datagrams; 0: any.
    pub udp: Option<u16>,
    /// The port for streams; 0: any.
    pub tcp: Option<u16>,
}

/// A receiver of datagrams and streams.
#[derive(Debug)]
pub struct Server {
    clock: Clock,
    stop: Stop,
    udp: Option<UdpSocket>,
    tcp: Option<TcpListener>,
    /// Streams that are open, and the place of each in `streams`.
    open: Vec<(TcpStream, usize)>,
    datagrams: Vec<Flow>,
    streams: Vec<Flow>,
    refused: u64,
    buffer: Vec<u8>,
}

impl Server {
    /// Listens.
    ///
    /// # Errors
    /// When a port is taken, or the address is not of this machine.
    pub fn open(config: &Config) -> io::Result<Self> {
        let udp = config.udp.map(|port| UdpSocket::bind((config.bind, port))).transpose()?;
        let tcp = config.tcp.map(|port| TcpListener::bind((config.bind, port))).transpose()?;
        if let Some(udp) = &udp {
            udp.set_nonblocking(true)?;
        }
        if let Some(tcp) = &tcp {
            tcp.set_nonblocking(true)?;
        }
        let (stop, buffer) = (Stop::new()?, vec![0; READ_MAX]);
        let (open, datagrams, streams) = Default::default();
        Ok(Self { clock: Clock::start(), stop, udp, tcp, open, datagrams, streams, refused: 0, buffer })
    }

    /// Addresses at which datagrams and streams are taken.
    pub fn places(&self) -> [Option<SocketAddr>; 2] {
        let udp = self.udp.as_ref().and_then(|socket| socket.local_addr().ok());
        let tcp = self.tcp.as_ref().and_then(|socket| socket.local_addr().ok());
        [udp, tcp]
    }

    /// Handle that stops [`run`](Self::run) from another thread.
    pub fn stopper(&self) -> Stopper {
        self.stop.stopper()
    }

    /// Flows of datagrams, in the order of their first one.
    pub fn datagrams(&self) -> &[Flow] {
        &self.datagrams
    }

    /// Streams, in the order of their opening.
    pub fn streams(&self) -> &[Flow] {
        &self.streams
    }

    /// Streams that were turned away, and datagrams of flows beyond [`FLOWS_MAX`].
    pub fn refused(&self) -> u64 {
        self.refused
    }

    /// Time since it was opened.
    pub fn elapsed(&self) -> Duration {
        self.clock.now() - Instant::ZERO
    }

    /// Takes what comes until it is stopped, or for `time` of the wall clock.
    ///
    /// # Errors
    /// When the system refuses to wait.
    pub fn run(&mut self, time: Option<Duration>) -> io::Result<()> {
        let end = time.map(|time| self.clock.now() + time.min(TIME_MAX));
        loop {
            let now = self.clock.now();
            if self.stop.is_asked() || end.is_some_and(|end| end <= now) {
                return Ok(());
            }
            let rest = end.map_or(TIME_MAX, |end| end.saturating_since(now));
            if self.wait(rest)? {
                let now = self.clock.now();
                self.read_datagrams(now);
                self.accept(now);
                self.read_streams(now);
            }
        }
    }

    /// Sleeps for `rest`, or until something has come.
    fn wait(&self, rest: Duration) -> io::Result<bool> {
        let mut fds = vec![PollFd::from_borrowed_fd(self.stop.as_fd(), PollFlags::IN)];
        fds.extend(self.udp.iter().map(|socket| PollFd::new(socket, PollFlags::IN)));
        fds.extend(self.tcp.iter().map(|socket| PollFd::new(socket, PollFlags::IN)));
        fds.extend(self.open.iter().map(|(stream, _)| PollFd::new(stream, PollFlags::IN)));
        sleep(&mut fds, rest)
    }

    fn read_datagrams(&mut self, now: Instant) {
        let Some(socket) = &self.udp else { return };
        for _ in 0..READS_MAX {
            let (octets, from) = match socket.recv_from(&mut self.buffer) {
                Ok(read) => read,
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                // What is told of an earlier answer of ours is nobody's loss: there was none.
                Err(_) => return,
            };
            let datagram = &self.buffer[..octets];
            let place = self.datagrams.iter().position(|flow| flow.from == from);
            let place = match place {
                Some(place) => place,
                None if self.datagrams.len() < FLOWS_MAX => {
                    self.datagrams.push(Flow::datagrams(from, now, datagram));
                    self.datagrams.len() - 1
                }
                None => {
                    self.refused += 1;
                    continue;
                }
            };
            self.datagrams[place].take_datagram(now, datagram);
        }
    }

    fn accept(&mut self, now: Instant) {
        let Some(listener) = &self.tcp else { return };
        while let Ok((stream, from)) = listener.accept() {
            // A stream that cannot be read without waiting would hold up all others.
            if self.streams.len() >= FLOWS_MAX || stream.set_nonblocking(true).is_err() {
                self.refused += 1;
                continue;
            }
            self.open.push((stream, self.streams.len()));
            self.streams.push(Flow::stream(from, now));
        }
    }

    fn read_streams(&mut self, now: Instant) {
        let Self { open, streams, buffer, .. } = self;
        open.retain_mut(|(stream, place)| {
            let flow = &mut streams[*place];
            for _ in 0..READS_MAX {
                match stream.read(buffer) {
                    Ok(octets) if octets > 0 => flow.take(now, octets),
                    Err(error) if error.kind() == ErrorKind::Interrupted => {}
                    Err(error) if error.kind() == ErrorKind::WouldBlock => return true,
                    Ok(_) | Err(_) => {
                        flow.closed = true;
                        return false;
                    }
                }
            }
            true
        });
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write;
    use std::net::Ipv4Addr;
    use std::thread;

    use airtime_net::payload::Stamp;

    use super::*;

    fn server() -> Server {
        Server::open(&Config { bind: Ipv4Addr::LOCALHOST.into(), udp: Some(0), tcp: Some(0) }).unwrap()
    }

    #[test]
    fn a_stream_is_taken_to_its_end() {
        let mut server = server();
        let (to, stopper) = (server.places()[1].unwrap(), server.stopper());
        let writer = thread::spawn(move || {
            let mut stream = TcpStream::connect(to).unwrap();
            stream.write_all(&[7; 200_000]).unwrap();
        });
        let ends = thread::spawn(move || {
            writer.join().unwrap();
            stopper.stop();
        });
        server.run(None).unwrap();
        ends.join().unwrap();
        // What had been written when it was stopped is read now.
        while !server.streams().first().is_some_and(|flow| flow.closed) {
            let now = server.clock.now();
            server.accept(now);
            server.read_streams(now);
        }
        let flow = &server.streams()[0];
        assert_eq!((flow.octets, flow.seconds.iter().sum::<u64>()), (200_000, 200_000));
    }

    #[test]
    fn datagrams_are_counted_by_their_sender_and_their_number() {
        let mut server = server();
        let to = server.places()[0].unwrap();
        let senders = [0, 1].map(|_| UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)).unwrap());
        let send = |sender: &UdpSocket, sequence| {
            let mut payload = [0; 100];
            Stamp { sequence, sent_at: Instant::ZERO }.fill(&mut payload);
            sender.send_to(&payload, to).unwrap();
        };
        for sequence in [0, 1, 2, 5] {
            send(&senders[0], sequence);
        }
        send(&senders[1], 0);
        // On the loopback they lie in the socket's buffer by now.
        let now = server.clock.now();
        server.read_datagrams(now);
        let found: Vec<_> =
            server.datagrams().iter().map(|flow| (flow.octets, flow.numbers.clone().unwrap())).collect();
        assert_eq!(found.len(), 2);
        assert_eq!((found[0].0, found[0].1.tally().unwrap().missing()), (400, 2));
        assert_eq!((found[1].0, found[1].1.name()), (100, "airtime"));
    }

    #[test]
    fn a_crowd_of_senders_fills_no_memory() {
        let mut server = server();
        let to = server.places()[0].unwrap();
        for _ in 0..FLOWS_MAX + 3 {
            UdpSocket::bind((Ipv4Addr::LOCALHOST, 0)).unwrap().send_to(&[1; 4], to).unwrap();
        }
        let now = server.clock.now();
        server.read_datagrams(now);
        server.read_datagrams(now);
        assert!(server.datagrams().len() <= FLOWS_MAX && server.refused() >= 1, "{}", server.refused());
    }
}
