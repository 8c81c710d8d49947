//! Control by an application of the two chips besides sending packets: remote calls, raw frames, the raw test.

use airtime_core::{Duration, Instant, Pool};

use crate::hosted::coprocessor::{Coprocessor, CoprocessorOutput};
use crate::hosted::host::{Host, HostOutput};
use crate::hosted::wire::Interface;

/// An application beside the TCP/IP stack, with both sides of the bus in reach.
pub trait Control {
    /// False if there is nothing at all to ask: a network without an application beside the stack is spared the
    /// question.
    const ACTS: bool = true;
    /// Its deadline has come.
    fn wake(&mut self, now: Instant) {
        let _ = now;
    }
    /// The host says something that is neither a packet nor a drop.
    fn host_said(&mut self, now: Instant, output: HostOutput) {
        let _ = (now, output);
    }
    /// The co-processor says something that is neither for the air nor a drop.
    fn coprocessor_said(&mut self, now: Instant, output: CoprocessorOutput) {
        let _ = (now, output);
    }
    /// Hands what it has to either side; says whether it had anything. Asked whenever something has moved.
    fn act(&mut self, now: Instant, host: &mut Host, coprocessor: &mut Coprocessor) -> bool {
        let _ = (now, host, coprocessor);
        false
    }
    /// Instant at which it next wants to be woken.
    fn deadline(&self) -> Option<Instant> {
        None
    }
}

/// Nothing beside the stack.
impl Control for () {
    const ACTS: bool = false;
}

/// The raw throughput test of esp-hosted: packets of the test interface over the bus, as fast as it takes them.
#[derive(Debug)]
pub struct RawTest {
    pool: Pool,
    octets: usize,
    to_host: bool,
    received: u64,
}

impl RawTest {
    /// Packets of `octets` of payload, by default 1460 (`ESP_RAW_TP_…PKT_LEN`), from the co-processor `to_host` or to it.
    pub fn new(pool: &Pool, octets: usize, to_host: bool) -> Self {
        Self { pool: pool.clone(), octets, to_host, received: 0 }
    }

    /// Octets of payload that have arrived at the host.
    pub fn received(&self) -> u64 {
        self.received
    }

    /// Mean rate in bit/s as the firmware counts it: payload at the co-processor, payload and header at the host
    /// (`host/utils/stats.c`).
    pub fn bits_per_second(&self, coprocessor: &Coprocessor, span: Duration) -> u64 {
        let octets = match self.to_host {
            true => self.received + self.received / self.octets.max(1) as u64 * HEADER,
            false => coprocessor.counters().test_octets,
        };
        airtime_core::units::Bitrate::of(octets, span).0
    }
}

/// Octets of a header, which the host counts.
const HEADER: u64 = 12;

impl Control for RawTest {
    fn host_said(&mut self, _: Instant, output: HostOutput) {
        if let HostOutput::Test(octets) = output {
            self.received += u64::from(octets);
        }
    }

    fn act(&mut self, now: Instant, host: &mut Host, coprocessor: &mut Coprocessor) -> bool {
        let mut any = false;
        loop {
            let mut packet = self.pool.packet();
            packet.resize(self.octets);
            let taken = match self.to_host {
                true => coprocessor.send(now, Interface::Test, packet).is_ok(),
                false => host.send(now, Interface::Test, packet).is_ok(),
            };
            if !taken {
                return any;
            }
            any = true;
        }
    }
}
