//! Reasons for which an option of ESP-hosted is no key of a plan.

/// Beginning of an option's name, and why its value changes nothing. esp-hosted-mcu at `4d9dc385` (2.12.12).
const REASONS: [(&str, &str); 2] =
    [("CONFIG_ESP_HOSTED_SPI_TX_Q_SIZE", QUEUE), ("CONFIG_ESP_HOSTED_SPI_RX_Q_SIZE", QUEUE)];

const QUEUE: &str = "printed when the host starts, and nothing else: the driver's queues over SPI hold 20 frames (`TO_SLAVE_QUEUE_SIZE`, \
                     `FROM_SLAVE_QUEUE_SIZE` in host/drivers/transport/spi/spi_drv.h)";

/// Reason for which `option` is no key; none where nobody has looked.
pub fn reason(option: &str) -> Option<&'static str> {
    REASONS.iter().find(|(name, _)| option == *name).map(|(_, why)| *why)
}
