//! The tables of sections 15.1.3 and 15.1.4, one function each: from an answer to what is next.
//!
//! Each row of the text is one row here, in the same order, with the words of the text beside it. The first that
//! matches counts.

use crate::answer::{Answer, Content};
use crate::json;
use crate::outcome::{FailureClass, Outcome, Reason};
use crate::revision::{Revision, Revisions};

/// What a row says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Next {
    /// Step 2.
    ModernTools,
    /// Step 3.
    Initialize,
    /// What follows a result of step 3.
    Session(Revision),
    /// Step 4.
    Stream,
    /// What follows an event `endpoint`, with its data.
    Endpoint(String),
    /// The observation is settled.
    End(Outcome),
}

use Next::{End, Endpoint, Initialize, ModernTools, Session, Stream};

const SIGN_IN: Next = End(Outcome::SignIn);

const fn unknown(reason: Reason) -> Next {
    End(Outcome::Unknown(reason))
}

const fn failure(class: FailureClass) -> Next {
    End(Outcome::Failure(class))
}

const METHOD_NOT_FOUND: i64 = -32601;
const HEADER_MISMATCH: i64 = -32020;
const MISSING_CLIENT_CAPABILITY: i64 = -32021;
const UNSUPPORTED_VERSION: i64 = -32022;

/// Step 1: `mcp.step.discover`.
pub(crate) fn discover(answer: &Answer) -> Next {
    if let Some(result) = answer.result() {
        let members = json::members(result, ["supportedVersions", "capabilities"]);
        let [versions, capabilities] = members.ok().flatten().unwrap_or_default();
        let versions = versions.map(Revisions::read).unwrap_or_default();
        let no_tools = || {
            let members = capabilities.and_then(|c| json::members(c.get(), ["tools"]).ok()?);
            matches!(members, Some([None]))
        };
        match versions {
            // a JSON-RPC result whose `supportedVersions` is an array of strings with 2026-07-28
            Revisions {
                well_formed: true,
                modern: true,
                ..
            } if no_tools() => {
                return unknown(Reason::NoTools);
            }
            Revisions {
                well_formed: true,
                modern: true,
                ..
            } => return ModernTools,
            // ... an array of strings with a revision of step 3
            Revisions {
                well_formed: true,
                legacy: true,
                ..
            } => return Initialize,
            // ... another array of strings
            Revisions {
                well_formed: true, ..
            } => return unknown(Reason::Version),
            Revisions {
                well_formed: false, ..
            } => {}
        }
    }
    if let Some(error) = answer.error() {
        match error.code {
            // error -32022 whose `data.supported` holds 2026-07-28
            UNSUPPORTED_VERSION if error.supported.modern => return ModernTools,
            // ... holds a revision of step 3
            UNSUPPORTED_VERSION if error.supported.legacy => return Initialize,
            // error -32022 otherwise
            UNSUPPORTED_VERSION => return unknown(Reason::Version),
            // error -32020 or -32021
            HEADER_MISMATCH | MISSING_CLIENT_CAPABILITY => return ModernTools,
            // status 404 with an error -32601
            METHOD_NOT_FOUND if answer.status() == Some(404) => return ModernTools,
            _ => {}
        }
    }
    match answer {
        // status 401 with a `WWW-Authenticate` header, and a body in which the characters `-32601` do not occur
        _ if answer.status() == Some(401)
            && answer.has_challenge()
            && !answer.mentions_method_not_found() =>
        {
            SIGN_IN
        }
        // status 401 otherwise
        _ if answer.status() == Some(401) => Initialize,
        // status 403 with a `WWW-Authenticate` header
        _ if answer.asks_to_sign_in() => SIGN_IN,
        // status 402; 403 or 421; 429; a redirect that is not followed
        _ if let Some(end) = as_in_step_1(answer) => end,
        // no connection: name, address, TLS
        Answer::NoConnection => failure(FailureClass::Connection),
        // no response headers or no complete answer in time, and anything else
        _ => Initialize,
    }
}

/// Step 2: `mcp.step.modern-tools`.
pub(crate) fn modern_tools(answer: &Answer, step_1_gave_a_result: bool) -> Next {
    if let Some(result) = answer.result() {
        let members = json::members(result, ["resultType", "tools"]);
        let [result_type, tools] = members.ok().flatten().unwrap_or_default();
        return match json::value::<String>(result_type).as_deref() {
            // a result with `resultType` `complete` and an array `tools`
            Some("complete") if is_array(tools) => End(Outcome::Ok),
            // ... `input_required`
            Some("input_required") => unknown(Reason::InputRequired),
            // ... `complete` and no array `tools`; it comes last in the text, and no row between matches it
            Some("complete") => failure(FailureClass::NotMcp),
            // ... with another or no `resultType`
            _ => unknown(Reason::Protocol),
        };
    }
    match answer.error() {
        // status 401, or 403 with `WWW-Authenticate`
        _ if answer.asks_to_sign_in() => SIGN_IN,
        // an error -32601, if step 1 gave no result
        Some(error) if error.code == METHOD_NOT_FOUND && !step_1_gave_a_result => Initialize,
        // status 402, 403, 421, 429, or a redirect that is not followed; a JSON-RPC error; anything else
        _ => rest(answer),
    }
}

/// Step 3: `mcp.step.initialize`.
pub(crate) fn initialize(answer: &Answer, step_2_was_done: bool) -> Next {
    if let Some(result) = answer.result() {
        let members = json::members(result, ["protocolVersion"]);
        let [version] = members.ok().flatten().unwrap_or_default();
        if let Some(version) = json::value::<String>(version) {
            // a result whose `protocolVersion` is one of the five; a result with another
            return Revision::legacy(&version).map_or(unknown(Reason::Version), Session);
        }
    }
    match (answer.error(), answer.status()) {
        (Some(error), _) if error.code == UNSUPPORTED_VERSION => {
            // error -32022 whose `data.supported` holds 2026-07-28, if step 2 was not done; error -32022 otherwise
            if error.supported.modern && !step_2_was_done {
                ModernTools
            } else {
                unknown(Reason::Version)
            }
        }
        // status 401, or 403 with `WWW-Authenticate`
        _ if answer.asks_to_sign_in() => SIGN_IN,
        // status 402, 403, 421, 429, or a redirect that is not followed: no row after it matches these
        // status 400, 404 or 405
        (_, Some(400 | 404 | 405)) => Stream,
        // a JSON-RPC error; anything else
        _ => rest(answer),
    }
}

/// After a result of step 3: `mcp.step.legacy-tools`, the answer to `tools/list`.
pub(crate) fn legacy_tools(answer: &Answer) -> Next {
    if let Some(result) = answer.result() {
        let members = json::members(result, ["tools"]);
        let [tools] = members.ok().flatten().unwrap_or_default();
        // a result with an array `tools`; a result without one
        return if is_array(tools) {
            End(Outcome::Ok)
        } else {
            failure(FailureClass::NotMcp)
        };
    }
    if answer.asks_to_sign_in() {
        // status 401, or 403 with `WWW-Authenticate`
        SIGN_IN
    } else {
        // status 402, 403, 421, 429, or a redirect that is not followed; a JSON-RPC error; anything else
        rest(answer)
    }
}

/// Step 4: `mcp.step.sse`, the answer to GET.
pub(crate) fn stream(answer: &Answer, step_3_held_an_error: bool) -> Next {
    if let Some(Content::Endpoint(data)) = answer.content() {
        return Endpoint(data.clone());
    }
    match answer {
        _ if answer.asks_to_sign_in() => SIGN_IN,
        _ if let Some(end) = as_in_step_1(answer) => end,
        Answer::NoConnection => failure(FailureClass::Connection),
        _ if matches!(answer.status(), Some(500..=599)) => other(answer),
        _ if step_3_held_an_error => unknown(Reason::Error),
        _ => failure(FailureClass::NotMcp),
    }
}

/// Step 4: `mcp.step.sse`, the answer to a POST, where the tables of steps 1 to 3 know three statuses otherwise.
pub(crate) fn on_stream(answer: &Answer, table: impl FnOnce(&Answer) -> Next) -> Next {
    match answer.status() {
        Some(400 | 404 | 405) => unknown(Reason::Protocol),
        _ => table(answer),
    }
}

/// The last rows of steps 2 and 3 and of the list after it.
fn rest(answer: &Answer) -> Next {
    match as_in_step_1(answer) {
        Some(end) => end,
        None if answer.error().is_some() => unknown(Reason::Error),
        None => other(answer),
    }
}

/// The rows of step 1 to which the other steps refer.
fn as_in_step_1(answer: &Answer) -> Option<Next> {
    match answer.status()? {
        402 => Some(unknown(Reason::PaymentRequired)),
        403 | 421 => Some(unknown(Reason::Blocked)),
        429 => Some(unknown(Reason::RateLimited)),
        // What `mcp.redirect` follows does not come to a table.
        301..=303 | 307 | 308 => Some(unknown(Reason::Redirect)),
        _ => None,
    }
}

/// `mcp.answer.other`.
fn other(answer: &Answer) -> Next {
    match (answer, answer.content()) {
        // no connection, TLS failure
        (Answer::NoConnection, _) => failure(FailureClass::Connection),
        // no complete answer in time
        (Answer::Late, _) | (_, Some(Content::Late)) => failure(FailureClass::Timeout),
        // status 500 to 599
        _ if matches!(answer.status(), Some(500..=599)) => failure(FailureClass::ServerError),
        // status 404 or 410
        _ if matches!(answer.status(), Some(404 | 410)) => failure(FailureClass::Gone),
        // a body shorter than announced, a stream that ends without the response, a body over the limit
        (_, Some(Content::Broken)) => unknown(Reason::Protocol),
        // a body that is empty or not JSON
        (_, Some(Content::NotJson)) => failure(FailureClass::NotMcp),
        // any other
        _ => unknown(Reason::Protocol),
    }
}

fn is_array(value: Option<&serde_json::value::RawValue>) -> bool {
    value.is_some_and(|value| value.get().starts_with('['))
}
