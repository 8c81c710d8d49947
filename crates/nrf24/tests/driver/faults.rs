//! What goes wrong on the air, and what is refused.

use airtime_core::Duration;
use airtime_core::loss::Loss;
use airtime_nrf24::air::Rate;
use airtime_nrf24::driver::{Config, Error, Role, Setting};
use std::cell::Cell;
use std::rc::Rc;

use super::pair::{self, FREE, Inbox, config, payload};
use super::stream;

#[test]
fn values_out_of_range_are_refused() {
    let good = config(Rate::M2, 5);
    assert_eq!(good.check(), Ok(()));
    for (bad, setting) in [
        (Config { channel: 126, ..good }, Setting::Channel),
        (Config { address_width: 2, ..good }, Setting::AddressWidth),
        (Config { ard: 16, ..good }, Setting::Ard),
        (Config { arc: 16, ..good }, Setting::Arc),
        (Config { power: 4, ..good }, Setting::Power),
    ] {
        assert_eq!(bad.check(), Err(Error::Setting(setting)));
    }
}

#[test]
fn where_nobody_listens_it_gives_up_flushes_and_goes_on() {
    let given_up = Rc::new(Cell::new(0));
    let counts = given_up.clone();
    let alone = move |mut radio: pair::Driver, _| async move {
        radio.configure(&Config { arc: 2, ..config(Rate::M2, 5) }, Role::Transmitter).await.unwrap();
        radio.start().unwrap();
        for index in 0..5 {
            assert!(radio.write(&payload(index), false).await.unwrap());
            radio.wait_irq().await.unwrap();
            let events = radio.on_irq().await.unwrap();
            assert!(events.max_rt && !events.sent);
            assert!(radio.is_drained().await.unwrap());
            counts.set(counts.get() + 1);
        }
    };
    let seen = pair::run([FREE; 2], Loss::None, Duration::from_millis(100), alone, |_, _| async {});
    assert_eq!(given_up.get(), 5);
    assert_eq!(seen.lints, []);
}

#[test]
fn lost_frames_are_sent_again_and_none_is_missing_or_double() {
    let inbox = Inbox::default();
    let came = inbox.clone();
    let config = config(Rate::M2, 5);
    let seen = pair::run(
        [FREE; 2],
        Loss::Packet { per: 0.05 },
        Duration::from_secs(1),
        move |radio, task| stream::send(radio, task, config, 1_000, false),
        move |radio, _| stream::receive(radio, config, came),
    );
    let inbox = inbox.borrow();
    assert!(inbox.iter().zip(0..).all(|(octets, index)| octets[..] == payload(index)));
    assert_eq!(inbox.len(), 1_000);
    assert_eq!(seen.lints, []);
}

#[test]
fn a_link_without_auto_ack_carries_payloads_of_32_octets() {
    let config = Config { auto_ack: false, pll_break: true, ..config(Rate::M2, 3) };
    let seen = stream::run(FREE, config, 200, false);
    assert_eq!(seen.lints, []);
    assert!(seen.longest_stay.as_nanos() <= 4_000_000, "{} in TX", seen.longest_stay);
}
