//! The Capability Resolution protocol: names, needs, keys, tokens and documents, without I/O and without a clock.
//!
//! A resolver answers the question which servers can do a job, and signs what it observed of each. This crate judges
//! what it says; bytes, keys and the time are arguments.
//!
//! ```
//! use capability_resolution::{Discovery, Observation, Origin, Signer, Status, Time, UnverifiedToken};
//!
//! let issuer: Origin = "https://resolver.example".parse()?;
//! let signer = Signer::new(issuer.clone(), "k1", &[7; 32])?;
//! let now = Time::from_document("2026-11-30T12:00:00Z").ok_or("no time")?;
//! let hours = |n: i64| Time::from_unix_seconds(now.unix_seconds() + n * 3600);
//!
//! let seen = Observation { url: "https://mail.example.com/mcp".parse()?, status: Status::Ok, checked_at: now };
//! let token = signer.token(&seen, now, hours(48))?;
//!
//! let document = format!(
//!     r#"{{"v":"0.2","iss":"{issuer}","resolver":"Example","policy":"{issuer}/policy",
//!         "endpoints":{{"resolve":"{issuer}/resolve","record":"{issuer}/record"}},
//!         "keys":[{{"kty":"OKP","crv":"Ed25519","kid":"k1","x":"{}"}}]}}"#,
//!     signer.public_x()
//! );
//! let discovery = Discovery::read(document.as_bytes(), &issuer)?;
//! let verified = UnverifiedToken::parse(token.as_bytes())?.verify(&discovery, hours(1))?;
//! assert_eq!(verified.claims().status, Status::Ok);
//!
//! let late = UnverifiedToken::parse(token.as_bytes())?.verify(&discovery, hours(49));
//! assert_eq!(late.unwrap_err().code().as_str(), "expired");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod answer;
mod code;
mod discovery;
mod document;
mod ed25519;
mod host;
mod json;
mod keys;
pub mod limits;
mod need;
mod origin;
mod record;
mod server_url;
mod status;
pub mod text;
mod time;
mod token;

pub use answer::{Answer, Candidate};
pub use code::{Code, Refusal};
pub use discovery::Discovery;
pub use document::VERSION;
pub use ed25519::verify_ed25519;
pub use host::{Host, canonical_authority};
pub use keys::KeySet;
pub use need::{Constraints, HandshakeLimit, Need, ResolveRequest};
pub use origin::{Origin, OriginError};
pub use record::Record;
pub use server_url::{ServerUrl, ServerUrlError};
pub use status::Status;
pub use time::Time;
pub use token::{
    Claims, IssueError, Observation, RecordClaims, Signer, UnverifiedToken, VerifiedToken,
};
