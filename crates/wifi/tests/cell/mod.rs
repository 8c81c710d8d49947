//! Stations on one channel: timing to the nanosecond, access, A-MPDUs, loss, contention.

mod bianchi;
mod delivery;
mod doze;
mod hearing;
mod promiscuous;
mod published;
mod rates;
mod requests;
mod rts;
mod saturation;
mod sharing;
mod support;
mod timing;
mod txop;
