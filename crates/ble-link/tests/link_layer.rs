//! The link layer in whole runs: loss, lost links, what is negotiated, who else has the radio.

mod cut_stream;
mod hang_up;
mod watch;

mod changes;
mod channels;
mod ending;
mod event_limits;
mod hopping;
mod level;
mod light;
mod loss;
mod misses;
mod negotiation;
mod pools;
mod radio;
mod sharing;
mod spread;
