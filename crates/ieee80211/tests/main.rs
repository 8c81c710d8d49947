//! The tests of this package, one program: each more would be linked, and compiled in part, anew.

mod air;
mod air_published;
mod espnow;
mod fuzzing;
mod ieee80211;
mod never_panics;
mod radiotap;
mod txop;
