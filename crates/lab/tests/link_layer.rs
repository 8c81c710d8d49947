//! The link layer in whole runs: loss, lost links, what is negotiated, who else has the radio.

mod hang_up;
mod watch;

mod changes;
mod ending;
mod hopping;
mod loss;
mod misses;
mod negotiation;
mod radio;
mod sharing;
