//! Link layer control procedures. Core 6.0, Vol 6, Part B, 5.1.
//!
//! One procedure of our own runs at a time and the others wait; a procedure of the peer is answered
//! whenever it comes. What has an instant waits in `Pending` for its event.

mod data_length;
mod encryption_start;
mod features;
mod frame_space;
mod parameters;
mod phy;
mod termination;

use alloc::collections::VecDeque;

use airtime_core::{Duration, Instant};

use super::connection::{Connection, Context, Timing};
use super::control::{ConnectionUpdate, Control, PHY_2M, PHY_CODED, ParameterRequest, SPACING_ACL, Unreadable, opcode};
use super::hopping::ChannelMap;
use super::length::Offer;
use super::pdu::{timing_is_valid, window_fits};
use crate::air::Phy;
use crate::hci::Status;
use crate::host::Role;

pub use features::{features, features_for_peers};
pub use parameters::timing;
pub use phy::{phy_number, supported_phys};
pub(crate) use termination::Leaving;

/// Longest a procedure may take. Core 6.0, Vol 6, Part B, 5.2.
const RESPONSE_TIMEOUT: Duration = Duration::from_secs(40);
/// Events between sending an instant and the instant. Core 6.0, Vol 6, Part B, 5.1.1 asks for at least 6.
const INSTANT_AHEAD: u16 = 6;
/// Version number of Core 6.0 and the company identifier for internal use. Assigned Numbers.
pub const VERSION: (u8, u16, u16) = (0x0e, 0xffff, 0x0001);

/// Procedures of our own that may wait behind the running one; a host that asks for more is told to wait itself.
const WAITING_MAX: usize = 8;

/// A procedure this side starts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Local {
    /// Feature exchange for the host.
    Features,
    /// Version exchange for the host.
    Version,
    /// Data length update.
    Length,
    /// PHY update: PHY bits to send and receive on, and the coding wanted.
    Phy {
        /// PHYs to send on.
        tx: u8,
        /// PHYs to receive on.
        rx: u8,
        /// Send LE Coded as S=8.
        s8: bool,
    },
    /// Connection update by the central.
    Update(Timing),
    /// Connection parameter request.
    Parameters(ParameterRequest),
    /// New channel map by the central.
    ChannelMap(u64),
    /// Encryption start by the central.
    Encrypt {
        /// Random number of the key.
        rand: u64,
        /// Diversifier of the key.
        ediv: u16,
        /// The key.
        key: [u8; 16],
    },
    /// Frame space update.
    FrameSpace {
        /// Shortest wanted, µs.
        min: u16,
        /// Longest wanted, µs.
        max: u16,
        /// PHY bits.
        phys: u8,
    },
    /// The end.
    Terminate(Status),
}

/// Change that waits for its instant.
#[derive(Clone, Copy, Debug, Default)]
struct Pending {
    update: Option<ConnectionUpdate>,
    map: Option<(u64, u16)>,
    /// PHY bits to send and receive on (zero: as it is), and the instant.
    phy: Option<(u8, u8, u16)>,
}

/// Control procedures of one connection.
#[derive(Debug)]
pub struct Procedures {
    offer: Offer,
    /// PHYs this side allows when the peer asks: to send and to receive on.
    phys: (u8, u8),
    active: Option<Local>,
    started: Instant,
    waiting: VecDeque<Local>,
    pending: Pending,
    /// A parameter request of the peer that the host has not answered yet.
    asked: bool,
    version_sent: bool,
    peer_version: Option<(u8, u16, u16)>,
    s8: bool,
    /// Peripheral: diversifiers of an encryption start that waits for the host's key.
    diversifiers: Option<(u64, u64)>,
    /// Central: its own diversifier.
    own_diversifier: u64,
    /// Encryption is being paused to take a new key, or starts again with it.
    refreshing: bool,
    /// Instant at which the connection ends although the peer has not acknowledged our LL_TERMINATE_IND, once that is queued.
    terminates_by: Option<Instant>,
}

impl Procedures {
    /// Nothing under way; `offer` is made when a length procedure runs, and `phys` are allowed to send
    /// and to receive on when the peer asks for others.
    pub fn new(offer: Offer, phys: (u8, u8)) -> Self {
        Self {
            offer,
            phys,
            active: None,
            started: Instant::ZERO,
            waiting: VecDeque::new(),
            pending: Pending::default(),
            asked: false,
            version_sent: false,
            peer_version: None,
            s8: true,
            diversifiers: None,
            own_diversifier: 0,
            refreshing: false,
            terminates_by: None,
        }
    }

    /// Instant at which the running procedure has taken too long. Of a connection that is being terminated nothing else counts.
    pub fn deadline(&self) -> Instant {
        match self.terminates_by {
            Some(by) => by,
            None if self.active.is_some() => self.started + RESPONSE_TIMEOUT,
            None => Instant::FAR_FUTURE,
        }
    }

    /// True while something is under way that forbids sleeping.
    pub fn busy(&self) -> bool {
        self.active.is_some()
            || self.pending.update.is_some()
            || self.pending.map.is_some()
            || self.pending.phy.is_some()
            || self.diversifiers.is_some()
    }

    /// True while no further procedure can be queued.
    pub fn is_full(&self) -> bool {
        self.waiting.len() >= WAITING_MAX
    }

    /// Changes the offer of the next length procedure.
    pub fn set_tx_offer(&mut self, octets: u16, time: u16) {
        self.offer.max_tx_octets = octets;
        self.offer.max_tx_time = time;
    }

    /// True while the host owes an answer to a parameter request.
    pub fn owes_answer(&self) -> bool {
        self.asked
    }

    /// True while the host owes a key.
    pub fn owes_key(&self) -> bool {
        self.diversifiers.is_some()
    }

    /// True while an encryption start of ours runs or waits.
    pub fn encrypts(&self) -> bool {
        self.active.iter().chain(&self.waiting).any(|local| matches!(local, Local::Encrypt { .. }))
    }

    /// True while the connection is being terminated from here.
    pub fn terminates(&self) -> bool {
        self.terminates_by.is_some()
    }

    /// PHY coding wanted on LE Coded.
    fn coded(&self) -> Phy {
        if self.s8 { Phy::LeCodedS8 } else { Phy::LeCodedS2 }
    }

    fn phy(&self, bits: u8) -> Phy {
        match bits {
            PHY_2M => Phy::Le2M,
            PHY_CODED => self.coded(),
            _ => Phy::Le1M,
        }
    }
}

impl Connection {
    /// Starts a procedure, or queues it behind the running one. The caller has asked
    /// [`Procedures::is_full`]: what goes beyond it is left out.
    pub fn start(&mut self, ctx: &mut Context<'_>, local: Local) {
        if let Local::Terminate(reason) = local {
            return self.terminate(ctx, reason);
        }
        if self.procedures.active.is_some() {
            if !self.procedures.is_full() {
                self.procedures.waiting.push_back(local);
            }
            return;
        }
        self.procedures.active = Some(local);
        self.procedures.started = ctx.now;
        self.open_procedure(ctx, local);
    }

    fn open_procedure(&mut self, ctx: &mut Context<'_>, local: Local) {
        let own_features = features_for_peers(ctx.personality);
        match local {
            Local::Features if self.role == Role::Central => self.send(ctx, Control::FeatureReq(own_features)),
            Local::Features => self.send(ctx, Control::PeripheralFeatureReq(own_features)),
            Local::Version => match self.procedures.peer_version {
                Some(version) => self.version_done(ctx, version),
                None => self.send_version(ctx),
            },
            Local::Length => {
                self.lengths.local = self.procedures.offer;
                self.send(ctx, Control::LengthReq(self.procedures.offer));
            }
            Local::Phy { tx, rx, s8 } => {
                self.procedures.s8 = s8;
                self.send(ctx, Control::PhyReq { tx, rx });
            }
            Local::Update(timing) => self.send_update(ctx, timing),
            Local::Parameters(request) => self.send(ctx, Control::ConnectionParamReq(request)),
            Local::ChannelMap(map) => {
                let instant = self.instant();
                self.procedures.pending.map = Some((map, instant));
                self.send(ctx, Control::ChannelMapInd { map, instant });
            }
            Local::Encrypt { .. } if self.encryption.tx => self.pause_encryption(ctx),
            Local::Encrypt { rand, ediv, .. } => self.request_encryption(ctx, rand, ediv),
            Local::FrameSpace { min, max, phys } => {
                // From now on the reply may come at either spacing.
                let (shortest, longest) = self.peer_space;
                let floor = Duration::from_micros(min.into()).min(shortest);
                self.peer_space = (floor, Duration::from_micros(max.into()).max(longest));
                self.send(ctx, Control::FrameSpaceReq { min, max, phys, types: SPACING_ACL });
            }
            Local::Terminate(_) => {}
        }
    }

    fn send(&mut self, ctx: &mut Context<'_>, control: Control) {
        let payload = control.emit(ctx.out.pool());
        self.queue.push_control(payload);
        self.wake_up(ctx);
    }

    fn send_version(&mut self, ctx: &mut Context<'_>) {
        self.procedures.version_sent = true;
        let (version, company, subversion) = VERSION;
        self.send(ctx, Control::VersionInd { version, company, subversion });
    }

    /// The running procedure of ours is over; the next one begins.
    fn finish(&mut self, ctx: &mut Context<'_>) {
        self.procedures.active = None;
        if let Some(next) = self.procedures.waiting.pop_front() {
            self.start(ctx, next);
        }
    }

    fn instant(&self) -> u16 {
        self.counter.wrapping_add(INSTANT_AHEAD + self.timing.latency)
    }

    /// A session key diversifier that differs per connection, role and time. Real silicon draws it;
    /// drawing here would make loss-free runs depend on the seed.
    fn diversifier(&self, salt: u64) -> (u64, u32) {
        let mixed = (u64::from(self.link) << 16 | u64::from(self.counter)).wrapping_mul(0x9e37_79b9_7f4a_7c15 + salt);
        (mixed, (mixed >> 32) as u32)
    }

    /// A control PDU has arrived.
    pub(crate) fn control(&mut self, ctx: &mut Context<'_>, payload: &[u8]) {
        match Control::parse(payload) {
            Ok(control) => self.handle_control(ctx, control),
            Err(Unreadable::Unknown(opcode)) => self.send(ctx, Control::UnknownRsp { opcode }),
            Err(Unreadable::Empty) => {}
        }
    }

    fn handle_control(&mut self, ctx: &mut Context<'_>, control: Control) {
        match control {
            Control::TerminateInd { reason } => self.leave(reason),
            Control::FeatureReq(theirs) | Control::PeripheralFeatureReq(theirs) => {
                let own = features_for_peers(ctx.personality);
                let used = own & theirs | own & !0xff;
                self.send(ctx, Control::FeatureRsp(used));
            }
            Control::FeatureRsp(theirs) => self.features_done(ctx, Status::SUCCESS, theirs),
            Control::VersionInd { version, company, subversion } => {
                self.version_received(ctx, (version, company, subversion));
            }
            Control::LengthReq(offer) => self.length_requested(ctx, offer),
            Control::LengthRsp(offer) => self.length_answered(ctx, offer),
            Control::PhyReq { tx, rx } => self.phy_requested(ctx, tx, rx),
            Control::PhyRsp { tx, rx } => self.phy_answered(ctx, tx, rx),
            Control::PhyUpdateInd { c_to_p, p_to_c, instant } if self.role == Role::Peripheral => {
                self.schedule_phy(ctx, p_to_c, c_to_p, instant);
            }
            Control::ConnectionUpdateInd(update) if self.role == Role::Peripheral => self.schedule_update(update),
            Control::ChannelMapInd { map, instant } if self.role == Role::Peripheral => {
                self.schedule_map(map, instant);
            }
            Control::ConnectionParamReq(request) => self.parameters_requested(ctx, request),
            Control::ConnectionParamRsp(answer) if self.role == Role::Central => {
                if let Some(Local::Parameters(_)) = self.procedures.active {
                    let timing = timing(answer.interval_max, answer.latency, answer.timeout);
                    self.procedures.active = Some(Local::Update(timing));
                    self.send_update(ctx, timing);
                }
            }
            Control::FrameSpaceReq { min, max, phys, .. } => self.space_requested(ctx, min, max, phys),
            Control::FrameSpaceRsp { space, phys, .. } => self.space_answered(ctx, space, phys),
            Control::EncReq { rand, ediv, skd, .. } if self.role == Role::Peripheral => {
                self.encryption_requested(ctx, rand, ediv, skd);
            }
            Control::EncRsp { skd, .. } if self.role == Role::Central => self.session_ready(skd),
            Control::StartEncReq if self.role == Role::Central => self.start_encryption(ctx),
            Control::StartEncRsp => self.encryption_started(ctx),
            Control::PauseEncReq if self.role == Role::Peripheral => self.pause_requested(ctx),
            Control::PauseEncRsp => self.encryption_paused(ctx),
            Control::PingReq => self.send(ctx, Control::PingRsp),
            Control::RejectInd { reason } => self.rejected(ctx, reason),
            Control::RejectExtInd { reason, .. } => self.rejected(ctx, reason),
            Control::UnknownRsp { .. } => self.rejected(ctx, Status::UNSUPPORTED_REMOTE_FEATURE),
            // Core 6.0, Vol 6, Part B, 5.1: a PDU that this role or state has no use for is ignored.
            _ => {}
        }
    }

    /// One of our control PDUs was acknowledged.
    pub(crate) fn control_acknowledged(&mut self, ctx: &mut Context<'_>, code: u8) {
        match code {
            opcode::TERMINATE_IND if self.procedures.terminates() => self.end(Status::LOCAL_HOST_TERMINATED),
            opcode::START_ENC_RSP if self.role == Role::Peripheral => self.encryption_settled(ctx, Status::SUCCESS),
            _ => {}
        }
    }

    /// Tells if `instant` lies ahead; a connection whose instant has passed is over.
    /// Core 6.0, Vol 6, Part B, 5.5.
    fn in_future(&mut self, instant: u16) -> bool {
        let ahead = instant.wrapping_sub(self.counter);
        let good = ahead != 0 && ahead < 0x8000;
        if !good {
            self.end(Status::INSTANT_PASSED);
        }
        good
    }

    fn schedule_update(&mut self, update: ConnectionUpdate) {
        let valid = timing_is_valid(update.interval, update.latency, update.timeout)
            && window_fits(update.win_size, update.win_offset, update.interval);
        if valid && self.in_future(update.instant) {
            self.procedures.pending.update = Some(update);
        }
    }

    fn schedule_map(&mut self, map: u64, instant: u16) {
        if self.in_future(instant) {
            self.procedures.pending.map = Some((map, instant));
        }
    }

    /// Lets take effect what is due at the event that has become the next one.
    pub(crate) fn apply_instants(&mut self, ctx: &mut Context<'_>) {
        if let Some((map, instant)) = self.procedures.pending.map
            && instant == self.counter
        {
            self.procedures.pending.map = None;
            if let Some(map) = ChannelMap::new(map) {
                self.map = map;
            }
            if matches!(self.procedures.active, Some(Local::ChannelMap(_))) {
                self.finish(ctx);
            }
        }
        if let Some((tx, rx, instant)) = self.procedures.pending.phy
            && instant == self.counter
        {
            self.procedures.pending.phy = None;
            self.change_phy(ctx, tx, rx);
        }
        if let Some(update) = self.procedures.pending.update
            && update.instant == self.counter
        {
            self.procedures.pending.update = None;
            self.apply_update(ctx, update);
        }
    }

    /// The central refuses a procedure of its peripheral while one with an instant of its own runs.
    /// Core 6.0, Vol 6, Part B, 5.3.
    fn collides(&mut self, ctx: &mut Context<'_>, opcode: u8) -> bool {
        let reason = match self.procedures.active {
            Some(Local::Phy { .. }) if opcode == opcode::PHY_REQ => Status::LL_PROCEDURE_COLLISION,
            Some(Local::Update(_) | Local::Parameters(_)) if opcode == opcode::CONNECTION_PARAM_REQ => {
                Status::LL_PROCEDURE_COLLISION
            }
            Some(Local::Phy { .. } | Local::Update(_) | Local::Parameters(_) | Local::ChannelMap(_)) => {
                Status::DIFFERENT_TRANSACTION_COLLISION
            }
            _ if self.procedures.pending.phy.is_some() || self.procedures.pending.update.is_some() => {
                Status::DIFFERENT_TRANSACTION_COLLISION
            }
            _ => return false,
        };
        self.send(ctx, Control::RejectExtInd { opcode, reason });
        true
    }

    /// The peer has said no to what we asked for, or does not know it.
    fn rejected(&mut self, ctx: &mut Context<'_>, reason: Status) {
        let Some(active) = self.procedures.active else { return };
        match active {
            Local::Features => return self.features_done(ctx, reason, 0),
            Local::Phy { .. } => self.phy_done(ctx, reason),
            Local::Update(_) | Local::Parameters(_) => self.update_done(ctx, reason),
            Local::FrameSpace { phys, .. } => {
                let space = self.frame_space.as_micros() as u16;
                self.space_done(ctx, reason, 0, phys, space);
            }
            Local::Encrypt { .. } => self.encryption_settled(ctx, reason),
            Local::Version | Local::Length | Local::ChannelMap(_) | Local::Terminate(_) => {}
        }
        self.finish(ctx);
    }

    /// Ends the connection when a procedure has had no answer for too long; says whether it did.
    pub fn check_procedure(&mut self, now: Instant) -> bool {
        let late = now >= self.procedures.deadline();
        if late {
            let terminates = self.procedures.terminates();
            self.end(if terminates { Status::LOCAL_HOST_TERMINATED } else { Status::LL_RESPONSE_TIMEOUT });
        }
        late
    }
}
