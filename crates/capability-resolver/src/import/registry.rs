//! Listings of an MCP registry, API version 0.1: `{"servers":[{"server":{...},"_meta":{...}}],"metadata":{"nextCursor"}}`.

use serde::Deserialize;
use serde_json::value::RawValue;
use url::Url;

use super::{
    DESCRIPTION_MAX_CHARACTERS, Fault, Import, ImportError, NAME_MAX_CHARACTERS, Where, clean,
};
use crate::store::{Claim, Entry, EntryState, SourceKind};

#[derive(Deserialize)]
struct Page<'a> {
    #[serde(borrow)]
    servers: Vec<&'a RawValue>,
    metadata: Option<Metadata>,
}

#[derive(Deserialize)]
struct Metadata {
    #[serde(rename = "nextCursor")]
    next_cursor: Option<String>,
}

#[derive(Deserialize)]
struct Item {
    server: Server,
    #[serde(rename = "_meta")]
    meta: Option<Meta>,
}

#[derive(Deserialize)]
struct Server {
    name: String,
    title: Option<String>,
    description: Option<String>,
    remotes: Option<Vec<Remote>>,
}

#[derive(Deserialize)]
struct Remote {
    #[serde(rename = "type")]
    transport: Option<String>,
    url: Option<String>,
}

#[derive(Deserialize)]
struct Meta {
    #[serde(rename = "io.modelcontextprotocol.registry/official")]
    official: Option<Official>,
}

#[derive(Deserialize)]
struct Official {
    status: Option<String>,
    #[serde(rename = "isLatest")]
    is_latest: Option<bool>,
}

/// The first page of what an operator named: the newest versions, a hundred a page, unless the URL says otherwise.
pub(super) fn first_page(url: &Url, kind: Option<SourceKind>) -> Url {
    let mut url = url.clone();
    let listing = kind == Some(SourceKind::Registry)
        || (kind.is_none() && url.path().ends_with("/v0.1/servers"));
    if listing && url.query().is_none() {
        url.set_query(Some("limit=100&version=latest"));
    }
    url
}

/// The page that a cursor names.
pub(super) fn next_page(first: &Url, cursor: &str) -> Url {
    let mut url = first.clone();
    let kept: Vec<(String, String)> = first
        .query_pairs()
        .filter(|(name, _)| name != "cursor")
        .map(|(name, value)| (name.into(), value.into()))
        .collect();
    url.query_pairs_mut()
        .clear()
        .extend_pairs(kept)
        .append_pair("cursor", cursor);
    url
}

/// Takes a page and says which cursor names the next one. A page that is no listing ends the import.
pub(super) fn page(
    import: &mut Import<'_>,
    document: &[u8],
    number: Option<u32>,
) -> Result<Option<String>, ImportError> {
    let page: Page<'_> =
        serde_json::from_slice(document).map_err(|error| ImportError::NotUnderstood {
            name: import.source.name.clone(),
            found: format!("no listing of a registry: {error}"),
        })?;
    for (at, raw) in page.servers.iter().enumerate() {
        import.report.entries += 1;
        item(import, raw, at, number)?;
    }
    Ok(page
        .metadata
        .and_then(|metadata| metadata.next_cursor)
        .filter(|cursor| !cursor.is_empty()))
}

fn item(
    import: &mut Import<'_>,
    raw: &RawValue,
    at: usize,
    page: Option<u32>,
) -> Result<(), ImportError> {
    let name = import.source.name.clone();
    let fault = |code, message: String, pointer: String| Fault {
        code,
        message,
        at: Where::Pointer {
            name: name.clone(),
            page,
            pointer,
        },
    };
    let Item { server, meta } = match serde_json::from_str(raw.get()) {
        Ok(item) => item,
        Err(error) => {
            let words = error.to_string();
            let words = words.split(" at line ").next().unwrap_or_default();
            let message = format!("not an entry of a registry: {words}");
            import.refuse(fault("entry-form", message, format!("/servers/{at}")));
            return Ok(());
        }
    };
    let official = meta.and_then(|meta| meta.official);
    if official.as_ref().and_then(|official| official.is_latest) == Some(false) {
        import.report.older_versions += 1;
        return Ok(());
    }
    let state = match official.and_then(|official| official.status) {
        None => EntryState::Active,
        Some(word) => match EntryState::from_word(&word) {
            Some(state) => state,
            None => {
                let message =
                    format!("the status {word:?} is none of active, deprecated and deleted");
                let pointer = format!(
                    "/servers/{at}/_meta/io.modelcontextprotocol.registry~1official/status"
                );
                import.refuse(fault("entry-status", message, pointer));
                return Ok(());
            }
        },
    };
    let Some(key) = clean(&server.name, NAME_MAX_CHARACTERS) else {
        import.refuse(fault(
            "entry-form",
            "the name is empty".to_owned(),
            format!("/servers/{at}/server/name"),
        ));
        return Ok(());
    };
    let mut urls = Vec::new();
    for (nth, remote) in server.remotes.iter().flatten().enumerate() {
        let Remote {
            transport: Some(transport),
            url: Some(written),
        } = remote
        else {
            continue;
        };
        if !matches!(transport.as_str(), "streamable-http" | "sse") {
            continue;
        }
        match import.url(written) {
            Ok(url) if urls.contains(&url) => {}
            Ok(url) => urls.push(url),
            Err((code, message)) => {
                import.refuse(fault(
                    code,
                    message,
                    format!("/servers/{at}/server/remotes/{nth}/url"),
                ));
            }
        }
    }
    if urls.is_empty() {
        import.report.without_url += 1;
    }
    // Also without a URL: what this entry named before, it names no more.
    let title = server
        .title
        .and_then(|title| clean(&title, NAME_MAX_CHARACTERS));
    import.push(Entry::Server(Claim {
        name: title.or_else(|| Some(key.clone())),
        key,
        urls,
        description: server
            .description
            .and_then(|text| clean(&text, DESCRIPTION_MAX_CHARACTERS)),
        state,
        tools: Vec::new(),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_asked_for_by_cursor() {
        let registry: Url = "https://registry.example/v0.1/servers".parse().unwrap();
        let first = first_page(&registry, None);
        assert_eq!(
            first.as_str(),
            "https://registry.example/v0.1/servers?limit=100&version=latest"
        );
        let second = next_page(&first, "a/b:1 &c");
        assert_eq!(
            second.query(),
            Some("limit=100&version=latest&cursor=a%2Fb%3A1+%26c")
        );
        assert_eq!(
            next_page(&second, "d").query(),
            Some("limit=100&version=latest&cursor=d")
        );
        let own: Url = "https://registry.example/list?x=1".parse().unwrap();
        assert_eq!(first_page(&own, Some(SourceKind::Registry)), own);
    }
}
