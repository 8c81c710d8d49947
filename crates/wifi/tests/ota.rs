//! New firmware for the co-processor: the table, images, staging, the sequence, and power that goes at any point.

mod ota_cases {
    pub mod boot;
    pub mod cuts;
    pub mod hosted;
    pub mod image;
    pub mod partition;
    pub mod slots;
    pub mod stage;
    pub mod support;
}
