//! Reader of a host by what crosses its HCI: of a program that says nothing of itself.
//!
//! An SDU is submitted when its first K-frame goes to the controller, and has arrived when its last one comes from it; so is a value. What
//! waits inside the host cannot be seen, and no latency here has it.

use std::collections::VecDeque;

use airtime_app::{ATT_CHANNEL, Unit, payload};
use airtime_ble::hci::heard::{Change, Event, Terms};
use airtime_ble::hci::{self, Acl, H4, PB_CONTINUING, Status};
use airtime_ble::host::{ConnHandle, HostEvent, Role, Starved};
use airtime_ble::l2cap::signal::{CONNECTED, Signal};
use airtime_ble::l2cap::{BASIC_HEADER_OCTETS, SDU_LENGTH_OCTETS, SIGNALLING_CHANNEL};
use airtime_ble::ledger::l2cap::value;
use airtime_ble::ll::pdu::{LLID_CONTINUATION, LLID_START};
use airtime_ble::network::{Station, StationOutput as Carried};
use airtime_core::Instant;
use airtime_core::bytes::Reader;

use super::{Negotiated, StationOutput, negotiated};
use crate::credits::Credits;

/// Exchange MTU request and response, and the least MTU. Core 6.0, Vol 3, Part F, 3.4.2, and Part G, 5.2.1.
const EXCHANGE_MTU_REQUEST: u8 = 0x02;
const EXCHANGE_MTU_RESPONSE: u8 = 0x03;
const ATT_MTU_MIN: u16 = 23;

/// Index of what this host sends in pairs, and of what it receives.
const SENT: usize = 0;
const RECEIVED: usize = 1;

/// Station that says nothing of itself, with what is heard at its HCI.
#[derive(Debug)]
pub struct Overheard<S> {
    station: S,
    heard: Heard,
}

impl<S> Overheard<S> {
    /// The station, before anything has crossed its HCI.
    pub fn new(station: S) -> Self {
        Self { station, heard: Heard::default() }
    }

    /// The station itself.
    pub fn station(&self) -> &S {
        &self.station
    }

    /// Parameters negotiated on link number `link`.
    pub fn negotiated(&self, link: usize) -> Option<&Negotiated> {
        self.heard.negotiated(link)
    }

    /// Octets of the stream that have arrived on link number `link`.
    pub fn received(&self, link: usize) -> Option<u64> {
        self.heard.received(link)
    }

    /// True while the controller has packets of `conn` that it has not reported as sent.
    pub fn has_sent(&self, conn: ConnHandle) -> bool {
        self.heard.index(conn).is_some_and(|index| self.heard.links[index].held > 0)
    }
}

impl<S: Station<Event = StationOutput>> Station for Overheard<S> {
    type Event = StationOutput;

    fn wake(&mut self, now: Instant) {
        self.station.wake(now);
    }

    fn hci(&mut self, now: Instant, packet: &[u8]) {
        self.heard.of_controller(packet);
        self.station.hci(now, packet);
    }

    fn poll(&mut self, now: Instant) -> Option<Carried<StationOutput>> {
        if let Some(event) = self.heard.poll() {
            return Some(Carried::Event(event));
        }
        let output = self.station.poll(now)?;
        if let Carried::Hci(packet) = &output {
            self.heard.of_host(packet);
        }
        Some(output)
    }

    fn deadline(&self) -> Option<Instant> {
        self.station.deadline()
    }

    fn starved(&self, conn: ConnHandle) -> Starved {
        self.heard.starved(conn).unwrap_or_else(|| self.station.starved(conn))
    }
}

/// Listener at the HCI of one host.
#[derive(Debug, Default)]
struct Heard {
    links: Vec<Link>,
    /// Buffers of the controller, once it has said how many.
    buffers: Option<u16>,
    outputs: VecDeque<StationOutput>,
}

/// One connection, in the order of their beginnings.
#[derive(Debug, Default)]
struct Link {
    conn: ConnHandle,
    open: bool,
    negotiated: Negotiated,
    /// L2CAP PDUs that are on their way, in pairs.
    partial: [Vec<u8>; 2],
    /// Requests for channels that are not answered, by their identifiers and who sent them.
    asked: Vec<(usize, u8, Terminus)>,
    channels: Vec<Channel>,
    credits: Credits,
    /// Packets that the controller has and has not reported.
    held: u16,
    /// MTU of ATT that each end has said.
    mtu: [Option<u16>; 2],
    /// Octets of the stream that have arrived.
    octets: u64,
    started: bool,
}

/// One end of a channel, in its own words.
#[derive(Clone, Copy, Debug, Default)]
struct Terminus {
    cid: u16,
    mtu: u16,
    mps: u16,
    credits: u16,
}

/// An open channel, its ends in pairs: ours, and the peer's.
#[derive(Debug)]
struct Channel {
    ends: [Terminus; 2],
    sdus: [Sdu; 2],
}

/// SDU on its way.
#[derive(Clone, Copy, Debug, Default)]
struct Sdu {
    octets: u16,
    left: u16,
    head: [u8; 8],
}

impl Heard {
    /// Takes a packet from the controller.
    fn of_controller(&mut self, packet: &[u8]) {
        match packet {
            [hci::EVENT, event @ ..] => self.event(event),
            _ => self.acl(RECEIVED, packet),
        }
    }

    /// Takes a packet from the host.
    fn of_host(&mut self, packet: &[u8]) {
        self.acl(SENT, packet);
    }

    /// Takes the next output.
    fn poll(&mut self) -> Option<StationOutput> {
        self.outputs.pop_front()
    }

    /// Reason that nothing can be sent on `conn`, where it can be heard: no buffer of the controller is free, or no channel has a credit.
    fn starved(&self, conn: ConnHandle) -> Option<Starved> {
        let link = &self.links[self.index(conn)?];
        let held: u16 = self.links.iter().filter(|link| link.open).map(|link| link.held).sum();
        if self.buffers.is_some_and(|buffers| held >= buffers) {
            return Some(Starved::Buffers);
        }
        (link.credits.left(RECEIVED) == Some(0)).then_some(Starved::Credits)
    }

    /// Parameters of link number `link`.
    fn negotiated(&self, link: usize) -> Option<&Negotiated> {
        Some(&self.links.get(link)?.negotiated)
    }

    /// Octets of the stream that have arrived on link number `link`.
    fn received(&self, link: usize) -> Option<u64> {
        Some(self.links.get(link)?.octets)
    }

    fn event(&mut self, event: &[u8]) {
        let said = match Event::parse(event) {
            Some(Event::Connected { handle, terms: Terms { central, peer, interval, .. } }) => {
                let link = Link { conn: handle, open: true, ..Link::default() };
                // A connection behind one that was lost takes its place.
                match self.links.iter_mut().find(|link| !link.open) {
                    Some(lost) => *lost = link,
                    None => self.links.push(link),
                }
                let role = if central { Role::Central } else { Role::Peripheral };
                HostEvent::Connected { conn: handle, role, peer, interval }
            }
            Some(Event::Disconnected { handle, reason }) => {
                if let Some(index) = self.index(handle) {
                    self.links[index].open = false;
                }
                HostEvent::Disconnected { conn: handle, reason }
            }
            Some(Event::Buffers { count, le: true, .. }) => {
                self.buffers = Some(count);
                return;
            }
            Some(Event::Completed(completed)) => {
                for (handle, packets) in completed.iter() {
                    if let Some(index) = self.index(handle) {
                        self.links[index].held = self.links[index].held.saturating_sub(packets);
                    }
                }
                return;
            }
            Some(Event::Of { handle: conn, change }) => {
                let status = Status::SUCCESS;
                match change {
                    Change::Interval { interval, .. } => HostEvent::IntervalUpdated { conn, status, interval },
                    Change::DataLength([tx_octets, _, rx_octets, _]) => {
                        HostEvent::DataLength { conn, tx_octets, rx_octets }
                    }
                    Change::Phy([tx, _]) => HostEvent::PhyUpdated { conn, status, tx },
                    Change::Encrypted(true) => HostEvent::Encrypted { conn, status },
                    Change::Encrypted(false) => return,
                    Change::FrameSpace(space) => HostEvent::FrameSpace { conn, status, space },
                    Change::Subrate(factor, continuation) => HostEvent::Subrated { conn, status, factor, continuation },
                }
            }
            _ => return,
        };
        self.says(said);
    }

    fn says(&mut self, event: HostEvent) {
        if let Some(index) = negotiated::conn(&event).and_then(|conn| self.index(conn)) {
            negotiated::note(&mut self.links[index].negotiated, &event);
        }
        self.outputs.push_back(StationOutput::Host(event));
    }

    /// Number of the link that is open as `conn`.
    fn index(&self, conn: ConnHandle) -> Option<usize> {
        self.links.iter().position(|link| link.open && link.conn == conn)
    }

    /// Puts L2CAP PDUs together.
    fn acl(&mut self, way: usize, packet: &[u8]) {
        let Ok(H4::Acl(Acl { handle, boundary, data })) = H4::parse(packet) else { return };
        let Some(index) = self.index(handle) else { return };
        let link = &mut self.links[index];
        let llid = if boundary == PB_CONTINUING { LLID_CONTINUATION } else { LLID_START };
        link.credits.fragment(way, llid, data, &mut |_| ());
        link.held = link.held.saturating_add(u16::from(way == SENT));
        let partial = &mut link.partial[way];
        if boundary != PB_CONTINUING {
            partial.clear();
        }
        partial.extend_from_slice(data);
        let Some(octets) = Reader::new(partial).u16() else { return };
        if partial.len() < BASIC_HEADER_OCTETS + usize::from(octets) {
            return;
        }
        let whole = std::mem::take(partial);
        self.pdu(index, way, u16::from_le_bytes([whole[2], whole[3]]), &whole[BASIC_HEADER_OCTETS..]);
        self.links[index].partial[way] = whole;
        self.links[index].partial[way].clear();
    }

    fn pdu(&mut self, index: usize, way: usize, channel: u16, information: &[u8]) {
        match channel {
            SIGNALLING_CHANNEL => self.signal(index, way, information),
            ATT_CHANNEL => self.att(index, way, information),
            _ => self.frame(index, way, channel, information),
        }
    }

    fn signal(&mut self, index: usize, way: usize, frame: &[u8]) {
        let Ok((identifier, signal)) = Signal::parse(frame) else { return };
        let link = &mut self.links[index];
        let conn = link.conn;
        match signal {
            Signal::ConnectRequest { source: cid, mtu, mps, credits, .. } => {
                link.asked.push((way, identifier, Terminus { cid, mtu, mps, credits }));
            }
            Signal::ConnectResponse { destination: cid, mtu, mps, credits, result } => {
                let request = |(from, of, _): &(usize, u8, _)| (*from, *of) == (1 - way, identifier);
                let Some(place) = link.asked.iter().position(request) else { return };
                let (_, _, asking) = link.asked.swap_remove(place);
                if result != CONNECTED {
                    return;
                }
                let answering = Terminus { cid, mtu, mps, credits };
                let ends = if way == SENT { [answering, asking] } else { [asking, answering] };
                link.channels.push(Channel { ends, sdus: Default::default() });
                let [Terminus { cid: channel, .. }, Terminus { mtu: peer_mtu, mps: peer_mps, credits, .. }] = ends;
                self.says(HostEvent::ChannelOpened { conn, channel, peer_mtu, peer_mps, initial_credits: credits });
            }
            _ => {}
        }
    }

    fn att(&mut self, index: usize, way: usize, information: &[u8]) {
        let link = &mut self.links[index];
        if let [code @ (EXCHANGE_MTU_REQUEST | EXCHANGE_MTU_RESPONSE), low, high] = *information {
            link.mtu[way] = Some(u16::from_le_bytes([low, high]));
            if let (EXCHANGE_MTU_RESPONSE, [Some(own), Some(peer)]) = (code, link.mtu) {
                let (conn, mtu) = (link.conn, own.min(peer).max(ATT_MTU_MIN));
                self.says(HostEvent::MtuExchanged { conn, mtu });
            }
            return;
        }
        let Some(value) = value(information) else { return };
        let mut head = [0; 8];
        let known = value.len().min(head.len());
        head[..known].copy_from_slice(&value[..known]);
        let octets = value.len() as u16;
        // What is submitted has its number as well, for it is read where it leaves.
        let sequence = payload::sequence(octets, head);
        let unit = Unit { link: index, lane: 0, conn: link.conn, channel: ATT_CHANNEL, octets, sequence };
        self.passed(way, unit);
    }

    /// Takes a K-frame: `channel` is an identifier of whoever receives it.
    fn frame(&mut self, index: usize, way: usize, channel: u16, information: &[u8]) {
        let receiver = 1 - way;
        let link = &mut self.links[index];
        let Some(lane) = link.channels.iter().position(|open| open.ends[receiver].cid == channel) else { return };
        let (conn, open) = (link.conn, &mut link.channels[lane]);
        let own = open.ends[0].cid;
        let sdu = &mut open.sdus[way];
        let begins = sdu.left == 0;
        let mut payload_octets = information;
        if begins {
            let Some((length, rest)) = information.split_first_chunk::<SDU_LENGTH_OCTETS>() else { return };
            payload_octets = rest;
            let octets = u16::from_le_bytes(*length);
            *sdu = Sdu { octets, left: octets, head: [0; 8] };
        }
        let done = usize::from(sdu.octets - sdu.left);
        for (place, octet) in sdu.head.iter_mut().skip(done).zip(payload_octets) {
            *place = *octet;
        }
        sdu.left = sdu.left.saturating_sub(payload_octets.len() as u16);
        let sdu = *sdu;
        let sequence = payload::sequence(sdu.octets, sdu.head);
        let unit = Unit { link: index, lane, conn, channel: own, octets: sdu.octets, sequence };
        if (way == SENT && begins) || (way == RECEIVED && sdu.left == 0) {
            self.passed(way, unit);
        }
    }

    /// A unit has gone, or has come.
    fn passed(&mut self, way: usize, unit: Unit) {
        let link = &mut self.links[unit.link];
        if !std::mem::replace(&mut link.started, true) {
            self.outputs.push_back(StationOutput::StreamStarted { link: unit.link, conn: unit.conn });
        }
        self.outputs.push_back(if way == SENT {
            StationOutput::Submitted(unit)
        } else {
            link.octets += u64::from(unit.octets);
            StationOutput::Delivered(unit)
        });
    }
}

#[cfg(test)]
mod tests {
    use airtime_ble::medium::Transmission;
    use airtime_ble::network::Observer;
    use airtime_ble::personality::{Controller, Host};
    use airtime_ble::trace::{Trace, Verdict};
    use airtime_ble::transport::Bus;
    use airtime_core::{Duration, EventLoop};
    use airtime_keys::{Key, Value};

    use super::*;
    use crate::plan::{self, Carrier, Program, Scenario, Stack};
    use crate::run::build;

    /// Units that stations have told of, and those that were overheard, of both devices: submitted, and delivered.
    #[derive(Default)]
    struct Both {
        told: [[Vec<Unit>; 2]; 2],
        heard: [[Vec<Unit>; 2]; 2],
        by: [Heard; 2],
        /// Times at which a host lacked credits or buffers by its own account, and those of them that were heard.
        lacked: [usize; 2],
    }

    fn note(units: &mut [Vec<Unit>; 2], output: &StationOutput) {
        match output {
            StationOutput::Submitted(unit) => units[SENT].push(*unit),
            StationOutput::Delivered(unit) => units[RECEIVED].push(*unit),
            _ => {}
        }
    }

    impl Observer<StationOutput> for Both {
        fn transmission(&mut self, _: &Transmission, _: Verdict) {}

        fn trace(&mut self, _: Instant, device: usize, _: &Trace, starved: Option<Starved>) {
            let by = &self.by[device];
            if let (Some(starved @ (Starved::Credits | Starved::Buffers)), Some(link)) = (starved, by.links.first()) {
                self.lacked[0] += 1;
                self.lacked[1] += usize::from(by.starved(link.conn) == Some(starved));
            }
        }

        fn event(&mut self, _: Instant, device: usize, event: &StationOutput) {
            note(&mut self.told[device], event);
        }

        fn hci(&mut self, _: Instant, device: usize, from_host: bool, packet: &[u8]) {
            let by = &mut self.by[device];
            if from_host {
                by.of_host(packet)
            } else {
                by.of_controller(packet)
            }
            while let Some(output) = by.poll() {
                note(&mut self.heard[device], &output);
            }
        }
    }

    fn scenario(carrier: Carrier, more: &[(&str, Value)]) -> Scenario {
        let device = |_: &'static Key, name: &str| {
            let (controller, host) = (Controller::ZEPHYR_LL, Host::ZEPHYR_LL);
            let (program, stack, image) = (Program::Model, Stack::Firmware, plan::Image::None);
            Ok(plan::Device { name: name.into(), controller, host, program, bus: Bus::Memory, stack, image })
        };
        let set = |key: &Key| more.iter().find(|(name, _)| *name == key.name).map(|(_, value)| value.clone());
        Scenario::read(carrier, &set, &device).expect("the plan holds")
    }

    /// A run in which both ends are told of by themselves and overheard.
    fn ran(carrier: Carrier, more: &[(&str, Value)]) -> Both {
        let mut network = build(&scenario(carrier, more), 1, Both::default());
        network.start(Instant::ZERO);
        let mut events = EventLoop::new(Instant::ZERO, &network);
        events.run_until(&mut network, Instant::ZERO + Duration::from_secs(4));
        for device in 0..2 {
            let own = network.devices[device].station.negotiated(0).copied().expect("there was a link");
            let heard = network.observer.by[device].negotiated(0).copied().expect("it was heard");
            // Nobody says on the HCI what was discovered, or asked for in vain.
            let told = Negotiated { psm: None, interval_refused: None, phy_refused: None, ..own };
            assert_eq!(heard, told, "device {device}");
        }
        network.observer
    }

    /// Asserts that the same units were heard in their order, but for those that a host still had.
    fn same(both: &Both) {
        for (device, (told, heard)) in both.told.iter().zip(&both.heard).enumerate() {
            for way in [SENT, RECEIVED] {
                let (told, heard) = (&told[way], &heard[way]);
                let common = told.len().min(heard.len());
                assert_eq!(told[..common], heard[..common], "device {device}, {way}");
                assert!(told.len().abs_diff(heard.len()) < 40, "{} told, {} heard", told.len(), heard.len());
            }
        }
    }

    #[test]
    fn streams_over_channels_are_heard_as_they_are_told_of() {
        for (direction, channels, sdu) in [("p2c", 1, 492), ("c2p", 3, 1_000), ("both", 1, 20)] {
            let set = [
                ("ble.direction", Value::from(direction)),
                ("coc.channels", Value::from(channels)),
                ("coc.sdu", Value::from(sdu)),
                ("coc.credits", Value::from("zephyr-seg-recv")),
            ];
            let both = ran(Carrier::BleCoc, &set);
            same(&both);
            let heard: usize = both.heard.iter().map(|units| units[RECEIVED].len()).sum();
            assert!(heard > 300, "{direction}: {heard}");
            let lanes = both.heard.iter().flat_map(|units| &units[RECEIVED]).map(|unit| unit.lane).max();
            assert_eq!(lanes, Some(channels as usize - 1), "{direction}");
        }
    }

    #[test]
    fn what_a_host_lacks_is_heard() {
        for (key, value) in [("coc.credits", "zephyr-recv"), ("acl.count", "1")] {
            let [told, heard] = ran(Carrier::BleCoc, &[(key, Value::from(value))]).lacked;
            println!("{key}: {told} told, {heard} heard");
            assert!(told > 100 && heard == told, "{key}: {told} told, {heard} heard");
        }
    }

    #[test]
    fn values_are_heard_as_they_are_told_of() {
        for direction in ["p2c", "c2p"] {
            let both = ran(Carrier::BleGatt, &[("ble.direction", Value::from(direction))]);
            same(&both);
            let heard: usize = both.heard.iter().map(|units| units[RECEIVED].len()).sum();
            assert!(heard > 300, "{direction}: {heard}");
        }
    }

    #[test]
    fn rubbish_is_nobodys() {
        let mut overheard = Heard::default();
        for packet in [&[][..], &[2, 0x40, 0, 4, 0, 1], &[4, 0x3e, 19, 1], &[9], &[2, 0x40, 0, 1, 0, 0]] {
            overheard.of_controller(packet);
            overheard.of_host(packet);
        }
        assert!(overheard.poll().is_none() && overheard.received(0).is_none());
    }
}
