//! How connections are ended by a host: Core 6.0, Vol 6, Part B, 5.1.6.

use crate::support::{CENTRAL, PERIPHERAL, PLAIN, Pair};
use airtime_ble::hci::{event, opcode};
use airtime_ble::personality::{Budget, Controller};
use airtime_ble::trace::Verdict;
use airtime_core::loss::{Loss, LossProcess};
use airtime_core::random::stream;
use airtime_core::{Duration, Instant};

const INTERVAL: Duration = Duration::from_millis(15);
/// Connection terminated by local host, remote user terminated connection, connection timeout.
/// Core 6.0, Vol 1, Part F, 1.3.
const LOCAL: u8 = 0x16;
const REMOTE: u8 = 0x13;
const TIMEOUT: u8 = 0x08;

/// Room for more than a host can send in six events.
const DEEP: Controller = Controller { acl_count: 60, ..PLAIN };
const EARLY: Controller = Controller { margin: Duration::from_micros(281), ..DEEP };
const FULL_REPLY: Controller = Controller { budget: Budget::FullReply, ..EARLY };

/// When `device` was told of the end, and the reason.
fn gone(pair: &Pair, device: usize) -> Option<u8> {
    pair.script(device).plain_event(event::DISCONNECTION_COMPLETE).map(|p| p[3])
}

fn hang_up(pair: &mut Pair, device: usize) {
    pair.done(device, opcode::DISCONNECT, &[0, 0, REMOTE]);
}

/// From now on what `device` hears is spoilt, or not.
fn spoil(pair: &mut Pair, device: usize, spoilt: bool) {
    let loss = if spoilt { Loss::Packet { per: 1.0 } } else { Loss::None };
    pair.network.medium.set_loss_at(device, LossProcess::new(loss, stream(1, "test/spoil")));
}

/// Runs until `done`, which must happen within ten seconds; says when that was.
fn until(pair: &mut Pair, done: impl Fn(&Pair) -> bool) -> Instant {
    let limit = pair.events.now() + Duration::from_secs(10);
    while !done(pair) {
        assert!(pair.events.step(&mut pair.network, limit), "it never happens");
    }
    pair.events.now()
}

/// Lets `senders` fill the events to come; gives the anchor point of the first one that the peripheral takes part in.
fn fill(pair: &mut Pair, senders: &[usize]) -> Instant {
    pair.fast();
    pair.taken();
    for _ in 0..60 {
        for &device in senders {
            pair.acl(device, 251);
        }
    }
    let anchor = |pair: &Pair| {
        let packets = &pair.network.observer.packets;
        let data = packets.iter().find(|p| p.payload > 0 && p.verdict == Verdict::New)?;
        Some(data.at - Duration::from_nanos(data.start_ns))
    };
    until(pair, |pair| anchor(pair).is_some());
    anchor(pair).expect("it was waited for")
}

/// A connection whose `senders` fill every event, `phase` after the start of one.
fn busy(controller: Controller, senders: &[usize], phase: Duration) -> Pair {
    let mut pair = Pair::new(controller, controller, Loss::None);
    pair.connect(12, 0);
    let anchor = fill(&mut pair, senders) + INTERVAL;
    pair.run(anchor + phase - pair.events.now());
    pair
}

#[test]
fn a_host_hangs_up_at_any_instant_of_a_full_event() {
    let senders: [&[usize]; 3] = [&[CENTRAL], &[PERIPHERAL], &[CENTRAL, PERIPHERAL]];
    let mut wrong = Vec::new();
    for (controller, senders) in [DEEP, EARLY, FULL_REPLY].into_iter().flat_map(|c| senders.map(|s| (c, s))) {
        for asks in [CENTRAL, PERIPHERAL] {
            let fails = |us: &u64| {
                let mut pair = busy(controller, senders, Duration::from_micros(*us));
                hang_up(&mut pair, asks);
                pair.run(INTERVAL * 4);
                (gone(&pair, asks), gone(&pair, 1 - asks)) != (Some(LOCAL), Some(REMOTE))
            };
            let (budget, margin) = (controller.budget, controller.margin);
            let at: Vec<u64> = (0..15_000).step_by(50).filter(fails).collect();
            wrong.extend(at.first().map(|first| (budget, margin, senders, asks, at.len(), *first)));
        }
    }
    assert!(wrong.is_empty(), "budget, margin, who sends, who asks, how many of 300 fail, the first: {wrong:#?}");
}

/// The peripheral has no time to answer the packet that tells it to go: it answers the next one.
#[test]
fn the_acknowledgement_comes_with_the_next_event_when_this_one_is_full() {
    // The tenth exchange of 1392 µs begins at 12 528 µs. An eleventh reply would not end in time: what is
    // queued during the tenth goes out with the last packet of the central.
    let mut pair = busy(EARLY, &[PERIPHERAL], Duration::from_micros(13_000));
    pair.taken();
    hang_up(&mut pair, CENTRAL);
    pair.run(INTERVAL * 3);
    let sent = pair.taken();
    let asks: Vec<_> = sent.iter().filter(|p| p.from_central && p.payload == 2).collect();
    let verdicts: Vec<_> = asks.iter().map(|p| p.verdict).collect();
    assert_eq!(verdicts, [Verdict::New, Verdict::Duplicate], "{asks:?}");
    assert_eq!([asks[0].start_ns, asks[1].start_ns], [13_920_000, 0]);
    let answer = sent.last().expect("something was sent");
    assert_eq!((answer.from_central, answer.event), (false, asks[0].event + 1));
    assert_eq!((gone(&pair, CENTRAL), gone(&pair, PERIPHERAL)), (Some(LOCAL), Some(REMOTE)));
}

/// A peripheral with a longer lead than its central falls silent while that goes on. It may miss four events and
/// has nothing to send.
#[test]
fn a_peripheral_that_owes_the_acknowledgement_does_not_sleep() {
    // An exchange of 388 µs and seven of 1392 µs: the last reply ends at 9 982 µs, in time. One to an
    // LL_TERMINATE_IND behind it would end at 10 378 µs, and 10 180 µs is the latest.
    let early = Controller { margin: Duration::from_micros(4_670), ..DEEP };
    for us in (8_500..10_500).step_by(100) {
        let mut pair = Pair::new(DEEP, early, Loss::None);
        pair.connect(12, 4);
        let anchor = fill(&mut pair, &[CENTRAL]);
        pair.run(anchor + Duration::from_micros(us) - pair.events.now());
        pair.taken();
        hang_up(&mut pair, CENTRAL);
        pair.run(INTERVAL * 7);
        assert_eq!((gone(&pair, CENTRAL), gone(&pair, PERIPHERAL)), (Some(LOCAL), Some(REMOTE)), "{us}");
        let asks: Vec<_> = pair.taken().into_iter().filter(|p| p.payload == 2).collect();
        let heard = asks.iter().find(|p| p.verdict == Verdict::New).expect("the peripheral was told");
        let last = asks.last().expect("the peripheral was told");
        assert!(last.event <= heard.event + 1, "{us}: {asks:?}");
    }
}

/// The first packets after the host hangs up do not arrive whole: they are sent again, in the same
/// event or the next.
#[test]
fn what_is_lost_is_sent_again() {
    let mut repeated = 0;
    for (asks, lost, step) in [CENTRAL, PERIPHERAL].into_iter().flat_map(lost_at_each_step) {
        let mut pair = busy(EARLY, &[PERIPHERAL], Duration::from_micros(100) * step);
        pair.taken();
        spoil(&mut pair, 1 - asks, true);
        hang_up(&mut pair, asks);
        let spoilt =
            |pair: &Pair| pair.network.observer.packets.iter().filter(|p| p.verdict == Verdict::Corrupted).count();
        until(&mut pair, |pair| spoilt(pair) == lost);
        spoil(&mut pair, 1 - asks, false);
        pair.run(INTERVAL * 4);
        assert_eq!((gone(&pair, asks), gone(&pair, 1 - asks)), (Some(LOCAL), Some(REMOTE)), "{asks} {lost} {step}");
        repeated += usize::from(pair.taken().iter().filter(|p| p.payload == 2).count() > 1);
    }
    assert!(repeated > 100, "{repeated} of 900 times the LL_TERMINATE_IND itself was lost");
}

fn lost_at_each_step(asks: usize) -> impl Iterator<Item = (usize, usize, u64)> {
    [1, 2, 3].into_iter().flat_map(move |lost| (0..150).map(move |step| (asks, lost, step)))
}

/// A central whose acknowledgement is spoilt hears the peripheral ask again, and acknowledges once more.
#[test]
fn a_lost_acknowledgement_is_sent_again() {
    let mut pair = Pair::connected(12);
    pair.run(Duration::from_secs(1));
    pair.taken();
    hang_up(&mut pair, PERIPHERAL);
    until(&mut pair, |pair| pair.network.observer.packets.iter().any(|p| p.payload == 2));
    spoil(&mut pair, PERIPHERAL, true);
    until(&mut pair, |pair| pair.network.observer.packets.iter().any(|p| p.verdict == Verdict::Corrupted));
    spoil(&mut pair, PERIPHERAL, false);
    pair.run(INTERVAL * 3);
    assert_eq!((gone(&pair, PERIPHERAL), gone(&pair, CENTRAL)), (Some(LOCAL), Some(REMOTE)));
}

/// T_terminate is as long as the supervision timeout, and runs although the peer is heard all the time.
#[test]
fn who_is_never_acknowledged_goes_after_the_supervision_timeout() {
    let mut pair = Pair::connected(12);
    pair.run(Duration::from_secs(1));
    spoil(&mut pair, PERIPHERAL, true);
    pair.run(INTERVAL);
    let asked = pair.events.now();
    hang_up(&mut pair, CENTRAL);
    let ended = until(&mut pair, |pair| gone(pair, CENTRAL).is_some());
    assert_eq!(ended - asked, Duration::from_secs(4));
    assert_eq!(gone(&pair, CENTRAL), Some(LOCAL));
    assert_eq!(gone(&pair, PERIPHERAL), Some(TIMEOUT), "it has heard nothing for longer");
}

#[test]
fn two_hosts_that_hang_up_at_once_are_both_told() {
    for step in 0..150 {
        let mut pair = busy(EARLY, &[PERIPHERAL], Duration::from_micros(100) * step);
        hang_up(&mut pair, CENTRAL);
        hang_up(&mut pair, PERIPHERAL);
        pair.run(INTERVAL * 4);
        let reasons = [CENTRAL, PERIPHERAL].map(|device| gone(&pair, device).expect("it is over"));
        assert!(reasons.contains(&LOCAL) && reasons.iter().all(|r| [LOCAL, REMOTE].contains(r)), "{step} {reasons:?}");
    }
}
