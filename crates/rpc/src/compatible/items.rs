//! Items of a stream, which the published protocol does not number.

/// Sees by the counters of seals whether an item of a stream is missing. In the open nobody can tell.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Items {
    next: Option<u32>,
}

impl Items {
    /// Takes the counter of the next item; says whether there should have been one before it.
    pub fn missed(&mut self, counter: u32) -> bool {
        let missed = self.next.is_some_and(|next| next != counter);
        self.next = Some(counter.wrapping_add(1));
        missed
    }
}
