//! On what was measured: figures mean nothing without it.

use std::fs;
use std::process::Command;
use std::thread;

use serde::Serialize;

/// A machine, as far as it says what it is.
#[derive(Debug, Clone, Serialize)]
pub struct Machine {
    /// The processor's name, where the system gives it.
    pub processor: Option<String>,
    /// How many threads it runs at once, as far as this process may use them.
    pub cores: Option<usize>,
    /// The operating system and the kind of processor.
    pub system: String,
    /// The compiler's version.
    pub rustc: Option<String>,
    /// How many programs wanted to run, on average over the minute before the end, where the system counts them. More
    /// than this command's own one means that others kept the machine busy.
    pub load: Option<f64>,
}

impl Machine {
    /// This machine, now.
    #[must_use]
    pub fn this() -> Self {
        Self {
            processor: fs::read_to_string("/proc/cpuinfo")
                .ok()
                .and_then(|text| processor(&text)),
            cores: thread::available_parallelism().map(usize::from).ok(),
            system: format!("{} {}", std::env::consts::OS, std::env::consts::ARCH),
            rustc: Command::new("rustc")
                .arg("--version")
                .output()
                .ok()
                .map(|done| String::from_utf8_lossy(&done.stdout).trim().to_owned()),
            load: fs::read_to_string("/proc/loadavg")
                .ok()
                .and_then(|text| text.split(' ').next()?.parse().ok()),
        }
    }
}

fn processor(cpuinfo: &str) -> Option<String> {
    let line = cpuinfo
        .lines()
        .find_map(|line| line.strip_prefix("model name"))?;
    Some(line.trim_start_matches([' ', '\t', ':']).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_processor_has_a_name() {
        let text = "processor\t: 0\nmodel name\t: A: Processor\nmodel name\t: Another\n";
        assert_eq!(processor(text).as_deref(), Some("A: Processor"));
        assert_eq!(processor("processor : 0"), None);
    }
}
