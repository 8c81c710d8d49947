//! Advertises until somebody connects.

use airtime_app::Name;
use trouble_host::advertise::{
    AdStructure, Advertisement, AdvertisementParameters, BR_EDR_NOT_SUPPORTED, LE_GENERAL_DISCOVERABLE,
};
use trouble_host::connection::Connection;
use trouble_host::peripheral::Peripheral;
use trouble_host::{BleHostError, Controller, PacketPool};

use super::attributes::{SERVICE, uuid};

/// Octets of advertising or scan response data. Core 6.0, Vol 6, Part B, 2.3.1.
const DATA_OCTETS: usize = 31;

/// Waits for the next connection: flags and the service in the advertisement, the name in the scan response, as the published
/// firmware has it.
///
/// # Errors
/// When the controller fails.
pub(super) async fn connection<'s, C: Controller, P: PacketPool>(
    peripheral: &mut Peripheral<'s, C, P>,
    name: &Name,
) -> Result<Connection<'s, P>, BleHostError<C::Error>> {
    let (mut data, mut response) = ([0; DATA_OCTETS], [0; DATA_OCTETS]);
    let flags = AdStructure::Flags(LE_GENERAL_DISCOVERABLE | BR_EDR_NOT_SUPPORTED);
    let service = uuid(SERVICE);
    let data_len = AdStructure::encode_slice(&[flags, AdStructure::CompleteServiceUuids128(&[service])], &mut data)?;
    let name = AdStructure::CompleteLocalName(name.as_str().as_bytes());
    let response_len = AdStructure::encode_slice(&[name], &mut response)?;
    let advertisement = Advertisement::ConnectableScannableUndirected {
        adv_data: &data[..data_len],
        scan_data: &response[..response_len],
    };
    let advertiser = peripheral.advertise(&AdvertisementParameters::default(), advertisement).await?;
    Ok(advertiser.accept().await?)
}
