//! `resolver.toml`: what an operator decides.

use std::fs::File;
use std::io::{self, Read as _};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::path::{Path, PathBuf};

use capability_resolution::Origin;
use capability_resolution::limits::RESOLVER_NAME_MAX_CHARACTERS;
use capability_resolution::text::{is_control, is_unsafe};
use command_console::{Diagnostic, Explain, Place};
use ipnet::IpNet;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer};

use crate::file::folder_of;

/// The name of the file in a resolver's folder.
pub const FILE_NAME: &str = "resolver.toml";

/// The origin that `init` writes where it is given none. A resolver cannot be it: the name is nobody's.
pub const EXAMPLE_ORIGIN: &str = "https://resolver.example";

/// The settings of a resolver. Paths are resolved against the folder of the file.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Config {
    /// The issuer: `origin.issuer`.
    #[serde(deserialize_with = "issuer")]
    pub origin: Origin,
    /// Its name for people: `discovery.name`.
    #[serde(deserialize_with = "name")]
    pub name: String,
    /// The URL by which a server's owner reaches the operator: `http.user-agent`.
    #[serde(deserialize_with = "contact")]
    pub contact: String,
    /// Where it listens.
    pub listen: SocketAddr,
    /// The policy: `policy.page`.
    pub policy: PathBuf,
    /// The changelog: `policy.changelog`.
    pub changelog: PathBuf,
    /// The folder of the keys.
    pub keys: PathBuf,
    /// The store's file.
    pub store: PathBuf,
    /// The `max-age` of the discovery document in seconds: `discovery.caching`.
    #[serde(deserialize_with = "within::<60, 86_400, _>")]
    pub discovery_max_age: u64,
    /// Files and URLs that name servers.
    pub sources: Vec<String>,
    /// How often servers are observed.
    pub schedule: Schedule,
    /// How many at once.
    pub limits: Limits,
    /// Where requests may go.
    pub network: Network,
    /// Who is answered, and how.
    #[serde(default)]
    pub serve: Serve,
}

/// How often servers are observed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Schedule {
    /// The longest time between two observations of a server that answers, in minutes. Under 24 hours by more than
    /// an observation takes, so that `status.max-age.issue` leaves no gap.
    #[serde(deserialize_with = "within::<10, 1_320, _>")]
    pub interval_minutes: u64,
    /// The shortest time to the second look after a failure, in minutes: at least the 600 seconds of `status.down`.
    #[serde(deserialize_with = "within::<10, 240, _>")]
    pub second_look_minutes: u64,
}

/// How many servers are observed at once.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Limits {
    /// In all.
    #[serde(deserialize_with = "within::<1, 4_096, _>")]
    pub in_flight: u64,
    /// On one host.
    #[serde(deserialize_with = "within::<1, 64, _>")]
    pub per_host: u64,
}

/// Who is answered, and how. What is left out has the value that `init` writes.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "kebab-case")]
pub struct Serve {
    /// The certificate and its chain in PEM, for TLS by this program itself.
    pub tls_certificate: Option<PathBuf>,
    /// Its private key in PEM.
    pub tls_key: Option<PathBuf>,
    /// Proxies whose `X-Forwarded-For` is believed, and that alone are answered without TLS.
    pub proxies: Vec<IpNet>,
    /// How often one address may ask in a minute; 0 for no limit: `error.rate`.
    #[serde(deserialize_with = "within::<0, 1_000_000, _>")]
    pub requests_per_minute: u64,
    /// How many connections there are at once.
    #[serde(deserialize_with = "within::<16, 1_000_000, _>")]
    pub connections: u64,
    /// Where figures are served, if anywhere.
    pub metrics: Option<SocketAddr>,
}

impl Default for Serve {
    fn default() -> Self {
        Self {
            tls_certificate: None,
            tls_key: None,
            proxies: vec![
                IpNet::from(IpAddr::from(Ipv4Addr::LOCALHOST)),
                IpNet::from(IpAddr::from(Ipv6Addr::LOCALHOST)),
            ],
            requests_per_minute: 300,
            connections: 1_024,
            metrics: None,
        }
    }
}

/// Where requests may go.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub struct Network {
    /// Ranges of addresses that are not public and may be reached: `http.address`.
    pub allow_addresses: Vec<IpNet>,
}

/// Why there are no settings.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ConfigError {
    /// The file could not be read.
    #[error("cannot read {}", path.display())]
    Unreadable {
        /// Which.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The file says something that cannot be.
    #[error("{message}")]
    Form {
        /// What is wrong.
        message: String,
        /// Where, if it is at one place.
        place: Option<Box<Place>>,
    },
}

impl Explain for ConfigError {
    fn code(&self) -> &'static str {
        match self {
            Self::Unreadable { .. } => "config-unreadable",
            Self::Form { .. } => "config-form",
        }
    }

    fn help(&self) -> Option<String> {
        match self {
            Self::Unreadable { source, .. } if source.kind() == io::ErrorKind::NotFound => {
                Some(format!(
                    "capability-resolver init DIR makes one; then give --config DIR/{FILE_NAME}, or run in DIR"
                ))
            }
            _ => None,
        }
    }
}

impl ConfigError {
    /// The message for a person, with the line that is wrong.
    #[must_use]
    pub fn diagnostic(&self) -> Diagnostic {
        let diagnostic = Diagnostic::from_error(self);
        match self {
            Self::Form {
                place: Some(place), ..
            } => diagnostic.at((**place).clone()),
            _ => diagnostic,
        }
    }
}

impl Config {
    /// Reads the settings.
    ///
    /// # Errors
    ///
    /// [`ConfigError`].
    pub fn read(path: &Path) -> Result<Self, ConfigError> {
        let unreadable = |source| ConfigError::Unreadable {
            path: path.to_owned(),
            source,
        };
        let mut text = String::new();
        let file = File::open(path).map_err(unreadable)?;
        file.take(MAX_BYTES)
            .read_to_string(&mut text)
            .map_err(unreadable)?;
        let mut config: Self = toml::from_str(&text).map_err(|error| ConfigError::Form {
            message: error.message().to_owned(),
            place: error
                .span()
                .map(|span| Box::new(Place::in_text(path.display().to_string(), &text, span))),
        })?;
        let folder = folder_of(path);
        for path in [
            &mut config.policy,
            &mut config.changelog,
            &mut config.keys,
            &mut config.store,
        ] {
            *path = folder.join(&*path);
        }
        let of_tls = [&mut config.serve.tls_certificate, &mut config.serve.tls_key];
        for path in of_tls.into_iter().flatten() {
            *path = folder.join(&*path);
        }
        Ok(config)
    }
}

/// The longest file that is read, in bytes.
const MAX_BYTES: u64 = 1 << 20;

fn issuer<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Origin, D::Error> {
    parse_issuer(&String::deserialize(deserializer)?).map_err(D::Error::custom)
}

/// An issuer, or what keeps a text from being one.
pub(crate) fn parse_issuer(text: &str) -> Result<Origin, String> {
    let origin: Origin = text.parse().map_err(|error| format!("{error}"))?;
    if origin.is_issuer() {
        Ok(origin)
    } else {
        Err("a resolver's origin has a domain and no address (rule origin.issuer)".to_owned())
    }
}

fn name<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let name = String::deserialize(deserializer)?;
    check_name(&name).map_err(D::Error::custom)?;
    Ok(name)
}

/// `discovery.name`.
pub(crate) fn check_name(name: &str) -> Result<(), String> {
    let characters = name.chars().count();
    if (1..=RESOLVER_NAME_MAX_CHARACTERS).contains(&characters)
        && !name.chars().any(|c| is_control(c) || is_unsafe(c))
    {
        return Ok(());
    }
    Err(format!(
        "a name has 1 to {RESOLVER_NAME_MAX_CHARACTERS} characters, and none that nobody sees (rule discovery.name)"
    ))
}

fn contact<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    let contact = String::deserialize(deserializer)?;
    check_contact(&contact).map_err(D::Error::custom)?;
    Ok(contact)
}

/// `http.user-agent`: what the header can hold, as `guarded_fetch` checks it once more.
pub(crate) fn check_contact(contact: &str) -> Result<(), String> {
    let plain = contact
        .bytes()
        .all(|b| b.is_ascii_graphic() && !b"()<>\"\\".contains(&b));
    if plain && url::Url::parse(contact).is_ok_and(|url| matches!(url.scheme(), "https" | "mailto"))
    {
        return Ok(());
    }
    Err("a contact is an https or mailto URL in ASCII (rule http.user-agent)".to_owned())
}

fn within<'de, const MIN: u64, const MAX: u64, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<u64, D::Error> {
    let found = u64::deserialize(deserializer)?;
    if (MIN..=MAX).contains(&found) {
        return Ok(found);
    }
    Err(D::Error::custom(format!(
        "{found} is not from {MIN} to {MAX}"
    )))
}
