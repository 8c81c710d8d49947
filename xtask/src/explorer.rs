//! The explorer: the laboratory in WebAssembly, its other side in JavaScript, and the page around it, as a folder for any static host.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Command;

use wasm_bindgen_cli_support::Bindgen;

use crate::files;

const TARGET: &str = "wasm32-unknown-unknown";
/// Name of the module and of its other side.
const MODULE: &str = "lab";

/// Builds the folder anew.
pub fn build() -> Result<(), String> {
    let root = files::root()?;
    let (web, folder) = (root.join("web"), root.join("target/explorer"));
    let module = module(&root)?;
    bind(&module, &web.join("generated"))?;
    packages(&web)?;
    run(&web, "npm", ["run", "--silent", "check"])?;
    files::emptied(&folder)?;
    run(&web, "npm", ["run", "--silent", "build", "--", &format!("--outdir={}", folder.display())])?;
    for file in ["index.html", "style.css", "icon.svg"] {
        files::copy(&web.join(file), &folder.join(file))?;
    }
    let wasm = format!("{MODULE}_bg.wasm");
    files::copy(&web.join("generated").join(&wasm), &folder.join(&wasm))?;
    println!("{}, octets of all files:", folder.display());
    run(&web, "node", [OsStr::new("pack.mjs"), folder.as_os_str()])
}

/// Installs the packages that the lock file of `web` names, where others are there or none.
fn packages(web: &Path) -> Result<(), String> {
    // npm empties the folder before it installs anything, so what lies in there is of what was installed last.
    let (asked, installed) = (web.join("package-lock.json"), web.join("node_modules/installed-lock.json"));
    let asked_for = files::text(&asked)?;
    if files::text(&installed).is_ok_and(|installed| installed == asked_for) {
        return Ok(());
    }
    run(web, "npm", ["ci", "--no-audit", "--no-fund"])?;
    files::write(&installed, asked_for)
}

/// The laboratory as a library of WebAssembly.
fn module(root: &Path) -> Result<PathBuf, String> {
    // Cargo says which one it is in the environment of what it runs.
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let target = root.join("target/web");
    let fixed = "rustc --locked --package airtime-explorer --lib --crate-type cdylib --profile web --target";
    let arguments = fixed.split(' ').chain([TARGET, "--target-dir"]).map(OsStr::new).chain([target.as_os_str()]);
    run(root, cargo, arguments)?;
    Ok(target.join(TARGET).join("web/airtime_explorer.wasm"))
}

/// Writes the other side of `module` into `folder`: the module as a page loads it, JavaScript and its types.
fn bind(module: &Path, folder: &Path) -> Result<(), String> {
    let said = |error| format!("{}: {error:#}", module.display());
    let mut bindgen = Bindgen::new();
    bindgen.input_path(module).out_name(MODULE).typescript(true).omit_default_module_path(true);
    bindgen.remove_name_section(true).remove_producers_section(true);
    bindgen.web(true).map_err(said)?.generate(folder).map_err(said)
}

fn run<W: AsRef<OsStr>>(
    folder: &Path,
    program: impl AsRef<OsStr>,
    arguments: impl IntoIterator<Item = W>,
) -> Result<(), String> {
    let name = program.as_ref().to_string_lossy().into_owned();
    let status = Command::new(program).args(arguments).current_dir(folder).status();
    match status {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("{name} ended with {status}")),
        Err(error) => {
            Err(format!("{name} cannot be run: {error}; the explorer needs cargo, and npm of Node 18 or later"))
        }
    }
}
