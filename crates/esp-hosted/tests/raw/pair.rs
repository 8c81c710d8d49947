//! Host and co-processor head to head, over messages as they are on the bus.

use airtime_core::{Duration, Instant, Pool};
use airtime_esp_hosted::raw::{
    COMMAND_TIMEOUT, Command, CommandFailure, Filter, Finished, Firmware, Interface, Monitor, MonitorCounts, NotSent,
    PacketKind, PromiscuousPacket, RadioRequest, Second, Service, ServiceOutput, Told, id,
};
use airtime_esp_hosted::rpc::proto::CustomEvent;
use airtime_esp_hosted::rpc::{Body, Event, Message, Request, Response, status};
use airtime_ieee80211::air::{Guard, Phy, Width};
use airtime_ieee80211::wire::{Beacon, Control, MacAddress, RxInfo, Sequence, Ssid, Tim, fcs};

const RAW: Firmware = Firmware::Raw { handlers: 8, packet_id: id::PROMISCUOUS_PACKET };
const INFO: RxInfo =
    RxInfo { rssi_dbm: -48, channel: 12, phy: Phy::ht(Width::Mhz20, Guard::Ns400, 7), aggregated: false };

struct Pair {
    monitor: Monitor,
    service: Service,
    connected: bool,
    /// What the radio was asked, and what it answers.
    radio: Vec<RadioRequest>,
    answer: i32,
    /// Frames that came to the host.
    frames: Vec<(PacketKind, Vec<u8>)>,
}

impl Pair {
    fn new(firmware: Firmware) -> Self {
        Self {
            monitor: Monitor::default(),
            service: Service::new(firmware),
            connected: false,
            radio: Vec::new(),
            answer: status::OK,
            frames: Vec::new(),
        }
    }

    /// Sends a command and carries everything until nobody says any more.
    fn command(&mut self, command: &Command<'_>) -> Option<Result<(), CommandFailure>> {
        let request = self.monitor.command(Instant::ZERO, command).expect("no command is under way");
        let Body::Request(Request::CustomRpc(request)) = carry(Message::request(1, Request::CustomRpc(request))) else {
            panic!("a request arrives as one")
        };
        self.service.request(1, &request, self.connected);
        let finished = self.drain()?;
        assert_eq!(finished.command, command.id());
        Some(finished.result)
    }

    fn drain(&mut self) -> Option<Finished> {
        let mut finished = None;
        while let Some(output) = self.service.poll() {
            match output {
                ServiceOutput::Reply { uid, reply } => {
                    let Body::Response(Response::CustomRpc(reply)) =
                        carry(Message::response(uid, Response::CustomRpc(reply)))
                    else {
                        panic!("a reply arrives as one")
                    };
                    finished = finished.or(self.monitor.reply(&reply));
                }
                ServiceOutput::Event(event) => {
                    let Body::Event(Event::CustomRpc(event)) = carry(Message::event(Event::CustomRpc(event))) else {
                        panic!("an event arrives as one")
                    };
                    match self.monitor.event(&event) {
                        Some(Told::Packet(packet)) => self.frames.push((packet.kind, packet.frame.to_vec())),
                        Some(Told::Finished(end)) => finished = Some(end),
                        None => {}
                    }
                }
                ServiceOutput::Radio(request) => {
                    self.radio.push(request);
                    self.service.done(self.answer);
                }
            }
        }
        finished
    }

    fn hear(&mut self, frame: &[u8]) {
        self.service.heard(frame, &INFO);
        self.drain();
    }
}

/// The message as it comes out at the other end.
fn carry(message: Message) -> Body {
    let mut octets = Vec::new();
    message.emit(&mut octets);
    Message::parse(&octets).expect("what is made is read").body
}

/// A beacon without FCS.
fn beacon() -> Vec<u8> {
    let mut frame = Pool::new().packet();
    let beacon = Beacon {
        to: None,
        bssid: MacAddress::local(3),
        sequence: Sequence::default(),
        timestamp_us: 0,
        interval_tu: 100,
        ssid: Ssid::WILDCARD,
        channel: 12,
        secured: false,
        ht: false,
        tim: Tim::NOTHING,
    };
    beacon.emit(&mut frame);
    frame.to_vec()
}

fn with_fcs(frame: &[u8]) -> Vec<u8> {
    [frame, &fcs::over(frame).to_le_bytes()].concat()
}

/// An acknowledgement with FCS.
fn ack() -> Vec<u8> {
    let mut frame = Pool::new().packet();
    Control::Ack { receiver: MacAddress::local(1) }.emit(&mut frame);
    with_fcs(&frame)
}

#[test]
fn commands_reach_the_radio() {
    let mut pair = Pair::new(RAW);
    assert_eq!(pair.command(&Command::SetChannel { primary: 6, second: Second::Above }), Some(Ok(())));
    assert_eq!(pair.command(&Command::SetPromiscuous(true)), Some(Ok(())));
    let frame = &beacon();
    let transmit = Command::Transmit { interface: Interface::Station, system_sequence: true, frame };
    assert_eq!(pair.command(&transmit), Some(Ok(())));
    assert_eq!(pair.command(&Command::SetFilter(Filter::ALL)), Some(Ok(())));
    let expected = [
        RadioRequest::Channel { primary: 6, second: Second::Above },
        RadioRequest::Listen(true),
        RadioRequest::Inject { frame: frame.clone(), system_sequence: true },
    ];
    assert_eq!(pair.radio, expected);
    assert_eq!((pair.service.counts().commands, pair.service.counts().refused), (4, 0));
}

#[test]
fn a_factory_image_refuses_and_says_why() {
    let mut pair = Pair::new(Firmware::Factory);
    let frame = &beacon();
    let commands = [
        Command::SetPromiscuous(true),
        Command::SetChannel { primary: 6, second: Second::None },
        Command::SetFilter(Filter::ALL),
        Command::Transmit { interface: Interface::Station, system_sequence: true, frame },
    ];
    for command in commands {
        let refused = CommandFailure::NoHandler(status::NOT_SUPPORTED);
        assert_eq!(pair.command(&command), Some(Err(refused)));
        let says = refused.to_string();
        for word in ["factory image", "ESP_HOSTED_ENABLE_PEER_DATA_TRANSFER", "MAX_CUSTOM_MSG_HANDLERS=8"] {
            assert!(says.contains(word), "{says}");
        }
    }
    pair.hear(&with_fcs(frame));
    assert_eq!((pair.radio.len(), pair.frames.len(), pair.service.counts().unhandled), (0, 0, 4));
}

#[test]
fn a_table_of_three_has_no_room_for_the_fourth_command() {
    let mut pair = Pair::new(Firmware::Raw { handlers: 3, packet_id: id::PROMISCUOUS_PACKET });
    assert_eq!(pair.command(&Command::SetFilter(Filter::ALL)), Some(Ok(())));
    let transmit = Command::Transmit { interface: Interface::Station, system_sequence: true, frame: &beacon() };
    assert_eq!(pair.command(&transmit), Some(Err(CommandFailure::NoHandler(status::NOT_SUPPORTED))));
}

#[test]
fn the_chip_refuses_what_it_does_not_do() {
    let mut pair = Pair::new(RAW);
    let channel = |primary| Command::SetChannel { primary, second: Second::None };
    let invalid = Some(Err(CommandFailure::Refused(status::INVALID_ARG)));
    assert_eq!([pair.command(&channel(0)), pair.command(&channel(15))], [invalid, invalid]);
    // The host hands 4000 octets on, the chip takes 1500.
    let mut long = beacon();
    long.resize(4000, 0);
    fn transmit(frame: &[u8], system_sequence: bool) -> Command<'_> {
        Command::Transmit { interface: Interface::Station, system_sequence, frame }
    }
    assert_eq!(pair.command(&transmit(&long, true)), invalid);
    long.push(0);
    assert_eq!(pair.monitor.command(Instant::ZERO, &transmit(&long, true)), Err(NotSent::Length(4001)));
    assert_eq!(pair.monitor.command(Instant::ZERO, &transmit(&[], true)), Err(NotSent::Length(0)));
    pair.connected = true;
    assert_eq!(pair.command(&transmit(&beacon(), false)), invalid);
    // The radio has no buffer.
    pair.answer = status::NO_MEM;
    assert_eq!(pair.command(&transmit(&beacon(), true)), Some(Err(CommandFailure::Refused(status::NO_MEM))));
    assert_eq!(pair.service.counts().refused, 5);
}

#[test]
fn frames_are_heard_while_it_listens_and_the_filter_lets_them() {
    let mut pair = Pair::new(RAW);
    let heard = with_fcs(&beacon());
    pair.hear(&heard);
    assert!(pair.frames.is_empty(), "it does not listen yet");
    pair.command(&Command::SetPromiscuous(true));
    pair.hear(&heard);
    pair.hear(&ack());
    assert_eq!(pair.frames, [(PacketKind::Management, heard.clone())]);
    pair.command(&Command::SetFilter(Filter::CONTROL));
    pair.hear(&heard);
    pair.hear(&ack());
    assert_eq!(pair.frames[1..], [(PacketKind::Control, ack())]);
    pair.command(&Command::SetPromiscuous(false));
    pair.hear(&ack());
    assert_eq!(pair.frames.len(), 2);
    assert_eq!((pair.service.counts().packets, pair.service.counts().filtered), (2, 2));
    // One that is wrong has its state, if it is wanted at all.
    pair.command(&Command::SetPromiscuous(true));
    pair.command(&Command::SetFilter(Filter::CONTROL.with(Filter::FCS_FAIL)));
    let mut wrong = ack();
    wrong[5] ^= 1;
    pair.service.heard(&wrong, &INFO);
    let Some(ServiceOutput::Event(CustomEvent { data, .. })) = pair.service.poll() else { panic!("no event") };
    assert_eq!(PromiscuousPacket::parse(&data).unwrap().rx_state, 1);
}

#[test]
fn a_radio_that_refuses_to_listen_does_not() {
    let mut pair = Pair::new(RAW);
    pair.answer = status::FAIL;
    assert_eq!(pair.command(&Command::SetPromiscuous(true)), Some(Err(CommandFailure::Refused(status::FAIL))));
    assert!(!pair.service.promiscuous());
}

#[test]
fn both_numbers_of_packets_can_be_had() {
    for packet_id in [id::PROMISCUOUS_PACKET, id::PROMISCUOUS_PACKET_OF_CODE] {
        let mut pair = Pair::new(Firmware::Raw { handlers: 8, packet_id });
        pair.command(&Command::SetPromiscuous(true));
        pair.hear(&with_fcs(&beacon()));
        let expected = if packet_id == id::PROMISCUOUS_PACKET { (1, 0) } else { (0, 1) };
        assert_eq!((pair.monitor.counts().packets, pair.monitor.counts().foreign), expected);
        pair.monitor = Monitor::new(packet_id);
        pair.hear(&with_fcs(&beacon()));
        assert_eq!(pair.monitor.counts().packets, 1);
    }
}

#[test]
fn a_slow_host_loses_frames_and_no_answers() {
    let mut pair = Pair::new(RAW);
    pair.command(&Command::SetPromiscuous(true));
    let heard = with_fcs(&beacon());
    for _ in 0..100 {
        pair.service.heard(&heard, &INFO);
    }
    assert_eq!(pair.command(&Command::SetPromiscuous(false)), Some(Ok(())));
    assert_eq!(pair.frames.len() as u64 + pair.service.counts().dropped, 100);
    assert_eq!(pair.frames.len(), 32);
}

#[test]
fn a_host_that_never_waits_is_bounded() {
    let mut service = Service::new(RAW);
    let mut data = Vec::new();
    Command::SetPromiscuous(true).emit(&mut data);
    let request = airtime_esp_hosted::rpc::proto::CustomRequest { custom_msg_id: id::SET_PROMISCUOUS, data };
    let mut asked = 0;
    for uid in 0..100 {
        service.request(uid, &request, false);
        while let Some(output) = service.poll() {
            asked += u32::from(matches!(output, ServiceOutput::Radio(_)));
        }
    }
    assert_eq!((asked, service.counts().refused), (8, 92));
}

#[test]
fn a_command_waits_five_seconds() {
    let mut monitor = Monitor::default();
    let start = Instant::from_nanos(1_000_000);
    let command = Command::SetPromiscuous(true);
    monitor.command(start, &command).unwrap();
    assert_eq!(monitor.command(start, &command), Err(NotSent::Busy));
    let deadline = start + COMMAND_TIMEOUT;
    assert_eq!((monitor.deadline(), COMMAND_TIMEOUT), (Some(deadline), Duration::from_secs(5)));
    assert_eq!(monitor.wake(start), None);
    let finished = Finished { command: id::SET_PROMISCUOUS, result: Err(CommandFailure::Timeout) };
    assert_eq!(monitor.wake(deadline), Some(finished));
    assert_eq!(monitor.deadline(), None);
    assert!(monitor.command(deadline, &command).is_ok(), "the next one can be sent");
    assert_eq!(monitor.counts(), MonitorCounts { timeouts: 1, ..MonitorCounts::default() });
}

#[test]
fn answers_belong_to_their_command() {
    let mut monitor = Monitor::default();
    let answer = |command: u16| CustomEvent {
        resp: 0,
        custom_event_id: id::COMMAND_RESPONSE,
        data: airtime_esp_hosted::raw::Reply { command, status: 0 }.octets().to_vec(),
    };
    assert_eq!(monitor.event(&answer(0x0100)), None, "nobody asked");
    monitor.command(Instant::ZERO, &Command::SetPromiscuous(true)).unwrap();
    assert_eq!(monitor.event(&answer(0x0101)), None, "it was not that");
    let cut = CustomEvent { data: vec![0, 1], ..answer(0) };
    assert_eq!(monitor.event(&cut), None);
    let finished = Finished { command: 0x0100, result: Ok(()) };
    assert_eq!(monitor.event(&answer(0x0100)), Some(Told::Finished(finished)));
    assert_eq!(monitor.counts(), MonitorCounts { unasked: 2, malformed: 1, ..MonitorCounts::default() });
}
