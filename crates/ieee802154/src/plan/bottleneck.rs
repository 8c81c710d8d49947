//! The sentence about a bottleneck.

use alloc::format;
use alloc::string::String;

use airtime_core::Ledger;

use super::link::Point;
use crate::air::UNIT_BACKOFF;
use crate::ledger::{Account, Books};
use crate::network::Counters;

/// Sentence about the account that cost most of the steady state.
pub fn says(account: Account, ledger: &Ledger<Account>, counted: &Counters, point: &Point) -> String {
    if counted.payload == 0 {
        return format!("Nothing arrived: {}.", silence(counted));
    }
    let share = 100.0 * Books::taken(ledger, account).as_nanos() as f64 / ledger.elapsed().as_nanos().max(1) as f64;
    format!("{share:.0} % of the air: {}.", why(account, counted, point))
}

fn silence(counted: &Counters) -> String {
    match counted.frames {
        0 => format!("no frame was sent, {} assessments of {} found the channel busy", counted.cca_busy, counted.cca),
        frames if counted.overrun > 0 => format!("{frames} frames were sent, and {}", no_room(counted)),
        frames => format!("{frames} frames were sent, {} collided and {}", counted.collisions, lost(counted)),
    }
}

fn why(account: Account, counted: &Counters, point: &Point) -> String {
    let (mac, sender) = (&point.mac, &point.sender);
    match account {
        Account::Backoff => {
            let mean = UNIT_BACKOFF * ((1 << mac.min_be) - 1) / 2;
            format!("the backoff in front of every frame, {mean} on average with min_be {}", mac.min_be)
        }
        Account::Incomplete => {
            if counted.overrun > 0 {
                return no_room(counted);
            }
            let lost = counted.datagrams.saturating_sub(counted.arrived);
            format!("of {} datagrams {lost} never became whole, for want of one of their fragments", counted.datagrams)
        }
        Account::Collision => {
            format!("{} of {} frames collided among {} senders", counted.collisions, counted.frames, sender.stations)
        }
        Account::Loss => format!("of {} frames {}{}", counted.frames, lost(counted), acks(counted)),
        Account::Retransmission => {
            format!(
                "{} of {} frames were sent again, each behind a backoff of its own",
                counted.retries, counted.frames
            )
        }
        Account::OtherStations if sender.hops > 1 => {
            format!("{} senders share the channel, and {} every frame again on it", sender.stations, pass_on(point))
        }
        Account::OtherStations => format!("{} senders share the channel", sender.stations),
        Account::Forwarding => {
            format!("{} every frame again on the same channel", pass_on(point))
        }
        Account::IdleUart => {
            let octets = counted.uart as f64 / counted.handed.max(1) as f64;
            let baud = sender.rcp_baud;
            format!("a frame and its confirmation take {octets:.0} octets on the co-processor's UART of {baud} baud")
        }
        Account::IdleHost => format!("the host takes {} from one frame to the next", sender.load),
        Account::IdleApp => "the application offers less than the link carries".into(),
        other => other.meaning().into(),
    }
}

/// Routers, with their verb.
fn pass_on(point: &Point) -> String {
    match point.sender.hops - 1 {
        1 => "1 router sends".into(),
        routers => format!("{routers} routers send"),
    }
}

fn no_room(counted: &Counters) -> String {
    format!("the receiver's co-processor had no room for {} frames that it acknowledged", counted.overrun)
}

fn lost(counted: &Counters) -> String {
    format!("{} were lost, {} missed and {} damaged", counted.lost, counted.missed, counted.damaged)
}

/// Acknowledgements that did not arrive: their frames have, and are sent again for nothing.
fn acks(counted: &Counters) -> String {
    match counted.acks_lost {
        0 => String::new(),
        lost => format!(", and {lost} acknowledgements, whose frames were sent again for nothing"),
    }
}
