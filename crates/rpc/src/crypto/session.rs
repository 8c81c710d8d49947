//! Session that follows a key exchange: messages and frames that are sealed, each with a counter of its own.

use core::fmt;

use super::gcm::{COUNTER_OCTETS, Key, NONCE_OCTETS, SEAL_OCTETS, Seal, TAG_OCTETS};
use super::{OpenError, Spent};

/// The directions of nonces: messages of the published protocol take 0 and 1, frames of extended mode 2 and 3, so that one
/// session key serves both.
const MESSAGES: [u8; 2] = [0, 1];
const FRAMES: [u8; 2] = [2, 3];

/// One end of a session. Whole messages and frames of extended mode are counted apart.
#[derive(Clone)]
pub struct Session {
    key: Key,
    messages: Counters,
    frames: Counters,
}

/// Opened octets of a sealed message.
#[derive(Debug, PartialEq, Eq)]
pub struct Opened<'a> {
    /// Its counter, above every one before it in this direction.
    pub counter: u32,
    /// The octets, in place.
    pub octets: &'a mut [u8],
}

impl Session {
    pub(super) const fn client(key: Key) -> Self {
        let [to_server, to_client] = MESSAGES;
        let messages = Counters::new(to_server, to_client);
        let [to_server, to_client] = FRAMES;
        Self { key, messages, frames: Counters::new(to_server, to_client) }
    }

    pub(super) const fn server(key: Key) -> Self {
        let [to_server, to_client] = MESSAGES;
        let messages = Counters::new(to_client, to_server);
        let [to_server, to_client] = FRAMES;
        Self { key, messages, frames: Counters::new(to_client, to_server) }
    }

    /// Begins to seal a message of compatible mode.
    ///
    /// # Errors
    /// When every counter has been used.
    pub fn seal(&mut self) -> Result<Seal, Spent> {
        self.messages.next(&self.key)
    }

    /// Opens a message of compatible mode in place: counter, ciphertext, tag.
    ///
    /// # Errors
    /// Why it was not opened; `sealed` is as it was then.
    pub fn open<'a>(&mut self, sealed: &'a mut [u8]) -> Result<Opened<'a>, OpenError> {
        self.messages.open(&self.key, sealed)
    }

    /// Seals a frame of extended mode in place. Its records are `frame[4..4 + records]`; the counter goes before them and the
    /// tag behind. Says how long the frame is.
    ///
    /// # Errors
    /// When every counter has been used.
    ///
    /// # Panics
    /// When `frame` has no room for the records and [`SEAL_OCTETS`].
    pub fn seal_frame(&mut self, frame: &mut [u8], records: usize) -> Result<usize, Spent> {
        let mut seal = self.frames.next(&self.key)?;
        let (counter, rest) = frame[..records + SEAL_OCTETS].split_at_mut(COUNTER_OCTETS);
        let (records, tag) = rest.split_at_mut(records);
        counter.copy_from_slice(&seal.counter());
        seal.update(records);
        tag.copy_from_slice(&seal.finish());
        Ok(records.len() + SEAL_OCTETS)
    }

    /// Opens a frame of extended mode in place and gives its records. Counters may leave gaps, which are for the caller to judge.
    ///
    /// # Errors
    /// Why it was not opened; `frame` is as it was then.
    pub fn open_frame<'a>(&mut self, frame: &'a mut [u8]) -> Result<Opened<'a>, OpenError> {
        self.frames.open(&self.key, frame)
    }
}

impl fmt::Debug for Session {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Session")
            .field("messages", &self.messages)
            .field("frames", &self.frames)
            .finish_non_exhaustive()
    }
}

/// Counters of both directions of one kind of sealed octets.
#[derive(Clone, Debug)]
struct Counters {
    out: u8,
    back: u8,
    next: u32,
    /// The last one that came.
    last: Option<u32>,
}

impl Counters {
    const fn new(out: u8, back: u8) -> Self {
        Self { out, back, next: 0, last: None }
    }

    fn next(&mut self, key: &Key) -> Result<Seal, Spent> {
        let counter = self.next;
        // The last number is never used, so that the count cannot wrap.
        self.next = counter.checked_add(1).ok_or(Spent)?;
        Ok(key.seal(counter, &nonce(counter, self.out)))
    }

    fn open<'a>(&mut self, key: &Key, sealed: &'a mut [u8]) -> Result<Opened<'a>, OpenError> {
        let (counter, rest) = sealed.split_first_chunk_mut::<COUNTER_OCTETS>().ok_or(OpenError::Length)?;
        let (octets, tag) = rest.split_last_chunk_mut::<TAG_OCTETS>().ok_or(OpenError::Length)?;
        let counter = u32::from_le_bytes(*counter);
        let genuine = key.verify(&nonce(counter, self.back), octets, tag).ok_or(OpenError::NotGenuine)?;
        if self.last.is_some_and(|last| counter <= last) {
            return Err(OpenError::Replayed { counter });
        }
        self.last = Some(counter);
        genuine.open(octets);
        Ok(Opened { counter, octets })
    }
}

fn nonce(counter: u32, direction: u8) -> [u8; NONCE_OCTETS] {
    let mut nonce = [0; NONCE_OCTETS];
    nonce[..COUNTER_OCTETS].copy_from_slice(&counter.to_le_bytes());
    nonce[COUNTER_OCTETS] = direction;
    nonce
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Whoever sends stops at 2^32 - 1, as the published implementation does; whoever receives takes that number too.
    #[test]
    fn no_counter_is_used_twice() {
        let mut session = Session::client(Key::new(&[7; 16]));
        session.messages.next = u32::MAX - 1;
        assert_eq!(session.seal().map(|seal| seal.counter()), Ok([0xFE, 0xFF, 0xFF, 0xFF]));
        for _ in 0..3 {
            assert_eq!(session.seal().map(|_| ()), Err(Spent));
        }
        session.frames.next = u32::MAX;
        let mut frame = [0; 30];
        assert_eq!(session.seal_frame(&mut frame, 10), Err(Spent));
        assert_eq!(frame, [0; 30], "no octet goes out under a counter that does not exist");

        let mut server = Session::server(Key::new(&[7; 16]));
        let mut sealed = [0xFF; 20];
        let tag = server.key.seal(u32::MAX, &nonce(u32::MAX, 0)).finish();
        sealed[4..].copy_from_slice(&tag);
        assert_eq!(server.open(&mut sealed).map(|opened| opened.counter), Ok(u32::MAX));
    }
}
