//! Commands that make connections, and the random address. Core 6.0, Vol 4, Part E, 7.8.4, 7.8.12 and 7.8.13.

use super::scanning::windows;
use super::{Answer, Call, need};
use crate::controller::connecting::Initiator;
use crate::controller::{Controller, Holder};
use crate::hci::Status;
use crate::ll::address::{DeviceAddress, OwnAddress};
use crate::ll::procedure::timing;
use crate::ll::scanning::{Filter, Scanner, Setup};
use crate::words::Role;

impl Controller {
    pub(super) fn set_random_address(&mut self, call: &mut Call<'_>) -> Answer {
        let address = need(call.r.array())?;
        call.end()?;
        // Legacy advertising, scanning and initiating hold on to the address they began with; sets have their own.
        let advertises = self.advertisers.iter().any(|advertiser| advertiser.parameters().set.is_none());
        if advertises || self.scanner.is_some() || self.initiator.is_some() {
            return Err(Status::COMMAND_DISALLOWED);
        }
        self.identities.random = Some(address);
        Ok(())
    }

    pub(super) fn create_connection(&mut self, call: &mut Call<'_>) -> Answer {
        let windows = need(windows(&mut call.r))?;
        let by_list = need(call.r.u8())?;
        let (kind, octets) = (need(call.r.u8())?, need(call.r.array())?);
        let own = call.own_address()?;
        let asked = need(self.link_parameters(&mut call.r))?;
        call.end()?;
        // The peer does not count where the Filter Accept List is used.
        let peer = match by_list {
            0 => Some(need(DeviceAddress::from_hci(kind, octets))?),
            1 => None,
            _ => return Err(Status::INVALID_PARAMETERS),
        };
        self.may_initiate(peer, own)?;
        let setup = Setup::legacy(windows, false, own, Filter::default());
        let timing = timing(asked.interval_max, asked.latency, asked.timeout);
        let scanner = Scanner::new(setup, call.now);
        self.initiator = Some(Initiator { scanner, peer, own, timings: [Some(timing), None, None], asked: None });
        Ok(())
    }

    /// Tells if a connection to this peer can be tried now.
    pub(super) fn may_initiate(&mut self, peer: Option<DeviceAddress>, own: OwnAddress) -> Answer {
        if self.initiator.is_some() {
            return Err(Status::COMMAND_DISALLOWED);
        }
        if peer.is_some_and(|peer| self.connections.iter().flatten().any(|c| c.peer == peer)) {
            return Err(Status::ALREADY_CONNECTED);
        }
        if self.free_slot().is_none() {
            return Err(Status::CONNECTION_LIMIT);
        }
        if own.falls_back_to_random() {
            need(self.identities.random)?;
        }
        Ok(())
    }

    pub(super) fn cancel_connection(&mut self, call: &mut Call<'_>) -> Answer {
        call.end()?;
        if self.initiator.take().is_none() {
            return Err(Status::COMMAND_DISALLOWED);
        }
        if self.holder == Holder::Initiator {
            self.out.listen(None);
            self.holder = Holder::Nobody;
        }
        // Core 6.0, Vol 4, Part E, 7.8.13: the cancelled attempt ends with a Connection Complete.
        call.afterwards = Some(|controller| controller.report_no_connection(Status::UNKNOWN_CONNECTION, Role::Central));
        Ok(())
    }
}
