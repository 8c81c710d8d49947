//! Signalling commands and their effects. Core 6.0, Vol 3, Part A, 4.

use airtime_core::Pool;

use super::channel::{Channel, MPS_MAX, MTU_MIN, Receiver, Sender, State};
use super::credits::Credits;
use crate::hci::{Status, opcode};
use crate::host::commands::For;
use crate::host::intervals::INTERVAL_UNIT;
use crate::host::link::{Env, Link};
use crate::host::{ChannelEnd, ChannelId, HostEvent, Profile, Refused, Role, Violation};
use crate::l2cap::DYNAMIC_CHANNELS;
use crate::l2cap::signal::{self, Signal};

/// Answers that wait for a controller that does not take them. A peer waits for each answer before
/// it asks again, so a queue this long is a flood, and what floods is dropped.
const ANSWERS_MAX: usize = 64;

/// Half of a channel as the peer gives it in a connection request or response.
#[derive(Clone, Copy)]
struct PeerHalf {
    id: u16,
    mtu: u16,
    mps: u16,
    credits: u16,
}

impl PeerHalf {
    fn is_acceptable(self) -> bool {
        self.mtu >= MTU_MIN && (MTU_MIN..=MPS_MAX).contains(&self.mps)
    }

    fn sender(self) -> Sender {
        Sender::new(self.mtu, self.mps, self.credits)
    }
}

impl Link {
    /// One C-frame of the signalling channel.
    pub(in crate::host) fn on_signal(&mut self, frame: &[u8], env: &mut Env<'_>) {
        match Signal::parse(frame) {
            Ok((identifier, signal)) => self.obey(identifier, signal, env),
            // A reject is never answered with a reject.
            Err(Some((identifier, reason))) if frame.first() != Some(&0x01) => {
                self.answer(identifier, Signal::Reject { reason, cids: None }, env);
            }
            Err(_) => (),
        }
    }

    fn obey(&mut self, identifier: u8, signal: Signal, env: &mut Env<'_>) {
        match signal {
            Signal::Reject { .. } => self.on_reject(identifier, env),
            Signal::DisconnectRequest { destination, source } => {
                self.on_disconnect(identifier, destination, source, env);
            }
            Signal::DisconnectResponse { destination, source } => {
                let closed = |c: &Channel| c.state == State::Closing && c.id == source && c.peer_id == destination;
                self.channels.retain(|channel| !closed(channel));
            }
            Signal::ParameterRequest { min, max, latency, timeout } => {
                self.on_parameter_request(identifier, [min, max, latency, timeout], env);
            }
            Signal::ParameterResponse { result: 0 } => (),
            Signal::ParameterResponse { .. } => {
                let (conn, interval) = (self.handle, self.ll.interval);
                let status = Status::UNACCEPTABLE_PARAMETERS;
                env.out.event(HostEvent::IntervalUpdated { conn, status, interval });
            }
            Signal::ConnectRequest { psm, source, mtu, mps, credits } => {
                self.on_connect_request(identifier, psm, PeerHalf { id: source, mtu, mps, credits }, env);
            }
            Signal::ConnectResponse { destination, mtu, mps, credits, result } => {
                self.on_connect_response(identifier, result, PeerHalf { id: destination, mtu, mps, credits }, env);
            }
            Signal::Credits { cid, credits } => self.on_credits(cid, credits, env),
        }
    }

    /// Asks the peer for a channel on `psm`. Core 6.0, Vol 3, Part A, 4.22.
    pub(in crate::host) fn open_channel(&mut self, psm: u16, env: &mut Env<'_>) -> Result<(), Refused> {
        let id = self.free_channel_id().ok_or(Refused::Busy)?;
        let (mtu, mps) = own_limits(env);
        let mut credits = Credits::new(env.config.personality.credits, mtu, mps);
        let initial = credits.on_open();
        let identifier = self.next_identifier();
        self.signal(identifier, Signal::ConnectRequest { psm, source: id, mtu, mps, credits: initial }, env);
        self.channels.push(Channel {
            id,
            peer_id: 0,
            serial: env.local.next_serial(),
            state: State::Connecting(identifier),
            sender: Sender::default(),
            receiver: Receiver::new(mtu, mps, credits, kept_in(env)),
        });
        Ok(())
    }

    fn on_connect_request(&mut self, identifier: u8, psm: u16, peer: PeerHalf, env: &mut Env<'_>) {
        let (mtu, mps) = own_limits(env);
        let refuse = |result| Signal::ConnectResponse { destination: 0, mtu: 0, mps: 0, credits: 0, result };
        let id = match self.acceptable(psm, peer, env) {
            Ok(id) => id,
            Err(result) => return self.answer(identifier, refuse(result), env),
        };
        let mut credits = Credits::new(env.config.personality.credits, mtu, mps);
        let initial = credits.on_open();
        let result = signal::CONNECTED;
        self.signal(identifier, Signal::ConnectResponse { destination: id, mtu, mps, credits: initial, result }, env);
        self.channels.push(Channel {
            id,
            peer_id: peer.id,
            serial: env.local.next_serial(),
            state: State::Open,
            sender: peer.sender(),
            receiver: Receiver::new(mtu, mps, credits, kept_in(env)),
        });
        self.channel_opened(self.channels.len() - 1, peer, env);
    }

    /// Our identifier for a channel that we accept, or the result that says why we do not.
    fn acceptable(&self, psm: u16, peer: PeerHalf, env: &Env<'_>) -> Result<ChannelId, u16> {
        if env.local.psm != Some(psm) {
            return Err(signal::PSM_NOT_SUPPORTED);
        }
        if !DYNAMIC_CHANNELS.contains(&peer.id) {
            return Err(signal::INVALID_SOURCE_CID);
        }
        if self.channels.iter().any(|c| c.peer_id == peer.id) {
            return Err(signal::SOURCE_CID_ALLOCATED);
        }
        if !peer.is_acceptable() {
            return Err(signal::UNACCEPTABLE_PARAMETERS);
        }
        self.free_channel_id().ok_or(signal::NO_RESOURCES)
    }

    fn on_connect_response(&mut self, identifier: u8, result: u16, peer: PeerHalf, env: &mut Env<'_>) {
        let Some(at) = self.channels.iter().position(|c| c.state == State::Connecting(identifier)) else { return };
        let twice = self.channels.iter().any(|c| c.peer_id == peer.id);
        let result = match result {
            signal::CONNECTED if !peer.is_acceptable() || twice || !DYNAMIC_CHANNELS.contains(&peer.id) => {
                signal::UNACCEPTABLE_PARAMETERS
            }
            other => other,
        };
        if result != signal::CONNECTED {
            let channel = self.channels.remove(at).id;
            let reason = ChannelEnd::Refused(result);
            return env.out.event(HostEvent::ChannelClosed { conn: self.handle, channel, reason });
        }
        let channel = &mut self.channels[at];
        (channel.peer_id, channel.state, channel.sender) = (peer.id, State::Open, peer.sender());
        self.channel_opened(at, peer, env);
    }

    fn channel_opened(&mut self, at: usize, peer: PeerHalf, env: &mut Env<'_>) {
        let channel = &mut self.channels[at];
        let (id, credits) = (channel.id, channel.receiver.credits.on_connect());
        env.out.event(HostEvent::ChannelOpened {
            conn: self.handle,
            channel: id,
            peer_mtu: peer.mtu,
            peer_mps: peer.mps,
            initial_credits: peer.credits,
        });
        self.indicate_credits(id, credits, env);
    }

    /// More credits from the peer, who names the channel by its own identifier.
    /// Core 6.0, Vol 3, Part A, 4.24.
    fn on_credits(&mut self, cid: u16, credits: u16, env: &mut Env<'_>) {
        let open = |c: &Channel| c.peer_id == cid && c.is_open();
        let Some(at) = self.channels.iter().position(open) else { return };
        match self.channels[at].sender.credits.checked_add(credits) {
            Some(sum) => self.channels[at].sender.credits = sum,
            None => self.break_off(at, Violation::CreditOverflow, env),
        }
    }

    fn on_disconnect(&mut self, identifier: u8, destination: u16, source: u16, env: &mut Env<'_>) {
        let named = |c: &Channel| c.id == destination && c.peer_id == source;
        let Some(at) = self.channels.iter().position(named) else {
            let cids = Some((destination, source));
            return self.answer(identifier, Signal::Reject { reason: signal::INVALID_CID, cids }, env);
        };
        self.answer(identifier, Signal::DisconnectResponse { destination, source }, env);
        let channel = self.channels.remove(at);
        if channel.is_open() {
            let (conn, reason) = (self.handle, ChannelEnd::ByPeer);
            env.out.event(HostEvent::ChannelClosed { conn, channel: channel.id, reason });
        }
    }

    /// A peer that does not know connection requests has no such PSM either.
    fn on_reject(&mut self, identifier: u8, env: &mut Env<'_>) {
        let Some(at) = self.channels.iter().position(|c| c.state == State::Connecting(identifier)) else { return };
        let channel = self.channels.remove(at).id;
        let reason = ChannelEnd::Refused(signal::PSM_NOT_SUPPORTED);
        env.out.event(HostEvent::ChannelClosed { conn: self.handle, channel, reason });
    }

    /// Asks the central for connection parameters. Core 6.0, Vol 3, Part A, 4.20.
    pub(in crate::host) fn request_parameters(&mut self, wanted: [u16; 4], env: &mut Env<'_>) {
        let [min, max, latency, timeout] = wanted;
        let identifier = self.next_identifier();
        self.signal(identifier, Signal::ParameterRequest { min, max, latency, timeout }, env);
    }

    /// Only a central answers it. Core 6.0, Vol 3, Part A, 4.20.
    fn on_parameter_request(&mut self, identifier: u8, [min, max, latency, timeout]: [u16; 4], env: &mut Env<'_>) {
        if self.role != Role::Central {
            let reject = Signal::Reject { reason: signal::NOT_UNDERSTOOD, cids: None };
            return self.answer(identifier, reject, env);
        }
        let in_range = min <= max && min >= 6 && max <= 3200 && latency <= 499 && (10..=3200).contains(&timeout);
        let intervals = &env.config.personality.intervals;
        let granted = intervals.grant(INTERVAL_UNIT * u64::from(min), INTERVAL_UNIT * u64::from(max));
        let granted = granted.filter(|_| in_range);
        let result = u16::from(granted.is_none());
        self.answer(identifier, Signal::ParameterResponse { result }, env);
        if let Some(interval) = granted {
            let interval = crate::host::intervals::units(interval, INTERVAL_UNIT).unwrap_or(max);
            env.out.command(opcode::LE_CONNECTION_UPDATE, For::Link(self.handle), |params| {
                [self.handle, interval, interval, latency, timeout, 0, 0].iter().for_each(|word| params.put_u16(*word));
            });
        }
    }

    fn answer(&mut self, identifier: u8, signal: Signal, env: &mut Env<'_>) {
        if self.signals.len() < ANSWERS_MAX {
            self.signal(identifier, signal, env);
        }
    }

    fn free_channel_id(&self) -> Option<ChannelId> {
        DYNAMIC_CHANNELS.into_iter().find(|id| self.channels.iter().all(|c| c.id != *id))
    }
}

/// Whence the packets come that arriving octets are kept in, if somebody reads them.
fn kept_in(env: &Env<'_>) -> Option<Pool> {
    (env.config.profile == Profile::Rpc).then(|| env.out.pool.clone())
}

fn own_limits(env: &Env<'_>) -> (u16, u16) {
    let personality = &env.config.personality;
    let mps = personality.coc_mps.clamp(MTU_MIN, MPS_MAX);
    (personality.credits.sdu_max(personality.coc_mtu, mps).max(MTU_MIN), mps)
}
