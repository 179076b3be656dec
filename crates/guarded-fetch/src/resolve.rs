//! From a name to addresses that may be connected to.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::pin::Pin;

use url::Host;

use crate::Error;
use crate::error::shorten;
use crate::target::{Target, TargetRules, is_localhost};

/// The connect timeout is shared out among the addresses of a name; more than these are not tried.
const MAX_ADDRESSES: usize = 8;

/// The future of [`Resolve::resolve`].
pub type Resolving = Pin<Box<dyn Future<Output = io::Result<Vec<SocketAddr>>> + Send>>;

/// Where the addresses of a name come from; [`SystemResolver`] unless the caller gives another.
///
/// It need not judge the addresses: every one is checked before a connection is made. A function
/// is a resolver too; a test maps names and ports to its local server so:
///
/// ```
/// # use std::net::{Ipv4Addr, SocketAddr};
/// # let local = SocketAddr::from((Ipv4Addr::LOCALHOST, 8443));
/// let builder = guarded_fetch::Fetcher::builder("example/1.0", "https://example.org/contact")
///     .allow_loopback(true)
///     .resolver(move |_name: &str, _port: u16| Ok(vec![local]));
/// ```
pub trait Resolve: Send + Sync + 'static {
    /// Where to connect for this name and port, in the order in which it is to be tried. Called
    /// once for each connection; its time counts against [`crate::Limits::connect`].
    ///
    /// That a name has no address is an empty answer, or an error of the kind
    /// [`io::ErrorKind::NotFound`]; any other error means that it could not be looked up.
    fn resolve(&self, name: &str, port: u16) -> Resolving;
}

impl<F> Resolve for F
where
    F: Fn(&str, u16) -> io::Result<Vec<SocketAddr>> + Send + Sync + 'static,
{
    fn resolve(&self, name: &str, port: u16) -> Resolving {
        Box::pin(std::future::ready(self(name, port)))
    }
}

/// The resolver of the operating system (`getaddrinfo`), on a thread of the runtime's pool.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemResolver;

impl Resolve for SystemResolver {
    fn resolve(&self, name: &str, port: u16) -> Resolving {
        let name = name.to_owned();
        Box::pin(async move {
            match tokio::net::lookup_host((name, port)).await {
                Ok(found) => Ok(found.collect()),
                // The code (EAI_AGAIN) is only in the message, as glibc, musl and BSD word it.
                Err(error)
                    if ["emporary", "ry again"]
                        .iter()
                        .any(|word| error.to_string().contains(word)) =>
                {
                    Err(error)
                }
                Err(error) => Err(io::Error::new(io::ErrorKind::NotFound, error)),
            }
        })
    }
}

/// Where a target may be connected to: nothing unchecked passes.
pub(crate) async fn checked_addresses(
    resolver: &dyn Resolve,
    rules: &TargetRules,
    target: &Target,
) -> Result<Vec<SocketAddr>, Error> {
    let port = target.port;
    let not_found = |temporary, detail: String| Error::NameNotResolved {
        url: target.shown.clone(),
        temporary,
        detail: shorten(&detail, 200),
    };
    let at = |addresses: &[IpAddr]| {
        let with_port = |&address| SocketAddr::new(address, port);
        addresses.iter().map(with_port).collect()
    };
    let mut addresses: Vec<SocketAddr> = match target.url.host() {
        Some(Host::Ipv4(address)) => at(&[address.into()]),
        Some(Host::Ipv6(address)) => at(&[address.into()]),
        // With the switch off, `localhost` takes the common way, and its address is refused.
        Some(Host::Domain(name)) if rules.loopback && is_localhost(name) => {
            at(&[Ipv4Addr::LOCALHOST.into(), Ipv6Addr::LOCALHOST.into()])
        }
        Some(Host::Domain(name)) => resolver.resolve(name, port).await.map_err(|error| {
            let temporary = error.kind() != io::ErrorKind::NotFound;
            not_found(temporary, error.to_string())
        })?,
        None => Vec::new(),
    };
    for address in &addresses {
        rules
            .addresses
            .check(address.ip())
            .map_err(|found| Error::AddressRefused {
                url: target.shown.clone(),
                address: address.ip(),
                found,
            })?;
    }
    if addresses.is_empty() {
        return Err(not_found(false, "an empty answer".to_owned()));
    }
    addresses.truncate(MAX_ADDRESSES);
    Ok(addresses)
}
