//! Advertising as tables show it.

use alloc::format;
use alloc::string::String;

use super::Advertising;
use super::set::{Data, Set};
use crate::ll::advertising::{Kind, Parameters};

impl Advertising {
    /// The sets, a few words each.
    pub fn shown(&self) -> impl Iterator<Item = String> {
        self.sets.0.iter().map(|set| {
            let Set { handle, parameters, data: own, response } = set;
            let runs = if self.running.has(Some(*handle)) { " runs" } else { "" };
            format!("{handle}{runs}: {}, {} octets, response of {}", kind(parameters), data(own), data(response))
        })
    }

    /// The parameters of the legacy advertiser.
    pub fn shown_legacy(&self) -> String {
        format!("{:?}, {} octets", self.legacy.own, self.legacy.data.len())
    }

    /// Tells if an advertiser is active.
    pub fn has_active(&self) -> bool {
        self.running.0.iter().any(|advertiser| advertiser.active)
    }
}

fn kind(parameters: &Parameters) -> String {
    let address = if parameters.random.is_some() { ", random address" } else { "" };
    match &parameters.kind {
        Kind::Extended(event) if event.scannable => format!("extended, scannable, DID {}{address}", event.did.min(1)),
        Kind::Extended(event) => format!("extended, connectable, DID {}{address}", event.did.min(1)),
        legacy => format!("{legacy:?}{address}"),
    }
}

fn data(data: &Data) -> String {
    format!("{}{}", data.octets.len(), if data.partial { " and more" } else { "" })
}
