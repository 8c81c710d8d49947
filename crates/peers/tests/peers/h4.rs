//! A host of a few lines: commands out, events in.

use std::io::{Read, Write};
use std::net::TcpStream;

use libtest_mimic::Failed;

use crate::server::PATIENCE;

/// Event codes. Core 6.0, Vol 4, Part E, 7.7.
const DISCONNECTION_COMPLETE: u8 = 0x05;
const REMOTE_VERSION_COMPLETE: u8 = 0x0c;
const COMMAND_COMPLETE: u8 = 0x0e;
const LE_META: u8 = 0x3e;
/// LE Connection Complete, 7.7.65.1.
const CONNECTION_COMPLETE: u8 = 0x01;

/// One host on a socket.
pub struct Host(TcpStream);

impl Host {
    /// Opens the endpoint and resets its controller.
    pub fn open(port: u16) -> Result<Self, Failed> {
        let stream = TcpStream::connect(("127.0.0.1", port))?;
        stream.set_nodelay(true)?;
        stream.set_read_timeout(Some(PATIENCE))?;
        let mut host = Self(stream);
        host.complete(0x0c03, &[])?;
        // LE events are not wanted unless a host says so. 7.3.1.
        host.complete(0x0c01, &[0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x3f])?;
        Ok(host)
    }

    /// The controller's public address.
    pub fn address(&mut self) -> Result<[u8; 6], Failed> {
        let values = self.complete(0x1009, &[])?;
        Ok(values.get(1..7).and_then(|address| address.try_into().ok()).ok_or("an address")?)
    }

    /// Advertises every 20 ms.
    pub fn advertise(&mut self) -> Result<(), Failed> {
        let mut parameters = vec![0x20, 0, 0x20, 0, 0, 0, 0];
        parameters.extend([0; 6]);
        parameters.extend([0b111, 0]);
        self.complete(0x2006, &parameters)?;
        self.complete(0x200a, &[1])?;
        Ok(())
    }

    /// Connects to `peer` every 7.5 ms, with a supervision timeout in units of 10 ms.
    pub fn connect(&mut self, peer: [u8; 6], timeout: u16) -> Result<u16, Failed> {
        let mut parameters = vec![0x10, 0, 0x10, 0, 0, 0];
        parameters.extend(peer);
        parameters.push(0);
        for field in [6, 6, 0, timeout, 0, 0] {
            parameters.extend(u16::to_le_bytes(field));
        }
        self.command(0x200d, &parameters)?;
        self.connected()
    }

    /// Asks the peer's controller for its version: when it has answered, the connection is established.
    pub fn exchange_version(&mut self, handle: u16) -> Result<(), Failed> {
        self.command(0x041d, &handle.to_le_bytes())?;
        self.event(|code, _| code == REMOTE_VERSION_COMPLETE).map(|_| ())
    }

    /// Waits for a connection and gives its handle.
    pub fn connected(&mut self) -> Result<u16, Failed> {
        let event =
            self.event(|code, parameters| code == LE_META && parameters.first() == Some(&CONNECTION_COMPLETE))?;
        match event[..] {
            [_, 0, low, high, ..] => Ok(u16::from_le_bytes([low, high])),
            _ => Err(format!("no connection: {event:02x?}").into()),
        }
    }

    /// Ends the connection and waits until it is over.
    pub fn disconnect(&mut self, handle: u16) -> Result<(), Failed> {
        let [low, high] = handle.to_le_bytes();
        self.command(0x0406, &[low, high, 0x13])?;
        self.disconnected().map(|_| ())
    }

    /// Waits for the end of a connection and gives its reason.
    pub fn disconnected(&mut self) -> Result<u8, Failed> {
        let event = self.event(|code, _| code == DISCONNECTION_COMPLETE)?;
        Ok(*event.get(3).ok_or("a reason")?)
    }

    fn command(&mut self, opcode: u16, parameters: &[u8]) -> Result<(), Failed> {
        let [low, high] = opcode.to_le_bytes();
        let mut packet = vec![0x01, low, high, parameters.len() as u8];
        packet.extend(parameters);
        Ok(self.0.write_all(&packet)?)
    }

    /// Sends a command and gives what it returns, status first.
    fn complete(&mut self, opcode: u16, parameters: &[u8]) -> Result<Vec<u8>, Failed> {
        self.command(opcode, parameters)?;
        let [low, high] = opcode.to_le_bytes();
        let event = self.event(|code, parameters| code == COMMAND_COMPLETE && parameters[1..3] == [low, high])?;
        match event.get(3..) {
            Some(values) if values.first() == Some(&0) => Ok(values.to_vec()),
            _ => Err(format!("command 0x{opcode:04x} failed: {event:02x?}").into()),
        }
    }

    /// The parameters of the next event that is `wanted`; others are passed over.
    fn event(&mut self, wanted: impl Fn(u8, &[u8]) -> bool) -> Result<Vec<u8>, Failed> {
        loop {
            let mut header = [0; 3];
            self.0.read_exact(&mut header)?;
            let mut parameters = vec![0; header[2].into()];
            self.0.read_exact(&mut parameters)?;
            if wanted(header[1], &parameters) {
                return Ok(parameters);
            }
        }
    }
}
