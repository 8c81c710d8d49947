//! A spare descriptor, for whoever knocks when there are no others.

use std::fs::File;
use std::io;

use rustix::io::Errno;

/// Descriptor that is kept for the time when the system has no more: who knocks can be let in with it, and turned away. Without one he
/// would knock for ever, and so would all behind him.
#[derive(Debug)]
pub struct Spare(Option<File>);

impl Spare {
    /// A descriptor of nothing in particular.
    ///
    /// # Errors
    /// When there is none even now: nobody could ever be let in.
    pub fn open() -> io::Result<Self> {
        File::open("/dev/null").map(Some).map(Self)
    }

    /// Does `act` with a descriptor more than there are.
    pub fn lent<T>(&mut self, act: impl FnOnce() -> T) -> T {
        self.0 = None;
        let done = act();
        self.0 = File::open("/dev/null").ok();
        done
    }
}

/// Tells if an error means that there are no descriptors left, of the program or of the system.
pub fn is_exhausted(error: &io::Error) -> bool {
    [Errno::MFILE, Errno::NFILE].map(|errno| Some(errno.raw_os_error())).contains(&error.raw_os_error())
}
