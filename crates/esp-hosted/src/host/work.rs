//! Work for the CPU of the host: the machine says what there is and waits to hear that it was done; the time that takes
//! is up to whoever runs it.

/// The driver's tasks, but for the reading one, whose time is the bus's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Task {
    /// `sdio_write`: takes a frame from its queue, clears a buffer, writes the header. Then it waits for the mutex.
    Write,
    /// `sdio_rx_buf`: copies frame by frame from the double buffer to the receive queues.
    Split,
    /// `sdio_process_rx`: copies a frame once more and calls its interface.
    Dispatch,
}

/// Work that a task can do now.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Work {
    /// Frames, at least one.
    pub frames: u16,
    /// Octets of all of them.
    pub octets: u32,
    /// Octets of the first.
    pub first: u32,
}

impl Work {
    pub(super) fn add(&mut self, octets: usize) {
        if self.frames == 0 {
            self.first = octets as u32;
        }
        self.frames += 1;
        self.octets += octets as u32;
    }

    pub(super) fn some(self) -> Option<Self> {
        (self.frames > 0).then_some(self)
    }
}

/// State of the driver, for whoever wants to know why nothing moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum HostState {
    /// The transport is not up.
    Down,
    /// Nobody holds the bus.
    Idle,
    /// The writing task holds the bus and writes.
    Writing,
    /// The writing task holds the bus and has no credits: nothing can be read either.
    Credits,
    /// The reading task holds the bus.
    Reading,
}

/// Frames in the driver's queues.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct HostDepth {
    /// Frames in front of the bus, by priority; the one that the writing task holds is not among them.
    pub transmit: [u16; crate::wire::PRIORITIES],
    /// Frames of the burst that is being split.
    pub burst: u16,
    /// Behind it, by priority.
    pub receive: [u16; crate::wire::PRIORITIES],
}
