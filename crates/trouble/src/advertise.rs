//! Advertises when told, and takes the connections that come.

use core::convert::Infallible;

use airtime_app::{Command, Name};
use airtime_core::Duration;
use embassy_futures::select::{Either, select};
use trouble_host::advertise::{
    AdStructure, Advertisement, AdvertisementParameters, BR_EDR_NOT_SUPPORTED, LE_GENERAL_DISCOVERABLE,
};
use trouble_host::peripheral::Peripheral;
use trouble_host::{PacketPool, Stack};

use crate::run::Connections;
use crate::{Desk, LinkController, Terms, clock};

/// Octets of advertising or scan response data. Core 6.0, Vol 6, Part B, 2.3.1.
const DATA_OCTETS: usize = 31;

/// Octets of the flags, and of type and length of the name. Core Specification Supplement, Part A, 1.
const FLAGS_OCTETS: usize = 3;
const NAME_HEADER: usize = 2;

/// Carries out the peripheral's commands that are about no connection. Never returns.
pub(crate) async fn advertise<'s, C, P, const LINKS: usize, const CHANNELS: usize, const SDU: usize>(
    desk: &Desk<'_, LINKS, CHANNELS, SDU>,
    stack: &'s Stack<'_, C, P>,
    terms: &Terms,
    connections: &Connections<'s, P, LINKS>,
) -> Infallible
where
    C: LinkController,
    P: PacketPool,
{
    let mut peripheral = stack.peripheral();
    let mut waiting = None;
    loop {
        let command = match waiting.take() {
            Some(command) => command,
            None => desk.gap.receive().await,
        };
        match command {
            // The stack was built for one PSM; every connection listens on it.
            Command::Listen { psm } if psm == terms.psm => {}
            Command::Advertise { name, interval } => {
                waiting = attend(desk, &mut peripheral, &name, interval, connections).await;
            }
            Command::StopAdvertising => {}
            _ => desk.refuse(&command),
        }
    }
}

/// Advertises until a connection comes or there is a command; gives the command.
async fn attend<'s, C, P, const LINKS: usize, const CHANNELS: usize, const SDU: usize>(
    desk: &Desk<'_, LINKS, CHANNELS, SDU>,
    peripheral: &mut Peripheral<'s, C, P>,
    name: &Name,
    interval: Duration,
    connections: &Connections<'s, P, LINKS>,
) -> Option<Command>
where
    C: LinkController,
    P: PacketPool,
{
    let mut data = [0; DATA_OCTETS];
    let mut response = [0; DATA_OCTETS];
    let (data, response) = structures(name, &mut data, &mut response);
    let params = AdvertisementParameters {
        interval_min: clock::span(interval),
        interval_max: clock::span(interval),
        ..AdvertisementParameters::default()
    };
    let advertisement = Advertisement::ConnectableScannableUndirected { adv_data: data, scan_data: response };
    let Ok(advertiser) = peripheral.advertise(&params, advertisement).await else {
        desk.refuse(&Command::Advertise { name: *name, interval });
        return None;
    };
    match select(advertiser.accept(), desk.gap.receive()).await {
        Either::First(Ok(connection)) => {
            connections.send(connection).await;
            None
        }
        Either::First(Err(_)) => None,
        Either::Second(command) => Some(command),
    }
}

/// Flags and the complete local name; the name is in the scan response where it does not fit.
fn structures<'d>(
    name: &Name,
    data: &'d mut [u8; DATA_OCTETS],
    response: &'d mut [u8; DATA_OCTETS],
) -> (&'d [u8], &'d [u8]) {
    let flags = AdStructure::Flags(LE_GENERAL_DISCOVERABLE | BR_EDR_NOT_SUPPORTED);
    let name = AdStructure::CompleteLocalName(name.as_str().as_bytes());
    let octets = match name {
        AdStructure::CompleteLocalName(name) => name.len(),
        _ => 0,
    };
    let fits = FLAGS_OCTETS + NAME_HEADER + octets <= DATA_OCTETS;
    let (first, second): (&[_], &[_]) = if fits { (&[flags, name], &[]) } else { (&[flags], &[name]) };
    // A name is at most 29 octets, so either way there is room.
    let first = AdStructure::encode_slice(first, data).unwrap_or(0);
    let second = AdStructure::encode_slice(second, response).unwrap_or(0);
    (&data[..first], &response[..second])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lengths(name: &str) -> (usize, usize) {
        let (mut data, mut response) = ([0; DATA_OCTETS], [0; DATA_OCTETS]);
        let (data, response) = structures(&Name::new(name).expect("a name"), &mut data, &mut response);
        (data.len(), response.len())
    }

    #[test]
    fn a_name_goes_where_it_fits() {
        assert_eq!(lengths("nRF54L15_Test"), (3 + 2 + 13, 0));
        assert_eq!(lengths("twenty-six octets of a nam"), (31, 0));
        assert_eq!(lengths("twenty-nine octets of a name."), (3, 31));
    }
}
