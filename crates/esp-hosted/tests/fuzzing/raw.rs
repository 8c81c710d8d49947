//! Raw frames: both sides of the extension, and 802.11 frames of anybody.

use airtime_core::{Duration, Instant, Pool};
use airtime_esp_hosted::raw::{
    Command, Filter, Firmware, Interface, Monitor, PromiscuousPacket, Second, Service, ServiceOutput, Told, check, id,
};
use airtime_esp_hosted::rpc::proto::{CustomEvent, CustomReply, CustomRequest};
use airtime_esp_hosted::rpc::status;
use airtime_ieee80211::air::{Guard, Phy, Width};
use airtime_ieee80211::wire::{Control, Frame, Management, RxInfo, fcs, llc};

use super::{OCTETS_MAX, Script};

/// Runs one script: requests, events and frames in any order.
pub fn raw(bytes: &[u8]) {
    let mut script = Script::new(bytes, OCTETS_MAX);
    let features = script.octet();
    let packet_id = if features & 1 == 0 { id::PROMISCUOUS_PACKET } else { id::PROMISCUOUS_PACKET_OF_CODE };
    let firmware = Firmware::Raw { handlers: usize::from(features >> 4), packet_id };
    let mut pair = Pair { monitor: Monitor::new(packet_id), service: Service::new(firmware), now: Instant::ZERO };
    while !script.is_over() {
        pair.step(&mut script);
    }
    // Whatever happened, time passes, and a command can be sent again.
    pair.now += Duration::from_secs(6);
    let _ = pair.monitor.wake(pair.now);
    assert!(pair.monitor.command(pair.now, &Command::SetPromiscuous(true)).is_ok());
}

struct Pair {
    monitor: Monitor,
    service: Service,
    now: Instant,
}

impl Pair {
    fn step(&mut self, script: &mut Script<'_>) {
        match script.octet() % 8 {
            0 => {
                let custom_msg_id = u32::from(script.word());
                let request = CustomRequest { custom_msg_id, data: script.octets(4_100).to_vec() };
                self.service.request(1, &request, script.octet() & 1 == 1);
                self.drain(script.octet());
            }
            1 => {
                let custom_event_id = u32::from(script.word());
                let event = CustomEvent { resp: 0, custom_event_id, data: script.octets(2_000).to_vec() };
                let _ = self.monitor.event(&event);
            }
            2 => {
                let reply =
                    CustomReply { resp: script.octet().into(), custom_msg_id: script.word().into(), data: vec![] };
                let _ = self.monitor.reply(&reply);
            }
            3 => self.command(script),
            4 => {
                self.now += Duration::from_millis(script.word().into());
                let _ = self.monitor.wake(self.now);
                assert!(self.monitor.deadline().is_none_or(|deadline| deadline > self.now));
            }
            5 => {
                let aggregated = script.octet() & 1 == 1;
                let phy = Phy::ht(Width::Mhz20, Guard::Ns400, script.octet() & 7);
                let mut frame = script.octets(2_000).to_vec();
                if script.octet() & 1 == 0 {
                    frame.extend(fcs::over(&frame).to_le_bytes());
                }
                self.service.heard(&frame, &RxInfo { rssi_dbm: -50, channel: 6, phy, aggregated });
            }
            6 => self.drain(script.octet()),
            _ => frame(script.octets(2_400)),
        }
    }

    /// The host's own commands, which are always well formed.
    fn command(&mut self, script: &mut Script<'_>) {
        let command = match script.octet() % 4 {
            0 => Command::SetPromiscuous(script.octet() & 1 == 1),
            1 => Command::SetChannel { primary: script.octet(), second: Second::Above },
            2 => Command::SetFilter(Filter(script.word().into())),
            _ => {
                let frame = script.octets(4_100);
                Command::Transmit { interface: Interface::Station, system_sequence: true, frame }
            }
        };
        if let Ok(request) = self.monitor.command(self.now, &command) {
            assert_eq!(Command::parse(request.custom_msg_id, &request.data), Ok(command));
            self.service.request(2, &request, false);
            self.drain(0);
        }
    }

    fn drain(&mut self, answer: u8) {
        while let Some(output) = self.service.poll() {
            match output {
                ServiceOutput::Reply { reply, .. } => {
                    let _ = self.monitor.reply(&reply);
                }
                ServiceOutput::Event(event) => {
                    let before = self.monitor.counts().malformed;
                    let told = self.monitor.event(&event);
                    assert_eq!(self.monitor.counts().malformed, before, "what the service says makes sense");
                    if let Some(Told::Packet(packet)) = told {
                        assert!(packet.frame.len() + PromiscuousPacket::OCTETS == event.data.len());
                    }
                }
                ServiceOutput::Radio(_) => self.service.done(if answer & 2 == 0 { status::OK } else { status::NO_MEM }),
            }
        }
    }
}

/// A frame of anybody: what is read of it is within it, and made again.
fn frame(octets: &[u8]) {
    let _ = check(octets, false, true);
    let mut out = Pool::new().packet();
    match Frame::parse(octets) {
        Ok(Frame::Management { header, body }) => {
            header.emit(&mut out);
            assert_eq!(*out, octets[..out.len()]);
            if let Management::Beacon { elements, .. } | Management::ProbeRequest { elements } = body {
                assert!(elements.map(|element| 2 + element.value.len()).sum::<usize>() <= octets.len());
            }
            let _ = body.ssid();
        }
        Ok(Frame::Control(control)) => {
            control.emit(&mut out);
            // Durations of acknowledgements are zero when they are made.
            if let Control::Other { .. } = control {
                assert_eq!(*out, *octets);
            }
            assert_eq!(Frame::parse(&out), Ok(Frame::Control(control)));
        }
        Ok(Frame::Data { header, payload }) => {
            header.emit(&mut out);
            out.put(payload);
            assert_eq!(*out, *octets);
            if let Some((_, rest)) = llc::parse_msdu(payload) {
                assert_eq!(rest.len() + llc::OCTETS, payload.len());
            }
        }
        _ => {}
    }
}
