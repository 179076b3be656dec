//! `ci`: the one list of what CI does.

use std::time::{Duration, Instant};

use command_console::{Console, Diagnostic, Failure, Outcome};

use crate::process::CommandLine;
use crate::repo::Repo;

/// Does everything that CI does, one step after the other, and says at the end how each went.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  cargo xtask ci          run every step
  cargo xtask ci --list   show the commands, to repeat one by hand")]
pub struct Args {
    /// Show the commands and run none.
    #[arg(long)]
    pub list: bool,
}

/// One step of CI.
struct Step {
    name: &'static str,
    line: CommandLine,
    /// What has to succeed for the step to make sense, and what it means if it does not.
    needs: Option<(CommandLine, &'static str)>,
}

/// How a step went.
enum End {
    Ok(Duration),
    Failed(Duration),
    Skipped(&'static str),
}

fn steps() -> Vec<Step> {
    let step = |name, words| Step {
        name,
        line: CommandLine::new(words),
        needs: None,
    };
    let doc = CommandLine::new("cargo doc --workspace --all-features --no-deps");
    let go = || (CommandLine::new("go version"), "go is not installed");
    let deny = (
        CommandLine::new("cargo deny --version"),
        "cargo-deny is not installed",
    );
    vec![
        step("fmt", "cargo fmt --all --check"),
        step(
            "clippy",
            "cargo clippy --workspace --all-targets --all-features -- -D warnings",
        ),
        step("test", "cargo xtask test --no-skip"),
        Step {
            line: doc.with("RUSTDOCFLAGS", "-D warnings"),
            ..step("doc", "cargo")
        },
        step("lint-spec", "cargo xtask lint-spec"),
        step("requirements", "cargo xtask requirements --strict"),
        step("vectors", "cargo xtask vectors --check"),
        step(
            "python",
            "cargo run -q -p conformance-vectors -- run -- python3 interop/python/main.py",
        ),
        step(
            "node",
            "cargo run -q -p conformance-vectors -- run --without client -- node interop/node/main.mjs",
        ),
        Step {
            needs: Some(go()),
            ..step(
                "go-build",
                "env GO111MODULE=off GOPATH=/usr/share/gocode go build -o target/capability-resolution-go ./interop/go",
            )
        },
        Step {
            needs: Some(go()),
            ..step(
                "go",
                "cargo run -q -p conformance-vectors -- run --without captxt --without captxt-fetch -- target/capability-resolution-go",
            )
        },
        step("differential", "python3 interop/differential/main.py"),
        step("verify-proofs", "cargo xtask verify-proofs"),
        step("fuzz", "cargo check --manifest-path fuzz/Cargo.toml --bins"),
        step(
            "package",
            "cargo package -q --workspace --exclude xtask --no-verify --allow-dirty",
        ),
        Step {
            needs: Some(deny),
            ..step("deny", "cargo deny check bans licenses sources")
        },
    ]
}

/// Runs the command: true if no step failed.
///
/// # Errors
/// If a step cannot be started.
pub fn run(args: &Args, console: &mut Console) -> Result<Outcome, Failure> {
    let repo = Repo::find()?;
    let steps = steps();
    if args.list {
        for step in &steps {
            console.data(format_args!("{:14} {}", step.name, step.line));
        }
        return Ok(Outcome::True);
    }
    let mut ends = Vec::new();
    for step in &steps {
        let end = match &step.needs {
            Some((needed, missing)) if !needed.probe(repo.root()) => End::Skipped(missing),
            _ => {
                console.talk(format_args!("\n$ {}", step.line));
                let start = Instant::now();
                let status = step.line.run(repo.root())?;
                if status.success() {
                    End::Ok(start.elapsed())
                } else {
                    End::Failed(start.elapsed())
                }
            }
        };
        if let End::Failed(_) = end {
            console.talk(
                Diagnostic::error("ci-step", format!("{} failed", step.name))
                    .help(step.line.to_string()),
            );
        }
        ends.push(end);
    }
    console.data("");
    for (step, end) in steps.iter().zip(&ends) {
        console.data(summary(step, end));
    }
    Ok(Outcome::from_bool(
        !ends.iter().any(|end| matches!(end, End::Failed(_))),
    ))
}

fn summary(step: &Step, end: &End) -> String {
    match end {
        End::Ok(time) => format!(
            "ok      {:14} {:7.1} s  {}",
            step.name,
            time.as_secs_f64(),
            step.line
        ),
        End::Failed(time) => format!(
            "FAILED  {:14} {:7.1} s  {}",
            step.name,
            time.as_secs_f64(),
            step.line
        ),
        End::Skipped(why) => format!("skipped {:14}            {why}", step.name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_step_can_be_repeated_by_hand() {
        let lines: Vec<_> = steps()
            .iter()
            .map(|step| format!("{:14} {}", step.name, step.line))
            .collect();
        insta::assert_snapshot!(lines.join("\n"));
    }

    #[test]
    fn a_step_says_how_it_went() {
        let steps = steps();
        let shown = [
            summary(&steps[0], &End::Ok(Duration::from_millis(1234))),
            summary(&steps[1], &End::Failed(Duration::from_secs(100))),
            summary(
                &steps[steps.len() - 1],
                &End::Skipped("cargo-deny is not installed"),
            ),
        ];
        insta::assert_snapshot!(shown.join("\n"));
    }
}
