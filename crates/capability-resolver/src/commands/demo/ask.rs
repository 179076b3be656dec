//! Asking as a client does: over the network, and with every token verified.

use capability_resolution::limits::{ANSWER_MAX_BYTES, DISCOVERY_MAX_BYTES};
use capability_resolution::{Answer, Discovery, Origin};
use command_console::Console;
use command_console::style::{BOLD, DIM};
use guarded_fetch::{Fetcher, Request};
use url::form_urlencoded;

use crate::clock;
use crate::discovery::DISCOVERY_PATH;

/// The answer to a need, or in words what is wrong with it.
pub(super) async fn ask(fetcher: &Fetcher, issuer: &Origin, need: &str) -> Result<Answer, String> {
    let document = get(
        fetcher,
        format!("{issuer}{DISCOVERY_PATH}"),
        DISCOVERY_MAX_BYTES,
    )
    .await?;
    let discovery = Discovery::read(&document, issuer).map_err(|refusal| refusal.to_string())?;
    let query = form_urlencoded::Serializer::new(String::new())
        .append_pair("need", need)
        .finish();
    let url = format!("{}?{query}", discovery.resolve());
    let answer = get(fetcher, url, ANSWER_MAX_BYTES).await?;
    Answer::read(&answer, &discovery, clock::now()).map_err(|refusal| refusal.to_string())
}

async fn get(fetcher: &Fetcher, url: String, limit: usize) -> Result<Vec<u8>, String> {
    let limit = u64::try_from(limit).unwrap_or(u64::MAX);
    let request = Request::get(url).response_bytes(limit);
    let response = fetcher
        .send(request)
        .await
        .map_err(|error| error.to_string())?;
    let status = response.status();
    if status != axum::http::StatusCode::OK {
        return Err(format!("status {status}"));
    }
    response.bytes().await.map_err(|error| error.to_string())
}

/// What a client knows after verifying, and from the tokens alone.
pub(super) fn show(answer: &Answer, need: &str, console: &mut Console) {
    console.data(format_args!("\n{BOLD}who can {need}?{BOLD:#}"));
    for candidate in &answer.candidates {
        let claims = candidate.token.claims();
        let (status, url) = (claims.status.as_str(), &claims.url);
        console.data(format_args!("  {status:8}  {url}"));
        console.data(format_args!(
            "  {DIM}          looked at {}, holds until {}; the signature verifies{DIM:#}",
            claims.checked_at, claims.expires
        ));
    }
    let dropped = answer.dropped.len();
    if dropped > 0 {
        console.data(format_args!(
            "  {dropped} whose signature does not verify were dropped"
        ));
    }
}
