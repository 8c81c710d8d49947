//! Both machines, a script of one call and a service that echoes; what a host would do between them.

use std::collections::VecDeque;
use std::vec::Vec;

use airtime_core::{Duration, Instant};
use airtime_rpc::client::{Client, ClientConfig, Encryption, Mode, State};
use airtime_rpc::crypto::{ClientSecrets, ServerSecrets};
use airtime_rpc::server::ServerConfig;
use airtime_rpc::suite::{Report, Script};
use airtime_rpc::{CallError, CallId, Caller, Kind, Next, Service, Status};

use crate::config::{StreamConfig, Transport};
use crate::rpc::{self, BUFFER, FrameConfig, Secrets};
use crate::{ATT_CHANNEL, Address, Command, Event, IntervalConfig};

pub(super) const PEER: Address = [1; 6];
pub(super) const CONN: u16 = 3;
pub(super) const CHANNEL: u16 = 0x40;
pub(super) const INTERVAL: Duration = Duration::from_millis(30);
pub(super) const CONNECTED: Event = Event::Connected { conn: CONN, peer: PEER, interval: INTERVAL };
pub(super) const DATA_LENGTH: Event = Event::DataLength { conn: CONN, tx_octets: 251, rx_octets: 251 };
pub(super) const MTU: Event = Event::MtuExchanged { conn: CONN, mtu: 247 };
pub(super) const DISCOVERED: Event = Event::Discovered { conn: CONN, psm: Some(0x80), stream: true };
pub(super) const SUBSCRIBED: Event = Event::Subscribed { conn: CONN };
pub(super) const OPENED: Event = Event::ChannelOpened { conn: CONN, channel: CHANNEL, peer_mtu: 2_000, peer_mps: 247 };

pub(super) fn at(ms: u64) -> Instant {
    Instant::ZERO + Duration::from_millis(ms)
}

/// The same secrets again and again: what is tested here needs none.
#[derive(Debug)]
pub(super) struct NoSecrets;

impl Secrets for NoSecrets {
    fn client(&mut self, peer: Address) -> ClientSecrets {
        assert_eq!(peer, PEER);
        ClientSecrets { ephemeral: [1; 32], nonce: [2; 12] }
    }

    fn server(&mut self, peer: Address) -> ServerSecrets {
        assert_eq!(peer, PEER);
        ServerSecrets { identity: [3; 32], ephemeral: [4; 32], nonce: [5; 12] }
    }
}

/// Calls `echo` with these octets until it was answered once.
#[derive(Debug, Default)]
pub(super) struct Once {
    under_way: Option<CallId>,
    asked: bool,
    pub(super) answer: Vec<u8>,
    pub(super) results: Vec<Result<(), CallError>>,
}

pub(super) const REQUEST: [u8; 5] = [7, 8, 9, 10, 11];

impl Caller for Once {
    fn next(&mut self, _call: CallId) -> Next {
        match core::mem::replace(&mut self.asked, true) {
            false => Next::Message { octets: REQUEST.len() as u32 },
            true => Next::End,
        }
    }

    fn read(&mut self, _call: CallId, offset: u32, into: &mut [u8]) {
        into.copy_from_slice(&REQUEST[offset as usize..][..into.len()]);
    }

    fn received(&mut self, _call: CallId, octets: &[u8], _last: bool) {
        self.answer.extend_from_slice(octets);
    }

    fn ended(&mut self, call: CallId, result: Result<(), CallError>) {
        assert_eq!(self.under_way.take(), Some(call));
        self.results.push(result);
    }
}

impl Script<BUFFER> for Once {
    fn advance(&mut self, now: Instant, client: &mut Client<BUFFER>) {
        if self.under_way.is_none() && !self.is_over() && matches!(client.state(), State::Ready(_)) {
            self.asked = false;
            self.under_way = Some(client.start(now, "echo", Kind::Unary).expect("a client that is ready takes a call"));
        }
    }

    fn poll(&mut self) -> Option<Report> {
        None
    }

    fn deadline(&self) -> Option<Instant> {
        None
    }

    fn is_over(&self) -> bool {
        self.results.contains(&Ok(()))
    }
}

/// Answers every request with its octets.
#[derive(Debug, Default)]
pub(super) struct Mirror {
    octets: Vec<u8>,
    answered: bool,
    pub(super) opened: usize,
    pub(super) closed: usize,
}

impl Service for Mirror {
    fn open(&mut self, _call: CallId, name: &str) -> Result<Kind, Status> {
        assert_eq!(name, "echo");
        self.opened += 1;
        (self.octets, self.answered) = (Vec::new(), false);
        Ok(Kind::Unary)
    }

    fn received(&mut self, _call: CallId, octets: &[u8], _last: bool) -> Result<(), Status> {
        self.octets.extend_from_slice(octets);
        Ok(())
    }

    fn finished(&mut self, _call: CallId) -> Result<(), Status> {
        Ok(())
    }

    fn next(&mut self, _call: CallId) -> Next {
        match core::mem::replace(&mut self.answered, true) {
            false => Next::Message { octets: self.octets.len() as u32 },
            true => Next::End,
        }
    }

    fn read(&mut self, _call: CallId, offset: u32, into: &mut [u8]) {
        into.copy_from_slice(&self.octets[offset as usize..][..into.len()]);
    }

    fn closed(&mut self, _call: CallId) {
        self.closed += 1;
    }
}

pub(super) type Central = rpc::Central<Once, NoSecrets>;
pub(super) type Peripheral = rpc::Peripheral<Mirror, NoSecrets>;

pub(super) fn central_config(transport: Transport) -> rpc::CentralConfig {
    rpc::CentralConfig {
        set_up: crate::CentralConfig {
            stream: StreamConfig { transport, ..StreamConfig::default() },
            phy: crate::Phy::Le1M,
            ..crate::CentralConfig::default()
        },
        client: ClientConfig {
            mode: Mode::Extended,
            encryption: Encryption::Off,
            patience: Duration::from_secs(2),
            window: 4_096,
        },
        frames: FrameConfig { in_flight: 2, ..FrameConfig::default() },
        reconnects: 1,
    }
}

pub(super) fn central(config: rpc::CentralConfig) -> Central {
    Central::new(config, Once::default(), NoSecrets)
}

pub(super) fn peripheral(interval: IntervalConfig) -> Peripheral {
    let config = rpc::PeripheralConfig {
        set_up: crate::PeripheralConfig { interval, ..crate::PeripheralConfig::default() },
        server: ServerConfig {
            extended: true,
            encrypted: false,
            timeout: Duration::from_millis(100),
            max_request: 12_288,
            max_response: 65_535,
            window: 4_096,
        },
        frames: FrameConfig { in_flight: 2, ..FrameConfig::default() },
    };
    Peripheral::new(config, Mirror::default(), NoSecrets)
}

/// Tells an end something and gives its commands, with the frames of those that send.
macro_rules! tell {
    ($end:expr, $ms:expr, $event:expr) => {{
        $end.handle(at($ms), $event);
        let mut commands = std::vec::Vec::new();
        while let Some(command) = $end.poll(at($ms)) {
            commands.push(command);
        }
        commands
    }};
}
pub(super) use tell;

/// The frame of a command that sends.
macro_rules! frame {
    ($end:expr, $command:expr) => {
        match $command {
            Command::Send { conn: CONN, channel, len } => {
                let mut octets = std::vec![0; usize::from(len)];
                $end.fill(&mut octets);
                Some((channel, octets))
            }
            _ => None,
        }
    };
}
pub(super) use frame;

/// What is on its way: to the peripheral or to the central, on which channel.
#[derive(Default)]
pub(super) struct Between {
    frames: VecDeque<(bool, u16, Vec<u8>)>,
}

impl Between {
    /// Carries frames until nothing moves.
    pub(super) fn settle(&mut self, ms: u64, central: &mut Central, peripheral: &mut Peripheral) {
        while self.step(ms, central, peripheral) {}
    }

    /// Polls both ends and carries one frame, which is sent at once and told so; says whether there was one.
    pub(super) fn step(&mut self, ms: u64, central: &mut Central, peripheral: &mut Peripheral) -> bool {
        while let Some(command) = central.poll(at(ms)) {
            if let Some((channel, octets)) = frame!(central, command) {
                self.frames.push_back((true, channel, octets));
            }
        }
        while let Some(command) = peripheral.poll(at(ms)) {
            if let Some((channel, octets)) = frame!(peripheral, command) {
                self.frames.push_back((false, channel, octets));
            }
        }
        let Some((to_peripheral, channel, octets)) = self.frames.pop_front() else { return false };
        let sent = Event::Sent { conn: CONN, channel };
        if to_peripheral {
            central.handle(at(ms), sent);
            peripheral.receive(at(ms), CONN, channel, &octets);
        } else {
            peripheral.handle(at(ms), sent);
            central.receive(at(ms), CONN, channel, &octets);
        }
        true
    }
}

/// Everything that is told both ends until frames can flow.
pub(super) fn set_up(transport: Transport, central: &mut Central, peripheral: &mut Peripheral) {
    let last = if transport == Transport::Gatt { SUBSCRIBED } else { OPENED };
    tell!(peripheral, 0, Event::Ready);
    tell!(central, 0, Event::Ready);
    connect(last, central, peripheral);
}

fn connect(last: Event, central: &mut Central, peripheral: &mut Peripheral) {
    for event in [CONNECTED, DATA_LENGTH, MTU, last] {
        tell!(peripheral, 0, event);
    }
    for event in [Event::Found { peer: PEER }, CONNECTED, DATA_LENGTH, MTU, DISCOVERED] {
        tell!(central, 0, event);
    }
    central.handle(at(0), last);
}

#[test]
fn a_call_is_answered_over_either_transport() {
    for (transport, channel) in [(Transport::Gatt, ATT_CHANNEL), (Transport::Coc, CHANNEL)] {
        let (mut central, mut peripheral) = (central(central_config(transport)), peripheral(IntervalConfig::default()));
        set_up(transport, &mut central, &mut peripheral);
        Between::default().settle(1, &mut central, &mut peripheral);
        assert_eq!((central.channel(), peripheral.channel()), (Some(channel), Some(channel)));
        assert_eq!((central.script().answer.as_slice(), central.is_over()), (&REQUEST[..], true));
        assert_eq!((peripheral.service().opened, peripheral.service().closed), (1, 1));
    }
}

#[test]
fn a_lost_link_ends_the_call_and_the_script_goes_on_after_it() {
    let transport = Transport::Gatt;
    let (mut central, mut peripheral) = (central(central_config(transport)), peripheral(IntervalConfig::default()));
    set_up(transport, &mut central, &mut peripheral);
    let mut between = Between::default();
    // The set-up takes two frames each way, and extended mode greets; the link goes before the answer comes.
    while peripheral.service().opened == 0 {
        between.step(1, &mut central, &mut peripheral);
    }
    let gone = Event::Disconnected { conn: CONN, reason: 0x08 };
    let scans = |command: &Command| matches!(command, Command::Scan { .. });
    assert!(tell!(central, 2, gone).iter().any(scans), "it looks for its peripheral again");
    tell!(peripheral, 2, gone);
    assert_eq!((peripheral.service().opened, peripheral.service().closed), (1, 1));
    assert_eq!((central.script().results.as_slice(), central.is_over()), (&[Err(CallError::Lost)][..], false));

    connect(SUBSCRIBED, &mut central, &mut peripheral);
    Between::default().settle(3, &mut central, &mut peripheral);
    assert_eq!((central.reconnected(), central.is_over(), central.outcome()), (1, true, None));
    assert_eq!(central.script().results, [Err(CallError::Lost), Ok(())]);
    // Once it is over, a lost link is nothing that it mends.
    assert_eq!(tell!(central, 4, gone), []);
}
