//! The way to resolvers that a player stands in for: plain HTTP to an address of this machine, with the name of the real
//! origin.

use std::collections::BTreeMap;
use std::io;
use std::net::SocketAddr;
use std::time::Duration;

use capability_resolution::Origin;
use guarded_fetch::{Error, Fetcher, Scheme};

use crate::transport::guarded::{broken, reply, request};
use crate::transport::{Get, Getting, GuardedTransport, Transport, Visit};

/// Reaches origins at the addresses that a scenario gives, and no others.
pub(super) struct Stand {
    fetcher: Fetcher,
}

impl Stand {
    /// With the address of each origin: `http://127.0.0.1:PORT`.
    pub(super) fn new(connect: &BTreeMap<String, String>) -> Result<Self, String> {
        let mut addresses: BTreeMap<(String, u16), SocketAddr> = BTreeMap::new();
        for (origin, address) in connect {
            let origin: Origin = origin.parse().map_err(|why| format!("connect: {why}"))?;
            let port = if origin.port() == 443 {
                80
            } else {
                origin.port()
            };
            let address = address
                .strip_prefix("http://")
                .and_then(|address| address.parse().ok())
                .ok_or_else(|| format!("connect: {address} is not http://ADDRESS:PORT"))?;
            addresses.insert((origin.host().to_owned(), port), address);
        }
        let resolve = move |name: &str, port: u16| {
            let address = addresses.get(&(name.to_owned(), port));
            let unknown = || io::Error::new(io::ErrorKind::NotFound, "not in the scenario");
            address.map(|address| vec![*address]).ok_or_else(unknown)
        };
        let fetcher = GuardedTransport::builder()
            .allow_loopback(true)
            .resolver(resolve)
            .build()
            .map_err(|error: Error| error.to_string())?;
        Ok(Self { fetcher })
    }
}

impl Transport for Stand {
    fn visit(&self, _: &Origin, total: Duration) -> Box<dyn Visit> {
        Box::new(AtStand {
            fetcher: self.fetcher.clone(),
            total,
        })
    }
}

struct AtStand {
    fetcher: Fetcher,
    total: Duration,
}

impl Visit for AtStand {
    fn get(&mut self, get: Get) -> Getting<'_> {
        Box::pin(async move {
            let plain = Get {
                url: get.url.replacen("https://", "http://", 1),
                ..get
            };
            // Every token proves itself; who the player is, the scenario says.
            let request = request(plain, self.total).scheme(Scheme::SelfProving);
            let response = self.fetcher.send(request).await;
            response.map(reply).map_err(broken)
        })
    }
}
