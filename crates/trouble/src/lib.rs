//! Bluetooth LE throughput test on [TrouBLE](trouble_host), a Bluetooth host for microcontrollers: the application of
//! `airtime-app`, generic over controller and packet pool. The laboratory and firmware run the same functions.
//!
//! In feature `rpc` there is also the end of remote calls that is called, over GATT: module `rpc`, with a configuration and a witness of
//! its own. Feature `central`, a default, is the end that scans and connects; a peripheral that is built without has TrouBLE built for
//! peripherals alone.
//!
//! Whoever runs it builds a [`Stack`](trouble_host::Stack) with the PSM registered, puts the machine
//! into a [`RefCell`](core::cell::RefCell), and awaits [`run_peripheral`] or [`run_central`]; neither
//! returns unless the controller fails. No allocation: every queue and every buffer is an array in
//! the future, sized by the three constants of [`Desk`].
//!
//! The whole of a peripheral but for its board, which hands over a controller and names a pool:
//!
//! ```
//! use core::cell::RefCell;
//!
//! use airtime_app::{Peripheral, PeripheralConfig};
//! use airtime_trouble::{Desk, Grant, LinkController, Terms, run_peripheral};
//! use trouble_host::{HostResources, PacketPool};
//!
//! /// One connection with one channel, and SDUs of at most 492 octets.
//! async fn serve<P: PacketPool>(controller: impl LinkController, terms: Terms) {
//!     let config = PeripheralConfig { psm: terms.psm, ..PeripheralConfig::default() };
//!     let machine = RefCell::new(Peripheral::new(config));
//!     let desk: Desk<'_, 1, 1, 492> = Desk::new(&machine, &());
//!
//!     let mut resources: HostResources<P, 1, 1> = HostResources::new();
//!     let stack = trouble_host::new(controller, &mut resources).register_l2cap_spsm(terms.psm).build();
//!     // It ends when the controller fails; a board starts anew then.
//!     let _ = run_peripheral(&desk, &stack, &terms, &config.name).await;
//! }
//!
//! // TrouBLE's own terms: credits for as many K-frames as its queue and its pool hold, and one more for each that was taken.
//! let terms = Terms::new(0x0080);
//! assert_eq!((terms.initial_credits, terms.grant), (None, Grant::Every(1)));
//! // A desk is plain memory, known in size before anything runs, and as large as what it has room for.
//! assert!(size_of::<Desk<'_, 1, 1, 492>>() < size_of::<Desk<'_, 2, 1, 492>>());
//! ```
//!
//! The three types to begin with:
//!
//! - [`Desk`]: the machine, and the commands that wait for the tasks which drive TrouBLE
//! - [`Terms`]: MTU, MPS and credits of the channels of one end
//! - [`Witness`]: whoever looks on: a record, a log, or `()`
//!
//! # What can be set, and when
//!
//! | what | where |
//! |---|---|
//! | MTU, MPS, initial credits, when credits are granted | [`Terms`], per run |
//! | connections, channels per connection, longest SDU sent | constants of [`Desk`], and of `HostResources` |
//! | longest SDU received | `PacketPool::MTU`: an SDU is put together in one packet |
//! | packets | the pool's capacity |
//! | SDUs that wait for the application per channel | built in: `TROUBLE_HOST_L2CAP_RX_QUEUE_SIZE` or feature `l2cap-rx-queue-size-*`, default 8 |
//! | events that wait per connection | built in: `TROUBLE_HOST_CONNECTION_EVENT_QUEUE_SIZE`, default 2; one too many is lost, the end of the connection as well, so firmware wants 8 |
//! | signalling PDUs that wait for the controller | built in: `TROUBLE_HOST_L2CAP_TX_QUEUE_SIZE`, default 8 |
//!
//! # What it cannot do
//!
//! Values go as notifications and as write commands; those that are answered are the laboratory's own host's. Encryption and frame space
//! are refused with "unsupported feature or parameter value" (Core 6.0, Vol 1, Part F, 2.17): the one needs the feature `security`; of
//! the other TrouBLE 0.8 leaves the event masked that tells how it ended (Core 6.0, Vol 4, Part E, 7.8.1).
//!
//! # What TrouBLE 0.8 does that an application should know
//!
//! - `send` waits until there are credits for the whole SDU. With a peer that grants the rest of an SDU
//!   once it has seen its beginning, an SDU above MPS − 2 octets is never sent.
//! - Credits are granted for K-frames that have arrived, at the next SDU that the application takes, and not for what it took: an
//!   application slower than the link is sent more than its queue holds. What finds no room there is dropped with a warning, no error,
//!   and its credits are never given back. Taking an SDU waits for a buffer of the controller when a grant is due: few large grants
//!   ([`Grant::Below`]) hold the application up less than many small ones.
//! - The lock of a connection's ACL buffers is not fair: who sends without a pause keeps signalling,
//!   and so credits, from being sent. The senders here let everybody have a turn between two SDUs.
//! - Each connection counts all of the controller's ACL buffers as its own.
//! - A client's queue of notifications has one place unless it is built with more, and one that finds it full takes the place of the
//!   oldest: feature `central` has 16, which are 8 kB of the client, and nothing is built where that is fewer than may have come.
//! - A value is sent once the queue of outgoing PDUs has it, which has 8 places and is the host's: what was sent when a connection ends
//!   has not all left.
//! - A connection update that ends with an error is told to nobody; what is overdue is asked for again.
//! - Built without `connection-params-update` it masks the peer's parameter request, which its controller
//!   then refuses; a request by L2CAP signalling is granted as it stands.
//! - Built for both roles, as in the laboratory, a peripheral whose controller knows the parameter request procedure uses that
//!   and does not come back to L2CAP signalling when the peer refuses it. The image of `firmware/nrf54l15-rpc` is built for one, and
//!   asks by signalling.
#![no_std]
#![warn(missing_docs)]

#[cfg(test)]
extern crate std;

mod advertise;
mod alarm;
mod attributes;
#[cfg(feature = "central")]
mod client;
mod clock;
mod data_length;
mod desk;
mod lane;
mod link;
mod procedures;
mod role;
#[cfg(feature = "rpc")]
pub mod rpc;
mod run;
#[cfg(feature = "central")]
mod scan;
mod terms;
mod update;
mod values;
mod witness;

pub use data_length::suggest_data_length;
pub use desk::Desk;
pub use lane::CHANNEL_FIRST;
pub use run::{LinkController, run_peripheral};
#[cfg(feature = "central")]
pub use run::{ScanController, run_central};
#[cfg(feature = "central")]
pub use scan::NO_CONNECTION;
pub use terms::{Grant, Terms};
pub use witness::Witness;
