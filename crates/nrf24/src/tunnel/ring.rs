//! A queue of fixed size.

/// First in, first out, at most `N` of them.
#[derive(Clone, Debug)]
pub(super) struct Ring<T, const N: usize> {
    items: [T; N],
    first: usize,
    len: usize,
}

impl<T: Copy, const N: usize> Ring<T, N> {
    /// An empty one; `filler` is never read.
    pub(super) const fn new(filler: T) -> Self {
        Self { items: [filler; N], first: 0, len: 0 }
    }

    /// Number of further items that it takes.
    pub(super) const fn room(&self) -> usize {
        N - self.len
    }

    /// Appends an item; false if there is no room.
    pub(super) fn push(&mut self, item: T) -> bool {
        if self.room() == 0 {
            return false;
        }
        self.items[(self.first + self.len) % N] = item;
        self.len += 1;
        true
    }

    /// Takes the oldest item.
    pub(super) fn pop(&mut self) -> Option<T> {
        if self.len == 0 {
            return None;
        }
        let item = self.items[self.first];
        self.first = (self.first + 1) % N;
        self.len -= 1;
        Some(item)
    }

    /// The newest item.
    pub(super) fn newest_mut(&mut self) -> Option<&mut T> {
        if self.len == 0 {
            return None;
        }
        Some(&mut self.items[(self.first + self.len - 1) % N])
    }
}
