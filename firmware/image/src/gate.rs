//! Fitness of an image to be flashed: the room that it takes, where its vectors lead, and what must not be in it.

use std::fs;
use std::ops::Range;

use object::elf::{PT_LOAD, SHF_ALLOC, SHF_WRITE};
use object::read::elf::{ElfFile32, ProgramHeader as _};
use object::{Architecture, Endianness, Object, ObjectSection, ObjectSymbol, SectionFlags};

/// The most that an image may take, in octets.
pub struct Budget {
    /// Flash, without the region that is served.
    flash: u64,
    /// RAM that is static.
    ram: u64,
    /// The least that is left for the stack.
    stack: u64,
}

impl Budget {
    /// Reads the three figures.
    ///
    /// # Errors
    /// A sentence, when one is no whole number.
    pub fn parse(flash: &str, ram: &str, stack: &str) -> Result<Self, String> {
        let octets = |text: &str| text.parse().map_err(|_| format!("{text}: a whole number of octets is wanted"));
        Ok(Self { flash: octets(flash)?, ram: octets(ram)?, stack: octets(stack)? })
    }
}

/// Names of what unwinds. An image has nowhere to unwind to.
const UNWINDING: [&str; 3] = ["_Unwind_Resume", "_Unwind_RaiseException", "rust_eh_personality"];

/// The handler that cortex-m-rt has where an image has none of its own: it loops for ever.
const LOOPS: &str = "HardFault_";

/// Looks at the image at `path`.
///
/// # Errors
/// A sentence for the first thing that is wrong.
pub fn judged(path: &str, budget: &Budget) -> Result<String, String> {
    let file = fs::read(path).map_err(|error| format!("{path}: {error}"))?;
    let elf = ElfFile32::<Endianness>::parse(&*file).map_err(|error| format!("{path}: {error}"))?;
    let image = Image { elf };
    let found = image.taken().and_then(|taken| image.check(&taken, budget).map(|()| taken));
    let Taken { flash, ram, stack } = found.map_err(|error| format!("{path}: {error}"))?;
    Ok(format!("{path}: {flash} octets of flash, {ram} of RAM, {stack} left for the stack"))
}

/// Octets that an image takes, and leaves for its stack.
struct Taken {
    flash: u64,
    ram: u64,
    stack: u64,
}

struct Image<'data> {
    elf: ElfFile32<'data, Endianness>,
}

impl Image<'_> {
    fn taken(&self) -> Result<Taken, String> {
        let end = Endianness::Little;
        let loaded = self.elf.elf_program_headers().iter().filter(|header| header.p_type(end) == PT_LOAD);
        let flash: u64 = loaded.map(|header| u64::from(header.p_filesz(end))).sum();
        let served = self.elf.section_by_name(".served").map_or(0, |section| section.size());
        let is_ram = |flags| matches!(flags, SectionFlags::Elf { sh_flags } if sh_flags & u64::from(SHF_ALLOC | SHF_WRITE) == u64::from(SHF_ALLOC | SHF_WRITE));
        // cortex-m-rt has a section for the room of the stack on some chips; it takes nothing that is static.
        let ram = self.elf.sections().filter(|section| is_ram(section.flags()) && section.name() != Ok(".stack"));
        let ram = ram.map(|section| section.size()).sum();
        let stack = self.stack().map_or(0, |stack| stack.end - stack.start);
        Ok(Taken { flash: flash - served, ram, stack })
    }

    /// Addresses of the stack, as the linker has named its ends.
    fn stack(&self) -> Option<Range<u64>> {
        Some(self.symbol("_stack_end")?..self.symbol("_stack_start")?)
    }

    fn symbol(&self, name: &str) -> Option<u64> {
        self.elf.symbols().find(|symbol| symbol.name() == Ok(name)).map(|symbol| symbol.address())
    }

    fn check(&self, taken: &Taken, budget: &Budget) -> Result<(), String> {
        let Taken { flash, ram, stack } = *taken;
        if flash > budget.flash {
            return Err(format!("{flash} octets of flash, {} are its budget", budget.flash));
        }
        if ram > budget.ram {
            return Err(format!("{ram} octets of RAM, {} are its budget", budget.ram));
        }
        if stack < budget.stack {
            return Err(format!("{stack} octets are left for the stack, {} are wanted", budget.stack));
        }
        if let Some(name) = UNWINDING.into_iter().find(|name| self.symbol(name).is_some()) {
            return Err(format!("it can unwind, by {name}, and has nowhere to"));
        }
        if self.elf.architecture() == Architecture::Arm {
            self.vectors()?;
            if self.symbol(LOOPS) == self.symbol("HardFault") {
                return Err(format!("a fault, and with it a panic, ends in {LOOPS}, which loops until somebody comes"));
            }
        }
        Ok(())
    }

    /// Vectors of a Cortex-M: the stack's upper end, then functions, in Thumb state and in flash. Armv8-M, "Vector table".
    fn vectors(&self) -> Result<(), String> {
        let table = self.elf.section_by_name(".vector_table").ok_or("it has no table of vectors")?;
        let octets = table.data().map_err(|error| format!("its table of vectors: {error}"))?;
        let words: Vec<u64> = octets
            .chunks_exact(4)
            .map(|word| u64::from(u32::from_le_bytes(word.try_into().unwrap_or_default())))
            .collect();
        let (Some(&top), true) = (words.first(), words.len() >= 16) else {
            return Err("its table of vectors is shorter than the exceptions".to_owned());
        };
        if Some(top) != self.symbol("_stack_start") {
            return Err(format!("its first vector, {top:#x}, is not where the stack begins"));
        }
        let text = self.elf.section_by_name(".text").ok_or("it has no code")?;
        let code = text.address()..text.address() + text.size();
        let leads = |vector: u64| vector & 1 == 1 && code.contains(&(vector & !1));
        // Those that the architecture reserves are zero.
        match words.iter().enumerate().skip(1).find(|(_, vector)| **vector != 0 && !leads(**vector)) {
            Some((number, vector)) => Err(format!("vector {number}, {vector:#x}, leads to no function")),
            None if words[1] == 0 || words[3] == 0 => {
                Err("it has no function for a reset, or none for a fault".to_owned())
            }
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_budget_is_three_whole_numbers() {
        assert!(Budget::parse("1", "2", "3").is_ok());
        for wrong in [["x", "2", "3"], ["1", "-2", "3"], ["1", "2", "3.5"]] {
            assert!(Budget::parse(wrong[0], wrong[1], wrong[2]).is_err_and(|error| error.contains("whole number")));
        }
    }

    #[test]
    fn a_program_of_this_machine_is_no_image() {
        let program = std::env::current_exe().expect("this program");
        let budget = Budget { flash: u64::MAX, ram: u64::MAX, stack: 0 };
        assert!(judged(program.to_str().expect("a path that is text"), &budget).is_err());
    }
}
