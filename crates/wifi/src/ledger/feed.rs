//! Cause of idle air: the walk from the radio up to the first stage that was not itself starved.

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

    pub(super) fn holds(&mut self, queue: Queue, depth: u32) {
        self.depths[queue as usize] = depth;
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
        let of = |stage: Stage| self.stages[stage as usize];
        let queue = of(Stage::HostQueue);
        match (of(Stage::Mac), of(Stage::Coprocessor), of(Stage::Bus)) {
            (Activity::Working, _, _) => Account::IdleMac,
            (_, Activity::Working, _) => Account::IdleCoprocessor,
            (_, _, Activity::Working) => Account::IdleBus,
            (_, _, Activity::Credits) => Account::IdleCredits,
            (_, _, Activity::Reading) if queue == Activity::Working => Account::IdleBus,
            _ if queue == Activity::Working => Account::IdleQueue,
            _ if queue == Activity::Throttled => Account::IdleThrottle,
            _ => self.stack(of(Stage::Stack)),
        }
    }

    fn down(&self) -> Account {
        let of = |stage: Stage| self.stages[stage as usize];
        match (of(Stage::AccessPoint), of(Stage::Path)) {
            (Activity::Working, _) => Account::IdleMac,
            (_, Activity::Working) => Account::IdlePath,
            _ => self.stack(of(Stage::FarStack)),
        }
    }

    /// A full window is open again when what came by air last has got through the co-processor and over the bus, be it
    /// data or acknowledgements: whoever holds that is the cause.
    fn stack(&self, stack: Activity) -> Account {
        let Activity::Waits(feed) = stack else { return Account::IdleApp };
        let held = |queue: Queue| self.depths[queue as usize] > 0;
        match feed {
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
            (Stage::Stack, Activity::Waits(Feed::Window), Account::IdleWindow),
            (Stage::HostQueue, Activity::Throttled, Account::IdleThrottle),
            (Stage::Bus, Activity::Reading, Account::IdleThrottle),
            (Stage::HostQueue, Activity::Working, Account::IdleBus),
            (Stage::Bus, Activity::Credits, Account::IdleCredits),
            (Stage::Bus, Activity::Starved, Account::IdleQueue),
            (Stage::Bus, Activity::Working, Account::IdleBus),
            (Stage::Coprocessor, Activity::Working, Account::IdleCoprocessor),
            (Stage::Mac, Activity::Working, Account::IdleMac),
        ] {
            stages.does(stage, activity);
            assert_eq!(stages.cause(Direction::Up), account, "{stage:?} {activity:?}");
            assert_eq!(stages.cause(Direction::Down), Account::IdleApp);
        }
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
}
