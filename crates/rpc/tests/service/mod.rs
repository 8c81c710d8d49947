//! The test service, asked by hand.

mod bulk;
mod messages;
mod methods;
mod window;
