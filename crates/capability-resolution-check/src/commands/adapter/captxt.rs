//! What the vectors ask about server files, answered by the crate `capabilities-txt`.

use capabilities_txt::fetch::{Answer, Known, Outcome};
use capabilities_txt::limits::REDIRECTS_MAX;
use capabilities_txt::{
    Endpoint, PublicSuffixes, Reading, Scope, Severity, allows, read as read_file,
};
use capability_resolution::{Host, Origin, Time};
use serde_json::{Value, json};
use url::Url;

use super::operations::{Answered, Input, Result};

/// One file: what the strict reader finds and takes from it, and what the deny reader answers.
pub(super) fn read(input: Input<'_>) -> Result<Answered> {
    let Asked {
        scope,
        resolver,
        now,
        ..
    } = Asked::of(input)?;
    let file = input.bytes("file")?;
    let reading = read_file(&file, &scope, now);
    let output = json!({
        "errors": found(&reading, Severity::Error),
        "warnings": found(&reading, Severity::Warning),
        "resolverAllowed": allows(&file, &resolver).is_allowed(),
        "endpoints": endpoints(&reading),
    });
    Ok(Answered {
        valid: reading.is_valid(),
        reason: reading.code().map(|code| code.as_str()),
        output: Some(output),
    })
}

/// What is held of a host after some fetches.
pub(super) fn fetch(input: Input<'_>) -> Result<Answered> {
    let asked = Asked::of(input)?;
    let fetches = input.0.get("fetches").and_then(Value::as_array);
    let mut known = Known::default();
    for fetch in fetches.ok_or("the input has no list fetches")? {
        let fetch = Input(fetch.as_object().ok_or("a fetch is no object")?);
        let at = fetch.time("at")?;
        // As a resolver does that asks with a condition whenever it holds something.
        let conditional = known.restriction(at).is_some();
        known = known.after(asked.outcome(fetch, conditional)?, at);
    }
    let Asked {
        scope,
        resolver,
        now,
        ..
    } = asked;
    let (file, withheld) = known.file(now).unzip();
    let reading = file.map(|file| read_file(file, &scope, now));
    let withheld = withheld.flatten();
    let counts = reading.as_ref().filter(|_| withheld.is_none());
    let code = withheld.or_else(|| reading.as_ref()?.code());
    let output = json!({
        "endpoints": counts.map(endpoints).unwrap_or_default(),
        "resolverAllowed": known.restriction(now).is_none_or(|file| allows(file, &resolver).is_allowed()),
        "fetchDue": known.is_due(now),
    });
    Ok(Answered {
        valid: counts.is_some_and(Reading::is_valid),
        reason: code.map(|code| code.as_str()),
        output: Some(output),
    })
}

/// What both operations are told beside the file.
struct Asked {
    scope: Scope,
    resolver: Origin,
    now: Time,
    suffixes: PublicSuffixes,
}

impl Asked {
    fn of(input: Input<'_>) -> Result<Self> {
        let rules = input.0.get("publicSuffixes").and_then(Value::as_array);
        let rules: Option<Vec<&str>> =
            rules.and_then(|rules| rules.iter().map(Value::as_str).collect());
        let rules = rules.ok_or("the input has no list of texts publicSuffixes")?;
        let suffixes = PublicSuffixes::from_rules(rules).map_err(|error| error.to_string())?;
        let host = Host::from_written(input.text("host")?).map_err(|error| error.to_string())?;
        Ok(Self {
            scope: Scope::new(host, &suffixes),
            resolver: input
                .text("resolver")?
                .parse()
                .map_err(|error| format!("resolver: {error}"))?,
            now: input.time("now")?,
            suffixes,
        })
    }

    fn outcome(&self, fetch: Input<'_>, conditional: bool) -> Result<Outcome<Vec<u8>>> {
        let redirects = fetch.0.get("redirects").and_then(Value::as_array);
        let redirects = redirects.ok_or("a fetch has no list redirects")?.iter();
        let redirects: Vec<Url> = redirects
            .map(|url| url.as_str().and_then(|url| url.parse().ok()))
            .collect::<Option<_>>()
            .ok_or("a redirect is no absolute URL")?;
        if fetch.optional_text("failure")?.is_some() {
            return Ok(Outcome::Failed);
        }
        let status = fetch.0.get("status").and_then(Value::as_u64);
        let followed =
            redirects.len() <= REDIRECTS_MAX && redirects.iter().all(|url| url.scheme() == "https");
        let Some(status) = status.filter(|_| followed) else {
            return Ok(Outcome::Refused);
        };
        let host = match redirects.last().and_then(Url::host_str) {
            Some(host) => Host::from_written(host).map_err(|error| error.to_string())?,
            None => self.scope.host().clone(),
        };
        let answer = Answer {
            status: u16::try_from(status).map_err(|_| "status is no HTTP status")?,
            content_type: fetch.optional_text("contentType")?,
            host: &host,
            conditional,
        };
        let file = fetch.optional_text("file")?.unwrap_or_default().into();
        Ok(Outcome::of_answer(
            &answer,
            self.scope.host(),
            &self.suffixes,
            file,
        ))
    }
}

fn found(reading: &Reading<'_>, severity: Severity) -> Vec<Value> {
    let found = reading
        .diagnostics()
        .iter()
        .filter(|d| d.severity() == severity);
    found
        .map(|d| json!({"code": d.code().as_str(), "line": d.line(), "column": d.column()}))
        .collect()
}

fn endpoints(reading: &Reading<'_>) -> Vec<Value> {
    let one = |(endpoint, in_scope): (&Endpoint, bool)| {
        json!({
            "url": endpoint.url.as_str(),
            "inScope": in_scope,
            "jobs": endpoint.jobs.iter().map(|job| job.as_str()).collect::<Vec<_>>(),
            "protocol": endpoint.protocol.as_str(),
            "signIn": endpoint.sign_in.as_ref().map(|word| word.as_str()),
            "payment": endpoint.payment.as_ref().map(|word| word.as_str()),
        })
    };
    reading.endpoints().map(one).collect()
}
