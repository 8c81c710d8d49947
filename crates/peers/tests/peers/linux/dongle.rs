//! A dongle in the machine's port: QEMU's `usb-redir` at one end, an endpoint of a server at the other. Messages are those of usbredir 0.7,
//! `usbredirparser/usbredirproto.h`; descriptors those of a Bluetooth controller, Core 6.0, Vol 4, Part B, 2.1.

use std::collections::VecDeque;
use std::io::{self, Read, Write};
use std::net::Shutdown;
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;

/// Numbers of its vendor and product: those of Zephyr's `hci_usb`.
pub const NUMBERS: &str = "2FE3:000B";

/// Types of messages.
const HELLO: u32 = 0;
const DEVICE_CONNECT: u32 = 1;
const DEVICE_DISCONNECT: u32 = 2;
const INTERFACE_INFO: u32 = 4;
const EP_INFO: u32 = 5;
const SET_CONFIGURATION: u32 = 6;
const GET_CONFIGURATION: u32 = 7;
const CONFIGURATION_STATUS: u32 = 8;
const SET_ALT_SETTING: u32 = 9;
const GET_ALT_SETTING: u32 = 10;
const ALT_SETTING_STATUS: u32 = 11;
const START_INTERRUPT_RECEIVING: u32 = 15;
const STOP_INTERRUPT_RECEIVING: u32 = 16;
const INTERRUPT_RECEIVING_STATUS: u32 = 17;
const CANCEL_DATA_PACKET: u32 = 21;
const CONTROL_PACKET: u32 = 100;
const BULK_PACKET: u32 = 101;
const INTERRUPT_PACKET: u32 = 103;

/// Capabilities: the version in `DEVICE_CONNECT`, sizes of packets in `EP_INFO`, numbers of 64 bits, and lengths of 32. QEMU's xHCI wants them.
const CAPABILITIES: u32 = 1 << 1 | 1 << 4 | 1 << 5 | 1 << 6;

/// Octets of a message's header, with a number of 64 bits but in the first one; and of the header of bulk data.
const HEADER: usize = 16;
const HELLO_HEADER: usize = 12;
const BULK_HEADER: usize = 10;

/// Statuses of a transfer.
const SUCCESS: u8 = 0;
const CANCELLED: u8 = 1;
const STALL: u8 = 4;

/// Full speed.
const FULL: u8 = 1;

/// Endpoints: events, and ACL data both ways.
const EVENTS: u8 = 0x81;
const ACL_IN: u8 = 0x82;
const ACL_OUT: u8 = 0x02;

/// Octets of a packet of its interrupt endpoint.
const EVENT_OCTETS: usize = 16;

/// Indicators of H4. Core 6.0, Vol 4, Part A, 2.
const COMMAND: u8 = 1;
const ACL: u8 = 2;
const EVENT: u8 = 4;

const DEVICE: [u8; 18] = [18, 1, 0x00, 0x02, 0xe0, 0x01, 0x01, 64, 0xe3, 0x2f, 0x0b, 0x00, 0x00, 0x01, 0, 1, 2, 1];

const CONFIGURATION: [u8; 39] = [
    9,
    2,
    39,
    0,
    1,
    1,
    0,
    0x80,
    50, //
    9,
    4,
    0,
    0,
    3,
    0xe0,
    0x01,
    0x01,
    0, //
    7,
    5,
    EVENTS,
    3,
    EVENT_OCTETS as u8,
    0,
    1, //
    7,
    5,
    ACL_IN,
    2,
    64,
    0,
    0, //
    7,
    5,
    ACL_OUT,
    2,
    64,
    0,
    0,
];

/// State that both ways share.
struct Shared {
    machine: UnixStream,
    /// Events that are waited for by nobody yet; none once they are.
    early: Option<Vec<Vec<u8>>>,
    /// Reads of ACL data that wait, by their numbers, and the data that waits for one.
    reads: VecDeque<u64>,
    data: VecDeque<Vec<u8>>,
    events: u64,
}

/// Plugs a dongle in whose controller is the endpoint at `hci`, once the machine asks at the socket `port`.
pub fn plug(port: &Path, hci: &Path) -> io::Result<()> {
    let (listener, controller) = (UnixListener::bind(port)?, UnixStream::connect(hci)?);
    thread::spawn(move || -> io::Result<()> {
        let (machine, _) = listener.accept()?;
        let shared = Shared {
            machine: machine.try_clone()?,
            early: Some(Vec::new()),
            reads: VecDeque::new(),
            data: VecDeque::new(),
            events: 0,
        };
        let shared = Arc::new(Mutex::new(shared));
        let (from, also) = (controller.try_clone()?, Arc::clone(&shared));
        thread::spawn(move || {
            let _ = of_controller(from, &also);
            // It has gone, and the dongle with it.
            let _ = locked(&also).send(DEVICE_DISCONNECT, 0, &[]);
        });
        let served = of_machine(machine, &controller, &shared);
        let _ = controller.shutdown(Shutdown::Both);
        served
    });
    Ok(())
}

fn locked(shared: &Mutex<Shared>) -> std::sync::MutexGuard<'_, Shared> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Shared {
    /// Sends a message in one piece.
    fn send(&mut self, kind: u32, id: u64, body: &[u8]) -> io::Result<()> {
        let head = [&[kind, body.len() as u32].map(u32::to_le_bytes).concat()[..], &id.to_le_bytes()].concat();
        let head = if kind == HELLO { &head[..HELLO_HEADER] } else { &head[..] };
        self.machine.write_all(&[head, body].concat())
    }

    fn hello(&mut self) -> io::Result<()> {
        let mut version = [0; 64];
        version[..7].copy_from_slice(b"airtime");
        self.send(HELLO, 0, &[&version[..], &CAPABILITIES.to_le_bytes()].concat())?;
        let (mut classes, mut endpoints) = ([0; 4 + 4 * 32], [0; 3 * 32 + 2 * 32]);
        classes[0] = 1;
        (classes[4 + 32], classes[4 + 64], classes[4 + 96]) = (0xe0, 0x01, 0x01);
        endpoints[..32].fill(255);
        // Those that come in are behind those that go out.
        for (endpoint, kind, interval, octets) in
            [(0x00, 0, 0, 64), (0x80, 0, 0, 64), (EVENTS, 3, 1, EVENT_OCTETS), (ACL_IN, 2, 0, 64), (ACL_OUT, 2, 0, 64)]
        {
            let at = usize::from(endpoint & 0x0f) + if endpoint & 0x80 == 0 { 0 } else { 16 };
            (endpoints[at], endpoints[32 + at], endpoints[96 + 2 * at]) = (kind, interval, octets as u8);
        }
        self.send(INTERFACE_INFO, 0, &classes)?;
        self.send(EP_INFO, 0, &endpoints)?;
        self.send(DEVICE_CONNECT, 0, &[FULL, 0xe0, 0x01, 0x01, 0xe3, 0x2f, 0x0b, 0x00, 0x00, 0x01])
    }

    fn event(&mut self, event: &[u8]) -> io::Result<()> {
        for part in event.chunks(EVENT_OCTETS) {
            self.events += 1;
            let head = [EVENTS, SUCCESS, part.len() as u8, 0];
            self.send(INTERRUPT_PACKET, self.events, &[&head[..], part].concat())?;
        }
        Ok(())
    }

    /// Answers reads with the data there is, in order.
    fn answer(&mut self) -> io::Result<()> {
        while let (false, Some(id)) = (self.data.is_empty(), self.reads.front().copied()) {
            self.reads.pop_front();
            let data = self.data.pop_front().unwrap_or_default();
            self.bulk(ACL_IN, SUCCESS, id, data.len(), &data)?;
        }
        Ok(())
    }

    fn bulk(&mut self, endpoint: u8, status: u8, id: u64, octets: usize, data: &[u8]) -> io::Result<()> {
        let [low, high] = (octets as u16).to_le_bytes();
        self.send(BULK_PACKET, id, &[&[endpoint, status, low, high, 0, 0, 0, 0, 0, 0][..], data].concat())
    }
}

/// Carries what the controller says: packets of H4.
fn of_controller(mut controller: UnixStream, shared: &Mutex<Shared>) -> io::Result<()> {
    loop {
        let mut indicator = [0];
        controller.read_exact(&mut indicator)?;
        let mut packet = vec![0; if indicator[0] == EVENT { 2 } else { 4 }];
        controller.read_exact(&mut packet)?;
        let octets = match packet[..] {
            [_, octets] => octets.into(),
            [_, _, low, high] => u16::from_le_bytes([low, high]),
            _ => 0,
        };
        let head = packet.len();
        packet.resize(head + usize::from(octets), 0);
        controller.read_exact(&mut packet[head..])?;
        let mut shared = locked(shared);
        match (indicator[0], &mut shared.early) {
            (EVENT, Some(early)) => early.push(packet),
            (EVENT, None) => shared.event(&packet)?,
            _ => {
                shared.data.push_back(packet);
                shared.answer()?;
            }
        }
    }
}

/// Answers what the machine asks.
fn of_machine(mut machine: UnixStream, mut controller: &UnixStream, shared: &Mutex<Shared>) -> io::Result<()> {
    let mut header = HELLO_HEADER;
    loop {
        let mut head = [0; HEADER];
        machine.read_exact(&mut head[..header])?;
        let word = |at: usize| u32::from_le_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]);
        let (kind, id) = (word(0), u64::from(word(8)) | u64::from(word(12)) << 32);
        header = HEADER;
        let mut body = vec![0; word(4) as usize];
        machine.read_exact(&mut body)?;
        let mut shared = locked(shared);
        match kind {
            HELLO => shared.hello()?,
            SET_CONFIGURATION | GET_CONFIGURATION => shared.send(CONFIGURATION_STATUS, id, &[SUCCESS, 1])?,
            SET_ALT_SETTING | GET_ALT_SETTING => shared.send(ALT_SETTING_STATUS, id, &[SUCCESS, body[0], 0])?,
            START_INTERRUPT_RECEIVING => {
                shared.send(INTERRUPT_RECEIVING_STATUS, id, &[SUCCESS, body[0]])?;
                for event in shared.early.take().into_iter().flatten() {
                    shared.event(&event)?;
                }
            }
            STOP_INTERRUPT_RECEIVING => {
                shared.early = Some(Vec::new());
                shared.send(INTERRUPT_RECEIVING_STATUS, id, &[SUCCESS, body[0]])?;
            }
            CANCEL_DATA_PACKET => {
                shared.reads.retain(|read| *read != id);
                shared.bulk(ACL_IN, CANCELLED, id, 0, &[])?;
            }
            BULK_PACKET if body[0] == ACL_IN => {
                shared.reads.push_back(id);
                shared.answer()?;
            }
            BULK_PACKET => {
                controller.write_all(&[&[ACL][..], &body[BULK_HEADER..]].concat())?;
                shared.bulk(ACL_OUT, SUCCESS, id, body.len() - BULK_HEADER, &[])?;
            }
            CONTROL_PACKET => {
                let (request, data) = body.split_at(10);
                if let [_, _, 0x20, ..] = request {
                    controller.write_all(&[&[COMMAND][..], data].concat())?;
                }
                controlled(&mut shared, id, request)?;
            }
            _ => {}
        }
    }
}

/// Answers a request of the control endpoint: endpoint, request, type, status, value, index and length.
fn controlled(shared: &mut Shared, id: u64, request: &[u8]) -> io::Result<()> {
    let [endpoint, what, way, _, index, kind, low_index, high_index, low, high] = *request else {
        return Err(io::ErrorKind::InvalidData.into());
    };
    let asked = usize::from(u16::from_le_bytes([low, high]));
    let text = |text: &str| {
        [&[2 + 2 * text.len() as u8, 3][..], &text.bytes().flat_map(|c| [c, 0]).collect::<Vec<_>>()].concat()
    };
    let answer = match (way & 0x80 != 0, what, kind, index) {
        (false, ..) => Some(Vec::new()),
        (true, 6, 1, _) => Some(DEVICE.to_vec()),
        (true, 6, 2, _) => Some(CONFIGURATION.to_vec()),
        // English, its product, and its serial number.
        (true, 6, 3, 0) => Some(vec![4, 3, 0x09, 0x04]),
        (true, 6, 3, 1) => Some(text("airtime")),
        (true, 6, 3, 2) => Some(text("1")),
        (true, 0, ..) => Some(vec![0, 0]),
        _ => None,
    };
    let status = if answer.is_some() { SUCCESS } else { STALL };
    let mut data = answer.unwrap_or_default();
    data.truncate(asked);
    let [own_low, own_high] = if way & 0x80 == 0 { [low, high] } else { (data.len() as u16).to_le_bytes() };
    let head = [endpoint, what, way, status, index, kind, low_index, high_index, own_low, own_high];
    shared.send(CONTROL_PACKET, id, &[&head[..], &data].concat())
}
