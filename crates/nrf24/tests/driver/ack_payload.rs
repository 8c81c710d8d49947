//! Payloads both ways with one radio on each side.

use airtime_core::Duration;
use airtime_core::loss::Loss;
use airtime_nrf24::air::Rate;
use airtime_nrf24::driver::{Config, Role};
use airtime_nrf24::host::Cost;

use super::closed_form;
use super::pair::{self, CALLS, Driver, FREE, Inbox, config, payload};

const COUNT: u32 = 300;

/// Sends payloads, reads what comes on their acknowledgements.
async fn poll(mut radio: Driver, config: Config, inbox: Inbox) {
    radio.configure(&config, Role::Transmitter).await.unwrap();
    radio.start().unwrap();
    let (mut next, mut octets) = (0, [0; 32]);
    loop {
        while next < COUNT && radio.has_room() {
            radio.write(&payload(next), false).await.unwrap();
            next += 1;
        }
        radio.wait_irq().await.unwrap();
        let events = radio.on_irq().await.unwrap();
        assert!(!events.max_rt);
        while events.rx
            && let Some(received) = radio.read(&mut octets).await.unwrap()
        {
            inbox.borrow_mut().push(octets[..received.len].to_vec());
        }
    }
}

/// Keeps acknowledgements loaded, reads what comes.
async fn answer(mut radio: Driver, config: Config, inbox: Inbox) {
    radio.configure(&config, Role::Receiver).await.unwrap();
    let (mut next, mut octets) = (0, [0; 32]);
    while radio.has_room() {
        assert!(radio.write_ack(0, &payload(next)).await.unwrap());
        next += 1;
    }
    radio.start().unwrap();
    loop {
        radio.wait_irq().await.unwrap();
        radio.on_irq().await.unwrap();
        while let Some(received) = radio.read(&mut octets).await.unwrap() {
            inbox.borrow_mut().push(octets[..received.len].to_vec());
        }
        while radio.has_room() && radio.write_ack(0, &payload(next)).await.unwrap() {
            next += 1;
        }
    }
}

/// Runs it, checks what came, and gives the goodput each way and what the closed form allows, in thousandths of kbit/s.
fn run(cost: Cost, config: Config) -> (String, u64, u64) {
    let (up, down) = (Inbox::default(), Inbox::default());
    let (came_up, came_down) = (up.clone(), down.clone());
    let span = Duration::from_millis(30) + Duration::from_millis(4) * u64::from(COUNT);
    let seen = pair::run(
        [cost; 2],
        Loss::None,
        span,
        move |radio, _| poll(radio, config, came_down),
        move |radio, _| answer(radio, config, came_up),
    );
    let what = format!("{} AW{}, {} per transaction", config.rate, config.address_width, cost.transaction);
    for inbox in [&up, &down] {
        let inbox = inbox.borrow();
        assert_eq!(inbox.len(), COUNT as usize, "{what}");
        assert!(
            inbox.iter().zip(0..).all(|(octets, index)| octets[..] == payload(index)),
            "{what}: in order and intact"
        );
    }
    let arrivals = &seen.arrivals[1];
    let frames = (COUNT - 20) as usize;
    let first = arrivals.len() - 1 - frames;
    let took = (arrivals[first + frames] - arrivals[first]).as_nanos();
    let reached = closed_form::kbps_thousandths(frames as u64, took);
    let cycle = closed_form::acknowledged(config.rate, config.address_width, 32, 32);
    let ceiling = closed_form::kbps_thousandths(1, cycle);
    assert!(reached <= ceiling, "{what}: {reached} is above the closed form, {ceiling}");
    assert_eq!(seen.lints, [], "{what}");
    (what, reached, ceiling)
}

#[test]
fn payloads_go_both_ways_at_the_closed_form() {
    for rate in Rate::ALL {
        for width in 3..=5 {
            for cost in [FREE, CALLS] {
                let config = Config { ard: Config::shortest_ard(rate, 32), ..config(rate, width) };
                let (what, reached, ceiling) = run(cost, config);
                assert!(reached * 100 >= ceiling * 99, "{what}: {reached} is not within 1 % of {ceiling}");
            }
        }
    }
}

#[test]
fn late_hosts_lose_goodput_but_no_payload_either_way() {
    let config = Config { ard: Config::shortest_ard(Rate::M2, 32), ..config(Rate::M2, 3) };
    for wake in (0..900).step_by(41) {
        run(Cost { wake: Duration::from_micros(wake), ..CALLS }, config);
    }
}
