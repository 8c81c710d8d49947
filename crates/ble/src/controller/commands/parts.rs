//! The parts of a controller that carry out commands, each lent with what it decides by.

use alloc::vec::Vec;

use super::{accept_list, advertising, connection, defaults, informational, initiating, own_address, resolving_list};
use super::{scanning, security};
use crate::controller::{CONNECTIONS_MAX, Controller};

impl Controller {
    /// The controller itself: reset, event masks, flow control towards the host.
    pub(super) fn controller(&mut self) -> &mut Self {
        self
    }

    pub(super) fn informational(&mut self) -> informational::Commands<'_> {
        informational::Commands { personality: &self.personality, address: self.identities.public }
    }

    pub(super) fn security(&mut self) -> security::Commands<'_> {
        security::Commands { numbers: &mut self.numbers }
    }

    pub(super) fn defaults(&mut self) -> defaults::Commands<'_> {
        defaults::Commands::new(&mut self.defaults, &self.personality)
    }

    pub(super) fn own_address(&mut self) -> own_address::Commands<'_> {
        let advertises = self.advertising.running().has(None);
        let in_use = advertises || self.scanning.is_on() || self.initiator.is_some();
        own_address::Commands::new(&mut self.identities.random, in_use)
    }

    pub(super) fn accept_list(&mut self) -> accept_list::Commands<'_> {
        let advertises = self.advertising.running().goes_by_list();
        let scans = self.scanning.scanner().is_some_and(|scanner| scanner.setup().filter.listed);
        let initiates = self.initiator.as_ref().is_some_and(|initiator| initiator.peer.is_none());
        accept_list::Commands::new(&mut self.identities.accept, advertises || scans || initiates)
    }

    pub(super) fn resolving_list(&mut self) -> resolving_list::Commands<'_> {
        let advertises = !self.advertising.running().is_empty();
        let busy = advertises || self.scanning.is_on() || self.initiator.is_some();
        resolving_list::Commands::new(&mut self.identities.resolving, busy)
    }

    pub(super) fn advertising(&mut self) -> advertising::legacy::Commands<'_> {
        self.advertising.legacy(&mut self.identities, &self.chance)
    }

    pub(super) fn advertising_sets(&mut self) -> advertising::sets::Commands<'_> {
        self.advertising.sets(&mut self.identities, &mut self.numbers, &self.personality)
    }

    pub(super) fn scanning(&mut self) -> scanning::Commands<'_> {
        scanning::Commands::new(&mut self.scanning, &self.personality, self.identities.random.is_some())
    }

    pub(super) fn initiating(&mut self) -> initiating::Commands<'_> {
        let connected: Vec<_> = self.connections.iter().flatten().map(|connection| connection.peer).collect();
        let facts = initiating::Facts {
            personality: &self.personality,
            full: connected.len() >= CONNECTIONS_MAX,
            connected,
            has_random: self.identities.random.is_some(),
        };
        initiating::Commands::new(&mut self.initiator, facts)
    }

    pub(super) fn connections(&mut self) -> connection::Commands<'_> {
        connection::Commands::new(&self.connections, &self.personality, self.defaults.offer())
    }
}
