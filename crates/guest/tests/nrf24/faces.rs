//! The faces of blocking programs: what each call takes, and when it acts.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use airtime_core::{Duration, Instant};
use airtime_guest::nrf24::{Machine, Program};
use airtime_nrf24::host::{Cost, Host, HostOutput};
use airtime_nrf24::trace::{Activity, Lint, Note};
use airtime_nrf24::wires::Board;
use embedded_hal::delay::DelayNs;
use embedded_hal::digital::{InputPin, OutputPin};
use embedded_hal::spi::{Operation, SpiDevice};
use embedded_hal_02::blocking::spi::Transfer;
use embedded_hal_02::digital::v2::OutputPin as _;

use super::pair::{self, Guest};
use super::scene::cost;

/// What a program found, with the time it took for each.
type Found = Rc<RefCell<Vec<(u64, Vec<u8>)>>>;

/// Runs a program alone for 100 ms at 8 MHz, 15 µs for a transaction and 5 µs for a pin.
fn run(program: impl FnOnce(&Machine<'_>, &Found) + 'static) -> (Vec<(u64, Vec<u8>)>, pair::Seen) {
    let found = Found::default();
    let finds = found.clone();
    let cost = Cost { pin: Duration::from_micros(5), sleep_slack: Duration::from_micros(55), ..cost(8, 15) };
    let boards = pair::boards(cost);
    let [left, right] = &boards;
    let program = Guest::blocking(left, move |machine| program(machine, &finds));
    let seen = pair::run(&boards, program, Guest::blocking(right, |_| {}), Duration::from_millis(100));
    (found.take(), seen)
}

/// Notes how long `call` takes, in ns, and what it gives.
fn timed(machine: &Machine<'_>, found: &Found, call: impl FnOnce() -> Vec<u8>) {
    let before = machine.now();
    let gave = call();
    found.borrow_mut().push(((machine.now() - before).as_nanos(), gave));
}

#[test]
fn a_transaction_takes_the_host_and_every_octet() {
    let (found, _) = run(|machine, found| {
        let mut spi = machine.wires(0).spi;
        timed(machine, found, || {
            let mut octets = [0x05, 0];
            spi.transfer_in_place(&mut octets).unwrap();
            octets.to_vec()
        });
        timed(machine, found, || {
            let mut octets = [0; 5];
            spi.transaction(&mut [Operation::Write(&[0x0A]), Operation::DelayNs(700), Operation::Read(&mut octets)])
                .unwrap();
            octets.to_vec()
        });
        timed(machine, found, || {
            let mut octets = [0xFF; 3];
            spi.transfer(&mut octets, &[0x25, 7]).unwrap();
            octets.to_vec()
        });
        timed(machine, found, || {
            let mut octets = [0; 2];
            spi.transfer(&mut octets, &[0x05]).unwrap();
            octets.to_vec()
        });
    });
    assert_eq!(found[0], (15_000 + 2_000, vec![0x0E, 2]), "STATUS, and RF_CH after reset");
    assert_eq!(found[1], (15_000 + 6_000 + 700, vec![0xE7; 5]), "the address of pipe 0 after reset");
    assert_eq!(found[2], (15_000 + 3_000, vec![0x0E, 0, 0]));
    assert_eq!(found[3], (15_000 + 2_000, vec![0x0E, 7]), "RF_CH as written");
}

#[test]
fn pins_and_delays_take_their_time() {
    let (found, seen) = run(|machine, found| {
        let mut wires = machine.wires(0);
        let ns = |call: &mut dyn FnMut()| {
            timed(machine, found, || {
                call();
                Vec::new()
            });
        };
        ns(&mut || OutputPin::set_high(&mut wires.ce).unwrap());
        ns(&mut || OutputPin::set_low(&mut wires.ce).unwrap());
        ns(&mut || assert!(wires.irq.is_high().unwrap() && !wires.irq.is_low().unwrap()));
        ns(&mut || wires.delay.delay_us(10));
        ns(&mut || wires.delay.delay_ns(0));
        ns(&mut || assert!(!wires.irq.wait_low(Some(Duration::from_micros(300)))));
    });
    let took: Vec<_> = found.into_iter().map(|(ns, _)| ns).collect();
    assert_eq!(took, [5_000, 5_000, 10_000, 65_000, 55_000, 300_000]);
    assert!(seen.lints[0].contains_key(&Lint::ShortCePulse), "CE was high for 5 µs: {:?}", seen.lints);
}

#[test]
fn csn_is_a_pin_of_its_own_in_0_2() {
    let (found, _) = run(|machine, found| {
        let mut wires = machine.wires(0).v02();
        timed(machine, found, || {
            let mut octets = [0x05, 0];
            wires.spi.transfer(&mut octets).unwrap();
            octets.to_vec()
        });
        let mut transfer = |mut octets: Vec<u8>| {
            timed(machine, found, || {
                wires.csn.set_low().unwrap();
                wires.spi.transfer(&mut octets).unwrap();
                wires.csn.set_high().unwrap();
                octets
            });
        };
        transfer(vec![0x25, 9]);
        transfer(vec![0x05, 0]);
    });
    assert_eq!(found[0], (0, vec![0, 0]), "nobody is selected");
    assert_eq!(found[1], (15_000 + 2_000 + 10_000, vec![0x0E, 0]));
    assert_eq!(found[2].1, [0x0E, 9], "what was written when CSN rose");
}

#[test]
fn an_interrupt_resumes_the_program_after_its_way_to_the_host() {
    // A transmitter without acknowledgement: 130 µs of settling, 160 µs of ShockBurst frame, 6 µs to the interrupt, 20 µs to
    // the program.
    let late = Cost { wake: Duration::from_micros(20), ..cost(10, 0) };
    let boards = pair::boards(late);
    let [left, right] = &boards;
    let took = Rc::new(Cell::new(0));
    let takes = took.clone();
    let program = Guest::blocking(left, move |machine| {
        let mut wires = machine.wires(0);
        for (register, value) in [(0x21, 0), (0x24, 0), (0x26, 0x08), (0x20, 0x0E)] {
            wires.spi.write(&[register, value]).unwrap();
        }
        wires.delay.delay_ms(5);
        let mut payload = [0; 33];
        payload[0] = 0xA0;
        wires.spi.write(&payload).unwrap();
        let started = machine.now();
        OutputPin::set_high(&mut wires.ce).unwrap();
        assert!(wires.irq.wait_low(None));
        takes.set((machine.now() - started).as_nanos());
    });
    pair::run(&boards, program, Guest::blocking(right, |_| {}), Duration::from_millis(100));
    assert_eq!(took.get(), 130_000 + 160_000 + 6_000 + 20_000);
}

#[test]
fn a_program_that_returns_is_quiet() {
    let board: Board = pair::boards(cost(10, 0))[0].clone();
    let mut program = Program::new(vec![board], Instant::ZERO, |machine| machine.wires(0).delay.delay_us(3));
    program.wake(Instant::ZERO);
    let due = program.deadline().unwrap();
    assert_eq!(due, Instant::from_nanos(3_000));
    program.wake(due);
    assert!(program.is_over() && program.deadline().is_none());
    program.wake(due);
    assert!(program.is_over());
}

#[test]
fn a_program_says_what_it_does_if_it_is_asked_to() {
    let board = pair::boards(cost(8, 15))[0].clone();
    let read = |machine: &Machine<'_>| {
        machine.wires(0).spi.write(&[0xFF]).unwrap();
        machine.wires(0).irq.wait_low(None);
    };
    let mut silent = Program::new(vec![board.clone()], Instant::ZERO, read);
    silent.wake(Instant::ZERO);
    assert!(silent.poll(Instant::ZERO).is_none());
    let mut program = Program::new(vec![board], Instant::ZERO, read).noting_activity();
    let mut said = Vec::new();
    while let Some(due) = program.deadline() {
        program.wake(due);
        while let Some(HostOutput::Note(note)) = program.poll(due) {
            said.push((due.as_nanos(), note));
        }
    }
    let octets = Instant::from_nanos(15_000);
    let awaits = Note::Activity { radio: 0, activity: Activity::AwaitsChip };
    assert_eq!(said, [(0, Note::Transaction { radio: 0, octets }), (16_000, awaits)]);
}
