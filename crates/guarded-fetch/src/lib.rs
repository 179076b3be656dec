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
//! - says who asks: the `User-Agent` names the program and where its operator can be reached, unless
//!   it runs for one person, who is not told from others ([`Fetcher::of_a_person`]).
//!
//! It speaks HTTP/1.1 and no other version: every server that this project asks does, and it
//! leaves out the floods that only a multiplexed connection makes possible.
//!
//! A query may hold what somebody looks for. It is in no message of this crate: an [`Error`] shows
//! a URL as a [`ShownUrl`], without query, fragment and userinfo.
//!
//! One request, here to a server on the same machine:
//!
//! ```
//! use std::io::{Read, Write};
//!
//! use guarded_fetch::{Fetcher, Request};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! # let listener = std::net::TcpListener::bind("127.0.0.1:0")?;
//! # let port = listener.local_addr()?.port();
//! # let server = std::thread::spawn(move || -> std::io::Result<()> {
//! #     let (mut stream, _) = listener.accept()?;
//! #     stream.read(&mut [0; 4_096])?;
//! #     stream.write_all(b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\nhello")
//! # });
//! let url = format!("http://localhost:{port}/capabilities.txt?q=1");
//! let fetcher = Fetcher::builder("example/1.0", "https://example.org/contact").build()?;
//! let refused = fetcher.send(Request::get(&url)).await.unwrap_err();
//! assert_eq!(refused.code(), "scheme-refused");
//!
//! let development = Fetcher::builder("example/1.0", "https://example.org/contact")
//!     .allow_loopback(true)
//!     .build()?;
//! let response = development.send(Request::get(&url).response_bytes(65_536)).await?;
//! assert_eq!(response.status(), 200);
//! assert_eq!(response.media_type().as_deref(), Some("text/plain"));
//! assert_eq!(response.bytes().await?, b"hello");
//! # server.join().unwrap()?;
//! # Ok(())
//! # }
//! ```
//!
//! Several requests to one origin, the last answer read as it comes and left when enough is seen:
//!
//! ```no_run
//! use std::time::Duration;
//!
//! use guarded_fetch::{Fetcher, HeaderValue, Request};
//!
//! # async fn example(fetcher: Fetcher) -> Result<(), guarded_fetch::Error> {
//! let url = "https://mcp.example.com/mcp";
//! let session = fetcher.session(url, Duration::from_secs(30)).await?;
//! let post = |body: &'static str| {
//!     Request::post(url, HeaderValue::from_static("application/json"), body)
//! };
//! session.send(post("{}")).await?.bytes().await?;
//! let mut events = session.send(post("{}")).await?;
//! while let Some(bytes) = events.chunk().await? {
//!     if bytes.ends_with(b"\n\n") {
//!         break;
//!     }
//! }
//! assert!(session.requests() >= 2);
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
mod field;
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
pub use field::{media_type, only_value};
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
