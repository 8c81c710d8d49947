//! Setup of a scanner, and the times and channels at which that makes it listen.

use airtime_core::{Duration, Instant};

use crate::air::Phy;
use crate::ll::address::OwnAddress;

/// Scan interval and scan window.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Windows {
    /// From one window to the next, each on the next channel.
    pub interval: Duration,
    /// Length of a window.
    pub window: Duration,
}

/// Scanning on one PHY.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OnPhy {
    /// Scan interval and window on this PHY.
    pub windows: Windows,
    /// Set for active scanning: scan requests are sent.
    pub active: bool,
}

/// Filter policy of a scanner: the senders whose packets it processes. Core 6.0, Vol 6, Part B, 4.3.3.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// Only those of devices of the Filter Accept List.
    pub listed: bool,
    /// Directed ones for a resolvable address that is not known to be ours as well.
    pub directed_to_resolvable: bool,
}

impl Filter {
    /// From Scanning_Filter_Policy, 0..=3.
    pub const fn from_hci(policy: u8) -> Self {
        Self { listed: policy & 1 != 0, directed_to_resolvable: policy & 2 != 0 }
    }
}

/// Duplicate filter: the rule for reporting one device and type again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Duplicates {
    /// Every time.
    #[default]
    Reported,
    /// Once.
    Filtered,
    /// Once in each period.
    FilteredPerPeriod,
}

/// Setup of a scanner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setup {
    /// Scanning on 1M.
    pub on_1m: Option<OnPhy>,
    /// Scanning on LE Coded.
    pub on_coded: Option<OnPhy>,
    /// Rule for reporting a packet again.
    pub duplicates: Duplicates,
    /// Address shown in scan requests.
    pub own: OwnAddress,
    /// Filter policy: the senders whose packets are processed.
    pub filter: Filter,
    /// Set by extended commands: extended advertising is heard, and reported like legacy advertising.
    pub extended: bool,
    /// Time after which it stops, or pauses until the next period.
    pub duration: Option<Duration>,
    /// Period after which it begins anew.
    pub period: Option<Duration>,
}

/// Window of a scanner: its channel, and the instant until which it listens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Window {
    pub from: Instant,
    pub closes: Instant,
    pub channel: u8,
    pub phy: Phy,
}

impl Setup {
    /// Legacy scanning.
    pub const fn legacy(windows: Windows, active: bool, own: OwnAddress, filter: Filter) -> Self {
        Self {
            on_1m: Some(OnPhy { windows, active }),
            on_coded: None,
            duplicates: Duplicates::Reported,
            own,
            filter,
            extended: false,
            duration: None,
            period: None,
        }
    }

    /// Extended scanning that goes on until it is stopped.
    pub const fn extended(on_1m: Option<OnPhy>, on_coded: Option<OnPhy>, own: OwnAddress, filter: Filter) -> Self {
        Self {
            on_1m,
            on_coded,
            duplicates: Duplicates::Reported,
            own,
            filter,
            extended: true,
            duration: None,
            period: None,
        }
    }

    /// True if scan requests are sent on this PHY of the primary channels.
    pub fn is_active(&self, phy: Phy) -> bool {
        let on = if phy.is_coded() { self.on_coded } else { self.on_1m };
        on.is_some_and(|on| on.active)
    }

    /// Instant at which a scanner that was started at `started` is over, if it does not go on.
    pub fn ends(&self, started: Instant) -> Instant {
        match (self.duration, self.period) {
            (Some(duration), None) => started + duration,
            _ => Instant::FAR_FUTURE,
        }
    }

    /// The number of the period at `now`.
    pub fn period_at(&self, started: Instant, now: Instant) -> u64 {
        self.period.map_or(0, |period| now.saturating_since(started) / period)
    }

    /// Time from one window on a channel to the next one's: the intervals of its PHYs.
    pub(super) fn cycle(&self) -> Duration {
        self.on_phys().map(|(_, windows)| windows.interval).fold(Duration::ZERO, |a, b| a + b)
    }

    /// Time from the beginning of a cycle to the end of its last window.
    pub(super) fn length(&self) -> Duration {
        let mut begun = Duration::ZERO;
        let mut length = Duration::ZERO;
        for (_, windows) in self.on_phys() {
            length = begun + windows.window;
            begun += windows.interval;
        }
        length
    }

    fn on_phys(&self) -> impl Iterator<Item = (Phy, Windows)> + Clone + use<> {
        let on = [(Phy::Le1M, self.on_1m), (Phy::LeCodedS8, self.on_coded)];
        on.into_iter().filter_map(|(phy, on)| Some((phy, on?.windows)))
    }

    /// The window that is open at `now`, or else the next one. With two PHYs their intervals take turns, each
    /// pair on the next channel; the specification leaves the order open, and this one is assumed.
    pub(super) fn window(&self, started: Instant, now: Instant) -> Window {
        let now = now.max(started);
        let round = self.period.map_or(started, |period| started + period * self.period_at(started, now));
        let over = self.duration.map_or(Instant::FAR_FUTURE, |duration| round + duration);
        if let (true, Some(period)) = (now >= over, self.period) {
            let next = round + period;
            return Window { from: next, closes: next, channel: 37, phy: Phy::Le1M };
        }
        let cycle = self.cycle();
        let turn = (now - round) / cycle;
        let mut begun = round + cycle * turn;
        let channel = 37 + (turn % 3) as u8;
        for (phy, Windows { interval, window }) in self.on_phys() {
            let closes = begun + window;
            if now < closes {
                return Window { from: now.max(begun), closes: closes.min(over), channel, phy };
            }
            begun += interval;
            if now < begun {
                break;
            }
        }
        Window { from: begun, closes: begun, channel, phy: Phy::Le1M }
    }
}
