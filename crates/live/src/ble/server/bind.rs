//! Listeners where hosts find their controllers: TCP ports, UNIX sockets and pseudo terminals.

use std::fs;
use std::io::{self, ErrorKind};
use std::net::{SocketAddr, TcpListener, TcpStream, ToSocketAddrs};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::fs::FileTypeExt as _;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;

use airtime_system::reach::is_remote;
#[cfg(target_os = "linux")]
use rustix::net::sockopt::set_tcp_user_timeout;
use rustix::net::sockopt::{
    set_socket_keepalive, set_socket_send_buffer_size, set_tcp_keepcnt, set_tcp_keepidle, set_tcp_keepintvl,
};

use super::error::BindError;
use super::named::Named;
use super::pty::Pty;
use crate::ble::place::Place;
use crate::ble::stream::Duplex;

/// Octets that the system may keep for a host before it has read them; Linux makes it twice as many. What waits there counts as acknowledged on
/// the air, and the host is told late of what comes behind it. A TCP connection keeps 64 kB more at the host's end, a UNIX socket does not.
const SEND_OCTETS: usize = 4_096;

/// A door that is open.
pub enum Listener {
    /// A TCP port.
    Tcp(TcpListener, SocketAddr),
    /// A UNIX socket.
    Unix(UnixListener, Named),
    /// A pseudo terminal.
    Pty(Pty),
}

impl Listener {
    /// Opens the door at `place`.
    pub fn open(place: &Place, allow_remote: bool) -> Result<Self, BindError> {
        let refused = |source| BindError::System { what: format!("`{place}`"), source };
        match place {
            Place::Tcp(at) => {
                let address = loopback(at, allow_remote)?;
                let listener = TcpListener::bind(address).map_err(refused)?;
                listener.set_nonblocking(true).map_err(refused)?;
                let address = listener.local_addr().map_err(refused)?;
                Ok(Self::Tcp(listener, address))
            }
            Place::Unix(path) => {
                clear_socket(path)?;
                let listener = UnixListener::bind(path).map_err(refused)?;
                let named = Named::of(path);
                listener.set_nonblocking(true).map_err(refused)?;
                Ok(Self::Unix(listener, named))
            }
            Place::Pty(link) => Pty::open(link.as_deref()).map(Self::Pty),
            Place::Serial { .. } | Place::Usb(_) | Place::Adapter(_) => {
                let what = "a serial port or a dongle is for a controller at its other end";
                let source = io::Error::new(ErrorKind::Unsupported, what);
                Err(refused(source))
            }
        }
    }

    /// Address of the listener, as `--hci` names it.
    pub fn address(&self) -> String {
        match self {
            Self::Tcp(_, address) => format!("tcp:{address}"),
            Self::Unix(_, named) => format!("unix:{}", named.path().display()),
            Self::Pty(pty) => format!("pty:{}", pty.name().display()),
        }
    }

    /// True if nothing tells when somebody comes.
    pub fn is_silent(&self) -> bool {
        matches!(self, Self::Pty(_))
    }

    /// Descriptor to wait on for somebody to come.
    pub fn fd(&self) -> Option<BorrowedFd<'_>> {
        match self {
            Self::Tcp(listener, _) => Some(listener.as_fd()),
            Self::Unix(listener, _) => Some(listener.as_fd()),
            Self::Pty(_) => None,
        }
    }

    /// Whoever has come, if anybody has.
    pub fn accept(&mut self) -> io::Result<Option<Box<dyn Duplex>>> {
        let accepted = match self {
            Self::Tcp(listener, _) => listener.accept().and_then(|(stream, _)| {
                stream.set_nonblocking(true)?;
                // A packet that waits for the next one would be late for its connection event.
                stream.set_nodelay(true)?;
                set_socket_send_buffer_size(&stream, SEND_OCTETS)?;
                keep_alive(&stream)?;
                Ok(Box::new(stream) as Box<dyn Duplex>)
            }),
            Self::Unix(listener, _) => listener.accept().and_then(|(stream, _)| {
                stream.set_nonblocking(true)?;
                set_socket_send_buffer_size(&stream, SEND_OCTETS)?;
                Ok(Box::new(stream) as Box<dyn Duplex>)
            }),
            Self::Pty(pty) => return pty.accept(),
        };
        match accepted {
            Ok(stream) => Ok(Some(stream)),
            Err(error) if matches!(error.kind(), ErrorKind::WouldBlock | ErrorKind::ConnectionAborted) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Its host has gone.
    pub fn left(&mut self) {
        if let Self::Pty(pty) = self {
            pty.left();
        }
    }
}

/// The address that `at` names, if no other machine can reach it or that is allowed.
fn loopback(at: &str, allow_remote: bool) -> Result<SocketAddr, BindError> {
    let mut addresses = at.to_socket_addrs().map_err(|_| BindError::Address(at.to_owned()))?;
    let address = addresses.next().ok_or_else(|| BindError::Address(at.to_owned()))?;
    if allow_remote || !is_remote(address.ip()) { Ok(address) } else { Err(BindError::Remote(at.to_owned())) }
}

/// Silence of a host's machine after which it is asked whether it is there, pause between two such questions, and how many go
/// unanswered. *Assumed*: a machine that has gone gives its endpoint back within half a minute, and a link that is down for
/// some seconds ends nothing.
const ASK_AFTER: std::time::Duration = std::time::Duration::from_secs(10);
const ASK_EVERY: std::time::Duration = std::time::Duration::from_secs(5);
const ASK_TIMES: u32 = 3;

/// Lets the system find out if a host's machine has vanished without a word: it would keep its endpoint for ever.
fn keep_alive(stream: &TcpStream) -> io::Result<()> {
    set_socket_keepalive(stream, true)?;
    set_tcp_keepidle(stream, ASK_AFTER)?;
    set_tcp_keepintvl(stream, ASK_EVERY)?;
    set_tcp_keepcnt(stream, ASK_TIMES)?;
    // Nobody is asked while octets are under way: they are repeated, for a quarter of an hour if nothing else is said. tcp(7).
    #[cfg(target_os = "linux")]
    set_tcp_user_timeout(stream, (ASK_AFTER + ASK_EVERY * ASK_TIMES).as_millis() as u32)?;
    Ok(())
}

/// Takes away the socket that a server has left behind that is not there any more.
fn clear_socket(path: &Path) -> Result<(), BindError> {
    let Ok(metadata) = fs::symlink_metadata(path) else { return Ok(()) };
    if !metadata.file_type().is_socket() {
        return Err(BindError::Occupied { path: path.to_owned(), expected: "socket" });
    }
    match UnixStream::connect(path) {
        Err(error) if error.kind() == ErrorKind::ConnectionRefused => fs::remove_file(path)
            .map_err(|source| BindError::System { what: format!("`{}`, left behind,", path.display()), source }),
        _ => Err(BindError::InUse(path.to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use rustix::net::sockopt::{socket_keepalive, tcp_keepcnt, tcp_keepidle, tcp_keepintvl};

    use super::*;

    #[test]
    fn a_machine_that_vanishes_is_found_out() {
        let mut listener = Listener::open(&Place::Tcp("127.0.0.1:0".to_owned()), false).unwrap();
        let at = listener.address();
        let _host = TcpStream::connect(at.strip_prefix("tcp:").unwrap()).unwrap();
        let stream = std::iter::from_fn(|| Some(listener.accept().unwrap())).flatten().next().unwrap();
        assert!(socket_keepalive(stream.as_fd()).unwrap());
        let asks = (tcp_keepidle(stream.as_fd()), tcp_keepintvl(stream.as_fd()), tcp_keepcnt(stream.as_fd()));
        assert_eq!(asks, (Ok(ASK_AFTER), Ok(ASK_EVERY), Ok(ASK_TIMES)));
        #[cfg(target_os = "linux")]
        assert_eq!(rustix::net::sockopt::tcp_user_timeout(stream.as_fd()), Ok(25_000));
    }
}
