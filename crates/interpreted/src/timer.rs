//! A CMSDK APB timer, which counts down. Arm, Cortex-M System Design Kit, 4.1.

use std::cell::Cell;
use std::rc::Rc;

use armagnac::memory::{Env, MemoryAccessError, MemoryInterface, MemoryReadResult, MemoryWriteResult};

use crate::clock::Clock;

/// CTRL.
const ENABLE: u32 = 1 << 0;
const INTERRUPT: u32 = 1 << 3;

/// A timer, and the word that something about it has changed.
pub(crate) struct Timer {
    clock: Clock,
    changed: Rc<Cell<bool>>,
    control: u32,
    reload: u32,
    count: Count,
    /// Its interrupt is asked for until somebody clears it.
    asks: bool,
}

/// Count of a timer: what is left while it stands, or the tick at which it is at zero.
#[derive(Clone, Copy)]
enum Count {
    Stands(u32),
    ZeroAt(u64),
}

impl Timer {
    pub(crate) fn new(clock: Clock, changed: Rc<Cell<bool>>) -> Self {
        Self { clock, changed, control: 0, reload: 0, count: Count::Stands(0), asks: false }
    }

    /// Brings it to `cycle`: a zero that has passed asks for an interrupt, and the count begins again.
    pub(crate) fn settle(&mut self, cycle: u64) {
        if let Count::ZeroAt(zero) = self.count
            && let Some(beyond) = self.clock.ticks(cycle).checked_sub(zero)
        {
            let turn = u64::from(self.reload) + 1;
            self.count = Count::ZeroAt(zero + (beyond / turn + 1) * turn);
            self.asks |= self.control & INTERRUPT != 0;
        }
    }

    /// True while it asks for its interrupt.
    pub(crate) fn asks(&self) -> bool {
        self.asks
    }

    /// Cycle at which it next asks for an interrupt; none while it does.
    pub(crate) fn due(&self) -> Option<u64> {
        match self.count {
            Count::ZeroAt(zero) if self.control & INTERRUPT != 0 && !self.asks => Some(self.clock.at_tick(zero)),
            _ => None,
        }
    }

    fn value(&self, cycle: u64) -> u32 {
        match self.count {
            Count::Stands(left) => left,
            Count::ZeroAt(zero) => u32::try_from(zero.saturating_sub(self.clock.ticks(cycle))).unwrap_or(u32::MAX),
        }
    }

    fn count_from(&mut self, value: u32, cycle: u64) {
        self.count = match self.control & ENABLE {
            0 => Count::Stands(value),
            _ => Count::ZeroAt(self.clock.ticks(cycle) + u64::from(value)),
        };
    }
}

impl MemoryInterface for Timer {
    fn size(&self) -> u32 {
        0x1000
    }

    fn read_u32le(&mut self, address: u32, env: &mut Env) -> MemoryReadResult<u32> {
        self.settle(env.cycles);
        self.changed.set(true);
        match address {
            0x0 => Ok(self.control),
            0x4 => Ok(self.value(env.cycles)),
            0x8 => Ok(self.reload),
            0xc => Ok(self.asks.into()),
            _ => Err(MemoryAccessError::InvalidAddress),
        }
    }

    fn write_u32le(&mut self, address: u32, value: u32, env: &mut Env) -> MemoryWriteResult {
        self.settle(env.cycles);
        self.changed.set(true);
        match address {
            0x0 => {
                let left = self.value(env.cycles);
                self.control = value;
                self.count_from(left, env.cycles);
            }
            0x4 => self.count_from(value, env.cycles),
            0x8 => self.reload = value,
            0xc => self.asks &= value & 1 == 0,
            _ => return Err(MemoryAccessError::InvalidAddress),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A timer at 20 MHz under a CPU of 20 MHz: a tick is a cycle.
    fn timer() -> Timer {
        Timer::new(Clock::new(20_000_000), Rc::default())
    }

    fn write(timer: &mut Timer, cycle: u64, register: u32, value: u32) {
        timer.write_u32le(register, value, &mut Env::new(cycle, true)).unwrap();
    }

    fn read(timer: &mut Timer, cycle: u64, register: u32) -> u32 {
        timer.read_u32le(register, &mut Env::new(cycle, true)).unwrap()
    }

    #[test]
    fn it_asks_at_zero_until_it_is_cleared_and_counts_on() {
        let mut timer = timer();
        [(0x8, 9), (0x4, 5), (0x0, ENABLE | INTERRUPT)]
            .iter()
            .for_each(|(at, value)| write(&mut timer, 100, *at, *value));
        assert_eq!((timer.due(), read(&mut timer, 102, 0x4), timer.asks()), (Some(105), 3, false));
        timer.settle(105);
        assert_eq!((timer.due(), timer.asks(), read(&mut timer, 105, 0x4)), (None, true, 10));
        write(&mut timer, 107, 0xc, 1);
        assert_eq!((timer.due(), timer.asks()), (Some(115), false));
    }

    #[test]
    fn without_its_interrupt_it_asks_for_nothing() {
        let mut timer = timer();
        [(0x8, 9), (0x4, 5), (0x0, ENABLE)].iter().for_each(|(at, value)| write(&mut timer, 0, *at, *value));
        timer.settle(50);
        assert_eq!((timer.due(), timer.asks()), (None, false));
    }
}
