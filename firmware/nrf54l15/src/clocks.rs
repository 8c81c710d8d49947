//! Clocks, cache and regulator, before anything else runs.

use defmt::warn;
use embassy_nrf::config::{ClockSpeed, Config, HfclkSource, LfclkSource};
use embassy_nrf::{Peripherals, pac};
use nrf_mpsl::raw;

use crate::capacitors::{self, NRF54L15_DK};

/// Largest error of the DK's 32.768 kHz crystal, by which a connection's window is widened. Zephyr's default for this
/// board, and *assumed* here.
const LFXO_PPM: u16 = 50;

/// Starts everything embassy needs; MPSL takes the clocks over from here.
pub(crate) fn init() -> Peripherals {
    capacitors::load_lfxo(&NRF54L15_DK);
    // Off after reset, and the RRAM is slower than the CPU. nRF54L15 datasheet, CACHE: enabling it
    // clears every valid bit.
    pac::ICACHE.enable().write(|register| register.set_enable(true));
    let mut config = Config::default();
    // MPSL refuses to start at the other speed.
    config.clock_speed = ClockSpeed::CK128;
    // The 32 MHz crystal has to wait for its capacitors; MPSL starts it.
    config.hfclk_source = HfclkSource::Internal;
    config.lfclk_source = LfclkSource::ExternalXtal;
    let peripherals = embassy_nrf::init(config);
    capacitors::load_hfxo(&NRF54L15_DK);
    if let Some((found, wanted)) = capacitors::lfxo_overwritten(&NRF54L15_DK) {
        warn!("the factory's trims gave the 32 kHz crystal {} for INTCAP, the board wants {}", found, wanted);
    }
    peripherals
}

/// The slow clock, for MPSL.
pub(crate) const fn low_frequency() -> raw::mpsl_clock_lfclk_cfg_t {
    raw::mpsl_clock_lfclk_cfg_t {
        source: raw::MPSL_CLOCK_LF_SRC_XTAL as u8,
        rc_ctiv: 0,
        rc_temp_ctiv: 0,
        accuracy_ppm: LFXO_PPM,
        skip_wait_lfclk_started: raw::MPSL_DEFAULT_SKIP_WAIT_LFCLK_STARTED != 0,
    }
}
