//! From settings and personalities to a scenario of a Bluetooth LE link.

use airtime_ble::air::{DATA_OCTETS_MAX, Phy, T_IFS};
use airtime_ble::personality::{CreditPolicy, TaskPriority};
use airtime_core::Duration;
use serde_json::Value;

use super::check;
use super::rpc::{Carriers, Transport};
use super::scenario::{ChangeInterval, Coc, Device, Direction, Gatt, Link, Pacing, Program, Scenario, Stack};
use crate::plan::resolve::Resolver;
use crate::schema::{CREDIT_POLICIES, credit_policy, credit_policy_parts};
use crate::toml::error::{Fault, PlanError};

/// Largest attribute value. Core 6.0, Vol 3, Part F, 3.2.9.
const VALUE_MAX: u16 = 512;

/// What `trouble-host` 0.8 does unless it is told otherwise: as many credits as its receive queue holds
/// (`L2CAP_RX_QUEUE_SIZE`, 8), and those of each SDU back when the application takes it.
const TROUBLE_CREDITS: CreditPolicy = CreditPolicy::PerFrames { initial: 8, on_connect: 0, grant: 1, every: 1 };

/// Credits of firmware that takes frames of calls: it frees each K-frame when it has come, in Zephyr with `seg_recv`. With the
/// `recv` callback a request of several frames would take a round trip for each.
const BY_SEGMENT: CreditPolicy = CreditPolicy::PerFrames { initial: 10, on_connect: 10, grant: 1, every: 1 };

impl Resolver<'_> {
    /// The scenario of a plan with this link, checked.
    pub(in crate::plan) fn ble(&self, link: Link) -> Result<Scenario, PlanError> {
        let set = self.set;
        let direction = match set.text("ble.direction") {
            _ if link == Link::BleRpc => Direction::Both,
            Some("c2p") => Direction::CentralToPeripheral,
            Some("both") => Direction::Both,
            _ => Direction::PeripheralToCentral,
        };
        let mut central = self.device("central")?;
        let mut peripheral = self.device("peripheral")?;
        if link == Link::BleRpc {
            self.apply_calls(&mut central, &mut peripheral)?;
        } else {
            self.apply_host(link, direction, &mut central, direction.central_sends())?;
            self.apply_host(link, direction, &mut peripheral, direction.peripheral_sends())?;
        }
        if link != Link::BleCoc {
            // What the two ends will agree on; the larger offer has no other effect.
            let agreed = central.host.att_mtu.min(peripheral.host.att_mtu);
            (central.host.att_mtu, peripheral.host.att_mtu) = (agreed, agreed);
        }
        let (coc, gatt) = (self.coc(direction, &central, &peripheral), self.gatt(&central, &peripheral));
        let data_length = self.data_length(&central, &peripheral);
        let carriers = Carriers { central: &central, peripheral: &peripheral, gatt: &gatt, data_length };
        let rpc = (link == Link::BleRpc).then(|| self.rpc(&carriers));
        let scenario = Scenario {
            link,
            peripherals: self.count("ble.peripherals", 1),
            conn_interval: set.span("ble.conn_interval").unwrap_or(central.host.intervals.initial),
            request_interval: set.span("ble.request_interval"),
            change_interval: self.change_interval()?,
            latency: self.count("ble.latency", 0),
            supervision_timeout: Duration::ZERO,
            phy: self.phy(&central, &peripheral),
            frame_space: set.span("ble.frame_space").filter(|space| *space != T_IFS),
            data_length,
            data_length_gate: set.flag("ble.data_length_gate"),
            stop_advertising: set.flag("ble.stop_advertising"),
            encrypted: set.flag("ble.encrypted"),
            direction,
            co_channel: set.text("ble.interference") == Some("co-channel"),
            loss: self.loss("ble.loss")?,
            name: set.text("ble.name").unwrap_or_default().to_owned(),
            scan_timeout: set.span("ble.scan_timeout").unwrap_or_default(),
            coc,
            gatt,
            rpc,
            run: self.run()?,
            central,
            peripheral,
        };
        let scenario = Scenario { supervision_timeout: self.supervision_timeout(&scenario), ..scenario };
        check::check(self, &scenario)?;
        Ok(scenario)
    }

    /// The personality of one end, and the program that is its host.
    fn device(&self, end: &str) -> Result<Device, PlanError> {
        let key = &*format!("{end}.personality");
        let name = self.set.text(key).unwrap_or_default();
        let personality = self.library.get(name).ok_or_else(|| {
            let fault = Fault::new(format!("there is no personality `{name}`"));
            self.error(&[key], fault.one_of(name, self.library.names()))
        })?;
        let program = match self.set.text(&format!("{end}.host")) {
            Some("trouble") => Program::Trouble,
            _ => Program::Model,
        };
        let Some(device) = personality.device() else {
            let what =
                format!("`{key}`: `{name}` is a chain of host and Wi-Fi co-processor, not a Bluetooth LE device");
            let known = self.library.iter().filter(|p| p.ble().is_some()).map(|p| p.name.as_str());
            return Err(self.error(&[key], Fault::new(what).allowing(known.collect::<Vec<_>>().join(", "))));
        };
        Ok(Device { program, ..device })
    }

    /// What the plan says about the host and the buffers of one end.
    fn apply_host(&self, link: Link, direction: Direction, device: &mut Device, sends: bool) -> Result<(), PlanError> {
        let receives = !sends || direction == Direction::Both;
        if sends {
            self.apply_sender(device, if link == Link::BleCoc { "coc.tx_buffers" } else { "gatt.tx_buffers" });
        } else {
            self.apply_peer(device);
        }
        if receives {
            let own = if device.program == Program::Trouble { TROUBLE_CREDITS } else { device.host.credits };
            self.apply_receiver(device, own)?;
        }
        self.apply_mtu(device);
        Ok(())
    }

    /// What the plan says about both ends of remote calls: `host`, `acl` and the terms of channels are the firmware's, which is
    /// the peripheral's; `peer_host` is the central's.
    fn apply_calls(&self, central: &mut Device, peripheral: &mut Device) -> Result<(), PlanError> {
        let coc = self.rpc_transport() == Transport::Coc;
        self.apply_sender(peripheral, if coc { "coc.tx_buffers" } else { "gatt.tx_buffers" });
        self.apply_receiver(peripheral, BY_SEGMENT)?;
        self.apply_peer(central);
        if central.stack == Stack::Firmware {
            central.host.credits = BY_SEGMENT;
        }
        self.apply_mtu(central);
        self.apply_mtu(peripheral);
        Ok(())
    }

    fn apply_sender(&self, device: &mut Device, buffers: &str) {
        let (set, host, controller) = (self.set, &mut device.host, &mut device.controller);
        controller.acl_count = self.count("acl.count", controller.acl_count);
        controller.acl_size = self.count("acl.size", controller.acl_size);
        host.l2cap_tx_buffers = self.count(buffers, host.l2cap_tx_buffers);
        host.stream_task = match set.text("host.task_priority") {
            Some("above") => TaskPriority::Above,
            Some(_) => TaskPriority::Below,
            None => host.stream_task,
        };
        host.latency = set.span("host.latency").unwrap_or(host.latency);
        host.packet_time = set.span("host.packet_time").unwrap_or(host.packet_time);
        host.sdu_time = set.span("host.sdu_time").unwrap_or(host.sdu_time);
    }

    fn apply_peer(&self, device: &mut Device) {
        let (set, host) = (self.set, &mut device.host);
        host.latency = set.span("peer_host.latency").unwrap_or(host.latency);
        host.packet_time = set.span("peer_host.packet_time").unwrap_or(host.packet_time);
    }

    fn apply_receiver(&self, device: &mut Device, credits: CreditPolicy) -> Result<(), PlanError> {
        let host = &mut device.host;
        host.coc_mps = self.count("coc.mps", host.coc_mps);
        host.coc_mtu = self.count("coc.mtu", host.coc_mtu);
        host.credits = self.credits(credits)?;
        Ok(())
    }

    fn apply_mtu(&self, device: &mut Device) {
        let mtu = self.count("gatt.mtu", device.host.att_mtu);
        // An operating system offers what it offers; a smaller offer of the firmware still wins.
        device.host.att_mtu = if device.stack == Stack::Os { mtu.min(device.host.att_mtu) } else { mtu };
    }

    /// The credit policy: the word, the table over the personality's of the same form, or that.
    fn credits(&self, own: CreditPolicy) -> Result<CreditPolicy, PlanError> {
        if let Some(word) = self.set.set("coc.credits").and_then(Value::as_str) {
            let named = CREDIT_POLICIES.iter().find(|(w, _)| *w == word);
            return Ok(named.map_or(own, |(_, policy)| *policy));
        }
        let set: Vec<(&str, u64)> =
            self.set.parts("coc.credits").into_iter().filter_map(|(name, v)| Some((name, v.as_u64()?))).collect();
        if set.is_empty() {
            return Ok(own);
        }
        let mut parts = credit_policy_parts(own);
        if set.iter().all(|(name, _)| parts.iter().any(|(n, _)| n == name)) {
            for part in &mut parts {
                part.1 = set.iter().find(|(name, _)| *name == part.0).map_or(part.1, |(_, v)| *v);
            }
        } else {
            parts = Vec::new();
        }
        let parts: &[(&str, u64)] = if parts.is_empty() { &set } else { &parts };
        let keys: Vec<String> = set.iter().map(|(name, _)| format!("coc.credits.{name}")).collect();
        let keys: Vec<&str> = keys.iter().map(String::as_str).collect();
        credit_policy(parts).map_err(|fault| self.error(&keys, fault))
    }

    fn change_interval(&self) -> Result<Option<ChangeInterval>, PlanError> {
        let (at, to) = (self.set.span("ble.change_interval.at"), self.set.span("ble.change_interval.to"));
        match (at, to) {
            (Some(at), Some(to)) => Ok(Some(ChangeInterval { at, to })),
            (None, None) => Ok(None),
            _ => {
                let keys = ["ble.change_interval.at", "ble.change_interval.to"];
                let fault = Fault::new("`ble.change_interval` needs both `at` and `to`");
                Err(self.error(&keys, fault.allowing("{ at = \"30s\", to = \"30ms\" }")))
            }
        }
    }

    fn phy(&self, central: &Device, peripheral: &Device) -> Phy {
        let both_2m = central.controller.phy_2m && peripheral.controller.phy_2m;
        let default = if both_2m { Phy::Le2M } else { Phy::Le1M };
        self.set.text("ble.phy").and_then(|text| text.parse().ok()).unwrap_or(default)
    }

    fn data_length(&self, central: &Device, peripheral: &Device) -> u16 {
        let own = central.controller.data_octets.min(peripheral.controller.data_octets);
        self.count("ble.data_length", DATA_OCTETS_MAX).min(own)
    }

    fn coc(&self, direction: Direction, central: &Device, peripheral: &Device) -> Coc {
        let mtu = |receives: bool, device: &Device| if receives { device.host.coc_mtu } else { u16::MAX };
        let mtu = mtu(direction.peripheral_sends(), central).min(mtu(direction.central_sends(), peripheral));
        Coc {
            sdu: self.count("coc.sdu", mtu.min(492)),
            in_flight: self.count("coc.in_flight", 6),
            channels: self.count("coc.channels", 1),
            pacing: self.pacing("coc.pacing"),
        }
    }

    fn gatt(&self, central: &Device, peripheral: &Device) -> Gatt {
        let mtu = central.host.att_mtu.min(peripheral.host.att_mtu);
        Gatt {
            mtu,
            // Opcode and handle of a notification or a write command. Core 6.0, Vol 3, Part F, 3.4.7.1.
            payload: self.count("gatt.payload", mtu.saturating_sub(3).min(VALUE_MAX)),
            in_flight: self.count("gatt.in_flight", 6),
            pacing: self.pacing("gatt.pacing"),
        }
    }

    fn pacing(&self, key: &str) -> Pacing {
        self.set.text(key).and_then(|text| text.parse().ok()).unwrap_or(Pacing::Semaphore)
    }

    /// What was set; else 4 s, or six times what the longest interval needs, at most 32 s.
    fn supervision_timeout(&self, scenario: &Scenario) -> Duration {
        let own = || {
            let longest = check::intervals(scenario).map(|(_, interval)| interval).max().unwrap_or_default();
            let needed = longest * 6 * (u64::from(scenario.latency) + 1);
            let steps = needed.as_nanos().div_ceil(check::TIMEOUT_GRID.as_nanos());
            (check::TIMEOUT_GRID * steps).clamp(Duration::from_secs(4), Duration::from_secs(32))
        };
        self.set.span("ble.supervision_timeout").unwrap_or_else(own)
    }
}
