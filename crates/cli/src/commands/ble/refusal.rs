//! Reasons that a measurement does not come about.

use airtime_app::Outcome;

use super::super::reasons::{State, Test};

/// Reason that there is no figure.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(not(unix), allow(dead_code, reason = "controllers are for UNIX"))]
pub enum Refusal {
    /// There is no adapter.
    NoAdapter {
        /// Error of the system.
        why: String,
    },
    /// The adapter is somebody else's.
    NoPermission,
    /// It is there, and does not answer, or has gone.
    Adapter {
        /// Thing that it does not do.
        why: String,
    },
    /// The system's own Bluetooth refuses.
    System {
        /// Reason, with what to do.
        why: String,
    },
    /// No stream has begun.
    Unmet(State),
    /// The test ended by itself.
    Ended {
        /// Its outcome.
        outcome: Outcome,
        /// Whole seconds of the stream before that.
        seconds: usize,
    },
    /// Somebody stopped it before there was a stream.
    Stopped,
}

impl Refusal {
    /// The reason in words, with what to do, for whoever asked for `test`.
    pub fn said(&self, test: &Test<'_>) -> String {
        let place = test.place;
        match self {
            // What is plugged in, or what the kernel has, is told with the reason.
            Self::NoAdapter { why } if place.starts_with("usb") || place.starts_with("hci") => why.clone(),
            Self::Adapter { why } if place.starts_with("hci") => why.clone(),
            Self::NoAdapter { why } => {
                format!(
                    "there is no controller at {place}: {why}; `ls /dev/serial/by-id` names the ports that there are"
                )
            }
            Self::NoPermission => {
                format!(
                    "{place}: permission denied; on Linux the user has to be in the group of the port, `dialout` or `uucp`"
                )
            }
            Self::Adapter { why } => format!("{place}: {why}"),
            Self::System { why } => why.clone(),
            Self::Unmet(state) => test.unmet(state),
            Self::Ended { outcome, seconds } => test.ended(*outcome, *seconds),
            Self::Stopped => "stopped before the stream began".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use airtime_core::Duration;
    use airtime_lab::Library;
    use airtime_live::ble::options::host;

    use super::super::back_end::{BackEnd, Status, measure};
    use super::*;

    /// A platform that goes through these states, a second each, stays in the last, and is asked to stop behind so many.
    struct Fake {
        states: Vec<Result<Status, &'static str>>,
        at: usize,
        stops: usize,
    }

    impl BackEnd for Fake {
        fn go_on(&mut self, _: Duration) -> Result<(), Refusal> {
            assert!(self.at <= self.stops, "it goes on for ever");
            self.at += 1;
            match &self.states[(self.at - 1).min(self.states.len() - 1)] {
                Ok(_) => Ok(()),
                Err(why) => Err(Refusal::Adapter { why: (*why).to_owned() }),
            }
        }

        fn status(&self) -> Status {
            self.states[(self.at - 1).min(self.states.len() - 1)].clone().unwrap_or_default()
        }

        fn is_stopped(&self) -> bool {
            self.at >= self.stops
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

    fn on(states: Vec<Result<Status, &'static str>>, stops: usize) -> (Result<Status, Refusal>, usize) {
        let mut told = 0;
        let measured = measure(&mut Fake { states, at: 0, stops }, Duration::from_secs(3), |_| told += 1);
        (measured, told)
    }

    const NEVER: usize = 100;

    #[test]
    fn a_stream_is_told_each_second_to_its_end() {
        let looking = Status { up: true, ready: true, ..Status::default() };
        let states: Vec<_> = std::iter::once(looking).chain((0..9).map(streaming)).map(Ok).collect();
        assert_eq!(on(states.clone(), NEVER), (Ok(streaming(3)), 5));
        // Whoever stops it has what was measured by then, or the reason that nothing was.
        assert_eq!(on(states.clone(), 4), (Ok(streaming(2)), 4));
        assert_eq!(on(states, 1), (Err(Refusal::Stopped), 1));
    }

    #[test]
    fn each_refusal_says_what_to_do() {
        let config = host("coc-sink", Some("central"), &Library::builtin()).unwrap();
        let test = Test { config: &config, place: "unix:fake", name: "--name", psm: "--psm " };
        let ended = |outcome, seconds| Status { ended: Some(outcome), ..streaming(seconds) };
        let ready = Status { up: true, ready: true, connections: 1, ..Status::default() };
        for (state, words) in [
            (Ok(ended(Outcome::ScanTimeout, 0)), "--name says who is meant"),
            (Ok(ended(Outcome::NoService, 0)), "--psm 0x0080"),
            (Ok(ended(Outcome::ChannelRefused { result: 2 }, 0)), "no channels on the PSM that it publishes (0x0002)"),
            (Ok(ended(Outcome::Disconnected { reason: 0x08 }, 2)), "gone after 2 s of the stream (0x08"),
            (Ok(ended(Outcome::Disconnected { reason: 0x13 }, 1)), "ended after 1 s of the stream (0x13)"),
            (Ok(ended(Outcome::Disconnected { reason: 0x13 }, 0)), "the connection ended (0x13)"),
            (Ok(Status::default()), "unix:fake has not answered HCI Reset"),
            (Ok(Status { up: true, ..Status::default() }), "HCI Reset, and no more; reset the board"),
            (Ok(Status { step: Some("the PHY update"), ..ready.clone() }), "the PHY update is not answered"),
            (Ok(Status { connections: 0, ..ready.clone() }), "nobody advertises as `nRF54L15_Test`"),
            (Ok(ready), "is connected, and no stream begins"),
            (Err("the controller has gone"), "unix:fake: the controller has gone"),
        ] {
            let refused = on(vec![state], NEVER).0.unwrap_err().said(&test);
            assert!(refused.contains(words), "{refused}");
        }
    }
}
