//! Other programs: how their command lines are shown, and how their output passes through.

use std::fmt;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc::{Sender, channel};
use std::thread;

use command_console::{Console, Explain};
use thiserror::Error;

/// A command line, run in the repository's root or a folder of it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CommandLine {
    /// The folder, repository-relative; empty for the root.
    pub folder: &'static str,
    /// A variable that is set for the program.
    pub variable: Option<(&'static str, String)>,
    /// The program and its arguments.
    pub words: Vec<&'static str>,
}

/// Why a program could not be run.
#[derive(Debug, Error)]
#[error("cannot run `{line}`")]
pub struct ProcessError {
    line: String,
    source: io::Error,
}

impl Explain for ProcessError {
    fn code(&self) -> &'static str {
        "process"
    }
}

impl CommandLine {
    /// `words`, split at spaces, in the root.
    #[must_use]
    pub fn new(words: &'static str) -> Self {
        Self {
            folder: "",
            variable: None,
            words: words.split(' ').collect(),
        }
    }

    /// The same in a folder.
    #[must_use]
    pub fn in_folder(self, folder: &'static str) -> Self {
        Self { folder, ..self }
    }

    /// The same with a variable.
    #[must_use]
    pub fn with(self, name: &'static str, value: impl Into<String>) -> Self {
        Self {
            variable: Some((name, value.into())),
            ..self
        }
    }

    /// Runs it with this process's streams.
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn run(&self, root: &Path) -> Result<ExitStatus, ProcessError> {
        self.command(root)
            .status()
            .map_err(|source| self.error(source))
    }

    /// True if it can be started and succeeds; says nothing.
    #[must_use]
    pub fn probe(&self, root: &Path) -> bool {
        let quiet = self
            .command(root)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        quiet.is_ok_and(|status| status.success())
    }

    /// Runs it, passes its output on line by line as talk, and shows each line to `read`.
    ///
    /// # Errors
    /// If it cannot be started.
    pub fn run_reading(
        &self,
        root: &Path,
        console: &mut Console,
        read: &mut dyn FnMut(&str),
    ) -> Result<ExitStatus, ProcessError> {
        let mut command = self.command(root);
        let piped = command
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = piped.spawn().map_err(|source| self.error(source))?;
        let (sender, lines) = channel();
        let readers = [
            child
                .stdout
                .take()
                .map(|stream| pass_on(stream, sender.clone())),
            child.stderr.take().map(|stream| pass_on(stream, sender)),
        ];
        for line in lines {
            console.talk(&line);
            read(&line);
        }
        for reader in readers.into_iter().flatten() {
            // A reader ends with its stream; it has nothing to say that the exit code does not.
            let _ = reader.join();
        }
        child.wait().map_err(|source| self.error(source))
    }

    fn command(&self, root: &Path) -> Command {
        let (program, arguments) = self.words.split_first().unwrap_or((&"", &[]));
        let mut command = Command::new(program);
        command
            .args(arguments)
            .current_dir(root.join(self.folder))
            .envs(self.variable.clone());
        command
    }

    fn error(&self, source: io::Error) -> ProcessError {
        ProcessError {
            line: self.to_string(),
            source,
        }
    }
}

fn pass_on(stream: impl Read + Send + 'static, sender: Sender<String>) -> thread::JoinHandle<()> {
    thread::spawn(move || {
        let mut stream = BufReader::new(stream);
        let mut line = Vec::new();
        while stream
            .read_until(b'\n', &mut line)
            .is_ok_and(|length| length > 0)
        {
            let text = String::from_utf8_lossy(&line);
            if sender
                .send(text.trim_end_matches(['\r', '\n']).to_owned())
                .is_err()
            {
                return;
            }
            line.clear();
        }
    })
}

/// As one types it into a shell at the repository's root.
impl fmt::Display for CommandLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.folder.is_empty() {
            write!(f, "cd {} && ", self.folder)?;
        }
        if let Some((name, value)) = &self.variable {
            write!(f, "{name}='{value}' ")?;
        }
        let quoted = self.words.iter().map(|word| match word.contains(' ') {
            true => format!("'{word}'"),
            false => (*word).to_owned(),
        });
        f.write_str(&quoted.collect::<Vec<_>>().join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shown_as_typed() {
        let line = CommandLine::new("cargo doc --no-deps").with("RUSTDOCFLAGS", "-D warnings");
        assert_eq!(
            line.to_string(),
            "RUSTDOCFLAGS='-D warnings' cargo doc --no-deps"
        );
        assert_eq!(
            CommandLine::new("node --test")
                .in_folder("interop/node")
                .to_string(),
            "cd interop/node && node --test"
        );
    }

    #[test]
    fn output_passes_through_and_is_read() {
        let (mut console, captured) = Console::captured();
        let mut lines = Vec::new();
        let line = CommandLine::new("rustc --version --verbose");
        assert!(
            line.run_reading(Path::new("."), &mut console, &mut |line| lines
                .push(line.to_owned()))
                .unwrap()
                .success()
        );
        assert!(lines[0].starts_with("rustc "), "{lines:?}");
        assert_eq!(captured.err().lines().count(), lines.len());
        assert!(!CommandLine::new("rustc --no-such-flag").probe(Path::new(".")));
        let error = CommandLine::new("no-such-program")
            .run(Path::new("."))
            .unwrap_err();
        assert_eq!(error.to_string(), "cannot run `no-such-program`");
    }
}
