//! Output of iperf3 with `-J`.
//!
//! Only `sum_sent` and `sum_received` are read. `sum` mixes the sender's rate with the receiver's time; the published nRF24
//! report read it, so its rates equal what was offered (reference, 0.1). The counts of lost packets are not read either:
//! after `--omit` iperf3 3.12 counts what was lost during the omitted seconds as well, while it counts packets of the
//! measured ones only (`samples/lossy.json`: 1949 lost of 3516 sent, and 2046 arrived). What was lost is what was sent and did not
//! arrive.

use serde::Deserialize;
use thiserror::Error;

/// Reason that the output of iperf3 says nothing.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum Iperf3Error {
    /// It is not the JSON of a finished test.
    #[error("iperf3 did not print the JSON of a finished test: {0}")]
    Form(#[from] serde_json::Error),
    /// iperf3 gave up.
    #[error("iperf3: {0}")]
    Refused(String),
    /// It measured something else than was asked for.
    #[error("iperf3 measured {what} {measured}, not {asked}")]
    Other {
        /// Setting that differs.
        what: &'static str,
        /// Value in the output.
        measured: String,
        /// Value that was asked for.
        asked: String,
    },
}

/// Totals that both ends of a test counted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Totals {
    /// Octets that left the sending application.
    pub sent: Sent,
    /// Octets that the receiving application got.
    pub received: Sent,
    /// Segments that TCP sent again; none of UDP, or where the sender's system does not say.
    pub retransmits: Option<u64>,
}

/// One end's count.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
pub struct Sent {
    /// Octets of payload.
    pub bytes: u64,
    /// Seconds by the clock of that end.
    pub seconds: f64,
}

impl Sent {
    /// 10³ bits of payload per second.
    pub fn kbps(&self) -> f64 {
        if self.seconds > 0.0 { self.bytes as f64 * 8e-3 / self.seconds } else { 0.0 }
    }
}

/// A test as it was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Iperf3 {
    /// UDP with this many octets of payload, or TCP.
    pub payload: Option<usize>,
    /// Set if the server sends.
    pub reverse: bool,
    /// Seconds that count.
    pub seconds: u32,
    /// Seconds before them.
    pub omit: u32,
}

#[derive(Deserialize)]
struct Document {
    error: Option<String>,
    start: Start,
    end: EndOfRun,
}

#[derive(Deserialize)]
struct Start {
    test_start: Option<Test>,
}

#[derive(Deserialize)]
struct Test {
    protocol: String,
    num_streams: u32,
    blksize: usize,
    omit: u32,
    duration: u32,
    reverse: u32,
}

#[derive(Deserialize)]
struct EndOfRun {
    sum_sent: Option<Sum>,
    sum_received: Option<Sum>,
}

#[derive(Deserialize)]
struct Sum {
    #[serde(flatten)]
    sent: Sent,
    retransmits: Option<u64>,
}

impl Iperf3 {
    /// The totals in the JSON that iperf3 printed.
    ///
    /// # Errors
    /// When it printed no JSON, an error, or the figures of another test.
    pub fn read(&self, json: &[u8]) -> Result<Totals, Iperf3Error> {
        let document: Document = serde_json::from_slice(json)?;
        if let Some(error) = document.error {
            return Err(Iperf3Error::Refused(error));
        }
        let (Some(test), Some(sent), Some(received)) =
            (document.start.test_start, document.end.sum_sent, document.end.sum_received)
        else {
            return Err(Iperf3Error::Refused("the test has no end".to_owned()));
        };
        self.check(&test)?;
        Ok(Totals { sent: sent.sent, received: received.sent, retransmits: sent.retransmits })
    }

    fn check(&self, test: &Test) -> Result<(), Iperf3Error> {
        let protocol = if self.payload.is_some() { "UDP" } else { "TCP" };
        same("over", &test.protocol.as_str(), &protocol)?;
        if let Some(payload) = self.payload {
            same("datagrams of", &test.blksize, &payload)?;
        }
        same("streams:", &test.num_streams, &1)?;
        same("reverse", &(test.reverse != 0), &self.reverse)?;
        same("seconds:", &test.duration, &self.seconds)?;
        same("omitted seconds:", &test.omit, &self.omit)
    }
}

fn same<T: PartialEq + ToString>(what: &'static str, measured: &T, asked: &T) -> Result<(), Iperf3Error> {
    match measured == asked {
        true => Ok(()),
        false => Err(Iperf3Error::Other { what, measured: measured.to_string(), asked: asked.to_string() }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const UDP: &[u8] = include_bytes!("samples/udp.json");
    const REVERSE: &[u8] = include_bytes!("samples/udp-reverse.json");
    const TCP: &[u8] = include_bytes!("samples/tcp.json");
    const LOSSY: &[u8] = include_bytes!("samples/lossy.json");
    const QUEUED: &[u8] = include_bytes!("samples/queued.json");
    const REFUSED: &[u8] = include_bytes!("samples/refused.json");

    fn udp(seconds: u32, omit: u32) -> Iperf3 {
        Iperf3 { payload: Some(32), reverse: false, seconds, omit }
    }

    #[test]
    fn a_test_over_loopback() {
        let totals = udp(2, 0).read(UDP).unwrap();
        assert_eq!(totals.sent, Sent { bytes: 49_984, seconds: 2.000058 });
        assert_eq!(totals.received, Sent { bytes: 49_984, seconds: 2.000149 });
        assert_eq!(totals.retransmits, None);
        assert!((totals.received.kbps() - 199.92).abs() < 0.01);
    }

    #[test]
    fn the_receiver_is_the_client_when_the_server_sends() {
        let totals = Iperf3 { reverse: true, ..udp(2, 1) }.read(REVERSE).unwrap();
        assert_eq!(totals.received, Sent { bytes: 50_016, seconds: 1.999978 });
    }

    #[test]
    fn a_stream_has_retransmissions() {
        let tcp = Iperf3 { payload: None, ..udp(2, 0) };
        let totals = tcp.read(TCP).unwrap();
        assert_eq!((totals.sent.bytes, totals.retransmits), (2_621_440, Some(0)));
    }

    #[test]
    fn a_narrow_link_is_seen_at_the_receiver_only() {
        // 300 kbit/s into 400 kbit/s of Ethernet frames of 74 octets: 173 kbit/s of payload.
        let totals = udp(3, 1).read(LOSSY).unwrap();
        assert!((totals.sent.kbps() - 300.0).abs() < 0.1);
        assert!((totals.received.kbps() - 172.9).abs() < 0.1);
        let totals = udp(5, 0).read(QUEUED).unwrap();
        assert!((totals.received.kbps() - 173.7).abs() < 0.1);
        assert!(totals.received.seconds > 5.19);
    }

    #[test]
    fn what_went_wrong_is_said() {
        let error = udp(2, 0).read(REFUSED).unwrap_err().to_string();
        assert!(error.contains("Connection refused"), "{error}");
        let error = udp(2, 0).read(b"Segmentation fault").unwrap_err();
        assert!(matches!(error, Iperf3Error::Form(_)));
        assert!(udp(2, 0).read(&UDP[..UDP.len() / 2]).is_err(), "cut short");
    }

    #[test]
    fn figures_of_another_test_are_refused() {
        for (other, words) in [
            (Iperf3 { payload: None, ..udp(2, 0) }, "over UDP, not TCP"),
            (Iperf3 { payload: Some(64), ..udp(2, 0) }, "datagrams of 32, not 64"),
            (Iperf3 { reverse: true, ..udp(2, 0) }, "reverse false, not true"),
            (udp(20, 0), "seconds: 2, not 20"),
            (udp(2, 3), "omitted seconds: 0, not 3"),
        ] {
            let error = other.read(UDP).unwrap_err().to_string();
            assert!(error.contains(words), "{error}");
        }
    }
}
