//! Cache of the answer worked out last: frames that follow one another are mostly of one length, and a division takes
//! longer than anything else that is done with them.

/// The answer to the question asked last.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Memo<Q, A>(Option<(Q, A)>);

impl<Q: Copy + PartialEq, A: Copy> Memo<Q, A> {
    /// Nothing was asked.
    pub(crate) const fn new() -> Self {
        Self(None)
    }

    /// The answer to `question`, which `work_out` finds and which must always be the same.
    #[inline]
    pub(crate) fn of(&mut self, question: Q, work_out: impl FnOnce(Q) -> A) -> A {
        match self.0 {
            Some((asked, answer)) if asked == question => answer,
            _ => self.0.insert((question, work_out(question))).1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_again_is_not_worked_out_again() {
        let (mut last, mut worked) = (Memo::new(), 0);
        let answers = [3, 3, 4, 3].map(|question| {
            last.of(question, |question| {
                worked += 1;
                question * 10
            })
        });
        assert_eq!((answers, worked), ([30, 30, 40, 30], 3));
    }
}
