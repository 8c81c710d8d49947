//! Way from a plan and two personalities to a scenario.

use airtime_keys::{Fault, Key, Keys, Run, Source};

use super::check;
use super::coc::Coc;
use super::device::{Advertiser, Device, Initiator, Stack};
use super::gatt::{Gatt, Method};
use super::host::{Acl, Host, PeerHost};
use super::length;
use super::link::{Carrier, ChangeInterval, ChangePhy, Connection, Direction, Intervals};
use super::pacing::Pacing;
use super::program::{CLOCK, Program};
use super::rpc::{Rpc, Transport};
use super::scenario::Scenario;
use super::subrate::Subrate;
use super::upload::Upload;
use airtime_ble::personality::CreditPolicy;
use airtime_ble::personality::{CreditWord, Credits};
use airtime_ble::words::Role;

/// Policy of `trouble-host` 0.8 unless it is told otherwise: as many credits as its receive queue holds
/// (`L2CAP_RX_QUEUE_SIZE`, 8), and those of each SDU back when the application takes it.
const TROUBLE_CREDITS: CreditPolicy = CreditPolicy::PerFrames { initial: 8, on_connect: 0, grant: 1, every: 1 };

/// Credits of firmware that takes frames of calls: it frees each K-frame when it has come, in Zephyr with `seg_recv`. With the
/// `recv` callback a request of several frames would take a round trip for each.
const BY_SEGMENT: CreditPolicy = CreditPolicy::PerFrames { initial: 10, on_connect: 10, grant: 1, every: 1 };

/// Finds the device of the personality that a key names.
pub type Personalities<'a> = dyn Fn(&'static Key, &str) -> Result<Device, Fault> + 'a;

/// Role of an end in a stream, by which it has keys of its own.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Side {
    Sender,
    Receiver,
}

impl Scenario {
    /// The scenario of a plan with this link, checked.
    ///
    /// # Errors
    /// With a personality that cannot be found, or the first thing that does not hold between its keys.
    pub fn read(link: Carrier, from: &dyn Source, personalities: &Personalities<'_>) -> Result<Self, Fault> {
        let (initiator, advertiser) = (Initiator::read(from)?, Advertiser::read(from)?);
        let central = personalities(Initiator::PERSONALITY, &initiator.personality)?;
        let peripheral = personalities(Advertiser::PERSONALITY, &advertiser.personality)?;
        let mut scenario = Self {
            link,
            central: initiator.apply(central),
            peripheral: advertiser.apply(peripheral),
            initiator,
            advertiser,
            intervals: Intervals::read(from)?,
            change_interval: ChangeInterval::read(from)?,
            change_phy: ChangePhy::read(from)?,
            connection: Connection::read(from)?,
            subrate: Subrate::read(from)?,
            coc: Coc::read(from)?,
            credits: Credits::read(from)?,
            gatt: Gatt::read(from)?,
            upload: Upload::read(from)?,
            acl: Acl::read(from)?,
            host: Host::read(from)?,
            peer_host: PeerHost::read(from)?,
            rpc: if link == Carrier::BleRpc { Some(Rpc::read(from)?) } else { None },
            run: Run::read(from)?,
        };
        if scenario.rpc.is_some() {
            // Requests go one way and answers the other.
            scenario.connection.direction = Direction::Both;
        }
        check::said(&scenario, from)?;
        scenario.apply()?;
        scenario.fill();
        check::check(&scenario)?;
        Ok(scenario)
    }

    /// Puts what the plan says about hosts and buffers into the devices.
    fn apply(&mut self) -> Result<(), Fault> {
        if let Some(time) = self.connection.data_length_time {
            for controller in [&mut self.central.controller, &mut self.peripheral.controller] {
                controller.data_time = controller.data_time.min(time);
            }
        }
        length::apply(self.connection.data_length_by, &mut self.central, Role::Central);
        length::apply(self.connection.data_length_by, &mut self.peripheral, Role::Peripheral);
        if self.rpc.is_some() {
            self.apply_calls()?
        } else {
            self.apply_stream()?
        }
        self.gatt.apply(&mut self.central);
        self.gatt.apply(&mut self.peripheral);
        self.apply_mbufs();
        if self.link != Carrier::BleCoc {
            // What the two ends will agree on; the larger offer has no other effect.
            let agreed = self.att_mtu();
            (self.central.host.att_mtu, self.peripheral.host.att_mtu) = (agreed, agreed);
        }
        Ok(())
    }

    /// Puts the values that a pool of mbufs holds into the hosts that have one, as transmit buffers.
    fn apply_mbufs(&mut self) {
        let (is_said, value, direction) = (self.gatt.tx_buffers.is_some(), self.value(), self.connection.direction);
        if self.link != Carrier::BleGatt {
            return;
        }
        let ends =
            [(&mut self.central, direction.central_sends()), (&mut self.peripheral, direction.peripheral_sends())];
        for (device, _) in ends.into_iter().filter(|(_, sends)| *sends) {
            let host = &mut device.host;
            host.mbufs = self.gatt.mbufs.or(host.mbufs).filter(|_| !is_said);
            host.mbuf_octets = self.gatt.mbuf_octets.or(host.mbuf_octets).filter(|_| !is_said);
            host.l2cap_tx_buffers = host.values_in_mbufs(value).unwrap_or(host.l2cap_tx_buffers);
        }
    }

    fn apply_stream(&mut self) -> Result<(), Fault> {
        let direction = self.connection.direction;
        let (central_sends, peripheral_sends) = (direction.central_sends(), direction.peripheral_sends());
        let tx_buffers = self.tx_buffers();
        let ends = [
            (&mut self.central, central_sends, peripheral_sends),
            (&mut self.peripheral, peripheral_sends, central_sends),
        ];
        for (device, sends, receives) in ends {
            if sends {
                self.acl.apply(&mut device.controller);
                self.host.apply(&mut device.host);
                device.host.l2cap_tx_buffers = tx_buffers.unwrap_or(device.host.l2cap_tx_buffers);
                device.host.write_overflow = self.gatt.write_overflow.unwrap_or(device.host.write_overflow);
            } else {
                self.peer_host.apply(&mut device.host);
            }
            if receives {
                self.acl.apply_to_receiver(device);
                let own = match device.program {
                    Program::Model => device.host.credits,
                    // Images of ours have TrouBLE as well.
                    Program::Trouble | Program::Firmware(_) => TROUBLE_CREDITS,
                };
                self.coc.apply(&mut device.host);
                let host = &mut device.host;
                host.credits = policy(&self.coc, &self.credits, own)?;
                host.coc_mtu = host.credits.sdu_max(host.coc_mtu, host.coc_mps);
            }
        }
        Ok(())
    }

    /// Puts what the plan says about both ends of remote calls into them: `host`, `acl` and the terms of channels are the
    /// firmware's, which is the peripheral's; `peer_host` is the central's.
    fn apply_calls(&mut self) -> Result<(), Fault> {
        let tx_buffers = self.tx_buffers();
        let called = &mut self.peripheral;
        self.acl.apply(&mut called.controller);
        self.acl.apply_to_receiver(called);
        self.host.apply(&mut called.host);
        called.host.l2cap_tx_buffers = tx_buffers.unwrap_or(called.host.l2cap_tx_buffers);
        self.coc.apply(&mut called.host);
        called.host.credits = policy(&self.coc, &self.credits, BY_SEGMENT)?;
        self.peer_host.apply(&mut self.central.host);
        if self.central.stack == Stack::Firmware {
            self.central.host.credits = BY_SEGMENT;
        }
        Ok(())
    }

    /// Transmit buffers of what carries the stream or the calls, if the plan says.
    fn tx_buffers(&self) -> Option<u8> {
        match self.transport() {
            Transport::Coc => self.coc.tx_buffers,
            Transport::Gatt => self.gatt.tx_buffers,
        }
    }

    /// Fills in what the plan left to other keys and to the devices.
    fn fill(&mut self) {
        self.change_interval.fill();
        self.change_phy.fill();
        self.intervals.conn_interval = Some(self.conn_interval());
        self.connection.supervision_timeout = Some(self.supervision_timeout());
        self.connection.phy = Some(self.phy());
        self.connection.data_length = Some(self.data_length());
        self.coc.sdu = Some(self.sdu());
        self.gatt.mtu = Some(self.att_mtu());
        self.gatt.payload = Some(self.value());
        self.gatt.method = self.gatt.method.or(Method::of(self.connection.direction));
        let frame = self.payload();
        if let Some(rpc) = &mut self.rpc {
            rpc.fill();
            rpc.frame = Some(frame);
        }
        self.initiator.prepare_lead = self.central.controller.prepare_lead;
        self.initiator.controls_wait = self.initiator.prepare_lead.map(|_| self.central.controller.controls_wait);
        self.initiator.link_spacing = (self.connection.peripherals > 1).then_some(self.central.controller.link_spacing);
        self.advertiser.prepare_lead = self.peripheral.controller.prepare_lead;
        self.advertiser.controls_wait = self.advertiser.prepare_lead.map(|_| self.peripheral.controller.controls_wait);
        self.advertiser.drift_skip = self.advertiser.prepare_lead.map(|_| self.peripheral.controller.drift_skip);
        self.initiator.fill_bus(self.central.bus);
        self.advertiser.fill_bus(self.peripheral.bus);
        self.fill_events();
        self.fill_from_devices();
        self.fill_images();
    }

    /// An image's clock is in effect, and what the lab's own host would take of a CPU in its place is not.
    fn fill_images(&mut self) {
        let is_image = |device: &Device| matches!(device.program, Program::Firmware(_));
        for (device, clock) in
            [(&self.central, &mut self.initiator.host_clock), (&self.peripheral, &mut self.advertiser.host_clock)]
        {
            if is_image(device) {
                clock.get_or_insert(CLOCK);
            }
        }
        if is_image(self.sender()) {
            let none = Host {
                task_priority: None,
                latency: None,
                latency_p99: None,
                packet_time: None,
                sdu_time: None,
                conn_tx_max: None,
            };
            self.host = none;
        }
        if is_image(self.receiver()) {
            self.peer_host = PeerHost { latency: None, latency_p99: None, packet_time: None };
        }
    }

    /// Fills in the limits of events; extension means something where there is a length to go past.
    fn fill_events(&mut self) {
        let (own, of) = (&mut self.initiator, &self.central.controller);
        own.event_packets = of.event_pdu_cap;
        own.event_length = of.event_time_cap;
        own.event_extension = of.event_time_cap.map(|_| of.event_extension);
        let (own, of) = (&mut self.advertiser, &self.peripheral.controller);
        own.event_packets = of.event_pdu_cap;
        own.event_length = of.event_time_cap;
        own.event_extension = of.event_time_cap.map(|_| of.event_extension);
    }

    /// Fills in the sender's and the receiver's keys.
    fn fill_from_devices(&mut self) {
        use Side::{Receiver, Sender};
        self.coc.mps = self.agreed(Receiver, |device| device.host.coc_mps);
        self.coc.mtu = self.agreed(Receiver, |device| device.host.coc_mtu);
        self.coc.tx_buffers = self.agreed(Sender, |device| device.host.l2cap_tx_buffers);
        self.gatt.tx_buffers = self.coc.tx_buffers;
        self.gatt.mbufs = self.agreed(Sender, |device| device.host.mbufs).flatten();
        self.gatt.mbuf_octets = self.agreed(Sender, |device| device.host.mbuf_octets).flatten();
        // It means something to who does not look.
        let is_blind = matches!(self.gatt.pacing, Pacing::Blind(_) | Pacing::Retry(_));
        self.gatt.write_overflow = self.agreed(Sender, |device| device.host.write_overflow).filter(|_| is_blind);
        self.connection.data_length_time = self.agreed(Sender, |device| device.controller.data_time);
        let policy = self.agreed(Receiver, |device| device.host.credits);
        self.credits = policy.map(Credits::of).unwrap_or_default();
        // A policy with numbers is shown by them.
        let is_word = self.credits == Credits::default();
        self.coc.credits = policy.filter(|_| is_word).and_then(CreditWord::of);
        self.acl = Acl {
            count: self.agreed(Sender, |device| device.controller.acl_count),
            size: self.agreed(Sender, |device| device.controller.acl_size),
            rx_count: self.agreed(Receiver, |device| device.host.flow_control).flatten(),
            // They matter where the host has a limit.
            rx_buffers: self
                .agreed(Receiver, |device| device.host.flow_control.map(|_| device.controller.rx_buffers))
                .flatten(),
        };
        self.host = Host {
            task_priority: self.agreed(Sender, |device| device.host.stream_task),
            latency: self.agreed(Sender, |device| device.host.latency),
            latency_p99: self.agreed(Sender, |device| device.host.latency_p99).flatten(),
            packet_time: self.agreed(Sender, |device| device.host.packet_time),
            sdu_time: self.agreed(Sender, |device| device.host.sdu_time),
            conn_tx_max: self.agreed(Sender, |device| device.host.conn_tx_max).flatten(),
        };
        let has_peer = self.rpc.is_some() || self.connection.direction != Direction::Both;
        let peer = has_peer.then(|| self.receiver().host);
        self.peer_host = PeerHost {
            latency: peer.map(|host| host.latency),
            latency_p99: peer.and_then(|host| host.latency_p99),
            packet_time: peer.map(|host| host.packet_time),
        };
    }

    /// Says what `read` tells of the sender or the receiver; none when both ends are and differ. Of remote calls it is told
    /// of the peripheral: its firmware is what the keys are about.
    fn agreed<T: PartialEq>(&self, side: Side, read: impl Fn(&Device) -> T) -> Option<T> {
        if self.rpc.is_some() {
            return Some(read(&self.peripheral));
        }
        let (device, other) = match side {
            Side::Sender => (self.sender(), self.receiver()),
            Side::Receiver => (self.receiver(), self.sender()),
        };
        let value = read(device);
        (self.connection.direction != Direction::Both || read(other) == value).then_some(value)
    }
}

/// The credit policy: the word, the table over the device's own of the same form, or that.
fn policy(coc: &Coc, parts: &Credits, own: CreditPolicy) -> Result<CreditPolicy, Fault> {
    match coc.credits {
        Some(word) => Ok(word.policy()),
        None => parts.over(own),
    }
}
