//! The answer for programs: docs/schema/check-file.schema.json.

use capabilities_txt::{Endpoint, Named};
use command_console::visible;
use serde::Serialize;

use super::Judgement;
use super::finding::Finding;
use crate::input::NowSource;

/// How many findings are listed. A hostile file has as many as it has bytes.
pub(super) const LISTED: usize = 1_000;

#[derive(Serialize)]
pub(super) struct Answer<'j> {
    valid: bool,
    host: &'j str,
    now: String,
    now_source: NowSource,
    errors: Vec<JsonFinding>,
    warnings: Vec<JsonFinding>,
    findings_not_listed: usize,
    resolver: Option<&'j str>,
    resolver_allowed: Option<bool>,
    resolvers: Resolvers<'j>,
    expires: Option<String>,
    contacts: Vec<&'j str>,
    endpoints: Vec<JsonEndpoint<'j>>,
}

#[derive(Serialize)]
struct JsonFinding {
    code: &'static str,
    rule: &'static str,
    line: u32,
    column: u32,
    byte_offset: usize,
    byte_length: usize,
    message: String,
    effect: String,
    help: String,
    corrected: Option<String>,
}

#[derive(Serialize)]
struct Resolvers<'j> {
    others_allowed: bool,
    named: Vec<JsonNamed<'j>>,
    named_not_listed: bool,
}

#[derive(Serialize)]
struct JsonNamed<'j> {
    origin: &'j str,
    and_below: bool,
    allowed: bool,
}

/// Under the names of the file's fields.
#[derive(Serialize)]
struct JsonEndpoint<'j> {
    url: &'j str,
    in_scope: bool,
    listable: bool,
    jobs: Vec<&'j str>,
    protocol: &'j str,
    sign_in: Option<&'j str>,
    payment: Option<&'j str>,
}

pub(super) fn json<'j>(judgement: &'j Judgement<'_>) -> Answer<'j> {
    let (errors, warnings) = judgement.counts();
    let found = judgement.findings(LISTED);
    let (listed_errors, listed_warnings): (Vec<_>, Vec<_>) = found.partition(Finding::is_error);
    let reading = &judgement.reading;
    let file = reading.file();
    let restriction = &judgement.restriction;
    let resolver = judgement.resolver.as_ref();
    Answer {
        valid: reading.is_valid(),
        host: reading.scope().host().as_str(),
        now: judgement.now.to_string(),
        now_source: judgement.now_source,
        findings_not_listed: errors + warnings - listed_errors.len() - listed_warnings.len(),
        errors: listed_errors.into_iter().map(finding).collect(),
        warnings: listed_warnings.into_iter().map(finding).collect(),
        resolver: resolver.map(|(resolver, _)| resolver.as_str()),
        resolver_allowed: resolver.map(|(_, verdict)| verdict.is_allowed()),
        resolvers: Resolvers {
            others_allowed: restriction.others.is_allowed(),
            named: restriction.named.iter().map(named).collect(),
            named_not_listed: restriction.more,
        },
        expires: file.map(|file| file.expires().to_string()),
        contacts: file.map_or(Vec::new(), |file| {
            file.contacts().iter().map(|c| c.as_str()).collect()
        }),
        endpoints: reading
            .endpoints()
            .map(|(e, in_scope)| endpoint(e, in_scope))
            .collect(),
    }
}

/// What is said about the file can be shown as it is; the corrected line is to be written.
fn finding(finding: Finding) -> JsonFinding {
    JsonFinding {
        code: finding.code.as_str(),
        rule: finding.rule,
        line: finding.line,
        column: finding.column,
        byte_offset: finding.bytes.start,
        byte_length: finding.bytes.len(),
        message: visible(&finding.message),
        effect: visible(&finding.effect),
        help: finding
            .help
            .lines()
            .map(visible)
            .collect::<Vec<_>>()
            .join("\n"),
        corrected: finding.corrected,
    }
}

fn named(named: &Named) -> JsonNamed<'_> {
    JsonNamed {
        origin: named.origin.as_str(),
        and_below: named.and_below,
        allowed: named.verdict.is_allowed(),
    }
}

fn endpoint(endpoint: &Endpoint, in_scope: bool) -> JsonEndpoint<'_> {
    JsonEndpoint {
        url: endpoint.url.as_str(),
        in_scope,
        listable: in_scope && endpoint.url.server_url().is_some(),
        jobs: endpoint.jobs.iter().map(|job| job.as_str()).collect(),
        protocol: endpoint.protocol.as_str(),
        sign_in: endpoint.sign_in.as_ref().map(|word| word.as_str()),
        payment: endpoint.payment.as_ref().map(|word| word.as_str()),
    }
}
