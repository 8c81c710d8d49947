//! Raw frames: what is heard for a while, and the commands that the published extension has.

use airtime_core::{Duration, Instant, Pool};
use airtime_esp_hosted::host::{Host, HostOutput};
use airtime_esp_hosted::raw::{COMMAND_TIMEOUT, Filter, Hearer, PacketKind, PromiscuousPacket, Sniffer, Step, id};
use airtime_ieee80211::wire::{MacAddress, ProbeRequest, Sequence, Ssid};
use log::{info, warn};

/// Time for which everything is listened to, as in the published report.
const MONITOR: Duration = Duration::from_secs(10);
/// Commands: listen, channel, filter, inject, listen no more.
const COMMANDS: u64 = 5;

/// The longest that all of it takes.
pub const LIMIT: Duration = Duration::from_nanos(MONITOR.as_nanos() + (COMMANDS + 1) * COMMAND_TIMEOUT.as_nanos());

/// Frames that were heard, by kind.
#[derive(Debug, Default)]
struct Heard {
    frames: u64,
    octets: u64,
    kinds: [u64; 3],
}

impl Hearer for Heard {
    fn packet(&mut self, _: Instant, packet: &PromiscuousPacket<'_>) {
        self.frames += 1;
        self.octets += packet.frame.len() as u64;
        match packet.kind {
            PacketKind::Management => self.kinds[0] += 1,
            PacketKind::Control => self.kinds[1] += 1,
            PacketKind::Data => self.kinds[2] += 1,
            PacketKind::Misc => {}
        }
    }
}

/// The commands, one after the other.
pub struct Listening {
    sniffer: Sniffer<Heard>,
    /// End of the listening; none once it was told.
    until: Option<Instant>,
    /// Commands whose end was told.
    told: usize,
    end: Instant,
}

impl Listening {
    /// Listens on `channel`; the station has this MAC address.
    pub fn new(now: Instant, channel: u8, mac: [u8; 6], pool: &Pool) -> Self {
        let mut probe = pool.packet();
        let (transmitter, sequence) = (MacAddress(mac), Sequence::default());
        ProbeRequest { transmitter, sequence, ssid: Ssid::WILDCARD }.emit(&mut probe);
        let until = now + MONITOR;
        let steps = [
            (now, Step::Listen(true)),
            (until, Step::Channel(channel)),
            (until, Step::Filter(Filter::MANAGEMENT)),
            (until, Step::Inject(probe.to_vec())),
            (until, Step::Listen(false)),
        ];
        info!("listening for {} s", MONITOR.as_micros() / 1_000_000);
        let sniffer = Sniffer::new(id::PROMISCUOUS_PACKET, steps, Heard::default());
        Self { sniffer, until: Some(until), told: 0, end: now + LIMIT }
    }

    /// The host's side says something.
    pub fn said(&mut self, now: Instant, output: &HostOutput) {
        self.sniffer.said(now, output);
    }

    /// Does what there is to do; tells if there was anything.
    pub fn run(&mut self, now: Instant, host: &mut Host) -> bool {
        if self.sniffer.deadline().is_some_and(|due| due <= now) {
            self.sniffer.wake(now);
        }
        let heard = self.until.take_if(|until| *until <= now).is_some();
        if heard {
            let Heard { frames, octets, kinds: [management, control, data] } = &self.sniffer.hearer;
            info!(
                "monitor RESULT frames {frames} octets {octets} management {management} control {control} data {data}"
            );
        }
        let asked = self.sniffer.ask(now, host);
        self.tell() | heard | asked
    }

    fn tell(&mut self) -> bool {
        let new = &self.sniffer.finished()[self.told..];
        for finished in new {
            let name = match finished.command {
                id::SET_PROMISCUOUS => "promiscuous",
                id::SET_CHANNEL => "channel",
                id::SET_FILTER => "filter",
                _ => "inject",
            };
            match finished.result {
                Ok(()) => info!("command {name}: done"),
                Err(failure) => warn!("command {name}: {failure}"),
            }
        }
        self.told += new.len();
        !new.is_empty()
    }

    /// True when it is over.
    pub fn is_over(&self, now: Instant) -> bool {
        self.sniffer.is_over() || now >= self.end
    }

    /// Instant at which it next wants to be woken.
    pub fn deadline(&self, now: Instant) -> Option<Instant> {
        let due = self.sniffer.deadline().filter(|due| *due > now);
        [due, self.until, Some(self.end)].into_iter().flatten().min()
    }
}
