//! Server of the host's requests, and its messages to the host: the start-up event, RPC, updates of this firmware, raw
//! frames.

use airtime_core::{Packet, Pool};
use airtime_esp_hosted::raw::{Firmware, RadioRequest, Service, ServiceOutput, id};
use airtime_esp_hosted::rpc::proto::FirmwareVersion;
use airtime_esp_hosted::rpc::{Body, Event, Message, Port, Request, Response, status};
use airtime_esp_hosted::wire::start::{CoprocessorStart, HostStart, Version, capability, chip};
use airtime_esp_hosted::wire::{Frame, Interface};
use airtime_ieee80211::wire::RxInfo;
use airtime_ota::image::Chip;
use airtime_ota::partition::{COPROCESSOR, Table};
use airtime_ota::slots::{SlotError, Slots};
use alloc::vec::Vec;
use embassy_time::Timer;
use log::{info, warn};

use crate::flash::Flash;
use crate::link::LAYOUT;

/// Interval at which the start-up event is repeated until a host answers: on a UART nobody sees that the other end was
/// switched on.
const ANNOUNCE_MS: u64 = 1_000;
/// `MAX_CUSTOM_MSG_HANDLERS` of the published firmware.
const HANDLERS: usize = 8;

/// Order to be carried out for the host.
pub enum Said {
    /// A frame for it.
    Frame(Packet),
    /// Request to the radio; answered with [`Server::radio_done`].
    Radio(RadioRequest),
    /// It has activated new firmware.
    Restart,
}

/// The server.
pub struct Server {
    pool: Pool,
    port: Port,
    service: Service,
    slots: Option<Slots<Flash>>,
    said: Vec<Said>,
    met: bool,
}

impl Server {
    /// A server that has not met its host.
    pub fn new(flash: Flash) -> Self {
        let slots = Table::parse(COPROCESSOR).ok().and_then(|table| {
            let mut slots = Slots::new(flash, &table, Chip::ESP32_C6, true).ok()?;
            // Without two slots on this flash there are no updates; everything else works.
            slots.adopt().map_err(|error| warn!("no updates: {error}")).ok()?;
            Some(slots)
        });
        let firmware = Firmware::Raw { handlers: HANDLERS, packet_id: id::PROMISCUOUS_PACKET };
        let port = Port::coprocessor(&LAYOUT);
        let mut server =
            Self { pool: Pool::new(), port, service: Service::new(firmware), slots, said: Vec::new(), met: false };
        server.announce();
        server
    }

    /// Waits until the host is to be told again that somebody is here.
    pub async fn due(&self) {
        if self.met {
            core::future::pending::<()>().await;
        }
        Timer::after_millis(ANNOUNCE_MS).await;
    }

    /// Says what this is.
    pub fn announce(&mut self) {
        let start = CoprocessorStart {
            chip: Some(chip::ESP32_C6),
            capabilities: Some(capability::CHECKSUM),
            firmware: Some(self.version()),
            ..CoprocessorStart::default()
        };
        let mut frame = self.pool.packet();
        start.emit(&LAYOUT, &mut frame);
        self.said.push(Said::Frame(frame));
    }

    /// Orders to be carried out, in order.
    pub fn drain(&mut self) -> Vec<Said> {
        while let Some(output) = self.service.poll() {
            match output {
                ServiceOutput::Reply { uid, reply } => self.answer(uid, Response::CustomRpc(reply)),
                ServiceOutput::Event(event) => self.send(&Message::event(Event::CustomRpc(event))),
                ServiceOutput::Radio(request) => self.said.push(Said::Radio(request)),
            }
        }
        core::mem::take(&mut self.said)
    }

    /// The radio has carried out what it was asked.
    pub fn radio_done(&mut self, status: i32) {
        self.service.done(status);
    }

    /// A frame was heard on the air.
    pub fn heard(&mut self, frame: &[u8], info: &RxInfo) {
        self.service.heard(frame, info);
    }

    /// A frame has come from the host.
    pub fn receive(&mut self, frame: &Frame<'_>) {
        match frame.header.interface {
            Interface::Private => match HostStart::parse(frame.payload) {
                Ok(_) => self.meet(),
                Err(error) => warn!("start-up: {error}"),
            },
            Interface::Serial => match self.port.receive(frame) {
                Ok(Some(Message { uid, body: Body::Request(request) })) => self.request(uid, request),
                Ok(_) => {}
                Err(error) => warn!("RPC: {error}"),
            },
            // This firmware joins no network.
            _ => {}
        }
    }

    /// A host is there: what runs works. It is confirmed before the host hears of its version.
    fn meet(&mut self) {
        if let Some(Err(error)) = self.slots.as_mut().map(Slots::confirm) {
            warn!("not confirmed: {error}");
        }
        if !self.met {
            info!("a host is there");
        }
        self.met = true;
        self.send(&Message::event(Event::EspInit(Default::default())));
    }

    fn request(&mut self, uid: u32, request: Request) {
        let id = request.id();
        let response = match request {
            Request::CustomRpc(custom) => return self.service.request(uid, &custom, false),
            Request::GetCoprocessorFwVersion(_) => {
                let Version { major, minor, patch } = self.version();
                let (major1, minor1, patch1) = (major.into(), minor.into(), patch.into());
                Some(Response::GetCoprocessorFwVersion(FirmwareVersion { resp: status::OK, major1, minor1, patch1 }))
            }
            Request::OtaBegin(_) => self.update(id, Slots::begin),
            Request::OtaWrite(write) => self.update(id, |slots| slots.write(&write.ota_data)),
            Request::OtaEnd(_) => self.update(id, Slots::end),
            Request::OtaActivate(_) => {
                let response = self.update(id, Slots::activate);
                if response.as_ref().is_some_and(|response| response.status() == status::OK) {
                    self.respond(uid, response);
                    self.said.push(Said::Restart);
                    return;
                }
                response
            }
            _ => Response::of(id + RESPONSE, status::NOT_SUPPORTED),
        };
        self.respond(uid, response);
    }

    fn update(&mut self, id: u32, step: impl FnOnce(&mut Slots<Flash>) -> Result<(), SlotError>) -> Option<Response> {
        let done = self.slots.as_mut().map(step);
        let status = match done {
            None => status::NOT_SUPPORTED,
            Some(Ok(())) => status::OK,
            Some(Err(error)) => error.code() as i32,
        };
        Response::of(id + RESPONSE, status)
    }

    fn respond(&mut self, uid: u32, response: Option<Response>) {
        if let Some(response) = response {
            self.answer(uid, response);
        }
    }

    fn answer(&mut self, uid: u32, response: Response) {
        self.send(&Message::response(uid, response));
    }

    fn send(&mut self, message: &Message) {
        let (pool, said) = (&self.pool, &mut self.said);
        let sent = self.port.send(message, |header, payload| {
            let mut frame = pool.packet();
            header.emit(&LAYOUT, payload, &mut frame);
            said.push(Said::Frame(frame));
        });
        if let Err(error) = sent {
            warn!("RPC: {error}");
        }
    }

    /// Version of the running firmware, as its description has it; that of the package when it has none.
    fn version(&self) -> Version {
        let running = self.slots.as_ref().and_then(Slots::running);
        let numbers = running.and_then(|running| running.image.description.numbers());
        let [major, minor, patch] = numbers.unwrap_or([0, 1, 0]).map(|number| number as u8);
        Version { major, minor, patch }
    }
}

/// From the number of a request to that of its response.
const RESPONSE: u32 = 256;
