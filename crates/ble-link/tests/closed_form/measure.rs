//! What the simulation does, event by event.

use airtime_ble::host::{Role, Starved};
use airtime_ble::medium::{Place, Transmission};
use airtime_ble::network::Observer;
use airtime_ble::trace::{Trace, Verdict};
use airtime_ble_link::plan::Scenario;
use airtime_ble_link::run::build;
use airtime_ble_link::station::StationOutput;
use airtime_core::{EventLoop, Instant};
use airtime_lab::Library;

use super::point::{Credits, Point};
use super::walk::{CREDIT_OCTETS, Carried, Link};

/// Events compared at least, and SDUs that must have arrived in them each way.
const EVENTS: usize = 25;
const SDUS: u64 = 2;

/// Events after the first SDU arrived, for what is left of the set-up to drain.
const SETTLED: usize = 3;

/// An event as it was seen.
#[derive(Clone, Copy, Debug, Default)]
pub struct Seen {
    pub carried: Carried,
    pub octets: [u64; 2],
    /// PDUs of each direction's stream that have arrived since its last SDU did.
    position: [usize; 2],
    /// Credit indications that have arrived, ever.
    credits: u64,
    /// Payload of the last packet, if it was the central's: it got no reply.
    unanswered: Option<u64>,
}

/// Watches one loss-free link.
#[derive(Debug, Default)]
struct Tap {
    events: Vec<Seen>,
    now: Seen,
    /// SDUs that have arrived, ever.
    sdus: [u64; 2],
    /// Packets that nobody heard while the stream ran.
    unheard: Vec<Place>,
    refusals: Vec<String>,
}

impl Tap {
    fn streams(&self) -> bool {
        self.sdus != [0, 0]
    }
}

/// Whether a PDU with so much payload is an L2CAP credit indication: CID 5, code 0x16. Core 6.0, Vol 3,
/// Part A, 4.24.
fn is_credits(packet: &[u8], payload: u64) -> bool {
    payload == CREDIT_OCTETS && packet.get(4..7) == Some(&[5, 0, 0x16])
}

impl Observer<StationOutput> for Tap {
    fn transmission(&mut self, sent: &Transmission, verdict: Verdict) {
        let Place::Event { opens, from_central, .. } = sent.place else { return };
        if opens {
            let Seen { position, credits, unanswered, .. } = self.now;
            self.events.push(self.now);
            self.now = Seen { position, credits, unanswered, ..Seen::default() };
        }
        let mic = if sent.encrypted { 4 } else { 0 };
        let payload = sent.packet.len() as u64 - 2 - mic;
        self.now.unanswered = from_central.then_some(payload);
        if self.streams() && verdict == Verdict::Unheard {
            self.unheard.push(sent.place);
        }
        let control = sent.packet[0] & 0b11 == 0b11;
        if verdict != Verdict::New || payload == 0 || control {
            return;
        }
        if is_credits(&sent.packet, payload) {
            self.now.credits += 1;
        } else {
            self.now.position[usize::from(!from_central)] += 1;
        }
    }

    fn trace(&mut self, _now: Instant, _device: usize, trace: &Trace, _starved: Option<Starved>) {
        match *trace {
            Trace::EventClosed { role: Role::Central, exchanges, .. } => self.now.carried.exchanges = exchanges.into(),
            Trace::ConnectionClosed { reason, .. } => self.refusals.push(format!("closed: {reason}")),
            _ => {}
        }
    }

    fn event(&mut self, _now: Instant, device: usize, event: &StationOutput) {
        match event {
            StationOutput::Delivered(unit) => {
                let direction = usize::from(device == 0);
                self.sdus[direction] += 1;
                self.now.carried.sdus[direction] += 1;
                self.now.octets[direction] += u64::from(unit.octets);
                self.now.position[direction] = 0;
            }
            StationOutput::Ended { outcome, .. } => self.refusals.push(outcome.to_string()),
            _ => {}
        }
    }
}

/// Compares `point` event by event; how many events, or the first difference.
pub fn compare(point: &Point, library: &Library) -> Result<usize, String> {
    let (start, events) = watch(point, &point.scenario(library))?;
    let mut link = start;
    for (n, seen) in events.iter().enumerate() {
        let before = format!("{link:?}");
        let expected = link.event();
        if seen.carried != expected {
            return Err(format!("{point:?}\n event {n}: seen {:?}, expected {expected:?} from {before}", seen.carried));
        }
        if seen.octets != expected.sdus.map(|sdus| sdus * point.sdu) {
            return Err(format!("{point:?}\n event {n}: {:?} octets in {:?}", seen.octets, expected.sdus));
        }
    }
    Ok(events.len())
}

/// Runs a scenario of `point`: the closed form set to where the comparison starts, and the events
/// from there on.
fn watch(point: &Point, scenario: &Scenario) -> Result<(Link, Vec<Seen>), String> {
    let mut network = build(scenario, 1, Tap::default());
    let mut events = EventLoop::new(Instant::ZERO, &network);
    network.start(Instant::ZERO);
    events.refresh(&network);
    let mut link = point.link();
    let wanted = [!link.central.stream.is_empty(), !link.peripheral.stream.is_empty()];
    let mut first = None;
    let mut before = [0, 0];
    loop {
        let tap = &network.observer;
        if !tap.refusals.is_empty() || !tap.unheard.is_empty() {
            return Err(format!("{point:?}\n {:?}, nobody heard {:?}", tap.refusals, tap.unheard));
        }
        let arrived = |least: u64| [0, 1].iter().all(|d| !wanted[*d] || tap.sdus[*d] >= before[*d] + least);
        match first {
            None if arrived(1) => first = Some(tap.events.len() + SETTLED),
            Some(first) if tap.events.len() <= first => before = tap.sdus,
            Some(first) if tap.events.len() > first + EVENTS && arrived(SDUS) => break,
            _ => {}
        }
        if !events.step(&mut network, Instant::FAR_FUTURE) {
            return Err(format!("{point:?}\n nothing happens any more"));
        }
    }
    let tap = &network.observer;
    let first = first.expect("the loop ends behind the first SDU");
    let sdus = |d: usize| tap.events[..first].iter().map(|event| event.carried.sdus[d]).sum();
    set(&mut link, point, &tap.events[first - 1], [sdus(0), sdus(1)]);
    Ok((link, tap.events[first..].to_vec()))
}

/// Sets the closed form to what is known after the event `last`, when `sdus` have arrived.
fn set(link: &mut Link, point: &Point, last: &Seen, sdus: [u64; 2]) {
    link.central.next = last.position[0];
    link.peripheral.next = last.position[1];
    link.again = last.unanswered;
    let Credits::Per(every) = point.credits else { return };
    for (direction, receiver) in [(0, false), (1, true)] {
        let sender = if receiver { &link.peripheral } else { &link.central };
        let stream = sender.stream.clone();
        let frames = |pdus: &[super::air::Pdu]| pdus.iter().filter(|pdu| pdu.ends_frame).count() as u64;
        if stream.is_empty() {
            continue;
        }
        let received = sdus[direction] * frames(&stream) + frames(&stream[..last.position[direction]]);
        let receiver = if receiver { &mut link.central } else { &mut link.peripheral };
        receiver.frames = received % every;
        receiver.credits = received / every - last.credits;
    }
}
