//! Datagrams: what calls take and what becomes of errors.

use airtime_core::units::Bitrate;
use airtime_core::{Duration, Instant};
use airtime_net::lwip::{Config, Costs, OnError, Outcome, UdpSender, Waits};
use airtime_net::pace::Pace;
use airtime_net::udp::Datagrams;
use airtime_net::{Event, linux};

use super::link::{FAR, HOST, Link, Way, at, ms};

const FLOW: u16 = 5_001;
const CPU: Costs = Costs {
    call: Duration::from_micros(50),
    kilooctet: Duration::from_micros(10),
    segment: Duration::from_micros(30),
    input: Duration::from_micros(40),
    switch: Duration::from_micros(5),
};

fn sender(on_error: OnError, rate: Option<Bitrate>) -> UdpSender {
    UdpSender { flow: FLOW, payload: 1_400, rate, on_error, start: at(1), duration: Duration::from_secs(1) }
}

fn link(costs: Costs, core_locking: bool, sender: UdpSender) -> Link {
    let config = Config { costs, core_locking, ..Config::default() };
    let way = || Way::new(None, ms(1), 100_000);
    let mut link = Link::new(config, linux::Config::default(), way(), way());
    link.far.take_datagrams(FLOW);
    link.host.send_datagrams(FAR, sender);
    link
}

#[test]
fn calls_that_never_fail_are_paced_by_the_cpu() {
    let mut link = link(CPU, true, sender(OnError::Spin, None));
    link.run(at(5_000));
    // 50 + 14 + 30 µs a datagram.
    let expected = 1_000_000_u64.div_ceil(94);
    assert_eq!((link.host.counters().calls, link.host.counters().call_errors), (expected, 0));
    assert_eq!(link.host.accepted(), expected * 1_400);
    let sink = &link.far.sinks()[0];
    assert_eq!((sink.tally().arrived, sink.damaged()), (expected, 0));
}

#[test]
fn without_core_locking_two_hand_overs_more() {
    let mut link = link(CPU, false, sender(OnError::Spin, None));
    link.run(at(5_000));
    assert_eq!(link.host.counters().calls, 1_000_000_u64.div_ceil(104));
}

#[test]
fn a_rate_below_the_cpu_is_kept() {
    let mut link = link(CPU, true, sender(OnError::Spin, Some(Bitrate(11_200_000))));
    link.run(at(5_000));
    assert_eq!(link.host.counters().calls, 1_000);
}

#[test]
fn a_refused_datagram_is_an_error_and_no_loss() {
    for (on_error, calls) in
        [(OnError::Spin, 1_000_000_u64.div_ceil(94)), (OnError::Yield, 0), (OnError::Sleep(ms(10)), 0)]
    {
        let mut link = link(CPU, true, sender(on_error, None));
        link.interface = Box::new(|n| if n % 3 == 2 { Outcome::Refused } else { Outcome::Taken });
        link.run(at(5_000));
        let counters = link.host.counters();
        assert_eq!(counters.call_errors, counters.calls / 3);
        assert_eq!(counters.refused, counters.call_errors);
        assert_eq!(link.host.accepted(), (counters.calls - counters.call_errors) * 1_400);
        assert_eq!(link.far.sinks()[0].tally().missing(), 0, "numbers are of datagrams that were taken");
        match on_error {
            OnError::Spin => assert_eq!(counters.calls, calls),
            // Three calls and a pause: 3 × 94 + 10 µs, 3 × 94 µs + 10 ms.
            OnError::Yield => assert_eq!(counters.calls, 10_275),
            OnError::Sleep(_) => assert_eq!(counters.calls, 294),
        }
    }
}

#[test]
fn a_program_without_costs_does_not_stand_still() {
    let mut link = link(Costs::NONE, true, sender(OnError::Spin, None));
    link.interface = Box::new(|_| Outcome::Refused);
    link.run(at(5_000));
    assert_eq!(link.host.counters().calls, 1_000_000, "one each microsecond");
}

#[test]
fn a_full_queue_holds_the_sender() {
    let mut link = link(CPU, true, sender(OnError::Spin, None));
    // The interface has room again 3 ms after every fifth datagram.
    link.interface = Box::new(|n| if n % 5 == 4 { Outcome::Blocked } else { Outcome::Taken });
    link.run(at(5_000));
    // Four calls of 94 µs, then 3 ms: the pause begins when the fifth call has handed down.
    let counters = link.host.counters();
    assert_eq!((counters.call_errors, counters.refused), (0, 0));
    assert_eq!(counters.calls, 5 * (1_000_000 / 3_376 + 1));
    assert_eq!(link.far.sinks()[0].tally().arrived, counters.calls);
}

#[test]
fn a_reader_too_slow_loses_what_its_mailbox_has_no_room_for() {
    let costs = Costs { call: ms(1), ..CPU };
    let config = Config { costs, udp_recvmbox: 6, ..Config::default() };
    let way = || Way::new(None, ms(1), 100_000);
    let mut link = Link::new(config, linux::Config::default(), way(), way());
    link.host.take_datagrams(FLOW);
    let (rate, pace, duration) = (Bitrate(22_400_000), Pace::Constant, Duration::from_secs(1));
    link.far.send_datagrams(HOST, Datagrams { flow: FLOW, payload: 1_400, rate, pace, start: Instant::ZERO, duration });
    link.run(at(5_000));
    // 2000 datagrams a second to a program that takes one in 1.019 ms.
    let arrived = link.logs[0].borrow().0.iter().filter(|(_, e)| matches!(e, Event::Arrived { .. })).count() as u64;
    assert!(arrived.abs_diff(1_000_000 / 1_019 + 6) <= 2, "{arrived}");
    assert_eq!(link.host.counters().drops_udp_recvmbox, 2_000 - arrived);
}

#[test]
fn a_stack_that_stands_still_loses_what_its_mailbox_has_no_room_for() {
    let mut link = link(CPU, true, sender(OnError::Spin, None));
    link.interface = Box::new(|_| Outcome::Blocked);
    let (rate, pace) = (Bitrate(1_120_000_000), Pace::Constant);
    let (start, duration) = (Instant::ZERO, ms(4));
    link.far.send_datagrams(HOST, Datagrams { flow: FLOW, payload: 1_400, rate, pace, start, duration });
    link.run(at(5));
    // 300 come while the first datagram is blocked, and 32 have room; then one is taken in 40 µs and 100 come in a millisecond.
    assert!(link.host.counters().drops_tcpip_mbox.abs_diff(268 + 75) <= 2, "{:?}", link.host.counters());
}

#[test]
fn waits_say_why_nothing_leaves() {
    let mut link = link(CPU, true, sender(OnError::Sleep(ms(10)), None));
    assert_eq!(link.host.waits(), Waits::App, "its time has not come");
    link.interface = Box::new(|n| if n == 1 { Outcome::Refused } else { Outcome::Taken });
    link.run(at(1));
    assert_eq!(link.host.waits(), Waits::Cpu);
    link.run(at(3));
    assert_eq!(link.host.waits(), Waits::Refused, "it sleeps on an error");
    link.run(at(9_000));
    assert_eq!(link.host.waits(), Waits::App, "its time is over");
}
