//! From a name to addresses that may be connected to.

use std::fmt;
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::pin::Pin;
use std::sync::Arc;

use reqwest::dns::{Addrs, Name, Resolve as ReqwestResolve, Resolving as ReqwestResolving};

use crate::AddressUse;
use crate::target::{TargetRules, is_localhost};

/// The connect timeout is shared out among the addresses of a name; more than these are not tried.
const MAX_ADDRESSES: usize = 8;

/// The future of [`Resolve::resolve`].
pub type Resolving = Pin<Box<dyn Future<Output = io::Result<Vec<IpAddr>>> + Send>>;

/// Where the addresses of a name come from; [`SystemResolver`] unless the caller gives another.
///
/// It need not judge the addresses: every one is checked before a connection is made.
pub trait Resolve: Send + Sync + 'static {
    /// All addresses of the name, in the order in which they are to be tried. Called once for
    /// each hop; its time counts against [`crate::Limits::connect`].
    fn resolve(&self, name: &str) -> Resolving;
}

/// The resolver of the operating system (`getaddrinfo`).
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemResolver;

impl Resolve for SystemResolver {
    fn resolve(&self, name: &str) -> Resolving {
        let name = name.to_owned();
        Box::pin(async move {
            let found = tokio::net::lookup_host((name, 0)).await?;
            Ok(found.map(|address| address.ip()).collect())
        })
    }
}

/// What reqwest asks for the addresses to connect to: nothing unchecked passes.
pub(crate) struct CheckedResolver {
    pub(crate) inner: Arc<dyn Resolve>,
    pub(crate) rules: TargetRules,
}

impl ReqwestResolve for CheckedResolver {
    fn resolve(&self, name: Name) -> ReqwestResolving {
        // With the switch off, `localhost` takes the common way, and its address is refused.
        let resolving = if self.rules.loopback && is_localhost(name.as_str()) {
            let loopback = vec![Ipv4Addr::LOCALHOST.into(), Ipv6Addr::LOCALHOST.into()];
            Box::pin(std::future::ready(Ok(loopback)))
        } else {
            self.inner.resolve(name.as_str())
        };
        let rules = self.rules.clone();
        Box::pin(async move {
            let mut addresses = resolving
                .await
                .map_err(|error| Failure::NotFound(error.to_string()))?;
            for &address in &addresses {
                rules
                    .addresses
                    .check(address)
                    .map_err(|found| Failure::Refused { address, found })?;
            }
            if addresses.is_empty() {
                return Err(Failure::NotFound("an empty answer".to_owned()).into());
            }
            addresses.truncate(MAX_ADDRESSES);
            let checked: Addrs = Box::new(
                addresses
                    .into_iter()
                    .map(|address| SocketAddr::new(address, 0)),
            );
            Ok(checked)
        })
    }
}

/// Why a name gave no address; found again in reqwest's error, which adds the URL.
#[derive(Clone, Debug)]
pub(crate) enum Failure {
    Refused { address: IpAddr, found: AddressUse },
    NotFound(String),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Refused { address, found } => write!(f, "{address} is {found}"),
            Self::NotFound(detail) => f.write_str(detail),
        }
    }
}

impl std::error::Error for Failure {}
