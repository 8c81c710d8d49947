//! Packets that the sniffer missed, told from the gaps they leave.

use airtime_ble::air::{HEADER_OCTETS, MIC_OCTETS, Phy};
use airtime_ble::ll::pdu::DataHeader;
use airtime_ble::medium::{Place, Transmission};
use airtime_core::{Duration, Instant, Pool};

use super::account::Accountant;
use super::seen::{CENTRAL, Seen};

/// Octets of payload of the packet that lasts `time` on `phy`, to the nearest.
fn octets(phy: Phy, time: Duration) -> Option<usize> {
    let octet = phy.octet().as_nanos();
    let beyond = (time.as_nanos() + octet / 2).checked_sub(phy.packet(0).as_nanos())?;
    // The length field has eight bits. Core 6.0, Vol 6, Part B, 2.4.
    usize::try_from(beyond / octet).ok().filter(|octets| *octets <= usize::from(u8::MAX))
}

/// The one packet of the other side that fits between `free`, the end of what was captured before, and `next`; none
/// when nothing or more than one does. It begins at `free` itself when it is the opening one of its event.
pub(super) fn before(next: &Seen, free: Instant, account: &Accountant, pool: &Pool) -> Option<Seen> {
    let (from, air) = (1 - next.from, &account.air);
    let start = if next.first { free } else { free + air.space(from) };
    let end = next.sent.start.saturating_back(air.space(next.from));
    let octets = octets(air.phy[from], end.saturating_since(start)).filter(|_| end > start)?;
    Some(missed(next, from, start, octets, false, account, pool))
}

/// The reply that was missed after `last`, the last packet captured of an event, which the central did not send again.
/// How long it was is not known: a side that could send a frame is taken to have sent one of the longest seen.
pub(super) fn after(last: &Seen, account: &Accountant, pool: &Pool) -> Seen {
    let (from, air) = (1 - last.from, &account.air);
    let octets = if account.l2cap.could_send(from) { usize::from(air.octets[from]) } else { 0 };
    let octets = if octets > 0 && air.encrypted { octets + MIC_OCTETS as usize } else { octets };
    let more = octets > 0 && account.event.is_some_and(|event| event.announced_more(from));
    let mut reply = missed(last, from, last.sent.end + air.space(from), octets, more, account, pool);
    reply.first = false;
    reply.sent.place = Place::Event { counter: last.counter, opens: false, from_central: from == CENTRAL };
    reply
}

fn missed(
    beside: &Seen,
    from: usize,
    start: Instant,
    octets: usize,
    md: bool,
    account: &Accountant,
    pool: &Pool,
) -> Seen {
    let air = &account.air;
    let phy = air.phy[from];
    let mic = if air.encrypted && octets > MIC_OCTETS as usize { MIC_OCTETS as usize } else { 0 };
    let mut packet = pool.copy(&[0, octets as u8]);
    packet.resize(HEADER_OCTETS as usize + octets);
    let llid = account.l2cap.guess(from, &mut packet[HEADER_OCTETS as usize..HEADER_OCTETS as usize + octets - mic]);
    let header = DataHeader { llid, nesn: false, sn: false, md };
    packet[0] = header.octet();
    let sent = Transmission {
        link: beside.sent.link,
        channel: beside.sent.channel,
        phy,
        start,
        end: start + phy.packet(octets as u64),
        unsent: Duration::ZERO,
        place: Place::Event { counter: beside.counter, opens: beside.first, from_central: from == CENTRAL },
        encrypted: mic > 0,
        packet,
    };
    Seen {
        sent,
        header,
        sound: false,
        intact: false,
        readable: true,
        inferred: true,
        mic,
        event: beside.event,
        first: beside.first,
        opener: beside.first,
        anchor: beside.anchor,
        counter: beside.counter,
        interval: beside.interval,
        passed: beside.passed,
        moved: beside.moved,
        hole: true,
        from,
    }
}
