//! The one CPU of the co-processor: frames towards the air and frames from it take turns.

use alloc::collections::VecDeque;

use airtime_core::{Duration, Instant, Packet};

use crate::wire::RxInfo;

/// Job of the CPU.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Job {
    /// Moves a frame from an SDIO buffer to the Wi-Fi driver.
    ToAir,
    /// Moves a frame from the Wi-Fi driver to an SDIO buffer.
    FromAir,
}

/// Content of a Wi-Fi receive buffer.
#[derive(Debug)]
pub(super) enum Received {
    /// An Ethernet frame for the host.
    Frame(Packet),
    /// Frame that was overheard, FCS included.
    Heard(Packet, RxInfo),
}

/// The CPU with the Wi-Fi receive buffers in front of it.
#[derive(Debug)]
pub(super) struct Cpu {
    running: Option<(Job, Instant)>,
    last: Job,
    /// Frames in Wi-Fi receive buffers.
    received: VecDeque<Received>,
    buffers: usize,
    /// A frame that found no SDIO buffer: the Wi-Fi task stands still with it.
    held: Option<Packet>,
    /// Total time of all jobs that it has started.
    started: Duration,
}

impl Cpu {
    pub(super) fn new(buffers: u16) -> Self {
        let buffers = usize::from(buffers);
        let received = VecDeque::with_capacity(buffers);
        Self { running: None, last: Job::FromAir, received, buffers, held: None, started: Duration::ZERO }
    }

    /// Something has come by air; given back when the receive buffers are used up.
    pub(super) fn receive(&mut self, received: Received) -> Result<(), Received> {
        if self.receiving() >= self.buffers {
            return Err(received);
        }
        self.received.push_back(received);
        Ok(())
    }

    /// Starts what is next, if it is idle; `to_air` is what a frame towards the air costs, if one waits. The two
    /// directions take turns: *assumed*; which task runs first is up to a scheduler nobody has traced.
    pub(super) fn start(&mut self, now: Instant, to_air: Option<Duration>, from_air: Duration) {
        if self.running.is_some() {
            return;
        }
        let from_air = (self.held.is_none() && !self.received.is_empty()).then_some(from_air);
        let next = match (to_air, from_air) {
            (Some(cost), None) => Some((Job::ToAir, cost)),
            (Some(cost), Some(_)) if self.last == Job::FromAir => Some((Job::ToAir, cost)),
            (_, Some(cost)) => Some((Job::FromAir, cost)),
            (None, None) => None,
        };
        self.running = next.map(|(job, cost)| (job, now + cost));
        self.started += next.map_or(Duration::ZERO, |(_, cost)| cost);
    }

    /// Job that it has finished by now. A packet that came from the air comes with it.
    pub(super) fn finish(&mut self, now: Instant) -> Option<(Job, Option<Received>)> {
        let (job, _) = self.running.filter(|(_, until)| *until <= now)?;
        (self.running, self.last) = (None, job);
        let frame = if job == Job::FromAir { self.received.pop_front() } else { None };
        Some((job, frame))
    }

    /// No SDIO buffer was free for `frame`.
    pub(super) fn hold(&mut self, frame: Packet) {
        self.held = Some(frame);
    }

    /// An SDIO buffer may be free again.
    pub(super) fn release(&mut self) -> Option<Packet> {
        self.held.take()
    }

    /// Time that it has worked up to `now`. A job that a reset has cut off counts as a whole.
    pub(super) fn busy(&self, now: Instant) -> Duration {
        let left = self.running.map_or(Duration::ZERO, |(_, until)| until.saturating_since(now));
        self.started.saturating_sub(left)
    }

    /// True while it does nothing.
    pub(super) fn is_idle(&self) -> bool {
        self.running.is_none()
    }

    /// True while it works on a frame towards the air.
    pub(super) fn sends(&self) -> bool {
        matches!(self.running, Some((Job::ToAir, _)))
    }

    /// Frames in Wi-Fi receive buffers.
    pub(super) fn receiving(&self) -> usize {
        self.received.len() + usize::from(self.held.is_some())
    }

    /// Starts again: what it held is lost.
    pub(super) fn reset(&mut self) -> usize {
        let lost = self.receiving();
        (self.running, self.held) = (None, None);
        self.received.clear();
        lost
    }

    /// Instant at which it has finished; far in the future while it is idle.
    pub(super) fn due(&self) -> Instant {
        self.running.map_or(Instant::FAR_FUTURE, |(_, until)| until)
    }
}

#[cfg(test)]
mod tests {
    use airtime_core::Pool;

    use super::*;

    #[test]
    fn directions_take_turns_and_a_held_frame_stops_one_of_them() {
        let (mut cpu, pool) = (Cpu::new(3), Pool::new());
        let us = Duration::from_micros;
        for octet in 1..=3 {
            assert!(cpu.receive(Received::Frame(pool.copy(&[octet]))).is_ok());
        }
        assert!(cpu.receive(Received::Frame(pool.copy(&[4]))).is_err(), "three buffers");
        let mut jobs = alloc::vec::Vec::new();
        for _ in 0..4 {
            let now = Instant::ZERO;
            cpu.start(now, Some(us(5)), us(7));
            assert!(cpu.finish(now).is_none());
            let (job, received) = cpu.finish(cpu.due()).expect("something ran");
            match received {
                Some(Received::Frame(frame)) if frame[0] == 2 => cpu.hold(frame),
                _ => {}
            }
            jobs.push(job);
        }
        assert_eq!(cpu.busy(Instant::ZERO + us(7)), us(24), "each job was finished when it was done");
        assert_eq!(jobs, [Job::ToAir, Job::FromAir, Job::ToAir, Job::FromAir]);
        cpu.start(Instant::ZERO, None, us(7));
        assert_eq!(cpu.due(), Instant::FAR_FUTURE, "the Wi-Fi task stands still");
        assert_eq!(cpu.receiving(), 2);
        assert_eq!(cpu.release().as_deref(), Some(&[2][..]));
        cpu.start(Instant::ZERO, None, us(7));
        assert_eq!(cpu.due(), Instant::ZERO + us(7));
    }
}
