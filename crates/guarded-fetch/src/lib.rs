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
//! - returns a redirect as it is, unless the request says which it follows ([`Redirects`]), and
//!   then checks each hop as it checked the first;
//! - bounds the request body, the head and body of the answer, the time to connect, to the head,
//!   between bytes, and in all ([`Limits`]); a body is counted after its coding is undone;
//! - asks for no content coding but gzip, where the request allows it, and refuses any other;
//! - sends no cookie, no credential and no `Referer`, reads no proxy from the environment, and
//!   repeats nothing; a connection is used again within a [`Session`] only;
//! - asks few servers at once, each by few requests at once, and leaves alone who asked for it by
//!   `Retry-After` ([`Traffic`]);
//! - says who asks: the `User-Agent` names the program and where its operator can be reached.
//!
//! It speaks HTTP/1.1 and no other version: every server that this project asks does, and it
//! leaves out the floods that only a multiplexed connection makes possible.
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
mod builder;
mod classify;
mod connection;
mod deadline;
mod error;
mod fetcher;
mod gzip;
mod limits;
mod redirect;
mod request;
mod resolve;
mod response;
mod session;
mod target;
mod traffic;
mod transport;
mod trust;

pub use address::AddressUse;
pub use builder::Builder;
pub use bytes::Bytes;
pub use error::{Class, ConnectFailure, Error, ShownUrl, Stage};
pub use fetcher::Fetcher;
pub use http::{HeaderMap, HeaderName, HeaderValue, Method, StatusCode, header};
pub use ipnet::IpNet;
pub use limits::Limits;
pub use redirect::{Hop, Redirects};
pub use request::{Request, Scheme};
pub use resolve::{Resolve, Resolving, SystemResolver};
pub use response::{Response, Times};
pub use session::Session;
pub use traffic::Traffic;
pub use url::Url;
