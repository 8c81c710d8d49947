//! Images of a few instructions: time, sleep, interrupts, and what ends them.

use airtime_ble::network::{Station, StationOutput};
use airtime_core::{Duration, Instant, Pool};
use airtime_interpreted::{Account, Fault, Image, NoImage};
use airtime_testing::{CODE, PROGRAM, image as elf};

const MICROSECOND: Duration = Duration::from_micros(1);

/// Octets of a command, and what a controller might say to it.
const RESET: [u8; 4] = [1, 3, 12, 0];
const COMPLETE: [u8; 7] = [4, 14, 4, 1, 3, 12, 0];

/// Offset of its handler.
const HANDLER: u32 = 0x26;

/// Sends `RESET`, then sleeps; whatever comes, it takes it all and sends another.
const ANSWERS: [u16; 34] = [
    0x4c0e, // reset:   ldr r4, =0x50200000
    0x210b, //          movs r1, #0x0b          both directions, and the receiver's interrupt
    0x60a1, //          str r1, [r4, #8]
    0x4a0e, //          ldr r2, =0xe000e104
    0x2101, //          movs r1, #1             interrupt 32
    0x6011, //          str r1, [r2]
    0xf000, 0xf802, //  bl send
    0xbf30, // again:   wfi
    0xe7fd, //          b again
    0x2101, // send:    movs r1, #1
    0x6021, //          str r1, [r4]
    0x2103, 0x6021, //  and 3
    0x210c, 0x6021, //  and 12
    0x2100, 0x6021, //  and 0
    0x4770, //          bx lr
    0xb510, // handler: push {r4, lr}
    0x2102, // take:    movs r1, #2             the interrupt is over until another octet comes
    0x60e1, //          str r1, [r4, #12]
    0x6861, //          ldr r1, [r4, #4]
    0x0789, //          lsls r1, r1, #30
    0xd501, //          bpl taken
    0x6821, //          ldr r1, [r4]
    0xe7f8, //          b take
    0xf7ff, 0xffed, // taken: bl send
    0xbd10, //          pop {r4, pc}
    0x0000, 0x5020, 0xe104, 0xe000,
];

fn image(program: &[u16]) -> Image<()> {
    Image::new(&elf(program, HANDLER), 1_000_000, Pool::new()).expect("it is an image")
}

/// Wakes it as a loop does, until it has nothing to do or `until` is over; gives what it has sent, and when.
fn run(image: &mut Image<()>, until: Instant) -> Vec<(Instant, Vec<u8>)> {
    let mut sent = Vec::new();
    while let Some(now) = image.deadline().filter(|at| *at <= until && image.fault().is_none()) {
        image.wake(now);
        while let Some(StationOutput::Hci(packet)) = image.poll(now) {
            sent.push((now, packet.to_vec()));
        }
    }
    sent
}

fn at(microseconds: u64) -> Instant {
    Instant::ZERO + MICROSECOND * microseconds
}

#[test]
fn cycles_are_time_and_sleep_costs_none() {
    // At 1 MHz a cycle is a microsecond.
    let mut image = image(&ANSWERS);
    // Ten for the registers, three for the call, twelve for the packet, whose last octet is sent in the second but last of them.
    assert_eq!(run(&mut image, at(1_000)), [(at(24), RESET.to_vec())]);
    assert_eq!(image.deadline(), None, "it waits for its controller");
    assert_eq!(image.account(), Account { instructions: 17, busy: 29, asleep: 0, interrupts: 0 });
    image.hci(at(1_000), &COMPLETE);
    let [(answered, ref packet)] = run(&mut image, at(2_000))[..] else { panic!("one packet, for one interrupt") };
    // Entry 12, PUSH 3; seven octets of 12 each, 9 for the look that finds none, 3 for the call, 12 for the packet.
    let until_sent = 12 + 3 + 7 * 12 + 9 + 3 + 12;
    assert_eq!((answered, packet.as_slice()), (at(1_000 + until_sent - 1), &RESET[..]));
    let Account { interrupts, busy, asleep, .. } = image.account();
    // The call's return 3, the handler's 3 with the pipeline 2 and 12, the branch 3, and WFI.
    assert_eq!((interrupts, busy, asleep), (1, 29 + until_sent + 3 + 17 + 3 + 1, 1_000 - 29));
}

#[test]
fn whatever_never_sleeps_takes_all_of_its_time() {
    let mut image = image(&[0xe7fe]);
    run(&mut image, at(10_000));
    let Account { instructions, busy, asleep, .. } = image.account();
    assert!((9_990..=10_002).contains(&busy), "{busy}");
    assert_eq!((instructions, asleep), (busy / 3, 0));
}

#[test]
fn what_ends_an_image_is_said() {
    let pc = CODE + PROGRAM;
    let ends = |program: &[u16]| {
        let mut image = image(program);
        run(&mut image, at(1_000));
        assert_eq!(image.deadline(), None);
        image.fault()
    };
    assert_eq!(ends(&[0xde00]), Some(Fault::Ended { pc }));
    assert_eq!(ends(&[0xbe00]), Some(Fault::Unserved { pc }));
    assert_eq!(ends(&[0xdf00]), Some(Fault::Unserved { pc }));
    // ldr r0, [r0], where r0 is nought, and nothing answers there.
    assert_eq!(ends(&[0x6800]), Some(Fault::Load { pc, address: 0 }));
    assert_eq!(ends(&[0x6000]), Some(Fault::Store { pc, address: 0 }));
    // bx r0, with the bit that says Thumb.
    assert_eq!(ends(&[0x2001, 0x4700]), Some(Fault::Nowhere { pc: 0 }));
    // vadd.f32 s0, s0, s0 is for a CPU with floating point.
    assert_eq!(ends(&[0xee30, 0x0a00]), Some(Fault::Unknown { pc, code: 0xee30_0a00 }));
    let mut image = image(&[0x4c01, 0x2109, 0x6021, 0xe7fe, 0x0000, 0x5020]);
    run(&mut image, at(1_000));
    assert_eq!(image.fault(), Some(Fault::NotH4 { indicator: 9 }));
}

#[test]
fn what_is_no_image_is_refused() {
    let new = |file: &[u8]| Image::<()>::new(file, 1, Pool::new()).map(|_| ()).unwrap_err();
    let good = elf(&ANSWERS, HANDLER);
    assert_eq!(new(b"PK\x03\x04"), NoImage::NotArm);
    assert_eq!(new(&good[..good.len() - 1]), NoImage::Short);
    let mut elsewhere = good.clone();
    elsewhere[64..68].copy_from_slice(&0x0800_0000_u32.to_le_bytes());
    assert!(matches!(new(&elsewhere), NoImage::Misplaced { address: 0x0800_0000, .. }));
    let mut without_stack = good.clone();
    without_stack[84..88].fill(0);
    assert_eq!(new(&without_stack), NoImage::NoVectors);
}
