//! HTTP messages and the JSON in them.

use jiff::Timestamp;
use serde_json::Value;

use crate::grammar::Grammar;
use crate::{Blocks, ensure, json, token};

/// What HTTP, JSON-RPC and MCP define, and this text only shows.
const DEFINED_ELSEWHERE: [&str; 8] = [
    "Host",
    "jsonrpc",
    "method",
    "result",
    "description",
    "inputSchema",
    "ttlMs",
    "cacheScope",
];

/// A request with one Host field, and a JSON body or none.
pub(crate) fn check_request(block: &str, blocks: &Blocks) -> Result<(), String> {
    let (head, body) = split(block)?;
    let mut fields = [httparse::EMPTY_HEADER; 32];
    let mut request = httparse::Request::new(&mut fields);
    let status = request
        .parse(head.as_bytes())
        .map_err(|error| error.to_string())?;
    ensure(status.is_complete(), "the head does not end")?;
    ensure(request.version == Some(1), "not HTTP/1.1")?;
    ensure(
        request.path.is_some_and(|path| path.starts_with('/')),
        "no path",
    )?;
    let hosts = request
        .headers
        .iter()
        .filter(|field| field.name.eq_ignore_ascii_case("host"))
        .count();
    ensure(
        hosts == 1,
        format!("expected one Host field, found {hosts}"),
    )?;
    ensure(
        (request.method == Some("GET")) == body.is_empty(),
        "a GET has no body, another request has one",
    )?;
    check_fields(request.headers, blocks)?;
    let Some(body) = check_body(request.headers, body)? else {
        return Ok(());
    };
    check_members(&body, blocks)?;
    // r[mcp.modern.headers]: these fields repeat what the body says.
    let version = &body["params"]["_meta"]["io.modelcontextprotocol/protocolVersion"];
    for (name, said) in [
        ("Mcp-Method", &body["method"]),
        ("MCP-Protocol-Version", version),
    ] {
        let field = request
            .headers
            .iter()
            .find(|field| field.name == name)
            .map(|field| field.value);
        ensure(
            field == said.as_str().map(str::as_bytes),
            format!("{name} does not repeat {said}"),
        )?;
    }
    Ok(())
}

/// A response whose body, if it is JSON, agrees with itself, the key and the grammar of server URLs.
pub(crate) fn check_response(block: &str, key: &str, blocks: &Blocks) -> Result<(), String> {
    let (head, body) = split(block)?;
    let mut fields = [httparse::EMPTY_HEADER; 32];
    let mut response = httparse::Response::new(&mut fields);
    let status = response
        .parse(head.as_bytes())
        .map_err(|error| error.to_string())?;
    ensure(status.is_complete(), "the head does not end")?;
    ensure(response.version == Some(1), "not HTTP/1.1")?;
    check_fields(response.headers, blocks)?;
    let body = check_body(response.headers, body)?.ok_or("the response has no body")?;
    check_members(&body, blocks)?;
    if let Some(said) = body.get("status").and_then(Value::as_u64) {
        ensure(
            response.code.map(u64::from) == Some(said),
            format!("the status line does not say {said}"),
        )?;
    }
    let urls = Grammar::parse(blocks.get("server-url-grammar")?)?;
    check_value(
        &body,
        &Context {
            issuer: body.get("iss"),
            key,
            urls: &urls,
            rules: &blocks.rules,
        },
    )
}

/// Head and body; the text writes the line ends of the head as LF, HTTP has CR LF.
fn split(block: &str) -> Result<(String, &str), String> {
    let (head, body) = block
        .split_once("\n\n")
        .unwrap_or((block.trim_end_matches('\n'), ""));
    ensure(!head.contains('\r'), "a line ends with CR LF")?;
    Ok((format!("{}\r\n\r\n", head.replace('\n', "\r\n")), body))
}

fn check_body(fields: &[httparse::Header<'_>], body: &str) -> Result<Option<Value>, String> {
    let media_type = fields
        .iter()
        .find(|field| field.name.eq_ignore_ascii_case("content-type"));
    ensure(
        media_type.is_none() == body.is_empty(),
        "Content-Type and body do not go together",
    )?;
    let Some(media_type) = media_type else {
        return Ok(None);
    };
    ensure(
        media_type.value.ends_with(b"json"),
        "the body is not JSON: add a check for its type",
    )?;
    json::parse(body).map(Some)
}

fn check_fields(fields: &[httparse::Header<'_>], blocks: &Blocks) -> Result<(), String> {
    fields
        .iter()
        .try_for_each(|field| check_name(field.name, blocks))
}

/// The text names every member, and every status and code.
fn check_members(value: &Value, blocks: &Blocks) -> Result<(), String> {
    match value {
        Value::Array(values) => values
            .iter()
            .try_for_each(|value| check_members(value, blocks)),
        Value::Object(members) => members.iter().try_for_each(|(name, value)| {
            check_name(name, blocks)?;
            if let ("status" | "code", Some(word)) = (name.as_str(), value.as_str()) {
                ensure(
                    blocks.code.iter().any(|code| code == word),
                    format!("the text does not know the {name} {word}"),
                )?;
            }
            check_members(value, blocks)
        }),
        _ => Ok(()),
    }
}

fn check_name(name: &str, blocks: &Blocks) -> Result<(), String> {
    let is_known = DEFINED_ELSEWHERE.contains(&name) || blocks.names(name);
    ensure(is_known, format!("the text does not name {name}"))
}

struct Context<'a> {
    issuer: Option<&'a Value>,
    key: &'a str,
    urls: &'a Grammar,
    rules: &'a [String],
}

fn check_value(value: &Value, context: &Context<'_>) -> Result<(), String> {
    match value {
        Value::Array(values) => values
            .iter()
            .try_for_each(|value| check_value(value, context)),
        Value::Object(members) => {
            if let Some(jws) = members.get("jws") {
                check_statement(value, jws.as_str().ok_or("jws is no string")?, context)?;
            }
            if members.contains_key("kty") {
                let key = json::parse(context.key)?;
                ensure(
                    *value == key,
                    format!("expected the key {key}, found {value}"),
                )?;
            }
            if let Some(rule) = members.get("rule").and_then(Value::as_str) {
                ensure(
                    context.rules.iter().any(|id| id == rule),
                    format!("no rule has the id {rule}"),
                )?;
            }
            members
                .values()
                .try_for_each(|value| check_value(value, context))
        }
        _ => Ok(()),
    }
}

/// A token, and the members beside it that copy its claims.
fn check_statement(beside: &Value, jws: &str, context: &Context<'_>) -> Result<(), String> {
    let claims = token::verify(jws, context.key)?;
    ensure(
        claims.get("iss") == context.issuer,
        "the token has another issuer than the answer",
    )?;
    for name in ["url", "status", "checked_at", "name", "first_seen"] {
        let (copy, claim) = (beside.get(name), claims.get(name));
        ensure(
            copy == claim,
            format!("{name}: the token says {claim:?}, beside it stands {copy:?}"),
        )?;
    }
    let seconds = |value: &Value| {
        let text = value.as_str().ok_or("no time")?;
        text.parse::<Timestamp>()
            .map(Timestamp::as_second)
            .map_err(|error| error.to_string())
    };
    let (iat, exp) = (claims["iat"].as_i64(), claims["exp"].as_i64());
    ensure(
        Some(seconds(&beside["expires"])?) == exp,
        "expires is not exp",
    )?;
    let (iat, exp) = iat.zip(exp).ok_or("no iat")?;
    // r[token.exp.after-iat], r[token.exp.max-life], r[token.checked-at.future]
    ensure(
        iat < exp && exp - iat <= 172_800,
        format!("a life from {iat} to {exp}"),
    )?;
    ensure(
        seconds(&claims["checked_at"])? <= iat,
        "issued before it was checked",
    )?;
    let url = claims["url"].as_str().ok_or("no url")?;
    ensure(
        context.urls.matches("server-url", url)?,
        format!("{url} is no server URL"),
    )
}
