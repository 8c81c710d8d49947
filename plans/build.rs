//! Lists the shipped plans, so that the program carries them: `(name, text)` in the order of names.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{env, fs, io};

fn main() -> io::Result<()> {
    let plans = Path::new(".");
    println!("cargo::rerun-if-changed=.");
    let mut files = Vec::new();
    collect(plans, &mut files)?;
    files.sort();
    let mut code = String::from("&[\n");
    for file in files {
        let below = file.strip_prefix(plans).map_err(io::Error::other)?.with_extension("");
        // A name has slashes on every system.
        let name: Vec<_> = below.iter().map(|part| part.to_string_lossy()).collect();
        let path = file.to_string_lossy().replace('\\', "/");
        let path = format!("concat!(env!(\"CARGO_MANIFEST_DIR\"), {:?})", format!("/{path}"));
        writeln!(code, "    ({:?}, include_str!({path})),", name.join("/")).map_err(io::Error::other)?;
    }
    code.push(']');
    let out = env::var_os("OUT_DIR").ok_or_else(|| io::Error::other("cargo sets OUT_DIR"))?;
    fs::write(PathBuf::from(out).join("plans.rs"), code)
}

fn is_plan(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "toml") && !path.ends_with("Cargo.toml")
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, files)?;
        } else if is_plan(&path) {
            files.push(path);
        }
    }
    Ok(())
}
