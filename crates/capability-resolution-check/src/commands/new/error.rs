//! Why no file is written.

use std::io;
use std::path::PathBuf;

use capabilities_txt::WriteError;
use command_console::Explain;

/// Why no file is written.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub(super) enum NewError {
    /// Without `--host` and questions it is not known for whom the file speaks.
    #[error("no --host says who will serve the file")]
    NoHost,
    /// There is a file already.
    #[error("{} exists", .0.display())]
    Exists(PathBuf),
    /// The file could not be written.
    #[error("cannot write {}", path.display())]
    File { path: PathBuf, source: io::Error },
    /// Standard input ended, or could not be read, before the last question.
    #[error("standard input ended before the last question")]
    NoAnswer(#[source] Option<io::Error>),
    /// An answer is too long.
    #[error("an answer has more than {limit} bytes")]
    AnswerTooLong { limit: usize },
    /// One question was answered wrong too often.
    #[error("{times} answers to one question were wrong")]
    WrongAnswers { times: u32 },
    /// Canonical text is longer than a file may be.
    #[error("the file would be too long")]
    TooLong(#[source] WriteError),
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages() {
        let source = || io::Error::other("what the system says");
        let said = command_console::messages(&[
            &NewError::NoHost,
            &NewError::Exists("capabilities.txt".into()),
            &NewError::File {
                path: "well-known/capabilities.txt".into(),
                source: source(),
            },
            &NewError::NoAnswer(None),
            &NewError::NoAnswer(Some(source())),
            &NewError::AnswerTooLong { limit: 4_096 },
            &NewError::WrongAnswers { times: 10 },
        ]);
        insta::assert_snapshot!(said);
    }
}
