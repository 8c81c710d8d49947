//! Looks for a name and connects to who has it.

use core::cell::{Cell, RefCell};
use core::convert::Infallible;

use airtime_app::{Command, Event, Name, Peers};
use airtime_core::Duration;
use embassy_futures::select::{Either, select};
use embassy_sync::blocking_mutex::raw::NoopRawMutex;
use embassy_sync::signal::Signal;
use embassy_time::{Timer, with_timeout};
use trouble_host::advertise::AdStructure;
use trouble_host::central::Central;
use trouble_host::connection::{ConnectConfig, Connection, ScanConfig};
use trouble_host::prelude::{AddrKind, BdAddr, EventHandler};
use trouble_host::scan::{LeAdvReportsIter, Scanner};
use trouble_host::{Address, PacketPool, Stack};

use crate::procedures::requested;
use crate::run::Connections;
use crate::{Desk, ScanController, clock};

/// The handle of a connection that never got one.
pub const NO_CONNECTION: u16 = 0x0fff;

/// Connection failed to be established. Core 6.0, Vol 1, Part F, 2.58.
const FAILED_TO_ESTABLISH: u8 = 0x3e;

/// Time that a peer that was just heard may take to be connected. *Assumed*: the longest advertising interval, 10.24 s
/// (Core 6.0, Vol 4, Part E, 7.8.5), twice.
const CONNECT_TIME: embassy_time::Duration = embassy_time::Duration::from_millis(20_480);

/// Takes advertising reports while TrouBLE runs.
#[derive(Default)]
pub(crate) struct Reports {
    wanted: RefCell<Option<(Name, Peers)>>,
    found: Signal<NoopRawMutex, Address>,
    /// The last one found: a command names it by its address alone.
    last: Cell<Option<Address>>,
}

impl EventHandler for Reports {
    fn on_adv_reports(&self, reports: LeAdvReportsIter<'_>) {
        for report in reports.flatten() {
            let wanted = self.wanted.borrow();
            let Some((name, except)) = wanted.as_ref() else { return };
            let peer = report.addr.into_inner();
            if is_named(report.data, name) && !except.as_slice().contains(&peer) {
                drop(wanted);
                self.wanted.take();
                self.found.signal(Address::new(report.addr_kind, report.addr));
                return;
            }
        }
    }
}

fn is_named(data: &[u8], name: &Name) -> bool {
    AdStructure::decode(data)
        .any(|structure| matches!(structure, Ok(AdStructure::CompleteLocalName(octets)) if octets == name.as_str().as_bytes()))
}

/// Carries out the central's commands that are about no connection. Never returns.
pub(crate) async fn seek<'s, C, P, const LINKS: usize, const CHANNELS: usize, const SDU: usize>(
    desk: &Desk<'_, LINKS, CHANNELS, SDU>,
    stack: &'s Stack<'_, C, P>,
    reports: &Reports,
    connections: &Connections<'s, P, LINKS>,
) -> Infallible
where
    C: ScanController,
    P: PacketPool,
{
    let mut central = stack.central();
    loop {
        match desk.gap.receive().await {
            Command::Scan { name, timeout, except } => {
                let event = match look(&mut central, reports, name, timeout, except).await {
                    Some(found) => Event::Found { peer: found.addr.into_inner() },
                    None => Event::ScanTimeout,
                };
                desk.tell(event);
            }
            Command::Connect { peer, interval, latency, supervision_timeout } => {
                // A peer that no report was heard of is taken to have a public address.
                let known = reports.last.get().filter(|last| last.addr.into_inner() == peer);
                let peer = known.unwrap_or(Address::new(AddrKind::PUBLIC, BdAddr::new(peer)));
                match connect(&mut central, peer, (interval, latency, supervision_timeout)).await {
                    Some(connection) => connections.send(connection).await,
                    None => desk.tell(Event::Disconnected { conn: NO_CONNECTION, reason: FAILED_TO_ESTABLISH }),
                }
            }
            command => desk.refuse(&command),
        }
    }
}

/// Scans for `name` until it is found or time is up, and until the controller has stopped.
async fn look<C, P>(
    central: &mut Central<'_, C, P>,
    reports: &Reports,
    name: Name,
    timeout: Duration,
    except: Peers,
) -> Option<Address>
where
    C: ScanController,
    P: PacketPool,
{
    reports.found.reset();
    reports.wanted.replace(Some((name, except)));
    let mut scanner = Scanner::new(central);
    let Ok(session) = scanner.scan(&ScanConfig::default()).await else {
        // No scan, no report: what is left of the time is waited for, or the test would spin.
        Timer::after(clock::span(timeout)).await;
        return None;
    };
    let found = with_timeout(clock::span(timeout), reports.found.wait()).await.ok();
    reports.wanted.take();
    session.stop().await;
    reports.last.set(found);
    found
}

/// Connects to `peer`; none when no connection came about.
async fn connect<'s, C, P>(
    central: &mut Central<'s, C, P>,
    peer: Address,
    (interval, latency, supervision_timeout): (Duration, u16, Duration),
) -> Option<Connection<'s, P>>
where
    C: ScanController,
    P: PacketPool,
{
    let config = ConnectConfig {
        scan_config: ScanConfig { filter_accept_list: &[peer], ..ScanConfig::default() },
        connect_params: requested((interval, interval), latency, supervision_timeout),
    };
    match select(central.connect(&config), Timer::after(CONNECT_TIME)).await {
        Either::First(connection) => connection.ok(),
        Either::Second(()) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_found_among_other_structures() {
        let name = Name::new("abc").expect("a name");
        assert!(is_named(&[2, 1, 6, 4, 9, b'a', b'b', b'c'], &name));
        assert!(!is_named(&[2, 1, 6, 3, 9, b'a', b'b'], &name), "a part of it");
        assert!(!is_named(&[4, 8, b'a', b'b', b'c'], &name), "a shortened name");
        assert!(!is_named(&[9, 9, b'a'], &name), "cut short");
    }
}
