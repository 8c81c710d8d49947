//! New firmware.

use alloc::vec::Vec;

/// Request: the next octets of the image.
#[derive(Clone, PartialEq, prost::Message)]
pub struct OtaWrite {
    /// Octets; 1400 in practice.
    #[prost(bytes = "vec", tag = "1")]
    pub ota_data: Vec<u8>,
}

/// `esp_app_desc_t` of the running image.
#[derive(Clone, PartialEq, prost::Message)]
pub struct AppDescription {
    /// Magic word of a description: 0xABCD5432.
    #[prost(uint32, tag = "1")]
    pub magic_word: u32,
    /// Secure version, which anti-rollback compares.
    #[prost(uint32, tag = "2")]
    pub secure_version: u32,
    /// Reserved octets, the field `reserv1`.
    #[prost(bytes = "vec", tag = "3")]
    pub reserv1: Vec<u8>,
    /// Version, 32 octets.
    #[prost(bytes = "vec", tag = "4")]
    pub version: Vec<u8>,
    /// Project, 32 octets.
    #[prost(bytes = "vec", tag = "5")]
    pub project_name: Vec<u8>,
    /// Time of the build.
    #[prost(bytes = "vec", tag = "6")]
    pub time: Vec<u8>,
    /// Date of the build.
    #[prost(bytes = "vec", tag = "7")]
    pub date: Vec<u8>,
    /// Version of ESP-IDF.
    #[prost(bytes = "vec", tag = "8")]
    pub idf_ver: Vec<u8>,
    /// SHA-256 of the ELF file.
    #[prost(bytes = "vec", tag = "9")]
    pub app_elf_sha256: Vec<u8>,
    /// Lowest eFuse block revision, major * 100 + minor.
    #[prost(uint32, tag = "10")]
    pub min_efuse_blk_rev_full: u32,
    /// Highest eFuse block revision, major * 100 + minor.
    #[prost(uint32, tag = "11")]
    pub max_efuse_blk_rev_full: u32,
    /// Page size, as a logarithm to base 2.
    #[prost(uint32, tag = "12")]
    pub mmu_page_size: u32,
    /// Reserved octets, the field `reserv3`.
    #[prost(bytes = "vec", tag = "13")]
    pub reserv3: Vec<u8>,
    /// Reserved octets, the field `reserv2`.
    #[prost(bytes = "vec", tag = "14")]
    pub reserv2: Vec<u8>,
}

/// Reply with the description of the firmware that runs.
#[derive(Clone, PartialEq, prost::Message)]
pub struct AppDescriptionReply {
    /// Outcome: a [`status`](crate::rpc::status).
    #[prost(int32, tag = "1")]
    pub resp: i32,
    /// Description of the firmware that runs.
    #[prost(message, optional, tag = "2")]
    pub app_desc: Option<AppDescription>,
}
