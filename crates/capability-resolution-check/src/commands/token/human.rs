//! The answer for people: the verdict in a sentence, then how it came about.

use std::fmt::Write as _;

use capability_resolution::{Claims, Code, RecordClaims, Time};
use command_console::style::{BAD, BOLD, DIM, GOOD};
use command_console::visible;

use super::{IssuerSource, Judgement, Refused};
use crate::checks::Subject;
use crate::distance::distance;

/// The width of the longest rule id that stands before what it says.
const RULE_WIDTH: usize = 26;

/// Writing to a string cannot fail, so its results are dropped here.
pub(super) fn human(judgement: &Judgement) -> String {
    let mut out = String::new();
    match &judgement.result {
        Ok((claims, record)) => valid(&mut out, judgement.now, claims, record.as_ref()),
        Err(refused) => invalid(&mut out, refused),
    }
    checks(&mut out, judgement);
    if let (Err(_), Some(signed)) = (&judgement.result, &judgement.signed) {
        let signed = visible(&String::from_utf8_lossy(signed));
        let _ = writeln!(
            out,
            "\nWhat its issuer signed, and what counts for nothing:\n  {signed}"
        );
    }
    let (now, clock) = (judgement.now, judgement.now_source.words());
    let _ = writeln!(out, "\nJudged at {now}{clock}. {}", source(judgement));
    out
}

fn valid(out: &mut String, now: Time, claims: &Claims, record: Option<&RecordClaims>) {
    let _ = writeln!(
        out,
        "{GOOD}valid{GOOD:#}: {BOLD}{} says that {} is {}{BOLD:#}\n",
        claims.issuer, claims.url, claims.status
    );
    let mut fact = |name: &str, value: &str| {
        let _ = writeln!(out, "  {name:10}  {value}");
    };
    let when = |time: Time| {
        let seconds = time.unix_seconds().saturating_sub(now.unix_seconds());
        format!("{time}  ({})", distance(seconds))
    };
    fact("status", claims.status.as_str());
    fact("checked_at", &when(claims.checked_at));
    fact("iat", &when(claims.issued_at));
    fact("exp", &when(claims.expires));
    if let Some(record) = record {
        fact("name", &visible(&record.name));
        fact("first_seen", &when(record.first_seen));
        if let Some(history) = &record.history {
            fact("history", history.as_str());
        }
    }
}

fn invalid(out: &mut String, refused: &Refused) {
    let (code, rule) = (refused.refusal.code(), refused.refusal.rule());
    let subject = match refused.subject {
        Subject::Discovery => "the discovery document",
        Subject::Token => "the token",
    };
    let _ = writeln!(
        out,
        "{BAD}invalid{BAD:#}: {BOLD}{subject} breaks {rule}: {code}{BOLD:#}\n"
    );
    let _ = writeln!(out, "  {}", visible(&refused.detail));
    if code == Code::KeyPrivate {
        let _ = writeln!(out, "  {BAD}Anybody can sign with that key now.{BAD:#}");
    }
}

fn checks(out: &mut String, judgement: &Judgement) {
    let (checks, left) = judgement.checks();
    let mut current = None;
    for (subject, check, passed) in checks {
        if current != Some(subject) {
            current = Some(subject);
            out.push_str(match subject {
                Subject::Discovery => "\ndiscovery document\n",
                Subject::Token => "\ntoken\n",
            });
        }
        let (word, style) = if passed { ("ok", GOOD) } else { ("FAIL", BAD) };
        let _ = writeln!(
            out,
            "  {style}{word:4}{style:#}  {DIM}{:RULE_WIDTH$}{DIM:#}  {}",
            check.rule, check.holds
        );
    }
    if left > 0 {
        let _ = writeln!(out, "  {DIM}{left} more checks were not made{DIM:#}");
    }
}

fn source(judgement: &Judgement) -> &'static str {
    match judgement.issuer_source {
        IssuerSource::Argument => "The issuer is the one that --issuer names.",
        IssuerSource::Document => {
            "No --issuer was given, so the discovery document was believed about its own name."
        }
    }
}
