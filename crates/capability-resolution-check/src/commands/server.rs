//! `capability-resolution-check --server URL`: the server file of a host, read as a resolver reads it.

mod human;
mod json;

use std::time::Duration;

use capabilities_txt::fetch::{Answer, Outcome as Fetched, location};
use capabilities_txt::limits::{REDIRECTS_MAX, SCAN_MAX_BYTES};
use capabilities_txt::{Code, Endpoint, PublicSuffixes, Scope};
use capability_resolution::{Host, Origin, Time};
use command_console::{Console, Failure, Outcome};
use guarded_fetch::header::CONTENT_TYPE;
use guarded_fetch::{Class, Error, Fetcher, Limits, Redirects, Request, Response, only_value};
use mcp_observation::{Observation, Options, Target};
use url::Url;

use super::file::Judgement;
use crate::error::CheckError;
use crate::input;
use crate::network::{Network, wait};

/// What a fetch came to, and in words what was seen.
struct Seen {
    outcome: Fetched<Vec<u8>>,
    why: String,
}

/// Reads the file of a server's host, and shows what it says or, if `json`, writes docs/schema/check-server.schema.json.
pub(super) fn run(
    server: &str,
    probe: bool,
    json: bool,
    network: &Network,
    console: &mut Console,
) -> Result<Outcome, Failure> {
    let (host, url) = asked(server, network.allow_loopback)?;
    let suffixes = PublicSuffixes::compiled_in();
    let fetcher = network.fetcher()?;
    let timeout = Duration::from_secs(network.timeout);
    let Seen { outcome, why } = wait(fetch(&fetcher, &url, &host, &suffixes, timeout))?;
    let now = input::clock();
    let mut report = Report {
        host: &host,
        url: &url,
        outcome: word(&outcome),
        why: &why,
        withheld: None,
        file: None,
        observed: Vec::new(),
    };
    let (bytes, is_file) = match outcome {
        Fetched::File { file, withheld } => {
            report.withheld = withheld;
            (file, true)
        }
        _ => (Vec::new(), false),
    };
    let scope = Scope::new(host.clone(), &suffixes);
    if is_file {
        report.file = Some(Judgement::fetched(&bytes, &url, &scope, now));
    }
    let claims = report.file.as_ref().filter(|_| probe).into_iter();
    for endpoint in claims.flat_map(|file| file.reading().claims()) {
        let observed = wait(observe(&fetcher, endpoint, now))?;
        report.observed.push(observed);
    }
    if json {
        console.json(&json::json(&report));
    } else {
        console.text(&human::human(&report));
    }
    Ok(match &report.file {
        Some(file) => Outcome::from_bool(file.reading().is_valid() && report.withheld.is_none()),
        None if report.outcome == "absent" => Outcome::True,
        None => Outcome::Unknown,
    })
}

/// What came of it.
struct Report<'r> {
    host: &'r Host,
    url: &'r str,
    /// As reports write it.
    outcome: &'static str,
    /// What was seen, in words.
    why: &'r str,
    /// Why its claims do not count, if so.
    withheld: Option<Code>,
    file: Option<Judgement<'r>>,
    observed: Vec<Observed>,
}

/// The words of `captxt.fetch.outcome`. Nothing is held, so that nothing is confirmed.
fn word(outcome: &Fetched<Vec<u8>>) -> &'static str {
    match outcome {
        Fetched::File { .. } => "file",
        Fetched::Absent => "absent",
        Fetched::Refused | Fetched::Confirmed => "refused",
        Fetched::Failed => "failed",
    }
}

/// A server that a file declares, and what one observation of it came to.
struct Observed {
    url: String,
    declared_sign_in: Option<String>,
    found: Result<Observation, String>,
}

/// The host of a server, and where its file is: for one of this machine on the port that was given.
fn asked(server: &str, allow_loopback: bool) -> Result<(Host, String), CheckError> {
    let wrong = || CheckError::Server {
        value: server.to_owned(),
    };
    if allow_loopback && let Ok(origin) = Origin::loopback(server.trim_end_matches('/')) {
        let host = Host::from_written(origin.host()).map_err(|_| wrong())?;
        return Ok((host, format!("{origin}/.well-known/capabilities.txt")));
    }
    let host = match Url::parse(server) {
        Ok(url) if url.scheme() == "https" => url.host_str().map(Host::from_written),
        Ok(_) => None,
        Err(_) => Some(Host::from_written(server)),
    };
    let host = host.and_then(Result::ok).ok_or_else(wrong)?;
    let url = location(&host);
    Ok((host, url))
}

/// Section 11.7 of the text.
async fn fetch(
    fetcher: &Fetcher,
    url: &str,
    host: &Host,
    suffixes: &PublicSuffixes,
    timeout: Duration,
) -> Seen {
    let limits = Limits {
        connect: timeout,
        head: timeout,
        idle: timeout,
        total: timeout,
        response_bytes: u64::try_from(SCAN_MAX_BYTES).unwrap_or(u64::MAX),
        ..Limits::default()
    };
    let redirects = Redirects::Https {
        limit: u8::try_from(REDIRECTS_MAX).unwrap_or(u8::MAX),
    };
    let request = Request::get(url).gzip().redirects(redirects).limits(limits);
    match fetcher.send(request).await {
        Ok(response) => read(response, host, suffixes).await,
        Err(error) => Seen {
            outcome: match error.class() {
                Class::Redirect => Fetched::Refused,
                _ => Fetched::Failed,
            },
            why: error.to_string(),
        },
    }
}

async fn read(response: Response, asked: &Host, suffixes: &PublicSuffixes) -> Seen {
    let status = response.status().as_u16();
    let from = response
        .url()
        .host_str()
        .and_then(|host| Host::from_written(host).ok());
    let content_type = only_value(response.headers(), &CONTENT_TYPE).map(str::to_owned);
    let why = format!(
        "status {status}, {}, from {}",
        content_type.as_deref().unwrap_or("no content type"),
        response.shown_url()
    );
    // Only of a 200 the body counts, and has to be whole up to the limit: `captxt.fetch.limit`.
    let body = match status {
        200 => response.prefix().await,
        _ => Ok(Vec::new()),
    };
    let outcome = match (body, from) {
        (Ok(body), Some(from)) => {
            let answer = Answer {
                status,
                content_type: content_type.as_deref(),
                host: &from,
                conditional: false,
            };
            Fetched::of_answer(&answer, asked, suffixes, body)
        }
        (Err(error), _) => {
            return Seen {
                outcome: Fetched::Failed,
                why: error.to_string(),
            };
        }
        (Ok(_), None) => Fetched::Failed,
    };
    Seen { outcome, why }
}

/// One observation of a server that a file declares.
async fn observe(fetcher: &Fetcher, endpoint: &Endpoint, now: Time) -> Observed {
    let server = endpoint
        .url
        .server_url()
        .filter(|_| endpoint.protocol.as_str() == "mcp");
    let found = match server.and_then(|server| Target::server(server).ok()) {
        None => Err("no server of the Model Context Protocol".to_owned()),
        Some(target) => {
            let options = Options::new(env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"));
            let probed = mcp_observation::probe(fetcher, &target, &options, now).await;
            probed.map_err(|error| Error::clone(&error.0).to_string())
        }
    };
    Observed {
        url: endpoint.url.as_str().to_owned(),
        declared_sign_in: endpoint.sign_in.as_ref().map(ToString::to_string),
        found,
    }
}
