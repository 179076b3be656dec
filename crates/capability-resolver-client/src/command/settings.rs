//! `config.toml`: whom a user asks, and how.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use capability_resolution::Origin;
use command_console::{Diagnostic, Explain, Failure, Place};
use ipnet::IpNet;
use serde::{Deserialize, Deserializer};
use toml_edit::{Array, DocumentMut, Item, Value};

use super::{Global, files};
use crate::{Asking, Budget, ListError, Resolvers};

/// What a new file begins with.
const HEAD: &str = "\
# Who learns your needs: these resolvers, in this order, and nobody else.
# The next one is asked only when those before it have nobody, unless ask = \"at-once\".
resolvers = []
";

/// The settings. Everything has a default, so that no file is as good as an empty one.
#[derive(Debug, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default, rename_all = "kebab-case")]
pub(super) struct Settings {
    /// In the order in which they are asked: `client.list`.
    pub(super) resolvers: Vec<String>,
    ask: Ask,
    /// `client.budget`.
    #[serde(deserialize_with = "seconds")]
    seconds_per_resolver: u64,
    #[serde(deserialize_with = "seconds")]
    seconds_in_all: u64,
    /// Whether answers are kept on disk.
    pub(super) keep_answers: bool,
    /// Ranges of addresses that are not public and may be reached: `http.address`.
    pub(super) allow_addresses: Vec<IpNet>,
}

#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum Ask {
    InOrder,
    AtOnce,
}

impl Default for Settings {
    fn default() -> Self {
        let budget = Budget::default();
        Self {
            resolvers: Vec::new(),
            ask: Ask::InOrder,
            seconds_per_resolver: budget.per_resolver.as_secs(),
            seconds_in_all: budget.in_all.as_secs(),
            keep_answers: true,
            allow_addresses: Vec::new(),
        }
    }
}

/// Why there are no settings, or why they cannot be changed.
#[derive(Debug, thiserror::Error)]
pub(super) enum SettingsError {
    #[error("cannot read {}", path.display())]
    Unreadable { path: PathBuf, source: io::Error },
    #[error("cannot write {}", path.display())]
    Unwritable { path: PathBuf, source: io::Error },
    #[error("{message}")]
    Form {
        message: String,
        place: Option<Box<Place>>,
    },
    #[error("{text} is not the origin of a resolver: {why}")]
    Origin { text: String, why: String },
    #[error(transparent)]
    List(#[from] ListError),
}

impl Explain for SettingsError {
    fn code(&self) -> &'static str {
        match self {
            Self::Unreadable { .. } => "config-unreadable",
            Self::Unwritable { .. } => "config-unwritable",
            Self::Form { .. } => "config-form",
            Self::Origin { .. } => "resolver-form",
            Self::List(ListError::Twice(_)) => "resolver-twice",
            Self::List(ListError::NotAnIssuer(_)) => "resolver-form",
        }
    }

    fn help(&self) -> Option<String> {
        let help = match self {
            Self::Origin { text, .. } if Origin::loopback(text).is_ok() => {
                "a resolver on this machine is asked by http only with --allow-loopback; `resolvers remove` takes one out of your list"
            }
            Self::Origin { .. } | Self::List(ListError::NotAnIssuer(_)) => {
                "an origin has a scheme, a domain and no path, such as https://resolver.example"
            }
            _ => return None,
        };
        Some(help.to_owned())
    }
}

impl SettingsError {
    /// The message for a person, with the line that is wrong.
    pub(super) fn failure(self) -> Failure {
        let diagnostic = Diagnostic::from_error(&self);
        Failure::new(match self {
            Self::Form {
                place: Some(place), ..
            } => diagnostic.at(*place),
            _ => diagnostic,
        })
    }
}

impl Settings {
    /// Reads the settings; a file that is not there is an empty one.
    pub(super) fn read(path: &Path) -> Result<Self, SettingsError> {
        let text = read(path)?;
        toml::from_str(&text).map_err(|error| form(path, &text, error.message(), error.span()))
    }

    pub(super) fn asking(&self) -> Asking {
        match self.ask {
            Ask::InOrder => Asking::InOrder,
            Ask::AtOnce => Asking::AtOnce,
        }
    }

    pub(super) fn budget(&self) -> Budget {
        Budget {
            per_resolver: Duration::from_secs(self.seconds_per_resolver),
            in_all: Duration::from_secs(self.seconds_in_all),
        }
    }
}

/// The file of the settings.
pub(super) fn path(global: &Global) -> Result<PathBuf, Failure> {
    match &global.config {
        Some(path) => Ok(path.clone()),
        None => Ok(files::settings()?),
    }
}

/// The origins of a list, as people write them.
pub(super) fn list(texts: &[String], allow_loopback: bool) -> Result<Resolvers, SettingsError> {
    let mut resolvers = Resolvers::new();
    for text in texts {
        resolvers.add(origin(text, allow_loopback)?)?;
    }
    Ok(resolvers)
}

/// An origin as people write it: `origin.comparison`, `origin.loopback-off`.
pub(super) fn origin(text: &str, allow_loopback: bool) -> Result<Origin, SettingsError> {
    let read = match Origin::from_written(text) {
        Err(_) if allow_loopback && text.starts_with("http://") => Origin::loopback(text),
        read => read,
    };
    read.map_err(|why| SettingsError::Origin {
        text: text.to_owned(),
        why: why.to_string(),
    })
}

/// Changes the list in the file, and leaves the rest of it as its owner wrote it.
pub(super) fn change_list(
    path: &Path,
    change: impl FnOnce(&mut Array) -> Result<(), SettingsError>,
) -> Result<(), SettingsError> {
    // Nothing is written to a file that says something else wrong.
    Settings::read(path)?;
    let mut text = read(path)?;
    if text.trim().is_empty() {
        text = HEAD.to_owned();
    }
    let mut document: DocumentMut = text
        .parse()
        .map_err(|error: toml_edit::TomlError| form(path, &text, error.message(), error.span()))?;
    let entry = document
        .entry("resolvers")
        .or_insert_with(|| Item::Value(Value::Array(Array::new())));
    let Some(array) = entry.as_array_mut() else {
        return Err(form(path, &text, "resolvers is not a list", None));
    };
    change(array)?;
    files::replace(path, document.to_string().as_bytes()).map_err(|source| {
        SettingsError::Unwritable {
            path: path.to_owned(),
            source,
        }
    })
}

fn read(path: &Path) -> Result<String, SettingsError> {
    match fs::read_to_string(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(String::new()),
        read => read.map_err(|source| SettingsError::Unreadable {
            path: path.to_owned(),
            source,
        }),
    }
}

fn form(
    path: &Path,
    text: &str,
    message: &str,
    span: Option<std::ops::Range<usize>>,
) -> SettingsError {
    let place = span.map(|span| Box::new(Place::in_text(path.display().to_string(), text, span)));
    SettingsError::Form {
        message: message.to_owned(),
        place,
    }
}

fn seconds<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    let found = u64::deserialize(deserializer)?;
    if (1..=3_600).contains(&found) {
        return Ok(found);
    }
    Err(serde::de::Error::custom(format!(
        "{found} is not from 1 to 3600 seconds"
    )))
}
