//! The sender's contexts.

use super::fields::{Static, compress};
use super::{CONTEXTS, HEADER_MAX, SETS_CONTEXT};

/// Whole headers at the start of a context: one may be lost. *Assumed*.
const WHOLE: u8 = 2;

/// Form in which a packet travels.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::tunnel) enum Form {
    /// Plain: the packet as it is.
    Plain,
    /// Plain, behind this octet, which sets a context.
    SetsContext(u8),
    /// Compressed: the packet with another header.
    Compressed {
        /// The header, of which `len` octets count.
        header: [u8; HEADER_MAX],
        /// Length of that header in octets.
        len: usize,
        /// Octets of the header that it stands for.
        headers: usize,
    },
}

#[derive(Clone, Copy, Debug)]
struct Context {
    fields: Static,
    whole: u8,
    used: u64,
}

/// The sender's contexts.
#[derive(Debug, Default)]
pub(in crate::tunnel) struct Compressor {
    contexts: [Option<Context>; CONTEXTS],
    packets: u64,
}

impl Compressor {
    /// Form in which a packet shall travel.
    pub(in crate::tunnel) fn form(&mut self, packet: &[u8]) -> Form {
        let Some((fields, headers)) = Static::of(packet) else { return Form::Plain };
        self.packets += 1;
        let known = self.contexts.iter().position(|context| context.is_some_and(|known| known.fields == fields));
        let at = known.unwrap_or_else(|| self.oldest());
        let context = match &mut self.contexts[at] {
            Some(context) if known.is_some() => context,
            other => other.insert(Context { fields, whole: WHOLE, used: 0 }),
        };
        context.used = self.packets;
        if context.whole > 0 {
            context.whole -= 1;
            return Form::SetsContext(SETS_CONTEXT + at as u8);
        }
        let (header, len) = compress(at as u8, packet, headers);
        Form::Compressed { header, len, headers }
    }

    /// The receiver does not have this context.
    pub(in crate::tunnel) fn refresh(&mut self, context: u8) {
        if let Some(Some(context)) = self.contexts.get_mut(usize::from(context)) {
            context.whole = WHOLE;
        }
    }

    /// A free context, or the one that was not used for longest.
    fn oldest(&self) -> usize {
        let used = |at: &usize| self.contexts[*at].map_or(0, |context| context.used);
        (0..CONTEXTS).min_by_key(used).unwrap_or_default()
    }
}
