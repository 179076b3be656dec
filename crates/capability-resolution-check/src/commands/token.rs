//! `capability-resolution-check token`: a token and the discovery document of its issuer.

mod human;
mod json;

use std::ffi::OsString;
use std::path::PathBuf;

use capability_resolution::limits::{DISCOVERY_MAX_BYTES, TOKEN_MAX_BYTES};
use capability_resolution::{
    Claims, Code, Discovery, Origin, RecordClaims, Refusal, Time, UnverifiedToken,
};
use command_console::{Console, Failure, Format, Outcome};
use serde::Serialize;
use serde_json::Value;

use crate::checks::{Check, Subject, checks, failed};
use crate::input::{self, Bounded, NowSource};

/// Judge a token by the discovery document of its issuer: every check in order, the claims, the verdict.
///
/// Exit code 0: the token is valid; 1: it or the discovery document is refused; 2: a file could not be read, or the
/// command line is wrong.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  capability-resolution-check token --discovery discovery.json eyJhbGciOi...
  capability-resolution-check token --discovery discovery.json \\
      --now 2026-11-30T12:00:05Z - < token.txt
  capability-resolution-check token --discovery discovery.json \\
      --issuer https://resolver.example --record --format json -")]
pub(crate) struct Args {
    /// The discovery document of the issuer.
    #[arg(long, value_name = "FILE")]
    discovery: PathBuf,
    /// The moment at which the token is judged; without it, the clock of this computer says it.
    #[arg(long, value_name = "RFC3339")]
    now: Option<String>,
    /// The origin that the document was fetched from. Without it the document is believed about its own name.
    #[arg(long, value_name = "ORIGIN")]
    issuer: Option<String>,
    /// The token is that of a record: it has the claims name and first_seen.
    #[arg(long)]
    record: bool,
    /// How the answer is written; for json see docs/schema/check-token.schema.json.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// The token, or - for standard input as it is: a line end at its end belongs to it.
    #[arg(value_name = "TOKEN|-")]
    token: OsString,
}

/// Where the name of the issuer comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum IssuerSource {
    /// `--issuer`.
    Argument,
    /// The document's own `iss`, since there is no `--issuer`.
    Document,
}

/// A judgement and how it came about.
struct Judgement {
    /// Absent where the document has no `iss` that could be one.
    issuer: Option<Origin>,
    issuer_source: IssuerSource,
    now: Time,
    now_source: NowSource,
    record: bool,
    result: Result<(Claims, Option<RecordClaims>), Refused>,
    /// What the issuer signed, where the signature was found to be its own.
    signed: Option<Vec<u8>>,
}

/// Why something was refused.
struct Refused {
    subject: Subject,
    refusal: Refusal,
    /// What was found, with what the reader could not know.
    detail: String,
}

pub(crate) fn run(args: &Args, console: &mut Console) -> Result<Outcome, Failure> {
    let now = input::now(args.now.as_deref())?;
    let asked = args.issuer.as_deref().map(input::origin).transpose()?;
    let nobody = input::origin(input::NOBODY)?;
    let document = input::file(&args.discovery, DISCOVERY_MAX_BYTES)?;
    let token = input::word_or_stdin(&args.token, TOKEN_MAX_BYTES)?;
    let judgement = judge(asked, &nobody, &document, &token, now, args.record);
    match args.format {
        Format::Human => console.text(&human::human(&judgement)),
        Format::Json => console.json(&json::json(&judgement)),
    }
    Ok(Outcome::from_bool(judgement.result.is_ok()))
}

fn judge(
    asked: Option<Origin>,
    nobody: &Origin,
    document: &Bounded,
    token: &Bounded,
    (now, now_source): (Time, NowSource),
    record: bool,
) -> Judgement {
    let issuer_source = match asked {
        Some(_) => IssuerSource::Argument,
        None => IssuerSource::Document,
    };
    let issuer = asked.or_else(|| own_name(&document.bytes));
    let mut signed = None;
    let result = discovery(issuer.as_ref(), nobody, document).and_then(|discovery| {
        let verified = verify(&discovery, &token.bytes, now, record);
        let own = match &verified {
            Ok(_) => true,
            Err(refusal) => refusal.code() > Code::SignatureInvalid,
        };
        signed = own.then(|| payload(&token.bytes)).flatten();
        verified.map_err(|refusal| refused(Subject::Token, refusal, token, TOKEN_MAX_BYTES))
    });
    Judgement {
        issuer,
        issuer_source,
        now,
        now_source,
        record,
        result,
        signed,
    }
}

impl Judgement {
    /// The checks that were made, each with whether it passed, and how many were not made.
    fn checks(&self) -> (Vec<(Subject, Check, bool)>, usize) {
        let all = |subject| {
            checks(subject, self.record)
                .into_iter()
                .map(move |check| (subject, check))
        };
        let all: Vec<_> = all(Subject::Discovery).chain(all(Subject::Token)).collect();
        let last = match &self.result {
            Ok(_) => None,
            Err(refused) => {
                let before = match refused.subject {
                    Subject::Discovery => 0,
                    Subject::Token => checks(Subject::Discovery, self.record).len(),
                };
                let of_subject = checks(refused.subject, self.record);
                failed(&of_subject, &refused.refusal).map(|at| before + at)
            }
        };
        let made = last.map_or(all.len(), |last| last + 1);
        let left = all.len() - made;
        let made = all.into_iter().take(made).enumerate();
        (
            made.map(|(at, (subject, check))| (subject, check, Some(at) != last))
                .collect(),
            left,
        )
    }
}

/// The document, read as that of the issuer that was asked.
fn discovery(
    issuer: Option<&Origin>,
    nobody: &Origin,
    document: &Bounded,
) -> Result<Discovery, Refused> {
    Discovery::read(&document.bytes, issuer.unwrap_or(nobody)).map_err(|refusal| {
        let mut refused = refused(Subject::Discovery, refusal, document, DISCOVERY_MAX_BYTES);
        if issuer.is_none() && refused.refusal.code() == Code::IssMismatch {
            refused.detail = "/iss is no issuer in canonical form".to_owned();
        }
        refused
    })
}

fn verify(
    discovery: &Discovery,
    token: &[u8],
    now: Time,
    record: bool,
) -> Result<(Claims, Option<RecordClaims>), Refusal> {
    let token = UnverifiedToken::parse(token)?;
    if record {
        let (token, claims) = token.verify_record(discovery, now)?;
        Ok((token.claims().clone(), Some(claims)))
    } else {
        Ok((token.verify(discovery, now)?.claims().clone(), None))
    }
}

fn refused(subject: Subject, refusal: Refusal, given: &Bounded, limit: usize) -> Refused {
    let too_long = matches!(refusal.code(), Code::TokenTooLong | Code::DocumentTooLarge);
    let detail = if given.cut && too_long {
        format!("more than the {limit} bytes that are allowed")
    } else {
        refusal.detail().to_owned()
    };
    Refused {
        subject,
        refusal,
        detail,
    }
}

/// The document's own `iss`, if it can be that of a resolver. The document is judged afterwards.
fn own_name(document: &[u8]) -> Option<Origin> {
    let document: Value = serde_json::from_slice(document).ok()?;
    let issuer: Origin = document.get("iss")?.as_str()?.parse().ok()?;
    issuer.is_issuer().then_some(issuer)
}

/// The second segment, decoded.
fn payload(token: &[u8]) -> Option<Vec<u8>> {
    use base64::Engine as _;
    use base64::engine::general_purpose::URL_SAFE_NO_PAD;
    let segment = token.split(|byte| *byte == b'.').nth(1)?;
    URL_SAFE_NO_PAD.decode(segment).ok()
}
