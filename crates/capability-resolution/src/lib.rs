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
//!
//! # Cost
//!
//! A full verification costs 1.06 times the bare `verify_strict` of ed25519-dalek on the same bytes. Beside it, on the
//! same token and in the same run, with their keys already read:
//!
//! | | one token | times ours |
//! |---|---|---|
//! | [`UnverifiedToken::parse`] and [`UnverifiedToken::verify`] | 48 µs | |
//! | `verify_strict` alone | 45 µs | 0.94 |
//! | joserfc 1.8.0 on Python 3.11 | 145 µs | 3.0 |
//! | jose 6.2.18 on Node 20 | 147 µs | 3.0 |
//! | PyJWT 2.15.1 on Python 3.11 | 179 µs | 3.7 |
//! | jsonwebtoken 9.0.3 on Node 20, which has no EdDSA, with ES256 | 93 µs | 1.9 |
//!
//! The libraries verify signatures with OpenSSL, and check less than the text asks for.
//!
//! Refusing what is no token costs 0.1 to 1.0 µs for 1,024 bytes, with one exception: a header that is sound JSON is read
//! to its end, as `json.order` and `token.order` have it, since a member that stands twice is reported before one that is
//! missing. That costs 4 to 8 µs for 1,024 bytes, the dearest being short members and strings with escapes. The longest
//! token, of 8,192 bytes, so costs some 60 µs, little more than one signature.
//!
//! Measured on 2026-11-30 by `cargo xtask bench --rounds 15`: two threads of an Intel Xeon with AVX-512 that others used
//! too, Linux, rustc 1.95.0. The fastest sample of each round counts, and the median of the rounds.

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
mod query;
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
pub use record::{Record, RecordRequest};
pub use server_url::{ServerUrl, ServerUrlError};
pub use status::Status;
pub use time::Time;
pub use token::{
    Claims, IssueError, Observation, RecordClaims, Signer, UnverifiedToken, VerifiedToken,
};
