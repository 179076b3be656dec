//! The reference client of Capability Resolution: asks several resolvers which servers can do a job, believes nothing that
//! is not signed, and never gets in the way.
//!
//! Three lines give an agent servers for a job:
//!
//! ```
//! use capability_resolution::{Constraints, Need};
//! use capability_resolver_client::{Allowlist, Client};
//!
//! # use std::time::Duration;
//! # use capability_resolution::{Origin, Time};
//! # use capability_resolver_client::{Body, Get, Getting, Reading, Reply, Transport, Visit};
//! # use guarded_fetch::{HeaderMap, HeaderValue, header};
//! # /// The resolver of the text's examples, without a network.
//! # struct Appendix;
//! # impl Transport for Appendix {
//! #     fn visit(&self, _: &Origin, _: Duration) -> Box<dyn Visit> { Box::new(Appendix) }
//! # }
//! # impl Visit for Appendix {
//! #     fn get(&mut self, get: Get) -> Getting<'_> {
//! #         let body = if get.url.contains("?need=") {
//! #             let jws = include_str!("../../../examples/token.txt").trim();
//! #             format!(r#"{{"v":"0.2","iss":"https://resolver.example","resolver":"Example Resolver","candidates":[{{"jws":"{jws}"}}]}}"#)
//! #         } else {
//! #             include_str!("../../../examples/discovery.json").to_owned()
//! #         };
//! #         let mut headers = HeaderMap::new();
//! #         headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
//! #         let reply = Reply { status: 200, headers, coding: None, body: Box::new(Said(body)) };
//! #         Box::pin(std::future::ready(Ok(reply)))
//! #     }
//! # }
//! # struct Said(String);
//! # impl Body for Said {
//! #     fn read(self: Box<Self>) -> Reading { Box::pin(std::future::ready(Ok(self.0.into_bytes()))) }
//! # }
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let client = Client::builder()
//!     .resolver("https://resolver.example".parse()?)?
//! #   .transport(Appendix).clock(|| Time::from_unix_seconds(1_796_040_005))
//!     .build()?;
//! let found = client
//!     .resolve(&Need::new("send a transactional email")?, Constraints::default())
//!     .await;
//! let server = found
//!     .first_approved(&Allowlist::new().origin("https://mail.example.com".parse()?))
//!     .await;
//! # assert_eq!(server.unwrap().url().as_str(), "https://mail.example.com/mcp");
//! # Ok(())
//! # }
//! ```
//!
//! - [`Client::resolve`] returns within its [`Budget`] whatever the resolvers do. It has no error: a resolver that is slow,
//!   broken, lying or gone is skipped, and its [`Report`] says why.
//! - The list of resolvers is empty until you add one. They are asked in order, until one gives a candidate; each that is
//!   asked learns the need ([`Asking`]).
//! - What comes out is [`Advice`]: who could do the job, and what each resolver signed of them, with when it was seen and
//!   until when it holds. There is nothing unsigned in it.
//! - Nothing is connected to. A [`Policy`] of yours makes of advice an [`Approved`] server; the client never follows a
//!   name.
//! - Answers are used again as long as they say, in memory and, by [`Builder::keep_in`], on disk, where they are sealed.
//! - There is no global state. Clock and transport are arguments ([`Clock`], [`Transport`]); a call is cancelled by
//!   dropping it.
//!
//! # Cost
//!
//! A call whose answer is kept costs 26 µs beside the verification of its ten tokens, which are verified at every call. Of a
//! cold call by http on loopback the tokens are seven tenths:
//!
//! | | ten candidates |
//! |---|---|
//! | ten verifications alone | 477 µs |
//! | [`Client::resolve`], the answer kept | 503 µs |
//! | [`Client::resolve`] of a new client, two requests | 673 µs |
//! | a bare GET of the same bytes, two requests, nothing read of them | 50 µs |
//!
//! Measured on 2026-11-30 by the bench `call`, on two threads of an Intel Xeon that others used too, Linux, rustc 1.95.0: read
//! off the fastest samples of three runs in a row, which lay up to a tenth apart.

mod answers;
mod ask;
mod budget;
mod client;
mod clock;
#[cfg(feature = "command")]
pub mod command;
mod disk;
mod failure;
mod headers;
mod known;
mod merge;
mod policy;
mod query;
mod resolvers;
mod result;
mod transport;

use std::sync::{Mutex, MutexGuard, PoisonError};

pub use budget::Budget;
pub use client::{Asking, BuildError, Builder, Client, Discovered, VerifyError};
pub use clock::{Clock, SystemClock};
pub use failure::{Failure, FailureCode, Stage};
pub use policy::{Allowlist, Approved, Decision, DenyAll, Policy};
pub use query::RecordKey;
pub use resolvers::{ListError, Resolvers};
pub use result::{
    Advice, Answered, Difference, Dropped, Outcome, Recorded, Report, Resolution, StatedRecord,
    Statement,
};
pub use transport::{
    Body, Broken, Get, Getting, GuardedTransport, Reading, Reply, Transport, Visit,
};

/// What is under these locks is whole at every moment, so a panic elsewhere spoils nothing.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
