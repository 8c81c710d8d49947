//! The peripheral, from a stack whose host is to be started on.

use airtime_app::Address;
use airtime_rpc::crypto::ServerSecrets;
use airtime_rpc::{COMPATIBLE_FRAME_MAX, Service};
use bt_hci::cmd::le::{LeConnUpdate, LeReadLocalSupportedFeatures, LeWriteSuggestedDefaultDataLength};
use bt_hci::controller::{ControllerCmdAsync, ControllerCmdSync};
use embassy_futures::join::join;
use embassy_futures::select::{Either, select};
use trouble_host::{BleHostError, Controller, PacketPool, Stack};

use super::advertise;
use super::attributes::Frames;
use super::line::Line;
use super::{Config, Witness};
use crate::{clock, suggest_data_length};

/// Controller for a peripheral that is called: the commands that it must know.
pub trait CalledController:
    Controller
    + ControllerCmdSync<LeReadLocalSupportedFeatures>
    + ControllerCmdSync<LeWriteSuggestedDefaultDataLength>
    + ControllerCmdAsync<LeConnUpdate>
{
}

impl<C> CalledController for C where
    C: Controller
        + ControllerCmdSync<LeReadLocalSupportedFeatures>
        + ControllerCmdSync<LeWriteSuggestedDefaultDataLength>
        + ControllerCmdAsync<LeConnUpdate>
{
}

/// Serves one connection after another with `service` on `stack`, which has room for one connection. `secrets` is asked once per
/// connection, before its first frame; `store` keeps the last frame written, where nobody reads it. A request has at most
/// `OCTETS` octets.
///
/// # Errors
/// When the controller fails, or `secrets` does; it does not return otherwise.
pub async fn run_called<const OCTETS: usize, C, P, V>(
    stack: &Stack<'_, C, P>,
    config: &Config,
    service: &mut V,
    mut secrets: impl AsyncFnMut(Address) -> Result<ServerSecrets, BleHostError<C::Error>>,
    store: &mut [u8; COMPATIBLE_FRAME_MAX],
    witness: &dyn Witness,
) -> Result<(), BleHostError<C::Error>>
where
    C: CalledController,
    P: PacketPool,
    V: Service,
{
    let frames = Frames::new(&config.name, store);
    let calls = async {
        let mut peripheral = stack.peripheral();
        loop {
            let connection = advertise::connection(&mut peripheral, &config.name).await?;
            let (conn, peer) = (connection.handle().raw(), connection.peer_address().addr.into_inner());
            let interval = clock::interval(connection.params().conn_interval);
            witness.connected(clock::now(), conn, peer, interval);
            let secrets = secrets(peer).await?;
            let connection = connection.with_attribute_server(&frames.table)?;
            // The central decides; one that refuses stays where it is.
            if let Err(error) = connection.raw().update_connection_params(stack, &config.wanted.params()).await {
                witness.update_refused(clock::now(), conn, &error);
            }
            let line: Line<'_, V, OCTETS> = Line::new(config.server, config.frame, service, witness);
            line.serve(&connection, &frames, secrets).await;
        }
    };
    let suggest = async {
        if let Err(error) = suggest_data_length(stack, config.data_octets).await {
            witness.data_length_refused(clock::now(), &error);
        }
    };
    let mut runner = stack.runner();
    match select(runner.run(), join(calls, suggest)).await {
        Either::First(result) => result,
        Either::Second((result, ())) => result,
    }
}
