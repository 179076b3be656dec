//! What a whole run of the checker against a resolver on loopback takes, as a whole program.
//!
//! The resolver is `faulty none`, a process of its own on the same machine. `cargo xtask bench` runs this.

#![expect(clippy::unwrap_used, reason = "a bench is its own caller")]

use std::io::{BufRead as _, BufReader};
use std::process::{Child, Command, Stdio};

use criterion::{Criterion, SamplingMode, criterion_group, criterion_main};

const CHECK: &str = env!("CARGO_BIN_EXE_capability-resolution-check");

/// A resolver without a fault; it is stopped when this is dropped.
struct Resolver(Child);

impl Resolver {
    fn start() -> (Self, String) {
        let mut child = Command::new(CHECK)
            .args(["faulty", "none"])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut origin = String::new();
        let stdout = child.stdout.take().unwrap();
        BufReader::new(stdout).read_line(&mut origin).unwrap();
        (Self(child), origin.trim().to_owned())
    }
}

impl Drop for Resolver {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn origin(c: &mut Criterion) {
    let (_resolver, url) = Resolver::start();
    let mut group = c.benchmark_group("origin");
    group.sampling_mode(SamplingMode::Flat).sample_size(10);
    group.bench_function("whole run", |b| {
        b.iter(|| {
            let run = Command::new(CHECK)
                .args([&url, "--allow-loopback"])
                .stdin(Stdio::null())
                .output()
                .unwrap();
            let said = String::from_utf8_lossy(&run.stdout);
            assert!(run.status.success(), "{said}");
        });
    });
    group.finish();
}

criterion_group!(benches, origin);
criterion_main!(benches);
