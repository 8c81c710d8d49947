//! Sink for finished bytes.

use alloc::boxed::Box;
use alloc::vec::Vec;

/// Takes the bytes of a capture in order, as they are finished.
///
/// A writer hands over whole blocks or records, so what has been taken is a readable capture at any time. A sink that
/// can fail keeps its first error for whoever owns it, and drops what comes behind.
pub trait Sink {
    /// Appends `bytes`.
    fn put(&mut self, bytes: &[u8]);

    /// Appends bytes that whatever comes behind needs: headers, interfaces, tracks. Who begins another file repeats them there.
    fn put_head(&mut self, bytes: &[u8]) {
        self.put(bytes);
    }

    /// Tells if bytes were dropped, so that nobody need make more of them.
    fn has_failed(&self) -> bool {
        false
    }
}

impl Sink for Vec<u8> {
    fn put(&mut self, bytes: &[u8]) {
        self.extend_from_slice(bytes);
    }
}

impl<S: Sink + ?Sized> Sink for &mut S {
    fn put(&mut self, bytes: &[u8]) {
        (**self).put(bytes);
    }

    fn put_head(&mut self, bytes: &[u8]) {
        (**self).put_head(bytes);
    }

    fn has_failed(&self) -> bool {
        (**self).has_failed()
    }
}

impl<S: Sink + ?Sized> Sink for Box<S> {
    fn put(&mut self, bytes: &[u8]) {
        (**self).put(bytes);
    }

    fn put_head(&mut self, bytes: &[u8]) {
        (**self).put_head(bytes);
    }

    fn has_failed(&self) -> bool {
        (**self).has_failed()
    }
}
