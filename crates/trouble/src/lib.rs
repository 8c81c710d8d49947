//! The test application of `airtime-app` on [TrouBLE](trouble_host), generic over controller and
//! packet pool: the laboratory and firmware run the same functions.
//!
//! Whoever runs it builds a [`Stack`](trouble_host::Stack) with the PSM registered, puts the machine
//! into a [`RefCell`](core::cell::RefCell), and awaits [`run_peripheral`] or [`run_central`]; neither
//! returns unless the controller fails. No allocation: every queue and every buffer is an array in
//! the future, sized by the three constants of [`Desk`].
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
//! GATT is left out, so there is no discovery: a central must be told the PSM
//! ([`CentralConfig::psm`](airtime_app::CentralConfig::psm)); asked to discover it says that there is
//! no service. Encryption and frame space are refused with "unsupported feature or parameter value"
//! (Core 6.0, Vol 1, Part F, 2.17): the one needs the feature `security`; of the other TrouBLE 0.8 leaves
//! the event masked that tells how it ended (Core 6.0, Vol 4, Part E, 7.8.1). An ATT MTU exchange is
//! not started; the MTU as it stands is the answer.
//!
//! # What TrouBLE 0.8 does that an application should know
//!
//! - `send` waits until there are credits for the whole SDU. With a peer that grants the rest of an SDU
//!   once it has seen its beginning, an SDU above MPS − 2 octets is never sent.
//! - The lock of a connection's ACL buffers is not fair: who sends without a pause keeps signalling,
//!   and so credits, from being sent. The senders here let everybody have a turn between two SDUs.
//! - Each connection counts all of the controller's ACL buffers as its own.
//! - A connection update that ends with an error is told to nobody; what is overdue is asked for again.
//! - Built without `connection-params-update` it masks the peer's parameter request, which its controller
//!   then refuses; a request by L2CAP signalling is granted as it stands.
//! - Built for both roles, a peripheral whose controller knows the parameter request procedure uses that
//!   and does not come back to L2CAP signalling when the peer refuses it.
#![no_std]

#[cfg(test)]
extern crate std;

mod advertise;
mod alarm;
mod clock;
mod desk;
mod lane;
mod link;
mod procedures;
mod run;
mod scan;
mod terms;
mod update;
mod witness;

pub use desk::Desk;
pub use lane::CHANNEL_FIRST;
pub use run::{LinkController, ScanController, run_central, run_peripheral};
pub use scan::NO_CONNECTION;
pub use terms::{Grant, Terms};
pub use witness::Witness;
