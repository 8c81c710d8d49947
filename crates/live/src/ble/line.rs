//! Line to somebody else's controller: packets out of its octets, which begin with the answer to an HCI Reset.
//!
//! A board that boots on a serial line prints text first, and may miss the Reset meanwhile; noise and a reset of the board are met
//! later. Whatever is no packet is passed over, and the Reset is sent again: Core 6.0, Vol 4, Part A, 4.

use airtime_ble::hci::{H4, event, opcode};
use airtime_core::{Duration, Instant, Packet, Pool};

use crate::ble::h4::Framer;

/// Time without an octet after which a board has said its text. *Assumed*: a pause between two lines is shorter.
const QUIET: Duration = Duration::from_millis(100);

/// Time after which a Reset that is not answered is sent again. *Assumed*: controllers answer in milliseconds, and boards boot in
/// a second.
const AGAIN_AFTER: Duration = Duration::from_secs(1);

/// Time after which a controller that has not answered counts as not there.
pub const PATIENCE: Duration = Duration::from_secs(5);

/// Line to a controller.
#[derive(Debug)]
pub struct Line {
    framer: Framer,
    state: State,
}

/// State of the controller at the other end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Nothing was asked of it.
    Unknown,
    /// It was reset first at `since`, and is to be again at `again`.
    Asked { since: Instant, again: Instant },
    /// It has answered.
    Up,
    /// It was given up.
    Silent,
}

/// Deed that a line asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Due {
    /// Nothing is to be done now.
    Nothing,
    /// The Reset is to be sent, once more.
    Reset,
    /// The controller has not answered in [`PATIENCE`].
    GivenUp,
}

impl Default for Line {
    fn default() -> Self {
        Self { framer: Framer::of_controller(), state: State::Unknown }
    }
}

impl Line {
    /// True once the controller has answered the last Reset.
    pub fn is_up(&self) -> bool {
        self.state == State::Up
    }

    /// The host sends `packet`.
    pub fn sends(&mut self, now: Instant, packet: &[u8]) {
        if matches!(H4::parse(packet), Ok(H4::Command { opcode: opcode::RESET, .. })) {
            self.state = State::Asked { since: now, again: now + AGAIN_AFTER };
        }
    }

    /// Octets of the controller have come.
    pub fn receive(&mut self, now: Instant, bytes: &[u8]) {
        self.framer.push(bytes);
        if let State::Asked { again, .. } = &mut self.state
            && self.framer.is_lost()
        {
            *again = now + QUIET;
        }
    }

    /// The next packet. Where the stream stops making sense there is none, and [`is_lost`](Self::is_lost) says so.
    pub fn packet(&mut self, now: Instant, pool: &Pool) -> Option<Packet> {
        let mut packet = pool.copy(self.framer.packet()?);
        if self.framer.is_lost() {
            // That was the octet which shows it.
            if let State::Asked { again, .. } = &mut self.state {
                *again = now + QUIET;
            }
            packet = pool.copy(self.framer.packet()?);
        }
        if is_reset_done(&packet) {
            self.state = State::Up;
        }
        Some(packet)
    }

    /// True if a controller that had answered makes no sense any more: it is to be reset.
    pub fn is_lost(&self) -> bool {
        self.is_up() && self.framer.is_lost()
    }

    /// Instant at which it wants [`wake`](Self::wake).
    pub fn deadline(&self) -> Option<Instant> {
        match self.state {
            State::Asked { since, again } => Some(again.min(since + PATIENCE)),
            _ => None,
        }
    }

    /// Tells what is to be done now.
    pub fn wake(&mut self, now: Instant) -> Due {
        let State::Asked { since, again } = self.state else { return Due::Nothing };
        if now >= since + PATIENCE {
            self.state = State::Silent;
            return Due::GivenUp;
        }
        if now < again {
            return Due::Nothing;
        }
        // The beginning of a packet that never ended was none.
        self.framer.lose();
        self.state = State::Asked { since, again: now + AGAIN_AFTER };
        Due::Reset
    }
}

/// Command Complete with the opcode of the Reset. Core 6.0, Vol 4, Part E, 7.7.14.
fn is_reset_done(packet: &[u8]) -> bool {
    let Ok(H4::Event { code: event::COMMAND_COMPLETE, params }) = H4::parse(packet) else { return false };
    params.get(1..3).is_some_and(|of| of == opcode::RESET.0.to_le_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ble::h4::RESET;

    const DONE: [u8; 7] = [4, 0x0e, 4, 1, 3, 0x0c, 0];

    fn at(ms: u64) -> Instant {
        Instant::from_nanos(ms * 1_000_000)
    }

    fn asked() -> Line {
        let mut line = Line::default();
        line.sends(at(0), &RESET);
        line
    }

    fn heard(line: &mut Line, ms: u64, bytes: &[u8]) -> Vec<Vec<u8>> {
        let pool = Pool::new();
        line.receive(at(ms), bytes);
        std::iter::from_fn(|| line.packet(at(ms), &pool).map(|packet| packet.to_vec())).collect()
    }

    #[test]
    fn an_answer_ends_the_waiting() {
        let mut line = asked();
        assert_eq!((line.is_up(), line.deadline()), (false, Some(at(1_000))));
        assert_eq!(heard(&mut line, 3, &DONE), [DONE]);
        assert!(line.is_up() && line.deadline().is_none() && line.wake(at(9_000)) == Due::Nothing);
    }

    #[test]
    fn a_silent_controller_is_asked_again_each_second_and_then_given_up() {
        let mut line = asked();
        let due: Vec<Due> = (1..=5).map(|second| line.wake(at(1_000 * second))).collect();
        assert_eq!(due, [Due::Reset, Due::Reset, Due::Reset, Due::Reset, Due::GivenUp]);
        assert!(!line.is_up() && line.deadline().is_none());
    }

    #[test]
    fn text_is_passed_over_and_the_reset_sent_when_it_has_ended() {
        let mut line = asked();
        assert!(heard(&mut line, 200, b"*** Booting").is_empty());
        assert_eq!(line.deadline(), Some(at(300)));
        assert!(heard(&mut line, 290, b" Zephyr ***\r\n").is_empty());
        assert_eq!((line.wake(at(300)), line.deadline()), (Due::Nothing, Some(at(390))));
        assert_eq!(line.wake(at(390)), Due::Reset);
        assert_eq!(heard(&mut line, 392, &[&b"\n"[..], &DONE].concat()), [DONE]);
        assert!(line.is_up());
    }

    #[test]
    fn half_a_packet_is_not_waited_for_beyond_the_next_reset() {
        let mut line = asked();
        assert!(heard(&mut line, 10, &[4, 0x3e, 200, 1]).is_empty());
        assert_eq!(line.wake(at(1_000)), Due::Reset);
        assert_eq!(heard(&mut line, 1_001, &DONE), [DONE]);
    }

    #[test]
    fn a_stream_that_is_lost_later_says_so() {
        let mut line = asked();
        heard(&mut line, 3, &DONE);
        assert!(!line.is_lost() && heard(&mut line, 9, b"panic").is_empty() && line.is_lost());
        line.sends(at(10), &RESET);
        assert!(!line.is_lost() && heard(&mut line, 11, b"ked\r\n").is_empty());
        assert_eq!(line.wake(at(111)), Due::Reset);
        assert_eq!(heard(&mut line, 112, &DONE), [DONE]);
    }
}
