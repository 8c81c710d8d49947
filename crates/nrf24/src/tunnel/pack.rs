//! A packet as it travels: compressed, with its check, sealed.

use super::Tunnel;
use super::compression::Form;
use super::integrity::{CHECK, check};
use super::ip::Outline;
use super::seal::{COUNTER, TAG};
use super::stage::{FRONT, Shares};
use crate::trace::DropPoint;

impl Tunnel {
    /// Overhead of the tunnel on a packet, in octets.
    pub(super) fn overhead(&self) -> usize {
        CHECK + if self.seal.is_some() { COUNTER + TAG } else { 0 }
    }

    /// Turns the packet of `len` octets in the stage's room, behind [`FRONT`], into what travels; what is where.
    ///
    /// # Errors
    /// The point where it is dropped, if it cannot be sent.
    pub(super) fn pack(&mut self, len: usize) -> Result<Shares, DropPoint> {
        if self.seal.as_ref().is_some_and(|seal| seal.is_exhausted()) {
            return Err(DropPoint::Authentication);
        }
        let (own, peer) = self.agreement.epochs();
        let compresses = self.agreement.terms().is_some_and(|terms| terms.compression);
        let room = self.stage.room();
        let packet = &room[FRONT..FRONT + len];
        let sum = check(packet).to_le_bytes();
        let outline = Outline::of(packet).ok_or(DropPoint::Malformed)?;
        let form = if compresses { self.compressor.form(packet) } else { Form::Plain };
        let payload = FRONT + usize::from(outline.headers);
        let headers = match form {
            Form::Plain => FRONT,
            Form::SetsContext(octet) => {
                room[FRONT - 1] = octet;
                FRONT - 1
            }
            Form::Compressed { header, len, headers } => {
                let payload = FRONT + headers;
                room[payload - len..payload].copy_from_slice(&header[..len]);
                payload - len
            }
        };
        let end = FRONT + len;
        room[end..end + CHECK].copy_from_slice(&sum);
        let mut shares = Shares { from: headers, headers, payload, end, to: end + CHECK };
        if let (Some(seal), Some(peer)) = (&mut self.seal, peer) {
            shares.from = headers - COUNTER;
            shares.to = shares.from + seal.seal(&mut room[shares.from..], shares.to - shares.from, own, peer);
        }
        Ok(shares)
    }

    /// Turns what has travelled into the packet, written to `packet`; its length.
    pub(super) fn unpack(&mut self, octets: usize, packet: &mut [u8]) -> Result<usize, DropPoint> {
        let octets = self.reassembly.octets(octets);
        let (own, peer) = self.agreement.epochs();
        let opened = match (&mut self.seal, peer) {
            (Some(seal), Some(peer)) => seal.open(octets, peer, own).ok_or(DropPoint::Authentication)?,
            (Some(_), None) => return Err(DropPoint::Authentication),
            (None, _) => octets,
        };
        let (octets, sum) = opened.split_last_chunk::<CHECK>().ok_or(DropPoint::Malformed)?;
        self.decompressor.restore(octets, u16::from_le_bytes(*sum), packet)
    }
}
