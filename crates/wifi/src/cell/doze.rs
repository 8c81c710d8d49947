//! Power save of one station (PS mode): it dozes, and the access point holds its frames. IEEE Std 802.11-2020, 11.2.3.
//!
//! As an ESP32 does it: some time behind its last frame of data it tells the access point by a Null frame with the power management bit,
//! and dozes. It hears the beacons that it wakes for; one that names it is answered by a Null frame without the bit, no PS-Poll, and all
//! that was held comes at once (espressif/esp-idf#1779 has the frames). What it has to send itself wakes it at once, and says so by its
//! own bit. It takes no time to wake, hears what a station that is awake hears of the channel, and does not wait for a NAV (*assumed*).

use airtime_core::{Duration, Instant};

use super::contend::{data, singles};
use super::sending::{Sending, What};
use super::station::Single;
use super::{Cell, CellConfig, StationId};
use crate::wire::{MacAddress, Null, Tim};

/// Association identifier of the station that dozes: the first that there is. 9.4.1.8.
const AID: u8 = 1;

/// Power save of a station.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PowerSave {
    /// Station that dozes; not the access point.
    pub station: StationId,
    /// Beacons from one that it wakes for to the next.
    pub every: u16,
    /// Beacons from one DTIM to the next, as the access point says in each.
    pub dtim_period: u8,
    /// Time for which it stays awake behind its last frame of data.
    pub min_active: Duration,
}

/// Counts of power save.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Dozed {
    /// Times that the station went to doze.
    pub dozes: u64,
    /// Times that a beacon named it, and it fetched its frames.
    pub fetches: u64,
    /// Frames that the access point held for it until it was awake.
    pub held: u64,
    /// Time for which it held them, summed over all.
    pub held_for: Duration,
    /// Time for which the station dozed; the beacons that it heard meanwhile are in it.
    pub asleep: Duration,
}

/// State of the station.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// Awake: it waits for the end of its time.
    Awake,
    /// Awake, with a Null frame to tell that it will doze.
    Leaving,
    /// Dozing since then.
    Dozing(Instant),
    /// Awake, with a Null frame to tell that it is.
    Fetching,
}

/// Power save of the cell's one station that dozes, at both ends.
#[derive(Debug)]
pub(super) struct Doze {
    config: PowerSave,
    state: State,
    /// Instant of its last frame of data.
    active: Instant,
    /// Instant from which the access point holds its frames, if it does.
    holds: Option<Instant>,
    /// Set if it listens to the beacon that waits or is under way.
    listens: bool,
    /// Set if that names it.
    named: bool,
    /// Set if it has missed the one that it woke for: it listens to the next (*assumed*).
    missed: bool,
    dozed: Dozed,
}

impl Doze {
    pub(super) fn new(config: PowerSave) -> Self {
        Self {
            config,
            state: State::Awake,
            active: Instant::ZERO,
            holds: None,
            listens: false,
            named: false,
            missed: false,
            dozed: Dozed::default(),
        }
    }
}

impl CellConfig {
    /// Asserts that who dozes is a station of an access point with beacons.
    pub(super) fn check_power_save(&self) {
        let Some(PowerSave { station, every, dtim_period, min_active }) = self.power_save else { return };
        assert!(
            station.index() < self.stations.len() && station != self.access_point && self.beacons.is_some(),
            "who dozes is a station, and wakes for the beacons of an access point"
        );
        assert!(every > 0 && dtim_period > 0 && !min_active.is_zero(), "what comes again and again takes some time to");
    }
}

impl Cell {
    /// Counts of power save up to `now`; none without a station that dozes.
    pub fn dozed(&self, now: Instant) -> Option<Dozed> {
        let doze = self.doze.as_ref()?;
        let since = if let State::Dozing(since) = doze.state { now.saturating_since(since) } else { Duration::ZERO };
        Some(Dozed { asleep: doze.dozed.asleep + since, ..doze.dozed })
    }

    /// The access point, while it has frames for a station that dozes.
    pub fn holding(&self) -> Option<StationId> {
        let doze = self.doze.as_ref()?;
        (doze.holds.is_some() && self.held_frames(doze.config.station) > 0).then_some(self.config.access_point)
    }

    /// MSDUs that the access point has for `station`.
    fn held_frames(&self, station: StationId) -> usize {
        let flows = &self.stations[self.config.access_point.index()].flows;
        flows.iter().find(|flow| flow.to == station).map_or(0, |flow| flow.originator.waiting())
    }

    /// The time of the station that dozes is over, if it had nothing to do.
    pub(super) fn doze_due(&mut self, now: Instant) {
        let Some(doze) = &mut self.doze else { return };
        let station = &self.stations[doze.config.station.index()];
        if station.has_data() || !station.singles.is_empty() {
            doze.active = now;
        }
        let until = doze.active + doze.config.min_active;
        if until > now {
            return self.generators.arm(Some(until));
        }
        doze.state = State::Leaving;
        self.generators.arm(None);
        self.tell_power(true, now);
    }

    /// Station `station` has got something to send: if it dozes it is awake.
    pub(super) fn roused(&mut self, station: StationId, now: Instant) {
        let Some(doze) = self.doze.as_mut().filter(|doze| doze.config.station == station) else { return };
        match doze.state {
            State::Awake => doze.active = now,
            State::Dozing(since) => {
                doze.dozed.asleep += now - since;
                self.stay(now);
            }
            State::Leaving if !self.contenders[singles(station)].sends => self.recall(now),
            State::Leaving | State::Fetching => {}
        }
    }

    /// `sending` has arrived: data, by which both ends are at work, or a Null frame.
    pub(super) fn told_by(&mut self, sending: &Sending, now: Instant) {
        if let What::Single { .. } = sending.what {
            let dozes = self.stations[sending.station.index()].singles.front().and_then(|single| single.dozes);
            return dozes.into_iter().for_each(|dozes| self.power_told(dozes, now));
        }
        let Some(doze) = &mut self.doze else { return };
        let station = doze.config.station;
        if sending.station != station && sending.to != Some(station) {
            return;
        }
        doze.active = now;
        if sending.station == station {
            return self.release(now);
        }
        if doze.state == State::Leaving {
            self.recall(now);
        }
    }

    /// A Null frame has arrived at the access point: the station dozes from its acknowledgement on, or is awake.
    fn power_told(&mut self, dozes: bool, now: Instant) {
        if !dozes {
            return self.release(now);
        }
        let Some(doze) = &mut self.doze else { return };
        doze.holds.get_or_insert(now);
        let access_point = self.config.access_point;
        let sender = &mut self.stations[access_point.index()];
        sender.withheld = Some(doze.config.station);
        self.contenders[data(access_point)].wants = sender.has_data();
    }

    /// A frame that was sent on its own has gone: a beacon, which the station has heard or not, or what it has told.
    pub(super) fn single_gone(&mut self, single: &Single, heard: bool, collided: bool, now: Instant) {
        match single.dozes {
            Some(true) if heard => self.dozes(now),
            // One that nobody has acknowledged is as if it had not been sent.
            Some(_) => self.stay(now),
            None if single.beacon => self.beacon_over(collided, now),
            None => {}
        }
    }

    /// The access point knows that the station dozes.
    fn dozes(&mut self, now: Instant) {
        let Some(doze) = &mut self.doze else { return };
        if self.stations[doze.config.station.index()].has_data() {
            return self.stay(now);
        }
        doze.dozed.dozes += 1;
        doze.state = State::Dozing(now);
    }

    /// The beacon is over.
    fn beacon_over(&mut self, collided: bool, now: Instant) {
        let Some(doze) = &mut self.doze else { return };
        let station = doze.config.station;
        let heard = !collided && self.hearing[station.index()].is_whole();
        match doze.state {
            State::Dozing(_) if !doze.listens => return,
            State::Dozing(_) if !heard => return doze.missed = true,
            State::Dozing(since) => {
                doze.missed = false;
                if !doze.named {
                    return;
                }
                doze.dozed.asleep += now - since;
                doze.dozed.fetches += 1;
            }
            // What it is about to send tells as well.
            State::Awake if heard && doze.named && !self.stations[station.index()].has_data() => {}
            State::Awake | State::Leaving | State::Fetching => return,
        }
        doze.state = State::Fetching;
        self.generators.arm(None);
        self.tell_power(false, now);
    }

    /// It stays awake, for as long as behind a frame of data.
    fn stay(&mut self, now: Instant) {
        let Some(doze) = &mut self.doze else { return };
        (doze.state, doze.active) = (State::Awake, now);
        self.generators.arm(Some(now + doze.config.min_active));
    }

    /// The Null frame that waits is not sent: there is something else to do.
    fn recall(&mut self, now: Instant) {
        let Some(doze) = &self.doze else { return };
        let station = doze.config.station;
        let waiting = &mut self.stations[station.index()].singles;
        waiting.retain(|single| single.dozes.is_none());
        self.contenders[singles(station)].wants = !waiting.is_empty();
        if self.channel == super::Channel::Idle {
            self.look_ahead();
        }
        self.stay(now);
    }

    /// Queues a Null frame of the station, at the rate of the beacons (*assumed*: as mac80211 does, the lowest one).
    fn tell_power(&mut self, dozes: bool, now: Instant) {
        let (Some(doze), Some(beacons)) = (&self.doze, &self.config.beacons) else { return };
        let (station, phy) = (doze.config.station, beacons.phy);
        let address = |id: StationId| MacAddress(self.stations[id.index()].config.address);
        let (bssid, transmitter) = (address(self.config.access_point), address(station));
        let null = Null { bssid, transmitter, sequence: self.generators.sequence(), dozes };
        let mut frame = self.pool.packet();
        null.emit(&mut frame);
        let mut single = self.single(phy, frame, false);
        single.dozes = Some(dozes);
        self.stations[station.index()].push_single(single);
        self.wants(singles(station), now);
    }

    /// The access point knows that the station is awake: what it has held contends.
    fn release(&mut self, now: Instant) {
        let Some(doze) = &mut self.doze else { return };
        let Some(since) = doze.holds.take() else { return };
        let (access_point, station) = (self.config.access_point, doze.config.station);
        let sender = &mut self.stations[access_point.index()];
        sender.withheld = None;
        let flow = sender.flows.iter().find(|flow| flow.to == station);
        for mpdu in flow.into_iter().flat_map(|flow| flow.originator.unsettled()) {
            doze.dozed.held += 1;
            doze.dozed.held_for += now.saturating_since(mpdu.offered.max(since));
        }
        if sender.has_data() {
            self.wants(data(access_point), now);
        }
    }

    /// Traffic indication map of the beacon that is due at `now`, the `number`th since the start.
    pub(super) fn tim(&mut self, number: u64) -> Tim {
        let Some(PowerSave { station, every, dtim_period, .. }) = self.doze.as_ref().map(|doze| doze.config) else {
            return Tim::NOTHING;
        };
        let named = self.held_frames(station) > 0;
        let period = u64::from(dtim_period);
        if let Some(doze) = &mut self.doze {
            doze.named = named && doze.holds.is_some();
            doze.listens = doze.missed || number.is_multiple_of(every.into());
        }
        let count = (period - number % period) % period;
        let named = self.doze.as_ref().is_some_and(|doze| doze.named);
        Tim { count: count as u8, period: dtim_period, named: named.then_some(AID) }
    }
}
