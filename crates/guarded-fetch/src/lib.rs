//! The one way out to the network: bounded in bytes, time, redirects and addresses.
//!
//! Every byte that comes back is hostile, and so is every URL: a catalogue, a redirect or a name
//! server may point at the operator's own network. A [`Fetcher`] therefore
//!
//! - speaks https; plain http only where the documents prove themselves ([`Scheme::SelfProving`]),
//!   or to loopback behind a development switch ([`Builder::allow_loopback`]);
//! - resolves a name once, refuses it when one of its addresses is not public ([`AddressUse`]),
//!   and connects to the addresses that it checked, so that a second answer of the name server
//!   changes nothing; a literal address is checked in every spelling;
//! - returns a redirect as it is, unless the request says which hops it allows, and then checks
//!   each hop as it checked the first;
//! - bounds the request body, the response head and body, the time to connect, the time between
//!   bytes, and the time in all ([`Limits`]);
//! - asks for no content coding and refuses one, so that no body grows after it was counted;
//! - sends no cookie, no credential and no `Referer`, reads no proxy from the environment, keeps
//!   no connection, and repeats nothing;
//! - says who asks: the `User-Agent` names the program and where its operator can be reached.
//!
//! A query may hold what somebody looks for. It is in no message of this crate: an [`Error`] shows
//! a URL as a [`ShownUrl`], without query, fragment and userinfo.
//!
//! ```no_run
//! use guarded_fetch::{Fetcher, Request};
//!
//! # async fn example() -> Result<(), guarded_fetch::Error> {
//! let fetcher = Fetcher::builder("example/1.0", "https://example.org/contact").build()?;
//! let response = fetcher.send(Request::get("https://example.com/capabilities.txt")).await?;
//! if response.status() == 200 {
//!     let body = response.bytes().await?;
//!     assert!(body.len() <= 1_048_576);
//! }
//! # Ok(())
//! # }
//! ```

mod address;
mod error;
mod fetcher;
mod request;
mod resolve;
mod response;
mod target;

pub use address::AddressUse;
pub use error::{Error, ShownUrl, Stage};
pub use fetcher::{Builder, Fetcher, Limits};
pub use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode};
pub use ipnet::IpNet;
pub use request::{Redirects, Request, Scheme};
pub use resolve::{Resolve, Resolving, SystemResolver};
pub use response::Response;
pub use url::Url;
