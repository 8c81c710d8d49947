//! A virtual machine that runs the distribution's kernel, without any help of this machine's processor.

use std::io::Write;
use std::path::Path;
use std::process::{ChildStdin, Command};
use std::time::Instant;

use libtest_mimic::Failed;
use tempfile::TempDir;

use super::{dongle, image};
use crate::server::{PATIENCE, Process};

/// Line of the console that says that a command is over, before its status.
const OVER: &str = "=over=";

/// A machine that has booted, with the console's shell to talk to.
pub struct Machine {
    process: Process,
    console: ChildStdin,
    version: String,
    // Its files are there as long as it is.
    _folder: TempDir,
}

impl Machine {
    /// Boots one whose adapter is the controller that a server has at the socket `hci`.
    pub fn boot(hci: &Path) -> Result<Self, Failed> {
        let port = format!("socket,id=h0,path={}", hci.display());
        Self::with(&["-chardev", &port, "-device", "virtserialport,chardev=h0,name=hci,nr=1"], false)
    }

    /// Boots the same with Python and our scripts in it.
    pub fn with_python(hci: &Path) -> Result<Self, Failed> {
        let port = format!("socket,id=h0,path={}", hci.display());
        Self::with(&["-chardev", &port, "-device", "virtserialport,chardev=h0,name=hci,nr=1"], true)
    }

    /// Boots one with the same controller as a dongle in its USB port.
    pub fn with_dongle(hci: &Path) -> Result<Self, Failed> {
        let folder = tempfile::tempdir()?;
        let plug = folder.path().join("usb");
        dongle::plug(&plug, hci)?;
        let port = format!("socket,id=u0,path={}", plug.display());
        let mut machine =
            Self::with(&["-device", "qemu-xhci", "-chardev", &port, "-device", "usb-redir,chardev=u0"], false)?;
        machine.does("for module in $(cat /modules/usb); do insmod /modules/$module; done")?;
        machine.until("[ -e /sys/class/bluetooth/hci0 ]", 60)?;
        Ok(machine)
    }

    fn with(devices: &[&str], has_python: bool) -> Result<Self, Failed> {
        let (kernel, version) = image::kernel().ok_or("no kernel")?;
        let folder = tempfile::tempdir()?;
        let initial = folder.path().join("initial.cpio");
        std::fs::write(&initial, image::initial_files(&version, has_python)?)?;
        let mut qemu = Command::new("qemu-system-x86_64");
        // Nehalem has what Debian's programs are built for, and nothing that a processor in software does at length.
        qemu.args(["-accel", "tcg", "-M", "q35", "-cpu", "Nehalem", "-m", "768M", "-no-reboot", "-nic", "none"]);
        qemu.args(["-display", "none", "-monitor", "none", "-serial", "none", "-nodefaults"]);
        qemu.arg("-kernel").arg(kernel).arg("-initrd").arg(&initial);
        qemu.args(["-append", "quiet panic=-1 mitigations=off"]);
        // A port has neither a rate nor a line discipline, unlike a serial line.
        qemu.args(["-device", "virtio-serial-pci"]).args(devices).args(["-chardev", "stdio,id=c0,signal=off"]);
        qemu.args(["-device", "virtserialport,chardev=c0,name=console,nr=2"]);
        let begun = Instant::now();
        let (process, console) = Process::told(&mut qemu, false)?;
        match process.line().map_err(|_| "the kernel does not come up")?.trim() {
            "READY" => {}
            module => return Err(format!("{module} is not loaded").into()),
        }
        println!("Linux {version} has booted after {:.1} s", begun.elapsed().as_secs_f64());
        Ok(Self { process, console, version, _folder: folder })
    }

    /// Release of its kernel.
    pub fn version(&self) -> &str {
        &self.version
    }

    /// Carries out a line of the shell; what it says, and whether it ended well.
    pub fn tries(&mut self, line: &str) -> Result<(bool, String), Failed> {
        writeln!(self.console, "{{ {line}\n}} < /dev/null 2>&1; echo {OVER} $?")?;
        let (begun, mut said) = (Instant::now(), String::new());
        while begun.elapsed() < 2 * PATIENCE {
            let next = self.process.line().map_err(|_| format!("`{line}` does not end; it has said: {said}"))?;
            let next = next.trim_end_matches('\r');
            match next.split_once(OVER) {
                Some((rest, status)) => return Ok((status.trim() == "0", said + rest)),
                None => said = said + next + "\n",
            }
        }
        Err(format!("`{line}` does not end; it has said: {said}").into())
    }

    /// Carries out a line of the shell that has to end well, and gives what it says.
    pub fn does(&mut self, line: &str) -> Result<String, Failed> {
        match self.tries(line)? {
            (true, said) => Ok(said),
            (false, said) => Err(format!("`{line}`: {said}").into()),
        }
    }

    /// Carries out `line` each second until it ends well, so many times at most.
    pub fn until(&mut self, line: &str, tries: u32) -> Result<(), Failed> {
        for _ in 0..tries {
            if self.tries(&format!("{line} || {{ sleep 1; false; }}"))?.0 {
                return Ok(());
            }
        }
        let said = self.does("tail -n 3 /tmp/vhci /tmp/l2 /tmp/bt /tmp/bluetoothd 2> /dev/null; dmesg | tail -n 30")?;
        Err(format!("`{line}` has not come about: {said}").into())
    }

    /// Joins the controller to the kernel, as `hci0`, and powers it.
    pub fn joins(&mut self) -> Result<(), Failed> {
        self.does("airtime hw vhci --hci serial:/dev/vport0p1 > /tmp/vhci 2>&1 &")?;
        self.until("grep -q 'adapter hci0' /tmp/vhci", 60)?;
        self.bluetooth("power on", "Set Powered complete, settings: powered")?;
        Ok(())
    }

    /// Starts a system bus and BlueZ's daemon on it.
    pub fn daemon(&mut self) -> Result<(), Failed> {
        self.does("dbus-daemon --config-file=/etc/bus.conf --fork")?;
        self.does("bluetoothd --nodetach > /tmp/bluetoothd 2>&1 & daemon=$!")?;
        self.until("grep -q 'management interface .* initialized' /tmp/bluetoothd", 60)
    }

    /// Has `btmgmt` do something until it has said `word`, or has ended where it says nothing; what it says. It does not end by itself
    /// everywhere, and wants a standard input that can be waited on.
    pub fn bluetooth(&mut self, line: &str, word: &str) -> Result<String, Failed> {
        // What it says is waited for, and the last one's words must not be found meanwhile.
        self.does(&format!("rm -f /tmp/bt; setsid btmgmt {line} <> /tmp/nothing > /tmp/bt 2>&1 & bt=$!"))?;
        let said =
            if word.is_empty() { "! kill -0 $bt 2> /dev/null".into() } else { format!("grep -q '{word}' /tmp/bt") };
        self.until(&said, 60)?;
        self.does("kill $bt 2> /dev/null; wait $bt; cat /tmp/bt")
    }
}
