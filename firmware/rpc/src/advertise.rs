//! Advertises until somebody connects.

use trouble_host::advertise::{
    AdStructure, Advertisement, AdvertisementParameters, BR_EDR_NOT_SUPPORTED, LE_GENERAL_DISCOVERABLE,
};
use trouble_host::connection::Connection;
use trouble_host::peripheral::Peripheral;
use trouble_host::prelude::{DefaultPacketPool, Uuid};
use trouble_host::{BleHostError, Controller};

use crate::attributes::{NAME, SERVICE};

/// Octets of advertising or scan response data. Core 6.0, Vol 6, Part B, 2.3.1.
const DATA_OCTETS: usize = 31;

/// Waits for the next connection: flags and the service in the advertisement, the name in the scan response, as the published
/// firmware has it.
///
/// # Errors
/// When the controller fails.
pub(crate) async fn connections<'s, C: Controller>(
    peripheral: &mut Peripheral<'s, C, DefaultPacketPool>,
) -> Result<Connection<'s, DefaultPacketPool>, BleHostError<C::Error>> {
    let (mut data, mut response) = ([0; DATA_OCTETS], [0; DATA_OCTETS]);
    let Uuid::Uuid128(service) = SERVICE else { defmt::unreachable!() };
    let flags = AdStructure::Flags(LE_GENERAL_DISCOVERABLE | BR_EDR_NOT_SUPPORTED);
    let data_len = AdStructure::encode_slice(&[flags, AdStructure::CompleteServiceUuids128(&[service])], &mut data)?;
    let response_len = AdStructure::encode_slice(&[AdStructure::CompleteLocalName(NAME.as_bytes())], &mut response)?;
    let advertisement = Advertisement::ConnectableScannableUndirected {
        adv_data: &data[..data_len],
        scan_data: &response[..response_len],
    };
    let advertiser = peripheral.advertise(&AdvertisementParameters::default(), advertisement).await?;
    Ok(advertiser.accept().await?)
}
