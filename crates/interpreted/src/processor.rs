//! The CPU and the board around it.

use std::cell::{Cell, RefCell};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;

use armagnac::core::{Condition, Config, Effect, Emulator, Irq, MonitorState, Processor};
use armagnac::instructions::InstructionSize;
use armagnac::memory::RamMemory;
use armagnac::registers::Mode;

use crate::clock::Clock;
use crate::cost;
use crate::decoded::{Access, Decoded, Special};
use crate::elf::{CODE, DATA, NoImage, code, word};
use crate::fault::Fault;
use crate::system::{INTERRUPTS, SPACE, Stored, System};
use crate::timer::Timer;
use crate::uart::Uart;

/// Interrupts of the timers and of the first UART's receiver. Arm AN505, interrupt assignments.
const TIMERS: [u16; 2] = [3, 4];
const RECEIVED: u16 = 32;

/// Secure addresses of the timers and of the UARTs. Arm AN505, memory map.
const TIMERS_AT: [u32; 2] = [0x5000_0000, 0x5000_1000];
const UARTS_AT: [u32; 2] = [0x5020_0000, 0x5020_1000];

/// Flags of the status register that MSR sets: N, Z, C, V and Q.
const FLAGS: u32 = 0xf800_0000;

/// VTOR.
const VECTORS_OFFSET: u32 = 0xe000_ed08;

/// Account of what a CPU did with its time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Account {
    /// Instructions executed.
    pub instructions: u64,
    /// Cycles that they took, and entries of interrupts.
    pub busy: u64,
    /// Cycles in which it waited for an interrupt.
    pub asleep: u64,
    /// Interrupts taken.
    pub interrupts: u64,
}

/// A board with an image.
pub(crate) struct Board {
    clock: Clock,
    processor: Processor,
    system: System,
    code: Vec<u8>,
    /// Every instruction that was executed, by its halfword in the code.
    decoded: Vec<Option<Decoded>>,
    timers: [Rc<RefCell<Timer>>; 2],
    /// HCI, and the log.
    pub(crate) uarts: [Rc<RefCell<Uart>>; 2],
    /// A device has been touched since its interrupts were looked at.
    changed: Rc<Cell<bool>>,
    /// Interrupt that is asked for and let through.
    pending: Option<u16>,
    /// Cycle at which a timer next asks.
    timer_due: u64,
    is_asleep: bool,
    /// Cycles since the run began.
    cycle: u64,
    account: Account,
}

impl Board {
    /// A board that has been reset, with an ELF in its memory.
    pub(crate) fn new(file: &[u8], clock: Clock) -> Result<Self, NoImage> {
        let code = code(file)?;
        let changed = Rc::new(Cell::new(true));
        let timers = [(); 2].map(|()| Rc::new(RefCell::new(Timer::new(clock, Rc::clone(&changed)))));
        let uarts = [(); 2].map(|()| Rc::new(RefCell::new(Uart::new(Rc::clone(&changed)))));
        let mut processor = Processor::new(Config::v7m().external_exceptions(INTERRUPTS.into()));
        let flash = RamMemory::new_from_slice(&code).read_only();
        let apart = "the board's addresses are apart";
        processor.map_iface(CODE.start, Rc::new(RefCell::new(flash))).expect(apart);
        processor.map_ram(DATA.start, DATA.end - DATA.start).expect(apart);
        for (at, timer) in TIMERS_AT.into_iter().zip(&timers) {
            processor.map_iface(at, Rc::<RefCell<Timer>>::clone(timer)).expect(apart);
        }
        for (at, uart) in UARTS_AT.into_iter().zip(&uarts) {
            processor.map_iface(at, Rc::<RefCell<Uart>>::clone(uart)).expect(apart);
        }
        processor.write_u32le_iface(VECTORS_OFFSET, CODE.start).expect("VTOR takes an aligned address");
        processor.set_sp(word(&code, 0)? & !3);
        processor.set_pc(word(&code, 4)? & !1);
        let decoded = vec![None; code.len().div_ceil(2)];
        let system = System::default();
        let (pending, timer_due, is_asleep, cycle, account) = (None, u64::MAX, false, 0, Account::default());
        Ok(Self {
            clock,
            processor,
            system,
            code,
            decoded,
            timers,
            uarts,
            changed,
            pending,
            timer_due,
            is_asleep,
            cycle,
            account,
        })
    }

    /// Account of all that it has done.
    pub(crate) fn account(&self) -> Account {
        self.account
    }

    /// Cycle up to which it is next executed, `ahead` of where it is while it does not sleep; none if it waits for octets.
    pub(crate) fn due(&self, ahead: u64) -> Option<u64> {
        match self.is_awake() {
            true => Some(self.cycle + ahead),
            false => Some(self.timer_due).filter(|due| *due < u64::MAX),
        }
    }

    /// True unless it waits for an interrupt and none is asked for.
    pub(crate) fn is_awake(&self) -> bool {
        !self.is_asleep || self.changed.get() || self.pending.is_some()
    }

    /// Executes up to a cycle, the last instruction perhaps a little beyond it.
    pub(crate) fn run(&mut self, until: u64) -> Result<(), Fault> {
        // `armagnac` 0.3 panics at what it does not have, a division by zero for one. What it left is not used again.
        let outcome = catch_unwind(AssertUnwindSafe(|| self.execute(until)));
        outcome.unwrap_or_else(|_| Err(Fault::Interpreter { pc: self.processor.pc() }))
    }

    fn execute(&mut self, until: u64) -> Result<(), Fault> {
        loop {
            if self.changed.get() || self.cycle >= self.timer_due {
                self.look();
            }
            // An interrupt that is masked by PRIMASK ends a sleep as well. Armv7-M, B1.5.19.
            self.is_asleep &= self.pending.is_none();
            if self.cycle >= until {
                return Ok(());
            }
            if self.is_asleep {
                let next = self.timer_due.min(until);
                self.account.asleep += next - self.cycle;
                self.cycle = next;
                continue;
            }
            let registers = &self.processor.registers;
            // All interrupts have one priority, as after a reset: none goes before another.
            match self.pending.filter(|_| registers.mode == Mode::Thread && !registers.primask.pm()) {
                Some(interrupt) => self.enter(interrupt)?,
                None => self.step()?,
            }
        }
    }

    /// Looks at who asks for an interrupt.
    fn look(&mut self) {
        self.changed.set(false);
        self.timer_due = u64::MAX;
        self.pending = None;
        for (timer, number) in self.timers.iter().zip(TIMERS) {
            let mut timer = timer.borrow_mut();
            timer.settle(self.cycle);
            self.timer_due = timer.due().map_or(self.timer_due, |due| due.min(self.timer_due));
            if timer.asks() && self.system.lets(number) {
                self.pending = self.pending.or(Some(number));
            }
        }
        if self.uarts[0].borrow().asks() && self.system.lets(RECEIVED) {
            self.pending = self.pending.or(Some(RECEIVED));
        }
    }

    fn spend(&mut self, cycles: u8) {
        self.cycle += u64::from(cycles);
        self.account.busy += u64::from(cycles);
    }

    /// Enters an interrupt, and executes the first instruction of its handler.
    fn enter(&mut self, interrupt: u16) -> Result<(), Fault> {
        let pc = self.processor.pc();
        self.processor.cycles = self.cycle;
        // Armv7-M, B1.5.6: an exception clears the monitor.
        self.processor.clear_exclusive_local();
        self.processor.request_interrupt(Irq::External(interrupt));
        self.processor.next_event().map_err(|error| Fault::of(error, pc))?;
        self.account.interrupts += 1;
        self.account.instructions += 1;
        self.spend(cost::EXCEPTION + self.first_cycles(interrupt));
        Ok(())
    }

    /// Cycles of the first instruction of a handler.
    fn first_cycles(&self, interrupt: u16) -> u8 {
        // The system's own sixteen vectors come first, those of the board behind them.
        let handler = word(&self.code, 4 * (16 + u32::from(interrupt))).unwrap_or(0) & !1;
        let code = word(&self.code, handler.wrapping_sub(CODE.start)).unwrap_or(0).rotate_left(16);
        let first = (code >> 16) as u16;
        if InstructionSize::from_halfword(first) == InstructionSize::Ins16 {
            cost::narrow(first)
        } else {
            cost::wide(code)
        }
    }

    /// The instruction at the program counter.
    fn step(&mut self) -> Result<(), Fault> {
        let (pc, mut block) = (self.processor.pc(), self.processor.registers.psr.it_state());
        let at = pc.checked_sub(CODE.start).map(|offset| offset as usize).filter(|at| *at < self.code.len());
        let at = at.ok_or(Fault::Nowhere { pc })?;
        let place = &mut self.decoded[at / 2];
        let decoded = match place {
            Some(decoded) if decoded.block.0 == block.0 => decoded,
            _ => place.insert(Decoded::new(&*self.processor.instruction_decoder, &self.code, at, pc, block)?),
        };
        let condition = decoded.condition.or(block.current_condition()).unwrap_or(Condition::Always);
        if block.in_it_block() {
            block.advance();
            self.processor.registers.psr.set_it_state(block);
        }
        // An instruction finds the program counter four octets ahead of itself, whatever its length.
        self.processor.set_pc(pc + 4);
        self.processor.cycles = self.cycle;
        let (is_wide, mut cycles, special) = (decoded.is_wide, decoded.cycles, decoded.special);
        let mut effect = Effect::None;
        if self.processor.registers.psr.test(condition) {
            let instruction = Rc::clone(&decoded.instruction);
            let before = self.processor.registers.mode;
            effect = match self.specially(special, pc)? {
                true => Effect::None,
                false => instruction.execute(&mut self.processor).map_err(|error| Fault::of(error, pc))?,
            };
            if before != self.processor.registers.mode {
                cycles += cost::EXCEPTION;
            }
        } else {
            cycles = 1;
        }
        match effect {
            Effect::None => {}
            Effect::Branch => cycles += cost::REFILL,
            Effect::WaitForInterrupt | Effect::WaitForEvent => self.is_asleep = true,
            Effect::Break(_) | Effect::DebugHint(_) => return Err(Fault::Unserved { pc }),
        }
        if effect != Effect::Branch && !is_wide {
            self.processor.set_pc(self.processor.pc() - 2);
        }
        self.account.instructions += 1;
        self.spend(cycles);
        Ok(())
    }

    /// Executes what is not `armagnac`'s; says whether it was done with it.
    fn specially(&mut self, special: Special, pc: u32) -> Result<bool, Fault> {
        match special {
            Special::None => Ok(false),
            Special::Word(access) => {
                let address = self.processor[access.base].wrapping_add(access.offset);
                if SPACE.contains(&address) { self.system_word(access, address, pc) } else { Ok(false) }
            }
            Special::ExclusiveStore(base) => {
                // `armagnac` 0.3 notes the word that an octet is in and compares the octet's own address, so that none but the first
                // of a word can ever be stored.
                let (address, monitor) = (self.processor[base], &mut self.processor.local_monitor.state);
                if *monitor == (MonitorState::ExclusiveAccess { address: address & !3 }) {
                    *monitor = MonitorState::ExclusiveAccess { address };
                }
                Ok(false)
            }
            // `armagnac` 0.3 has MSR neither for these nor for PRIMASK.
            Special::Flags(from) => {
                let flags = self.processor[from] & FLAGS;
                let psr = &mut self.processor.registers.psr;
                psr.set(psr.get() & !FLAGS | flags);
                Ok(true)
            }
            Special::Mask(from) => {
                let masked = self.processor[from] & 1 == 1;
                self.processor.registers.primask.set_pm(masked);
                Ok(true)
            }
            Special::Undefined => Err(Fault::Ended { pc }),
            Special::Call => Err(Fault::Unserved { pc }),
        }
    }

    fn system_word(&mut self, access: Access, address: u32, pc: u32) -> Result<bool, Fault> {
        if access.loads {
            let loaded = self.system.load(address, self.processor.registers.psr.exception_number());
            if let Some(word) = loaded {
                self.processor.set(access.register, word);
            }
            return Ok(loaded.is_some());
        }
        let value = self.processor[access.register];
        self.changed.set(true);
        match self.system.store(address, value) {
            Stored::Done => Ok(true),
            Stored::Elsewhere => Ok(false),
            Stored::Reset => Err(Fault::Reset { pc }),
        }
    }

    /// Clock of the CPU.
    pub(crate) fn clock(&self) -> Clock {
        self.clock
    }
}
