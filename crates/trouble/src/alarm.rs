//! Wakes the machine at its deadline.

use airtime_app::Event;
use embassy_futures::select::select;
use embassy_time::Timer;

use crate::{Desk, clock};

/// Never returns.
pub(crate) async fn alarm<const LINKS: usize, const CHANNELS: usize, const SDU: usize>(
    desk: &Desk<'_, LINKS, CHANNELS, SDU>,
) -> core::convert::Infallible {
    loop {
        match desk.deadline() {
            Some(due) if due <= clock::now() => {
                desk.tell(Event::Wake);
                assert!(desk.deadline() != Some(due), "a machine woken at its deadline has a later one or none");
            }
            Some(due) => {
                select(Timer::at(clock::timer(due)), desk.rearm.wait()).await;
            }
            None => desk.rearm.wait().await,
        }
    }
}
