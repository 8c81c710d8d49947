//! The data length of new connections.

use bt_hci::cmd::le::LeWriteSuggestedDefaultDataLength;
use bt_hci::controller::ControllerCmdSync;
use defmt::{Debug2Format, warn};
use trouble_host::{Controller, PacketPool, Stack};

/// Has the controller send PDUs of `octets`, 27..=251, once a peer takes them, whoever asks; logs that it cannot.
pub async fn suggest_data_length<C, P>(stack: &Stack<'_, C, P>, octets: u16)
where
    C: Controller + ControllerCmdSync<LeWriteSuggestedDefaultDataLength>,
    P: PacketPool,
{
    if let Err(error) = airtime_trouble::suggest_data_length(stack, octets).await {
        warn!("suggested data length: {}", Debug2Format(&error));
    }
}
