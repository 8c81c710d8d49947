//! A credit-based channel of Linux's own Bluetooth stack: an L2CAP socket, as a central opens it or a peripheral takes it.
//!
//! The kernel looks for the peer, connects, and agrees on the channel; of the connection it tells a program nothing but the MTUs.

use std::fs;
use std::io::{self, ErrorKind};
use std::os::fd::{AsFd, BorrowedFd, OwnedFd};
use std::path::Path;
use std::str::FromStr;

use airtime_core::{Duration, Instant};
use airtime_system::clock::{Clock, TIME_MAX};
use airtime_system::sleep::{LEFT, REST_MAX, sleep};
use airtime_system::stop::{Stop, Stopper};
use ots_core::l2cap::{AddressType, L2capSockAddr, L2capSocket, MacAddress, SocketType};
use rustix::event::{PollFd, PollFlags};
use rustix::io::Errno;
use rustix::net::sockopt::socket_error;
use thiserror::Error;

use crate::ble::rate::Rate;
use crate::ble::stream::waits;
use crate::ble::whole::{Check, Whole};

/// Folder with an entry for each adapter.
const ADAPTERS: &str = "/sys/class/bluetooth";

/// Time in which the kernel connects to whoever advertises: Linux `hci.h`, HCI_LE_CONN_TIMEOUT. By itself it gives up after twice that, with the
/// error of a peer that refuses (`l2cap_core.c`, l2cap_chan_timeout).
const OPEN_MAX: Duration = Duration::from_secs(20);

/// SDUs of one turn before it is looked if somebody has asked to stop.
const TURN_SDUS: usize = 64;

/// A device with its kind of address, as `C0:00:5E:00:01:01` or `random:C0:00:5E:00:01:01`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Peer {
    address: MacAddress,
    kind: AddressType,
}

impl FromStr for Peer {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (kind, octets) = match text.strip_prefix("random:") {
            Some(octets) => (AddressType::Random, octets),
            None => (AddressType::Public, text),
        };
        let address = octets.parse().ok().filter(|_| octets.len() == "00:00:00:00:00:00".len());
        let address = address.ok_or_else(|| {
            format!(
                "`{text}` is no address: expected six octets such as C0:00:5E:00:01:01, or random:C0:00:5E:00:01:01"
            )
        })?;
        Ok(Self { address, kind })
    }
}

/// Reason that there is no channel, or none any more.
#[derive(Debug, Error)]
pub enum ChannelError {
    /// The kernel has no Bluetooth.
    #[error("this Linux has no Bluetooth: `modprobe bluetooth` loads it, where the kernel was built with it")]
    NoStack,
    /// It has no adapter.
    #[error("this Linux has no Bluetooth adapter: `ls {ADAPTERS}` names those that there are")]
    NoAdapter,
    /// No adapter is powered, or none has the address that was asked for.
    #[error(
        "no adapter is powered: `bluetoothctl power on`, or `rfkill unblock bluetooth` first; `bluetoothctl list` has their addresses"
    )]
    Off,
    /// The user may not, or the adapter is another program's.
    #[error(
        "permission denied: root may, and the adapter has to be the kernel's, not one that a program has taken as a user channel"
    )]
    NoPermission,
    /// Nobody with that address advertises.
    #[error(
        "nobody advertises with that address: it is switched off, out of reach or connected already; a random one is written random:…"
    )]
    NotFound,
    /// The peer takes no channel on that PSM.
    #[error("the peer takes no channel on that PSM: its log says on which it listens")]
    Refused,
    /// The peer wants a connection that is encrypted.
    #[error("the peer wants an encrypted connection: `bluetoothctl pair ADDRESS` first")]
    Pairing,
    /// The connection ended by its supervision timeout.
    #[error("the peer has gone (0x08, supervision timeout): power, distance, or a crash of it")]
    Gone,
    /// The peer has closed the channel.
    #[error("the peer has closed the channel")]
    Closed,
    /// Something else went wrong.
    #[error("the channel is lost: {0}")]
    Lost(io::Error),
}

/// Course of a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Course {
    /// Nobody has opened it yet.
    Listens,
    Opens,
    Open,
}

/// Socket of a channel.
enum Socket {
    /// One that opens it, or listens.
    Own(L2capSocket),
    /// One that somebody has opened.
    Accepted(OwnedFd),
}

impl Socket {
    fn fd(&self) -> BorrowedFd<'_> {
        match self {
            // A reference to a socket of the library below.
            Self::Own(socket) => std::ops::Deref::deref(socket).as_fd(),
            Self::Accepted(socket) => socket.as_fd(),
        }
    }
}

/// A channel, and what was carried on it.
pub struct Channel {
    clock: Clock,
    stop: Stop,
    socket: Socket,
    course: Course,
    /// SDU that is sent again and again; a receiver has none.
    sdu: Option<Vec<u8>>,
    buffer: Vec<u8>,
    rate: Rate,
    began: Option<Instant>,
    octets: u64,
    check: Check,
}

/// Configuration of a channel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChannelConfig {
    /// Address of the adapter; none for whichever the kernel takes.
    pub adapter: Option<Peer>,
    /// The peer; none where it is the one that opens the channel.
    pub peer: Option<Peer>,
    /// PSM of the channel.
    pub psm: u16,
    /// Largest SDU that this end takes, in octets.
    pub mtu: u16,
    /// Octets of the SDUs that this end sends; none if it receives.
    pub sdu: Option<u16>,
    /// Time that is left out of the steady state.
    pub warmup: Duration,
}

impl Channel {
    /// Begins to open a channel, or to listen for one.
    ///
    /// # Errors
    /// When this machine has no such adapter, or does not let this user have it.
    pub fn open(config: &ChannelConfig) -> Result<Self, ChannelError> {
        let socket = L2capSocket::new(sequenced()).map_err(|error| of_set_up(error, Path::new(ADAPTERS)))?;
        let address = |peer: &Peer, psm| L2capSockAddr::new(peer.address, peer.kind, psm);
        let any = Peer { address: MacAddress::nil(), kind: AddressType::Public };
        let set_up = || -> io::Result<()> {
            socket.set_nonblocking(true)?;
            // The kind of the own address makes it a channel of LE.
            let own = config.adapter.as_ref().unwrap_or(&any);
            socket.bind(&address(own, if config.peer.is_some() { 0 } else { config.psm }))?;
            socket.set_recv_mtu(config.mtu.into())?;
            match &config.peer {
                Some(peer) => socket.connect(&address(peer, config.psm)),
                None => socket.listen(1),
            }
        };
        match set_up() {
            Err(error) if !is_under_way(&error) => return Err(of_set_up(error, Path::new(ADAPTERS))),
            _ => {}
        }
        Ok(Self {
            clock: Clock::start(),
            stop: Stop::new().map_err(ChannelError::Lost)?,
            socket: Socket::Own(socket),
            course: if config.peer.is_some() { Course::Opens } else { Course::Listens },
            sdu: config.sdu.map(|octets| (0..octets).map(|octet| octet as u8).collect()),
            buffer: vec![0; usize::from(config.mtu)],
            rate: Rate::new(config.warmup),
            began: None,
            octets: 0,
            check: Check::default(),
        })
    }

    /// Handle that stops [`run`](Self::run) from another thread.
    pub fn stopper(&self) -> Stopper {
        self.stop.stopper()
    }

    /// Time since the first SDU; none before it.
    pub fn streaming(&self) -> Option<Duration> {
        self.began.map(|began| self.clock.now().saturating_since(began))
    }

    /// Payload that was taken in, or that the kernel took, in octets.
    pub fn octets(&self) -> u64 {
        self.octets
    }

    /// SDUs that were taken in, against what the test sends.
    pub fn whole(&self) -> Option<Whole> {
        self.check.outcome()
    }

    /// True once the channel is open.
    pub fn is_open(&self) -> bool {
        self.course == Course::Open
    }

    /// Rate of the payload, and the time by which it is told.
    pub fn rate(&self) -> (&Rate, Instant) {
        (&self.rate, self.clock.now())
    }

    /// Carries SDUs for `time`, or until it is stopped.
    ///
    /// # Errors
    /// When the channel does not open, or is no more.
    pub fn run(&mut self, time: Duration) -> Result<(), ChannelError> {
        let end = self.clock.now() + time.min(TIME_MAX);
        loop {
            let rest = end.saturating_since(self.clock.now());
            if rest.is_zero() || self.stop.is_asked() {
                return Ok(());
            }
            if self.wait(rest).map_err(ChannelError::Lost)? {
                self.turn()?;
            }
            if self.course == Course::Opens && self.clock.now() - Instant::ZERO >= OPEN_MAX {
                return Err(ChannelError::NotFound);
            }
        }
    }

    /// Waits for at most `rest`; true when the socket is ready.
    fn wait(&self, rest: Duration) -> io::Result<bool> {
        let is_out = match self.course {
            Course::Listens => false,
            Course::Opens => true,
            Course::Open => self.sdu.is_some(),
        };
        let flags = if is_out { PollFlags::OUT } else { PollFlags::IN };
        let mut fds = [
            PollFd::from_borrowed_fd(self.socket.fd(), flags),
            PollFd::from_borrowed_fd(self.stop.as_fd(), PollFlags::IN),
        ];
        let whole = sleep(&mut fds, rest.min(REST_MAX))?;
        Ok(whole && fds[0].revents().intersects(flags | LEFT))
    }

    fn turn(&mut self) -> Result<(), ChannelError> {
        let fault = socket_error(self.socket.fd()).map_err(|error| ChannelError::Lost(error.into()))?.err();
        match (self.course, fault.map(io::Error::from)) {
            (Course::Opens | Course::Listens, Some(error)) => return Err(of_set_up(error, Path::new(ADAPTERS))),
            (Course::Open, Some(error)) => return Err(of_stream(error)),
            (Course::Listens, None) => {
                let Some(socket) = self.accepted()? else { return Ok(()) };
                (self.socket, self.course) = (Socket::Accepted(socket), Course::Open);
            }
            (Course::Opens, None) => self.course = Course::Open,
            (Course::Open, None) => {}
        }
        for _ in 0..TURN_SDUS {
            match self.carry() {
                Ok(0) => return Err(ChannelError::Closed),
                Ok(octets) => self.note(octets),
                Err(error) if waits(&error) => return Ok(()),
                Err(error) => return Err(of_stream(error)),
            }
        }
        Ok(())
    }

    /// Socket of a channel that somebody has opened, if anybody has.
    fn accepted(&self) -> Result<Option<OwnedFd>, ChannelError> {
        let Socket::Own(listener) = &self.socket else { return Ok(None) };
        match listener.accept() {
            Ok((socket, _)) => {
                socket.set_nonblocking(true).map_err(ChannelError::Lost)?;
                Ok(Some(socket.into()))
            }
            Err(error) if waits(&error) => Ok(None),
            Err(error) => Err(ChannelError::Lost(error)),
        }
    }

    /// Sends an SDU, or takes one; its octets.
    fn carry(&mut self) -> io::Result<usize> {
        Ok(match &self.sdu {
            Some(sdu) => rustix::io::write(self.socket.fd(), sdu)?,
            None => rustix::io::read(self.socket.fd(), &mut self.buffer)?,
        })
    }

    fn note(&mut self, octets: usize) {
        let now = self.clock.now();
        self.began.get_or_insert(now);
        self.octets += octets as u64;
        if self.sdu.is_none() {
            self.check.take(&self.buffer[..octets]);
        }
        self.rate.note(now, octets as u64);
    }
}

/// Kind of socket that keeps SDUs apart.
fn sequenced() -> SocketType {
    SocketType::from(rustix::net::SocketType::SEQPACKET.as_raw() as i32)
}

/// A connection that is being made.
fn is_under_way(error: &io::Error) -> bool {
    waits(error) || error.raw_os_error() == Some(Errno::INPROGRESS.raw_os_error())
}

/// Reason for an error before there is a channel, on a machine whose adapters are in `folder`.
/// Linux `l2cap_core.c`, l2cap_chan_connect and l2cap_le_connect_rsp; `lib.c`, bt_to_errno.
fn of_set_up(error: io::Error, folder: &Path) -> ChannelError {
    let has_adapter = fs::read_dir(folder).is_ok_and(|mut adapters| adapters.next().is_some());
    match error.raw_os_error().map(Errno::from_raw_os_error) {
        Some(Errno::AFNOSUPPORT | Errno::PROTONOSUPPORT) => ChannelError::NoStack,
        Some(Errno::HOSTUNREACH | Errno::NODEV | Errno::NETDOWN) if !has_adapter => ChannelError::NoAdapter,
        Some(Errno::HOSTUNREACH | Errno::NODEV | Errno::NETDOWN | Errno::ADDRNOTAVAIL) => ChannelError::Off,
        Some(Errno::PERM) => ChannelError::NoPermission,
        Some(Errno::ACCESS) => ChannelError::Pairing,
        Some(Errno::TIMEDOUT | Errno::HOSTDOWN) => ChannelError::NotFound,
        Some(Errno::CONNREFUSED) => ChannelError::Refused,
        _ if error.kind() == ErrorKind::PermissionDenied => ChannelError::NoPermission,
        _ => ChannelError::Lost(error),
    }
}

/// Reason for the end of a channel. Linux `lib.c`, bt_to_errno: 0x08 is ETIMEDOUT, 0x13 to 0x15 are ECONNRESET, 0x16 is ECONNABORTED.
fn of_stream(error: io::Error) -> ChannelError {
    match error.raw_os_error().map(Errno::from_raw_os_error) {
        Some(Errno::TIMEDOUT) => ChannelError::Gone,
        Some(Errno::CONNRESET | Errno::PIPE | Errno::NOTCONN) => ChannelError::Closed,
        _ => ChannelError::Lost(error),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_have_a_kind() {
        let public: Peer = "C0:00:5E:00:01:01".parse().unwrap();
        assert_eq!((public.address.into_array()[5], public.kind), (1, AddressType::Public));
        assert_eq!("random:C0:00:5E:00:01:01".parse::<Peer>().unwrap().kind, AddressType::Random);
        for bad in ["", "C0:00:5E:00:01", "C0:00:5E:00:01:0", "random:", "C0005E000101", "C0:00:5E:00:01:GG"] {
            assert!(bad.parse::<Peer>().unwrap_err().contains("expected six octets"), "{bad}");
        }
    }

    #[test]
    fn each_error_of_the_kernel_has_a_reason() {
        let folder = tempfile::tempdir().unwrap();
        let none = folder.path().join("none");
        fs::write(folder.path().join("hci0"), []).unwrap();
        let os = |errno: Errno| io::Error::from_raw_os_error(errno.raw_os_error());
        for (errno, words) in [
            (Errno::AFNOSUPPORT, "modprobe bluetooth"),
            (Errno::HOSTUNREACH, "bluetoothctl power on"),
            (Errno::PERM, "permission denied"),
            (Errno::ACCESS, "pair"),
            (Errno::HOSTDOWN, "nobody advertises"),
            (Errno::TIMEDOUT, "nobody advertises"),
            (Errno::CONNREFUSED, "no channel on that PSM"),
            (Errno::NOMEM, "the channel is lost"),
        ] {
            let said = of_set_up(os(errno), folder.path()).to_string();
            assert!(said.contains(words), "{said}");
        }
        assert!(matches!(of_set_up(os(Errno::HOSTUNREACH), &none), ChannelError::NoAdapter));
        assert!(matches!(of_stream(os(Errno::TIMEDOUT)), ChannelError::Gone));
        assert!(matches!(of_stream(os(Errno::CONNRESET)), ChannelError::Closed));
        assert!(matches!(of_stream(os(Errno::NOMEM)), ChannelError::Lost(_)));
    }
}
