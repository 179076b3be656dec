//! `capability-resolution-check --server URL`: the server file of a host, read as a resolver reads it.

use std::time::Duration;

use capabilities_txt::fetch::{Answer, Outcome as Fetched, location};
use capabilities_txt::limits::{REDIRECTS_MAX, SCAN_MAX_BYTES};
use capabilities_txt::{Endpoint, PublicSuffixes, Scope};
use capability_resolution::{Host, Origin, Time};
use command_console::style::{BOLD, DOUBT};
use command_console::{Console, Failure, Outcome};
use guarded_fetch::{Class, Error, Fetcher, Limits, Redirects, Request, Response, header};
use mcp_observation::{Options, Target};
use url::Url;

use super::file;
use crate::error::CheckError;
use crate::input;
use crate::network::{Network, wait};

/// What a fetch came to, and in words what was seen.
struct Seen {
    outcome: Fetched<Vec<u8>>,
    why: String,
}

pub(super) fn run(
    server: &str,
    probe: bool,
    network: &Network,
    console: &mut Console,
) -> Result<Outcome, Failure> {
    let (host, url) = asked(server, network.allow_loopback)?;
    let suffixes = PublicSuffixes::compiled_in();
    let fetcher = network.fetcher()?;
    let timeout = Duration::from_secs(network.timeout);
    let seen = wait(fetch(&fetcher, &url, &host, &suffixes, timeout))?;
    let (now, _) = input::now(None)?;
    let (bytes, withheld) = match seen.outcome {
        Fetched::File { file, withheld } => (file, withheld),
        Fetched::Absent => {
            console.data(format_args!(
                "{BOLD}{url} is not there{BOLD:#} ({}): nothing is claimed, and every resolver may list the servers of {host}",
                seen.why
            ));
            return Ok(Outcome::True);
        }
        Fetched::Refused | Fetched::Confirmed => {
            console.data(format_args!(
                "{DOUBT}{url} is not given out{DOUBT:#} ({}): nothing is claimed, and what a resolver read there before \
                 still holds (rule captxt.fetch.outcome)",
                seen.why
            ));
            return Ok(Outcome::Unknown);
        }
        Fetched::Failed => {
            console.data(format_args!(
                "{DOUBT}{url} cannot be read{DOUBT:#} ({}): a resolver goes on with what it read before (rule \
                 captxt.fetch.outcome)",
                seen.why
            ));
            return Ok(Outcome::Unknown);
        }
    };
    let scope = Scope::new(host, &suffixes);
    let (text, is_valid) = file::show(&bytes, &url, &scope, now);
    console.text(&text);
    if let Some(code) = withheld {
        console.data(format_args!(
            "\n{DOUBT}No resolver uses what it says about servers{DOUBT:#}: {} ({}). What it forbids holds.",
            code.as_str(),
            seen.why
        ));
    }
    if probe {
        let reading = capabilities_txt::read(&bytes, &scope, now);
        console.data(format_args!("\n{BOLD}what was observed{BOLD:#}"));
        for endpoint in reading.claims() {
            console.data(format_args!(
                "  {}",
                wait(observe(&fetcher, endpoint, now))?
            ));
        }
    }
    Ok(Outcome::from_bool(is_valid && withheld.is_none()))
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
    let mut types = response.headers().get_all(header::CONTENT_TYPE).iter();
    let content_type = match (types.next(), types.next()) {
        (Some(only), None) => only.to_str().ok().map(str::to_owned),
        _ => None,
    };
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

/// One observation of a server that a file declares, beside what the file says of it.
async fn observe(fetcher: &Fetcher, endpoint: &Endpoint, now: Time) -> String {
    let url = endpoint.url.as_str();
    let said = endpoint
        .sign_in
        .as_ref()
        .map_or("not said".to_owned(), ToString::to_string);
    let server = endpoint
        .url
        .server_url()
        .filter(|_| endpoint.protocol.as_str() == "mcp");
    let target = server.and_then(|server| Target::server(server).ok());
    let Some(target) = target else {
        return format!("{url}  not observed: no server of the Model Context Protocol");
    };
    let options = Options::new(env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"));
    match mcp_observation::probe(fetcher, &target, &options, now).await {
        Ok(observation) => {
            let findings = &observation.findings;
            let handshake = findings
                .handshake_ms
                .map_or(String::new(), |ms| format!(", handshake {ms} ms"));
            let tools = match findings.tools.len() {
                0 => String::new(),
                count => format!(", {count} tools"),
            };
            format!(
                "{url}  {}{handshake}{tools}, at {} (declared: sign-in {said})",
                findings.outcome, observation.ended
            )
        }
        Err(error) => format!("{url}  not observed: {}", Error::clone(&error.0)),
    }
}
