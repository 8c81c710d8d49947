//! Byte strings read as scripts for two chips that hear each other: what fuzz target `nrf24_spi` runs, and what the
//! ordinary tests run with random strings and with the corpus in `fuzz/corpus/nrf24_spi`.
//!
//! A string is read to its end and never refused. Much of what it says is plausible (payloads, CE, settings as drivers
//! make them), so that frames come through; the rest is anything.

use airtime_core::{Duration, Instant};
use airtime_nrf24::air::Crc;
use airtime_nrf24::chip::{Chip, Input, Options, Output};
use airtime_nrf24::wire::frame::{Address, Control, Frame};
use airtime_testing::Script;

/// Strings longer than this add time and no new states.
const OCTETS_MAX: usize = 2048;

/// Outputs of one mutation: a handful, and never more than the chip keeps.
const OUTPUTS_MAX: usize = 70;

/// What a driver writes before anything else, as a transmitter or as a receiver.
const SET_UP: [&[u8]; 5] = [&[0x24, 0x13], &[0x26, 0x0E], &[0x3D, 0x07], &[0x3C, 0x3F], &[0x22, 0x3F]];

/// Runs `bytes` as a script, and checks what holds for any.
pub fn nrf24_spi(bytes: &[u8]) {
    let mut script = Script::new(bytes, OCTETS_MAX);
    let first = script.octet();
    let options = |clone: bool| Options { clone_noack_polarity: clone, ..Options::default() };
    let mut pair = Pair {
        now: Instant::ZERO,
        chips: [Chip::new(options(first & 1 != 0)), Chip::new(options(first & 2 != 0))],
        flying: [None; 2],
    };
    if first & 4 != 0 {
        for chip in 0..2 {
            SET_UP.iter().for_each(|mosi| pair.spi(chip, mosi));
            pair.spi(chip, &[0x20, 0x0E | chip as u8]);
        }
        pair.run(Duration::from_millis(2));
    }
    while !script.is_over() {
        pair.step(&mut script);
    }
    // Left alone, with CE low, both come to rest.
    for chip in 0..2 {
        pair.ce(chip, false);
    }
    pair.run(Duration::from_secs(1));
    assert!(pair.chips.iter().all(|chip| chip.deadline().is_none()), "{:?}", pair.chips);
}

/// A frame on the air.
type Flight = (Instant, Instant, Frame);

struct Pair {
    now: Instant,
    chips: [Chip; 2],
    flying: [Option<Flight>; 2],
}

impl Pair {
    fn step(&mut self, script: &mut Script<'_>) {
        let octet = script.octet();
        let chip = usize::from(octet & 1);
        match octet >> 1 & 0x0F {
            0 | 1 => {
                let mosi = octets(script);
                self.spi(chip, mosi);
            }
            2 => {
                let (ahead, mosi) = (Duration::from_micros(u64::from(octet >> 5) * 40), octets(script));
                self.spi_ahead(chip, ahead, mosi);
            }
            3 => self.upload(chip, script.octet(), script),
            4 => self.spi(chip, &[0x27, 0x70]),
            5 => self.spi(chip, &[0x61, 0, 0, 0, 0]),
            6 => self.ce(chip, octet & 0x20 != 0),
            7 => self.spi(chip, &[0x20, script.octet() | 0x02]),
            8..=10 => self.run(Duration::from_nanos(u64::from(script.word()) * 100)),
            11 => self.run(Duration::from_micros(u64::from(script.octet()))),
            12 => {
                let frame = frame(script);
                self.chips[chip].handle(self.now, Input::Frame(&frame));
                self.drain(chip);
            }
            13 => {
                let until = self.now + Duration::from_micros(u64::from(script.octet()));
                let frame = frame(script);
                self.chips[chip].handle(self.now, Input::Carrier { until, frame: &frame });
                self.drain(chip);
            }
            14 => {
                self.chips[chip].handle(self.now, Input::Lost);
                self.drain(chip);
            }
            _ => {
                self.chips[chip].handle(self.now, Input::Wake);
                self.drain(chip);
            }
        }
    }

    /// A payload by one of the three commands.
    fn upload(&mut self, chip: usize, what: u8, script: &mut Script<'_>) {
        let mut mosi = [0; 33];
        mosi[0] = [0xA0, 0xB0, 0xA8, 0xA9][usize::from(what & 3)];
        let len = usize::from(what >> 2) % 33;
        mosi[1..=len].fill_with(|| script.octet());
        self.spi(chip, &mosi[..=len]);
    }

    fn spi(&mut self, chip: usize, mosi: &[u8]) {
        let mut miso = [0xEE; 64];
        let miso = &mut miso[..mosi.len().min(64)];
        self.chips[chip].select(self.now, mosi, miso);
        assert!(miso.first().is_none_or(|status| status & 0x80 == 0), "bit 7 of STATUS is 0");
        self.drain(chip);
        self.run(Duration::from_micros(mosi.len() as u64));
        self.chips[chip].deselect(self.now, mosi);
        self.drain(chip);
    }

    /// A transaction that is announced before it begins.
    fn spi_ahead(&mut self, chip: usize, ahead: Duration, mosi: &[u8]) {
        let mut miso = [0xEE; 64];
        let miso = &mut miso[..mosi.len().min(64)];
        self.chips[chip].select_at(self.now + ahead, mosi);
        self.run(ahead + Duration::from_micros(mosi.len() as u64));
        self.chips[chip].deselect_at(self.now, mosi, miso);
        assert!(miso.first().is_none_or(|status| status & 0x80 == 0), "bit 7 of STATUS is 0");
        self.drain(chip);
    }

    fn ce(&mut self, chip: usize, high: bool) {
        self.chips[chip].set_ce(self.now, high);
        self.drain(chip);
    }

    fn run(&mut self, span: Duration) {
        let until = self.now + span;
        loop {
            let ends = self.flying.iter().flatten().map(|&(_, end, _)| end);
            let Some(at) = self.chips.iter().filter_map(Chip::deadline).chain(ends).min().filter(|&at| at <= until)
            else {
                break;
            };
            self.now = self.now.max(at);
            for chip in 0..2 {
                self.end_of_frame(chip);
            }
            for chip in 0..2 {
                if self.chips[chip].deadline().is_some_and(|at| at <= self.now) {
                    self.chips[chip].handle(self.now, Input::Wake);
                    assert!(self.chips[chip].deadline().is_none_or(|at| at > self.now), "{:?}", self.chips[chip]);
                    self.drain(chip);
                }
            }
        }
        self.now = until;
    }

    fn end_of_frame(&mut self, from: usize) {
        if let Some((start, _, frame)) = self.flying[from].take_if(|(_, end, _)| *end <= self.now)
            && self.hears(1 - from, start)
        {
            self.chips[1 - from].handle(self.now, Input::Frame(&frame));
            self.drain(1 - from);
        }
    }

    fn hears(&self, to: usize, start: Instant) -> bool {
        self.chips[to].tuned() == self.chips[1 - to].tuned()
            && self.chips[to].listens_since().is_some_and(|since| since <= start)
    }

    fn drain(&mut self, chip: usize) {
        let mut outputs = 0;
        while let Some(output) = self.chips[chip].poll(self.now) {
            outputs += 1;
            assert!(outputs < OUTPUTS_MAX, "it does not come to an end");
            match output {
                Output::Transmit => self.transmit(chip),
                Output::Irq(asserted) => assert_eq!(asserted, self.chips[chip].irq()),
                Output::Trace(_) => {}
            }
        }
    }

    fn transmit(&mut self, chip: usize) {
        let Some((&on_air, &frame)) = self.chips[chip].on_air() else { return };
        assert_eq!(on_air.time(), on_air.rate.bit() * u64::from(frame.len_bits()));
        self.end_of_frame(chip);
        self.flying[chip] = Some((on_air.start, on_air.end, frame));
        if self.hears(1 - chip, on_air.start) {
            self.chips[1 - chip].handle(self.now, Input::Carrier { until: on_air.end, frame: &frame });
            self.drain(1 - chip);
        }
    }
}

/// Any frame: addresses of the reset values or others, any control field, any payload, with a bit of noise.
fn frame(script: &mut Script<'_>) -> Frame {
    let (what, control) = (script.octet(), script.octet());
    let value = [0xE7_E7_E7_E7_E7, 0xC2_C2_C2_C2_C2, 0xC2_C2_C2_C2_C3, 0][usize::from(what & 3)];
    let width = 2 + (what >> 2 & 3);
    let address = Address { value: value & ((1 << (8 * width)) - 1), width };
    let check = [Crc::None, Crc::One, Crc::Two, Crc::Two][usize::from(what >> 4 & 3)];
    let payload = octets(script);
    let mut frame = if what & 0x40 != 0 {
        Frame::plain(address, payload, check)
    } else {
        let length = if what & 0x80 != 0 { control >> 2 } else { payload.len() as u8 & 0x3F };
        Frame::enhanced(address, Control { length, pid: control & 3, no_ack: control & 4 != 0 }, payload, check)
    };
    if control & 8 != 0 {
        frame.flip(script.word());
    }
    frame
}

/// A length octet and up to 63 octets, or those that are left.
fn octets<'a>(script: &mut Script<'a>) -> &'a [u8] {
    let len = usize::from(script.octet() & 0x3F);
    script.take(len)
}
