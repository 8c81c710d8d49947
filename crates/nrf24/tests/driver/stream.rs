//! One radio sends, the other receives: the two loops of the driver's documentation.

use airtime_core::Duration;
use airtime_core::loss::Loss;
use airtime_nrf24::driver::{Config, Role};
use airtime_nrf24::host::Cost;
use airtime_nrf24::wires::Task;

use super::pair::{self, Driver, Inbox, Seen, payload};

/// Later than any receiver of these tests needs to be there.
const HEAD_START: Duration = Duration::from_millis(2);

/// Sends `count` payloads with CE high.
pub async fn send(mut radio: Driver, task: Task, config: Config, count: u32, no_ack: bool) {
    radio.configure(&config, Role::Transmitter).await.unwrap();
    task.sleep(HEAD_START).await;
    radio.start().unwrap();
    let mut next = 0;
    while next < count {
        while next < count && radio.has_room() {
            assert!(radio.write(&payload(next), no_ack).await.unwrap(), "has_room promises");
            next += 1;
        }
        radio.wait_irq().await.unwrap();
        radio.on_irq().await.unwrap();
    }
}

/// Receives for ever.
pub async fn receive(mut radio: Driver, config: Config, inbox: Inbox) {
    radio.configure(&config, Role::Receiver).await.unwrap();
    radio.start().unwrap();
    let mut octets = [0; 32];
    loop {
        radio.wait_irq().await.unwrap();
        radio.on_irq().await.unwrap();
        while let Some(received) = radio.read(&mut octets).await.unwrap() {
            assert_eq!(received.pipe, 0);
            inbox.borrow_mut().push(octets[..received.len].to_vec());
        }
    }
}

/// `count` payloads from left to right over a perfect air; what the chips said, after a check that all of it came in order.
pub fn run(cost: Cost, config: Config, count: u32, no_ack: bool) -> Seen {
    run_on([cost; 2], config, count, no_ack)
}

/// The same with a cost for each side.
pub fn run_on(costs: [Cost; 2], config: Config, count: u32, no_ack: bool) -> Seen {
    let inbox = Inbox::default();
    let came = inbox.clone();
    // 2.5 ms are more than any frame takes, whatever the rate.
    let span = Duration::from_millis(20) + Duration::from_micros(2_500) * u64::from(count);
    let seen = pair::run(
        costs,
        Loss::None,
        span,
        move |radio, task| send(radio, task, config, count, no_ack),
        move |radio, _| receive(radio, config, came),
    );
    let inbox = inbox.borrow();
    assert_eq!(inbox.len(), count as usize, "all of it came");
    assert!(inbox.iter().zip(0..).all(|(octets, index)| octets[..] == payload(index)), "in order and intact");
    seen
}
