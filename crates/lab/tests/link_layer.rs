//! The link layer in whole runs: loss, lost links, what is negotiated, who else has the radio.

mod watch;

mod hopping;
mod loss;
mod negotiation;
mod radio;
