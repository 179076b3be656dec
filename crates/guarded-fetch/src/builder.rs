//! What a fetcher is set up with.

use std::fmt;
use std::sync::Arc;

use http::HeaderValue;
use ipnet::IpNet;
use url::Url;

use crate::address::LOOPBACK;
use crate::error::setup;
use crate::target::TargetRules;
use crate::trust::Trust;
use crate::{Error, Fetcher, Limits, Resolve, SystemResolver, Traffic};

/// Settings of a [`Fetcher`]; from [`Fetcher::builder`].
pub struct Builder {
    product: String,
    contact: Option<String>,
    limits: Limits,
    traffic: Traffic,
    rules: TargetRules,
    roots: Vec<Vec<u8>>,
    resolver: Arc<dyn Resolve>,
}

impl Builder {
    pub(crate) fn new(product: &str, contact: Option<&str>) -> Self {
        Self {
            product: product.to_owned(),
            contact: contact.map(str::to_owned),
            limits: Limits::default(),
            traffic: Traffic::default(),
            rules: TargetRules::default(),
            roots: Vec::new(),
            resolver: Arc::new(SystemResolver),
        }
    }

    /// Sets the limits of requests that have none of their own.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.limits = limits;
        self
    }

    /// Sets what all requests keep to together.
    #[must_use]
    pub fn traffic(mut self, traffic: Traffic) -> Self {
        self.traffic = traffic;
        self
    }

    /// Allows a range of addresses that are not public.
    ///
    /// An address that carries an IPv4 address (NAT64, 6to4, ...) needs both allowed: to use a
    /// NAT64 gateway, allow `64:ff9b::/96`; what lies behind it is judged all the same.
    #[must_use]
    pub fn allow(mut self, network: IpNet) -> Self {
        self.rules.addresses.allow(network);
        self
    }

    /// The development switch: allows `127.0.0.0/8` and `::1`, also by plain http. The name
    /// `localhost` then means these, and no name server is asked for it.
    #[must_use]
    pub fn allow_loopback(mut self, allow: bool) -> Self {
        if allow && !self.rules.loopback {
            self.rules.loopback = true;
            LOOPBACK
                .into_iter()
                .for_each(|network| self.rules.addresses.allow(network));
        }
        self
    }

    /// Trusts a root certificate (DER) beside those of the system.
    #[must_use]
    pub fn root_certificate(mut self, der: Vec<u8>) -> Self {
        self.roots.push(der);
        self
    }

    /// Takes addresses from here and not from the system; they are checked all the same.
    #[must_use]
    pub fn resolver(mut self, resolver: impl Resolve) -> Self {
        self.resolver = Arc::new(resolver);
        self
    }

    /// Makes the fetcher; reads the root certificates of the system.
    ///
    /// # Errors
    /// [`Error::Setup`] for a product, a contact, a limit or a root certificate that cannot be
    /// used. A system without root certificates is an error of the first https request only.
    pub fn build(self) -> Result<Fetcher, Error> {
        let user_agent = self.user_agent()?;
        self.limits.check()?;
        self.traffic.check()?;
        let trust = Trust::new(self.roots)?;
        Ok(Fetcher::new(
            user_agent,
            self.limits,
            self.traffic,
            self.rules,
            trust,
            self.resolver,
        ))
    }

    fn user_agent(&self) -> Result<HeaderValue, Error> {
        let plain = |text: &str| {
            !text.is_empty()
                && text
                    .bytes()
                    .all(|b| b.is_ascii_graphic() && !b"()<>\"\\".contains(&b))
        };
        if !plain(&self.product) {
            return Err(setup(
                "the product of the User-Agent is not like name/1.0".to_owned(),
            ));
        }
        let Some(contact) = &self.contact else {
            return HeaderValue::from_str(&self.product).map_err(|error| setup(error.to_string()));
        };
        let reachable =
            Url::parse(contact).is_ok_and(|url| matches!(url.scheme(), "https" | "mailto"));
        if !plain(contact) || !reachable {
            return Err(setup(
                "the contact is not an https or mailto URL".to_owned(),
            ));
        }
        HeaderValue::from_str(&format!("{} (+{contact})", self.product))
            .map_err(|error| setup(error.to_string()))
    }
}

impl fmt::Debug for Builder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Builder")
            .field("limits", &self.limits)
            .field("traffic", &self.traffic)
            .field("rules", &self.rules)
            .finish_non_exhaustive()
    }
}
