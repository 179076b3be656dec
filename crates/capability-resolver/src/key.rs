//! One Ed25519 key of a resolver, as a file: a JSON Web Key (RFC 7517, RFC 8037) and the times of its life.

use std::fmt;
use std::path::Path;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use capability_resolution::{IssueError, Origin, Signer, Time};
use ed25519_dalek::SigningKey;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use zeroize::Zeroizing;

use crate::file::{self, Access};
use crate::keys::KeyError;

/// A key pair, or its public half once it is retired. `Debug` shows no key material; memory that held the private half
/// is wiped.
#[derive(Clone)]
pub struct Key {
    kid: String,
    x: String,
    seed: Option<Zeroizing<[u8; 32]>>,
    created_at: Time,
    signs_from: Time,
    retired_at: Option<Time>,
}

/// The public half as it stands in a discovery document: `discovery.keys.usable`.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct PublicJwk {
    kty: &'static str,
    crv: &'static str,
    x: String,
    kid: String,
    #[serde(rename = "use")]
    use_: &'static str,
    alg: &'static str,
}

/// The file. Its strings are borrowed, so that the private half is in one place of memory only.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct KeyFile<'a> {
    kty: &'a str,
    crv: &'a str,
    kid: &'a str,
    x: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    d: Option<&'a str>,
    created_at: &'a str,
    signs_from: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    retired_at: Option<&'a str>,
}

impl Key {
    /// Makes a key from the system's random numbers.
    ///
    /// # Errors
    ///
    /// [`KeyError::Random`] if the system has none.
    pub fn generate(created_at: Time, signs_from: Time) -> Result<Self, KeyError> {
        let mut seed = Zeroizing::new([0; 32]);
        getrandom::fill(seed.as_mut_slice())
            .map_err(|error| KeyError::Random(error.to_string()))?;
        Ok(Self::from_seed(seed, created_at, signs_from))
    }

    /// Reads a key from its file.
    ///
    /// # Errors
    ///
    /// [`KeyError::Unreadable`], [`KeyError::Form`], and [`KeyError::Mode`] if others may read a private half.
    pub fn read(path: &Path) -> Result<Self, KeyError> {
        let unreadable = |source| KeyError::Unreadable {
            path: path.to_owned(),
            source,
        };
        let form = |why: &str| KeyError::Form {
            path: path.to_owned(),
            why: why.to_owned(),
        };
        let bytes = file::read(path, FILE_MAX_BYTES).map_err(unreadable)?;
        let read: KeyFile<'_> = serde_json::from_slice(&bytes)
            // The parser's own words can hold a value, and a value can be the private half.
            .map_err(|error| form(&format!("no JSON of a key at line {}", error.line())))?;
        let time = |text| {
            Time::from_document(text)
                .ok_or_else(|| form("a time is not of the form YYYY-MM-DDTHH:MM:SSZ"))
        };
        if (read.kty, read.crv) != ("OKP", "Ed25519") {
            return Err(form("it is no Ed25519 key (kty OKP, crv Ed25519)"));
        }
        if read.kid != thumbprint(read.x) {
            return Err(form("kid is not the thumbprint of the key (RFC 7638)"));
        }
        let mut key = Self {
            kid: read.kid.to_owned(),
            x: read.x.to_owned(),
            seed: None,
            created_at: time(read.created_at)?,
            signs_from: time(read.signs_from)?,
            retired_at: read.retired_at.map(time).transpose()?,
        };
        if let Some(d) = read.d {
            if let Some(mode) = file::open_to_others(path).map_err(unreadable)? {
                return Err(KeyError::Mode {
                    path: path.to_owned(),
                    mode,
                });
            }
            let mut seed = Zeroizing::new([0; 32]);
            let length = URL_SAFE_NO_PAD.decode_slice(d, seed.as_mut_slice());
            if length != Ok(32) {
                return Err(form("d is not base64url of 32 bytes"));
            }
            let pair = Self::from_seed(seed, key.created_at, key.signs_from);
            if pair.x != key.x {
                return Err(form("x is not the public half of d"));
            }
            key.seed = pair.seed;
        }
        Ok(key)
    }

    /// The file's name: the kid, whose characters a file name may hold.
    #[must_use]
    pub fn file_name(&self) -> String {
        format!("{}.jwk", self.kid)
    }

    /// What signs tokens with this key, or nothing once it is retired.
    ///
    /// # Errors
    ///
    /// [`IssueError::Issuer`] if `issuer` is an address.
    pub fn signer(&self, issuer: &Origin) -> Option<Result<Signer, IssueError>> {
        let seed = self.seed.as_ref()?;
        Some(Signer::new(issuer.clone(), self.kid.clone(), seed))
    }

    /// The public half for the discovery document.
    #[must_use]
    pub fn public_jwk(&self) -> PublicJwk {
        PublicJwk {
            kty: "OKP",
            crv: "Ed25519",
            x: self.x.clone(),
            kid: self.kid.clone(),
            use_: "sig",
            alg: "EdDSA",
        }
    }

    /// The thumbprint of RFC 7638 that tokens name the key by.
    #[must_use]
    pub fn kid(&self) -> &str {
        &self.kid
    }

    /// Whether the private half is there.
    #[must_use]
    pub fn can_sign(&self) -> bool {
        self.seed.is_some()
    }

    /// When the key was made.
    #[must_use]
    pub fn created_at(&self) -> Time {
        self.created_at
    }

    /// From when on it may sign: `keys.early`.
    #[must_use]
    pub fn signs_from(&self) -> Time {
        self.signs_from
    }

    /// When its private half was destroyed.
    #[must_use]
    pub fn retired_at(&self) -> Option<Time> {
        self.retired_at
    }

    /// The same key without its private half.
    #[must_use]
    pub(crate) fn retired(&self, at: Time) -> Self {
        Self {
            seed: None,
            retired_at: Some(at),
            ..self.clone()
        }
    }

    /// The bytes of its file.
    pub(crate) fn to_file(&self) -> Zeroizing<Vec<u8>> {
        let mut d = Zeroizing::new([0; 43]);
        let d = self.seed.as_ref().and_then(|seed| {
            let length = URL_SAFE_NO_PAD.encode_slice(seed.as_slice(), d.as_mut_slice());
            length
                .ok()
                .and_then(|length| std::str::from_utf8(d.get(..length)?).ok())
        });
        let (created_at, signs_from) = (self.created_at.to_string(), self.signs_from.to_string());
        let retired_at = self.retired_at.map(|time| time.to_string());
        let file = KeyFile {
            kty: "OKP",
            crv: "Ed25519",
            kid: &self.kid,
            x: &self.x,
            d,
            created_at: &created_at,
            signs_from: &signs_from,
            retired_at: retired_at.as_deref(),
        };
        let mut bytes = Zeroizing::new(Vec::with_capacity(FILE_MAX_BYTES));
        // Strings into a vector: neither can fail.
        let _ = serde_json::to_writer_pretty(&mut *bytes, &file);
        bytes.push(b'\n');
        bytes
    }

    /// Writes the key to a new file.
    pub(crate) fn create_in(&self, folder: &Path) -> Result<(), KeyError> {
        let path = folder.join(self.file_name());
        file::create(&path, &self.to_file(), Access::Owner)
            .map_err(|source| KeyError::Unwritable { path, source })
    }

    fn from_seed(seed: Zeroizing<[u8; 32]>, created_at: Time, signs_from: Time) -> Self {
        let x = URL_SAFE_NO_PAD.encode(SigningKey::from_bytes(&seed).verifying_key().as_bytes());
        Self {
            kid: thumbprint(&x),
            x,
            seed: Some(seed),
            created_at,
            signs_from,
            retired_at: None,
        }
    }
}

impl fmt::Debug for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Key")
            .field("kid", &self.kid)
            .field("can_sign", &self.can_sign())
            .field("signs_from", &self.signs_from)
            .field("retired_at", &self.retired_at)
            .finish_non_exhaustive()
    }
}

/// The largest file of a key, in bytes; one has about 350.
const FILE_MAX_BYTES: usize = 4_096;

/// RFC 7638: SHA-256 over the required members in lexical order, without white space.
fn thumbprint(x: &str) -> String {
    URL_SAFE_NO_PAD.encode(Sha256::digest(format!(
        r#"{{"crv":"Ed25519","kty":"OKP","x":"{x}"}}"#
    )))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn time(text: &str) -> Time {
        Time::from_document(text).unwrap()
    }

    fn example() -> Key {
        let seed = Sha256::digest(b"capability-resolution example key");
        let now = time("2026-11-30T12:00:00Z");
        Key::from_seed(Zeroizing::new(seed.into()), now, now)
    }

    #[test]
    fn the_kid_is_the_thumbprint_of_appendix_a() {
        let key = example();
        assert_eq!(key.kid(), "yYGxzYTQgDnflW9KVhejhWzv3MUgMxZql1GtBf49h0g");
        assert_eq!(
            key.public_jwk().x,
            "nZlPaQYpKa9pHid31w32cxuFVIl-_fat5fLNfwsviBM"
        );
    }

    #[test]
    fn a_key_survives_its_file_and_shows_itself_nowhere() {
        let folder = tempfile::tempdir().unwrap();
        let key = example();
        key.create_in(folder.path()).unwrap();
        let path = folder.path().join(key.file_name());
        let again = Key::read(&path).unwrap();
        assert_eq!((again.kid(), again.can_sign()), (key.kid(), true));
        assert_eq!(again.seed, key.seed);
        assert!(matches!(
            key.create_in(folder.path()),
            Err(KeyError::Unwritable { .. })
        ));

        let d = URL_SAFE_NO_PAD.encode(key.seed.as_ref().unwrap().as_slice());
        assert!(
            String::from_utf8(key.to_file().to_vec())
                .unwrap()
                .contains(&d)
        );
        assert!(!format!("{key:?}").contains(&d));
        let retired = key.retired(time("2026-12-01T00:00:00Z"));
        assert!(
            !String::from_utf8(retired.to_file().to_vec())
                .unwrap()
                .contains(&d)
        );
        assert!(
            retired
                .signer(&"https://resolver.example".parse().unwrap())
                .is_none()
        );

        let text = String::from_utf8(key.to_file().to_vec()).unwrap();
        for broken in [
            text.replace(&d, "AAAA"),
            text.replace("\"d\"", "\"e\""),
            text.replace(&d, &key.x),
            text.replace("OKP", "EC"),
        ] {
            file::replace(&path, broken.as_bytes(), Access::Owner).unwrap();
            let error = Key::read(&path).unwrap_err();
            assert!(matches!(error, KeyError::Form { .. }), "{error}");
            assert!(!format!("{error:?} {error}").contains(&d));
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_private_half_that_others_may_read_is_refused() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().unwrap();
        let key = example();
        key.create_in(folder.path()).unwrap();
        let path = folder.path().join(key.file_name());
        assert_eq!(
            std::fs::metadata(&path).unwrap().permissions().mode() & 0o777,
            0o600
        );
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o640)).unwrap();
        assert!(matches!(
            Key::read(&path),
            Err(KeyError::Mode { mode: 0o640, .. })
        ));
    }
}
