//! A process that is asked over its standard streams.
//!
//! Each stream has a thread of its own, so that neither a program that does not read nor one that does not write can
//! hold the runner up. What is kept of its output is bounded.

use std::collections::VecDeque;
use std::ffi::OsString;
use std::io::{self, BufRead as _, BufReader, Read, Write as _};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, SyncSender};
use std::thread;
use std::time::{Duration, Instant};

use super::fault::Fault;
use super::reply::excerpt;

/// The longest line that a program may write, in bytes, its end included.
pub const MAX_LINE_BYTES: usize = 65_536;

/// How many lines of standard error a report shows.
const STDERR_LINES: usize = 20;

/// How long a program that closed its standard output may take to end, and its standard error to be read.
const GRACE: Duration = Duration::from_millis(500);

/// A running program. It does not outlive this value.
pub(super) struct Program {
    child: Child,
    /// `None` once the program was told that nothing more comes.
    questions: Option<SyncSender<Vec<u8>>>,
    output: Receiver<Output>,
    stderr: Receiver<Vec<String>>,
}

/// What was read from standard output.
enum Output {
    Line(Vec<u8>),
    TooLong,
    Error(io::Error),
}

impl Program {
    /// Starts the program without a shell.
    pub(super) fn start(command: &[OsString]) -> io::Result<Self> {
        let (file, arguments) = command
            .split_first()
            .ok_or_else(|| io::Error::other("no command was given"))?;
        let mut command = Command::new(file);
        command
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        // A group of its own: what the program started goes down with it.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command.spawn()?;
        let piped = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (Some(stdin), Some(stdout), Some(stderr)) = piped else {
            return Err(io::Error::other("the program has no pipes"));
        };
        Ok(Self {
            child,
            questions: Some(writer(stdin)),
            output: reader(stdout),
            stderr: tail(stderr),
        })
    }

    /// Sends a line and waits for one.
    pub(super) fn ask(&mut self, mut line: Vec<u8>, timeout: Duration) -> Result<Vec<u8>, Fault> {
        let deadline = Instant::now() + timeout;
        line.push(b'\n');
        if let Some(questions) = &self.questions {
            // A program that has ended is noticed below, and there it says how.
            let _ = questions.send(line);
        }
        match self.next_line(deadline) {
            Ok(Some(line)) => Ok(line),
            Ok(None) => Err(self.fault_of_end()),
            Err(None) => Err(Fault::Timeout(timeout)),
            Err(Some(fault)) => Err(fault),
        }
    }

    /// Says that nothing more comes, and makes sure that nothing more is said. A program that does not end then is
    /// killed, and that is no fault: it answered everything.
    pub(super) fn end(&mut self, timeout: Duration) -> Result<(), Fault> {
        let deadline = Instant::now() + timeout;
        self.questions = None;
        match self.next_line(deadline) {
            Ok(Some(line)) => Err(Fault::ExtraLine {
                line: excerpt(&line),
            }),
            Ok(None) => {
                self.ended_by(deadline);
                Ok(())
            }
            Err(None) => Ok(()),
            Err(Some(fault)) => Err(fault),
        }
    }

    /// Ends the program and hands over the last lines of its standard error.
    pub(super) fn kill(mut self) -> Vec<String> {
        self.stop();
        // Only a descendant that left the group can hold the stream open now.
        self.stderr.recv_timeout(GRACE).unwrap_or_default()
    }

    /// The next line, or `None` at the end of output; the error is `None` when there is none in time.
    fn next_line(&self, deadline: Instant) -> Result<Option<Vec<u8>>, Option<Fault>> {
        let left = deadline.saturating_duration_since(Instant::now());
        match self.output.recv_timeout(left) {
            Ok(Output::Line(line)) => Ok(Some(line)),
            Ok(Output::TooLong) => Err(Some(Fault::LineTooLong)),
            Ok(Output::Error(error)) => Err(Some(Fault::Output(error.to_string()))),
            Err(RecvTimeoutError::Disconnected) => Ok(None),
            Err(RecvTimeoutError::Timeout) => Err(None),
        }
    }

    /// Why there is no more output.
    fn fault_of_end(&mut self) -> Fault {
        match self.ended_by(Instant::now() + GRACE) {
            Some(status) => Fault::Crash(status.to_string()),
            None => Fault::OutputClosed,
        }
    }

    /// Waits for the program to end by itself.
    fn ended_by(&mut self, deadline: Instant) -> Option<ExitStatus> {
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if Instant::now() < deadline => thread::sleep(Duration::from_millis(2)),
                _ => return None,
            }
        }
    }

    fn stop(&mut self) {
        if !matches!(self.child.try_wait(), Ok(Some(_))) {
            // It has not been waited for, so its number is still its own.
            kill_group(&self.child);
            let _ = self.child.kill();
            let _ = self.child.wait();
        }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        self.stop();
    }
}

#[cfg(unix)]
fn kill_group(child: &Child) {
    use rustix::process::{Pid, Signal, kill_process_group};
    let _ = kill_process_group(Pid::from_child(child), Signal::KILL);
}

#[cfg(not(unix))]
fn kill_group(_: &Child) {}

/// Writes each question; ends with the program or with the sender.
fn writer(mut stdin: ChildStdin) -> SyncSender<Vec<u8>> {
    let (sender, questions) = mpsc::sync_channel::<Vec<u8>>(1);
    thread::spawn(move || {
        for question in questions {
            if stdin
                .write_all(&question)
                .and_then(|()| stdin.flush())
                .is_err()
            {
                break;
            }
        }
    });
    sender
}

/// Reads lines of at most [`MAX_LINE_BYTES`]; a program that writes ahead waits until they are taken.
fn reader(stdout: ChildStdout) -> Receiver<Output> {
    let (sender, output) = mpsc::sync_channel(1);
    thread::spawn(move || {
        let mut stdout = BufReader::new(stdout);
        loop {
            let read = match bounded_line(&mut stdout) {
                Ok(line) if line.is_empty() => break,
                Ok(line) if line.len() > MAX_LINE_BYTES => Output::TooLong,
                Ok(line) => Output::Line(line),
                Err(error) => Output::Error(error),
            };
            let last = !matches!(read, Output::Line(_));
            if sender.send(read).is_err() || last {
                break;
            }
        }
    });
    output
}

/// Keeps the last lines of standard error, and hands them over when it ends.
fn tail(stderr: ChildStderr) -> Receiver<Vec<String>> {
    let (sender, receiver) = mpsc::sync_channel(1);
    thread::spawn(move || {
        let mut stderr = BufReader::new(stderr);
        let mut lines = VecDeque::with_capacity(STDERR_LINES);
        while let Ok(line) = bounded_line(&mut stderr) {
            if line.is_empty() {
                break;
            }
            if lines.len() == STDERR_LINES {
                lines.pop_front();
            }
            lines.push_back(excerpt(&line));
        }
        let _ = sender.send(lines.into());
    });
    receiver
}

/// A line with its end, or as much of it as [`MAX_LINE_BYTES`] and one more; empty at the end of the stream.
fn bounded_line(stream: &mut BufReader<impl Read>) -> io::Result<Vec<u8>> {
    let mut line = Vec::new();
    let limit = u64::try_from(MAX_LINE_BYTES).unwrap_or(u64::MAX);
    stream.take(limit + 1).read_until(b'\n', &mut line)?;
    Ok(line)
}
