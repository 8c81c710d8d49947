//! SPI in full duplex: who begins a transaction, what is in it, and what happens when a queue is full.

use airtime_core::{Instant, Packet, Pool};
use airtime_esp_hosted::coprocessor::{Coprocessor, CoprocessorConfig, CoprocessorDrop, CoprocessorOutput};
use airtime_esp_hosted::host::{Host, HostConfig, HostDrop, HostOutput, Refused, Task};
use airtime_esp_hosted::wire::start::capability;
use airtime_esp_hosted::wire::{Bus, Interface};

const NOW: Instant = Instant::ZERO;

/// Both sides, with transactions carried out one by one.
struct Rig {
    pool: Pool,
    host: Host,
    coprocessor: Coprocessor,
    /// Payloads that have come to the host, and to the Wi-Fi driver.
    up: Vec<usize>,
    down: Vec<usize>,
    /// Handshakes: whether there is Wi-Fi, and the capabilities.
    ready: Vec<(bool, Option<u8>)>,
    /// The Wi-Fi driver takes frames.
    air: bool,
    /// The host's tasks behind the bus run.
    dispatches: bool,
}

impl Rig {
    fn new(rx_buffers: u16, rx_queue: u16) -> Self {
        let (pool, bus) = (Pool::new(), Bus::Spi);
        let host = HostConfig { bus, checksum: true, rx_queue, ..HostConfig::default() };
        let coprocessor = CoprocessorConfig { bus, checksum: true, rx_buffers, ..CoprocessorConfig::default() };
        let mut rig = Self {
            host: Host::booted(host, pool.clone()),
            coprocessor: Coprocessor::booted(coprocessor, pool.clone()),
            up: Vec::new(),
            down: Vec::new(),
            ready: Vec::new(),
            air: true,
            dispatches: true,
            pool,
        };
        rig.settle();
        rig
    }

    fn packet(&self, octets: usize) -> Packet {
        let mut packet = self.pool.packet();
        packet.resize(octets);
        packet
    }

    fn transmit(&mut self, octets: usize) -> Result<(), Refused> {
        let packet = self.packet(octets);
        self.host.transmit(NOW, packet)
    }

    fn receive(&mut self, octets: usize) {
        let packet = self.packet(octets);
        assert!(self.coprocessor.received(NOW, packet).is_ok(), "there is a slot");
        self.settle();
    }

    /// Does a transaction if the host begins one; the octets that it carried each way, headers included.
    fn exchange(&mut self) -> Option<(usize, usize)> {
        self.settle();
        if !self.coprocessor.exchanges() {
            return None;
        }
        let exchange = self.host.exchange()?;
        let written = exchange.frame.as_ref().map_or(0, |frame| frame.len());
        let reply = self.coprocessor.exchanged(NOW, exchange.frame);
        let read = reply.frame.as_ref().map_or(0, |frame| frame.len());
        self.host.exchanged(NOW, written > 0, &reply);
        self.settle();
        Some((written, read))
    }

    /// Lets both sides do what they can.
    fn settle(&mut self) {
        loop {
            let mut any = false;
            while let Some(output) = self.coprocessor.poll(NOW) {
                any = true;
                match output {
                    CoprocessorOutput::Interrupt(asserted) => self.host.interrupt(NOW, asserted),
                    CoprocessorOutput::Offer(frame) => {
                        self.down.push(frame.len());
                        self.coprocessor.offered(NOW, None);
                    }
                    _ => {}
                }
            }
            if self.air && self.coprocessor.work().is_some() {
                any = true;
                self.coprocessor.worked(NOW);
            }
            for task in [Task::Split, Task::Dispatch] {
                let runs = self.dispatches || task == Task::Split;
                if let Some(work) = self.host.work(task).filter(|_| runs) {
                    any = true;
                    self.host.worked(NOW, task, work.frames);
                }
            }
            while let Some(output) = self.host.poll(NOW) {
                any = true;
                match output {
                    HostOutput::Frame(frame) => self.up.push(frame.len()),
                    HostOutput::Ready(told) => self.ready.push((told.wlan, told.coprocessor.capabilities)),
                    _ => {}
                }
            }
            if !any {
                return;
            }
        }
    }
}

#[test]
fn a_frame_of_the_host_is_followed_by_one_dummy() {
    let mut rig = Rig::new(20, 20);
    assert_eq!(rig.exchange(), None, "nobody has anything");
    rig.transmit(1_000).unwrap();
    assert_eq!([rig.exchange(), rig.exchange(), rig.exchange()], [Some((1_012, 0)), Some((0, 0)), None]);
    assert_eq!(rig.down, [1_000]);
}

/// The transaction that is queued at rest has nothing in it: data-ready fetches it, and the frame comes with the next.
#[test]
fn from_rest_a_frame_to_the_host_takes_two_transactions() {
    let mut rig = Rig::new(20, 20);
    rig.receive(700);
    rig.receive(600);
    let exchanges: Vec<_> = core::iter::from_fn(|| rig.exchange()).collect();
    assert_eq!(exchanges, [(0, 0), (0, 712), (0, 612), (0, 0)], "a dummy each in front and behind");
    assert_eq!(rig.up, [700, 600]);
}

#[test]
fn a_transaction_carries_a_frame_each_way() {
    let mut rig = Rig::new(20, 20);
    rig.receive(300);
    rig.transmit(100).unwrap();
    rig.transmit(200).unwrap();
    let exchanges: Vec<_> = core::iter::from_fn(|| rig.exchange()).collect();
    assert_eq!(exchanges[..2], [(112, 0), (212, 312)]);
    assert_eq!((rig.down, rig.up), (vec![100, 200], vec![300]));
}

/// A full queue of the co-processor stops its task: the transaction that it had queued is the last until there is room.
#[test]
fn a_co_processor_with_a_full_queue_queues_no_transaction_and_loses_nothing() {
    let mut rig = Rig::new(3, 20);
    rig.air = false;
    let mut sent = 0;
    while rig.transmit(500).is_ok() {
        sent += 1;
        if rig.exchange().is_none() {
            break;
        }
    }
    assert!(!rig.coprocessor.exchanges(), "one in hand, three in the queue, one held, one behind it");
    let drops = CoprocessorDrop::ALL.map(|at| rig.coprocessor.counters().drops(at));
    assert_eq!(drops.iter().sum::<u64>(), 0);
    assert_eq!(rig.coprocessor.depth().loaded, 0);
    rig.air = true;
    while rig.exchange().is_some() {}
    assert_eq!(rig.down.len(), sent);
}

/// Dummies carry the throttle; a frame of the co-processor ends it on the host, whatever its queue.
#[test]
fn a_dummy_tells_the_host_to_stop_and_a_frame_ends_that() {
    let mut rig = Rig::new(10, 20);
    rig.air = false;
    // One in hand, and nine of ten in the queue: 90 % are more than 80.
    for _ in 0..10 {
        rig.transmit(100).unwrap();
        rig.exchange();
    }
    while rig.exchange().is_some() {}
    rig.transmit(100).unwrap();
    while rig.exchange().is_some() {}
    assert!(rig.host.throttled() && matches!(rig.transmit(100), Err(Refused::Throttled(_))));
    rig.receive(100);
    assert_eq!(rig.exchange(), Some((0, 0)));
    assert!(rig.host.throttled());
    assert_eq!(rig.exchange(), Some((0, 112)));
    assert!(!rig.host.throttled());
    assert_eq!(rig.exchange(), Some((0, 0)));
    assert!(rig.host.throttled(), "the next dummy says it again");
    rig.air = true;
    rig.settle();
    assert_eq!(rig.coprocessor.queued(), 0);
    assert!(rig.exchange().is_none() && rig.host.throttled(), "no reason for a transaction, and so no dummy to end it");
    rig.receive(100);
    while rig.exchange().is_some() {}
    assert!(!rig.host.throttled() && rig.transmit(100).is_ok());
}

/// The task of the host stands in front of its own queue when that is full: there is no transaction until there is room.
#[test]
fn a_host_with_a_full_queue_begins_no_transaction_and_loses_nothing() {
    let mut rig = Rig::new(20, 2);
    rig.dispatches = false;
    (0..6).for_each(|_| rig.receive(100));
    while rig.exchange().is_some() {}
    assert_eq!(rig.host.depth().receive[Interface::Station.priority() as usize], 2);
    assert_eq!((rig.host.depth().burst, rig.up.len()), (1, 0));
    rig.dispatches = true;
    while rig.exchange().is_some() {}
    assert_eq!(rig.up.len(), 6);
}

impl Rig {
    /// Frames that the co-processor has lost in a reset, and that the host lost when it went down.
    fn lost(&self) -> [u64; 2] {
        let (host, coprocessor) = (self.host.counters(), self.coprocessor.counters());
        [coprocessor.drops(CoprocessorDrop::Reset), host.drops(HostDrop::Down)]
    }
}

/// In hand, in a queue, in front of a full one, behind that, and on the wire: nothing is lost without a count, and a transaction that ends
/// after the reset does no harm.
#[test]
fn a_reset_in_the_middle_of_a_transaction_counts_whatever_was_held() {
    let mut rig = Rig::new(3, 20);
    rig.air = false;
    let send = |rig: &mut Rig| {
        let packet = rig.packet(500);
        rig.host.send(NOW, Interface::Station, packet).unwrap();
    };
    for _ in 0..5 {
        send(&mut rig);
        assert!(rig.exchange().is_some());
    }
    send(&mut rig);
    let exchange = rig.host.exchange().expect("a frame waits");
    assert!(exchange.frame.is_some() && rig.coprocessor.exchanges(), "the last before it stands still");
    rig.coprocessor.reset(NOW);
    assert_eq!(rig.lost(), [5, 0], "one is on the wire");
    let reply = rig.coprocessor.exchanged(NOW, exchange.frame);
    assert!(reply.frame.is_none() && !reply.throttle);
    rig.host.exchanged(NOW, true, &reply);
    rig.settle();
    assert_eq!((rig.lost(), rig.down.len(), rig.coprocessor.queued()), ([6, 0], 0, 0));
    assert!(!rig.coprocessor.exchanges(), "it boots");
}

/// The task of the host is gone when its transaction ends: what that brings is for nobody, and is counted.
#[test]
fn a_transaction_that_outlives_the_host_brings_nothing_up() {
    let mut rig = Rig::new(20, 20);
    rig.receive(300);
    rig.receive(400);
    rig.exchange();
    let exchange = rig.host.exchange().expect("a frame waits");
    let reply = rig.coprocessor.exchanged(NOW, exchange.frame);
    assert!(reply.frame.is_some());
    rig.host.restart(NOW);
    rig.host.exchanged(NOW, false, &reply);
    rig.settle();
    assert_eq!((rig.up.len(), rig.lost()), (0, [0, 1]));
    assert!(rig.host.exchange().is_none(), "the co-processor boots");
}

/// Over SPI there is no card to be found: the co-processor says who it is as soon as it has booted.
#[test]
fn after_a_reset_the_transport_comes_up_and_carries_frames_again() {
    let mut rig = Rig::new(20, 20);
    rig.host.restart(NOW);
    rig.coprocessor.reset(NOW);
    rig.settle();
    for at in [rig.host.deadline(), rig.coprocessor.deadline()].map(|at| at.expect("it boots")) {
        rig.host.wake(at);
        rig.coprocessor.wake(at);
    }
    let mut exchanges = 0;
    while rig.exchange().is_some() {
        exchanges += 1;
        assert!(exchanges < 20, "it comes to rest");
    }
    assert_eq!(rig.ready, [(true, Some(capability::WLAN_SPI | capability::CHECKSUM))]);
    rig.transmit(100).unwrap();
    while rig.exchange().is_some() {}
    assert_eq!(rig.coprocessor.counters().drops(CoprocessorDrop::NotConnected), 1, "it is not connected yet");
}
