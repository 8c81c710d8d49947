//! A pseudo terminal as an endpoint: what a program expects that opens a serial port.
//!
//! A pseudo terminal has no listener. While nobody has it open its controlling side only reports a
//! hang-up, so it is looked at every now and then until somebody has.

use std::ffi::OsStr;
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

use airtime_core::Duration;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{Mode, OFlags, fcntl_setfl, open};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{OptionalActions, QueueSelector, tcflush, tcgetattr, tcsetattr};

use super::claim::Claim;
use super::error::BindError;
use super::named::Named;
use crate::ble::stream::Duplex;

/// Interval at which a pseudo terminal that nobody has open is looked at. *Assumed*: nobody notices a tenth of a second
/// before the first command is answered.
pub const LOOK_EVERY: Duration = Duration::from_millis(100);

/// The controlling side of a pseudo terminal.
pub struct Pty {
    controller: OwnedFd,
    name: PathBuf,
    link: Option<NamedLink>,
    taken: bool,
}

/// Link to a terminal; what it is called is claimed until it is gone.
struct NamedLink {
    named: Named,
    _claim: Claim,
}

impl Pty {
    /// A fresh pseudo terminal, with a symbolic link to it at `link`.
    pub fn open(link: Option<&Path>) -> Result<Self, BindError> {
        let refused =
            |source: rustix::io::Errno| BindError::System { what: "a pseudo terminal".into(), source: source.into() };
        let controller = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).map_err(refused)?;
        grantpt(&controller).map_err(refused)?;
        unlockpt(&controller).map_err(refused)?;
        let name = ptsname(&controller, Vec::new()).map_err(refused)?;
        let name = PathBuf::from(OsStr::from_bytes(name.as_bytes()));
        make_raw(&name).map_err(refused)?;
        fcntl_setfl(&controller, OFlags::NONBLOCK).map_err(refused)?;
        let link = link.map(|path| link_to(&name, path)).transpose()?;
        Ok(Self { controller, name, link, taken: false })
    }

    /// Path to open: the link, or the terminal itself.
    pub fn name(&self) -> &Path {
        self.link.as_ref().map_or(&self.name, |link| link.named.path())
    }

    /// The stream, once somebody has opened the terminal.
    pub fn accept(&mut self) -> io::Result<Option<Box<dyn Duplex>>> {
        if self.taken || !self.is_open()? {
            return Ok(None);
        }
        let stream = File::from(self.controller.try_clone()?);
        self.taken = true;
        Ok(Some(Box::new(stream)))
    }

    /// Whoever had it open has closed it; what waits for him is for nobody else.
    pub fn left(&mut self) {
        self.taken = false;
        // Somebody who has opened it meanwhile may have sent his Reset already; what waits in front of it is found to be none of his.
        let queue = if self.is_open().unwrap_or(false) { QueueSelector::OFlush } else { QueueSelector::IOFlush };
        let _ = tcflush(&self.controller, queue);
    }

    fn is_open(&self) -> io::Result<bool> {
        let mut fds = [PollFd::from_borrowed_fd(self.controller.as_fd(), PollFlags::empty())];
        poll(&mut fds, Some(&Timespec { tv_sec: 0, tv_nsec: 0 }))?;
        Ok(!fds[0].revents().contains(PollFlags::HUP))
    }
}

/// Octets go through as they are.
fn make_raw(name: &Path) -> rustix::io::Result<()> {
    let terminal = open(name, OFlags::RDWR | OFlags::NOCTTY, Mode::empty())?;
    let mut attributes = tcgetattr(&terminal)?;
    attributes.make_raw();
    tcsetattr(&terminal, OptionalActions::Now, &attributes)
}

fn link_to(name: &Path, path: &Path) -> Result<NamedLink, BindError> {
    let refused = |source| BindError::System { what: format!("`{}`", path.display()), source };
    let in_use = || BindError::InUse(path.to_owned());
    let claim = Claim::on(path).map_err(refused)?.ok_or_else(in_use)?;
    if let Ok(found) = path.symlink_metadata() {
        if !found.is_symlink() {
            return Err(BindError::Occupied { path: path.to_owned(), expected: "link" });
        }
        // The terminal of a server that was killed may be there again: as ours, or as that of some other program.
        let is_dead = claim.is_left_behind() || !path.exists() || std::fs::read_link(path).is_ok_and(|to| to == name);
        if !is_dead {
            // A server that lives would have the claim.
            let to = std::fs::read_link(path).map_err(refused)?;
            return Err(BindError::Foreign { path: path.to_owned(), to });
        }
        std::fs::remove_file(path).map_err(refused)?;
    }
    symlink(name, path).map_err(refused)?;
    Ok(NamedLink { named: Named::of(path), _claim: claim })
}
