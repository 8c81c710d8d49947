//! Two hosts and the plainest pair of controllers there is: it answers commands, connects at once,
//! and carries ACL packets across in [`HOP`] each, reporting each as it arrives.

use alloc::vec::Vec;

use airtime_core::bytes::Reader;
use airtime_core::{Duration, Instant, Packet, Pool};

use crate::hci::{self, H4, Opcode, Status, event, opcode};
use crate::host::{
    Address, ConnHandle, Host, HostConfig, HostEvent, HostInput, HostOutput, Profile, Request, Role, ValueMethod,
};
use crate::personality::{self, CreditPolicy, WriteOverflow};

/// Time of anything on its way from one host to the other.
pub(super) const HOP: Duration = Duration::from_micros(10);

pub(super) const CENTRAL: usize = 0;
pub(super) const PERIPHERAL: usize = 1;
pub(super) const CONN: ConnHandle = 0x40;
pub(super) const PSM: u16 = 0x80;
pub(super) const NAME: &str = "nRF54L15_Test";

pub(super) fn personality(credits: CreditPolicy) -> personality::Host {
    personality::Host {
        latency: Duration::ZERO,
        packet_time: Duration::ZERO,
        sdu_time: Duration::ZERO,
        credits,
        ..personality::Host::ZEPHYR_LL
    }
}

pub(super) const PLENTY: CreditPolicy = CreditPolicy::PerFrames { initial: 10, on_connect: 0, grant: 1, every: 1 };

/// A packet on its way to a host.
struct Flight {
    at: Instant,
    to: usize,
    packet: Packet,
}

/// The two hosts, what is on its way to them, and what they have said.
pub(super) struct Pair {
    pub(super) pool: Pool,
    pub(super) hosts: [Host; 2],
    pub(super) now: Instant,
    flights: Vec<Flight>,
    /// Events of each host.
    pub(super) events: [Vec<HostEvent>; 2],
    /// Channel and octets of what each host was given whole.
    pub(super) octets: [Vec<(u16, Vec<u8>)>; 2],
    /// H4 packets each host has sent.
    pub(super) sent: [Vec<Vec<u8>>; 2],
    /// Octets and number of the controllers' ACL buffers.
    pub(super) acl: (u16, u8),
    adv_data: [Vec<u8>; 2],
}

impl Pair {
    pub(super) fn new(central: personality::Host, peripheral: personality::Host) -> Self {
        Self::of(Profile::Test, central, peripheral)
    }

    /// Two hosts with this profile.
    pub(super) fn of(profile: Profile, central: personality::Host, peripheral: personality::Host) -> Self {
        Self::with(profile, ValueMethod::Unanswered, central, peripheral)
    }

    /// Two hosts with this profile, and values that travel by this method.
    pub(super) fn with(
        profile: Profile,
        values: ValueMethod,
        central: personality::Host,
        peripheral: personality::Host,
    ) -> Self {
        let pool = Pool::new();
        let host = |personality: personality::Host| {
            // Where a value can overflow, its application does not look.
            let blind = personality.write_overflow != WriteOverflow::Waits;
            Host::new(
                HostConfig { personality, long_term_key: [7; 16], profile, values, blind, subrates: None },
                pool.clone(),
            )
        };
        let mut pair = Self {
            hosts: [host(central), host(peripheral)],
            pool: pool.clone(),
            now: Instant::ZERO,
            flights: Vec::new(),
            events: Default::default(),
            octets: Default::default(),
            sent: Default::default(),
            acl: (251, 3),
            adv_data: Default::default(),
        };
        pair.drain(CENTRAL);
        pair.drain(PERIPHERAL);
        pair
    }

    /// Two hosts of the same kind, started and connected.
    pub(super) fn connected(personality: personality::Host) -> Self {
        Self::connected_with(personality, (251, 3))
    }

    /// The same, with other ACL buffers.
    pub(super) fn connected_with(personality: personality::Host, acl: (u16, u8)) -> Self {
        let mut pair = Self::new(personality, personality);
        pair.acl = acl;
        pair.connect()
    }

    /// The same, started and connected.
    pub(super) fn connect(mut self) -> Self {
        self.settle();
        self.request(PERIPHERAL, Request::Advertise { name: NAME, interval: Duration::from_millis(100) });
        self.settle();
        self.request(CENTRAL, connect(self.address(PERIPHERAL)));
        self.settle();
        self
    }

    /// The same with a channel, which both ends number 0x40.
    pub(super) fn with_channel(personality: personality::Host) -> Self {
        Self::connected(personality).open_channel()
    }

    pub(super) fn open_channel(mut self) -> Self {
        self.request(PERIPHERAL, Request::Listen { psm: PSM });
        self.request(CENTRAL, Request::OpenChannel { conn: CONN, psm: PSM });
        self.settle();
        self
    }

    pub(super) fn address(&self, host: usize) -> Address {
        [host as u8 + 1; 6]
    }

    /// Makes a request that must be taken.
    pub(super) fn request(&mut self, host: usize, request: Request<'_>) {
        assert_eq!(self.hosts[host].request(self.now, request.clone()), Ok(()), "{request:?}");
        self.drain(host);
    }

    /// Puts a packet on its way to a host.
    pub(super) fn deliver(&mut self, to: usize, packet: Packet) {
        self.flights.push(Flight { at: self.now + HOP, to, packet });
    }

    /// Runs until nothing is under way.
    pub(super) fn settle(&mut self) {
        while self.step(Instant::FAR_FUTURE) {}
    }

    /// Does what is due next, if it is due by `until`.
    pub(super) fn step(&mut self, until: Instant) -> bool {
        let flight = (0..self.flights.len()).min_by_key(|at| (self.flights[*at].at, *at));
        let arrives = flight.map_or(Instant::FAR_FUTURE, |at| self.flights[at].at);
        let wakes = [CENTRAL, PERIPHERAL].map(|host| self.hosts[host].deadline().unwrap_or(Instant::FAR_FUTURE));
        let next = arrives.min(wakes[0]).min(wakes[1]);
        if next > until || next == Instant::FAR_FUTURE {
            return false;
        }
        self.now = next;
        if let Some(host) = [CENTRAL, PERIPHERAL].into_iter().find(|host| wakes[*host] == next) {
            self.hosts[host].handle(next, HostInput::Wake);
            self.drain(host);
            assert!(self.hosts[host].deadline().is_none_or(|later| later > next), "still wants to be woken");
        } else if let Some(at) = flight {
            let Flight { to, packet, .. } = self.flights.remove(at);
            self.hosts[to].handle(next, HostInput::Hci(&packet));
            self.drain(to);
        }
        true
    }

    pub(super) fn drain(&mut self, host: usize) {
        while let Some(output) = self.hosts[host].poll(self.now) {
            match output {
                HostOutput::Event(event) => self.events[host].push(event),
                HostOutput::Octets { channel, octets, .. } => self.octets[host].push((channel, octets.to_vec())),
                HostOutput::Hci(packet) => {
                    self.sent[host].push(packet.to_vec());
                    self.control(host, &packet);
                }
            }
        }
    }

    fn control(&mut self, host: usize, packet: &[u8]) {
        match H4::parse(packet).expect("hosts send whole packets") {
            H4::Command { opcode, params } => self.command(host, opcode, params),
            H4::Acl(acl) => {
                let first = acl.boundary == hci::PB_FIRST_NON_FLUSHABLE;
                let boundary = if first { hci::PB_FIRST_FLUSHABLE } else { acl.boundary };
                let mut forwarded = hci::acl(&self.pool, acl.handle, boundary);
                forwarded.put(acl.data);
                self.deliver(1 - host, hci::finish_acl(forwarded));
                let report = event::completed_packets(&self.pool, acl.handle, 1);
                self.deliver(host, report);
            }
            H4::Event { .. } => panic!("a host sends no events"),
        }
    }

    fn command(&mut self, host: usize, opcode: Opcode, params: &[u8]) {
        if opcode == opcode::HOST_NUMBER_OF_COMPLETED_PACKETS {
            return;
        }
        let is_status = [
            opcode::LE_CREATE_CONNECTION,
            opcode::DISCONNECT,
            opcode::LE_SET_PHY,
            opcode::LE_CONNECTION_UPDATE,
            opcode::LE_ENABLE_ENCRYPTION,
            opcode::LE_FRAME_SPACE_UPDATE,
        ];
        if is_status.contains(&opcode) {
            let status = event::command_status(&self.pool, opcode, Status::SUCCESS);
            self.deliver(host, status);
        } else {
            let mut complete = event::command_complete(&self.pool, opcode, Status::SUCCESS);
            match opcode {
                opcode::READ_BD_ADDR => complete.put(&self.address(host)),
                opcode::LE_READ_LOCAL_FEATURES => complete.put_u64(0),
                opcode::LE_READ_BUFFER_SIZE => {
                    complete.put_u16(self.acl.0);
                    complete.put_u8(self.acl.1);
                }
                _ => (),
            }
            self.deliver(host, event::finish(complete));
        }
        self.obey(host, opcode, &mut Reader::new(params)).expect("whole parameters");
    }

    /// What the pair of controllers does for a command.
    fn obey(&mut self, host: usize, opcode: Opcode, r: &mut Reader<'_>) -> Option<()> {
        match opcode {
            opcode::LE_SET_ADV_DATA => {
                let octets = r.u8()?;
                self.adv_data[host] = r.take(octets.into())?.to_vec();
            }
            opcode::LE_SET_SCAN_ENABLE if r.u8()? == 1 => {
                let mut report = event::le_event(&self.pool, event::LE_ADVERTISING_REPORT);
                report.put(&[1, 0, 0]);
                report.put(&self.address(1 - host));
                report.put_u8(self.adv_data[1 - host].len() as u8);
                report.put(&self.adv_data[1 - host]);
                report.put_u8(0xd0);
                self.deliver(host, event::finish(report));
            }
            opcode::LE_CREATE_CONNECTION => {
                let (to, _) = (r.take(12)?.get(6..)? == self.address(1 - host), r.u8()?);
                let interval = r.u16()?;
                if to {
                    self.connection_complete(host, Role::Central, interval);
                    self.connection_complete(1 - host, Role::Peripheral, interval);
                }
            }
            opcode::DISCONNECT => {
                self.disconnected(host, Status::LOCAL_HOST_TERMINATED);
                self.disconnected(1 - host, Status::REMOTE_USER_TERMINATED);
            }
            _ => (),
        }
        Some(())
    }

    fn connection_complete(&mut self, host: usize, role: Role, interval: u16) {
        let mut complete = event::le_event(&self.pool, event::LE_CONNECTION_COMPLETE);
        complete.put_u8(0);
        complete.put_u16(CONN);
        complete.put(&[u8::from(role == Role::Peripheral), 0]);
        complete.put(&self.address(1 - host));
        [interval, 0, 400].iter().for_each(|word| complete.put_u16(*word));
        complete.put_u8(0);
        self.deliver(host, event::finish(complete));
    }

    fn disconnected(&mut self, host: usize, reason: Status) {
        let mut complete = event::event(&self.pool, event::DISCONNECTION_COMPLETE);
        complete.put_u8(0);
        complete.put_u16(CONN);
        complete.put_u8(reason.0);
        self.deliver(host, event::finish(complete));
    }

    /// The ACL packets of a host since its `from`th packet, without their H4 and ACL headers.
    pub(super) fn acl_sent(&self, host: usize, from: usize) -> Vec<&[u8]> {
        self.sent[host][from..].iter().filter(|packet| packet[0] == hci::ACL_DATA).map(|packet| &packet[5..]).collect()
    }

    /// Puts a whole L2CAP PDU on its way to a host, as if its peer had sent it.
    pub(super) fn inject(&mut self, to: usize, cid: u16, payload: &[u8]) {
        let mut packet = hci::acl(&self.pool, CONN, hci::PB_FIRST_FLUSHABLE);
        packet.put_u16(payload.len() as u16);
        packet.put_u16(cid);
        packet.put(payload);
        self.deliver(to, hci::finish_acl(packet));
    }
}

pub(super) fn connect(peer: Address) -> Request<'static> {
    Request::Connect {
        peer,
        interval: Duration::from_millis(15),
        latency: 0,
        supervision_timeout: Duration::from_secs(4),
    }
}
