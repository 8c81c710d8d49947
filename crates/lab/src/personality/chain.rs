//! A chain of host, bus and Wi-Fi co-processor as a file describes it.

use airtime_net::lwip;
use airtime_wifi::network::Costs;
use airtime_wifi::plan::{Chain, Memory};

use super::build::Values;

/// The chain these values describe.
pub fn chain(values: &Values<'_>) -> Chain {
    Chain {
        stack: lwip::Costs {
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
