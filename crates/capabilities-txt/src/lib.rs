//! The server file `/.well-known/capabilities.txt`: what a host's servers do, and which resolvers may list them.
//!
//! Two readers look at the same bytes. The strict reader, [`read`], yields claims and diagnostics; the deny reader,
//! [`allows`], answers for any bytes at all whether a resolver is allowed. There is no I/O and no clock in here: bytes,
//! the time, the host that the file was asked of and the Public Suffix List are arguments.
//!
//! ```
//! use capabilities_txt::{PublicSuffixes, Scope, Verdict, allows, read};
//! use capability_resolution::{Host, Origin, Time};
//!
//! let bytes = b"Conformance: Capability Resolution 0.2
//! Contact: mailto:tools@example.com
//! Expires: 2027-04-30T00:00:00Z
//! Resolvers: *, -https://unwanted.example
//!
//! Endpoint: https://mail.example.com/mcp
//! Protocol: mcp
//! Jobs: send a transactional email; look up a delivery status
//! ";
//! let scope = Scope::new(Host::from_written("example.com")?, &PublicSuffixes::compiled_in());
//! let now = Time::from_document("2026-11-30T12:00:00Z").ok_or("no time")?;
//!
//! let reading = read(bytes, &scope, now);
//! let file = reading.file().ok_or("not valid")?;
//! assert_eq!(file.endpoints()[0].jobs[1].as_str(), "look up a delivery status");
//!
//! let unwanted: Origin = "https://unwanted.example".parse()?;
//! assert_eq!(allows(bytes, &unwanted), Verdict::Denied);
//! // A damaged file still denies.
//! assert_eq!(allows("\u{feff}resolver = \u{2013}unwanted.example".as_bytes(), &unwanted), Verdict::Denied);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod code;
mod deny;
mod diagnostic;
mod explain;
pub mod fetch;
mod field;
mod file;
pub mod limits;
mod restriction;
mod scope;
mod strict;
mod write;

pub use code::{Code, Severity};
pub use deny::{Verdict, allows};
pub use diagnostic::Diagnostic;
pub use explain::Explanation;
pub use file::{
    Contact, Endpoint, EndpointUrl, Entry, Expires, Job, Jobs, Resolvers, ServerFile, ValueError,
    Word,
};
pub use restriction::{Named, Restriction};
pub use scope::{PublicSuffixes, Scope, SuffixListError, file_hosts};
pub use strict::{Reading, read};
pub use write::WriteError;
