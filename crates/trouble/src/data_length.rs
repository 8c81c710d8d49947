//! The data length of new connections.

use bt_hci::cmd::le::LeWriteSuggestedDefaultDataLength;
use bt_hci::controller::ControllerCmdSync;
use trouble_host::{BleHostError, Controller, PacketPool, Stack};

/// Time of 251 octets on LE Coded with eight symbols a bit: the octets are what limits a PDU. Core 6.0,
/// Vol 4, Part E, 7.8.35.
const TX_TIME_MAX_US: u16 = 17_040;

/// Has the controller send PDUs of `octets`, 27..=251, once a peer takes them, whoever asks.
///
/// TrouBLE leaves the suggested length at 27 octets: a peripheral that asks for nothing would send in PDUs of 27 octets,
/// whatever the central asked for (Core 6.0, Vol 6, Part B, 4.5.10).
///
/// # Errors
/// When the controller fails or refuses; the length stays as it is then.
pub async fn suggest_data_length<C, P>(stack: &Stack<'_, C, P>, octets: u16) -> Result<(), BleHostError<C::Error>>
where
    C: Controller + ControllerCmdSync<LeWriteSuggestedDefaultDataLength>,
    P: PacketPool,
{
    stack.command(LeWriteSuggestedDefaultDataLength::new(octets, TX_TIME_MAX_US)).await
}
