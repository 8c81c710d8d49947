//! Credits of L2CAP channels, followed by whoever hears both ends. Core 6.0, Vol 3, Part A, 4.22 to 4.26 and 10.1.
//!
//! Each end gives the other credits for the channel identifiers it has chosen itself, and spends one for every K-frame
//! it sends to an identifier of the other end. So an account is a receiving end and an identifier of its own.

use airtime_ble::ll::pdu::LLID_START;
use airtime_core::bytes::Reader;

/// Accounts of one link; what is opened beyond is not followed.
const ACCOUNTS_MAX: usize = 64;
/// Octets of one signalling PDU that are put together from fragments.
const SIGNALLING_MAX: usize = 64;

const CID_SIGNALLING: u16 = 0x0005;
const CID_DYNAMIC: u16 = 0x0040;

// Codes of signalling PDUs: Core 6.0, Vol 3, Part A, 4, table 4.2.
const DISCONNECTION_RSP: u8 = 0x07;
const LE_CONNECTION_REQ: u8 = 0x14;
const LE_CONNECTION_RSP: u8 = 0x15;
const CREDIT_IND: u8 = 0x16;
const CONNECTION_REQ: u8 = 0x17;
const CONNECTION_RSP: u8 = 0x18;

/// Credits that one end has for one channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Account {
    /// The end that gave them and receives: 0 the central, 1 the peripheral.
    pub receiver: usize,
    /// Its channel identifier.
    pub cid: u16,
    /// Number of credits left.
    pub credits: u64,
    /// Set once the channel is gone.
    pub closed: bool,
}

/// The accounts of one link.
#[derive(Clone, Debug, Default)]
pub struct Credits {
    accounts: Vec<Account>,
    /// The running signalling PDU of each direction, with its basic header.
    signalling: [Vec<u8>; 2],
    /// Identifier and channel of the last request of each end, which may be refused.
    asked: [Option<(u8, u16)>; 2],
}

impl Credits {
    /// Takes in the payload of one new PDU, without MIC, that `from` sent; `changed` is told each account that changes.
    pub fn fragment(&mut self, from: usize, llid: u8, payload: &[u8], changed: &mut impl FnMut(Account)) {
        if llid == LLID_START {
            self.signalling[from].clear();
            let mut r = Reader::new(payload);
            match (r.u16(), r.u16()) {
                (Some(_), Some(cid)) if cid >= CID_DYNAMIC => return self.spend(1 - from, cid, changed),
                (Some(_), Some(CID_SIGNALLING)) => {}
                _ => return,
            }
        } else if self.signalling[from].is_empty() {
            return;
        }
        let mut pdu = core::mem::take(&mut self.signalling[from]);
        pdu.extend_from_slice(&payload[..payload.len().min(SIGNALLING_MAX - pdu.len())]);
        let whole = Reader::new(&pdu).u16().is_some_and(|octets| pdu.len() >= 4 + usize::from(octets));
        if whole {
            self.command(from, &pdu[4..], changed);
            pdu.clear();
        }
        self.signalling[from] = pdu;
    }

    fn command(&mut self, from: usize, command: &[u8], changed: &mut impl FnMut(Account)) -> Option<()> {
        let mut r = Reader::new(command);
        let (code, identifier, _octets) = (r.u8()?, r.u8()?, r.u16()?);
        match code {
            // The first field is the SPSM; source CID, MTU, MPS, credits.
            LE_CONNECTION_REQ => {
                let (_, cid, ..) = (r.u16()?, r.u16()?, r.u16()?, r.u16()?);
                self.asked[from] = Some((identifier, cid));
                self.open(from, cid, r.u16()?, changed);
            }
            // Destination CID, MTU, MPS, credits, result.
            LE_CONNECTION_RSP => {
                let (cid, _, _, credits, result) = (r.u16()?, r.u16()?, r.u16()?, r.u16()?, r.u16()?);
                match self.asked[1 - from].take().filter(|(asked, _)| result != 0 && *asked == identifier) {
                    Some((_, refused)) => {
                        let gone = |account: &Account| (account.receiver, account.cid) == (1 - from, refused);
                        self.accounts.retain(|account| !gone(account));
                    }
                    None => self.open(from, cid, credits, changed),
                }
            }
            CREDIT_IND => {
                let (cid, credits) = (r.u16()?, r.u16()?);
                self.change(from, cid, changed, |account| account.credits += u64::from(credits));
            }
            // Behind SPSM, MTU, MPS, credits come the source CIDs; in the response MTU, MPS, credits, result.
            CONNECTION_REQ | CONNECTION_RSP => {
                let words = [r.u16()?, r.u16()?, r.u16()?, r.u16()?];
                let credits = if code == CONNECTION_REQ { words[3] } else { words[2] };
                while let Some(cid) = r.u16() {
                    self.open(from, cid, credits, changed);
                }
            }
            DISCONNECTION_RSP => {
                let (destination, source) = (r.u16()?, r.u16()?);
                for (receiver, cid) in [(from, destination), (1 - from, source)] {
                    self.change(receiver, cid, changed, |account| (account.credits, account.closed) = (0, true));
                    self.accounts.retain(|account| !account.closed);
                }
            }
            _ => {}
        }
        Some(())
    }

    fn open(&mut self, receiver: usize, cid: u16, credits: u16, changed: &mut impl FnMut(Account)) {
        // A refused channel has no identifier.
        if cid < CID_DYNAMIC || self.accounts.len() == ACCOUNTS_MAX {
            return;
        }
        self.accounts.retain(|account| (account.receiver, account.cid) != (receiver, cid));
        let account = Account { receiver, cid, credits: credits.into(), closed: false };
        self.accounts.push(account);
        changed(account);
    }

    fn spend(&mut self, receiver: usize, cid: u16, changed: &mut impl FnMut(Account)) {
        self.change(receiver, cid, changed, |account| account.credits = account.credits.saturating_sub(1));
    }

    /// Credits left to the other end for the channels of `receiver`, the most of any; none without a channel.
    pub fn left(&self, receiver: usize) -> Option<u64> {
        self.accounts.iter().filter(|account| account.receiver == receiver).map(|account| account.credits).max()
    }

    fn change(
        &mut self,
        receiver: usize,
        cid: u16,
        changed: &mut impl FnMut(Account),
        change: impl FnOnce(&mut Account),
    ) {
        let found = self.accounts.iter_mut().find(|account| (account.receiver, account.cid) == (receiver, cid));
        if let Some(account) = found {
            change(account);
            changed(*account);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use airtime_ble::ll::pdu::LLID_CONTINUATION;

    /// Changes when `from` sends these fragments: receiver, identifier, credits.
    fn after(credits: &mut Credits, from: usize, fragments: &[(u8, &[u8])]) -> Vec<(usize, u16, u64)> {
        let mut seen = Vec::new();
        for (llid, payload) in fragments {
            credits.fragment(from, *llid, payload, &mut |a| seen.push((a.receiver, a.cid, a.credits)));
        }
        seen
    }

    const REQUEST: &[u8] = &[14, 0, 5, 0, 0x14, 1, 10, 0, 0x80, 0, 0x40, 0, 0xec, 1, 247, 0, 10, 0];
    const RESPONSE: &[u8] = &[14, 0, 5, 0, 0x15, 1, 10, 0, 0x41, 0, 0xec, 1, 247, 0, 3, 0, 0, 0];

    #[test]
    fn both_ends_give_and_spend() {
        let mut credits = Credits::default();
        assert_eq!(after(&mut credits, 0, &[(LLID_START, REQUEST)]), [(0, 0x40, 10)]);
        assert_eq!(after(&mut credits, 1, &[(LLID_START, RESPONSE)]), [(1, 0x41, 3)]);
        let frame: (u8, &[u8]) = (LLID_START, &[3, 0, 0x41, 0, 1, 0, 9]);
        assert_eq!(after(&mut credits, 0, &[frame, (LLID_CONTINUATION, &[1])]), [(1, 0x41, 2)], "one for a K-frame");
        let grant: (u8, &[u8]) = (LLID_START, &[8, 0, 5, 0, 0x16, 2, 4, 0, 0x41, 0, 5, 0]);
        assert_eq!(after(&mut credits, 1, &[grant]), [(1, 0x41, 7)]);
        assert_eq!((credits.left(0), credits.left(1), Credits::default().left(0)), (Some(10), Some(7), None));
        assert_eq!(after(&mut credits, 0, &[grant]), [], "nobody's channel");
    }

    #[test]
    fn a_refused_channel_has_no_account() {
        let mut credits = Credits::default();
        let refusal = [14, 0, 5, 0, 0x15, 1, 10, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0];
        after(&mut credits, 0, &[(LLID_START, REQUEST)]);
        assert_eq!((after(&mut credits, 1, &[(LLID_START, &refusal)]), credits.left(0)), (Vec::new(), None));
    }

    #[test]
    fn a_signalling_pdu_in_fragments() {
        let mut credits = Credits::default();
        let fragments = [(LLID_START, &REQUEST[..5]), (LLID_CONTINUATION, &REQUEST[5..])];
        assert_eq!(after(&mut credits, 0, &fragments), [(0, 0x40, 10)]);
    }

    #[test]
    fn several_channels_at_once_and_their_end() {
        let mut credits = Credits::default();
        let request = [16, 0, 5, 0, 0x17, 1, 12, 0, 0x80, 0, 64, 0, 64, 0, 4, 0, 0x40, 0, 0x42, 0];
        let response = [16, 0, 5, 0, 0x18, 1, 12, 0, 64, 0, 64, 0, 6, 0, 0, 0, 0x50, 0, 0, 0];
        assert_eq!(after(&mut credits, 0, &[(LLID_START, &request)]), [(0, 0x40, 4), (0, 0x42, 4)]);
        assert_eq!(after(&mut credits, 1, &[(LLID_START, &response)]), [(1, 0x50, 6)], "the second one was refused");
        let end = [8, 0, 5, 0, 0x07, 2, 4, 0, 0x50, 0, 0x40, 0];
        assert_eq!(after(&mut credits, 1, &[(LLID_START, &end)]), [(1, 0x50, 0), (0, 0x40, 0)]);
        assert_eq!(credits.accounts.len(), 1);
    }

    #[test]
    fn a_peer_that_opens_for_ever_fills_nothing() {
        let mut credits = Credits::default();
        for cid in 0x40..0x4000u16 {
            let mut request = REQUEST.to_vec();
            request[10..12].copy_from_slice(&cid.to_le_bytes());
            after(
                &mut credits,
                0,
                &[(LLID_START, &request), (LLID_START, &[0xff, 0, 5, 0]), (LLID_CONTINUATION, &vec![0; 251])],
            );
        }
        assert_eq!(credits.accounts.len(), ACCOUNTS_MAX);
        assert!(credits.signalling[0].len() <= SIGNALLING_MAX);
    }
}
