//! What the virtual machine boots: the distribution's kernel, and an initial file system of its packages' files and our program.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use libtest_mimic::Failed;

use super::archive::Archive;
use super::python;
use crate::command::output;
use crate::program::airtime;

/// Modules that are loaded, each behind those it depends on: the port to the outside, what the Bluetooth stack asks the cryptographic
/// one for when an adapter is powered, and the adapter.
const MODULES: &[&str] = &["virtio_pci", "virtio_console", "ecb", "cmac", "ecdh_generic", "hci_vhci"];

/// Modules of a USB port and of the controllers in it, for tests that plug one in.
const USB_MODULES: &[&str] = &["xhci_pci", "btusb"];

/// Programs of the packages.
const PROGRAMS: &[&str] =
    &["usr/bin/l2test", "usr/bin/btmgmt", "usr/bin/dbus-daemon", "usr/libexec/bluetooth/bluetoothd"];

/// Users of the machine, for whoever looks for its own.
const USERS: &str = "root:x:0:0:root:/:/bin/sh\n";

/// A system bus on which everybody may do everything, for there is nobody else.
const BUS: &str = "<!DOCTYPE busconfig PUBLIC \"-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN\"
 \"http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd\">
<busconfig>
  <type>system</type>
  <listen>unix:path=/run/dbus/system_bus_socket</listen>
  <auth>EXTERNAL</auth>
  <policy context=\"default\"><allow send_destination=\"*\" eavesdrop=\"true\"/><allow eavesdrop=\"true\"/><allow own=\"*\"/></policy>
</busconfig>
";

/// First process: it makes the machine whole, ends it after ten minutes whoever has gone by then, and carries out what comes at the second port.
const INIT: &str = "#!/bin/busybox sh
/bin/busybox --install -s /bin
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t devtmpfs dev /dev
mount -t debugfs debug /sys/kernel/debug
for module in $(cat /modules/order); do insmod /modules/$module || failed=$module; done
mkfifo /tmp/nothing
{ sleep 600; poweroff -f; } &
exec 0<> /dev/vport0p2 1>&0 2>&0
echo ${failed:-READY}
exec sh
";

/// Folder with the packages' files. `.ci/run` unpacks them there.
pub fn folder() -> PathBuf {
    let default = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../target/peers/linux");
    env::var_os("AIRTIME_PEERS_LINUX").map_or_else(default, PathBuf::from)
}

/// The kernel and its version, if the packages are there.
pub fn kernel() -> Option<(PathBuf, String)> {
    let boot = folder().join("boot");
    let names = fs::read_dir(&boot).ok()?.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let newest = names.filter_map(|name| Some(name.strip_prefix("vmlinuz-")?.to_owned())).max()?;
    Some((boot.join(format!("vmlinuz-{newest}")), newest))
}

/// Archive of the initial file system, with Python and our scripts where they are wanted.
pub fn initial_files(version: &str, has_python: bool) -> Result<Vec<u8>, Failed> {
    let root = folder();
    let mut archive = Archive::default();
    for path in ["bin", "dev", "proc", "sys", "tmp", "run", "run/dbus", "etc", "lib", "modules", "var", "var/lib"] {
        archive.folder(path);
    }
    // Where the programs look for their interpreter.
    archive.link("lib64", "lib");
    archive.file("init", INIT.as_bytes());
    archive.file("etc/passwd", USERS.as_bytes());
    archive.file("etc/bus.conf", BUS.as_bytes());
    archive.file("bin/busybox", &read(&root.join("bin/busybox"))?);
    let mut libraries = BTreeMap::new();
    let programs = PROGRAMS.iter().map(|program| root.join(program));
    for program in programs.chain([PathBuf::from(airtime().get_program())]) {
        archive.file(&format!("bin/{}", name(&program)), &read(&program)?);
        for library in needed(&program)? {
            libraries.insert(name(&library), library);
        }
    }
    if has_python {
        for program in python::add(&mut archive)? {
            for library in needed(&program)? {
                libraries.insert(name(&library), library);
            }
        }
    }
    for (name, library) in &libraries {
        archive.file(&format!("lib/{name}"), &read(library)?);
    }
    let modules = Modules::of(&root.join("lib/modules").join(version))?;
    let order = modules.in_order(MODULES)?;
    let all = modules.in_order(&[MODULES, USB_MODULES].concat())?;
    for name in &all {
        archive.file(&format!("modules/{name}"), &read(&modules.files[name])?);
    }
    archive.file("modules/order", order.join("\n").as_bytes());
    archive.file("modules/usb", all[order.len()..].join("\n").as_bytes());
    Ok(archive.finished())
}

pub fn read(path: &Path) -> Result<Vec<u8>, Failed> {
    fs::read(path).map_err(|error| format!("{}: {error}", path.display()).into())
}

pub fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// Libraries of a program, with its interpreter.
fn needed(program: &Path) -> Result<Vec<PathBuf>, Failed> {
    // Those of the packages go before this machine's own.
    let folders = ["lib/x86_64-linux-gnu", "usr/lib/x86_64-linux-gnu"].map(|path| folder().join(path));
    let folders = env::join_paths(folders).map_err(|error| error.to_string())?;
    let listed = output(Command::new("ldd").arg(program).env("LD_LIBRARY_PATH", folders))?;
    let paths = listed.lines().filter_map(|line| {
        let line = line.trim();
        let path = line.split_once("=> ").map_or(line, |(_, path)| path);
        Some(path.split_once(" (").map_or(path, |(path, _)| path))
            .filter(|path| !path.starts_with("linux-vdso") && *path != "statically linked")
    });
    let paths: Vec<PathBuf> = paths.map(PathBuf::from).collect();
    match paths.iter().find(|path| !path.is_file()) {
        Some(missing) => Err(format!("{}: {} is not there", program.display(), missing.display()).into()),
        None => Ok(paths),
    }
}

/// Modules of a kernel by name.
struct Modules {
    files: BTreeMap<String, PathBuf>,
}

impl Modules {
    fn of(folder: &Path) -> Result<Self, Failed> {
        let (mut files, mut folders) = (BTreeMap::new(), vec![folder.to_owned()]);
        while let Some(folder) = folders.pop() {
            for entry in fs::read_dir(&folder).map_err(|error| format!("{}: {error}", folder.display()))? {
                let path = entry?.path();
                if path.is_dir() {
                    folders.push(path);
                } else if let Some(name) = name(&path).strip_suffix(".ko") {
                    files.insert(name.replace('-', "_"), path);
                }
            }
        }
        Ok(Self { files })
    }

    /// These and all that they depend on, in an order in which they can be loaded.
    fn in_order(&self, names: &[&str]) -> Result<Vec<String>, Failed> {
        let mut order = Vec::new();
        for name in names {
            self.add(name, &mut order)?;
        }
        Ok(order)
    }

    fn add(&self, name: &str, order: &mut Vec<String>) -> Result<(), Failed> {
        if order.iter().any(|known| known == name) {
            return Ok(());
        }
        let file = self.files.get(name).ok_or_else(|| format!("the kernel's package has no module {name}"))?;
        for needed in depends(&read(file)?) {
            self.add(&needed, order)?;
        }
        order.push(name.to_owned());
        Ok(())
    }
}

/// Modules that one says it depends on: Linux `scripts/mod/modpost.c`, `depends` of the section `.modinfo`.
fn depends(module: &[u8]) -> Vec<String> {
    const KEY: &[u8] = b"\0depends=";
    let Some(at) = module.windows(KEY.len()).position(|window| window == KEY) else { return Vec::new() };
    let value = module[at + KEY.len()..].split(|octet| *octet == 0).next().unwrap_or_default();
    let names = String::from_utf8_lossy(value);
    names.split(',').filter(|name| !name.is_empty()).map(|name| name.replace('-', "_")).collect()
}
