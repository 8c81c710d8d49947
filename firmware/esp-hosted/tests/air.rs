//! The air in front of a card: the laboratory's cell with an access point in it, and behind that a far end as Linux is.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::net::Ipv4Addr;
use std::rc::Rc;

use airtime_core::{Duration, Instant, Packet, Pool};
use airtime_esp_hosted::coprocessor::{Coprocessor, Radio};
use airtime_esp_hosted::raw::RadioRequest;
use airtime_esp_hosted::rpc::status;
use airtime_esp_hosted::wire::Interface;
use airtime_net::{Event, Watch, linux};
use airtime_wifi::cell::{Beacons, Cell, CellConfig, CellOutput, Refused, StationConfig, Traffic};
use airtime_wifi::network::{AP, AP_MAC, FAR_MAC, STATION};
use smoltcp::wire::{
    ArpOperation, ArpPacket, ArpRepr, DhcpMessageType, DhcpPacket, DhcpRepr, EthernetAddress, EthernetFrame,
    EthernetProtocol, EthernetRepr, IpProtocol, Ipv4Packet, Ipv4Repr, UdpPacket, UdpRepr,
};

pub const HOST: Ipv4Addr = Ipv4Addr::new(10, 0, 0, 1);
pub const FAR: Ipv4Addr = Ipv4Addr::new(10, 0, 0, 2);
pub const PORT: u16 = 5_201;

/// Counts of what has arrived at the far end.
#[derive(Debug, Default)]
pub struct Arrived {
    pub datagrams: u64,
    pub stream: u64,
    pub finished: bool,
    pub foreign: u64,
    pub damaged: u64,
}

impl Watch for Arrived {
    fn event(&mut self, _: Instant, event: Event) {
        match event {
            Event::Arrived { .. } => self.datagrams += 1,
            Event::Read { octets, .. } => self.stream += octets as u64,
            Event::Finished { .. } => self.finished = true,
            Event::Damaged { .. } => self.damaged += 1,
            Event::Foreign { .. } => self.foreign += 1,
            _ => {}
        }
    }
}

/// Behaviour of the network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grants {
    /// The station joins, and DHCP gives it an address.
    All,
    /// The station joins, and nobody gives it an address.
    NoAddress,
    /// The station is never told that it has joined.
    Nothing,
}

/// The air, and all that is behind it.
pub struct Air {
    cell: Cell,
    pool: Pool,
    grants: Grants,
    far: linux::Host<Rc<RefCell<Arrived>>>,
    pub arrived: Rc<RefCell<Arrived>>,
    /// Frames that wait for the air.
    down: VecDeque<Packet>,
    station: EthernetAddress,
    listens: bool,
    channel: Option<u8>,
    pub injected: Vec<Vec<u8>>,
}

impl Air {
    /// An access point that beacons, and another station that sends 1000 octets every 20 ms or so.
    pub fn new(grants: Grants) -> Self {
        let pool = Pool::new();
        let mut config = CellConfig::pair();
        config.beacons = Some(Beacons::usual(b"lab"));
        let mut talker = StationConfig::usual(2);
        talker.traffic = Traffic::Poisson { to: AP, mpdu: 1_000, every: Duration::from_millis(20) };
        config.stations.push(talker);
        let arrived = Rc::<RefCell<Arrived>>::default();
        let mut far = linux::Host::new(pool.clone(), FAR, linux::Config::default(), Rc::clone(&arrived));
        far.take_datagrams(PORT);
        far.read_stream(PORT);
        let mut cell = Cell::new(config, pool.clone(), 1);
        cell.told(false);
        let station = EthernetAddress([0; 6]);
        let (down, injected) = (VecDeque::new(), Vec::new());
        Self { cell, pool, grants, far, arrived, down, station, listens: false, channel: None, injected }
    }

    /// Counters of the stack behind the access point.
    pub fn far(&self) -> linux::Counters {
        self.far.counters()
    }

    /// Datagrams that never came, came twice, or too late.
    pub fn strange(&self) -> (u64, u64, u64) {
        let tally = self.far.sinks()[0].tally();
        (tally.missing(), tally.again, tally.late)
    }

    /// The co-processor hands over a frame; it is given back when there is no room.
    pub fn offer(&mut self, now: Instant, frame: Packet) -> Option<Packet> {
        match self.cell.offer(now, STATION, AP, frame) {
            Ok(()) => None,
            Err(Refused::Full(frame)) => Some(frame),
        }
    }

    /// The co-processor does something with its radio; authentication and association are not played, as in the laboratory.
    pub fn radio(&mut self, now: Instant, radio: &Radio, coprocessor: &mut Coprocessor) {
        match radio {
            Radio::Connect if self.grants != Grants::Nothing => coprocessor.connected(now, true),
            Radio::Disconnect | Radio::Stop => coprocessor.connected(now, false),
            Radio::Raw(request) => {
                let status = self.raw(now, request);
                coprocessor.raw_done(now, status);
            }
            Radio::Channel { primary, .. } => self.tune(*primary),
            Radio::Connect | Radio::Start { .. } => {}
        }
    }

    fn raw(&mut self, now: Instant, request: &RadioRequest) -> i32 {
        match request {
            RadioRequest::Listen(on) => {
                self.listens = *on;
                self.listen();
            }
            RadioRequest::Channel { primary, .. } => self.tune(*primary),
            RadioRequest::Inject { frame, .. } => {
                self.injected.push(frame.clone());
                if self.cell.inject(now, STATION, self.pool.copy(frame)).is_err() {
                    return status::NO_MEM;
                }
            }
        }
        status::OK
    }

    fn tune(&mut self, channel: u8) {
        self.channel = Some(channel);
        self.listen();
    }

    fn listen(&mut self) {
        let here = self.channel.is_none_or(|channel| channel == self.cell.channel());
        self.cell.listen(STATION, self.listens && here);
    }

    /// Lets everything happen that can at `now`; tells if anything has.
    pub fn settle(&mut self, now: Instant, coprocessor: &mut Coprocessor) -> bool {
        let mut any = false;
        if self.cell.deadline().is_some_and(|due| due <= now) {
            self.cell.wake(now);
            any = true;
        }
        if self.far.deadline().is_some_and(|due| due <= now) {
            self.far.wake(now);
        }
        while let Some(output) = self.cell.poll(now) {
            any = true;
            match output {
                CellOutput::Delivered { from: STATION, to: AP, msdu } => self.arrived(now, &msdu),
                // A slave without a buffer loses it, as the chip does.
                CellOutput::Delivered { to: STATION, msdu, .. } => {
                    drop(coprocessor.send(now, Interface::Station, msdu));
                }
                CellOutput::Heard { station: STATION, frame, info } => coprocessor.heard(now, &frame, &info),
                _ => {}
            }
        }
        while let Some(packet) = self.far.poll(now) {
            any = true;
            self.send(EthernetProtocol::Ipv4, &packet);
        }
        while self.cell.room(AP) > 0
            && let Some(frame) = self.down.pop_front()
        {
            any = true;
            assert!(self.cell.offer(now, AP, STATION, frame).is_ok(), "there is room");
        }
        any
    }

    pub fn deadline(&self) -> Option<Instant> {
        [self.cell.deadline(), self.far.deadline()].into_iter().flatten().min()
    }

    /// A frame has arrived at the access point.
    fn arrived(&mut self, now: Instant, frame: &[u8]) {
        let Ok(frame) = EthernetFrame::new_checked(frame) else { panic!("no Ethernet frame") };
        self.station = frame.src_addr();
        match frame.ethertype() {
            EthernetProtocol::Arp => self.arp(frame.payload()),
            EthernetProtocol::Ipv4 => {
                let packet = Ipv4Packet::new_checked(frame.payload()).expect("an IP packet");
                if packet.dst_addr() == FAR {
                    self.far.packet(now, frame.payload());
                } else if packet.dst_addr().is_broadcast() && packet.next_header() == IpProtocol::Udp {
                    self.dhcp(packet.payload());
                }
            }
            _ => {}
        }
    }

    /// Who has the far end? The network does.
    fn arp(&mut self, packet: &[u8]) {
        let packet = ArpPacket::new_checked(packet).expect("an ARP packet");
        let ArpRepr::EthernetIpv4 {
            operation: ArpOperation::Request,
            source_hardware_addr,
            source_protocol_addr,
            target_protocol_addr: FAR,
            ..
        } = ArpRepr::parse(&packet).expect("of Ethernet and IP")
        else {
            return;
        };
        let reply = ArpRepr::EthernetIpv4 {
            operation: ArpOperation::Reply,
            source_hardware_addr: EthernetAddress(FAR_MAC),
            source_protocol_addr: FAR,
            target_hardware_addr: source_hardware_addr,
            target_protocol_addr: source_protocol_addr,
        };
        let mut octets = vec![0; reply.buffer_len()];
        reply.emit(&mut ArpPacket::new_unchecked(&mut octets));
        self.send(EthernetProtocol::Arp, &octets);
    }

    /// A DHCP server, the access point itself, that has one address.
    fn dhcp(&mut self, datagram: &[u8]) {
        let datagram = UdpPacket::new_checked(datagram).expect("a datagram");
        let packet = DhcpPacket::new_checked(datagram.payload()).expect("a DHCP packet");
        let asked = DhcpRepr::parse(&packet).expect("a DHCP message");
        let message_type = match asked.message_type {
            DhcpMessageType::Discover => DhcpMessageType::Offer,
            DhcpMessageType::Request => DhcpMessageType::Ack,
            _ => return,
        };
        if self.grants != Grants::All {
            return;
        }
        let given = DhcpRepr {
            message_type,
            your_ip: HOST,
            server_ip: FAR,
            server_identifier: Some(FAR),
            subnet_mask: Some(Ipv4Addr::new(255, 255, 255, 0)),
            router: Some(FAR),
            lease_duration: Some(86_400),
            requested_ip: None,
            client_identifier: None,
            parameter_request_list: None,
            max_size: None,
            ..asked
        };
        let octets = answer(&given);
        self.send(EthernetProtocol::Ipv4, &octets);
    }

    /// A frame for the station waits for the air.
    fn send(&mut self, ethertype: EthernetProtocol, payload: &[u8]) {
        let src_addr = EthernetAddress(if ethertype == EthernetProtocol::Arp { AP_MAC } else { FAR_MAC });
        let head = EthernetRepr { src_addr, dst_addr: self.station, ethertype };
        let mut frame = self.pool.packet();
        frame.resize(head.buffer_len() + payload.len());
        let mut ethernet = EthernetFrame::new_unchecked(&mut frame[..]);
        head.emit(&mut ethernet);
        ethernet.payload_mut().copy_from_slice(payload);
        self.down.push_back(frame);
    }
}

/// A DHCP message to everybody as an IP packet.
fn answer(message: &DhcpRepr<'_>) -> Vec<u8> {
    let (src_addr, dst_addr) = (FAR, Ipv4Addr::BROADCAST);
    let udp = UdpRepr { src_port: 67, dst_port: 68 };
    let payload_len = udp.header_len() + message.buffer_len();
    let ip = Ipv4Repr { src_addr, dst_addr, next_header: IpProtocol::Udp, payload_len, hop_limit: 64 };
    let mut octets = vec![0; ip.buffer_len() + payload_len];
    let mut packet = Ipv4Packet::new_unchecked(&mut octets);
    ip.emit(&mut packet, &Default::default());
    let mut datagram = UdpPacket::new_unchecked(packet.payload_mut());
    udp.emit(
        &mut datagram,
        &src_addr.into(),
        &dst_addr.into(),
        message.buffer_len(),
        |octets| message.emit(&mut DhcpPacket::new_unchecked(octets)).expect("room for it"),
        &Default::default(),
    );
    octets
}
