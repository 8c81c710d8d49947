//! Connection update and connection parameters request. Core 6.0, Vol 6, Part B, 5.1.1 and 5.1.7.

use alloc::vec;
use alloc::vec::Vec;

use super::effect::{Effect, Told};
use super::facts::Facts;
use crate::hci::Status;
use crate::ll::connection::Timing;
use crate::ll::control::{ConnectionUpdate, Control, ParameterRequest, opcode};
use crate::ll::pdu::{UNIT_1_25_MS, UNIT_10_MS, timing_is_valid, window_fits};
use crate::words::Role;

/// Connection update of one connection, and the request for one.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct ParameterUpdate {
    asked: Asked,
    /// Update that waits for its instant.
    pending: Option<ConnectionUpdate>,
    /// A request of the peer that the host has not answered yet.
    owed: bool,
}

/// Progress of what the host has asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Asked {
    #[default]
    Nothing,
    /// LL_CONNECTION_PARAM_REQ with this has been sent.
    Request(ParameterRequest),
    /// LL_CONNECTION_UPDATE_IND has been sent.
    Update,
}

/// Input of connection update and parameters request.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Input {
    /// The turn of an update of ours has come.
    Asked(Timing),
    /// The turn of a request of ours has come.
    AskedFor(ParameterRequest),
    /// LL_CONNECTION_PARAM_REQ.
    Requested {
        /// Parameters wanted.
        request: ParameterRequest,
        /// Reason why a central is to refuse that now.
        collision: Option<Status>,
    },
    /// Host's answer to the peer's request.
    Decided(Result<ParameterRequest, Status>),
    /// LL_CONNECTION_PARAM_RSP.
    Answered(ParameterRequest),
    /// LL_CONNECTION_UPDATE_IND.
    Indicated(ConnectionUpdate),
    /// The instant of what is pending has come.
    Instant,
    /// The peer has refused ours.
    Refused(Status),
}

impl ParameterUpdate {
    /// Takes an input in.
    pub fn handle(&mut self, facts: &Facts<'_>, input: Input) -> Vec<Effect> {
        match (input, facts.role) {
            (Input::Asked(timing), Role::Central) if facts.personality.central_requests => {
                let request = request_for(timing);
                self.asked = Asked::Request(request);
                vec![Effect::Send(Control::ConnectionParamReq(request))]
            }
            (Input::Asked(timing), _) => {
                self.asked = Asked::Update;
                vec![self.announce(facts, timing)]
            }
            (Input::AskedFor(request), _) => {
                self.asked = Asked::Request(request);
                vec![Effect::Send(Control::ConnectionParamReq(request))]
            }
            (Input::Requested { request, collision }, _) => vec![self.requested(facts, request, collision)],
            (Input::Decided(answer), role) => {
                self.owed = false;
                vec![match (answer, role) {
                    (Err(reason), _) => refusal(reason),
                    (Ok(accepted), Role::Peripheral) => Effect::Send(Control::ConnectionParamRsp(accepted)),
                    (Ok(accepted), Role::Central) => self.announce(facts, longest(accepted)),
                }]
            }
            (Input::Answered(answer), Role::Central) if matches!(self.asked, Asked::Request(_)) => {
                self.asked = Asked::Update;
                vec![self.announce(facts, longest(answer))]
            }
            (Input::Indicated(update), Role::Peripheral) if is_valid(&update) => {
                if !facts.is_ahead(update.instant) {
                    return vec![Effect::End(Status::INSTANT_PASSED)];
                }
                self.pending = Some(update);
                vec![]
            }
            (Input::Answered(_) | Input::Indicated(_), _) => vec![],
            (Input::Instant, _) => self.pending.take().map_or(vec![], |update| self.change(facts, update)),
            (Input::Refused(reason), role) => match (core::mem::take(&mut self.asked), role) {
                (Asked::Nothing, _) => vec![],
                // A peer that cannot, or whose host does not say, is told. Core 6.0, Vol 6, Part B, 5.1.7.
                (Asked::Request(request), Role::Central) if reason == Status::UNSUPPORTED_REMOTE_FEATURE => {
                    self.asked = Asked::Update;
                    vec![self.announce(facts, longest(request))]
                }
                (Asked::Request(_) | Asked::Update, _) => vec![Effect::Tell(Told::Parameters(reason)), Effect::Over],
            },
        }
    }

    /// Event counter at which what is pending takes effect.
    pub fn instant(&self) -> Option<u16> {
        self.pending.map(|update| update.instant)
    }

    /// True while the host owes an answer to the peer's request.
    pub fn owes_answer(&self) -> bool {
        self.owed
    }

    /// Says to the peripheral what holds from an instant on.
    fn announce(&mut self, facts: &Facts<'_>, timing: Timing) -> Effect {
        let update = ConnectionUpdate {
            win_size: 1,
            win_offset: 0,
            interval: (timing.interval / UNIT_1_25_MS) as u16,
            latency: timing.latency,
            timeout: (timing.timeout / UNIT_10_MS) as u16,
            instant: facts.instant(),
        };
        self.pending = Some(update);
        Effect::Send(Control::ConnectionUpdateInd(update))
    }

    fn requested(&mut self, facts: &Facts<'_>, request: ParameterRequest, collision: Option<Status>) -> Effect {
        let bad = request.interval_min > request.interval_max
            || !(6..=3200).contains(&request.interval_min)
            || request.interval_max > 3200;
        match collision {
            _ if bad => refusal(Status::INVALID_LL_PARAMETERS),
            _ if !facts.personality.parameter_request => {
                Effect::Send(Control::UnknownRsp { opcode: opcode::CONNECTION_PARAM_REQ })
            }
            Some(reason) if facts.role == Role::Central => refusal(reason),
            // A host that does not take the event leaves the answer to its controller, which says no.
            _ if !facts.host_decides => refusal(Status::UNSUPPORTED_REMOTE_FEATURE),
            _ => {
                self.owed = true;
                Effect::Tell(Told::ParameterRequest(request))
            }
        }
    }

    fn change(&mut self, facts: &Facts<'_>, update: ConnectionUpdate) -> Vec<Effect> {
        let timing = timing(update.interval, update.latency, update.timeout);
        let asked = core::mem::take(&mut self.asked) != Asked::Nothing;
        let offset = UNIT_1_25_MS * u64::from(update.win_offset);
        let window = UNIT_1_25_MS * u64::from(update.win_size);
        let told = (asked || timing != facts.timing).then_some(Effect::Tell(Told::Parameters(Status::SUCCESS)));
        let over = asked.then_some(Effect::Over);
        [Effect::Timing { timing, offset, window }].into_iter().chain(told).chain(over).collect()
    }
}

/// Link parameters from their fields on the air.
pub fn timing(interval: u16, latency: u16, timeout: u16) -> Timing {
    Timing { interval: UNIT_1_25_MS * u64::from(interval), latency, timeout: UNIT_10_MS * u64::from(timeout) }
}

/// Request for exactly this.
fn request_for(timing: Timing) -> ParameterRequest {
    let interval = (timing.interval / UNIT_1_25_MS) as u16;
    let timeout = (timing.timeout / UNIT_10_MS) as u16;
    ParameterRequest { interval_min: interval, interval_max: interval, latency: timing.latency, timeout }
}

/// The longest interval of those accepted.
fn longest(accepted: ParameterRequest) -> Timing {
    timing(accepted.interval_max, accepted.latency, accepted.timeout)
}

fn is_valid(update: &ConnectionUpdate) -> bool {
    timing_is_valid(update.interval, update.latency, update.timeout)
        && window_fits(update.win_size, update.win_offset, update.interval)
}

fn refusal(reason: Status) -> Effect {
    Effect::Send(Control::RejectExtInd { opcode: opcode::CONNECTION_PARAM_REQ, reason })
}
