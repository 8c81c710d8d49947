//! The load capacitors of the crystals, which the chip has inside.
//!
//! With none of them the 32 kHz crystal of a board that relies on them runs some 800 ppm fast (measured
//! by others on a XIAO nRF54L15), more than a sleep clock may be off at all (500 ppm, Core 6.0, Vol 6,
//! Part B, 4.2.2): scanning works, connections drop. They are to be set before a crystal starts.

use embassy_nrf::pac;

/// Load capacitance, in femtofarads, that a board's crystals want from inside the chip.
pub(crate) struct Load {
    /// The 32 MHz crystal; 4000..=17000.
    pub(crate) hfxo_ff: u16,
    /// The 32.768 kHz crystal; 3000..=18000.
    pub(crate) lfxo_ff: u16,
}

/// nRF54L15 DK (PCA10156): as Zephyr's board files have it, `nrf54l_05_10_15_cpuapp_common.dtsi`.
pub(crate) const NRF54L15_DK: Load = Load { hfxo_ff: 15_000, lfxo_ff: 17_000 };

/// Before the 32.768 kHz crystal starts, which embassy does together with the factory's trims.
pub(crate) fn load_lfxo(load: &Load) {
    pac::OSCILLATORS.xosc32ki().intcap().write(|register| register.set_val(lfxo(load)));
}

/// Codes of [`load_lfxo`] that the factory's trims replaced: the one in effect and the one wanted, if they differ.
pub(crate) fn lfxo_overwritten(load: &Load) -> Option<(u8, u8)> {
    let (found, wanted) = (pac::OSCILLATORS.xosc32ki().intcap().read().val(), lfxo(load));
    (found != wanted).then_some((found, wanted))
}

/// After the factory's trims and before MPSL starts the 32 MHz crystal.
pub(crate) fn load_hfxo(load: &Load) {
    let trim = pac::FICR.xosc32mtrim().read();
    let code = hfxo_code(load.hfxo_ff, signed(trim.slope()), trim.offset());
    pac::OSCILLATORS.xosc32m().config().intcap().write(|register| register.set_val(code));
}

fn lfxo(load: &Load) -> u8 {
    let trim = pac::FICR.xosc32ktrim().read();
    lfxo_code(load.lfxo_ff, signed(trim.slope()), trim.offset())
}

/// The factory's slope: nine bits in two's complement.
const fn signed(slope: u16) -> i32 {
    let slope = slope as i32;
    if slope < 256 { slope } else { slope - 512 }
}

/// `((C - 5.5) * (SLOPE + 791) + OFFSET * 4) / 256`, C in pF, rounded. nRF54L15 datasheet, OSCILLATORS,
/// high-frequency crystal oscillator.
const fn hfxo_code(ff: u16, slope: i32, offset: u16) -> u8 {
    let thousandths = (ff as i32 - 5_500) * (slope + 791) + offset as i32 * 4_000;
    code(thousandths, 256_000, 0x3f)
}

/// `(2 * C - 12) * (SLOPE + 392) / 512 + OFFSET / 64`, C in pF, rounded. nRF54L15 datasheet, OSCILLATORS,
/// low-frequency crystal oscillator.
const fn lfxo_code(ff: u16, slope: i32, offset: u16) -> u8 {
    let thousandths = (2 * ff as i32 - 12_000) * (slope + 392) + offset as i32 * 8_000;
    code(thousandths, 512_000, 0x1f)
}

/// The nearest whole number, within the register's field.
const fn code(thousandths: i32, unit: i32, most: i32) -> u8 {
    let nearest = (thousandths + unit / 2) / unit;
    let within = if nearest < 0 {
        0
    } else if nearest > most {
        most
    } else {
        nearest
    };
    within as u8
}

// Checked at every build, for there is no host to test on: values worked out by hand from the datasheet's formulas.
const _: () = {
    // 9.5 * 790 / 256 = 29.3; 11.5 * 802 / 256 + 160 * 4 / 256 = 38.5.
    assert!(hfxo_code(15_000, -1, 0) == 29 && hfxo_code(17_000, 11, 160) == 39);
    // 24 * 398 / 512 + 302 / 64 = 23.4; 20 * 413 / 512 + 317 / 64 = 21.1.
    assert!(lfxo_code(18_000, 6, 302) == 23 && lfxo_code(16_000, 21, 317) == 21);
    assert!(lfxo_code(4_000, 0, 0) == 0 && hfxo_code(17_000, 255, 1_023) == 63);
    assert!(signed(0x1ff) == -1 && signed(0x100) == -256 && signed(0x0ff) == 255);
};
