//! Raw frames: commands come down while heard frames fill the line upwards.

use std::cell::RefCell;
use std::future::Future;
use std::pin::Pin;
use std::rc::Rc;

use airtime_core::{Duration, Instant, Pool};
use airtime_esp_hosted::raw::{Command, Filter, Finished, Interface as Sends, Monitor, RadioRequest, Second, Told};
use airtime_esp_hosted::rpc::proto::{CustomRequest, OtaWrite};
use airtime_esp_hosted::rpc::{Body, Event, Message, Port, Request, Response, status};
use airtime_esp_hosted::wire::start::HostStart;
use airtime_esp_hosted::wire::{Layout, Line, Transport};
use airtime_hosted_ends::Board;
use airtime_hosted_ends::coprocessor::{self, Bootloader, Heard, Image, Radio};
use airtime_ieee80211::air::Phy;
use airtime_ieee80211::wire::RxInfo;
use airtime_ota::image::Chip;
use embedded_io_async::{Read, Write};

use crate::cable::Lane;
use crate::chips::with_slots;
use crate::memory::{self, Memory};
use crate::world::{Clock, Processor};

const LAYOUT: Layout = Layout::of(Transport::Uart);
/// Time between two frames on the air: more than the line carries.
const EVERY: Duration = Duration::from_millis(5);

/// A radio that hears a beacon of 1400 octets again and again.
struct Loud {
    processor: Processor,
    asked: Rc<RefCell<Vec<RadioRequest>>>,
}

impl Radio for Loud {
    fn carry_out(&self, request: &RadioRequest) -> i32 {
        self.asked.borrow_mut().push(request.clone());
        status::OK
    }

    async fn heard(&self) -> Heard {
        self.processor.after(EVERY).await;
        let info = RxInfo { rssi_dbm: -40, channel: 6, phy: Phy::ofdm6(), aggregated: false };
        Heard::new(&beacon(1_400), info)
    }
}

/// A beacon, without an FCS that would be right.
fn beacon(octets: usize) -> Vec<u8> {
    let mut frame = vec![0; octets];
    frame[0] = 0x80;
    frame
}

/// A host that asks one thing after the other, and what it has heard of it.
struct Host {
    port: Port,
    monitor: Monitor,
    finished: Vec<Finished>,
    refused: u32,
    waits: bool,
}

impl Host {
    fn take(&mut self, line: &mut Line) {
        while let Some(frame) = line.frame() {
            match self.port.receive(&frame).ok().flatten() {
                Some(Message { body: Body::Event(Event::CustomRpc(event)), .. }) => {
                    if let Some(Told::Finished(finished)) = self.monitor.event(&event) {
                        self.finished.push(finished);
                        self.waits = false;
                    }
                }
                Some(Message { body: Body::Response(Response::OtaWrite(reply)), .. }) => {
                    assert_eq!(reply.resp, 0x102, "nothing was begun");
                    self.refused += 1;
                    self.waits = false;
                }
                _ => {}
            }
        }
    }
}

fn frames(port: &mut Port, message: &Message) -> Vec<u8> {
    let (pool, mut octets) = (Pool::new(), Vec::new());
    port.send(message, |header, payload| {
        let mut frame = pool.packet();
        header.emit(&LAYOUT, payload, &mut frame);
        octets.extend_from_slice(&frame);
    })
    .unwrap();
    octets
}

/// Asks for everything there is about raw frames, and then for twenty writes of 4096 octets.
async fn ask(host: Rc<RefCell<Host>>, mut line: Lane, processor: Processor) {
    let mut start = Pool::new().packet();
    HostStart::default().emit(&LAYOUT, &mut start);
    line.write_all(&start).await.unwrap();
    let injected = beacon(60);
    let commands = [
        Command::SetPromiscuous(true),
        Command::SetChannel { primary: 6, second: Second::Above },
        Command::SetFilter(Filter::ALL),
        Command::Transmit { interface: Sends::Station, system_sequence: false, frame: &injected },
    ];
    for step in 0..24 {
        let octets = {
            let mut host = host.borrow_mut();
            let request = match commands.get(step) {
                Some(command) => {
                    let request: CustomRequest = host.monitor.command(processor.now(), command).unwrap();
                    Request::CustomRpc(request)
                }
                None => Request::OtaWrite(OtaWrite { ota_data: vec![0xE9; 4_096] }),
            };
            host.waits = true;
            frames(&mut host.port, &Message::request(step as u32 + 1, request))
        };
        line.write_all(&octets).await.unwrap();
        while host.borrow().waits {
            processor.after(Duration::from_millis(1)).await;
        }
    }
}

async fn hear(host: Rc<RefCell<Host>>, mut lane: Lane) {
    let (mut piece, mut line) = ([0; 256], Line::new(LAYOUT));
    loop {
        let octets = lane.read(&mut piece).await.expect("the host keeps up");
        line.put(&piece[..octets]);
        host.borrow_mut().take(&mut line);
    }
}

#[test]
fn commands_are_heard_while_heard_frames_fill_the_line() {
    let clock = Clock::new();
    let (to_host, to_chip) = (Lane::new(&clock), Lane::new(&clock));
    let (chip, other) = (Processor::new(&clock), Processor::new(&clock));
    let asked: Rc<RefCell<Vec<RadioRequest>>> = Rc::default();
    let (_, flash) = with_slots(&[]);
    let mut end: Pin<Box<dyn Future<Output = ()>>> = Box::pin(coprocessor::run(
        Image { chip: Chip::ESP32_C6, bootloader: Some(Bootloader::Stays) },
        to_chip.clone(),
        to_host.clone(),
        memory::Chip::new(&Memory::new(flash), &chip),
        Loud { processor: chip.clone(), asked: Rc::clone(&asked) },
        chip.clone(),
    ));
    let port = Port::host(&LAYOUT);
    let monitor = Monitor::default();
    let host = Rc::new(RefCell::new(Host { port, monitor, finished: Vec::new(), refused: 0, waits: false }));
    let asks = ask(Rc::clone(&host), to_chip.clone(), other.clone());
    let hears = hear(Rc::clone(&host), to_host.clone());
    let mut done: Pin<Box<dyn Future<Output = ()>>> = Box::pin(async {
        embassy_futures::select::select(asks, hears).await;
    });
    loop {
        assert!(chip.poll(&mut end).is_none_or(|polled| polled.is_pending()));
        if other.poll(&mut done).is_some_and(|polled| polled.is_ready()) {
            break;
        }
        let next =
            [clock.next(), to_host.next(), to_chip.next(), chip.next(), other.next()].into_iter().flatten().min();
        clock.advance(next.unwrap().max(clock.now()));
        to_host.advance();
        to_chip.advance();
        assert!(clock.now() < Instant::ZERO + Duration::from_secs(60), "{}", clock.now());
    }
    let host = host.borrow();
    assert!(host.finished.iter().all(|finished| finished.result.is_ok()), "{:?}", host.finished);
    assert_eq!((host.finished.len(), host.refused), (4, 20));
    let expected = [
        RadioRequest::Listen(true),
        RadioRequest::Channel { primary: 6, second: Second::Above },
        RadioRequest::Inject { frame: beacon(60), system_sequence: false },
    ];
    assert_eq!(*asked.borrow(), expected);
    // The line upwards was full, and not an octet was lost on the way down.
    let carried = Duration::from_nanos(10_851) * to_host.carried();
    assert!(carried * 10 > (clock.now() - Instant::ZERO) * 8, "{carried} of {}", clock.now());
    assert_eq!((to_chip.overruns(), to_host.overruns()), (0, 0));
    assert!(host.monitor.counts().packets > 50 && host.monitor.counts().malformed == 0);
}
