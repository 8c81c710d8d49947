//! Two controllers whose hosts send PDUs of every length, captured.

use std::collections::VecDeque;

use airtime_ble::controller::Controller;
use airtime_ble::hci::{self, Opcode, event, opcode};
use airtime_ble::host::{ConnHandle, Starved};
use airtime_ble::medium::{Medium, Place, Transmission};
use airtime_ble::network::{Device, Network, Observer, Station, StationOutput};
use airtime_ble::personality::Controller as Personality;
use airtime_ble::trace::{Trace, Verdict};
use airtime_core::loss::{Loss, LossProcess};
use airtime_core::random::{Stream, stream};
use airtime_core::{Duration, EventLoop, Instant, Packet, Pool};

use super::capture::Kept;

/// A host that keeps its controller full of ACL packets of random length, once it is told to.
struct Feeder {
    pool: Pool,
    out: VecDeque<Packet>,
    random: Stream,
    /// Packets the controller takes; none when this side only listens.
    room: u8,
}

impl Feeder {
    fn feed(&mut self, packets: u8) {
        for _ in 0..packets {
            let octets = 27 + self.random.below(225) as u16;
            let mut packet = hci::acl(&self.pool, 0, hci::PB_FIRST_NON_FLUSHABLE);
            packet.put_u16(octets - 4);
            packet.put_u16(0x40);
            packet.put_u16(octets - 6);
            packet.put(&vec![0x5a; usize::from(octets) - 6]);
            self.out.push_back(hci::finish_acl(packet));
        }
    }
}

impl Station for Feeder {
    type Event = ();
    fn wake(&mut self, _: Instant) {}
    fn hci(&mut self, _: Instant, packet: &[u8]) {
        // One connection: H4 type, code, length, number of handles, handle, packets.
        if packet.starts_with(&[hci::EVENT, event::NUMBER_OF_COMPLETED_PACKETS]) && self.room > 0 {
            self.feed(packet[6]);
        }
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

#[derive(Default)]
struct Tap(Vec<Kept>);

impl Observer<()> for Tap {
    fn transmission(&mut self, sent: &Transmission, _: Verdict) {
        let from_central = match sent.place {
            Place::Event { from_central, .. } => Some(from_central),
            Place::Advertising => None,
        };
        self.0.push(Kept::of(sent, from_central));
    }
    fn trace(&mut self, _: Instant, _: usize, _: &Trace, _: Option<Starved>) {}
    fn event(&mut self, _: Instant, _: usize, (): &()) {}
}

/// What is to be captured.
#[derive(Clone, Copy)]
pub struct Sweep {
    pub central: Personality,
    pub peripheral: Personality,
    /// In units of 1.25 ms.
    pub interval: u16,
    /// Whether central and peripheral stream.
    pub streams: [bool; 2],
    pub loss: Loss,
    pub seconds: u64,
}

/// 2M and 251 octets, then PDUs of 27 to 251 octets for as long as is asked for.
pub fn sweep(sweep: Sweep) -> Vec<Kept> {
    let pool = Pool::new();
    let device = |controller: Personality, index: u8| {
        let random = stream(3 + u64::from(index), "test/lengths");
        let room = if sweep.streams[usize::from(index)] { controller.acl_count } else { 0 };
        Device {
            controller: Controller::new(controller, [index, 0, 0, 0, 0, 0xc0], pool.clone()),
            station: Feeder { pool: pool.clone(), out: VecDeque::new(), random, room },
        }
    };
    let medium = Medium::new(2, LossProcess::new(sweep.loss, stream(1, "link/loss")), false);
    let devices = vec![device(sweep.central, 0), device(sweep.peripheral, 1)];
    let mut network = Network::new(medium, devices, Tap::default());
    let mut events = EventLoop::new(Instant::ZERO, &network);
    let command = |network: &mut Network<Feeder, Tap>, device: usize, opcode: Opcode, parameters: &[u8]| {
        let mut packet = hci::command(&pool, opcode);
        packet.put(parameters);
        network.devices[device].station.out.push_back(hci::finish_command(packet));
    };
    for device in 0..2 {
        command(&mut network, device, opcode::SET_EVENT_MASK, &[0xff; 8]);
        command(&mut network, device, opcode::LE_SET_EVENT_MASK, &[0xff; 8]);
    }
    command(&mut network, 1, opcode::LE_SET_ADV_PARAMETERS, &[0xa0, 0, 0xa0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7, 0]);
    command(&mut network, 1, opcode::LE_SET_ADV_ENABLE, &[1]);
    let mut create = vec![0x10, 0, 0x10, 0, 0, 0, 1, 0, 0, 0, 0, 0xc0, 0];
    for field in [sweep.interval, sweep.interval, 0, 400, 0, 0] {
        create.extend(field.to_le_bytes());
    }
    command(&mut network, 0, opcode::LE_CREATE_CONNECTION, &create);
    let mut go = |network: &mut Network<Feeder, Tap>, span: Duration| {
        network.start(events.now());
        events.refresh(network);
        let until = events.now() + span;
        events.run_until(network, until);
    };
    go(&mut network, Duration::from_secs(1));
    command(&mut network, 0, opcode::LE_SET_DATA_LENGTH, &[0, 0, 251, 0, 0x48, 0x08]);
    command(&mut network, 1, opcode::LE_SET_DATA_LENGTH, &[0, 0, 251, 0, 0x48, 0x08]);
    command(&mut network, 0, opcode::LE_SET_PHY, &[0, 0, 0, 2, 2, 0, 0]);
    go(&mut network, Duration::from_secs(1));
    for device in &mut network.devices {
        let room = device.station.room;
        device.station.feed(room);
    }
    go(&mut network, Duration::from_secs(sweep.seconds));
    network.observer.0
}
