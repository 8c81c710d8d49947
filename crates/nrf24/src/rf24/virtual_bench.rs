//! The bench of the lab's virtual time.

use alloc::rc::Rc;

use airtime_core::{Duration, Instant, Pool};

use super::bench::Bench;
use crate::trace::{Activity, Note};
use crate::wires::Task;
use crate::wires::queue::Outbox;

/// Bench of a program in virtual time.
#[derive(Debug)]
pub(super) struct VirtualBench {
    /// Task of the program.
    pub task: Task,
    /// Payloads that came to the application.
    pub out: Rc<Outbox>,
    /// Source of packets.
    pub pool: Pool,
}

impl Bench for VirtualBench {
    fn now(&self) -> Instant {
        self.task.now()
    }

    async fn wait(&self, until: Instant) {
        self.task.until_any(Activity::NoData, false, None, Some(until)).await;
    }

    async fn sleep(&self, span: Duration) {
        self.task.sleep(span).await;
    }

    async fn spin(&self, until: Instant) {
        self.task.pause(until.saturating_since(self.task.now())).await;
    }

    async fn look_out(&self, until: Instant) {
        self.task.spend(Activity::NoData, until).await;
    }

    fn note(&self, note: Note) {
        self.task.note(note);
    }

    fn received(&self, payload: &[u8]) {
        self.out.borrow_mut().push_back(self.pool.copy(payload));
    }
}
