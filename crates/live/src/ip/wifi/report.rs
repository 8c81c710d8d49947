//! Report of a live pipeline: one document of the schema `airtime/live-wifi/1`.

use airtime_core::Instant;
use airtime_system::Crossed;
use airtime_wifi::ledger::Books;
use serde::Serialize;

use super::link::{PLACES, Pipeline};
use crate::ip::{Air, PacedLink, Reported};

/// Figures of an end.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct EndFigures {
    /// Packets that its interface took, and packets that came out of the pipeline.
    #[serde(flatten)]
    pub crossed: Crossed,
    /// Packets out of it that the device did not take.
    pub refused: u64,
}

impl Reported for PacedLink<Pipeline> {
    type EndFigures = EndFigures;
    type Between = Air;

    const SCHEMA: &'static str = "airtime/live-wifi/1";

    fn end(&self, end: usize, refused: u64) -> EndFigures {
        let counts = self.plant().counts();
        let (taken, delivered) = (counts.taken(PLACES[end]), counts.delivered(PLACES[end]));
        let crossed = Crossed {
            packets_in: taken.packets,
            bytes_in: taken.octets,
            packets_out: delivered.packets,
            bytes_out: delivered.octets,
        };
        EndFigures { crossed, refused }
    }

    fn crossed(end: &EndFigures) -> &Crossed {
        &end.crossed
    }

    /// Counters of the pipeline and of the air, and the books of the air.
    fn between(&self, now: Instant) -> Air {
        let books = &self.plant().observer;
        let ledger = books.ledger_at(now);
        let counters = self.plant().counts().named().chain(books.counts().named()).collect();
        Air::new(counters, &ledger, Books::bottleneck(&ledger))
    }
}
