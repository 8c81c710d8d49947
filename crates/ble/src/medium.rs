//! The air between controllers: who transmits on which channel from when to when, who listened from
//! the start, and what was lost.
//!
//! A receiver hears a packet when it listened on its channel before the packet began, and does not miss its access address.
//! Listening is one-shot: it ends with the first packet that was heard, or when its window closes without one.

use alloc::vec::Vec;

use airtime_core::loss::{Fate, LossProcess};
use airtime_core::{Duration, Instant, Packet};

use crate::air::Phy;

/// One packet on the air.
#[derive(Debug)]
pub struct Transmission {
    /// Access address.
    pub link: u32,
    /// RF channel index as the link layer numbers it: data 0..=36, advertising 37..=39.
    pub channel: u8,
    /// PHY and coding.
    pub phy: Phy,
    /// Start of the first symbol of the preamble.
    pub start: Instant,
    /// End of the last symbol on the air.
    pub end: Instant,
    /// Time by which its sender switched it off before its end; zero for a whole packet.
    pub unsent: Duration,
    /// Place of the packet on its link.
    pub place: Place,
    /// Set if payloads of this link carry a MIC.
    pub encrypted: bool,
    /// Header, payload and MIC.
    pub packet: Packet,
}

/// Place of a packet on its link.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// On an advertising channel.
    Advertising,
    /// Packet of a connection event.
    Event {
        /// Counter of the event.
        counter: u16,
        /// Set for the packet that opens the event.
        opens: bool,
        /// Set if the central sent it.
        from_central: bool,
    },
}

/// A receiver's window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Listen {
    /// Access address to match; 0 matches any (a sniffer).
    pub link: u32,
    /// Channel index.
    pub channel: u8,
    /// PHY; LE Coded hears either coding.
    pub phy: Phy,
    /// Instant from which it listens.
    pub from: Instant,
    /// A packet must begin at or before this.
    pub until: Instant,
}

/// News from the medium for a node.
#[derive(Debug)]
pub enum Happening {
    /// A transmission ended; the nodes in `heard` received it, those in `spoiled` with a wrong CRC.
    Ended {
        /// Transmission that ended.
        transmission: Transmission,
        /// Nodes that listened, one bit each.
        heard: u64,
        /// Nodes among them that got a wrong CRC, one bit each.
        spoiled: u64,
    },
    /// Reception of a packet that was switched off has come to the end that its header gave it.
    Garbled {
        /// Index of the node.
        node: usize,
        /// Packet that was switched off.
        rest: Garbled,
    },
    /// The window of a node closed without a packet.
    Missed {
        /// Index of the node.
        node: usize,
    },
}

/// Reception of a packet that its sender switched off: noise up to the end that its header has announced.
#[derive(Clone, Copy, Debug)]
pub struct Garbled {
    /// Access address.
    pub link: u32,
    /// Channel index.
    pub channel: u8,
    /// PHY and coding.
    pub phy: Phy,
    /// Start of the packet.
    pub start: Instant,
    /// End of it, had it been sent to its end.
    pub end: Instant,
}

#[derive(Debug)]
struct InFlight {
    sender: usize,
    transmission: Transmission,
    collided: bool,
    /// Receivers whose fate of it is drawn, one bit each.
    decided: u64,
    /// Those among them that do not find its access address.
    missed: u64,
    /// Those among them that get a wrong bit behind it.
    damaged: u64,
}

impl InFlight {
    /// Tells if `node`, which listens like `window`, hears it.
    fn is_heard_by(&self, node: usize, window: &Listen) -> bool {
        self.sender != node && self.missed & (1 << node) == 0 && hears(window, &self.transmission)
    }
}

/// The medium shared by up to 64 controllers.
#[derive(Debug)]
pub struct Medium {
    in_flight: Vec<InFlight>,
    listening: Vec<Option<Listen>>,
    /// Receptions that go on though their senders are off, with the node of each.
    garbled: Vec<(usize, Garbled)>,
    loss: LossProcess,
    /// Losses of single receivers, which go before those of the medium.
    own_loss: Vec<Option<LossProcess>>,
    /// Set if anything can be lost: else there is nothing to draw.
    lossy: bool,
    /// Losses of single receivers by PHY, in the order of [`Phy::ALL`], which go before their own.
    phy_loss: Vec<Option<[LossProcess; 4]>>,
    /// Channels on which anything is lost at each receiver, one bit for each index.
    loss_channels: Vec<u64>,
    /// Bits by which receivers find a packet.
    sync_bits: u32,
    co_channel: bool,
}

impl Medium {
    /// A medium for `nodes` controllers. With `co_channel`, packets that overlap on one channel
    /// spoil each other; without, links do not interfere.
    pub fn new(nodes: usize, loss: LossProcess, co_channel: bool) -> Self {
        assert!(nodes <= 64, "the medium has one bit per controller");
        Self {
            lossy: !loss.is_none(),
            in_flight: Vec::with_capacity(nodes),
            listening: alloc::vec![None; nodes],
            garbled: Vec::new(),
            loss,
            own_loss: (0..nodes).map(|_| None).collect(),
            phy_loss: (0..nodes).map(|_| None).collect(),
            loss_channels: alloc::vec![u64::MAX; nodes],
            sync_bits: crate::air::ACCESS_ADDRESS_BITS,
            co_channel,
        }
    }

    /// From now on packets are lost by `loss`.
    pub fn set_loss(&mut self, loss: LossProcess) {
        self.lossy |= !loss.is_none();
        self.loss = loss;
    }

    /// From now on `node` loses what it hears by a process of its own.
    pub fn set_loss_at(&mut self, node: usize, loss: LossProcess) {
        self.lossy |= !loss.is_none();
        self.own_loss[node] = Some(loss);
    }

    /// From now on `node` loses what it hears by processes of its own, one for each PHY in the order of [`Phy::ALL`].
    pub fn set_loss_by_phy_at(&mut self, node: usize, losses: [LossProcess; 4]) {
        self.lossy |= losses.iter().any(|loss| !loss.is_none());
        self.phy_loss[node] = Some(losses);
    }

    /// From now on `node` loses nothing but on these channels, one bit for each index.
    pub fn set_loss_channels_at(&mut self, node: usize, channels: u64) {
        self.loss_channels[node] = channels;
    }

    /// From now on a wrong bit among so many hides a packet.
    pub fn set_sync_bits(&mut self, bits: u32) {
        self.sync_bits = bits;
    }

    /// `node` will transmit.
    pub fn transmit(&mut self, sender: usize, transmission: Transmission) {
        let mut collided = false;
        if self.co_channel {
            for other in self.in_flight.iter_mut().filter(|o| overlaps(&o.transmission, &transmission)) {
                other.collided = true;
                collided = true;
            }
        }
        self.in_flight.push(InFlight { sender, transmission, collided, decided: 0, missed: 0, damaged: 0 });
        if self.lossy {
            let flight = self.in_flight.len() - 1;
            (0..self.listening.len()).for_each(|node| self.decide(flight, node));
        }
    }

    /// `node` listens, or stops listening.
    pub fn listen(&mut self, node: usize, window: Option<Listen>) {
        self.listening[node] = window;
        self.garbled.retain(|(receiver, _)| *receiver != node);
        if self.lossy {
            (0..self.in_flight.len()).for_each(|flight| self.decide(flight, node));
        }
    }

    /// Draws what becomes of a packet at a node that listens for it, once: who misses it has to know before it ends.
    fn decide(&mut self, flight: usize, node: usize) {
        let flight = &mut self.in_flight[flight];
        let Some(window) = &self.listening[node] else { return };
        if flight.decided & (1 << node) != 0 || !flight.is_heard_by(node, window) {
            return;
        }
        flight.decided |= 1 << node;
        let Transmission { phy, start, packet, channel, .. } = &flight.transmission;
        if self.loss_channels[node] >> channel & 1 == 0 {
            return;
        }
        let octets = packet.len() as u64 - crate::air::HEADER_OCTETS;
        let loss = match &mut self.phy_loss[node] {
            Some(losses) => &mut losses[*phy as usize],
            None => self.own_loss[node].as_mut().unwrap_or(&mut self.loss),
        };
        match loss.fate(*start, self.sync_bits, phy.vulnerable_bits(octets)) {
            Fate::Whole => {}
            Fate::Damaged => flight.damaged |= 1 << node,
            Fate::Missed => flight.missed |= 1 << node,
        }
    }

    /// Random numbers drawn for losses.
    pub fn random_draws(&self) -> u64 {
        let by_phy = self.phy_loss.iter().flatten().flatten();
        self.loss.drawn() + self.own_loss.iter().flatten().chain(by_phy).map(LossProcess::drawn).sum::<u64>()
    }

    /// Instant of the next happening: a packet ends, or a window closes with nothing heard.
    pub fn deadline(&self) -> Option<Instant> {
        let ends = self.in_flight.iter().map(|f| f.transmission.end).min();
        let closes = self.listening.iter().enumerate().filter_map(|(node, w)| {
            let window = w.as_ref()?;
            (!self.in_flight.iter().any(|f| f.is_heard_by(node, window)))
                .then_some(window.until + Duration::from_nanos(1))
        });
        let garbled = self.garbled.iter().map(|(_, rest)| rest.end).min();
        closes.min().into_iter().chain(ends).chain(garbled).min()
    }

    /// The next thing that has happened by `now`; drained to none.
    pub fn poll(&mut self, now: Instant) -> Option<Happening> {
        if let Some(index) = self.ended(now) {
            return Some(self.finish(index));
        }
        if let Some(index) = self.garbled.iter().position(|(_, rest)| rest.end <= now) {
            let (node, rest) = self.garbled.remove(index);
            return Some(Happening::Garbled { node, rest });
        }
        let node = self.listening.iter().enumerate().position(|(node, w)| {
            w.is_some_and(|window| window.until < now && !self.in_flight.iter().any(|f| f.is_heard_by(node, &window)))
        })?;
        self.listening[node] = None;
        Some(Happening::Missed { node })
    }

    /// The transmission that ended first, if one has.
    fn ended(&self, now: Instant) -> Option<usize> {
        let (index, first) = self.in_flight.iter().enumerate().min_by_key(|(_, f)| f.transmission.end)?;
        (first.transmission.end <= now).then_some(index)
    }

    fn finish(&mut self, index: usize) -> Happening {
        let flight = self.in_flight.remove(index);
        let mut heard = 0u64;
        for (node, window) in self.listening.iter_mut().enumerate() {
            if window.is_some_and(|window| flight.is_heard_by(node, &window)) {
                *window = None;
                heard |= 1 << node;
            }
        }
        let Transmission { link, channel, phy, start, end, unsent, .. } = flight.transmission;
        if !unsent.is_zero() {
            let rest = Garbled { link, channel, phy, start, end: end + unsent };
            self.garbled
                .extend((0..self.listening.len()).filter(|node| heard >> node & 1 == 1).map(|node| (node, rest)));
            return Happening::Ended { transmission: flight.transmission, heard: 0, spoiled: 0 };
        }
        let spoiled = if flight.collided { heard } else { heard & flight.damaged };
        Happening::Ended { transmission: flight.transmission, heard, spoiled }
    }
}

fn overlaps(a: &Transmission, b: &Transmission) -> bool {
    a.channel == b.channel && a.start < b.end && b.start < a.end
}

fn hears(window: &Listen, packet: &Transmission) -> bool {
    window.from <= packet.start
        && packet.start <= window.until
        && window.channel == packet.channel
        && (window.link == packet.link || window.link == 0)
        && (window.phy == packet.phy || (window.phy.is_coded() && packet.phy.is_coded()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use airtime_core::Pool;
    use airtime_core::loss::Loss;
    use airtime_core::random::stream;

    fn at(us: u64) -> Instant {
        Instant::from_nanos(us * 1_000)
    }

    fn medium(co_channel: bool) -> Medium {
        Medium::new(3, LossProcess::new(Loss::None, stream(1, "medium")), co_channel)
    }

    fn packet(link: u32, channel: u8, start: u64, end: u64) -> Transmission {
        Transmission {
            link,
            channel,
            phy: Phy::Le2M,
            start: at(start),
            end: at(end),
            unsent: Duration::ZERO,
            place: Place::Advertising,
            encrypted: false,
            packet: Pool::new().copy(&[1, 0]),
        }
    }

    fn window(channel: u8, from: u64, until: u64) -> Option<Listen> {
        Some(Listen { link: 7, channel, phy: Phy::Le2M, from: at(from), until: at(until) })
    }

    #[test]
    fn who_listened_from_the_start_hears_it() {
        let mut medium = medium(false);
        medium.listen(1, window(5, 90, 110));
        medium.listen(2, window(5, 101, 110));
        medium.transmit(0, packet(7, 5, 100, 144));
        assert_eq!(medium.deadline(), Some(at(110) + Duration::from_nanos(1)), "node 2 came too late");
        assert!(matches!(medium.poll(medium.deadline().unwrap()), Some(Happening::Missed { node: 2 })));
        assert_eq!(medium.deadline(), Some(at(144)));
        assert!(matches!(medium.poll(at(144)), Some(Happening::Ended { heard: 0b10, spoiled: 0, .. })));
        assert_eq!(medium.deadline(), None);
    }

    #[test]
    fn another_channel_or_link_is_not_heard() {
        let mut medium = medium(false);
        medium.listen(1, window(6, 0, 200));
        medium.transmit(0, packet(7, 5, 100, 144));
        medium.transmit(2, packet(8, 6, 100, 144));
        assert!(matches!(medium.poll(at(144)), Some(Happening::Ended { heard: 0, .. })));
    }

    #[test]
    fn one_receiver_can_have_losses_of_its_own() {
        let mut medium = medium(false);
        medium.set_loss_at(1, LossProcess::new(Loss::Packet { per: 1.0 }, stream(1, "deaf")));
        medium.listen(1, window(5, 0, 200));
        medium.listen(2, window(5, 0, 200));
        medium.transmit(0, packet(7, 5, 100, 144));
        assert!(matches!(medium.poll(at(144)), Some(Happening::Ended { heard: 0b110, spoiled: 0b010, .. })));
    }

    #[test]
    fn who_misses_a_packet_waits_until_its_window_closes() {
        let mut medium = medium(false);
        medium.set_loss_at(1, LossProcess::new(Loss::Shares { miss: 1.0, damage: 0.0 }, stream(1, "deaf")));
        medium.listen(1, window(5, 90, 110));
        medium.transmit(0, packet(7, 5, 100, 144));
        let closes = at(110) + Duration::from_nanos(1);
        assert_eq!(medium.deadline(), Some(closes), "it closes while the packet is on the air");
        assert!(matches!(medium.poll(closes), Some(Happening::Missed { node: 1 })));
        assert!(matches!(medium.poll(at(144)), Some(Happening::Ended { heard: 0, spoiled: 0, .. })));
        assert_eq!(medium.random_draws(), 1, "one number a packet and receiver");
    }

    #[test]
    fn who_hears_a_packet_that_is_switched_off_goes_on_to_the_end_of_its_header() {
        let mut medium = medium(false);
        for (node, stays) in [(1, true), (2, false)] {
            medium.listen(node, window(5, 90, 110));
            medium.transmit(0, Transmission { unsent: Duration::from_micros(50), ..packet(7, 5, 100, 144) });
            assert!(matches!(medium.poll(at(144)), Some(Happening::Ended { heard: 0, spoiled: 0, .. })));
            if !stays {
                medium.listen(node, None);
            }
            assert_eq!(medium.deadline(), stays.then(|| at(194)));
            let garbled = medium.poll(at(194));
            assert_eq!(matches!(garbled, Some(Happening::Garbled { node: 1, .. })), stays, "{garbled:?}");
        }
    }

    #[test]
    fn packets_collide_only_when_links_interfere() {
        for co_channel in [false, true] {
            let mut medium = medium(co_channel);
            medium.listen(1, window(5, 0, 200));
            medium.transmit(0, packet(7, 5, 100, 144));
            medium.transmit(2, packet(8, 5, 143, 187));
            let Some(Happening::Ended { heard, spoiled, .. }) = medium.poll(at(144)) else { panic!() };
            assert_eq!((heard, spoiled), (0b10, if co_channel { 0b10 } else { 0 }));
        }
    }
}
