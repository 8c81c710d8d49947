//! Reads the identity, if there is one, and shows the linker what is served.
//!
//! | variable | meaning | default |
//! |---|---|---|
//! | `AIRTIME_IDENTITY` | seed of the Ed25519 identity that clients pin, 64 hexadecimal digits; the image seals its calls then and refuses open ones | none: calls are open |

use std::error::Error;
use std::path::PathBuf;
use std::{env, fs};

fn main() -> Result<(), Box<dyn Error>> {
    let out = PathBuf::from(env::var_os("OUT_DIR").ok_or("cargo sets OUT_DIR")?);
    println!("cargo::rerun-if-env-changed=AIRTIME_IDENTITY");
    let seed = env::var("AIRTIME_IDENTITY").ok().map(|text| seed(&text)).transpose()?;
    fs::write(out.join("identity.rs"), source(seed))?;
    // Only the image's own package can have the linker read it.
    println!("cargo::rerun-if-changed=served.x");
    fs::copy("served.x", out.join("served.x"))?;
    println!("cargo::rustc-link-search={}", out.display());
    Ok(())
}

/// The seed is a constant that only the static in the page of keys is made of.
fn source(seed: Option<[u8; 32]>) -> String {
    let (sealed, seed) = (seed.is_some(), seed.unwrap_or_default());
    format!(
        "/// Whether the image has an identity: it then seals its calls and refuses open ones.\n\
         pub const SEALED: bool = {sealed};\n\
         const SEED: [u8; 32] = {seed:?};\n"
    )
}

fn seed(text: &str) -> Result<[u8; 32], String> {
    let wrong = || "AIRTIME_IDENTITY: 64 hexadecimal digits are wanted".to_owned();
    if text.len() != 64 || !text.is_ascii() {
        return Err(wrong());
    }
    let mut seed = [0; 32];
    for (at, octet) in seed.iter_mut().enumerate() {
        *octet = u8::from_str_radix(&text[2 * at..2 * at + 2], 16).map_err(|_| wrong())?;
    }
    Ok(seed)
}
