//! Trust in a server.

use std::cell::Cell;
use std::rc::Rc;

use airtime_ble::host::Address;
use airtime_rpc::client::Terms;
use airtime_rpc::crypto::KeyStore as _;

use super::JobError;
use crate::address::written;
use crate::rpc::{Acquaintance, KnownKeys};

/// Trust of a job: the servers that it takes. A pinned key is the client's to check, before the connection stands.
#[derive(Debug)]
pub enum Trust {
    /// Any: nothing is encrypted, the key is pinned, or the server is virtual and its key of no account.
    Any,
    /// One that was never met, and is remembered; or one that has the key that is known.
    FirstUse(KnownKeys),
    /// Any, in the open; one whose key is known is named.
    Open {
        /// Keys of servers met before.
        keys: KnownKeys,
        /// Server whose key is known, once one was met.
        known: Option<String>,
    },
}

/// Peer that a client is connected to, shared with whoever makes its secrets.
#[derive(Clone, Debug, Default)]
pub struct Peer(Rc<Cell<(u64, Address)>>);

impl Peer {
    /// A connection to `address` stands.
    pub fn meet(&self, address: Address) {
        self.0.set((self.met() + 1, address));
    }

    /// Connections so far.
    pub fn met(&self) -> u64 {
        self.0.get().0
    }

    /// The last address as people write it; none without a connection.
    pub fn address(&self) -> Option<String> {
        let (met, address) = self.0.get();
        (met > 0).then(|| written(address))
    }
}

impl Trust {
    /// Looks at whom the connection is with, before anything is called.
    pub(super) fn accept(&mut self, peer: &Peer, terms: &Terms) -> Result<(), JobError> {
        let server = peer.address().unwrap_or_default();
        if let Self::Open { keys, known } = self {
            *known = keys.known(server.as_bytes()).map(|_| server);
            return Ok(());
        }
        let (Self::FirstUse(keys), Some(shown)) = (self, terms.identity) else { return Ok(()) };
        let file = keys.path().display().to_string();
        match keys.look(&server, &shown) {
            Acquaintance::Known => Ok(()),
            Acquaintance::Changed(known) => Err(JobError::Changed { server, shown, known, file }),
            Acquaintance::Stranger => {
                keys.remember(server.as_bytes(), shown).map_err(|source| JobError::Forgetful { file, source })
            }
        }
    }
}

impl Trust {
    /// Sentence on what was done without looking at a key that is known.
    pub(super) fn remark(&self) -> Option<String> {
        let Self::Open { known: Some(server), keys } = self else { return None };
        Some(format!(
            "the key of {server} is known ({}), and it was called in the open all the same: nothing tells that it is the same server; \
             leave out --open",
            keys.path().display()
        ))
    }
}

#[cfg(test)]
mod tests {
    use airtime_rpc::client::Mode;

    use super::*;

    fn terms(identity: Option<[u8; 32]>) -> Terms {
        let mode = Mode::Compatible;
        Terms { mode, identity, seals: false, max_request: 12_288, max_response: 65_535, outstanding: 1, frame: 244 }
    }

    #[test]
    fn a_server_whose_key_is_known_is_not_called_in_the_open_without_a_word() {
        let folder = tempfile::tempdir().unwrap();
        let mut keys = KnownKeys::open(&folder.path().join("known")).unwrap();
        keys.remember(b"C0:00:5E:00:00:01", [7; 32]).unwrap();
        let (mut trust, peer) = (Trust::Open { keys, known: None }, Peer::default());
        peer.meet([2, 0, 0, 0x5e, 0, 0xc0]);
        trust.accept(&peer, &terms(None)).unwrap();
        assert_eq!(trust.remark(), None, "a stranger");
        peer.meet([1, 0, 0, 0x5e, 0, 0xc0]);
        trust.accept(&peer, &terms(None)).unwrap();
        let remark = trust.remark().unwrap();
        assert!(remark.contains("the key of C0:00:5E:00:00:01 is known") && remark.contains("--open"), "{remark}");
    }

    #[test]
    fn the_first_meeting_counts() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("known");
        let mut trust = Trust::FirstUse(KnownKeys::open(&path).unwrap());
        let peer = Peer::default();
        peer.meet([1, 0, 0, 0x5e, 0, 0xc0]);
        trust.accept(&peer, &terms(None)).unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "", "an open server has no key");
        trust.accept(&peer, &terms(Some([7; 32]))).unwrap();
        trust.accept(&peer, &terms(Some([7; 32]))).unwrap();
        let error = trust.accept(&peer, &terms(Some([8; 32]))).unwrap_err();
        assert!(matches!(&error, JobError::Changed { server, .. } if server == "C0:00:5E:00:00:01"), "{error}");
        let mut later = Trust::FirstUse(KnownKeys::open(&path).unwrap());
        assert!(later.accept(&peer, &terms(Some([8; 32]))).is_err());
        peer.meet([2, 0, 0, 0x5e, 0, 0xc0]);
        later.accept(&peer, &terms(Some([8; 32]))).unwrap();
    }
}
