//! Raw throughput over SPI in half duplex: closed forms of a frame each way, with 1, 2 and 4 data lines.

use airtime_core::{Duration, EventLoop, Instant, Pool};
use airtime_wifi::cell::{Cell, CellConfig};
use airtime_wifi::hosted::coprocessor::{Coprocessor, CoprocessorConfig};
use airtime_wifi::hosted::host::{Host, HostConfig};
use airtime_wifi::hosted::wire::Bus;
use airtime_wifi::network::{BusTiming, Chain, Costs, HalfDuplexTiming, Network, PathConfig, RawTest};

/// Frames that have arrived after `span`, with these lines at 40 MHz.
fn arrived(lines: u8, to_host: bool, octets: usize, costs: Costs, span: Duration) -> u64 {
    let (pool, bus) = (Pool::new(), Bus::SpiHalfDuplex);
    let host = HostConfig { bus, checksum: true, ..HostConfig::default() };
    let coprocessor = CoprocessorConfig { bus, checksum: true, ..CoprocessorConfig::default() };
    let (host, coprocessor) = (Host::booted(host, pool.clone()), Coprocessor::booted(coprocessor, pool.clone()));
    let chain = Chain::new(host, coprocessor, BusTiming::PUBLISHED, costs, 64, &pool);
    let chain = chain.over_half_duplex(HalfDuplexTiming { hz: 40_000_000, lines });
    let test = RawTest::new(&pool, octets, to_host);
    let cell = Cell::new(CellConfig::pair(), pool.clone(), 1);
    let mut network = Network::controlled(&pool, PathConfig::default(), cell, Some(chain), (), (), (), test);
    network.start(Instant::ZERO);
    EventLoop::new(Instant::ZERO, &network).run_until(&mut network, Instant::ZERO + span);
    let tested = network.chain.expect("there is a bus").coprocessor.counters().test_packets;
    if to_host { network.control.received() / octets as u64 } else { tested }
}

/// Each transaction is 44 us of the driver, 8 clocks of command, 8 of dummy, and the rest on all lines. A frame of the host takes two reads of
/// RX_BUF_LEN, its octets and WR_DONE; one to the host two of TX_BUF_LEN, CMD9, its octets and CMD8. Whatever is read or written has
/// whole 64 octets.
#[test]
fn a_frame_takes_its_registers_its_octets_and_what_ends_them_to_the_nanosecond() {
    let us = Duration::from_micros;
    let costs = Costs { command: us(44), write_frame: us(9), read_frame: us(7), wake: us(5), ..Costs::NONE };
    for lines in [1, 2, 4] {
        for octets in [1_460, 46] {
            let clocks = |clocks: u64| Duration::from_nanos(clocks * 25);
            let of = |data: u64| us(44) + clocks(16 + 8 * (1 + data) / u64::from(lines));
            let padded = (octets as u64 + 12).next_multiple_of(64);
            let up = us(9) + of(64) * 2 + of(padded) + of(0);
            let down = us(5) + of(64) * 2 + of(0) + of(padded) + of(0) + us(7);
            for (to_host, each) in [(false, up), (true, down)] {
                for frames in [1, 30] {
                    let case = format!("{lines} lines, {octets} octets, to the host {to_host}");
                    let end = each * frames;
                    assert_eq!(arrived(lines, to_host, octets, costs, end), frames, "{case}");
                    assert_eq!(
                        arrived(lines, to_host, octets, costs, end - Duration::from_nanos(1)),
                        frames - 1,
                        "{case}"
                    );
                }
            }
        }
    }
}
