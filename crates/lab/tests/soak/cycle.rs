//! A host that connects and disconnects for ever.

use airtime_ble::host::Starved;
use airtime_ble::host::{
    Address, ConnHandle, Host, HostConfig, HostEvent, HostInput, HostOutput, Profile, Request, ValueMethod,
};
use airtime_ble::network::{Station, StationOutput};
use airtime_ble::personality;
use airtime_core::{Duration, Instant, Pool};

pub const CENTRAL_ADDRESS: Address = [1, 0, 0, 0, 0, 0xc0];
pub const PERIPHERAL_ADDRESS: Address = [2, 0, 0, 0, 0, 0xc0];
const NAME: &str = "soak";
const INTERVAL: Duration = Duration::from_micros(7500);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    Central,
    Peripheral,
}

/// The central connects and hangs up; the peripheral advertises again.
pub struct Connecting {
    role: Role,
    host: Host,
    cycles: u64,
}

impl Connecting {
    pub fn new(role: Role, personality: personality::Host, pool: Pool) -> Self {
        let host = Host::new(
            HostConfig {
                personality,
                long_term_key: [7; 16],
                profile: Profile::Test,
                values: ValueMethod::default(),
                blind: false,
                subrates: None,
            },
            pool,
        );
        Self { role, host, cycles: 0 }
    }

    /// Connections that have ended.
    pub fn cycles(&self) -> u64 {
        self.cycles
    }

    fn ask(&mut self, now: Instant, request: Request<'_>) {
        self.host.request(now, request).expect("the host takes it");
    }

    fn begin(&mut self, now: Instant) {
        match self.role {
            Role::Central => self.ask(
                now,
                Request::Connect {
                    peer: PERIPHERAL_ADDRESS,
                    interval: INTERVAL,
                    latency: 0,
                    supervision_timeout: Duration::from_secs(1),
                },
            ),
            Role::Peripheral => self.ask(now, Request::Advertise { name: NAME, interval: Duration::from_millis(20) }),
        }
    }

    fn hear(&mut self, now: Instant, event: &HostEvent) {
        match *event {
            HostEvent::Ready => self.begin(now),
            HostEvent::Connected { conn, .. } if self.role == Role::Central => {
                self.ask(now, Request::Disconnect { conn });
            }
            HostEvent::Disconnected { .. } => {
                self.cycles += 1;
                self.begin(now);
            }
            _ => {}
        }
    }
}

impl Station for Connecting {
    type Event = ();

    fn wake(&mut self, now: Instant) {
        self.host.handle(now, HostInput::Wake);
    }

    fn hci(&mut self, now: Instant, packet: &[u8]) {
        self.host.handle(now, HostInput::Hci(packet));
    }

    fn poll(&mut self, now: Instant) -> Option<StationOutput<()>> {
        loop {
            match self.host.poll(now)? {
                HostOutput::Hci(packet) => return Some(StationOutput::Hci(packet)),
                HostOutput::Event(event) => self.hear(now, &event),
                HostOutput::Octets { .. } => {}
            }
        }
    }

    fn deadline(&self) -> Option<Instant> {
        self.host.deadline()
    }

    fn starved(&self, conn: ConnHandle) -> Starved {
        self.host.starved(conn)
    }
}
