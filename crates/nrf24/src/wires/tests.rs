//! Tasks without radios: what waiting takes.

use alloc::rc::Rc;
use alloc::vec::Vec;
use core::cell::RefCell;

use airtime_core::{Duration, Instant};

use super::*;
use crate::trace::{Activity, Note};

const COST: Cost = Cost {
    spi_hz: 10_000_000,
    transaction: Duration::from_micros(15),
    pin: Duration::from_micros(1),
    wake: Duration::from_micros(10),
    sleep_slack: Duration::from_micros(55),
    tun: Duration::from_micros(20),
};

type Log = Rc<RefCell<Vec<(&'static str, u64)>>>;

fn us(us: u64) -> Instant {
    Instant::from_nanos(us * 1_000)
}

/// Runs whatever is due until `until`.
fn run(tasks: &mut Tasks, until: Instant) {
    while let Some(due) = tasks.deadline().filter(|due| *due <= until) {
        tasks.run(due);
    }
}

fn say(log: &Log, task: &Task, what: &'static str) {
    log.borrow_mut().push((what, task.now().as_nanos() / 1_000));
}

#[test]
fn sleeps_have_slack_and_pauses_have_none() {
    let (log, mut tasks) = (Log::default(), Tasks::new(us(5), COST));
    let task = tasks.task(None);
    tasks.spawn(&task.clone(), {
        let log = log.clone();
        async move {
            task.pause(Duration::from_micros(20)).await;
            say(&log, &task, "paused");
            task.sleep(Duration::from_micros(100)).await;
            say(&log, &task, "slept");
            task.owe(Duration::from_micros(3));
            task.pause(Duration::from_micros(1)).await;
            say(&log, &task, "paid");
        }
    });
    run(&mut tasks, us(10_000));
    assert_eq!(*log.borrow(), [("paused", 25), ("slept", 180), ("paid", 184)]);
    assert_eq!(tasks.deadline(), None);
}

#[test]
fn a_bell_reaches_who_waits_later_and_who_does_not_at_once() {
    let (log, mut tasks) = (Log::default(), Tasks::new(us(0), COST));
    let (waiter, ringer) = (tasks.task(None), tasks.task(None));
    let bell = waiter.notify();
    let rope = bell.clone();
    tasks.spawn(&waiter.clone(), {
        let log = log.clone();
        async move {
            for _ in 0..3 {
                let woken = waiter.until_any(Activity::NoData, false, Some(&bell), Some(us(400))).await;
                say(&log, &waiter, if woken == Woken::Notified { "notified" } else { "deadline" });
                waiter.pause(Duration::from_micros(50)).await;
            }
        }
    });
    tasks.spawn(&ringer.clone(), async move {
        ringer.pause(Duration::from_micros(100)).await;
        rope.ring();
        ringer.pause(Duration::from_micros(20)).await;
        // While the waiter is busy; twice is once.
        rope.ring();
        rope.ring();
    });
    run(&mut tasks, us(10_000));
    assert_eq!(*log.borrow(), [("notified", 110), ("notified", 160), ("deadline", 455)]);
}

#[test]
fn a_bell_from_outside_makes_the_tasks_due() {
    let mut tasks = Tasks::new(us(0), COST);
    let task = tasks.task(None);
    let bell = task.notify();
    let rope = bell.clone();
    tasks.spawn(&task.clone(), async move {
        task.until_any(Activity::NoData, false, Some(&bell), None).await;
        core::future::pending::<()>().await;
    });
    tasks.run(us(0));
    assert_eq!(tasks.deadline(), None);
    tasks.advance(us(70));
    rope.ring();
    assert_eq!(tasks.deadline(), Some(us(80)));
    tasks.run(us(80));
    assert_eq!(tasks.deadline(), None);
}

#[test]
#[should_panic(expected = "keep each other awake")]
fn tasks_that_let_no_time_pass_are_caught() {
    let mut tasks = Tasks::new(us(0), Cost { wake: Duration::ZERO, ..COST });
    let pair = [tasks.task(None), tasks.task(None)];
    let bells = [pair[0].notify(), pair[1].notify()];
    for (own, task) in pair.into_iter().enumerate() {
        let bells = bells.clone();
        tasks.spawn(&task.clone(), async move {
            loop {
                bells[1 - own].ring();
                task.until_any(Activity::NoData, false, Some(&bells[own]), None).await;
            }
        });
    }
    tasks.run(us(0));
}

#[test]
fn what_a_task_does_is_said_when_it_changes() {
    let mut tasks = Tasks::new(us(0), COST);
    let task = tasks.task(Some((1, Board::new(Options::default(), COST))));
    tasks.spawn(&task.clone(), async move {
        task.pause(Duration::from_micros(5)).await;
        task.pause(Duration::from_micros(5)).await;
        task.sleep_as(Activity::Delay, Duration::from_micros(40)).await;
        task.until_any(Activity::Window, false, None, Some(us(200))).await;
        task.until_any(Activity::Window, false, None, Some(us(100))).await;
    });
    let mut said = Vec::new();
    while let Some(due) = tasks.deadline() {
        tasks.run(due);
        while let Some(note) = tasks.note() {
            said.push((due.as_nanos() / 1_000, note));
        }
    }
    let does = |activity| Note::Activity { radio: 1, activity };
    let expected = [
        (0, does(Activity::Cpu)),
        (10, does(Activity::Delay)),
        (50, does(Activity::Waking)),
        (105, does(Activity::Window)),
        (200, does(Activity::Waking)),
    ];
    assert_eq!(said, expected);
}
