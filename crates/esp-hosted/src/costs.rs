//! Costs of the bus and of the tasks at both of its ends.
//!
//! Wire times follow from the SD specification. What is beside them was never published by itself; it is derived from two
//! published curves of the raw transport and from one figure of UDP, and from nothing else:
//!
//! - host to co-processor, TEST_IF, 1460 octets: 72 Mbit/s (esp-hosted-mcu `docs/performance_optimization.md`)
//! - co-processor to host, streaming, with n buffers and frames of 1472 octets: 461 µs + 124.4 µs × n for n frames, the line
//!   through the six points of `docs/sdio.md` 9.3
//! - UDP from the host to the air, 1470 octets (what iperf sends): 50 Mbit/s (`docs/performance_optimization.md`). That it is the
//!   co-processor's time and not the host's follows from the same page: the same host with an ESP32-C5, of 240 MHz, sends 67
//!
//! SPI has two more, of the same page and the raw test: 26 Mbit/s to an ESP32-P4 from each of four chips of 120 to 240 MHz, and 25 to three
//! of them

use airtime_core::Duration;

/// The SDIO bus as it is clocked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BusTiming {
    /// Clock in Hz; at most 50 MHz.
    pub hz: u32,
    /// Data lines, 1 or 4.
    pub lines: u8,
}

/// Octets of a block. esp-hosted-mcu `ESP_BLOCK_SIZE`.
pub const BLOCK: u32 = 512;

/// Clocks of a command and its response: 48 bits each (SD Physical Layer Simplified 4.7.2, SDIO Simplified 5.3), and N_CR
/// of 2 to 64 clocks between them (SD Physical Layer Simplified 4.12), of which 8 are assumed.
const COMMAND: u64 = 48 + 8 + 48;

/// Clocks of a data block besides its octets: start bit, CRC16 and end bit on each line (SD Physical Layer Simplified 4.5
/// and 7.2.3); the CRC status of a written block (2 + 5 clocks) and the access time of a read one are of that order.
const BLOCK_FRAME: u64 = 1 + 16 + 1 + 7;

impl BusTiming {
    /// 40 MHz, four lines: the published set-ups.
    pub const PUBLISHED: Self = Self { hz: 40_000_000, lines: 4 };

    /// A register access of `octets` by CMD53 in byte mode, on the wire.
    pub fn registers(self, octets: u32) -> Duration {
        self.clocks(COMMAND + BLOCK_FRAME + self.octets(octets))
    }

    /// A transfer of `octets` padded to whole blocks, on the wire.
    pub fn data(self, octets: u32) -> Duration {
        let blocks = octets.div_ceil(BLOCK).max(1);
        self.clocks(COMMAND + u64::from(blocks) * (BLOCK_FRAME + self.octets(BLOCK)))
    }

    fn octets(self, octets: u32) -> u64 {
        u64::from(octets) * 8 / u64::from(self.lines)
    }

    fn clocks(self, clocks: u64) -> Duration {
        Duration::from_nanos((clocks * 1_000_000_000).div_ceil(u64::from(self.hz)))
    }
}

/// SPI in full duplex as it is clocked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SpiTiming {
    /// Clock in Hz; at most 40 MHz.
    pub hz: u32,
}

/// Octets of a transaction of SPI, whatever is in it. esp-hosted-mcu `ESP_TRANSPORT_SPI_MAX_BUF_SIZE`.
pub const EXCHANGE: u32 = 1_600;

impl SpiTiming {
    /// 40 MHz: the published set-ups.
    pub const PUBLISHED: Self = Self { hz: 40_000_000 };

    /// A transaction on the wire: a clock for each bit, which goes both ways.
    pub fn transaction(self) -> Duration {
        Duration::from_nanos((u64::from(EXCHANGE) * 8 * 1_000_000_000).div_ceil(u64::from(self.hz)))
    }
}

/// SPI in half duplex as it is clocked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HalfDuplexTiming {
    /// Clock in Hz; at most 40 MHz.
    pub hz: u32,
    /// Data lines, 1, 2 or 4.
    pub lines: u8,
}

/// Octets to which a host with a cache pads whatever it reads and writes; a register is read with as many. esp-hosted-mcu
/// `port_esp_hosted_host_spi_hd.c`, `DMA_ALIGNED_BUF_LEN` of an ESP32-P4.
const ALIGNED: u32 = 64;

/// Reads of a register until two say the same, while its value does not change. `hosted_spi_hd_read_reg`.
const STABLE: u64 = 2;

impl HalfDuplexTiming {
    /// A transaction of the SPI driver on the wire: 8 bits of command on one line, 8 of address on all, 8 clocks of dummy, and the data.
    /// esp-hosted-mcu `docs/spi_half_duplex.md`, 4.1; ESP-IDF `spi_ll_get_slave_hd_dummy_bits`.
    fn wire(self, octets: u32) -> Duration {
        let clocks = 8 + 8 + (8 + u64::from(octets) * 8) / u64::from(self.lines);
        Duration::from_nanos((clocks * 1_000_000_000).div_ceil(u64::from(self.hz)))
    }

    /// A command that stands alone, where a transaction takes the driver `each` besides.
    pub fn command(self, each: Duration) -> Duration {
        each + self.wire(0)
    }

    /// A register that is read until it is stable.
    pub fn read_register(self, each: Duration) -> Duration {
        (each + self.wire(ALIGNED)) * STABLE
    }

    /// A register that is written.
    pub fn write_register(self, each: Duration) -> Duration {
        each + self.wire(4)
    }

    /// A frame of `octets`, either way, and the command that ends it (`WR_DONE`, `CMD8`).
    pub fn data(self, octets: u32, each: Duration) -> Duration {
        each + self.wire(octets.next_multiple_of(ALIGNED)) + self.command(each)
    }
}

/// CPU time of tasks around the bus.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Costs {
    /// Host: one register access (CMD52 or CMD53) besides the wire.
    pub transaction: Duration,
    /// Host: from the card's interrupt to the read task's first transaction.
    pub wake: Duration,
    /// Host: a frame to be written, besides the wire: buffer, header, copy, mutex, switch of tasks.
    pub write_frame: Duration,
    /// Host: a frame that was read, besides the wire.
    pub read_frame: Duration,
    /// Host: a frame copied once more, by each of the two tasks behind the reading one, while that reads on.
    pub copy_frame: Duration,
    /// SPI: from the end of a transaction until the host begins the next: the co-processor queues it and raises its handshake line, the
    /// host's task hears of it.
    pub turn: Duration,
    /// SPI, host: a frame that goes into a transaction, besides: buffer, header, copy, checksum.
    pub exchange_frame: Duration,
    /// SPI in half duplex, host: a transaction of the SPI driver besides the wire.
    pub command: Duration,
    /// Co-processor: a frame from its SDIO buffers to its Wi-Fi transmit buffers.
    pub to_air: Duration,
    /// Co-processor: a frame from its Wi-Fi receive buffers to its SDIO buffers.
    pub from_air: Duration,
    /// Set if the tasks of the SDIO driver share their core with a task that sends at no lower priority.
    pub shared_core: bool,
}

impl Costs {
    /// Nothing costs anything: bus and chips are never the limit.
    pub const NONE: Self = Self {
        transaction: Duration::ZERO,
        wake: Duration::ZERO,
        write_frame: Duration::ZERO,
        read_frame: Duration::ZERO,
        copy_frame: Duration::ZERO,
        turn: Duration::ZERO,
        exchange_frame: Duration::ZERO,
        command: Duration::ZERO,
        to_air: Duration::ZERO,
        from_air: Duration::ZERO,
        shared_core: false,
    };

    /// An ESP32-P4 and an ESP32-C6, from the published curves.
    pub fn p4_c6() -> Self {
        let bus = BusTiming::PUBLISHED;
        let transaction = TRANSACTION;
        // Host to co-processor: a frame's own time, and its share of one look at the credits per 20 buffers.
        let token = (transaction + bus.registers(4)) / 20;
        let write_frame = RAW_WRITE.saturating_sub(bus.data(RAW_FRAME) + token);
        // Co-processor to host: n buffers are two bursts. The slave's driver links what is queued when its list is empty
        // (`sdio_slave_hal_send_new_packet_if_exist`), so the first frame goes alone, and the n - 1 that came meanwhile go
        // together. Each has an interrupt, a read of the registers from INT_RAW to PACKET_LEN, a write of INT_CLR, and the
        // command of the data.
        let registers = bus.registers(READ_REGISTERS) + bus.registers(4) + bus.clocks(COMMAND);
        let wake = (BURST / 2).saturating_sub(transaction * 3 + registers);
        let per_block = bus.data(2 * BLOCK).saturating_sub(bus.data(BLOCK));
        let wire = per_block * u64::from(RAW_FRAME) / u64::from(BLOCK);
        let read_frame = BURST_FRAME.saturating_sub(wire);
        // One CPU of 160 MHz does all of it; that a frame costs it the same in both directions is assumed.
        Self {
            transaction,
            wake,
            write_frame,
            read_frame,
            copy_frame: COPY,
            turn: RAW_SPI_READ.saturating_sub(SpiTiming::PUBLISHED.transaction()),
            exchange_frame: RAW_SPI_WRITE.saturating_sub(RAW_SPI_READ),
            command: SPI_DRIVER,
            to_air: UDP_FRAME,
            from_air: UDP_FRAME,
            shared_core: false,
        }
    }
}

/// *Assumed*: the driver's part of a register access on a core of 360 MHz.
const TRANSACTION: Duration = Duration::from_micros(20);
/// An interrupt-driven transaction of one octet with DMA on an ESP32-P4, at most: ESP-IDF `spi_performance.h`,
/// `IDF_PERFORMANCE_MAX_SPI_PER_TRANS_NO_POLLING`.
const SPI_DRIVER: Duration = Duration::from_micros(44);
/// *Assumed*: 1.5 kB at some 150 MB/s from and to memory behind a cache.
const COPY: Duration = Duration::from_micros(10);
/// Octets of a frame of the raw test: 1460 and the header of 12.
const RAW_FRAME: u32 = 1_472;
/// 1460 octets at 72 Mbit/s.
const RAW_WRITE: Duration = Duration::from_nanos(162_222);
/// Cost of two bursts, to which that of each frame is added.
const BURST: Duration = Duration::from_micros(461);
const BURST_FRAME: Duration = Duration::from_nanos(124_400);
/// Registers read at an interrupt: 0x050 up to and including 0x060.
const READ_REGISTERS: u32 = 0x060 + 4 - 0x050;
/// 1472 octets at 26 Mbit/s, over SPI to the host, which counts headers (`host/utils/stats.c`).
const RAW_SPI_READ: Duration = Duration::from_nanos(452_923);
/// 1460 octets at 25 Mbit/s, over SPI from the host.
const RAW_SPI_WRITE: Duration = Duration::from_nanos(467_200);
/// 1470 octets at 50 Mbit/s: 37,632 cycles of the co-processor.
const UDP_FRAME: Duration = Duration::from_nanos(235_200);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_frame_takes_some_81_us_on_the_wire() {
        let wire = BusTiming::PUBLISHED.data(RAW_FRAME);
        assert!((80_000..83_000).contains(&wire.as_nanos()), "{wire}");
        assert_eq!(BusTiming { lines: 1, ..BusTiming::PUBLISHED }.octets(512), 4_096);
        assert_eq!(BusTiming::PUBLISHED.data(1), BusTiming::PUBLISHED.data(512));
        assert!(BusTiming::PUBLISHED.data(513) > BusTiming::PUBLISHED.data(512));
    }

    #[test]
    fn a_transaction_of_spi_has_a_clock_for_each_bit() {
        assert_eq!(SpiTiming::PUBLISHED.transaction(), Duration::from_micros(320));
        assert_eq!(SpiTiming { hz: 26_000_000 }.transaction(), Duration::from_nanos(492_308));
    }

    #[test]
    fn half_duplex_has_its_phases_on_one_line_and_on_all() {
        let each = Duration::from_micros(44);
        for (lines, phases, octets) in [(1, 8 + 8 + 8, 8), (2, 8 + 8 + 4, 4), (4, 8 + 8 + 2, 2)] {
            let timing = HalfDuplexTiming { hz: 40_000_000, lines };
            let clocks = |clocks: u64| Duration::from_nanos(clocks * 25);
            assert_eq!(timing.command(each), each + clocks(phases));
            assert_eq!(timing.write_register(each), each + clocks(phases + 4 * octets));
            assert_eq!(timing.read_register(each), (each + clocks(phases + 64 * octets)) * 2);
            // 1500 are padded to 24 times 64.
            assert_eq!(timing.data(1_500, each), each * 2 + clocks(2 * phases + 1_536 * octets));
        }
    }

    #[test]
    fn costs_and_wire_make_the_curves_again() {
        let (bus, costs) = (BusTiming::PUBLISHED, Costs::p4_c6());
        let write = costs.write_frame + bus.data(RAW_FRAME) + (costs.transaction + bus.registers(4)) / 20;
        assert_eq!(write, RAW_WRITE);
        // The published points, and the closed form of a burst.
        for (n, mbps) in [(5, 54.0), (10, 70.0), (15, 76.0), (20, 80.0), (25, 82.0), (30, 84.0)] {
            let burst = costs.transaction * 3 + costs.wake + bus.registers(READ_REGISTERS) + bus.registers(4);
            let data = bus.data(RAW_FRAME) + bus.data((n - 1) * RAW_FRAME);
            let read = burst * 2 + data + costs.read_frame * u64::from(n);
            let rate = f64::from(n * RAW_FRAME * 8) * 1e3 / read.as_nanos() as f64;
            assert!((rate / mbps - 1.0).abs() < 0.02, "{n}: {rate:.1} against {mbps}");
        }
    }
}
