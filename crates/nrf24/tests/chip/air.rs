//! A small air for tests: chips that hear one another without loss unless a test says otherwise.

use airtime_core::{Duration, Instant};
use airtime_nrf24::air::{Crc, Framing, Rate};
use airtime_nrf24::chip::{Chip, Input, Options, Output};
use airtime_nrf24::trace::{Lint, OnAir, Reception, Sent, Trace};
use airtime_nrf24::wire::command;
use airtime_nrf24::wire::frame::{Address, Control, Frame};

/// What the air does to one transmission.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fate {
    /// Nothing.
    Arrives,
    /// Nobody can make anything of it.
    Lost,
    /// This bit is inverted.
    Flip(u16),
}

/// One transmission that has begun.
#[derive(Clone, Debug)]
pub struct Sending {
    pub from: usize,
    pub on_air: OnAir,
    pub frame: Frame,
    pub fate: Fate,
    ended: bool,
}

/// Chips, time, and a record of everything.
pub struct Air {
    pub now: Instant,
    pub chips: Vec<Chip>,
    pub sent: Vec<Sending>,
    pub traces: Vec<(Instant, usize, Trace)>,
    pub edges: Vec<(Instant, usize, bool)>,
    /// Fates of the transmissions to come, the next one first; those beyond arrive.
    pub fates: Vec<Fate>,
    /// At one instant, chips wake before frames end; otherwise the other way round.
    pub wakes_first: bool,
}

pub fn us(us: u64) -> Duration {
    Duration::from_micros(us)
}

impl Air {
    pub fn new(chips: usize) -> Self {
        Self::with(chips, Options::default())
    }

    pub fn with(chips: usize, options: Options) -> Self {
        Self {
            now: Instant::ZERO,
            chips: (0..chips).map(|_| Chip::new(options)).collect(),
            sent: Vec::new(),
            traces: Vec::new(),
            edges: Vec::new(),
            fates: Vec::new(),
            wakes_first: false,
        }
    }

    /// One SPI transaction that takes no time.
    pub fn spi(&mut self, chip: usize, mosi: &[u8]) -> Vec<u8> {
        let mut miso = vec![0xEE; mosi.len()];
        self.chips[chip].select(self.now, mosi, &mut miso);
        self.chips[chip].deselect(self.now, mosi);
        self.drain(chip);
        miso
    }

    pub fn write(&mut self, chip: usize, register: u8, octets: &[u8]) {
        let mosi: Vec<u8> = std::iter::once(command::W_REGISTER | register).chain(octets.iter().copied()).collect();
        self.spi(chip, &mosi);
    }

    pub fn read(&mut self, chip: usize, register: u8) -> u8 {
        self.spi(chip, &[register, 0])[1]
    }

    pub fn status(&mut self, chip: usize) -> u8 {
        self.spi(chip, &[command::NOP])[0]
    }

    /// Writes a payload with this command.
    pub fn upload(&mut self, chip: usize, command: u8, payload: &[u8]) {
        let mosi: Vec<u8> = std::iter::once(command).chain(payload.iter().copied()).collect();
        self.spi(chip, &mosi);
    }

    /// Reads `len` octets of the first payload.
    pub fn payload(&mut self, chip: usize, len: usize) -> Vec<u8> {
        let mosi: Vec<u8> = std::iter::once(command::R_RX_PAYLOAD).chain(std::iter::repeat_n(0, len)).collect();
        self.spi(chip, &mosi).split_off(1)
    }

    pub fn ce(&mut self, chip: usize, high: bool) {
        self.chips[chip].set_ce(self.now, high);
        self.drain(chip);
    }

    /// CE high for the shortest time allowed.
    pub fn pulse(&mut self, chip: usize) {
        self.ce(chip, true);
        self.run(us(10));
        self.ce(chip, false);
    }

    /// Lets `span` pass.
    pub fn run(&mut self, span: Duration) {
        let until = self.now + span;
        while let Some(at) = self.next().filter(|&at| at <= until) {
            self.now = at;
            if self.wakes_first {
                self.wake();
                self.end_frames();
            } else {
                self.end_frames();
                self.wake();
            }
        }
        self.now = until;
    }

    fn next(&self) -> Option<Instant> {
        let ends = self.sent.iter().filter(|sending| !sending.ended).map(|sending| sending.on_air.end);
        self.chips.iter().filter_map(Chip::deadline).chain(ends).min()
    }

    fn wake(&mut self) {
        for chip in 0..self.chips.len() {
            if self.chips[chip].deadline().is_some_and(|at| at <= self.now) {
                self.chips[chip].handle(self.now, Input::Wake);
                assert!(self.chips[chip].deadline().is_none_or(|at| at > self.now), "a deadline moves on");
                self.drain(chip);
            }
        }
    }

    fn end_frames(&mut self) {
        for index in 0..self.sent.len() {
            if self.sent[index].ended || self.sent[index].on_air.end > self.now {
                continue;
            }
            self.sent[index].ended = true;
            let Sending { from, on_air, mut frame, fate, .. } = self.sent[index].clone();
            if let Fate::Flip(bit) = fate {
                frame.flip(bit);
            }
            for to in self.listeners(from, &on_air) {
                let input = if fate == Fate::Lost { Input::Lost } else { Input::Frame(&frame) };
                self.chips[to].handle(self.now, input);
                self.drain(to);
            }
        }
    }

    fn listeners(&self, from: usize, on_air: &OnAir) -> Vec<usize> {
        let hears = |chip: &Chip| {
            chip.listens_since().is_some_and(|since| since <= on_air.start)
                && chip.tuned() == (on_air.channel, on_air.rate)
        };
        (0..self.chips.len()).filter(|&to| to != from && hears(&self.chips[to])).collect()
    }

    fn drain(&mut self, chip: usize) {
        while let Some(output) = self.chips[chip].poll(self.now) {
            match output {
                Output::Trace(trace) => self.traces.push((self.now, chip, trace)),
                Output::Irq(asserted) => {
                    assert_eq!(asserted, self.chips[chip].irq());
                    self.edges.push((self.now, chip, asserted));
                }
                Output::Transmit => {
                    let (&on_air, &frame) = self.chips[chip].on_air().expect("it transmits");
                    let fate = if self.fates.is_empty() { Fate::Arrives } else { self.fates.remove(0) };
                    self.sent.push(Sending { from: chip, on_air, frame, fate, ended: false });
                    for to in self.listeners(chip, &on_air) {
                        self.chips[to].handle(self.now, Input::Carrier { until: on_air.end, frame: &frame });
                        self.drain(to);
                    }
                }
            }
        }
    }

    /// When `chip` began to transmit, each time, in ns.
    pub fn starts(&self, chip: usize) -> Vec<u64> {
        self.sent.iter().filter(|s| s.from == chip).map(|s| s.on_air.start.as_nanos()).collect()
    }

    /// A frame of nobody's begins now, and `chip` hears it if it listens.
    pub fn foreign(&mut self, chip: usize, frame: &Frame) {
        let (channel, rate) = self.chips[chip].tuned();
        let end = self.now + rate.bit() * u64::from(frame.len_bits());
        let on_air = OnAir { channel, rate, start: self.now, end, sent: Sent::Ack { upload: None } };
        if self.listeners(usize::MAX, &on_air).contains(&chip) {
            self.chips[chip].handle(self.now, Input::Carrier { until: end, frame });
            self.drain(chip);
        }
        self.sent.push(Sending { from: usize::MAX, on_air, frame: *frame, fate: Fate::Arrives, ended: false });
    }

    /// A carrier of so long begins now, without a frame that anyone could read.
    pub fn carrier(&mut self, chip: usize, span: Duration) {
        let frame = Frame::enhanced(Address { value: 0, width: 5 }, Control::default(), &[], Crc::Two);
        self.chips[chip].handle(self.now, Input::Carrier { until: self.now + span, frame: &frame });
        self.drain(chip);
    }

    /// What `chip` made of the frames for its address.
    pub fn receptions(&self, chip: usize) -> Vec<Reception> {
        let reception = |trace: &(Instant, usize, Trace)| match trace {
            (_, from, Trace::Received { reception, .. }) if *from == chip => Some(*reception),
            _ => None,
        };
        self.traces.iter().filter_map(reception).collect()
    }

    pub fn lints(&self, chip: usize) -> Vec<Lint> {
        let lint = |trace: &(Instant, usize, Trace)| match trace {
            (_, from, Trace::Lint(lint)) if *from == chip => Some(*lint),
            _ => None,
        };
        self.traces.iter().filter_map(lint).collect()
    }

    /// Whether `chip` traced this at this time.
    pub fn traced(&self, chip: usize, trace: Trace) -> bool {
        self.traces.iter().any(|&(_, from, what)| from == chip && what == trace)
    }
}

/// RF_SETUP of a rate, at 0 dBm.
const fn rf_setup(rate: Rate) -> u8 {
    match rate {
        Rate::K250 => 0x26,
        Rate::M1 => 0x06,
        Rate::M2 => 0x0E,
    }
}

/// A transmitter (0) and a receiver (1) in standby and RX: dynamic payload length, all features, these framings.
pub fn pair(framing: Framing, ard_arc: u8) -> Air {
    let mut air = Air::new(2);
    set_up(&mut air, framing, ard_arc);
    air
}

/// Sets chip 0 up as a transmitter and the others as receivers.
pub fn set_up(air: &mut Air, framing: Framing, ard_arc: u8) {
    for chip in 0..air.chips.len() {
        air.write(chip, 0x03, &[framing.address_width - 2]);
        air.write(chip, 0x04, &[ard_arc]);
        air.write(chip, 0x06, &[rf_setup(framing.rate)]);
        air.write(chip, 0x1D, &[0x07]);
        air.write(chip, 0x1C, &[0x3F]);
        air.write(chip, 0x00, &[if chip == 0 { 0x0E } else { 0x0F }]);
    }
    air.run(us(1_500));
    for chip in 1..air.chips.len() {
        air.ce(chip, true);
    }
    air.run(us(1_000));
    air.traces.clear();
}
