//! The questions for what no flag says: on standard error, answered on standard input.

use std::io::{BufRead, Read as _};

use capability_resolution::Host;
use command_console::style::{BOLD, DIM};
use command_console::{Console, Diagnostic};

use super::draft::{Draft, expires};
use super::error::NewError;
use super::{Args, DAYS};
use crate::input;

/// The longest answer in bytes; no line of a file is longer.
const MAX_ANSWER_BYTES: usize = 4_096;

/// How often one question is asked.
const MAX_TIMES: u32 = 10;

/// Who answers.
pub(super) struct Questions<R> {
    answers: R,
}

impl<R: BufRead> Questions<R> {
    pub(super) fn new(answers: R) -> Self {
        Self { answers }
    }

    /// Asks for the host.
    pub(super) fn host(&mut self, console: &mut Console) -> Result<Host, NewError> {
        let question = "Which host will serve the file?";
        self.until(
            question,
            "such as example.com",
            console,
            |answer, console| {
                let host = input::host(answer);
                host.map_err(|error| console.talk(Diagnostic::from_error(&error)))
                    .ok()
            },
        )
    }

    /// Asks for all that no flag said.
    pub(super) fn rest(
        &mut self,
        args: &Args,
        draft: &mut Draft<'_>,
        console: &mut Console,
    ) -> Result<(), NewError> {
        if args.contacts.is_empty() {
            let example = "such as mailto:tools@example.com";
            self.field(
                "Contact",
                "Whom can people ask about the file?",
                example,
                None,
                draft,
                console,
            )?;
        }
        if args.expires_in.is_none() {
            let question = format!("For how many days does it hold? [{DAYS}]");
            self.until(
                &question,
                "at most 366 for a file that nobody forgets",
                console,
                |answer, console| {
                    let days = if answer.is_empty() {
                        Ok(DAYS)
                    } else {
                        answer.parse()
                    };
                    match days {
                        Ok(days @ 1..=36_500) => {
                            let value = expires(draft.now(), days);
                            draft.add("Expires", &value, console).then_some(())
                        }
                        _ => {
                            console.talk("That is no number of days from 1 to 36500.");
                            None
                        }
                    }
                },
            )?;
        }
        if args.resolvers.is_none() {
            let question = "Which resolvers may list your servers? [*]";
            let example = "*, none, or origins separated by commas; - before one forbids it";
            self.field("Resolvers", question, example, Some("*"), draft, console)?;
        }
        if args.blocks.is_empty() {
            self.blocks(draft, console)?;
        }
        Ok(())
    }

    fn blocks(&mut self, draft: &mut Draft<'_>, console: &mut Console) -> Result<(), NewError> {
        let question = "What is the URL of a server? [no more]";
        let example = "such as https://mail.example.com/mcp";
        let jobs = (
            "What does it do? Jobs separated by semicolons",
            "such as send a transactional email; look up a delivery status",
        );
        while self.optional("Endpoint", question, example, draft, console)? {
            self.field("Jobs", jobs.0, jobs.1, None, draft, console)?;
            let question = "Which protocol does it speak? [mcp]";
            self.field("Protocol", question, "", Some("mcp"), draft, console)?;
            let example = "none or required";
            self.optional(
                "Sign-in",
                "Do callers have to sign in? [not said]",
                example,
                draft,
                console,
            )?;
            self.optional(
                "Payment",
                "Do they have to pay? [not said]",
                example,
                draft,
                console,
            )?;
        }
        Ok(())
    }

    /// Asks for the value of a field until the draft takes it.
    fn field(
        &mut self,
        name: &str,
        question: &str,
        example: &str,
        default: Option<&str>,
        draft: &mut Draft<'_>,
        console: &mut Console,
    ) -> Result<(), NewError> {
        self.until(question, example, console, |answer, console| {
            let value = default.filter(|_| answer.is_empty()).unwrap_or(answer);
            draft.add(name, value, console).then_some(())
        })
    }

    /// The same for a field that may be left out; whether it was given.
    fn optional(
        &mut self,
        name: &str,
        question: &str,
        example: &str,
        draft: &mut Draft<'_>,
        console: &mut Console,
    ) -> Result<bool, NewError> {
        self.until(question, example, console, |answer, console| match answer {
            "" => Some(false),
            value => draft.add(name, value, console).then_some(true),
        })
    }

    /// Asks until an answer is taken, but not for ever.
    fn until<T>(
        &mut self,
        question: &str,
        example: &str,
        console: &mut Console,
        mut take: impl FnMut(&str, &mut Console) -> Option<T>,
    ) -> Result<T, NewError> {
        for _ in 0..MAX_TIMES {
            console.talk(format_args!("{BOLD}{question}{BOLD:#}"));
            if !example.is_empty() {
                console.talk(format_args!("{DIM}({example}){DIM:#}"));
            }
            if let Some(taken) = take(self.answer()?.trim(), console) {
                return Ok(taken);
            }
        }
        Err(NewError::WrongAnswers { times: MAX_TIMES })
    }

    fn answer(&mut self) -> Result<String, NewError> {
        let mut line = String::new();
        let most = u64::try_from(MAX_ANSWER_BYTES).unwrap_or(u64::MAX);
        let mut bounded = self.answers.by_ref().take(most + 1);
        bounded
            .read_line(&mut line)
            .map_err(|e| NewError::NoAnswer(Some(e)))?;
        match line.strip_suffix('\n') {
            Some(answer) => Ok(answer.to_owned()),
            None if line.len() > MAX_ANSWER_BYTES => Err(NewError::AnswerTooLong {
                limit: MAX_ANSWER_BYTES,
            }),
            None if line.is_empty() => Err(NewError::NoAnswer(None)),
            None => Ok(line),
        }
    }
}
