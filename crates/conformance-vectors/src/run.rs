//! Asking a program about vectors, one line of JSON after the other.
//!
//! The program is started once, without a shell. For each vector it is sent `{"id","operation","input"}` on a line of
//! its own and has to answer with one line, either `{"id","result","reason","output"}` or `{"id","unsupported":true}`,
//! before the next is sent. Whatever else it does is a [`Fault`] of that vector, and the next one gets a fresh process.
//! When [`MAX_FAULTS_IN_A_ROW`] vectors in a row end so, the rest is not run.
//!
//! The servers of a client's scenario are played by this program, on loopback, and what requests they get is part of
//! what is judged.

mod fault;
mod player;
mod program;
mod reply;
mod request;
mod script;

use std::ffi::OsString;
use std::io;
use std::time::Duration;

use serde::Serialize;

pub use fault::Fault;
pub use program::MAX_LINE_BYTES;

use crate::judge::{Judgement, Mismatch, Reasons};
use crate::model::{Input, Operation, Vector};
use player::Player;
use program::Program;
use reply::Reply;

/// How many vectors in a row may end in a [`Fault`] before the run stops.
pub const MAX_FAULTS_IN_A_ROW: usize = 5;

/// How a program is asked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Settings {
    /// How long an answer may take, for the first vector of a process with its start.
    pub timeout: Duration,
    /// Whether the code of a refusal counts.
    pub reasons: Reasons,
}

impl Default for Settings {
    /// Ten seconds, and reasons count.
    fn default() -> Self {
        Self {
            timeout: Duration::from_secs(10),
            reasons: Reasons::Check,
        }
    }
}

/// What became of one vector.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Outcome {
    /// The program judged as the vector says.
    Passed,
    /// The program judged in another way.
    Differs {
        /// In which.
        mismatch: Mismatch,
        /// What it said.
        found: Judgement,
    },
    /// The program gave no judgement.
    Fault {
        /// What it did instead.
        fault: Fault,
        /// The last lines of its standard error.
        stderr: Vec<String>,
    },
    /// The program said that it does not support this.
    Unsupported,
    /// The run had stopped.
    NotRun,
}

/// A vector and what became of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Judged<'v> {
    /// The vector.
    pub vector: &'v Vector,
    /// What became of it.
    pub outcome: Outcome,
}

/// What became of all vectors.
#[derive(Debug, Clone, PartialEq)]
pub struct Run<'v> {
    /// The vectors in the order in which they were asked.
    pub judged: Vec<Judged<'v>>,
    /// Whether [`MAX_FAULTS_IN_A_ROW`] ended it early.
    pub stopped: bool,
}

/// Asks the program that `command` starts about each vector. The first word of `command` is the program's file.
///
/// ```no_run
/// use conformance_vectors::Suite;
/// use conformance_vectors::run::{Outcome, Settings, run};
///
/// let suite = Suite::embedded()?;
/// let run = run(&["./my-program".into()], suite.vectors(), Settings::default())?;
/// assert!(run.judged.iter().all(|judged| judged.outcome == Outcome::Passed));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// What the system says if the program cannot be started at all.
pub fn run<'v>(
    command: &[OsString],
    vectors: impl IntoIterator<Item = &'v Vector>,
    settings: Settings,
) -> io::Result<Run<'v>> {
    let mut program = Some(Program::start(command)?);
    let mut run = Run {
        judged: Vec::new(),
        stopped: false,
    };
    let mut faults_in_a_row = 0;
    for vector in vectors {
        run.stopped = faults_in_a_row == MAX_FAULTS_IN_A_ROW;
        let outcome = if run.stopped {
            Outcome::NotRun
        } else {
            ask(command, &mut program, vector, settings)
        };
        faults_in_a_row = match outcome {
            Outcome::Fault { .. } => faults_in_a_row + 1,
            Outcome::NotRun => faults_in_a_row,
            _ => 0,
        };
        run.judged.push(Judged { vector, outcome });
    }
    if let Some(mut program) = program
        && let Err(fault) = program.end(settings.timeout)
        && let Some(last) = run.judged.last_mut()
    {
        let stderr = program.kill();
        last.outcome = Outcome::Fault { fault, stderr };
    }
    Ok(run)
}

/// What is sent to the program.
#[derive(Serialize)]
struct Question<'v> {
    id: &'v str,
    operation: Operation,
    input: Input,
}

/// Asks about one vector; afterwards `program` is the process that can be asked again, if there is one.
fn ask(
    command: &[OsString],
    program: &mut Option<Program>,
    vector: &Vector,
    settings: Settings,
) -> Outcome {
    let fault = |fault: Fault| Outcome::Fault {
        fault,
        stderr: Vec::new(),
    };
    let player = match Player::of(vector) {
        Ok(player) => player,
        Err(error) => return fault(Fault::Play(error.to_string())),
    };
    let question = Question {
        id: &vector.id,
        operation: vector.operation,
        input: match &player {
            Some(player) => player.input(&vector.input),
            None => vector.input.expanded(),
        },
    };
    let started = match program.take() {
        Some(program) => Ok(program),
        None => Program::start(command),
    };
    let (mut asked, line) = match started.and_then(|p| Ok((p, serde_json::to_vec(&question)?))) {
        Ok(ready) => ready,
        Err(error) => return fault(Fault::Start(error.to_string())),
    };
    let reply = asked
        .ask(line, settings.timeout)
        .and_then(|line| Reply::read(&line, &vector.id));
    let reply = reply.map(|reply| match &player {
        Some(player) => reply.with("requests", player.requests(&vector.input)),
        None => reply,
    });
    match reply {
        Ok(reply) => {
            *program = Some(asked);
            judge(vector, reply, settings.reasons)
        }
        Err(fault) => Outcome::Fault {
            fault,
            stderr: asked.kill(),
        },
    }
}

fn judge(vector: &Vector, reply: Reply, reasons: Reasons) -> Outcome {
    match reply {
        Reply::Unsupported => Outcome::Unsupported,
        Reply::Judgement(found) => match vector.judge(&found, reasons) {
            Ok(()) => Outcome::Passed,
            Err(mismatch) => Outcome::Differs { mismatch, found },
        },
    }
}
