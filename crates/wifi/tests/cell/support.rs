//! A cell that is stepped through its deadlines.

use airtime_core::{Instant, Packet, Pool};
use airtime_wifi::air::{Guard, Phy, Width};
use airtime_wifi::cell::{Cell, CellConfig, CellOutput, StationConfig, StationId, Traffic};
use airtime_wifi::trace::OnAir;

/// HT20, MCS 7, short guard interval.
pub const SGI7: Phy = Phy::ht(Width::Mhz20, Guard::Ns400, 7);

/// The co-processor's station, and the access point.
pub const STA: StationId = StationId(0);
pub const AP: StationId = StationId(1);

pub fn us(us: u64) -> Instant {
    Instant::from_nanos(us * 1_000)
}

/// A station that always has MPDUs of `mpdu` octets for the access point.
pub fn saturated(place: u8, mpdu: u16) -> StationConfig {
    StationConfig { traffic: Traffic::Saturated { to: AP, mpdu }, ..StationConfig::usual(place) }
}

/// A cell, its pool, and what it has told.
pub struct Bench {
    pub cell: Cell,
    pub pool: Pool,
    pub now: Instant,
}

impl Bench {
    pub fn new(config: CellConfig, seed: u64) -> Self {
        let pool = Pool::new();
        Self { cell: Cell::new(config, pool.clone(), seed), pool, now: Instant::ZERO }
    }

    /// Goes on until `end`; `see` is told of everything.
    pub fn run(&mut self, end: Instant, mut see: impl FnMut(Instant, CellOutput)) {
        while let Some(at) = self.cell.deadline().filter(|&at| at <= end) {
            self.cell.wake(at);
            while let Some(output) = self.cell.poll(at) {
                see(at, output);
            }
            assert!(self.cell.deadline().is_none_or(|next| next > at), "it stands still at {at}");
        }
        self.now = end;
    }

    /// Goes on until `end`; returns what was on the air.
    pub fn on_air(&mut self, end: Instant) -> Vec<OnAir> {
        let mut all = Vec::new();
        self.run(end, |_, output| {
            if let CellOutput::OnAir(on_air) = output {
                all.push(on_air);
            }
        });
        all
    }

    /// An Ethernet frame of `octets`, its first two octets behind the header are `number`.
    pub fn frame(&self, number: u16, octets: usize) -> Packet {
        let mut frame = self.pool.packet();
        frame.resize(octets);
        frame[14..16].copy_from_slice(&number.to_be_bytes());
        frame
    }
}
