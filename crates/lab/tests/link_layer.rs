//! The link layer in whole runs: loss, lost links, what is negotiated, who else has the radio.

mod support;

#[path = "link_layer/hang_up.rs"]
mod hang_up;
#[path = "link_layer/watch.rs"]
mod watch;

#[path = "link_layer/ending.rs"]
mod ending;
#[path = "link_layer/hopping.rs"]
mod hopping;
#[path = "link_layer/loss.rs"]
mod loss;
#[path = "link_layer/negotiation.rs"]
mod negotiation;
#[path = "link_layer/radio.rs"]
mod radio;
