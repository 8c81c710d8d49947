//! Reasons that the system's Bluetooth carries nothing, with what to do.

use thiserror::Error;

/// Reason that there is no board, or none any more.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum NativeError {
    /// The machine has no Bluetooth.
    #[error("this machine has no Bluetooth LE, or its driver is not there")]
    NoAdapter,
    /// Bluetooth is off, or not for this program.
    #[error(
        "Bluetooth is off, or this program may not use it: switch it on, and on macOS let the terminal use it in System Settings, Privacy & \
         Security, Bluetooth"
    )]
    Off,
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
    /// The connection does not come about.
    #[error("`{name}` was found, and does not connect: {why}; it may be out of reach, or take no more connections")]
    Unconnected {
        /// Name of the board.
        name: String,
        /// Reason that the system gives.
        why: String,
    },
    /// The board lacks what was asked for.
    #[error("the board has no characteristic of {0}: it runs another program, or the system remembers what it was")]
    Lacks(&'static str),
    /// It publishes no PSM.
    #[error("the board has no service that publishes a PSM; --psm 0x0080 opens the channel without it")]
    NoPsm,
    /// The system has no channels.
    #[error("Windows has no channels for programs: `airtime hw ble gatt` measures by values")]
    NoChannels,
    /// The channel is not to be had.
    #[error("the channel on PSM 0x{psm:04X} is not opened: {why}; the board's log says on which it listens")]
    Channel {
        /// The PSM.
        psm: u16,
        /// Reason that the system gives.
        why: String,
    },
    /// The board wants to be paired with.
    #[error("the board wants an encrypted connection: pair with it in the system's settings first")]
    Pairing,
    /// The connection has ended in mid-stream.
    #[error("`{0}` has gone in mid-stream, and the system does not say why: power, distance, or a crash of it")]
    Left(String),
    /// The system has not answered.
    #[error("the system has not answered: {0}")]
    Silent(&'static str),
    /// The task that asks the system has ended.
    #[error("the system's Bluetooth has gone")]
    Lost,
    /// Something else went wrong.
    #[error("{0}")]
    Other(String),
}
