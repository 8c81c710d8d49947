//! The identity that clients pin, in a page of the RRAM that nothing serves.

include!(concat!(env!("OUT_DIR"), "/identity.rs"));

/// The seed. Only [`seed`] may read it: the compiler knows what never changes, and may answer a plain read with a copy of the
/// seed among the constants or in the code.
#[allow(unsafe_code, reason = "the page of keys has to be apart from what is served, and from code and constants")]
// SAFETY: `memory.x` gives the section a page of the RRAM that nothing else uses; data that nobody writes may be there.
#[unsafe(link_section = ".identity")]
static IDENTITY: [u8; 32] = SEED;

/// Seed of the identity, read from its page; none when calls are open.
pub(crate) fn seed() -> Option<[u8; 32]> {
    #[allow(unsafe_code, reason = "only a volatile read leaves the seed where it is")]
    // SAFETY: a reference is valid for reads, and what it points to is initialised and never written.
    SEALED.then(|| unsafe { (&raw const IDENTITY).read_volatile() })
}
