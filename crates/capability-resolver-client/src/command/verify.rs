//! `capability-resolver-client verify`: does a token hold?

use std::io::{self, Read as _};

use capability_resolution::limits::TOKEN_MAX_BYTES;
use command_console::style::{BAD, BOLD};
use command_console::{Console, Diagnostic, Explain, Failure, Format, Outcome, visible};
use serde::Serialize;

use super::json::{JsonFailure, JsonRefusal, JsonStatement};
use super::network::{self, Whom};
use super::{Global, human};
use crate::VerifyError;

/// Verify a token that you got from somewhere, by the keys that its resolver publishes now.
///
/// Only resolvers of your list are asked, or one that you name. None of them learns the token.
///
/// Exit code 0: it holds; 1: it breaks a rule; 2: it could not be told.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  capability-resolver-client verify eyJhbGciOi...
  capability-resolver-client verify - --format json < token.txt
  capability-resolver-client verify eyJhbGciOi... \\
      --resolver https://resolver.example")]
pub(crate) struct Args {
    /// The token, or - for standard input, of which a line end at its end is left out.
    #[arg(value_name = "TOKEN|-")]
    token: String,
    #[command(flatten)]
    whom: Whom,
    /// How the answer is written; for json see docs/schema/client-verify.schema.json.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// docs/schema/client-verify.schema.json.
#[derive(Debug, Serialize)]
struct Answer<'a> {
    now: String,
    result: &'static str,
    url: Option<&'a str>,
    statement: Option<JsonStatement<'a>>,
    refusal: Option<JsonRefusal<'a>>,
    failure: Option<JsonFailure<'a>>,
}

/// Why it cannot be told.
#[derive(Debug, thiserror::Error)]
pub(super) enum VerifyFailure {
    #[error("cannot read standard input")]
    Input(#[source] io::Error),
    #[error("{0}")]
    Whose(VerifyError),
}

impl Explain for VerifyFailure {
    fn code(&self) -> &'static str {
        match self {
            Self::Input(_) => "input-unreadable",
            Self::Whose(VerifyError::NotListed(_)) => "resolver-unlisted",
            Self::Whose(_) => "issuer-missing",
        }
    }

    fn help(&self) -> Option<String> {
        match self {
            Self::Whose(VerifyError::NotListed(issuer)) => Some(format!(
                "if you want to ask it: --resolver {}",
                visible(issuer)
            )),
            _ => None,
        }
    }
}

pub(crate) fn run(args: &Args, global: &Global, console: &mut Console) -> Result<Outcome, Failure> {
    let token = read(&args.token).map_err(VerifyFailure::Input)?;
    let client = network::client(global, &args.whom, false, console)?;
    let verified = network::wait(client.verify(&token))?;
    let now = global.now();
    let mut answer = Answer {
        now: now.to_string(),
        result: "unknown",
        url: None,
        statement: None,
        refusal: None,
        failure: None,
    };
    let outcome = match &verified {
        Ok(statement) => {
            answer.result = "valid";
            answer.url = Some(statement.url().as_str());
            answer.statement = Some(JsonStatement::new(statement));
            Outcome::True
        }
        Err(VerifyError::Refused(refusal)) => {
            answer.result = "invalid";
            answer.refusal = Some(JsonRefusal::new(refusal));
            Outcome::False
        }
        Err(VerifyError::Resolver(failure)) => {
            answer.failure = Some(JsonFailure::new(failure));
            Outcome::Unknown
        }
        Err(error) => return Err(VerifyFailure::Whose(error.clone()).into()),
    };
    match (args.format, &verified) {
        (Format::Json, _) => console.json(&answer),
        (Format::Human, Ok(statement)) => {
            console.data(format_args!("{BOLD}valid{BOLD:#}: {}", statement.url()));
            human::statement(statement, now, console);
        }
        (Format::Human, Err(VerifyError::Resolver(failure))) => {
            let told = format!("its resolver could not be asked: {}", failure.code());
            console.talk(Diagnostic::error("resolver-skipped", told).note(failure.detail()));
        }
        (Format::Human, Err(error)) => {
            console.data(format_args!(
                "{BAD}invalid{BAD:#}: {}",
                visible(&error.to_string())
            ));
        }
    }
    Ok(outcome)
}

/// The token as it was given; nothing is trimmed but the end of a line.
fn read(token: &str) -> io::Result<String> {
    if token != "-" {
        return Ok(token.to_owned());
    }
    let limit = u64::try_from(TOKEN_MAX_BYTES).unwrap_or(u64::MAX);
    let mut bytes = Vec::new();
    io::stdin().take(limit + 3).read_to_end(&mut bytes)?;
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let line = text.strip_suffix('\n').unwrap_or(&text);
    Ok(line.strip_suffix('\r').unwrap_or(line).to_owned())
}
