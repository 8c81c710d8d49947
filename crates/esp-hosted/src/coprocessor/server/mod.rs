//! The RPC server: one request after another, in a task of its own. Source: `slave/main/slave_control.c`.

mod device;
mod radio;
mod raw;
mod settings;
mod wifi;

use alloc::boxed::Box;
use alloc::collections::VecDeque;

use airtime_core::{Duration, Instant, Packet};

use super::flash::{Firmware, Flash};
use super::{Coprocessor, CoprocessorConfig, CoprocessorOutput};
use crate::earliest;
use crate::raw::{Service, id};
use crate::rpc::{Body, Event, Handlers, Message, OUTSTANDING_MAX, Port, Request, Response};
use crate::wire::start::Version;
use crate::wire::{Frame, Header};

pub use radio::Radio;
pub use settings::{Overridden, Wifi};

/// Requests that wait while one is served: what a host may have under way.
const WAITING_MAX: usize = OUTSTANDING_MAX;

/// Frames of the server that wait for slots, beyond which answers and events are lost. *Assumed*: on silicon the task
/// blocks, and the memory of what waits is the heap's.
const SERIAL_MAX: usize = 64;

/// From the activation of new firmware until the restart. Source: `RESTART_TIMEOUT` since 2.6.0.
const RESTART_DELAY: Duration = Duration::from_secs(2);

/// The heartbeat.
#[derive(Clone, Copy, Debug)]
struct Heartbeat {
    every: Duration,
    next: Instant,
    number: i32,
}

/// The server, and what it keeps.
#[derive(Debug)]
pub(super) struct Server {
    port: Port,
    waiting: VecDeque<Message>,
    /// The answer that is being made, and when it is ready.
    answering: Option<(Instant, Message)>,
    heartbeat: Option<Heartbeat>,
    restart: Option<Instant>,
    pub firmware: Firmware,
    pub flash: Option<Box<dyn Flash>>,
    pub handlers: Handlers<()>,
    pub wifi: Wifi,
    raw: Service,
}

impl Server {
    pub fn new(config: &CoprocessorConfig) -> Self {
        let Version { major, minor, patch } = config.version;
        let version = [major.into(), minor.into(), patch.into()];
        Self {
            port: Port::coprocessor(&config.layout()),
            waiting: VecDeque::new(),
            answering: None,
            heartbeat: None,
            restart: None,
            firmware: Firmware { version, ..Firmware::default() },
            flash: None,
            handlers: Handlers::new(config.free_handlers()),
            wifi: Wifi::new(config.wifi.clone()),
            raw: Service::new(config.firmware()),
        }
    }

    /// Instant at which it has something to do by itself.
    pub fn deadline(&self) -> Option<Instant> {
        let answer = self.answering.as_ref().map(|(at, _)| *at);
        let heartbeat = self.heartbeat.map(|heartbeat| heartbeat.next);
        earliest(earliest(answer, heartbeat), self.restart)
    }
}

impl Coprocessor {
    /// A frame of the serial interface has been processed.
    pub(super) fn serial_frame(&mut self, now: Instant, header: &Header, payload: &Packet) {
        let mut bytes = self.pool.packet();
        header.emit(&self.config.layout(), payload, &mut bytes);
        let Ok(frame) = Frame::new_checked(&bytes, &self.config.layout()) else { return };
        match self.server.port.receive(&frame) {
            Ok(Some(message)) if self.server.waiting.len() < WAITING_MAX => {
                self.server.waiting.push_back(message);
                self.serve(now);
            }
            Ok(Some(_)) | Err(_) => self.told.counters.requests_lost += 1,
            Ok(None) => {}
        }
    }

    /// The server takes the next request if it is free.
    fn serve(&mut self, now: Instant) {
        while self.server.answering.is_none() {
            let Some(message) = self.server.waiting.pop_front() else { return };
            let Body::Request(request) = message.body else {
                // Nobody calls a host.
                self.told.counters.requests_lost += 1;
                continue;
            };
            self.told.counters.requests += 1;
            if let Request::CustomRpc(custom) = &request
                && self.config.raw.is_some()
                && id::COMMANDS.contains(&custom.custom_msg_id)
            {
                self.server.raw.request(message.uid, custom, self.connected);
                self.pump_raw();
                continue;
            }
            let (response, took) = self.answer(now, request);
            let answer = Message::response(message.uid, response);
            if took.is_zero() {
                self.send_message(&answer);
            } else {
                self.server.answering = Some((now + took, answer));
            }
        }
    }

    pub(super) fn wake_server(&mut self, now: Instant) {
        if let Some((_, answer)) = self.server.answering.take_if(|(at, _)| *at <= now) {
            self.send_message(&answer);
            self.serve(now);
        }
        if let Some(heartbeat) = self.server.heartbeat.as_mut().filter(|heartbeat| heartbeat.next <= now) {
            let number = heartbeat.number;
            heartbeat.number = number.wrapping_add(1);
            heartbeat.next += heartbeat.every;
            self.event(Event::Heartbeat(crate::rpc::proto::Heartbeat { hb_num: number }));
        }
        if self.server.restart.take_if(|at| *at <= now).is_some() {
            self.told.say(CoprocessorOutput::Restarts);
            self.reset(now);
        }
    }

    /// The host hears of something unasked.
    pub(super) fn event(&mut self, event: Event) {
        self.send_message(&Message::event(event));
    }

    fn send_message(&mut self, message: &Message) {
        if self.serial.len() >= SERIAL_MAX {
            self.told.counters.messages_lost += 1;
            return;
        }
        let layout = self.config.layout();
        let (pool, serial) = (&self.pool, &mut self.serial);
        let sent = self.server.port.send(message, |header, payload| {
            let mut frame = pool.packet();
            header.emit(&layout, payload, &mut frame);
            serial.push_back(frame);
        });
        self.told.counters.messages_too_long += u64::from(sent.is_err());
        self.send_serial();
    }

    /// Custom message `id` goes to the application from now on.
    ///
    /// # Errors
    /// When the table is full, or the number taken or reserved.
    pub fn register(&mut self, id: u32) -> Result<(), crate::rpc::RegisterError> {
        self.server.handlers.register(id, ())
    }

    /// The application sends a custom event.
    pub fn custom_event(&mut self, now: Instant, id: u32, data: &[u8]) {
        let _ = now;
        let event = crate::rpc::proto::CustomEvent { resp: 0, custom_event_id: id, data: data.into() };
        self.event(Event::CustomRpc(event));
    }

    /// The answer that says `status` and no more.
    fn plain(id: u32, status: i32) -> Response {
        Response::of(id + 256, status).expect("every request has its reply")
    }
}
