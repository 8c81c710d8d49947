//! Notes of the tasks of a host, kept until the network asks.

use alloc::collections::VecDeque;

use airtime_core::Instant;

use crate::trace::{Activity, Note, Upload};

/// Most notes that wait; the network drains them after each step of the host, and a step makes a handful.
const NOTES_MAX: usize = 4_096;

/// Radios of a host.
const RADIOS: usize = 2;

/// A queue of notes that knows what each radio's task does, and says so only when it changes.
#[derive(Debug, Default)]
pub struct Notes {
    queue: VecDeque<Note>,
    /// None while a transaction runs, whose end is what follows it.
    activity: [Option<Activity>; RADIOS],
}

impl Notes {
    /// The task of `radio` (0 or 1) does `activity` from now on.
    pub fn activity(&mut self, radio: usize, activity: Activity) {
        // Nothing to send is what a task does before it has said anything.
        if self.activity[radio] != Some(activity) {
            self.activity[radio] = Some(activity);
            self.push(Note::Activity { radio, activity });
        }
    }

    /// The task of `radio` (0 or 1) has begun a transaction, in which CSN falls at `octets`.
    pub fn transaction(&mut self, radio: usize, octets: Instant) {
        self.activity[radio] = None;
        self.push(Note::Transaction { radio, octets });
    }

    /// Notes the composition of the payload that was just written into the TX FIFO of `radio`. To be called at the
    /// instant CSN rises.
    pub fn upload(&mut self, radio: usize, upload: Upload) {
        self.push(Note::Upload { radio, upload });
    }

    /// Adds any other note.
    ///
    /// # Panics
    /// When 4096 of them wait: nobody drains this host.
    pub fn push(&mut self, note: Note) {
        assert!(self.queue.len() < NOTES_MAX, "nobody drains the notes of a host");
        self.queue.push_back(note);
    }

    /// True if none waits.
    pub fn is_empty(&self) -> bool {
        self.queue.is_empty()
    }

    /// Takes out the oldest note.
    pub fn pop(&mut self) -> Option<Note> {
        self.queue.pop_front()
    }
}
