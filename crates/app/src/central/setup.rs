//! From a fresh connection to the stream, step by step.

use airtime_core::{Duration, Instant};

use super::{Central, Outcome, Phase, Step};
use crate::config::{CentralConfig, DataLengthStep, Transport};
use crate::link::{Link, patience};
use crate::{Command, Event, Phy};

/// An ATT transaction or a signalling request that is not answered in this time has failed. Core
/// 6.0, Vol 3, Part F, 3.3.3, and Part A, 6.2.1.
const TRANSACTION_TIMEOUT: Duration = Duration::from_secs(30);

impl Step {
    /// Tells if this test has the step.
    fn is_wanted(self, config: &CentralConfig, link: &Link) -> bool {
        let stream = &config.stream;
        let gatt = stream.transport == Transport::Gatt;
        let longer = config.data_octets > link.data_octets;
        match self {
            Self::DataLength => longer && config.data_length == DataLengthStep::First,
            Self::LateDataLength => longer && config.data_length == DataLengthStep::AfterChannels,
            Self::Interval => config.interval.request.is_some(),
            Self::Phy => config.phy != Phy::Le1M,
            Self::FrameSpace => config.frame_space.is_some(),
            Self::Encryption => config.encrypted,
            Self::Mtu => config.exchange_mtu,
            Self::Discovery => gatt || config.psm.is_none(),
            Self::Subscription => gatt && (stream.direction.from_peripheral() || stream.requests.is_some()),
            Self::Channels => !gatt,
        }
    }

    /// Longest time that the step may take.
    fn time(self, config: &CentralConfig, link: &Link) -> Duration {
        let procedure = patience(link.interval, config.interval.latency);
        match self.can_be_missed() {
            true => procedure,
            false => procedure + TRANSACTION_TIMEOUT,
        }
    }
}

impl Central {
    /// Goes to the next step behind `done`, or to the stream when there is none.
    pub(super) fn proceed(&mut self, now: Instant, index: usize, done: Option<Step>) {
        let slot = &mut self.slots[index];
        let Some(link) = &slot.link else { return };
        let mut ahead = Step::ALL.into_iter().filter(|step| done.is_none_or(|done| *step > done));
        let Some(step) = ahead.find(|step| step.is_wanted(&self.config, link)) else {
            return self.start_stream(index);
        };
        slot.phase = Phase::Setup { step, until: now + step.time(&self.config, link) };
        self.issue(now, index, step);
    }

    fn issue(&mut self, now: Instant, index: usize, step: Step) {
        let slot = &mut self.slots[index];
        let Some(link) = &mut slot.link else { return };
        let conn = link.conn();
        let command = match step {
            // Its command comes with those of the interval's later changes.
            Step::Interval => return link.intervals.begin(now, link.interval),
            Step::DataLength | Step::LateDataLength => Command::SetDataLength { conn, octets: self.config.data_octets },
            Step::Phy => Command::SetPhy { conn, phy: self.config.phy },
            Step::FrameSpace => match self.config.frame_space {
                Some(space) => Command::SetFrameSpace { conn, space },
                None => return,
            },
            Step::Encryption => Command::Encrypt { conn },
            Step::Mtu => Command::ExchangeMtu { conn },
            Step::Discovery => Command::Discover { conn },
            Step::Subscription => Command::Subscribe { conn },
            Step::Channels => match slot.psm.or(self.config.psm) {
                Some(psm) => Command::OpenChannel { conn, psm },
                None => return self.fail(index, Outcome::NoService),
            },
        };
        self.queue.push(command);
    }

    fn start_stream(&mut self, index: usize) {
        let slot = &mut self.slots[index];
        slot.phase = Phase::Streaming;
        if let Some(link) = &mut slot.link {
            link.sender.enable(self.config.stream.direction.from_central());
        }
    }

    /// Ends the test with this peripheral.
    fn fail(&mut self, index: usize, outcome: Outcome) {
        let slot = &mut self.slots[index];
        slot.phase = Phase::Ended;
        slot.outcome = Some(outcome);
        if let Some(link) = &mut slot.link {
            link.sender.enable(false);
            self.queue.push(Command::Disconnect { conn: link.conn() });
        }
    }

    /// The step under way has taken too long.
    pub(super) fn overdue(&mut self, now: Instant, index: usize, step: Step) {
        match step.can_be_missed() {
            true => self.proceed(now, index, Some(step)),
            false => self.fail(index, Outcome::SetupFailed { step, status: None }),
        }
    }

    /// An event of the connection with peripheral `index` that may end a step.
    pub(super) fn setup_event(&mut self, now: Instant, index: usize, event: Event) {
        let slot = &mut self.slots[index];
        let Some(link) = &mut slot.link else { return };
        let step = match slot.phase {
            Phase::Setup { step, .. } => Some(step),
            _ => None,
        };
        let ended = match event {
            Event::DataLength { tx_octets, .. } => {
                link.data_octets = tx_octets;
                matches!(step, Some(Step::DataLength | Step::LateDataLength))
            }
            Event::IntervalUpdated { status, interval, .. } => {
                link.interval_updated(now, status, interval);
                step == Some(Step::Interval)
            }
            Event::PhyUpdated { status, .. } => {
                link.phy_updated(now, status);
                step == Some(Step::Phy)
            }
            Event::FrameSpace { .. } => step == Some(Step::FrameSpace),
            Event::Encrypted { status, .. } if step == Some(Step::Encryption) && status != 0 => {
                return self.fail(index, Outcome::SetupFailed { step: Step::Encryption, status: Some(status) });
            }
            Event::Encrypted { .. } => step == Some(Step::Encryption),
            Event::MtuExchanged { mtu, .. } => {
                link.mtu_exchanged(mtu);
                step == Some(Step::Mtu)
            }
            Event::Discovered { psm, stream, .. } => {
                slot.psm = psm;
                let found = match self.config.stream.transport {
                    Transport::Coc => psm.is_some(),
                    Transport::Gatt => stream,
                };
                if step == Some(Step::Discovery) && !found {
                    return self.fail(index, Outcome::NoService);
                }
                step == Some(Step::Discovery)
            }
            Event::Subscribed { .. } => step == Some(Step::Subscription),
            Event::ChannelOpened { channel, peer_mtu, .. } => {
                link.open(channel, peer_mtu);
                if step == Some(Step::Channels) && link.opened() < self.channels() {
                    return self.issue(now, index, Step::Channels);
                }
                step == Some(Step::Channels)
            }
            Event::ChannelRefused { result, .. } if step == Some(Step::Channels) => {
                return self.fail(index, Outcome::ChannelRefused { result });
            }
            Event::ChannelClosed { channel, .. } => {
                link.close(channel);
                if link.is_closed() && slot.outcome.is_none() {
                    self.fail(index, Outcome::ChannelsClosed);
                }
                false
            }
            _ => false,
        };
        if ended {
            self.proceed(now, index, step);
        }
    }
}
