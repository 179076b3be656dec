//! Faulty resolvers as processes of their own.

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};

use serde_json::Value;

use crate::ran::{Ran, command};

/// Held by tests that keep the machine busy, and by those that such a machine would disturb.
static ALONE: Mutex<()> = Mutex::new(());

/// Waits for the others of these tests.
pub(crate) fn alone() -> MutexGuard<'static, ()> {
    // One that failed does not keep the others from their turn.
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A faulty resolver that ends with the value.
pub(crate) struct Faulty {
    child: Child,
    pub(crate) origin: String,
}

impl Faulty {
    /// Serves a resolver with this fault; with "none", without.
    pub(crate) fn serve(fault: &str) -> Self {
        Self::serve_with(fault, &[])
    }

    /// The same with more arguments.
    pub(crate) fn serve_with(fault: &str, more: &[&str]) -> Self {
        let mut child = Command::new(env!("CARGO_BIN_EXE_capability-resolution-check"))
            .args(["faulty", fault])
            .args(more)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut origin = String::new();
        let out = child.stdout.take().unwrap();
        BufReader::new(out).read_line(&mut origin).unwrap();
        Self {
            child,
            origin: origin.trim().to_owned(),
        }
    }

    /// Checks it.
    pub(crate) fn check(&self, more: &[&str]) -> Ran {
        check(&self.origin, more)
    }
}

impl Drop for Faulty {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Checks an origin of this machine.
pub(crate) fn check(origin: &str, more: &[&str]) -> Ran {
    let arguments = [&[origin, "--allow-loopback"], more].concat();
    command(&arguments, b"", "/no/folder")
}

/// The ids of the checks of a report that came out so.
pub(crate) fn ids(report: &Value, outcome: &str) -> Vec<String> {
    let checks = report["checks"].as_array().unwrap().iter();
    let of = checks.filter(|check| check["outcome"] == outcome);
    let mut ids: Vec<String> = of
        .map(|check| check["id"].as_str().unwrap().to_owned())
        .collect();
    ids.sort();
    ids
}
