//! A chain of host, bus and Wi-Fi co-processor as a file describes it.

use airtime_wifi::network::Costs;

use super::build::Values;
use crate::plan::wifi::StackCost;

/// What is a chain's own: what its stages cost, and what its chips have.
#[derive(Clone, Debug, PartialEq)]
pub struct Chain {
    /// CPU time of the host's TCP/IP stack.
    pub stack: StackCost,
    /// Time of tasks at both ends of the bus. Whether they share a core with the sender is the plan's business.
    pub costs: Costs,
    /// Whether the radio has HE in 40 MHz.
    pub he_40mhz: bool,
    /// Highest HE rate index of the radio.
    pub he_mcs_max: u8,
    /// Whether the radio has 5 GHz.
    pub band_5ghz: bool,
    /// Memories of the chips and sizes of what is in them.
    pub memory: Memory,
}

/// Memories of a chain's chips and sizes of what is in them, in octets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Memory {
    /// Within the host.
    pub host_internal: u64,
    /// Beside the host.
    pub host_external: u64,
    /// Within the co-processor.
    pub coprocessor: u64,
    /// A buffer of the transport.
    pub transport_block: u64,
    /// A Wi-Fi buffer.
    pub wifi_buffer: u64,
    /// A packet of the stack.
    pub pbuf: u64,
}

/// The chain these values describe.
pub fn chain(values: &Values<'_>) -> Chain {
    Chain {
        stack: StackCost {
            call: values.span("stack.call"),
            kilooctet: values.span("stack.kilooctet"),
            segment: values.span("stack.segment"),
            input: values.span("stack.input"),
            switch: values.span("stack.switch"),
        },
        costs: Costs {
            transaction: values.span("bus.transaction"),
            wake: values.span("bus.wake"),
            write_frame: values.span("bus.write_frame"),
            read_frame: values.span("bus.read_frame"),
            copy_frame: values.span("bus.copy_frame"),
            to_air: values.span("coprocessor.to_air"),
            from_air: values.span("coprocessor.from_air"),
            ..Costs::NONE
        },
        he_40mhz: values.flag("coprocessor.he_40mhz"),
        he_mcs_max: values.count("coprocessor.he_mcs_max"),
        band_5ghz: values.flag("coprocessor.band_5ghz"),
        memory: Memory {
            host_internal: values.octets("memory.host_internal"),
            host_external: values.octets("memory.host_external"),
            coprocessor: values.octets("memory.coprocessor"),
            transport_block: values.octets("memory.transport_block"),
            wifi_buffer: values.octets("memory.wifi_buffer"),
            pbuf: values.octets("memory.pbuf"),
        },
    }
}
