//! Why no file is written.

use std::error::Error;
use std::fmt;
use std::io;
use std::path::PathBuf;

use capabilities_txt::WriteError;
use command_console::Explain;

/// Why no file is written.
#[derive(Debug)]
#[non_exhaustive]
pub(super) enum NewError {
    /// Without `--host` and questions it is not known for whom the file speaks.
    NoHost,
    /// There is a file already.
    Exists(PathBuf),
    /// The file could not be written.
    File { path: PathBuf, source: io::Error },
    /// Standard input ended, or could not be read, before the last question.
    NoAnswer(Option<io::Error>),
    /// An answer is too long.
    AnswerTooLong { limit: usize },
    /// One question was answered wrong too often.
    WrongAnswers { times: u32 },
    /// Canonical text is longer than a file may be.
    TooLong(WriteError),
}

impl fmt::Display for NewError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoHost => f.write_str("no --host says who will serve the file"),
            Self::Exists(path) => write!(f, "{} exists", path.display()),
            Self::File { path, .. } => write!(f, "cannot write {}", path.display()),
            Self::NoAnswer(_) => f.write_str("standard input ended before the last question"),
            Self::AnswerTooLong { limit } => write!(f, "an answer has more than {limit} bytes"),
            Self::WrongAnswers { times } => write!(f, "{times} answers to one question were wrong"),
            Self::TooLong(_) => f.write_str("the file would be too long"),
        }
    }
}

impl Error for NewError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::File { source, .. } | Self::NoAnswer(Some(source)) => Some(source),
            Self::TooLong(source) => Some(source),
            _ => None,
        }
    }
}

impl Explain for NewError {
    fn code(&self) -> &'static str {
        match self {
            Self::NoHost => "host-missing",
            Self::Exists(_) => "file-exists",
            Self::File { .. } => "file-unwritable",
            Self::NoAnswer(_) => "answer-missing",
            Self::AnswerTooLong { .. } => "answer-too-long",
            Self::WrongAnswers { .. } => "answers-wrong",
            Self::TooLong(_) => "file-too-long",
        }
    }

    fn help(&self) -> Option<String> {
        let help = match self {
            Self::NoHost => "for example --host example.com; or --ask to be asked",
            Self::Exists(_) => "--force writes over it",
            Self::File { .. } => "its folder has to exist",
            Self::NoAnswer(_) => "nothing is written; flags can say what is asked",
            _ => return None,
        };
        Some(help.to_owned())
    }
}
