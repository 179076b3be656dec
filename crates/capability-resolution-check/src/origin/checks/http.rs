//! What holds for every exchange: transport, redirects, media types, headers.

use guarded_fetch::header::{
    ACCESS_CONTROL_ALLOW_ORIGIN, ACCESS_CONTROL_EXPOSE_HEADERS, CACHE_CONTROL, CONTENT_TYPE, ETAG,
    LOCATION, SET_COOKIE,
};

use crate::origin::check::{Check, Group, Not, could_not_tell, failed};
use crate::origin::evidence::{DocumentSeen, Evidence};
use crate::origin::recording::{Ask, Document, Exchange, Reply};

pub(super) fn checks() -> Vec<Option<Check>> {
    let mut checks = vec![
        Check::new(
            Group::Discovery,
            "http.https",
            "",
            "https, with a certificate that is valid for the host",
            "get a certificate for this host from an authority that clients trust, and serve its chain",
            https,
        ),
        Check::new(
            Group::Discovery,
            "discovery.path",
            "",
            "status 200 at /.well-known/capability-resolver",
            "serve the discovery document at this path of the issuer",
            path,
        ),
        Check::new(
            Group::Discovery,
            "discovery.caching",
            "",
            "the discovery document: Cache-Control with one max-age, from 60 to 86400",
            "send Cache-Control: max-age=3600",
            discovery_caching,
        ),
    ];
    for document in Document::ALL {
        checks.extend(of_document(document));
    }
    checks
}

fn of_document(document: Document) -> [Option<Check>; 9] {
    let (word, name) = (document.word(), document.name());
    let group = match document {
        Document::Discovery => Group::Discovery,
        Document::Answer => Group::Answers,
        Document::Record => Group::Record,
    };
    let check = move |id: &str,
                      aspect: String,
                      expected: &str,
                      mend: &'static str,
                      judge: fn(&Evidence<'_>, Document) -> Result<(), Not>| {
        let judge = move |evidence: &Evidence<'_>| judge(evidence, document);
        Check::new(
            group,
            id,
            aspect,
            format!("{name}: {expected}"),
            mend,
            judge,
        )
    };
    [
        check(
            "http.no-redirect",
            word.to_owned(),
            "no redirect",
            "serve it at the URL that is asked: clients follow no redirect",
            no_redirect,
        ),
        check(
            "http.media-type",
            word.to_owned(),
            "the media type application/json, given once",
            "send Content-Type: application/json",
            media_type,
        ),
        check(
            "http.cors",
            word.to_owned(),
            "Access-Control-Allow-Origin: *",
            "send Access-Control-Allow-Origin: * with every answer of this endpoint",
            |evidence, document| each(evidence, document, allows_every_origin),
        ),
        check(
            "http.cors-expose",
            word.to_owned(),
            "Access-Control-Expose-Headers names ETag and Retry-After, or is *",
            "send Access-Control-Expose-Headers: ETag, Retry-After",
            |evidence, document| each(evidence, document, exposes),
        ),
        check(
            "http.no-set-cookie",
            word.to_owned(),
            "no Set-Cookie",
            "send no cookie: no client sends one back",
            |evidence, document| each(evidence, document, sets_no_cookie),
        ),
        check(
            "http.etag",
            format!("{word}-strong"),
            "a strong ETag, another for other bytes",
            "send an ETag that changes with every byte, such as a digest in quotes",
            strong,
        ),
        check(
            "http.etag",
            format!("{word}-matching"),
            "304 for a matching If-None-Match",
            "answer 304 without a body when If-None-Match holds the ETag",
            matching,
        ),
        check(
            "http.etag.no-match",
            word.to_owned(),
            "no 304 for an If-None-Match that names another ETag",
            "compare the ETags in If-None-Match with the one that you would send",
            no_match,
        ),
        check(
            "http.etag.headers",
            word.to_owned(),
            "a 304 with the ETag and the Cache-Control of the answer with 200",
            "send the same ETag and Cache-Control with 304 as with 200",
            not_modified_headers,
        ),
    ]
}

fn https(evidence: &Evidence<'_>) -> Result<(), Not> {
    if evidence.recording.issuer.is_loopback() {
        let reason = "the origin is one of this machine, asked by http for development";
        return Err(Not::Applicable(reason.to_owned()));
    }
    let refused = evidence.recording.exchanges.iter().find_map(|exchange| {
        let none = exchange.reply.as_ref().err()?;
        none.certificate.then_some(none)
    });
    match refused {
        Some(none) => failed(none.why.clone()),
        None if evidence.recording.exchanges.iter().any(|e| e.reply.is_ok()) => Ok(()),
        None => could_not_tell("nothing was answered"),
    }
}

fn path(evidence: &Evidence<'_>) -> Result<(), Not> {
    match evidence.recording.reply(Ask::Discovery) {
        Some(reply) if reply.status == 200 => Ok(()),
        // A rule of its own.
        Some(reply) if is_redirect(reply) => could_not_tell("it was answered with a redirect"),
        Some(reply) if reply.is_later() => could_not_tell(later(reply)),
        Some(reply) => failed(format!("it was answered with {}", reply.status)),
        None => could_not_tell(evidence.why_none(Document::Discovery)),
    }
}

fn discovery_caching(evidence: &Evidence<'_>) -> Result<(), Not> {
    for document in evidence.documents(Document::Discovery)? {
        let seconds = max_age(document.reply);
        if !seconds.is_some_and(|seconds| (60..=86_400).contains(&seconds)) {
            return failed(document.reply.shown(CACHE_CONTROL));
        }
    }
    Ok(())
}

/// The `max-age` of `Cache-Control`, if there is one and not more and it is decimal digits.
pub(super) fn max_age(reply: &Reply) -> Option<u64> {
    let directives = reply.list(CACHE_CONTROL);
    let mut ages = directives.iter().filter_map(|directive| {
        let (name, value) = directive.split_once('=')?;
        name.eq_ignore_ascii_case("max-age").then_some(value)
    });
    let value = ages.next().filter(|_| ages.next().is_none())?;
    let digits = !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| value.parse().unwrap_or(u64::MAX))
}

/// What is said of an answer that says nothing but that there is none for now.
pub(super) fn later(reply: &Reply) -> String {
    format!("it was answered with {}", reply.status)
}

/// A 304 confirms a copy and leads nowhere.
fn is_redirect(reply: &Reply) -> bool {
    (300..400).contains(&reply.status) && reply.status != 304
}

/// The answers to requests for a document, whatever their status.
fn replies<'e>(
    evidence: &'e Evidence<'_>,
    document: Document,
) -> Result<Vec<(&'e Exchange, &'e Reply)>, Not> {
    let exchanges = evidence.recording.of(document);
    let replies: Vec<_> = exchanges
        .filter_map(|exchange| Some((exchange, exchange.reply.as_ref().ok()?)))
        .collect();
    if replies.is_empty() {
        return could_not_tell(evidence.why_none(document));
    }
    Ok(replies)
}

fn no_redirect(evidence: &Evidence<'_>, document: Document) -> Result<(), Not> {
    let replies = replies(evidence, document)?;
    match replies.iter().find(|(_, reply)| is_redirect(reply)) {
        Some((exchange, reply)) => failed(format!(
            "{}: {}, {}",
            exchange.what(),
            reply.status,
            reply.shown(LOCATION)
        )),
        None => Ok(()),
    }
}

fn media_type(evidence: &Evidence<'_>, document: Document) -> Result<(), Not> {
    for seen in evidence.documents(document)? {
        let given = seen.reply.only(CONTENT_TYPE).unwrap_or_default();
        if !essence(given).eq_ignore_ascii_case("application/json") {
            return failed(format!(
                "{}: {}",
                seen.exchange.what(),
                seen.reply.shown(CONTENT_TYPE)
            ));
        }
    }
    Ok(())
}

/// A media type without its parameters.
pub(super) fn essence(media_type: &str) -> &str {
    media_type.split(';').next().unwrap_or_default().trim()
}

/// Every answer of an endpoint but redirects, which have a rule of their own.
fn each(
    evidence: &Evidence<'_>,
    document: Document,
    judge: fn(&Reply) -> Result<(), String>,
) -> Result<(), Not> {
    let mut any = false;
    for (exchange, reply) in replies(evidence, document)? {
        if !is_redirect(reply) {
            any = true;
            judge(reply).or_else(|seen| failed(format!("{}: {seen}", exchange.what())))?;
        }
    }
    if any {
        Ok(())
    } else {
        could_not_tell("every answer was a redirect")
    }
}

pub(super) fn allows_every_origin(reply: &Reply) -> Result<(), String> {
    match reply.only(ACCESS_CONTROL_ALLOW_ORIGIN) {
        Some("*") => Ok(()),
        _ => Err(reply.shown(ACCESS_CONTROL_ALLOW_ORIGIN)),
    }
}

pub(super) fn exposes(reply: &Reply) -> Result<(), String> {
    let named = reply.list(ACCESS_CONTROL_EXPOSE_HEADERS);
    let names = |name: &str| {
        named
            .iter()
            .any(|n| n.eq_ignore_ascii_case(name) || *n == "*")
    };
    if names("ETag") && names("Retry-After") {
        return Ok(());
    }
    Err(reply.shown(ACCESS_CONTROL_EXPOSE_HEADERS))
}

/// Its value is not shown: it may name this caller.
pub(super) fn sets_no_cookie(reply: &Reply) -> Result<(), String> {
    match reply.headers.get(SET_COOKIE) {
        None => Ok(()),
        Some(_) => Err("there is a Set-Cookie".to_owned()),
    }
}

/// A strong validator of RFC 9110 section 8.8.3.
fn strong_etag(reply: &Reply) -> Option<&str> {
    let etag = reply.only(ETAG)?;
    let inside = etag.strip_prefix('"')?.strip_suffix('"')?;
    (!inside.contains('"')).then_some(etag)
}

fn strong(evidence: &Evidence<'_>, document: Document) -> Result<(), Not> {
    for seen in evidence.documents(document)? {
        let mut others = evidence.documents(document)?;
        let is_other = |other: &&DocumentSeen<'_>| {
            let is_same_url = other.exchange.url == seen.exchange.url;
            is_same_url && other.reply.body != seen.reply.body
        };
        let etag = seen.reply.only(ETAG);
        if others.any(|other| is_other(&other) && other.reply.only(ETAG) == etag) && etag.is_some()
        {
            let what = seen.exchange.what();
            return failed(format!("{what}: two answers differ and have one ETag"));
        }
        if strong_etag(seen.reply).is_none() {
            return failed(format!(
                "{}: {}",
                seen.exchange.what(),
                seen.reply.shown(ETAG)
            ));
        }
    }
    Ok(())
}

/// The request without `If-None-Match`, the one with its `ETag` in it, and the one with another.
fn conditional(document: Document) -> [Ask; 3] {
    match document {
        Document::Discovery => [Ask::Discovery, Ask::DiscoveryMatching, Ask::DiscoveryOther],
        Document::Answer => [Ask::Sample, Ask::SampleMatching, Ask::SampleOther],
        Document::Record => [Ask::RecordById, Ask::RecordMatching, Ask::RecordOther],
    }
}

const NOT_CONDITIONAL: &str = "no request with If-None-Match was answered";

fn no_match(evidence: &Evidence<'_>, document: Document) -> Result<(), Not> {
    let [_, _, other] = conditional(document);
    match evidence.recording.reply(other) {
        None => could_not_tell(NOT_CONDITIONAL),
        Some(reply) if reply.status == 304 => {
            failed("If-None-Match with an ETag of no answer was answered with 304")
        }
        Some(reply) if reply.status == 200 => Ok(()),
        Some(reply) => could_not_tell(later(reply)),
    }
}

fn not_modified_headers(evidence: &Evidence<'_>, document: Document) -> Result<(), Not> {
    let [first, matching, _] = conditional(document);
    let replies = [first, matching].map(|ask| evidence.recording.reply(ask));
    let [Some(whole), Some(reply)] = replies else {
        return could_not_tell(NOT_CONDITIONAL);
    };
    if reply.status != 304 {
        let reason = "the request with If-None-Match was not answered with 304";
        return Err(Not::Applicable(reason.to_owned()));
    }
    if reply.only(ETAG) != whole.only(ETAG) {
        return failed(format!("304 with {}", reply.shown(ETAG)));
    }
    // The time may be counted down.
    let directives = |reply: &Reply| {
        let list = reply
            .list(CACHE_CONTROL)
            .into_iter()
            .map(str::to_ascii_lowercase);
        let mut names: Vec<_> = list
            .filter(|directive| !directive.starts_with("max-age="))
            .collect();
        names.sort();
        names
    };
    let is_longer = max_age(reply) > max_age(whole) || max_age(reply).is_none();
    if max_age(whole).is_some() && is_longer || directives(reply) != directives(whole) {
        return failed(format!("304 with {}", reply.shown(CACHE_CONTROL)));
    }
    Ok(())
}

fn matching(evidence: &Evidence<'_>, document: Document) -> Result<(), Not> {
    let [first, conditional, _] = conditional(document);
    let Some(reply) = evidence.recording.reply(conditional) else {
        return could_not_tell("no request with If-None-Match was answered, for want of an ETag");
    };
    let before = evidence.recording.reply(first);
    match reply.status {
        304 => Ok(()),
        200 if before.is_some_and(|before| before.body != reply.body) => {
            could_not_tell("the document changed between the two requests")
        }
        _ if reply.is_later() => could_not_tell(later(reply)),
        status => failed(format!(
            "If-None-Match with its ETag was answered with {status}"
        )),
    }
}
