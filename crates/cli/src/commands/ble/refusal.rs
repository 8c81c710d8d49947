//! Reasons that a measurement does not come about, and what to do.

use airtime_app::Outcome;
use thiserror::Error;

/// HCI error: connection timeout. Core 6.0, Vol 1, Part F, 1.3.
const TIMEOUT: u8 = 0x08;

/// L2CAP result: SPSM not supported. Core 6.0, Vol 3, Part A, 4.23.
const NO_SUCH_PSM: u16 = 0x0002;

/// Reason that there is no figure.
#[derive(Debug, Error)]
pub enum Refusal {
    /// There is no adapter.
    #[error("there is no controller at {place}: {why}; `ls /dev/serial/by-id` names the ports that there are")]
    NoAdapter {
        /// Place of it.
        place: String,
        /// Error of the system.
        why: String,
    },
    /// The adapter is somebody else's.
    #[error("{place}: permission denied; on Linux the user has to be in the group of the port, `dialout` or `uucp`")]
    NoPermission {
        /// Place of it.
        place: String,
    },
    /// It is there, and does not answer, or has gone.
    #[error("{place}: {why}")]
    Adapter {
        /// Place of it.
        place: String,
        /// Thing that it does not do.
        why: String,
    },
    /// It has answered nothing for too long.
    #[error("the controller has answered HCI Reset, and no more; reset the board, or flash its HCI image again")]
    HalfUp,
    /// A step is not answered.
    #[error("{0} is not answered by the board")]
    Unanswered(&'static str),
    /// The board is connected, and sends nothing.
    #[error(
        "the board is connected, and no stream begins: it may wait for a longer data length, for credits, or for a subscription"
    )]
    NoStream,
    /// The test ended by itself.
    #[error("{}", ended(*outcome, *seconds))]
    Ended {
        /// Its outcome.
        outcome: Outcome,
        /// Whole seconds of the stream before that.
        seconds: usize,
    },
    /// Somebody stopped it before there was a stream.
    #[error("stopped before the stream began")]
    Stopped,
}

impl Refusal {
    /// Refusal of a state in which no stream has begun.
    pub fn unmet(status: &super::back_end::Status) -> Self {
        match (status.ready, status.step) {
            (false, _) => Self::HalfUp,
            (true, Some(step)) => Self::Unanswered(step),
            (true, None) => Self::NoStream,
        }
    }
}

fn ended(outcome: Outcome, seconds: usize) -> String {
    match outcome {
        Outcome::ScanTimeout => {
            "the scan of 15 s found nobody who advertises this name; --name says who is meant, and a board that is connected \
             already does not advertise"
                .to_owned()
        }
        Outcome::NoService => "the board has no service that publishes a PSM or the stream; --psm 0x0080 opens the channel without it".to_owned(),
        Outcome::ChannelRefused { result: NO_SUCH_PSM } => {
            "the board takes no channels on that PSM (0x0002): its log says on which it listens".to_owned()
        }
        Outcome::Disconnected { reason: TIMEOUT } => {
            format!("the board has gone after {seconds} s of the stream (0x08, supervision timeout): power, distance, or a crash of it")
        }
        Outcome::Disconnected { reason } => {
            format!("the connection ended after {seconds} s of the stream (0x{reason:02X})")
        }
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use airtime_core::Duration;

    use super::super::back_end::{BackEnd, Status, measure};
    use super::*;

    /// A platform that goes through these states, a second each, and stays in the last.
    struct Fake(Vec<Result<Status, &'static str>>, usize);

    impl BackEnd for Fake {
        fn go_on(&mut self, _: Duration) -> Result<(), Refusal> {
            self.1 += 1;
            match &self.0[(self.1 - 1).min(self.0.len() - 1)] {
                Ok(_) => Ok(()),
                Err(why) => Err(Refusal::Adapter { place: "fake".into(), why: (*why).to_owned() }),
            }
        }

        fn status(&self) -> Status {
            self.0[(self.1 - 1).min(self.0.len() - 1)].clone().unwrap_or_default()
        }
    }

    fn streaming(seconds: u64) -> Status {
        let series_kbps = vec![1_180.0; seconds as usize];
        Status {
            up: true,
            ready: true,
            streaming: Some(Duration::from_secs(seconds)),
            series_kbps,
            ..Status::default()
        }
    }

    fn on(states: Vec<Result<Status, &'static str>>) -> (Result<Status, String>, usize) {
        let mut told = 0;
        let measured = measure(&mut Fake(states, 0), Duration::from_secs(3), |_| told += 1);
        (measured.map_err(|refusal| refusal.to_string()), told)
    }

    #[test]
    fn a_stream_is_told_each_second_to_its_end() {
        let looking = Status { up: true, ready: true, ..Status::default() };
        let states = std::iter::once(looking).chain((0..9).map(streaming)).map(Ok).collect();
        assert_eq!(on(states), (Ok(streaming(3)), 5));
    }

    #[test]
    fn each_refusal_says_what_to_do() {
        let ended = |outcome, seconds| Status { ended: Some(outcome), ..streaming(seconds) };
        let ready = Status { up: true, ready: true, ..Status::default() };
        for (state, words) in [
            (Ok(ended(Outcome::ScanTimeout, 0)), "--name says who is meant"),
            (Ok(ended(Outcome::NoService, 0)), "--psm 0x0080"),
            (Ok(ended(Outcome::ChannelRefused { result: 2 }, 0)), "no channels on that PSM"),
            (Ok(ended(Outcome::Disconnected { reason: 0x08 }, 2)), "after 2 s of the stream (0x08"),
            (Ok(ended(Outcome::Disconnected { reason: 0x13 }, 1)), "after 1 s of the stream (0x13)"),
            (Ok(Status { up: true, ..Status::default() }), "HCI Reset, and no more"),
            (Ok(Status { step: Some("the PHY update"), ..ready.clone() }), "the PHY update is not answered"),
            (Ok(ready), "no stream begins"),
            (Err("the controller has gone"), "fake: the controller has gone"),
        ] {
            let refused = on(vec![state]).0.unwrap_err();
            assert!(refused.contains(words), "{refused}");
        }
    }
}
