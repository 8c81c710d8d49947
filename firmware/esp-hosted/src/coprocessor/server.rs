//! Server of the host's requests, and its messages to the host: the start-up event, RPC, updates of this firmware, raw frames.

use alloc::collections::VecDeque;

use airtime_core::{Packet, Pool};
use airtime_esp_hosted::raw::{Firmware, RadioRequest, Service, ServiceOutput, id};
use airtime_esp_hosted::rpc::proto::FirmwareVersion;
use airtime_esp_hosted::rpc::{Body, Event, Message, Port, Request, Response, status};
use airtime_esp_hosted::wire::start::{CoprocessorStart, HostStart, Version, capability, extended};
use airtime_esp_hosted::wire::{Frame, Interface};
use airtime_ieee80211::wire::RxInfo;
use airtime_ota::flash::Storage;
use airtime_ota::partition::Table;
use airtime_ota::slots::{SlotError, Slots};
use log::{info, warn};

use super::{Bootloader, Image};
use crate::line::LAYOUT;

/// `MAX_CUSTOM_MSG_HANDLERS` of the published firmware.
const HANDLERS: usize = 8;
/// Frames that wait for the UART before heard ones are lost, and before answers are: a host asks one thing at a time.
const EVENTS_MAX: usize = 16;
const SAID_MAX: usize = 64;
/// From the number of a request to that of its response.
const RESPONSE: u32 = 256;

/// Order to be carried out for the host.
pub enum Said {
    /// A frame for it.
    Frame(Packet),
    /// It has activated new firmware.
    Restart,
}

/// The server.
pub struct Server<S> {
    image: Image,
    pool: Pool,
    port: Port,
    service: Service,
    slots: Option<Slots<S>>,
    said: VecDeque<Said>,
    met: bool,
}

impl<S: Storage> Server<S> {
    /// A server that has not met its host.
    pub fn new(flash: S, image: Image) -> Self {
        let firmware = Firmware::Raw { handlers: HANDLERS, packet_id: id::PROMISCUOUS_PACKET };
        let mut server = Self {
            image,
            pool: Pool::new(),
            port: Port::coprocessor(&LAYOUT),
            service: Service::new(firmware),
            slots: slots(flash, image),
            said: VecDeque::new(),
            met: false,
        };
        server.announce();
        server
    }

    /// True once a host has answered.
    pub fn has_met(&self) -> bool {
        self.met
    }

    /// Says what this is.
    pub fn announce(&mut self) {
        let start = CoprocessorStart {
            // A number of few bits.
            chip: Some(self.image.chip.0 as u8),
            capabilities: Some(capability::CHECKSUM),
            extended: Some(extended::WLAN_UART),
            firmware: Some(self.version()),
            ..CoprocessorStart::default()
        };
        let mut frame = self.pool.packet();
        start.emit(&LAYOUT, &mut frame);
        self.said.push_back(Said::Frame(frame));
    }

    /// Next order, the first one first.
    pub fn poll(&mut self) -> Option<Said> {
        self.said.pop_front()
    }

    /// Next request to the radio; answered with [`radio_done`](Self::radio_done), and to be asked until there is none.
    pub fn request_to_radio(&mut self) -> Option<RadioRequest> {
        while let Some(output) = self.service.poll() {
            match output {
                ServiceOutput::Reply { uid, reply } => self.answer(uid, Response::CustomRpc(reply)),
                // The air is faster than the line.
                ServiceOutput::Event(_) if self.said.len() >= EVENTS_MAX => {}
                ServiceOutput::Event(event) => self.send(&Message::event(Event::CustomRpc(event))),
                ServiceOutput::Radio(request) => return Some(request),
            }
        }
        None
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
                    self.said.push_back(Said::Restart);
                    return;
                }
                response
            }
            _ => Response::of(id + RESPONSE, status::NOT_SUPPORTED),
        };
        self.respond(uid, response);
    }

    fn update(&mut self, id: u32, step: impl FnOnce(&mut Slots<S>) -> Result<(), SlotError>) -> Option<Response> {
        let done = self.slots.as_mut().map(step);
        let status = match done {
            None => status::NOT_SUPPORTED,
            Some(Ok(())) => status::OK,
            Some(Err(error)) => {
                warn!("update: {error}");
                error.code() as i32
            }
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
        if self.said.len() >= SAID_MAX {
            return warn!("the host asks more than the line carries");
        }
        let (pool, said) = (&self.pool, &mut self.said);
        let sent = self.port.send(message, |header, payload| {
            let mut frame = pool.packet();
            header.emit(&LAYOUT, payload, &mut frame);
            said.push_back(Said::Frame(frame));
        });
        if let Err(error) = sent {
            warn!("RPC: {error}");
        }
    }

    /// Version of the running firmware, as its description has it; 0.1.0 when it has none.
    fn version(&self) -> Version {
        let running = self.slots.as_ref().and_then(Slots::running);
        let numbers = running.and_then(|running| running.image.description.numbers());
        let [major, minor, patch] = numbers.unwrap_or([0, 1, 0]).map(|number| number as u8);
        Version { major, minor, patch }
    }
}

/// Slots of the table that the bootloader goes by. Without `otadata` and two of them an update would be taken and never boot: then
/// there are no updates, and everything else works.
fn slots<S: Storage>(mut flash: S, image: Image) -> Option<Slots<S>> {
    let Some(bootloader) = image.bootloader else {
        warn!("no updates: this image was not told what its bootloader does with one that does not work");
        return None;
    };
    let table = Table::of_flash(&mut flash).map_err(|error| warn!("no updates: {error}")).ok()?;
    let slots = Slots::new(flash, &table, image.chip, bootloader == Bootloader::GoesBack);
    let mut slots = slots.map_err(|error| warn!("no updates: {error}")).ok()?;
    slots.adopt().map_err(|error| warn!("no updates: {error}")).ok()?;
    Some(slots)
}
