//! One connection: its channels, what waits to be sent, and what the controller has of it.

use alloc::collections::VecDeque;
use alloc::vec::Vec;

use airtime_core::{Duration, Instant, Packet, Pool};

use super::acl::Buffers;
use super::att::Att;
use super::commands::Out;
use super::l2cap::channel::Channel;
use super::reassembly::{Reassembled, Reassembly};
use super::transmit::{Fragment, Owner, Pdu};
use super::{ATT_CHANNEL, Address, ChannelId, ConnHandle, HostConfig, Role, ValueMethod};
use crate::air::{DATA_OCTETS_MIN, Phy, T_IFS};
use crate::l2cap::signal::SIGNALLING_MTU;
use crate::l2cap::{BASIC_HEADER_OCTETS, SECURITY_CHANNEL, SIGNALLING_CHANNEL};

/// State that the connections of a host share.
#[derive(Debug)]
pub(super) struct Local {
    /// Device name of the GAP service.
    pub(super) name: Vec<u8>,
    /// PSM that is listened on and published.
    pub(super) psm: Option<u16>,
    /// Method by which values travel here.
    pub(super) values: ValueMethod,
    /// Instant of the mutation under way.
    pub(super) now: Instant,
    serial: u32,
}

impl Local {
    pub(super) fn new(values: ValueMethod) -> Self {
        Self { name: b"airtime".to_vec(), psm: None, values, now: Instant::ZERO, serial: 0 }
    }

    /// A number no channel or connection has had.
    pub(super) fn next_serial(&mut self) -> u32 {
        self.serial = self.serial.wrapping_add(1);
        self.serial
    }
}

/// Environment of a connection: the parts of its host that it needs.
pub(super) struct Env<'a> {
    pub(super) out: &'a mut Out,
    pub(super) config: &'a HostConfig,
    pub(super) local: &'a mut Local,
}

/// State of the link layer as the controller has told it, for events that tell of no change.
#[derive(Clone, Copy, Debug)]
pub(super) struct LinkLayer {
    pub(super) interval: Duration,
    pub(super) tx_octets: u16,
    pub(super) rx_octets: u16,
    pub(super) tx_phy: Phy,
    /// The coding asked for on LE Coded; events do not name it.
    pub(super) coding: Phy,
    pub(super) frame_space: Duration,
}

/// One connection.
#[derive(Debug)]
pub(super) struct Link {
    pub(super) handle: ConnHandle,
    pub(super) role: Role,
    pub(super) peer: Address,
    /// Serial number of this life of `handle`.
    pub(super) serial: u32,
    pub(super) ll: LinkLayer,
    pub(super) att: Att,
    pub(super) channels: Vec<Channel>,
    /// Signalling C-frames that wait.
    pub(super) signals: VecDeque<Packet>,
    /// Our answer to a request for security, which waits.
    pub(super) refusal: Option<Packet>,
    /// Identifier of our last signalling command.
    pub(super) identifier: u8,
    /// Minimum, maximum, latency and timeout a peripheral has asked its controller for.
    pub(super) wanted: Option<[u16; 4]>,
    /// Subrate request that waits for the features of the peer.
    pub(super) subrate: Option<[u16; 6]>,
    /// The PDU being cut into fragments. On one connection PDUs do not interleave: Core 6.0, Vol 3,
    /// Part A, 7.2.1.
    pub(super) current: Option<Pdu>,
    /// Fragments the controller has not reported, oldest first.
    pub(super) on_controller: VecDeque<Fragment>,
    reassembly: Reassembly,
    turn: usize,
}

impl Link {
    pub(super) fn new(handle: ConnHandle, role: Role, peer: Address, interval: Duration, serial: u32) -> Self {
        let ll = LinkLayer {
            interval,
            tx_octets: DATA_OCTETS_MIN,
            rx_octets: DATA_OCTETS_MIN,
            tx_phy: Phy::Le1M,
            coding: Phy::LeCodedS8,
            frame_space: T_IFS,
        };
        Self {
            handle,
            role,
            peer,
            serial,
            ll,
            att: Att::new(handle),
            channels: Vec::new(),
            signals: VecDeque::new(),
            refusal: None,
            identifier: 0,
            wanted: None,
            subrate: None,
            current: None,
            on_controller: VecDeque::new(),
            reassembly: Reassembly::default(),
            turn: 0,
        }
    }

    /// Takes one ACL fragment from the controller.
    pub(super) fn on_acl(&mut self, first: bool, data: &[u8], env: &mut Env<'_>) {
        let personality = &env.config.personality;
        let limit = usize::from(personality.coc_mps.max(personality.att_mtu)).max(SIGNALLING_MTU);
        match self.reassembly.feed(&env.out.pool, limit, first, data) {
            Reassembled::Nothing => (),
            Reassembled::Whole(pdu) => self.on_pdu(pdu, env),
            Reassembled::Collected(pdu) => self.on_pdu(&pdu, env),
            Reassembled::TooLong(channel) => self.on_too_long(channel, env),
        }
    }

    fn on_pdu(&mut self, pdu: &[u8], env: &mut Env<'_>) {
        let Some(payload) = pdu.get(BASIC_HEADER_OCTETS..) else { return };
        match u16::from_le_bytes([pdu[2], pdu[3]]) {
            ATT_CHANNEL => self.att.on_pdu(payload, env),
            SIGNALLING_CHANNEL => self.on_signal(payload, env),
            SECURITY_CHANNEL => self.on_security(payload, env),
            channel => self.on_k_frame(channel, payload, env),
        }
    }

    /// Tells if a PDU is ready to be cut; takes the next one, in turn between signalling, ATT and the
    /// channels, if none is. A PDU that needs some of the `buffers` takes them.
    pub(super) fn load(&mut self, buffers: &mut Buffers, now: Instant) -> bool {
        if self.current.is_some() {
            return true;
        }
        let sources = 2 + self.channels.len();
        let mut next = self.turn;
        for _ in 0..sources {
            let source = if next < sources { next } else { 0 };
            next = source + 1;
            if source > 0 && !buffers.has_room() {
                continue;
            }
            let pdu = match source {
                0 => self.next_signal(),
                1 => self.att.pop(now).map(|(att, value)| whole(Owner::Att { value }, ATT_CHANNEL, att)),
                n => self.channels[n - 2].next_k_frame(),
            };
            let Some(pdu) = pdu else { continue };
            buffers.take(pdu.owner);
            self.turn = next;
            self.current = Some(pdu);
            return true;
        }
        false
    }

    /// Signalling, and what is as urgent and as rare.
    fn next_signal(&mut self) -> Option<Pdu> {
        let signal = self.signals.pop_front().map(|c_frame| whole(Owner::Signalling, SIGNALLING_CHANNEL, c_frame));
        signal.or_else(|| Some(whole(Owner::Signalling, SECURITY_CHANNEL, self.refusal.take()?)))
    }

    /// Cuts the next fragment of at most `room` octets from the PDU at hand.
    pub(super) fn cut(&mut self, pool: &Pool, room: usize) -> Option<Packet> {
        let pdu = self.current.as_mut()?;
        let packet = pdu.cut(pool, self.handle, room);
        self.on_controller.push_back(Fragment { owner: pdu.owner, ends: pdu.ends() });
        if let Some(done) = self.current.take_if(|pdu| pdu.is_done()) {
            let of_channel = |c: &&mut Channel| c.is_open() && done.owner == Owner::Channel(c.serial);
            if let Some(channel) = self.channels.iter_mut().find(of_channel) {
                channel.sender.give_back(done);
            }
        }
        Some(packet)
    }

    /// Our channel with this identifier, if it is open.
    pub(super) fn open_channel_mut(&mut self, id: ChannelId) -> Option<&mut Channel> {
        self.channels.iter_mut().find(|c| c.id == id && c.is_open())
    }
}

/// A PDU that is the whole of `body`.
fn whole(owner: Owner, cid: u16, body: Packet) -> Pdu {
    let octets = body.len();
    Pdu::new(owner, cid, None, body, 0, octets)
}
