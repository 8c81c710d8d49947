//! Reasons that BlueZ finds no board, with what to do.

use std::io;

use thiserror::Error;

use super::bus::BusError;

/// Reason that there is no board.
#[derive(Debug, Error)]
pub enum BluezError {
    /// The machine has no system bus.
    #[error("no D-Bus system bus ({0}): start it, or say --address and --psm, which need the kernel alone")]
    NoBus(String),
    /// BlueZ's daemon does not run.
    #[error(
        "BlueZ's daemon does not run: `systemctl start bluetooth`, or say --address and --psm, which need the kernel alone"
    )]
    NoDaemon,
    /// The bus does not let this user talk to BlueZ.
    #[error(
        "the system bus lets this user not talk to BlueZ: being in the group `bluetooth` helps on Debian, else sitting at the machine"
    )]
    NoPermission,
    /// There is no adapter.
    #[error("BlueZ has no adapter: `bluetoothctl list` names those that there are, `rfkill` and `dmesg` say more")]
    NoAdapter,
    /// There is no adapter with the address that was asked for.
    #[error("there is no adapter {wanted}: there {are}")]
    OtherAdapter {
        /// Address that was asked for.
        wanted: String,
        /// Those that there are.
        are: String,
    },
    /// Several adapters are powered, and none is asked for.
    #[error("several adapters are powered: {0}; --adapter ADDRESS says which")]
    Several(String),
    /// The adapter is off.
    #[error("the adapter {0} is off: `bluetoothctl power on`, or `rfkill unblock bluetooth` first")]
    Off(String),
    /// Nobody advertises under the name.
    #[error(
        "nobody advertises as `{name}` ({heard}); --name says who is meant, and one that is connected already does not advertise"
    )]
    NotFound {
        /// Name that was looked for.
        name: String,
        /// Names that were heard instead.
        heard: String,
    },
    /// The connection does not come about, or does not last.
    #[error("`{name}` was found, and does not connect: {why}; it may be out of reach, or take no more connections")]
    Unconnected {
        /// Name of the board.
        name: String,
        /// Reason that BlueZ gives.
        why: String,
    },
    /// The board has gone while it was asked.
    #[error("`{0}` has gone while its services were read: power, distance, or a crash of it")]
    Gone(String),
    /// Its services are not found out.
    #[error(
        "`{0}` is connected, and its services are not found out: `bluetoothctl remove ADDRESS` makes BlueZ forget what it knew of it"
    )]
    Unresolved(String),
    /// The board publishes no PSM.
    #[error("`{0}` has no service that publishes a PSM; --psm 0x0080 opens the channel without it")]
    NoPsm(String),
    /// The board has no stream of values.
    #[error(
        "`{0}` has no characteristic of the test's stream: it runs another program, or `bluetoothctl remove ADDRESS` makes BlueZ forget what it was"
    )]
    NoStream(String),
    /// The board has no remote calls.
    #[error(
        "`{0}` has no characteristic of remote calls: it runs another program, or `bluetoothctl remove ADDRESS` makes BlueZ forget what it was"
    )]
    NoCalls(String),
    /// BlueZ takes no advertisement or no service of this program.
    #[error(
        "BlueZ does not take {method} ({why}): `bluetoothctl show` says which roles and how many advertisements the adapter has left"
    )]
    Unadvertised {
        /// Method that it refuses.
        method: &'static str,
        /// Reason that it gives.
        why: String,
    },
    /// BlueZ advertises no more.
    #[error("BlueZ advertises no more: the adapter was switched off, or its daemon has ended")]
    Released,
    /// The connection has ended in mid-stream.
    #[error("`{0}` has gone in mid-stream, and BlueZ does not say why: power, distance, or a crash of it")]
    Left(String),
    /// The board wants to be paired with.
    #[error("`{0}` wants an encrypted connection: `bluetoothctl pair ADDRESS` first")]
    Pairing(String),
    /// Somebody has asked to stop.
    #[error("stopped")]
    Stopped,
    /// Something else went wrong.
    #[error("BlueZ: {0}")]
    Bus(BusError),
    /// The system refuses to wait.
    #[error("cannot wait: {0}")]
    Wait(#[from] io::Error),
}

impl From<BusError> for BluezError {
    fn from(error: BusError) -> Self {
        match &error {
            BusError::Stopped => Self::Stopped,
            BusError::NoBus(why) => Self::NoBus(why.clone()),
            // The bus itself: D-Bus specification, "Message Bus Messages"; spawning fails in words of its own (…Spawn.ChildExited).
            BusError::Refused { name, .. }
                if name.ends_with(".ServiceUnknown")
                    || name.ends_with(".NameHasNoOwner")
                    || name.contains(".Spawn.") =>
            {
                Self::NoDaemon
            }
            BusError::Refused { name, .. } if name == "org.freedesktop.DBus.Error.AccessDenied" => Self::NoPermission,
            _ => Self::Bus(error),
        }
    }
}
