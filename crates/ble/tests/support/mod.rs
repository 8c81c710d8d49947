//! Two controllers driven by hand: bytes in, packets on the air out.

use std::collections::VecDeque;

use airtime_ble::air::Phy;
use airtime_ble::controller::Controller;
use airtime_ble::hci::{self, Opcode, opcode};
use airtime_ble::host::{ConnHandle, Starved};
use airtime_ble::ll::pdu::DataHeader;
use airtime_ble::medium::{Medium, Place, Transmission};
use airtime_ble::network::{Device, Network, Observer, Station, StationOutput};
use airtime_ble::personality::Controller as Personality;
use airtime_ble::trace::{Trace, Verdict};
use airtime_core::loss::{Loss, LossProcess};
use airtime_core::random::stream;
use airtime_core::{Duration, EventLoop, Instant, Packet, Pool};

/// A controller without quirks: no margin, decides when a packet ends, plenty of buffers.
pub const PLAIN: Personality = Personality {
    margin: Duration::ZERO,
    acl_count: 20,
    rx_buffers: 8,
    suggested_octets: 251,
    ..Personality::ZEPHYR_LL
};

/// A host that says what it is told to say, and keeps what it hears.
#[derive(Debug, Default)]
pub struct Script {
    out: VecDeque<Packet>,
    pub heard: Vec<Vec<u8>>,
}

impl Script {
    /// Parameters of the last LE Meta event of this kind, behind the subevent code.
    pub fn le_event(&self, subevent: u8) -> Option<&[u8]> {
        self.heard.iter().rev().find(|p| p[0] == hci::EVENT && p[1] == 0x3e && p[3] == subevent).map(|p| &p[4..])
    }

    /// Parameters of the last event with this code.
    pub fn plain_event(&self, code: u8) -> Option<&[u8]> {
        self.heard.iter().rev().find(|p| p[0] == hci::EVENT && p[1] == code).map(|p| &p[3..])
    }

    /// Data of every ACL packet that came up, joined.
    pub fn received(&self) -> Vec<u8> {
        self.heard.iter().filter(|p| p[0] == hci::ACL_DATA).flat_map(|p| p[5..].iter().copied()).collect()
    }
}

impl Station for Script {
    type Event = ();
    fn wake(&mut self, _: Instant) {}
    fn hci(&mut self, _: Instant, packet: &[u8]) {
        self.heard.push(packet.to_vec());
    }
    fn poll(&mut self, _: Instant) -> Option<StationOutput<()>> {
        self.out.pop_front().map(StationOutput::Hci)
    }
    fn deadline(&self) -> Option<Instant> {
        None
    }
    fn starved(&self, _: ConnHandle) -> Starved {
        Starved::Application
    }
}

/// One packet of a connection: µs since its event's anchor, length of its payload, header bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OnAir {
    pub event: u16,
    pub start_ns: u64,
    pub end_ns: u64,
    pub from_central: bool,
    pub payload: usize,
    pub header: DataHeader,
    pub phy: Phy,
    pub verdict: Verdict,
    pub at: Instant,
    pub channel: u8,
}

/// One packet on an advertising channel, primary or secondary.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Advertised {
    pub start: Instant,
    pub end: Instant,
    pub channel: u8,
    pub phy: Phy,
    pub pdu: Vec<u8>,
}

impl Advertised {
    /// PDU type, TxAdd and RxAdd.
    pub fn header(&self) -> (u8, bool, bool) {
        (self.pdu[0] & 0x0f, self.pdu[0] & 0x40 != 0, self.pdu[0] & 0x80 != 0)
    }
}

/// Everything on the air of connections, and every trace.
#[derive(Debug, Default)]
pub struct Log {
    pub packets: Vec<OnAir>,
    pub advertised: Vec<Advertised>,
    pub traces: Vec<(usize, Trace)>,
    anchor: Instant,
}

impl Observer<()> for Log {
    fn transmission(&mut self, sent: &Transmission, verdict: Verdict) {
        let Place::Event { counter, opens, from_central } = sent.place else {
            let (start, end, channel, phy, pdu) = (sent.start, sent.end, sent.channel, sent.phy, sent.packet.to_vec());
            return self.advertised.push(Advertised { start, end, channel, phy, pdu });
        };
        if opens {
            self.anchor = sent.start;
        }
        let (header, payload) = DataHeader::parse(&sent.packet).expect("controllers send whole PDUs");
        self.packets.push(OnAir {
            event: counter,
            start_ns: sent.start.saturating_since(self.anchor).as_nanos(),
            end_ns: sent.end.saturating_since(self.anchor).as_nanos(),
            from_central,
            payload: payload.len(),
            header,
            phy: sent.phy,
            verdict,
            at: sent.start,
            channel: sent.channel,
        });
    }
    fn trace(&mut self, _: Instant, device: usize, trace: &Trace, _: Option<Starved>) {
        self.traces.push((device, *trace));
    }
    fn event(&mut self, _: Instant, _: usize, (): &()) {}
}

/// A central (device 0) and a peripheral (device 1).
pub struct Pair {
    pub network: Network<Script, Log>,
    pub events: EventLoop,
    pool: Pool,
}

pub const CENTRAL: usize = 0;
pub const PERIPHERAL: usize = 1;

impl Pair {
    pub fn new(central: Personality, peripheral: Personality, loss: Loss) -> Self {
        Self::with_further(&[central, peripheral], loss)
    }

    /// Devices of these kinds: the two of the pair, and others.
    pub fn with_further(kinds: &[Personality], loss: Loss) -> Self {
        let pool = Pool::new();
        let device = |personality, index| Device {
            controller: Controller::new(personality, [index, 0, 0, 0, 0, 0xc0], pool.clone()),
            station: Script::default(),
        };
        let medium = Medium::new(kinds.len(), LossProcess::new(loss, stream(1, "pair")), false);
        let devices = (0..).zip(kinds).map(|(index, kind)| device(*kind, index)).collect();
        let network = Network::new(medium, devices, Log::default());
        let events = EventLoop::new(Instant::ZERO, &network);
        let mut pair = Self { network, events, pool };
        for device in 0..kinds.len() {
            pair.command(device, opcode::SET_EVENT_MASK, &[0xff; 8]);
            pair.command(device, opcode::LE_SET_EVENT_MASK, &[0xff; 8]);
        }
        pair
    }

    /// Two plain controllers, connected with this interval in units of 1.25 ms.
    pub fn connected(interval: u16) -> Self {
        let mut pair = Self::new(PLAIN, PLAIN, Loss::None);
        pair.connect(interval, 0);
        pair
    }

    pub fn connect(&mut self, interval: u16, latency: u16) {
        self.ask_to_connect(PERIPHERAL, [0x10, 0x10], interval, latency);
        let patience = self.events.now() + Duration::from_secs(5);
        while self.handle(CENTRAL).is_none() || self.handle(PERIPHERAL).is_none() {
            assert!(self.events.step(&mut self.network, patience), "no connection");
        }
    }

    /// Lets `device` advertise and the central look for it, with this scan interval and window in units of 0.625 ms.
    pub fn ask_to_connect(&mut self, device: usize, windows: [u16; 2], interval: u16, latency: u16) {
        self.ask_to_connect_from(CENTRAL, device, windows, interval, latency);
    }

    /// The same for another device that looks for it.
    pub fn ask_to_connect_from(&mut self, by: usize, device: usize, windows: [u16; 2], interval: u16, latency: u16) {
        let mut adv = vec![0xa0, 0, 0xa0, 0, 0, 0, 0];
        adv.extend([0; 6]);
        adv.extend([7, 0]);
        self.command(device, opcode::LE_SET_ADV_PARAMETERS, &adv);
        self.command(device, opcode::LE_SET_ADV_ENABLE, &[1]);
        let mut create: Vec<u8> = windows.into_iter().flat_map(u16::to_le_bytes).collect();
        create.extend([0, 0, device as u8, 0, 0, 0, 0, 0xc0, 0]);
        for field in [interval, interval, latency, 400, 0, 0] {
            create.extend(field.to_le_bytes());
        }
        self.command(by, opcode::LE_CREATE_CONNECTION, &create);
    }

    /// Gives a command, and the status and return parameters it is answered with.
    pub fn ask(&mut self, device: usize, opcode: Opcode, params: &[u8]) -> (u8, Vec<u8>) {
        let before = self.script(device).heard.len();
        self.command(device, opcode, params);
        let code = opcode.0.to_le_bytes();
        let heard = &self.script(device).heard[before..];
        let answer = heard.iter().find_map(|p| match p[1] {
            0x0e if p[4..6] == code => Some((p[6], p[7..].to_vec())),
            0x0f if p[5..7] == code => Some((p[3], Vec::new())),
            _ => None,
        });
        answer.expect("every command is answered")
    }

    /// Gives a command that succeeds.
    pub fn done(&mut self, device: usize, opcode: Opcode, params: &[u8]) {
        let (status, _) = self.ask(device, opcode, params);
        assert_eq!(status, 0, "{:?}", opcode.name());
    }

    /// Runs until both ends have a connection; says whether that was within `patience`.
    pub fn meet(&mut self, patience: Duration) -> bool {
        let until = self.events.now() + patience;
        while self.handle(CENTRAL).is_none() || self.handle(PERIPHERAL).is_none() {
            if !self.events.step(&mut self.network, until) {
                return false;
            }
        }
        true
    }

    pub fn handle(&self, device: usize) -> Option<u16> {
        self.network.devices[device].controller.connection(0).map(|c| c.handle)
    }

    pub fn say(&mut self, device: usize, packet: Packet) {
        self.network.devices[device].station.out.push_back(packet);
        self.network.start(self.events.now());
        self.events.refresh(&self.network);
    }

    pub fn command(&mut self, device: usize, opcode: Opcode, params: &[u8]) {
        let mut packet = hci::command(&self.pool, opcode);
        packet.put(params);
        self.say(device, hci::finish_command(packet));
    }

    /// Queues one ACL packet of `octets` that begins an L2CAP PDU.
    pub fn acl(&mut self, device: usize, octets: usize) {
        self.acl_on(device, 0, octets);
    }

    /// The same on another of the device's connections.
    pub fn acl_on(&mut self, device: usize, handle: u16, octets: usize) {
        let mut packet = hci::acl(&self.pool, handle, hci::PB_FIRST_NON_FLUSHABLE);
        packet.put(&vec![0xa5; octets]);
        self.say(device, hci::finish_acl(packet));
    }

    pub fn run(&mut self, span: Duration) {
        let until = self.events.now() + span;
        self.events.run_until(&mut self.network, until);
    }

    /// Length 251 and 2M, as a streaming test has it.
    pub fn fast(&mut self) {
        self.command(CENTRAL, opcode::LE_SET_DATA_LENGTH, &[0, 0, 251, 0, 0x48, 0x08]);
        self.command(CENTRAL, opcode::LE_SET_PHY, &[0, 0, 0, 2, 2, 0, 0]);
        self.run(Duration::from_secs(1));
    }

    pub fn script(&self, device: usize) -> &Script {
        &self.network.devices[device].station
    }

    pub fn log(&mut self) -> &mut Log {
        &mut self.network.observer
    }

    /// What was on the air since the last call.
    pub fn taken(&mut self) -> Vec<OnAir> {
        std::mem::take(&mut self.network.observer.packets)
    }
}
