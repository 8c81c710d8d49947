//! One unit of a stream, as a record names it.

/// One SDU, or one value of the stream characteristic.
///
/// `link` and `lane` are the same at both ends, save that a peripheral has link 0 only; `conn` and
/// `channel` are this end's own numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unit {
    /// Number of the link.
    pub link: usize,
    /// Number of the channel in the order of opening.
    pub lane: usize,
    /// Connection handle.
    pub conn: u16,
    /// Channel identifier; 4 for a value.
    pub channel: u16,
    /// Octets.
    pub octets: u16,
    /// Number in the stream of its lane, from zero. Of an arrived unit shorter than eight octets,
    /// only the low bits that it had room for.
    pub sequence: u64,
}
