//! The answer for people: what was found, what resolvers understand, and who may list the servers.

use std::fmt::Write as _;

use capabilities_txt::{Endpoint, Scope, ServerFile, Word};
use capability_resolution::Time;
use command_console::style::{BAD, BOLD, DIM, DOUBT, GOOD};
use command_console::visible;

use super::Judgement;
use crate::distance::distance;

/// How many findings are shown.
const SHOWN: usize = 100;

/// Writing to a string cannot fail, so its results are dropped here.
pub(super) fn human(judgement: &Judgement<'_>) -> String {
    let mut out = String::new();
    let path = judgement.path();
    for finding in judgement.findings(SHOWN) {
        let _ = writeln!(out, "{}\n", finding.show(&path));
    }
    let (errors, warnings) = judgement.counts();
    let hidden = (errors + warnings).saturating_sub(SHOWN);
    if hidden > 0 {
        let _ = writeln!(out, "{DIM}{hidden} more findings are not shown{DIM:#}\n");
    }
    verdict(&mut out, judgement, &path, errors, warnings);
    if let Some(file) = judgement.reading.file() {
        claims(&mut out, judgement, file);
    }
    who(&mut out, judgement);
    let source = judgement.now_source.words();
    let _ = writeln!(out, "\nJudged at {}{source}.", judgement.now);
    out
}

fn verdict(
    out: &mut String,
    judgement: &Judgement<'_>,
    path: &str,
    errors: usize,
    warnings: usize,
) {
    let path = visible(path);
    let host = judgement.reading.scope().host();
    let count = |n: usize, what: &str| format!("{n} {what}{}", if n == 1 { "" } else { "s" });
    let warnings = match warnings {
        0 => String::new(),
        n => format!(", {}", count(n, "warning")),
    };
    let _ = if judgement.reading.is_valid() {
        writeln!(
            out,
            "{GOOD}valid{GOOD:#}: {BOLD}{path} as the file of {host}{BOLD:#}{warnings}"
        )
    } else {
        let errors = count(errors, "error");
        writeln!(
            out,
            "{BAD}invalid{BAD:#}: {BOLD}{path} as the file of {host}: {errors}{BOLD:#}{warnings}\n\n\
             Until it is mended no resolver uses what it says about servers. What it forbids holds."
        )
    };
}

fn claims(out: &mut String, judgement: &Judgement<'_>, file: &ServerFile) {
    let when = |time: Time| {
        let seconds = time
            .unix_seconds()
            .saturating_sub(judgement.now.unix_seconds());
        distance(seconds)
    };
    let _ = writeln!(out, "\n{BOLD}what resolvers understand{BOLD:#}");
    let expires = file.expires();
    let _ = writeln!(out, "  expires   {expires}  ({})", when(expires.at()));
    for contact in file.contacts() {
        let _ = writeln!(out, "  contact   {}", visible(contact.as_str()));
    }
    for (endpoint, in_scope) in judgement.reading.endpoints() {
        block(out, judgement.reading.scope(), endpoint, in_scope);
    }
}

fn block(out: &mut String, scope: &Scope, endpoint: &Endpoint, in_scope: bool) {
    let _ = writeln!(out, "\n  {BOLD}{}{BOLD:#}", visible(endpoint.url.as_str()));
    if !in_scope {
        let host = scope.host();
        let _ = writeln!(
            out,
            "    {DOUBT}ignored{DOUBT:#}   the file of {host} does not speak for this host"
        );
    } else if endpoint.url.server_url().is_none() {
        let _ = writeln!(
            out,
            "    {DOUBT}not listed{DOUBT:#}  the URL is longer or of another form than those of servers"
        );
    }
    let word = |word: &Option<Word>| {
        word.as_ref()
            .map_or("not said".to_owned(), ToString::to_string)
    };
    let mut fact = |name: &str, value: &str| {
        let _ = writeln!(out, "    {name:8}  {value}");
    };
    for (at, job) in endpoint.jobs.iter().enumerate() {
        fact(if at == 0 { "jobs" } else { "" }, &visible(job.as_str()));
    }
    fact("protocol", endpoint.protocol.as_str());
    fact("sign-in", &word(&endpoint.sign_in));
    fact("payment", &word(&endpoint.payment));
}

/// Who may list the servers, as the deny reader says it.
fn who(out: &mut String, judgement: &Judgement<'_>) {
    let scope = judgement.reading.scope();
    let host = scope.host();
    let servers = if scope.covers(&format!("below.{host}")) {
        format!("{host} and of all hosts below it")
    } else {
        format!("{host}")
    };
    let _ = writeln!(out, "\n{BOLD}who may list the servers of {servers}{BOLD:#}");
    let mut answer = |allowed: bool, who: &str| {
        let (word, style) = if allowed { ("yes", GOOD) } else { ("no", BAD) };
        let _ = writeln!(out, "  {style}{word:3}{style:#}  {who}");
    };
    let restriction = &judgement.restriction;
    for named in &restriction.named {
        let origin = visible(named.origin.as_str());
        let below = if named.and_below {
            " and every resolver on a host below"
        } else {
            ""
        };
        answer(named.verdict.is_allowed(), &format!("{origin}{below}"));
    }
    let others = match (restriction.named.is_empty(), restriction.more) {
        (true, _) => "every resolver",
        (false, false) => "every other resolver",
        (false, true) => "every resolver that is not named; more are named than these",
    };
    answer(restriction.others.is_allowed(), others);
    if let Some(sentence) = asked(judgement) {
        let _ = writeln!(out, "\n{sentence}");
    }
}

/// The answer for the resolver that was asked about, and why it may not be the one that the author thinks of.
fn asked(judgement: &Judgement<'_>) -> Option<String> {
    let (resolver, verdict) = judgement.resolver.as_ref()?;
    let (may, style) = if verdict.is_allowed() {
        ("may", GOOD)
    } else {
        ("may not", BAD)
    };
    let why = match (judgement.reading.file(), verdict.is_allowed()) {
        (Some(file), false) if file.resolvers().allow(resolver) => {
            "; the entries of Resolvers allow it, but another line does not, and counts all the same"
        }
        (None, false) => "; this holds although the file is not valid",
        (None, true) => "; but it uses nothing that the file says about them",
        (Some(_), _) => "",
    };
    Some(format!(
        "{BOLD}{resolver} {style}{may}{style:#}{BOLD} list them{BOLD:#}{why}."
    ))
}
