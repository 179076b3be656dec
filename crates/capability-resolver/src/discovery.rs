//! The discovery document: section 4 of the text.

use capability_resolution::{Origin, VERSION};
use serde::Serialize;

use crate::key::PublicJwk;

/// Where the document is served: `discovery.path`.
pub const DISCOVERY_PATH: &str = "/.well-known/capability-resolver";
/// The endpoint that answers needs.
pub const RESOLVE_PATH: &str = "/resolve";
/// The endpoint that answers for one server.
pub const RECORD_PATH: &str = "/record";
/// The endpoint of the Model Context Protocol.
pub const MCP_PATH: &str = "/mcp";
/// The policy.
pub const POLICY_PATH: &str = "/policy";
/// The changelog.
pub const CHANGELOG_PATH: &str = "/changelog";

/// Who a resolver is, as far as it says so.
#[derive(Debug, Clone)]
pub struct Identity {
    /// The issuer: `discovery.iss`.
    pub issuer: Origin,
    /// The name for people: `discovery.name`.
    pub name: String,
}

/// `discovery.members`
#[derive(Serialize)]
struct Document<'a> {
    v: &'static str,
    iss: &'a str,
    resolver: &'a str,
    endpoints: Endpoints,
    keys: &'a [PublicJwk],
    policy: String,
    changelog: String,
}

#[derive(Serialize)]
struct Endpoints {
    resolve: String,
    record: String,
    mcp: String,
}

/// The document that publishes these keys.
#[must_use]
pub fn document(identity: &Identity, keys: &[PublicJwk]) -> Vec<u8> {
    let at = |path: &str| format!("{}{path}", identity.issuer);
    let document = Document {
        v: VERSION,
        iss: identity.issuer.as_str(),
        resolver: &identity.name,
        endpoints: Endpoints {
            resolve: at(RESOLVE_PATH),
            record: at(RECORD_PATH),
            mcp: at(MCP_PATH),
        },
        keys,
        policy: at(POLICY_PATH),
        changelog: at(CHANGELOG_PATH),
    };
    // Strings only: nothing of it can fail.
    serde_json::to_vec(&document).unwrap_or_default()
}
