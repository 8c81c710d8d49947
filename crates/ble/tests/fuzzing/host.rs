//! Scripts for a host: what a controller, a peer and an application may do to it.

use airtime_ble::air::Phy;
use airtime_ble::hci::{self, H4, Opcode, event, opcode};
use airtime_ble::host::{
    ATT_CHANNEL, Host, HostConfig, HostEvent, HostInput, HostOutput, Profile, Request, ValueMethod,
};
use airtime_ble::personality::{self, CreditPolicy, Intervals, LengthCare, OffGrid, TaskPriority, WriteOverflow};
use airtime_core::{Duration, Instant, Pool};

use super::{OCTETS_MAX, Script};

/// Handle of the connection of every script.
const CONN: u16 = 0x0040;
/// Channel of L2CAP signalling. Core 6.0, Vol 3, Part A, 2.1.
const SIGNALLING: u16 = 0x0005;
const PSM: u16 = 0x0080;
const ACL_SIZE: u16 = 27;
const ACL_COUNT: u8 = 4;
const L2CAP_BUFFERS: u8 = 6;

/// Every method by which values travel.
const METHODS: [ValueMethod; 5] = [
    ValueMethod::Unanswered,
    ValueMethod::WriteRequest,
    ValueMethod::Indication,
    ValueMethod::Read,
    ValueMethod::LongWrite,
];

/// Any H4 bytes, once start-up is over.
pub fn l2cap_att(bytes: &[u8]) {
    let mut script = Script::new(bytes, OCTETS_MAX);
    let (personality, bits) = (personality(script.octet()), script.octet());
    let values = METHODS[usize::from(bits >> 2) % METHODS.len()];
    let profile = if bits & 2 == 0 { Profile::Test } else { Profile::Rpc };
    let mut rig = Rig::new(personality, profile, values, bits & 0x80 != 0);
    rig.connect(bits & 1);
    while !script.is_over() {
        rig.turn(&mut script);
    }
}

struct Rig {
    host: Host,
    pool: Pool,
    now: Instant,
    /// The command that waits for its answer.
    outstanding: Option<Opcode>,
    /// ACL packets whose completion has not been reported.
    in_flight: u16,
}

impl Rig {
    fn new(personality: personality::Host, profile: Profile, values: ValueMethod, blind: bool) -> Self {
        let pool = Pool::new();
        let host = Host::new(
            HostConfig { personality, long_term_key: [7; 16], profile, values, blind, subrates: None },
            pool.clone(),
        );
        let mut rig = Self { host, pool, now: Instant::ZERO, outstanding: None, in_flight: 0 };
        assert!(rig.drain(), "the first command of start-up");
        while !rig.answer(0) {}
        rig
    }

    /// A connection, and a PSM that takes channels.
    fn connect(&mut self, role: u8) {
        let mut complete = event::le_event(&self.pool, event::LE_CONNECTION_COMPLETE);
        complete.put_u8(0);
        complete.put_u16(CONN);
        complete.put(&[role, 0, 2, 2, 2, 2, 2, 2]);
        [12, 0, 400].iter().for_each(|word| complete.put_u16(*word));
        complete.put_u8(0);
        self.hear(&event::finish(complete));
        self.settle();
        assert!(self.host.peer(CONN).is_some(), "a connection stands");
        self.request(Request::Listen { psm: PSM });
    }

    fn turn(&mut self, script: &mut Script<'_>) {
        let turn = script.octet();
        match turn & 0x0f {
            0 => self.hear(script.packet()),
            1 => {
                let code = script.octet();
                self.event(code, script.packet());
            }
            2 => {
                let subevent = script.octet();
                let params = [&[subevent][..], script.packet()].concat();
                self.event(event::LE_META, &params);
            }
            3 => self.acl(CONN, u16::from(turn >> 4 & 3), script.packet()),
            4..=6 => {
                let cid = [ATT_CHANNEL, SIGNALLING, 0x40, 0x41][usize::from(turn >> 4 & 3)];
                self.pdu(cid, script.packet());
            }
            7 => self.signal(script.octet(), turn >> 4, script.packet()),
            8 => {
                self.answer(script.octet());
            }
            9 => self.complete(u16::from(turn >> 4)),
            10 => self.step(),
            11 => self.settle(),
            12 => self.now += Duration::from_micros(u64::from(script.word())),
            _ => self.ask(script),
        }
    }

    /// One request of the application.
    fn ask(&mut self, script: &mut Script<'_>) {
        let (conn, which) = (CONN, script.octet());
        let (interval, supervision_timeout) = (Duration::from_micros(15_000), Duration::from_secs(4));
        let channel = 0x40 + u16::from(which >> 5);
        let data = vec![which; usize::from(script.word() % 2_100)];
        self.request(match which % 18 {
            0 => Request::Advertise { name: "airtime", interval: Duration::from_millis(100) },
            1 => match which >> 5 {
                0 => Request::Broadcast { interval },
                1 => Request::Observe { interval, window: interval },
                _ => Request::StopAdvertising,
            },
            2 => Request::Scan { name: "airtime", timeout: Duration::from_secs(15), except: &[] },
            3 => Request::Connect { peer: [3; 6], interval, latency: 0, supervision_timeout },
            4 => Request::Disconnect { conn },
            5 => Request::SetDataLength { conn, octets: 251 },
            6 => Request::SetPhy { conn, phy: Phy::Le2M },
            7 => Request::SetFrameSpace { conn, space: Duration::from_micros(52) },
            8 => Request::Encrypt { conn },
            9 => Request::UpdateInterval { conn, shortest: interval, interval, latency: 0, supervision_timeout },
            10 => Request::ExchangeMtu { conn },
            11 => Request::Discover { conn },
            12 => Request::Subscribe { conn },
            13 => Request::Listen { psm: PSM },
            14 => Request::OpenChannel { conn, psm: PSM },
            15 => Request::CloseChannel { conn, channel },
            16 => Request::SendSdu { conn, channel, sdu: &data },
            _ => Request::SendValue { conn, value: &data },
        });
    }

    fn request(&mut self, request: Request<'_>) {
        // A refusal is an answer like any other.
        let _ = self.host.request(self.now, request);
        self.drain();
    }

    fn event(&mut self, code: u8, params: &[u8]) {
        let mut packet = event::event(&self.pool, code);
        packet.put(&params[..params.len().min(255)]);
        self.hear(&event::finish(packet));
    }

    fn acl(&mut self, handle: u16, boundary: u16, data: &[u8]) {
        let mut packet = hci::acl(&self.pool, handle, boundary);
        packet.put(data);
        self.hear(&hci::finish_acl(packet));
    }

    /// A whole L2CAP PDU.
    fn pdu(&mut self, cid: u16, payload: &[u8]) {
        let mut data = (payload.len() as u16).to_le_bytes().to_vec();
        data.extend_from_slice(&cid.to_le_bytes());
        data.extend_from_slice(payload);
        self.acl(CONN, hci::PB_FIRST_FLUSHABLE, &data);
    }

    /// A signalling command whose length is right.
    fn signal(&mut self, code: u8, identifier: u8, data: &[u8]) {
        let len = (data.len() as u16).to_le_bytes();
        self.pdu(SIGNALLING, &[&[code, identifier], &len[..], data].concat());
    }

    /// Answers the command that waits, with success in the way start-up needs it; says whether none waits after it.
    fn answer(&mut self, status: u8) -> bool {
        let Some(opcode) = self.outstanding.take() else { return true };
        let mut packet = event::command_complete(&self.pool, opcode, hci::Status(status));
        match opcode {
            opcode::READ_BD_ADDR => packet.put(&[1; 6]),
            opcode::LE_READ_LOCAL_FEATURES => packet.put_u64(0),
            opcode::LE_READ_BUFFER_SIZE => {
                packet.put_u16(ACL_SIZE);
                packet.put_u8(ACL_COUNT);
            }
            _ => {}
        }
        self.hear(&event::finish(packet));
        self.settle();
        self.outstanding.is_none()
    }

    /// Reports at most `packets` of those in flight as completed.
    fn complete(&mut self, packets: u16) {
        let packets = packets.min(self.in_flight);
        self.in_flight -= packets;
        let report = event::completed_packets(&self.pool, CONN, packets);
        self.hear(&report);
    }

    fn hear(&mut self, bytes: &[u8]) {
        self.host.handle(self.now, HostInput::Hci(bytes));
        self.drain();
    }

    /// Wakes the host at its deadline, if it has one.
    fn step(&mut self) {
        let Some(due) = self.host.deadline() else { return };
        self.now = self.now.max(due);
        self.host.handle(self.now, HostInput::Wake);
        self.drain();
        let next = self.host.deadline();
        assert!(next.is_none_or(|next| next > self.now), "woken at {}, still wants to be: {next:?}", self.now);
    }

    /// Lets the CPU come to rest; a scan may go on.
    fn settle(&mut self) {
        for _ in 0..64 {
            let soon = self.now + Duration::from_millis(10);
            if self.host.deadline().is_none_or(|due| due > soon) {
                return;
            }
            self.step();
        }
    }

    /// Takes the outputs and checks them; says whether a command was among them.
    fn drain(&mut self) -> bool {
        let before = self.outstanding;
        while let Some(output) = self.host.poll(self.now) {
            match output {
                HostOutput::Event(HostEvent::Disconnected { conn: CONN, .. }) => self.in_flight = 0,
                HostOutput::Event(_) | HostOutput::Octets { .. } => {}
                HostOutput::Hci(packet) => match H4::parse(&packet).expect("a host sends whole packets") {
                    H4::Command { opcode: opcode::HOST_NUMBER_OF_COMPLETED_PACKETS, .. } => {}
                    H4::Command { opcode, .. } => self.outstanding = Some(opcode),
                    H4::Acl(acl) => {
                        assert!(
                            acl.handle == CONN || self.host.peer(acl.handle).is_some(),
                            "data for {:#x}",
                            acl.handle
                        );
                        self.in_flight += 1;
                    }
                    H4::Event { .. } => panic!("a host sends no events"),
                },
            }
        }
        assert!(self.host.free_l2cap_buffers() <= usize::from(L2CAP_BUFFERS), "a buffer came back twice");
        self.outstanding.is_some() && self.outstanding != before
    }
}

/// Every bit of `bits` turns one thing that hosts differ in.
fn personality(bits: u8) -> personality::Host {
    let has = |bit: u8| bits >> bit & 1 == 1;
    let time = |micros| if has(0) { Duration::from_micros(micros) } else { Duration::ZERO };
    let policies = [
        CreditPolicy::ZephyrRecv,
        CreditPolicy::PerFrames { initial: 2, on_connect: 3, grant: 2, every: 2 },
        CreditPolicy::PerFrames { initial: 0, on_connect: 65_535, grant: 65_535, every: 1 },
        CreditPolicy::RefillAtHalf { max: 8 },
        CreditPolicy::RefillBelow { initial: 65_535, below: 64 },
        CreditPolicy::SocketBuffer { octets: 4_000 },
        CreditPolicy::RefillAtHalf { max: 1 },
        CreditPolicy::SocketBuffer { octets: 20 },
    ];
    personality::Host {
        latency: time(100),
        latency_p99: has(1).then(|| time(400)),
        packet_time: time(50),
        sdu_time: time(200),
        stream_task: if has(1) { TaskPriority::Above } else { TaskPriority::Below },
        att_mtu: if has(2) { 23 } else { 247 },
        coc_mtu: 600,
        coc_mps: if has(3) { 23 } else { 247 },
        credits: policies[usize::from(bits >> 5)],
        l2cap_tx_buffers: L2CAP_BUFFERS,
        conn_tx_max: if has(4) { Some(L2CAP_BUFFERS + 2) } else { None },
        mbufs: None,
        mbuf_octets: None,
        write_overflow: if has(6) { WriteOverflow::Drops } else { WriteOverflow::Refuses },
        flow_control: has(4).then_some(3),
        data_length: if has(5) { LengthCare::Suggests } else { LengthCare::None },
        takes_2m: has(5),
        intervals: Intervals {
            initial: Duration::from_millis(30),
            application_chooses: has(2),
            min: Duration::from_millis(15),
            max: Duration::from_secs(4),
            multiple_of: Duration::from_millis(15),
            gives_up_after: has(6).then(|| Duration::from_secs(1)),
            asks_after: None,
            preferred_min: Duration::from_millis(30),
            preferred_max: Duration::from_millis(50),
            high_priority_min: None,
            high_priority_max: None,
            off_grid: if has(3) { OffGrid::Reject } else { OffGrid::Adjust },
        },
    }
}
