//! `proof/authorities/<name>`: one time-stamping authority, described by facts that an editor can check.
//!
//! `authority.toml` pins the authority's roots by their SHA-256 fingerprints. `root.pem` and `chain.pem` lie beside it
//! once they were fetched; a root that is not pinned is refused. An authority is a unit: nothing of one is ever used to
//! judge the token of another.

use std::io;
use std::path::{Path, PathBuf};

use command_console::Explain;
use jiff::Timestamp;
use serde::Deserialize;
use thiserror::Error;
use timestamp_proof::rfc3161;

use super::AUTHORITIES;
use crate::repo::{self, Repo, RepoError};

/// The authorities that vouch for nobody but ourselves begin with this; the version that they were made for follows.
pub const LOCAL_PREFIX: &str = "local-";

/// `authority.toml`, as it is written.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Description {
    /// The name of the folder, and the part of a token's file name before `.tsr`.
    pub name: String,
    /// Who it is, in a few words.
    pub description: String,
    /// Whether it is somebody else than those who stamp. If not, its time is only our own word.
    pub independent: bool,
    /// Where requests are sent, by HTTP POST (RFC 3161 section 3.4). HTTP without TLS is fine: an answer proves itself.
    pub url: Option<String>,
    /// The policies that its tokens may name, as object identifiers in dotted form. None given: any.
    #[serde(default)]
    pub policies: Vec<String>,
    /// When its tokens count. Not given: as long as its certificates are valid.
    #[serde(default)]
    pub window: Window,
    /// Its roots, at least one.
    #[serde(rename = "root")]
    pub roots: Vec<Root>,
    /// Its other certificates, which are never trusted for themselves.
    pub chain: Option<Chain>,
}

/// The span of genTime in which an authority's tokens count, both ends inclusive.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Window {
    /// The first second, with its offset from UTC.
    pub from: Option<toml::value::Datetime>,
    /// The last second, with its offset from UTC.
    pub until: Option<toml::value::Datetime>,
}

/// A root certificate, pinned.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Root {
    /// The subject, for people.
    pub subject: String,
    /// SHA-256 of the certificate's DER encoding, 64 lower-case hexadecimal digits.
    pub sha256: String,
    /// Where an editor gets it, as PEM or DER.
    pub source: Option<String>,
}

/// Where an editor gets the certificates between signer and root.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Chain {
    /// The address, of PEM or DER.
    pub source: String,
}

/// One authority of this repository.
#[derive(Debug, Clone)]
pub struct Authority {
    description: Description,
    directory: PathBuf,
    window: (Option<i64>, Option<i64>),
}

/// Why an authority cannot be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum AuthorityError {
    /// A file of it cannot be read.
    #[error(transparent)]
    Repo(#[from] RepoError),
    /// There is no `authority.toml`.
    #[error("no authority is called `{name}`: {AUTHORITIES}/{name}/authority.toml is not there")]
    NoDescription {
        /// The name that was asked for.
        name: String,
    },
    /// `authority.toml` is not TOML, or has not the fields that it must have.
    #[error("{path} is not the description of an authority: {message}")]
    Form {
        /// The file.
        path: String,
        /// What the parser says.
        message: String,
    },
    /// A field of `authority.toml` has a value that it cannot have.
    #[error("{path}: {rule}, found {found}")]
    Field {
        /// The file.
        path: String,
        /// What is expected of which field.
        rule: &'static str,
        /// What is there.
        found: String,
    },
    /// There is no `root.pem`.
    #[error("the root of the authority `{name}` is not here: nobody has fetched it yet")]
    NoRoot {
        /// The authority.
        name: String,
        /// Whether `authority.toml` says where it can be fetched.
        has_source: bool,
    },
    /// `root.pem` holds a certificate that `authority.toml` does not pin.
    #[error(
        "{path} holds a root that the authority does not have: no `[[root]]` of authority.toml pins it"
    )]
    RootNotPinned {
        /// The file.
        path: String,
        /// The SHA-256 fingerprint of the certificate.
        found: String,
        /// The fingerprints that are pinned.
        pinned: Vec<String>,
    },
    /// `root.pem`, `chain.pem` or the policies cannot be used.
    #[error("{path} cannot be used")]
    Unusable {
        /// The file or folder.
        path: String,
        /// Why.
        source: rfc3161::AuthorityError,
    },
}

impl Explain for AuthorityError {
    fn code(&self) -> &'static str {
        match self {
            Self::Repo(error) => error.code(),
            Self::NoDescription { .. } => "authority-unknown",
            Self::Form { .. } => "authority-form",
            Self::Field { .. } => "authority-field",
            Self::NoRoot { .. } => "authority-no-root",
            Self::RootNotPinned { .. } => "authority-root-not-pinned",
            Self::Unusable { .. } => "authority-unusable",
        }
    }

    fn help(&self) -> Option<String> {
        match self {
            Self::NoRoot {
                name,
                has_source: true,
            } => Some(format!(
                "with a network: cargo xtask-network authority add {name}"
            )),
            _ => None,
        }
    }
}

impl Authority {
    /// Reads `proof/authorities/<name>/authority.toml`.
    ///
    /// # Errors
    /// [`AuthorityError`]: it is not there, cannot be read, or says what cannot be.
    pub fn load(repo: &Repo, name: &str) -> Result<Self, AuthorityError> {
        let no_description = || AuthorityError::NoDescription {
            name: name.to_owned(),
        };
        if !is_name(name) {
            return Err(no_description());
        }
        let path = format!("{AUTHORITIES}/{name}/authority.toml");
        let text = match repo::read_text(&repo.path(&path)) {
            Err(RepoError::Io { source, .. }) if source.kind() == io::ErrorKind::NotFound => {
                return Err(no_description());
            }
            text => text?,
        };
        let description: Description =
            toml::from_str(&text).map_err(|error| AuthorityError::Form {
                path: path.clone(),
                message: error.message().to_owned(),
            })?;
        let window = check(&description, name).map_err(|(rule, found)| AuthorityError::Field {
            path,
            rule,
            found,
        })?;
        let directory = repo.path(AUTHORITIES).join(name);
        Ok(Self {
            description,
            directory,
            window,
        })
    }

    /// The names of all authorities, sorted: the folders of `proof/authorities`.
    ///
    /// # Errors
    /// [`RepoError::Io`] if the folder cannot be listed.
    pub fn names(repo: &Repo) -> Result<Vec<String>, RepoError> {
        let folders = repo::list(&repo.path(AUTHORITIES))?;
        let names = folders
            .iter()
            .filter(|path| path.is_dir())
            .filter_map(|path| path.file_name()?.to_str());
        Ok(names.map(ToOwned::to_owned).collect())
    }

    /// What `authority.toml` says.
    #[must_use]
    pub fn description(&self) -> &Description {
        &self.description
    }

    /// The file that holds, or will hold, its roots.
    #[must_use]
    pub fn root_path(&self) -> PathBuf {
        self.directory.join("root.pem")
    }

    /// The file that holds, or will hold, its other certificates.
    #[must_use]
    pub fn chain_path(&self) -> PathBuf {
        self.directory.join("chain.pem")
    }

    /// Its roots, chain, policies and window, for judging a token.
    ///
    /// # Errors
    /// [`AuthorityError::NoRoot`] if the root was not fetched; otherwise what is wrong with a file.
    pub fn anchors(&self) -> Result<rfc3161::Authority, AuthorityError> {
        let Some(roots) = read_if_there(&self.root_path())? else {
            return Err(AuthorityError::NoRoot {
                name: self.description.name.clone(),
                has_source: self
                    .description
                    .roots
                    .iter()
                    .any(|root| root.source.is_some()),
            });
        };
        let anchors = self.with_roots(&roots)?;
        let Some(chain) = read_if_there(&self.chain_path())? else {
            return Ok(anchors);
        };
        anchors
            .with_intermediates(&chain)
            .map_err(|source| AuthorityError::Unusable {
                path: self.relative("chain.pem"),
                source,
            })
    }

    /// The authority with these roots, PEM or DER, if each of them is pinned; its chain is not read.
    ///
    /// # Errors
    /// [`AuthorityError::RootNotPinned`], or what is wrong with the bytes.
    pub fn with_roots(&self, roots: &[u8]) -> Result<rfc3161::Authority, AuthorityError> {
        let path = self.relative("root.pem");
        let unusable = |source| AuthorityError::Unusable {
            path: path.clone(),
            source,
        };
        let mut anchors = rfc3161::Authority::from_roots(roots).map_err(unusable)?;
        let pinned: Vec<_> = self
            .description
            .roots
            .iter()
            .map(|root| root.sha256.clone())
            .collect();
        for fingerprint in anchors.root_fingerprints() {
            let found = fingerprint.to_hex();
            if !pinned.contains(&found) {
                return Err(AuthorityError::RootNotPinned {
                    path,
                    found,
                    pinned,
                });
            }
        }
        for policy in &self.description.policies {
            anchors = anchors.with_policy(policy).map_err(unusable)?;
        }
        let (from, until) = self.window;
        anchors.with_window(from, until).map_err(unusable)
    }

    fn relative(&self, file: &str) -> String {
        format!("{AUTHORITIES}/{}/{file}", self.description.name)
    }
}

/// Lower-case letters, digits, dots and hyphens, and neither first nor last a dot: safe as a folder on every system.
fn is_name(name: &str) -> bool {
    let allowed =
        |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b".-".contains(&byte);
    (1..=80).contains(&name.len())
        && name.bytes().all(allowed)
        && !name.starts_with('.')
        && !name.ends_with('.')
}

type Seconds = (Option<i64>, Option<i64>);

fn check(description: &Description, directory: &str) -> Result<Seconds, (&'static str, String)> {
    let Description {
        name,
        independent,
        url,
        window,
        roots,
        ..
    } = description;
    if name != directory {
        return Err(("`name` is the name of the folder", format!("{name:?}")));
    }
    if *independent && name.starts_with(LOCAL_PREFIX) {
        return Err((
            "an authority called `local-...` is not `independent`",
            "true".to_owned(),
        ));
    }
    let sources = roots.iter().filter_map(|root| root.source.as_ref());
    let chain = description.chain.iter().map(|chain| &chain.source);
    for url in url.iter().chain(sources).chain(chain) {
        if !url.starts_with("https://") && !url.starts_with("http://") {
            return Err((
                "an address begins with `https://` or `http://`",
                format!("{url:?}"),
            ));
        }
    }
    if roots.is_empty() {
        return Err(("there is at least one `[[root]]`", "none".to_owned()));
    }
    for root in roots {
        let digits = root
            .sha256
            .bytes()
            .all(|b| b.is_ascii_digit() || (b'a'..=b'f').contains(&b));
        if root.sha256.len() != 64 || !digits {
            let rule = "`sha256` of a root has 64 lower-case hexadecimal digits";
            return Err((rule, format!("{:?}", root.sha256)));
        }
    }
    Ok((
        seconds(window.from.as_ref())?,
        seconds(window.until.as_ref())?,
    ))
}

fn seconds(time: Option<&toml::value::Datetime>) -> Result<Option<i64>, (&'static str, String)> {
    let Some(time) = time else { return Ok(None) };
    match time.to_string().parse::<Timestamp>() {
        Ok(timestamp) => Ok(Some(timestamp.as_second())),
        Err(_) => Err((
            "an end of the window is a date and time with an offset",
            time.to_string(),
        )),
    }
}

fn read_if_there(path: &Path) -> Result<Option<Vec<u8>>, RepoError> {
    match repo::read(path) {
        Err(RepoError::Io { source, .. }) if source.kind() == io::ErrorKind::NotFound => Ok(None),
        bytes => bytes.map(Some),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// The authorities that this repository describes.
    #[test]
    fn the_described_authorities_can_be_read() {
        let repo = Repo::find().unwrap();
        let names = Authority::names(&repo).unwrap();
        assert!(
            names.iter().any(|name| name == "freetsa")
                && names.iter().any(|name| name == "digicert")
        );
        for name in names {
            let authority = Authority::load(&repo, &name).unwrap();
            assert_eq!(
                authority.description().independent,
                !name.starts_with(LOCAL_PREFIX)
            );
        }
    }

    fn load(toml: &str) -> Result<Authority, String> {
        let dir = tempfile::tempdir().unwrap();
        let folder = dir.path().join(AUTHORITIES).join("local-1.0");
        fs::create_dir_all(&folder).unwrap();
        fs::create_dir_all(dir.path().join("spec")).unwrap();
        fs::write(folder.join("authority.toml"), toml).unwrap();
        let repo = Repo::find_from(dir.path()).unwrap();
        let loaded = Authority::load(&repo, "local-1.0");
        loaded.map_err(|error| format!("{}: {error}", error.code()))
    }

    #[test]
    fn each_field_says_what_it_takes() {
        let digest = "ab".repeat(32);
        let root = format!("[[root]]\nsubject = 's'\nsha256 = '{digest}'\n");
        let good = format!(
            "name = 'local-1.0'\ndescription = 'd'\nindependent = false\npolicies = ['1.2.3']\n\
             window = {{ from = 2026-01-01T00:00:00Z, until = 2026-01-02T00:00:00+01:00 }}\n\
             {root}"
        );
        let authority = load(&good).unwrap();
        assert_eq!(authority.window, (Some(1_767_225_600), Some(1_767_308_400)));
        match authority.anchors() {
            Err(AuthorityError::NoRoot {
                has_source: false, ..
            }) => {}
            other => panic!("{other:?}"),
        }
        let said: Vec<_> = [
            ("name = 'local-1.0'", "name = 'freetsa'"),
            ("independent = false", "independent = true"),
            (
                "independent = false",
                "independent = false\nurl = 'ftp://x'",
            ),
            ("independent = false", "independent = false\nport = 80"),
            ("independent = false", ""),
            ("2026-01-01T00:00:00Z", "2026-01-01"),
            (digest.as_str(), "AB"),
            (root.as_str(), "root = []\n"),
        ]
        .into_iter()
        .map(|(good_part, bad_part)| load(&good.replace(good_part, bad_part)).unwrap_err())
        .collect();
        insta::assert_snapshot!(said.join("\n"));
    }

    #[test]
    fn a_name_cannot_leave_the_folder() {
        let repo = Repo::find().unwrap();
        for name in ["", "..", ".", "a/b", "a\\b", "../freetsa", "FreeTSA", "x."] {
            let error = Authority::load(&repo, name).unwrap_err();
            assert_eq!(error.code(), "authority-unknown", "{name}");
        }
        assert_eq!(
            Authority::load(&repo, "nobody").unwrap_err().code(),
            "authority-unknown"
        );
    }
}
