//! Two ends with a pipe between them, in virtual time.

mod datagrams;
mod pipe;
mod streams;
