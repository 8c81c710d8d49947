//! Gives the linker its memory map.

use std::error::Error;
use std::path::PathBuf;
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("cargo sets OUT_DIR")?);
    println!("cargo::rerun-if-changed=memory.x");
    fs::copy("memory.x", out.join("memory.x"))?;
    println!("cargo::rustc-link-search={}", out.display());
    for argument in ["-Tmemory.x", "-Tlink.x"] {
        println!("cargo::rustc-link-arg-bins={argument}");
    }
    Ok(())
}
