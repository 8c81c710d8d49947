//! Commands that make connections. Core 6.0, Vol 4, Part E, 7.8.12, 7.8.13 and 7.8.66.

use alloc::vec::Vec;

use super::connection::link_parameters;
use super::effect::Effect;
use super::scanning::{check_phys, windows};
use super::{Answer, Call, need};
use crate::controller::Holder;
use crate::controller::connecting::Initiator;
use crate::hci::Status;
use crate::ll::address::{DeviceAddress, OwnAddress};
use crate::ll::control::{PHY_1M, PHY_2M, PHY_CODED};
use crate::ll::procedure::timing;
use crate::ll::scanning::{Filter, OnPhy, Scanner, Setup};
use crate::personality;
use crate::words::Address;

/// Facts that an attempt at a connection is decided by.
pub(super) struct Facts<'a> {
    /// Abilities of the controller.
    pub personality: &'a personality::Controller,
    /// Peers of the connections that stand.
    pub connected: Vec<DeviceAddress>,
    /// There is room for no further connection.
    pub full: bool,
    /// The host has set a random address.
    pub has_random: bool,
}

/// Initiating as the host's commands meet it.
pub(super) struct Commands<'a> {
    initiator: &'a mut Option<Initiator>,
    facts: Facts<'a>,
}

impl<'a> Commands<'a> {
    /// Commands on the `initiator`.
    pub fn new(initiator: &'a mut Option<Initiator>, facts: Facts<'a>) -> Self {
        Self { initiator, facts }
    }

    pub fn create(&mut self, call: &mut Call<'_>) -> Answer {
        let windows = need(windows(&mut call.r))?;
        let by_list = need(call.r.u8())?;
        let (kind, octets) = (need(call.r.u8())?, need(call.r.array())?);
        let own = call.own_address()?;
        let asked = need(link_parameters(self.facts.personality, &mut call.r))?;
        call.end()?;
        let peer = peer(by_list, kind, octets)?;
        self.check(peer, own)?;
        let setup = Setup::legacy(windows, false, own, Filter::default());
        let timing = timing(asked.interval_max, asked.latency, asked.timeout);
        let scanner = Scanner::new(setup, call.now);
        *self.initiator =
            Some(Initiator { scanner, peer, own, timings: [Some(timing), None, None], follows: None, asked: None });
        Ok(())
    }

    pub fn create_extended(&mut self, call: &mut Call<'_>) -> Answer {
        let by_list = need(call.r.u8())?;
        let own = call.own_address()?;
        let (kind, octets) = (need(call.r.u8())?, need(call.r.array())?);
        let phys = need(call.r.u8())?;
        check_phys(self.facts.personality, phys, PHY_1M | PHY_2M | PHY_CODED)?;
        if phys & (PHY_1M | PHY_CODED) == 0 {
            return Err(Status::INVALID_PARAMETERS);
        }
        let mut timings = [None; 3];
        let mut scans = [None; 3];
        for (index, bit) in [PHY_1M, PHY_2M, PHY_CODED].into_iter().enumerate() {
            if phys & bit == 0 {
                continue;
            }
            // Hosts leave anything in the scan windows of 2M, which has no primary channels.
            let on_2m = bit == PHY_2M;
            let scan = if on_2m { call.r.take(4).map(|_| None) } else { windows(&mut call.r).map(Some) };
            scans[index] = need(scan)?.map(|windows| OnPhy { windows, active: false });
            let asked = need(link_parameters(self.facts.personality, &mut call.r))?;
            timings[index] = Some(timing(asked.interval_max, asked.latency, asked.timeout));
        }
        call.end()?;
        let peer = peer(by_list, kind, octets)?;
        self.check(peer, own)?;
        let [on_1m, _, on_coded] = scans;
        let setup = Setup::extended(on_1m, on_coded, own, Filter::default());
        let scanner = Scanner::new(setup, call.now);
        *self.initiator = Some(Initiator { scanner, peer, own, timings, follows: None, asked: None });
        Ok(())
    }

    /// A connection to this peer can be tried now.
    fn check(&self, peer: Option<DeviceAddress>, own: OwnAddress) -> Answer {
        let facts = &self.facts;
        if self.initiator.is_some() {
            return Err(Status::COMMAND_DISALLOWED);
        }
        if peer.is_some_and(|peer| facts.connected.contains(&peer)) {
            return Err(Status::ALREADY_CONNECTED);
        }
        if facts.full {
            return Err(Status::CONNECTION_LIMIT);
        }
        if own.falls_back_to_random() && !facts.has_random {
            return Err(Status::INVALID_PARAMETERS);
        }
        Ok(())
    }

    pub fn cancel(&mut self, call: &mut Call<'_>) -> Answer {
        call.end()?;
        if self.initiator.take().is_none() {
            return Err(Status::COMMAND_DISALLOWED);
        }
        call.ahead = Some(Effect::Release(Holder::Initiator));
        call.afterwards = Some(Effect::NoConnection);
        Ok(())
    }
}

/// Device to connect to. It does not count where the Filter Accept List is used.
fn peer(by_list: u8, kind: u8, octets: Address) -> Result<Option<DeviceAddress>, Status> {
    match by_list {
        0 => need(DeviceAddress::from_hci(kind, octets)).map(Some),
        1 => Ok(None),
        _ => Err(Status::INVALID_PARAMETERS),
    }
}
