//! What one observation of a server came to: section 8.2 and 15.1 of the text.

use capability_resolution::Time;
pub use mcp_observation::{FailureClass, Outcome, Reason, Start};
use serde::{Deserialize, Serialize};

/// One observation. It is kept as it is, and never changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Observed {
    /// When its first request was sent.
    pub started_at: Time,
    /// When it ended: the `checked_at` of a status that rests on it (`status.checked-at`).
    pub ended_at: Time,
    /// What it came to.
    pub outcome: Outcome,
    /// The step of the procedure that it began with.
    pub began_with: Start,
    /// The step that led to `ok` or `sign_in`, and with which the next one may begin: `mcp.era-cache`.
    pub led_by: Option<Start>,
    /// `mcp.handshake`, in milliseconds; for [`Outcome::Ok`] and [`Outcome::SignIn`].
    pub handshake_ms: Option<u32>,
    /// How many HTTP requests were sent: `mcp.request.count`.
    pub requests: u32,
    /// `Retry-After` of a 429 or 503, in seconds.
    pub retry_after: Option<u32>,
    /// The tools that it listed; for [`Outcome::Ok`].
    pub tools: Option<Vec<Tool>>,
}

/// A tool as a server lists it or a source claims it, without control characters and unsafe ones: `mcp.tools.unsafe`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tool {
    /// Its name.
    pub name: String,
    /// What it says of itself; empty if it says nothing.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// `mcp.tools.read-only`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub read_only: bool,
}
