//! From reset to a controller that waits for its host.

use airtime_app::Address;
use defmt::{info, unwrap};
use embassy_executor::Spawner;
use embassy_nrf::cracen::Cracen;
use embassy_nrf::mode::Blocking;
use embassy_nrf::{Peri, bind_interrupts, peripherals};
use nrf_mpsl::{MultiprotocolServiceLayer, Peripherals as MpslPeripherals};
use nrf_sdc::{Mem, Peripherals as SdcPeripherals, SoftdeviceController};
use static_cell::StaticCell;

use crate::controller::{self, Buffers, Role};
use crate::{address, clocks, time, watchdog};

bind_interrupts!(struct Interrupts {
    SWI00 => nrf_mpsl::LowPrioInterruptHandler;
    CLOCK_POWER => nrf_mpsl::ClockInterruptHandler;
    RADIO_0 => nrf_mpsl::HighPrioInterruptHandler;
    TIMER10 => nrf_mpsl::HighPrioInterruptHandler;
    GRTC_3 => nrf_mpsl::HighPrioInterruptHandler;
});

/// A board that has started.
pub struct Board {
    /// The controller, ready for a host.
    pub controller: SoftdeviceController<'static>,
    /// The address the host is to give it.
    pub address: Address,
}

/// Starts the board in `role`; `memory` has at least [`Buffers::memory`] octets, for as long as the board runs.
///
/// # Panics
/// When called a second time, or when the controller's library refuses the configuration.
pub fn start<const OCTETS: usize>(
    spawner: Spawner,
    role: Role,
    buffers: Buffers,
    memory: &'static mut Mem<OCTETS>,
) -> Board {
    static RANDOM: StaticCell<Cracen<'static, Blocking>> = StaticCell::new();
    let p = clocks::init();
    time::start(p.GRTC_CH0);
    watchdog::start(spawner, p.WDT0);
    let mpsl = mpsl(MpslPeripherals::new(
        p.GRTC_CH7,
        p.GRTC_CH8,
        p.GRTC_CH9,
        p.GRTC_CH10,
        p.GRTC_CH11,
        p.TIMER10,
        p.TIMER20,
        p.TEMP,
        p.PPI10_CH0,
        p.PPI20_CH1,
        p.PPIB11_CH0,
        p.PPIB21_CH0,
    ));
    spawner.spawn(unwrap!(run(mpsl)));
    let peripherals = SdcPeripherals::new(
        p.PPI00_CH1,
        p.PPI00_CH3,
        p.PPI10_CH1,
        p.PPI10_CH2,
        p.PPI10_CH3,
        p.PPI10_CH4,
        p.PPI10_CH5,
        p.PPI10_CH6,
        p.PPI10_CH7,
        p.PPI10_CH8,
        p.PPI10_CH9,
        p.PPI10_CH10,
        p.PPI10_CH11,
        p.PPIB00_CH1,
        p.PPIB00_CH2,
        p.PPIB00_CH3,
        p.PPIB10_CH1,
        p.PPIB10_CH2,
        p.PPIB10_CH3,
    );
    let random = RANDOM.init(random(p.CRACEN));
    let controller = unwrap!(controller::build(role, buffers, peripherals, random, mpsl, memory));
    let address = address::static_address();
    info!("controller {=[u8]:02x}, address, lowest octet first, {=[u8]:02x}", revision(), address);
    Board { controller, address }
}

fn mpsl(peripherals: MpslPeripherals<'static>) -> &'static MultiprotocolServiceLayer<'static> {
    static MPSL: StaticCell<MultiprotocolServiceLayer<'static>> = StaticCell::new();
    MPSL.init(unwrap!(MultiprotocolServiceLayer::new(peripherals, Interrupts, clocks::low_frequency())))
}

/// The part of the controller's library that may wait for other interrupts.
///
/// The 32 MHz crystal stays on: the clock that figures are measured with counts its ticks (nRF54L15
/// datasheet, GRTC, clock sources), and without the crystal those of an oscillator that may be 10 % off.
#[embassy_executor::task]
async fn run(mpsl: &'static MultiprotocolServiceLayer<'static>) -> ! {
    let _crystal = unwrap!(mpsl.request_hfclk().await);
    mpsl.run().await
}

fn random(peripheral: Peri<'static, peripherals::CRACEN>) -> Cracen<'static, Blocking> {
    Cracen::new_blocking(peripheral)
}

/// Revision of the controller's library, as its release notes name it; zeros when it does not say.
fn revision() -> [u8; 20] {
    SoftdeviceController::build_revision().unwrap_or_default()
}
