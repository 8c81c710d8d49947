//! Remote calls on TrouBLE: the called end, frames over GATT, one connection at a time.
//!
//! Whoever runs it builds a [`Stack`] with room for one connection and awaits [`run_called`], which does not return unless the
//! controller fails. It takes what a board has and a run of the laboratory has otherwise: the service with its memory, where secrets
//! come from, and a [`Witness`]. Time is that of embassy's driver. The client is another's: there is none here.
//!
//! ```
//! use airtime_rpc::COMPATIBLE_FRAME_MAX;
//! use airtime_rpc::crypto::ServerSecrets;
//! use airtime_rpc::server::ServerConfig;
//! use airtime_rpc::service::{PatternFlash, TestService};
//! use airtime_trouble::rpc::{CalledController, Config, run_called};
//! use trouble_host::{HostResources, PacketPool};
//!
//! /// Requests of up to 512 octets, as the image of a board takes them.
//! async fn serve<P: PacketPool>(controller: impl CalledController) {
//!     let mut resources: HostResources<P, 1, 0> = HostResources::new();
//!     let stack = trouble_host::new(controller, &mut resources).build();
//!     let config = Config::published(ServerConfig { max_request: 512, ..ServerConfig::default() });
//!     let mut service = TestService::new(PatternFlash::new(1 << 18));
//!     // Nobody asks for secrets where calls are open; a board that seals them draws from its controller.
//!     let secrets = async |_peer| Ok(ServerSecrets { identity: [0; 32], ephemeral: [0; 32], nonce: [0; 12] });
//!     let mut store = [0; COMPATIBLE_FRAME_MAX];
//!     // It ends when the controller fails; a board starts anew then.
//!     let _ = run_called::<512, _, _, _>(&stack, &config, &mut service, secrets, &mut store, &()).await;
//! }
//! ```
//!
//! # What TrouBLE 0.8 does with frames
//!
//! - A notification waits in a queue of eight for a buffer of the controller, however many those are, and the ninth with whoever
//!   empties it: the server makes a frame when there is room in the queue, so nine are ready beside what the controller has.
//! - A frame for which the pool has no packet is not sent, with an error and nothing else: a pool of 32 has one for both queues.
//! - A notification to a client that has not subscribed is dropped without an error.

mod advertise;
mod attributes;
mod config;
mod line;
mod run;
mod witness;

#[cfg(doc)]
use trouble_host::Stack;

pub use config::{Config, Wanted};
pub use run::{CalledController, run_called};
pub use witness::Witness;
