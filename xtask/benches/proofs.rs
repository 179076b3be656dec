//! What `verify-proofs` takes beside `sha256sum` and `openssl ts -verify` on the same files, each as whole programs.
//!
//! The commands are those that `verify-proofs --verbose` prints for checks by hand. `cargo xtask bench` runs this; it
//! needs `openssl`.

#![expect(clippy::unwrap_used, reason = "a bench is its own caller")]

use std::path::Path;
use std::process::{Command, Stdio};

use criterion::{Criterion, SamplingMode, criterion_group, criterion_main};

const XTASK: &str = env!("CARGO_BIN_EXE_xtask");

fn in_repository(program: &str, arguments: &[&str]) -> Command {
    let mut command = Command::new(program);
    command
        .args(arguments)
        .current_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join(".."))
        .stdin(Stdio::null());
    command
}

/// The lines to run by hand, joined so that one shell runs them until one fails.
fn by_hand() -> String {
    let shown = in_repository(XTASK, &["verify-proofs", "--verbose"])
        .output()
        .unwrap();
    let text = String::from_utf8(shown.stdout).unwrap();
    let lines: Vec<&str> = text
        .lines()
        .map(str::trim)
        .filter(|line| line.starts_with("sha256sum ") || line.starts_with("openssl ts "))
        .collect();
    let count = |program: &str| {
        lines
            .iter()
            .filter(|line| line.starts_with(program))
            .count()
    };
    assert!(
        count("sha256sum ") > 0 && count("openssl ts ") > 0,
        "{text}"
    );
    lines.join(" && ")
}

fn proofs(c: &mut Criterion) {
    let script = by_hand();
    let run = |program: &str, arguments: &[&str]| {
        let mut command = in_repository(program, arguments);
        let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
        assert!(status.unwrap().success(), "{program} {arguments:?}");
    };
    let mut group = c.benchmark_group("proofs");
    group.sampling_mode(SamplingMode::Flat).sample_size(10);
    group.bench_function("verify-proofs", |b| {
        b.iter(|| run(XTASK, &["verify-proofs"]));
    });
    group.bench_function("sha256sum and openssl ts", |b| {
        b.iter(|| run("sh", &["-c", &script]));
    });
    group.finish();
}

criterion_group!(benches, proofs);
criterion_main!(benches);
