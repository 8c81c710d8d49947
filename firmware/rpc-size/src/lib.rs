//! A line of frames for a server that is linked to be measured: four registers of a peripheral that the linker knows nothing of,
//! so that nothing of the server can be left out.
#![no_std]

#[path = "../../common/src/no_heap.rs"]
mod no_heap;
mod register;

use airtime_core::{Duration, Instant};
use airtime_rpc::COMPATIBLE_FRAME_MAX;
use airtime_rpc::crypto::ServerSecrets;
use airtime_rpc::server::{Server, ServerConfig};
use airtime_rpc::service::{Flash, TestService};

use register::{FRAME, LENGTH, NOW, SECRET};

/// Longest request in octets, as the image for the nRF54L15 has it.
const REQUEST_OCTETS: usize = 512;

/// The server of one connection.
pub type Calls = Server<REQUEST_OCTETS>;

/// The service over flash behind a register.
pub type Service = TestService<Registers>;

/// State of both: static memory.
pub struct State {
    server: Calls,
    service: Service,
    frame: [u8; COMPATIBLE_FRAME_MAX],
}

/// Flash behind a register.
#[derive(Clone, Copy, Debug)]
pub struct Registers;

impl Flash for Registers {
    fn len(&self) -> u32 {
        1_524 * 1_024
    }

    fn read(&mut self, address: u32, into: &mut [u8]) {
        FRAME.write(address);
        into.fill_with(|| FRAME.read() as u8);
    }

    fn write(&mut self, address: u32, octets: &[u8]) {
        FRAME.write(address);
        octets.iter().for_each(|octet| FRAME.write(u32::from(*octet)));
    }
}

impl Default for State {
    fn default() -> Self {
        Self::new()
    }
}

impl State {
    /// A server that seals; one that does not is no smaller, for which of both is a value.
    pub fn new() -> Self {
        let config = ServerConfig {
            extended: true,
            encrypted: true,
            timeout: Duration::from_millis(100),
            max_request: REQUEST_OCTETS as u16,
            max_response: u16::MAX,
            window: 4_096,
        };
        Self { server: Calls::new(config), service: Service::new(Registers), frame: [0; COMPATIBLE_FRAME_MAX] }
    }

    /// Serves for ever.
    pub fn serve(&mut self) -> ! {
        let secrets = ServerSecrets {
            identity: [SECRET.read() as u8; 32],
            ephemeral: [SECRET.read() as u8; 32],
            nonce: [SECRET.read() as u8; 12],
        };
        self.server.connected(now(), COMPATIBLE_FRAME_MAX as u16, secrets);
        loop {
            let len = (LENGTH.read() as usize).min(COMPATIBLE_FRAME_MAX);
            self.frame[..len].fill_with(|| FRAME.read() as u8);
            match len {
                0 => self.server.disconnected(now(), &mut self.service),
                _ => self.server.receive(now(), &self.frame[..len], &mut self.service),
            }
            while let Some(len) = self.server.transmit(now(), &mut self.frame, &mut self.service) {
                self.frame[..len].iter().for_each(|octet| FRAME.write(u32::from(*octet)));
            }
            if self.server.deadline().is_some_and(|at| at <= now()) {
                self.server.wake(now(), &mut self.service);
            }
        }
    }
}

fn now() -> Instant {
    Instant::from_nanos(u64::from(NOW.read()))
}
