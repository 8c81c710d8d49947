//! TrouBLE in whole runs, beside the lab's own host on the same parameters: what it carries, what its
//! books say, where it stands still, what it leaves behind.

mod hosts;

mod books;
mod called;
mod goodput;
mod hazard;
mod links;
mod lost;
mod stream;
mod threads;
mod values;
