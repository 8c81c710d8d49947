//! TrouBLE in whole runs, beside the lab's own host on the same parameters: what it carries, what its
//! books say, where it stands still, what it leaves behind.

mod support;

#[path = "trouble/hosts.rs"]
mod hosts;

#[path = "trouble/books.rs"]
mod books;
#[path = "trouble/goodput.rs"]
mod goodput;
#[path = "trouble/hazard.rs"]
mod hazard;
#[path = "trouble/links.rs"]
mod links;
#[path = "trouble/lost.rs"]
mod lost;
#[path = "trouble/stream.rs"]
mod stream;
#[path = "trouble/threads.rs"]
mod threads;
