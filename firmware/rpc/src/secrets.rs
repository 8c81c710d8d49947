//! Secrets of a key exchange, which nobody can guess.

use airtime_rpc::crypto::ServerSecrets;
use bt_hci::cmd::le::LeRand;
use bt_hci::controller::ControllerCmdSync;
use trouble_host::{BleHostError, Controller, PacketPool, Stack};

use crate::identity::seed;

/// Secrets of one connection, from the controller's random number generator, which is the chip's (Core 6.0, Vol 4, Part E,
/// 7.8.23). Without an identity there is no key exchange, and nobody asks for them.
///
/// # Errors
/// When the controller fails.
pub(crate) async fn draw<C, P>(stack: &Stack<'_, C, P>) -> Result<ServerSecrets, BleHostError<C::Error>>
where
    C: Controller + ControllerCmdSync<LeRand>,
    P: PacketPool,
{
    let mut secrets = ServerSecrets { identity: [0; 32], ephemeral: [0; 32], nonce: [0; 12] };
    if let Some(identity) = seed() {
        secrets.identity = identity;
        for part in secrets.ephemeral.chunks_mut(8).chain(secrets.nonce.chunks_mut(8)) {
            let random: [u8; 8] = stack.command(LeRand::new()).await?;
            part.copy_from_slice(&random[..part.len()]);
        }
    }
    Ok(secrets)
}
