//! Other programs that do the same work: each runs through all rounds, so that its compiler has warmed up.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::thread;
use std::time::Duration;

use serde_json::{Value, json};

use super::Peer;
use crate::repo::Repo;

/// The longest answer that is read, in bytes.
const MAX_ANSWER: u64 = 65_536;

/// How much longer than the work itself a program may take for its start and its answer.
const PATIENCE: Duration = Duration::from_secs(20);

/// A running peer; it is stopped when this is dropped.
#[derive(Debug)]
pub struct Running {
    child: Child,
    stdin: ChildStdin,
    answers: Receiver<String>,
}

impl Running {
    /// Starts a peer, or says why it is left out.
    ///
    /// # Errors
    /// A sentence, with what to do if it is not installed.
    pub fn start(repo: &Repo, peer: &Peer) -> Result<Self, String> {
        if !repo.path(peer.installed).exists() {
            return Err(format!("not installed; to install it: {}", peer.install));
        }
        let (program, arguments) = peer.command.split_first().unwrap_or((&"", &[]));
        // A path below the root is named in full: where a relative one starts from depends on the system.
        let path = repo.path(program);
        let mut command = match path.is_file() {
            true => Command::new(path),
            false => Command::new(program),
        };
        let piped = command
            .args(arguments)
            .current_dir(repo.root())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null());
        let mut child = piped
            .spawn()
            .map_err(|error| format!("cannot run {program}: {error}"))?;
        let (Some(stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(format!("cannot speak with {program}"));
        };
        let (sender, answers) = sync_channel(0);
        thread::spawn(move || {
            let mut lines = BufReader::new(stdout);
            while let Ok(Some(line)) = line(&mut lines) {
                if sender.send(line).is_err() {
                    return;
                }
            }
        });
        Ok(Self {
            child,
            stdin,
            answers,
        })
    }

    /// Lets it do the work for the given time, and gives out the nanoseconds that doing it once takes.
    ///
    /// # Errors
    /// A sentence: it ended, took too long, or its answer is none.
    pub fn measure(&mut self, input: &Value, time: Duration) -> Result<f64, String> {
        let mut input = input.clone();
        input["milliseconds"] = json!(u64::try_from(time.as_millis()).unwrap_or(u64::MAX));
        let question = json!({ "id": "measure", "operation": "measure", "input": input });
        writeln!(self.stdin, "{question}")
            .and_then(|()| self.stdin.flush())
            .map_err(|error| format!("it takes no question: {error}"))?;
        let answer = self.answers.recv_timeout(time * 2 + PATIENCE);
        let answer = answer.map_err(|error| match error {
            RecvTimeoutError::Timeout => "no answer in time".to_owned(),
            RecvTimeoutError::Disconnected => "it ended without an answer".to_owned(),
        })?;
        serde_json::from_str::<Value>(&answer)
            .ok()
            .and_then(|answer| answer["nanoseconds"].as_f64())
            .filter(|nanoseconds| nanoseconds.is_finite() && *nanoseconds > 0.0)
            .ok_or_else(|| "its answer has no positive number `nanoseconds`".to_owned())
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It may have ended by itself, and there is nobody to tell that it cannot be stopped.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The next line, of at most [`MAX_ANSWER`] bytes.
fn line(lines: &mut impl BufRead) -> io::Result<Option<String>> {
    let mut line = String::new();
    let length = lines.by_ref().take(MAX_ANSWER).read_line(&mut line)?;
    Ok((length > 0).then_some(line))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn measured(command: &'static [&'static str]) -> Result<f64, String> {
        let peer = Peer {
            name: "a test",
            command,
            installed: "xtask/Cargo.toml",
            install: "nothing",
        };
        let mut running = Running::start(&Repo::find().unwrap(), &peer)?;
        running.measure(&json!({ "of": 1 }), Duration::from_millis(5))
    }

    #[test]
    fn a_peer_answers_with_nanoseconds() {
        // It answers with what it was told to do, so that the question is tested too.
        const ECHO: &str = r#"read q; case "$q" in *'"milliseconds":5,"of":1'*) echo '{"nanoseconds":7.5}';; esac"#;
        assert_eq!(measured(&["sh", "-c", ECHO]), Ok(7.5));
    }

    #[test]
    fn what_is_no_answer_is_told() {
        let cases: [(&'static [&'static str], &str); 3] = [
            (&["sh", "-c", "read q"], "it ended without"),
            (&["sh", "-c", "read q; echo {}"], "its answer has no"),
            (&["no-such-program"], "cannot run no-such-program"),
        ];
        for (command, expected) in cases {
            let error = measured(command).unwrap_err();
            assert!(error.starts_with(expected), "{error}");
        }
        let peer = Peer {
            name: "a test",
            command: &["sh"],
            installed: "no-such-folder",
            install: "how to install it",
        };
        let error = Running::start(&Repo::find().unwrap(), &peer).unwrap_err();
        assert!(error.contains("how to install it"), "{error}");
    }
}
