//! A run as a Perfetto trace: one process per device, below it the connections with their events, stalls, PDUs, ACL
//! packets and credits; advertising is a process of its own.

mod link;
mod names;
mod show;
mod stall;

use airtime_ble::hci::{ACL_DATA, EVENT, H4, event};
use airtime_ble::host::Starved;
use airtime_ble::ledger::Account;
use airtime_ble::medium::{Place, Transmission};
use airtime_ble::network::Observer;
use airtime_ble::trace::{Trace, Verdict};
use airtime_capture::Sink;
use airtime_capture::perfetto::{Track, Value, Writer};
use airtime_core::Instant;
use airtime_core::bytes::Reader;
use airtime_core::ledger::Account as _;

use link::{End, Link, side};
use stall::Closing;

/// Writes what happens as slices, instants and counters.
///
/// - *connection events*: from the anchor to where this end closed the event; an event it closed without one is an
///   instant.
/// - *stalls*: from there to the next anchor, named by the account of the ledger that says why.
/// - *PDUs*: every packet this end sent, and every packet it got, however spoiled.
/// - *ACL packets in the controller*: those its host has given it less those reported as completed.
/// - *credits for channel*: how many K-frames this end may still send.
#[derive(Clone, Debug)]
pub struct TimelineCapture<S> {
    writer: Writer<S>,
    devices: Vec<Track>,
    advertising: Track,
    links: Vec<Link>,
}

impl<S: Sink> TimelineCapture<S> {
    /// A timeline of devices with these names. What devices without a name say is not shown.
    pub fn new(sink: S, names: &[&str]) -> Self {
        let mut writer = Writer::new(sink);
        let devices = (1..).zip(names).map(|(pid, name)| writer.process(pid, name)).collect::<Vec<_>>();
        let air = writer.process(names.len() as u32 + 1, "air");
        let advertising = writer.track(air, 0, "advertising");
        Self { writer, devices, advertising, links: Vec::new() }
    }

    /// A packet has ended, and was this to its receiver.
    pub fn transmission(&mut self, sent: &Transmission, verdict: Verdict) {
        let Place::Event { counter, opens, from_central } = sent.place else {
            // Advertisers do not wait for one another, and slices of one track may not overlap.
            let notes = [
                ("channel", Value::Count(sent.channel.into())),
                ("octets", Value::Count(link::octets(sent))),
                ("duration_ns", Value::Count((sent.end - sent.start).as_nanos())),
            ];
            let name = names::advertising(sent.packet.first().copied().unwrap_or(0xff));
            return self.writer.instant(self.advertising, sent.start, name, &notes);
        };
        let Some(link) = self.links.iter_mut().find(|link| link.access_address == sent.link) else { return };
        if opens {
            for side in [0, 1] {
                show::settle(&mut self.writer, link, side, Some(counter), sent.start);
            }
            for end in link.ends.iter_mut().flatten() {
                end.closing = end.closing.filter(|closing| closing.counter == counter);
            }
            link.anchor = Some((counter, sent.start));
        }
        link.last = Some((counter, sent.end));
        let from = usize::from(!from_central);
        let new = link::new_pdu(sent, verdict);
        let kind = new.map(|(header, payload)| link.classify(from, header, payload));
        show::pdu(&mut self.writer, link, sent, from, names::pdu(kind, verdict), verdict);
        if let Some((header, payload)) = new.filter(|(header, _)| header.llid != airtime_ble::ll::pdu::LLID_CONTROL) {
            let Link { credits, ends, .. } = link;
            credits.fragment(from, header.llid, payload, &mut |account| {
                if let Some(sender) = &mut ends[1 - account.receiver] {
                    let track = sender.credits(&mut self.writer, account.cid);
                    self.writer.count(track, sent.end, account.credits);
                }
            });
        }
    }

    /// Device `device` traced this; `starved` says what its station lacked when an event closed.
    pub fn trace(&mut self, now: Instant, device: usize, trace: &Trace, starved: Option<Starved>) {
        match *trace {
            Trace::ConnectionOpened { link, role, handle } => {
                let Some(process) = self.devices.get(device) else { return };
                let end = End::new(&mut self.writer, *process, link, role, (device, handle));
                self.writer.count(end.queue, now, 0);
                self.link(link).ends[side(role)] = Some(end);
            }
            Trace::EventClosed { link, role, counter, end, exchanges, had_data } => {
                let anchor = self.link(link).anchor.filter(|(c, _)| *c == counter).map(|(_, at)| at);
                let idle_since = None;
                let closing = Closing { at: now, anchor, idle_since, counter, exchanges, end, had_data, starved };
                self.close(link, side(role), closing);
            }
            Trace::EventSkipped { link, role, counter, anchor, latency } => {
                let link = self.link(link);
                link.skips.skip(counter, latency);
                let account = if latency { Account::Latency } else { Account::OtherLink };
                let notes = [("counter", Value::Count(counter.into())), ("cause", Value::Text(account.name()))];
                if let Some(end) = &link.ends[side(role)] {
                    let events = end.events;
                    self.writer.instant(events, anchor, "skipped", &notes);
                }
            }
            Trace::EventsUnused { link, role, anchor, until, .. } => {
                if let Some(end) = &mut self.link(link).ends[side(role)] {
                    end.unused = Some((anchor, until));
                }
            }
            Trace::Awake { link, counter } => self.link(link).skips.awake(counter),
            Trace::ConnectionClosed { link, role, reason } => {
                let Some(link) = self.links.iter_mut().find(|l| l.access_address == link) else { return };
                show::settle(&mut self.writer, link, side(role), None, now);
                if let Some(end) = link.ends[side(role)].take() {
                    self.writer.instant(end.events, now, "disconnected", &[("reason", Value::Text(reason.text()))]);
                    self.writer.count(end.queue, now, 0);
                }
                self.links.retain(|link| link.ends.iter().any(Option::is_some));
            }
            Trace::Received { .. } => {}
        }
    }

    /// An H4 packet crossed the HCI of `device`.
    pub fn hci(&mut self, now: Instant, device: usize, from_host: bool, packet: &[u8]) {
        match (from_host, packet.first()) {
            (true, Some(&ACL_DATA)) => {
                if let Ok(H4::Acl(acl)) = H4::parse(packet) {
                    self.queue(now, device, acl.handle, |queued| queued.saturating_add(1));
                }
            }
            (false, Some(&EVENT)) => {
                if let Ok(H4::Event { code: event::NUMBER_OF_COMPLETED_PACKETS, params }) = H4::parse(packet) {
                    self.completed(now, device, params);
                }
            }
            _ => {}
        }
    }

    /// Sink that the bytes go to.
    pub fn sink(&mut self) -> &mut S {
        self.writer.sink()
    }

    /// Ends the trace, with the events closed last; what their ends wait for then is not known yet.
    pub fn into_sink(mut self) -> S {
        for link in &self.links {
            for end in link.ends.iter().flatten() {
                if let Some(closing) = &end.closing {
                    show::event(&mut self.writer, link, end, closing);
                }
            }
        }
        self.writer.into_sink()
    }

    /// The connection `link`, known from now on.
    fn link(&mut self, link: u32) -> &mut Link {
        let index = self.links.iter().position(|l| l.access_address == link).unwrap_or_else(|| {
            self.links.push(Link::new(link));
            self.links.len() - 1
        });
        &mut self.links[index]
    }

    /// An end has closed an event; it is shown when the next one opens, because its last packet may still be on the
    /// air.
    fn close(&mut self, link: u32, side: usize, mut closing: Closing) {
        let Self { writer, links, .. } = self;
        let Some(link) = links.iter_mut().find(|l| l.access_address == link) else { return };
        let Some(end) = &link.ends[side] else { return };
        if closing.anchor.is_none() {
            writer.instant(end.events, closing.at, "nothing heard", &show::notes(&closing));
            // The gap before it goes on.
            closing.idle_since = end.closing.map(|earlier| earlier.idle_since.unwrap_or(link.ended(&earlier)));
        }
        if let Some(earlier) = end.closing {
            show::event(writer, link, end, &earlier);
        }
        if let Some(end) = &mut link.ends[side] {
            end.closing = Some(closing);
        }
    }

    /// HCI_Number_Of_Completed_Packets: pairs of handle and count. Core 6.0, Vol 4, Part E, 7.7.19.
    fn completed(&mut self, now: Instant, device: usize, params: &[u8]) {
        let mut r = Reader::new(params);
        for _ in 0..r.u8().unwrap_or(0) {
            let (Some(handle), Some(count)) = (r.u16(), r.u16()) else { return };
            self.queue(now, device, handle & 0x0fff, |queued| queued.saturating_sub(count.into()));
        }
    }

    fn queue(&mut self, now: Instant, device: usize, handle: u16, change: impl Fn(u64) -> u64) {
        let ends = self.links.iter_mut().flat_map(|link| link.ends.iter_mut().flatten());
        for end in ends.filter(|end| (end.device, end.handle) == (device, handle)) {
            end.queued = change(end.queued);
            self.writer.count(end.queue, now, end.queued);
        }
    }
}

impl<E, S: Sink> Observer<E> for TimelineCapture<S> {
    fn transmission(&mut self, sent: &Transmission, verdict: Verdict) {
        TimelineCapture::transmission(self, sent, verdict);
    }
    fn trace(&mut self, now: Instant, device: usize, trace: &Trace, starved: Option<Starved>) {
        TimelineCapture::trace(self, now, device, trace, starved);
    }
    fn event(&mut self, _: Instant, _: usize, _: &E) {}
    fn hci(&mut self, now: Instant, device: usize, from_host: bool, packet: &[u8]) {
        TimelineCapture::hci(self, now, device, from_host, packet);
    }
}
