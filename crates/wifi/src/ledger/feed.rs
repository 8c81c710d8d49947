//! Cause of idle air: the walk from the radio up to the first stage that was not itself starved, nor about to be.

use super::Account;
use crate::trace::{Activity, Feed, Queue, Stage};

/// Direction that the books look at.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// From the host to the far end.
    Up,
    /// From the far end to the host.
    Down,
    /// Both; idle air is asked of the way up first.
    Both,
}

/// State of every stage, and depth of the queues of the way down.
#[derive(Clone, Debug)]
pub(super) struct Stages {
    stages: [Activity; Stage::ALL.len()],
    depths: [u32; Queue::ALL.len()],
}

impl Stages {
    pub(super) fn new() -> Self {
        let mut stages = [Activity::Starved; Stage::ALL.len()];
        stages[Stage::Stack as usize] = Activity::Waits(Feed::App);
        stages[Stage::FarStack as usize] = Activity::Waits(Feed::App);
        Self { stages, depths: [0; Queue::ALL.len()] }
    }

    pub(super) fn does(&mut self, stage: Stage, activity: Activity) {
        self.stages[stage as usize] = activity;
    }

    /// Takes the depth of a queue; says whether the cause of idle air may be another one for it: what counts is none, one, or more.
    pub(super) fn holds(&mut self, queue: Queue, depth: u32) -> bool {
        let before = core::mem::replace(&mut self.depths[queue as usize], depth);
        let counts = matches!(queue, Queue::HostTx | Queue::CoprocessorRx | Queue::CoprocessorTx | Queue::WifiRx);
        counts && before.min(2) != depth.min(2)
    }

    /// Account of air that is idle now.
    pub(super) fn cause(&self, direction: Direction) -> Account {
        match direction {
            Direction::Up => self.up(),
            Direction::Down => self.down(),
            Direction::Both => match self.up() {
                Account::IdleApp => self.down(),
                cause => cause,
            },
        }
    }

    fn up(&self) -> Account {
        match (self.of(Stage::Mac), self.of(Stage::Coprocessor)) {
            (Activity::Working, _) => Account::IdleMac,
            (Activity::Holding, _) => Account::IdleDoze,
            (_, Activity::Retrying) => Account::IdleBuffers,
            (_, Activity::Working) if self.waits_behind(Queue::CoprocessorRx) => Account::IdleCoprocessor,
            (_, Activity::Working) => self.bus().or_else(|| self.held_back()).unwrap_or(Account::IdleCoprocessor),
            _ => self.bus().unwrap_or_else(|| match self.of(Stage::HostQueue) {
                Activity::Throttled => Account::IdleThrottle,
                _ => self.stack(self.of(Stage::Stack)),
            }),
        }
    }

    /// Account of the host's way to the co-processor while it has a frame.
    fn bus(&self) -> Option<Account> {
        let cause = match (self.of(Stage::Bus), self.of(Stage::HostQueue)) {
            (Activity::Working, _) => Account::IdleBus,
            (Activity::Credits, _) => Account::IdleCredits,
            (Activity::Reading | Activity::Full, Activity::Working) => Account::IdleBus,
            (_, Activity::Working) => Account::IdleQueue,
            _ => return None,
        };
        let last = !self.waits_behind(Queue::HostTx);
        Some(self.held_back().filter(|_| last).unwrap_or(cause))
    }

    /// Account of a sender that has more and may not, or cannot yet, hand it on.
    fn held_back(&self) -> Option<Account> {
        match self.of(Stage::Stack) {
            Activity::Waits(feed @ (Feed::Cpu | Feed::Cwnd | Feed::Window)) => Some(Account::idle(feed)),
            _ => None,
        }
    }

    fn of(&self, stage: Stage) -> Activity {
        self.stages[stage as usize]
    }

    /// Tells if the access point holds frames for a station that dozes.
    fn is_holding(&self) -> bool {
        [Stage::AccessPoint, Stage::Mac].iter().any(|&stage| self.of(stage) == Activity::Holding)
    }

    /// Tells if a frame waits behind the one that is worked on. Where none does and the stage before works on the next, that stage
    /// is the slower one: the pipeline carries what it lets through, and this stage only adds its time to the way.
    fn waits_behind(&self, queue: Queue) -> bool {
        self.depths[queue as usize] > 1
    }

    fn down(&self) -> Account {
        match (self.of(Stage::AccessPoint), self.of(Stage::Path)) {
            (Activity::Working, _) => Account::IdleMac,
            (Activity::Holding, _) => Account::IdleDoze,
            (_, Activity::Working) => Account::IdlePath,
            _ => self.stack(self.of(Stage::FarStack)),
        }
    }

    /// A full window is open again when what came by air last has got through the co-processor and over the bus, be it
    /// data or acknowledgements: whoever holds that is the cause.
    fn stack(&self, stack: Activity) -> Account {
        let Activity::Waits(feed) = stack else { return Account::IdleApp };
        let held = |queue: Queue| self.depths[queue as usize] > 0;
        match feed {
            // Acknowledgements are held as data are.
            Feed::Cwnd | Feed::Window | Feed::Rto if self.is_holding() => Account::IdleDoze,
            Feed::Cwnd | Feed::Window if self.of(Stage::Bus) == Activity::Full => Account::IdleBus,
            Feed::Cwnd | Feed::Window if held(Queue::WifiRx) => Account::IdleCoprocessor,
            Feed::Cwnd | Feed::Window if held(Queue::CoprocessorTx) => Account::IdleBus,
            feed => Account::idle(feed),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_stage_that_is_not_starved_is_the_cause() {
        let mut stages = Stages::new();
        assert_eq!(stages.cause(Direction::Up), Account::IdleApp);
        // From the top down: each is nearer to the air than the one before, and so takes over.
        for (stage, activity, account) in [
            (Stage::Stack, Activity::Waits(Feed::Rto), Account::IdleRto),
            (Stage::HostQueue, Activity::Throttled, Account::IdleThrottle),
            (Stage::Bus, Activity::Reading, Account::IdleThrottle),
            (Stage::HostQueue, Activity::Working, Account::IdleBus),
            (Stage::Bus, Activity::Credits, Account::IdleCredits),
            (Stage::Bus, Activity::Starved, Account::IdleQueue),
            (Stage::Bus, Activity::Working, Account::IdleBus),
            (Stage::Coprocessor, Activity::Retrying, Account::IdleBuffers),
            (Stage::Mac, Activity::Working, Account::IdleMac),
        ] {
            stages.does(stage, activity);
            assert_eq!(stages.cause(Direction::Up), account, "{stage:?} {activity:?}");
            assert_eq!(stages.cause(Direction::Down), Account::IdleApp);
        }
    }

    #[test]
    fn of_two_stages_at_work_the_slower_one_is_the_cause() {
        let mut stages = Stages::new();
        stages.does(Stage::Coprocessor, Activity::Working);
        assert_eq!(stages.cause(Direction::Up), Account::IdleCoprocessor, "nothing else is on its way");
        stages.does(Stage::Bus, Activity::Working);
        assert_eq!(stages.cause(Direction::Up), Account::IdleBus, "it works on the next, and none waits between them");
        stages.does(Stage::Stack, Activity::Waits(Feed::Cpu));
        assert_eq!(stages.cause(Direction::Up), Account::IdleCpu, "the next one still is being made");
        stages.does(Stage::Stack, Activity::Waits(Feed::Window));
        assert_eq!(stages.cause(Direction::Up), Account::IdleWindow, "the next one may not be sent");
        stages.holds(Queue::HostTx, 2);
        assert_eq!(stages.cause(Direction::Up), Account::IdleBus);
        stages.holds(Queue::CoprocessorRx, 2);
        assert_eq!(stages.cause(Direction::Up), Account::IdleCoprocessor);
    }

    #[test]
    fn a_full_window_is_whose_queue_holds_it() {
        let mut stages = Stages::new();
        stages.does(Stage::FarStack, Activity::Waits(Feed::Window));
        assert_eq!(stages.cause(Direction::Both), Account::IdleWindow);
        stages.holds(Queue::CoprocessorTx, 3);
        assert_eq!(stages.cause(Direction::Both), Account::IdleBus);
        stages.holds(Queue::WifiRx, 1);
        assert_eq!(stages.cause(Direction::Down), Account::IdleCoprocessor);
        stages.does(Stage::Path, Activity::Working);
        assert_eq!(stages.cause(Direction::Down), Account::IdlePath);
    }

    #[test]
    fn what_is_held_for_a_station_that_dozes_is_the_cause_both_ways() {
        let mut stages = Stages::new();
        stages.does(Stage::AccessPoint, Activity::Holding);
        stages.does(Stage::FarStack, Activity::Waits(Feed::Window));
        assert_eq!(stages.cause(Direction::Down), Account::IdleDoze);
        assert_eq!(stages.cause(Direction::Up), Account::IdleApp, "nothing is to be sent up");
        stages.does(Stage::Stack, Activity::Waits(Feed::Window));
        assert_eq!(stages.cause(Direction::Up), Account::IdleDoze, "its acknowledgements are held");
        stages.does(Stage::Mac, Activity::Holding);
        assert_eq!(stages.cause(Direction::Up), Account::IdleDoze, "the co-processor is the access point");
    }

    /// The co-processor's CPU holds what found no buffer, and its queue grows: it is not what takes the time.
    #[test]
    fn behind_spi_with_every_buffer_in_use_the_bus_is_the_cause() {
        let mut stages = Stages::new();
        stages.does(Stage::FarStack, Activity::Waits(Feed::Window));
        stages.holds(Queue::WifiRx, 3);
        assert_eq!(stages.cause(Direction::Down), Account::IdleCoprocessor);
        stages.does(Stage::Bus, Activity::Full);
        assert_eq!(stages.cause(Direction::Down), Account::IdleBus);
        stages.does(Stage::HostQueue, Activity::Working);
        assert_eq!(stages.cause(Direction::Up), Account::IdleBus);
    }
}
