//! From the host to the Wi-Fi driver: the receiving task with its throttle marks, and the task that hands frames on.

use airtime_core::{Instant, Packet};

use super::{Coprocessor, CoprocessorDrop, CoprocessorOutput, Power, Received};
use crate::host::Work;
use crate::sdio::register as reg;
use crate::wire::{Bus, Frame, FrameError, Header, Interface, Priority, Throttle};

/// Step of the task that hands frames on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// It waits for a frame.
    Idle,
    /// It has one in hand.
    Processing,
    /// The Wi-Fi driver has been offered it.
    Offering,
    /// It sleeps after an attempt in vain.
    Retrying(Instant),
}

impl Coprocessor {
    /// Work of the task in hand, whose processing takes time of the CPU.
    pub fn work(&self) -> Option<Work> {
        let hand = self.hand.as_ref().filter(|_| self.step == Step::Processing)?;
        let octets = hand.payload.len() as u32;
        Some(Work { frames: 1, octets, first: octets })
    }

    /// Interface of the frame in hand: packets of the network go through the Wi-Fi driver, others cost it nothing.
    pub fn in_hand(&self) -> Option<Interface> {
        self.hand.as_ref().map(|hand| hand.header.interface)
    }

    /// The task has processed what it had in hand.
    pub fn worked(&mut self, now: Instant) {
        if self.step != Step::Processing {
            return;
        }
        let Some(received) = self.hand.take() else { return };
        let octets = received.payload.len();
        match received.header.interface {
            interface if interface == self.config.interface() && self.connected => {
                self.tries = self.config.tries();
                return self.offer(received.payload);
            }
            // The interface that nobody has started.
            Interface::Station | Interface::AccessPoint => self.told.lost(CoprocessorDrop::NotConnected, octets),
            Interface::Test => {
                self.told.counters.test_packets += 1;
                self.told.counters.test_octets += octets as u64;
            }
            Interface::Serial => self.serial_frame(now, &received.header, &received.payload),
            Interface::Private => self.host_started(&received),
            _ => self.told.lost(CoprocessorDrop::Interface, octets),
        }
        self.release(now);
    }

    /// Takes the Wi-Fi driver's answer to the frame offered last: none if a transmit buffer was free; the frame again
    /// if not.
    pub fn offered(&mut self, now: Instant, refused: Option<Packet>) {
        assert!(self.step == Step::Offering, "no frame was offered");
        let Some(frame) = refused else {
            self.told.counters.transmitted += 1;
            return self.release(now);
        };
        self.told.counters.refused += 1;
        self.tries -= 1;
        self.hand = Some(Received { header: Header::new(self.config.interface()), payload: frame });
        if self.config.tries() == 1 {
            return self.give_up(now);
        }
        // Source: the delay comes after each attempt in vain, after the last one too.
        self.step = Step::Retrying(now + self.config.wifi_retry_delay);
    }

    pub(super) fn wake_task(&mut self, now: Instant) {
        if matches!(self.step, Step::Retrying(until) if until <= now) {
            if self.tries == 0 {
                self.give_up(now);
            } else if let Some(hand) = self.hand.take() {
                self.offer(hand.payload);
            }
        }
    }

    /// The host has written a frame.
    pub(super) fn receive(&mut self, now: Instant, frame: Packet) {
        if self.config.bus == Bus::Uart {
            return self.receive_line(now, frame);
        }
        let octets = frame.len() as u32;
        if self.slave.take(octets).is_err() {
            return self.told.lost(CoprocessorDrop::Overflow, frame.len());
        }
        let Ok(received) = self.parse(frame) else {
            (0..octets.div_ceil(self.config.bus.buffer())).for_each(|_| self.slave.load());
            return;
        };
        self.throttle_if_needed();
        self.queues[received.header.interface.priority() as usize].push_back(received);
        self.take_next(now);
    }

    /// A frame has come over the UART: the task that reads stands still in front of a full queue, and what comes meanwhile is lost.
    fn receive_line(&mut self, now: Instant, frame: Packet) {
        let octets = frame.len();
        let Ok(received) = self.parse(frame) else { return };
        let queue = &mut self.queues[received.header.interface.priority() as usize];
        if queue.len() >= usize::from(self.config.rx_buffers.max(1)) {
            return self.told.lost(CoprocessorDrop::Overflow, octets);
        }
        queue.push_back(received);
        self.take_next(now);
    }

    /// A frame of the host by its header; one that is none is lost.
    pub(super) fn parse(&mut self, mut frame: Packet) -> Result<Received, FrameError> {
        let layout = self.config.layout();
        let (header, len) = match Frame::new_checked(&frame, &layout) {
            Ok(parsed) => (parsed.header, parsed.payload.len()),
            Err(error) => {
                self.told.counters.faults.count(error);
                self.told.lost(drop_point(error), frame.len());
                return Err(error);
            }
        };
        frame.strip(layout.header_octets());
        frame.truncate(len);
        Ok(Received { header, payload: frame })
    }

    /// The host interrupts through its scratch register.
    pub(super) fn host_interrupt(&mut self, now: Instant, bits: u32) {
        if bits & reg::OPEN_DATA_PATH != 0 {
            self.data_path = true;
            self.say_who();
        }
        if bits & reg::CLOSE_DATA_PATH != 0 {
            self.data_path = false;
        }
        let known = reg::OPEN_DATA_PATH | reg::CLOSE_DATA_PATH;
        self.told.counters.interrupts_ignored += u64::from(bits & !known != 0);
        self.take_next(now);
    }

    /// The task takes the most urgent frame if it has none.
    pub(super) fn take_next(&mut self, now: Instant) {
        if self.step != Step::Idle || !self.data_path || self.power != Power::Runs {
            return;
        }
        let Some(next) = self.queues.iter_mut().find_map(alloc::collections::VecDeque::pop_front) else { return };
        self.hand = Some(next);
        self.step = Step::Processing;
        match self.config.bus {
            Bus::Spi => self.process_exchanges(now),
            // "UART is low throughput, so throttling should not be needed": `USE_DATA_THROTTLING` of `uart_slave_api.c`.
            Bus::Uart => {}
            Bus::Sdio | Bus::SpiHalfDuplex => self.unthrottle_if_needed(),
        }
    }

    fn offer(&mut self, frame: Packet) {
        self.step = Step::Offering;
        self.told.say(CoprocessorOutput::Offer(frame));
    }

    fn give_up(&mut self, now: Instant) {
        let octets = self.hand.as_ref().map_or(0, |hand| hand.payload.len());
        self.told.lost(CoprocessorDrop::NoBuffer, octets);
        self.release(now);
    }

    /// The buffer of the frame in hand is the host's again.
    fn release(&mut self, now: Instant) {
        self.hand = None;
        self.step = Step::Idle;
        if matches!(self.config.bus, Bus::Sdio | Bus::SpiHalfDuplex) {
            self.slave.load();
        }
        self.take_next(now);
        self.update_line();
    }

    /// Tells if the load of the queue of packets is at least `percent` of all buffers, in whole percents as the source
    /// has it.
    pub(super) fn is_loaded(&self, percent: usize) -> bool {
        self.queues[Priority::Other as usize].len() * 100 >= percent * usize::from(self.config.rx_buffers.max(1))
    }

    /// Source: `start_rx_data_throttling_if_needed`, before a frame is queued.
    fn throttle_if_needed(&mut self) {
        let high = usize::from(self.throttle_percent.0);
        if high > 0 && !self.throttling && self.is_loaded(high + 1) {
            self.throttling = true;
            self.told.counters.throttles += 1;
            self.tell_throttle(Throttle::On);
        }
    }

    /// Source: `stop_rx_data_throttling_if_needed`, after a frame was taken.
    fn unthrottle_if_needed(&mut self) {
        if self.throttling && !self.is_loaded(usize::from(self.throttle_percent.1)) {
            self.throttling = false;
            self.tell_throttle(Throttle::Off);
            self.update_line();
        }
    }
}

impl Coprocessor {
    /// Tells the host to stop or to go on: by an interrupt of SDIO, and over SPI in half duplex by a frame in front of all others.
    fn tell_throttle(&mut self, throttle: Throttle) {
        if self.config.bus == Bus::SpiHalfDuplex {
            let mut frame = self.pool.packet();
            Header::throttle(&self.config.layout(), throttle, &mut frame);
            self.serial.push_back(frame);
            return self.send_serial();
        }
        self.slave.raise(if throttle == Throttle::On { reg::INT_START_THROTTLE } else { reg::INT_STOP_THROTTLE });
    }
}

fn drop_point(error: FrameError) -> CoprocessorDrop {
    match error {
        FrameError::Checksum { .. } => CoprocessorDrop::Checksum,
        FrameError::Interface(_) => CoprocessorDrop::Interface,
        _ => CoprocessorDrop::Invalid,
    }
}
