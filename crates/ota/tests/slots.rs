//! The co-processor's slots and its bootloader.

use airtime_ota::flash::Nor;
use airtime_ota::image::Chip;
use airtime_ota::partition::{HOST, Table};
use airtime_ota::slots::{BootError, SlotError, Slots};

use super::support::{NEW, OLD, firmware, image, slots};

fn runs(slots: &mut Slots<Nor>) -> [u32; 3] {
    slots.boot().unwrap().image.description.numbers().unwrap()
}

fn update(slots: &mut Slots<Nor>, image: &[u8]) -> Result<(), SlotError> {
    slots.begin()?;
    for chunk in image.chunks(1400) {
        slots.write(chunk)?;
    }
    slots.end()?;
    slots.activate()
}

#[test]
fn updates_take_turns_between_the_slots() {
    let mut slots = slots(false, 1);
    assert_eq!(runs(&mut slots), OLD);
    for (patch, slot) in [(1, 1), (2, 0), (3, 1)] {
        update(&mut slots, &firmware([3, 0, patch], 20_000 / 16 * 16)).unwrap();
        assert_eq!(runs(&mut slots), [3, 0, patch]);
        assert_eq!(slots.running().map(|running| running.slot), Some(slot));
    }
}

#[test]
fn a_bad_image_is_refused_and_the_old_one_keeps_running() {
    let mut slots = slots(false, 1);
    runs(&mut slots);
    let good = firmware(NEW, 65_536);
    assert_eq!(update(&mut slots, &image(Chip::ESP32_P4, NEW, 65_536)), Err(SlotError::Invalid));
    assert_eq!(update(&mut slots, &good[1..]), Err(SlotError::Invalid));
    for at in [300, 40_000, 65_500] {
        let mut damaged = good.clone();
        damaged[at] ^= 0x10;
        assert_eq!(update(&mut slots, &damaged), Err(SlotError::Invalid), "octet {at}");
    }
    assert_eq!(update(&mut slots, &good[..65_000]), Err(SlotError::Invalid), "cut short");
    assert_eq!(runs(&mut slots), OLD);
    update(&mut slots, &good).unwrap();
    assert_eq!(runs(&mut slots), NEW);
}

#[test]
fn steps_out_of_order_are_refused() {
    let mut slots = slots(false, 1);
    assert_eq!(slots.begin(), Err(SlotError::NotBegun), "nothing runs yet");
    runs(&mut slots);
    assert_eq!(slots.write(&[0xE9; 400]), Err(SlotError::NotBegun));
    assert_eq!(slots.end(), Err(SlotError::NotBegun));
    assert_eq!(slots.activate(), Err(SlotError::NotComplete));
    slots.begin().unwrap();
    assert_eq!(slots.end(), Err(SlotError::NotBegun), "nothing written");
    assert_eq!(slots.write(&firmware(NEW, 4096)[..287]), Err(SlotError::TooShort));
    assert_eq!(slots.activate(), Err(SlotError::NotComplete));
    slots.begin().unwrap();
    let room = slots.begin_octets() as usize;
    slots.write(&firmware(NEW, 4096)).unwrap();
    assert_eq!(slots.write(&vec![0; room]), Err(SlotError::TooLong));
}

#[test]
fn firmware_that_nobody_confirms_boots_once() {
    let mut slots = slots(true, 1);
    runs(&mut slots);
    update(&mut slots, &firmware(NEW, 8192)).unwrap();
    assert_eq!(runs(&mut slots), NEW);
    assert!(slots.running().is_some_and(|running| running.on_trial));
    assert_eq!(slots.begin(), Err(SlotError::OnTrial));
    assert_eq!(runs(&mut slots), OLD, "the trial is over");
    update(&mut slots, &firmware(NEW, 8192)).unwrap();
    runs(&mut slots);
    slots.confirm().unwrap();
    assert_eq!(runs(&mut slots), NEW);
    assert!(slots.running().is_some_and(|running| !running.on_trial));
}

#[test]
fn firmware_finds_out_what_has_booted_without_writing() {
    let mut slots = slots(true, 1);
    runs(&mut slots);
    update(&mut slots, &firmware(NEW, 8192)).unwrap();
    let booted = slots.boot().unwrap().clone();
    let work = slots.storage().work();
    assert_eq!(slots.adopt().unwrap(), &booted);
    assert_eq!(slots.storage().work(), work);
}

#[test]
fn a_damaged_slot_is_passed_over() {
    let mut slots = slots(false, 1);
    runs(&mut slots);
    update(&mut slots, &firmware(NEW, 65_536)).unwrap();
    let table = Table::parse(airtime_ota::partition::COPROCESSOR).unwrap();
    let at = table.find("ota_1").unwrap().offset as usize;
    let mut octets = slots.storage().contents().to_vec();
    octets[at + 30_000] ^= 1;
    let mut damaged = Slots::new(Nor::holding(octets.clone(), 1), &table, Chip::ESP32_C6, false).unwrap();
    assert_eq!(runs(&mut damaged), OLD);
    octets[table.find("ota_0").unwrap().offset as usize] = 0;
    let mut gone = Slots::new(Nor::holding(octets, 1), &table, Chip::ESP32_C6, false).unwrap();
    assert_eq!(gone.boot(), Err(BootError::NoImage));
}

#[test]
fn a_table_without_slots_is_none_for_a_coprocessor() {
    let table = Table::parse(HOST).unwrap();
    let made = Slots::new(Nor::new(table.flash(), 1), &table, Chip::ESP32_C6, false);
    assert_eq!(made.map(|_| ()), Err(BootError::Layout));
}
