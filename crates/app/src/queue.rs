//! Commands that wait to be polled.

use crate::{Command, LINKS_MAX};

/// Every event leaves at most two commands per connection, and the machine is drained after each.
const WAITING_MAX: usize = 2 * LINKS_MAX;

#[derive(Clone, Debug)]
pub(crate) struct Queue {
    commands: [Option<Command>; WAITING_MAX],
    first: usize,
    count: usize,
}

impl Default for Queue {
    fn default() -> Self {
        Self { commands: [const { None }; WAITING_MAX], first: 0, count: 0 }
    }
}

impl Queue {
    /// Adds a command behind the others.
    ///
    /// # Panics
    /// When the machine was not drained between events.
    pub(crate) fn push(&mut self, command: Command) {
        assert!(self.count < WAITING_MAX, "the application is polled to the end after every event");
        self.commands[(self.first + self.count) % WAITING_MAX] = Some(command);
        self.count += 1;
    }

    #[inline]
    pub(crate) fn pop(&mut self) -> Option<Command> {
        if self.count == 0 {
            return None;
        }
        let command = self.commands[self.first].take();
        self.first = (self.first + 1) % WAITING_MAX;
        self.count -= 1;
        command
    }
}
