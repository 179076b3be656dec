//! A timestamp authority of our own, made for one stamp: it shows that the machinery works, and nothing about time.
//!
//! The command `openssl` makes it, so that what judges the token is not what made it. The two private keys go from one
//! process to the next through pipes and end with this one: no disk ever holds them.

use std::ffi::OsStr;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;

use tempfile::TempDir;
use timestamp_proof::rfc3161::{self, Timestamp};

use super::{StampError, Subject, keep};
use crate::proofs::AUTHORITIES;
use crate::proofs::authority::{Authority, LOCAL_PREFIX};
use crate::repo::{self, Repo, RepoError};

/// What `--authority` is given for an authority of our own.
pub const LOCAL: &str = "local";

/// Under the number that is set aside for documentation (RFC 5612), since nobody registered one for this.
const POLICY: &str = "1.3.6.1.4.1.32473.1";

/// As long as anyone may want to check by hand: `openssl ts -verify` judges certificates at the current time. The keys
/// are gone, so nothing else can be signed in all that time.
const DAYS: &str = "36500";

/// What was made and kept.
#[derive(Debug)]
pub struct Stamped {
    /// The authority's name.
    pub name: String,
    /// What its token says.
    pub timestamp: Timestamp,
    /// The file that holds the token.
    pub path: PathBuf,
}

/// Makes the authority `local-<version>`, lets it stamp, verifies the token, and keeps token and certificates.
///
/// # Errors
/// [`StampError::Exists`] if the version has a token of that name, or the folder of such an authority;
/// [`StampError::OpenSsl`]; [`StampError::Token`] if the token does not verify. Nothing is kept then.
pub fn stamp(repo: &Repo, subject: &Subject) -> Result<Stamped, StampError> {
    let name = format!("{LOCAL_PREFIX}{}", subject.version());
    let path = subject.token_path(&name);
    let folder = repo.path(AUTHORITIES).join(&name);
    if let Some(path) = [&path, &folder].into_iter().find(|path| path.exists()) {
        return Err(StampError::Exists { path: path.clone() });
    }
    let request = subject.request(&name)?;
    let made = make(&name, &request)?;
    let anchors = made.anchors()?;
    let judge = |anchors: &rfc3161::Authority| {
        let verified = rfc3161::verify(&made.response, subject.digest(), anchors, Some(&request));
        verified.map_err(|source| StampError::Token {
            from: name.clone(),
            source,
        })
    };
    judge(&anchors)?;

    made.keep(&name, &anchors, &folder)?;
    let kept = Authority::load(repo, &name)
        .and_then(|authority| authority.anchors())
        .map_err(StampError::from)
        .and_then(|anchors| judge(&anchors))
        .and_then(|timestamp| keep::new_file(&path, &made.response).map(|()| timestamp));
    match kept {
        Ok(timestamp) => Ok(Stamped {
            name,
            timestamp,
            path,
        }),
        Err(error) => {
            // Without its token the authority is of no use, and its key is gone. The first error is the one to tell.
            let _ = fs::remove_dir_all(&folder);
            Err(error)
        }
    }
}

struct Made {
    root: Vec<u8>,
    signer: Vec<u8>,
    response: Vec<u8>,
}

impl Made {
    fn anchors(&self) -> Result<rfc3161::Authority, StampError> {
        rfc3161::Authority::from_roots(&self.root)
            .and_then(|authority| authority.with_intermediates(&self.signer))
            .and_then(|authority| authority.with_policy(POLICY))
            .map_err(StampError::Certificates)
    }

    /// Writes the authority's folder beside its place, and then moves it there in one step.
    fn keep(
        &self,
        name: &str,
        anchors: &rfc3161::Authority,
        folder: &Path,
    ) -> Result<(), StampError> {
        let parent = folder.parent().unwrap_or(folder);
        let failed = || RepoError::io("write", folder);
        fs::create_dir_all(parent).map_err(failed())?;
        let new = tempfile::Builder::new()
            .prefix(".new-")
            .tempdir_in(parent)
            .map_err(failed())?;
        keep::new_file(&new.path().join("root.pem"), &self.root)?;
        keep::new_file(&new.path().join("chain.pem"), &self.signer)?;
        keep::new_file(
            &new.path().join("authority.toml"),
            describe(name, anchors).as_bytes(),
        )?;
        open_to_all(new.path()).map_err(failed())?;
        fs::rename(new.path(), folder).map_err(failed())?;
        Ok(())
    }
}

fn describe(name: &str, anchors: &rfc3161::Authority) -> String {
    let mut text = format!(
        "name = \"{name}\"\n\
         description = \"made by the editors for one stamp, and its key thrown away: it proves nothing about time\"\n\
         independent = false\n\
         policies = [\"{POLICY}\"]\n"
    );
    let subjects = anchors.root_subjects();
    for (subject, sha256) in subjects.iter().zip(anchors.root_fingerprints()) {
        let sha256 = sha256.to_hex();
        text.push_str(&format!(
            "\n[[root]]\nsubject = \"{subject}\"\nsha256 = \"{sha256}\"\n"
        ));
    }
    text
}

/// A temporary folder is made for its owner alone; one of the repository is for everybody.
fn open_to_all(folder: &Path) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(folder, fs::Permissions::from_mode(0o755))?;
    }
    #[cfg(not(unix))]
    let _ = folder;
    Ok(())
}

/// Two keys, a root, a signer's certificate and an answer to the request.
fn make(name: &str, request: &[u8]) -> Result<Made, StampError> {
    let openssl = OpenSsl::new()?;
    let root_key = openssl.key()?;
    let signer_key = openssl.key()?;
    let subject = |who: &str| format!("/O=Capability Resolution editors/CN={name} {who}");
    let (root_name, signer_name) = (
        subject("root that proves no time"),
        subject("signer that proves no time"),
    );
    openssl.run(
        &[
            "req",
            "-new",
            "-x509",
            "-sha256",
            "-days",
            DAYS,
            "-key",
            "/dev/stdin",
            "-config",
            "openssl.cnf",
        ],
        &[
            "-extensions",
            "root",
            "-subj",
            &root_name,
            "-out",
            "root.pem",
        ],
        &root_key,
    )?;
    openssl.run(
        &[
            "req",
            "-new",
            "-sha256",
            "-key",
            "/dev/stdin",
            "-config",
            "openssl.cnf",
        ],
        &["-subj", &signer_name, "-out", "signer.csr"],
        &signer_key,
    )?;
    openssl.run(
        &[
            "x509",
            "-req",
            "-sha256",
            "-days",
            DAYS,
            "-in",
            "signer.csr",
            "-CA",
            "root.pem",
        ],
        &[
            "-CAkey",
            "/dev/stdin",
            "-set_serial",
            "2",
            "-extfile",
            "openssl.cnf",
            "-extensions",
            "signer",
            "-out",
            "signer.pem",
        ],
        &root_key,
    )?;
    openssl.write("request.tsq", request)?;
    openssl.run(
        &[
            "ts",
            "-reply",
            "-config",
            "openssl.cnf",
            "-section",
            "authority",
            "-queryfile",
            "request.tsq",
        ],
        &[
            "-signer",
            "signer.pem",
            "-inkey",
            "/dev/stdin",
            "-out",
            "response.tsr",
        ],
        &signer_key,
    )?;
    Ok(Made {
        root: openssl.read("root.pem")?,
        signer: openssl.read("signer.pem")?,
        response: openssl.read("response.tsr")?,
    })
}

/// RFC 3161 section 2.3 wants timeStamping as the signer's one extended key usage, and critical.
const CONFIGURATION: &str = "
[req]
distinguished_name = name
prompt = no
[name]
CN = given on the command line
[root]
basicConstraints = critical, CA:TRUE, pathlen:0
keyUsage = critical, keyCertSign
subjectKeyIdentifier = hash
[signer]
basicConstraints = critical, CA:FALSE
keyUsage = critical, digitalSignature
extendedKeyUsage = critical, timeStamping
subjectKeyIdentifier = hash
authorityKeyIdentifier = keyid:always
[authority]
serial = serial
digests = sha256, sha384, sha512
signer_digest = sha256
ess_cert_id_alg = sha256
accuracy = secs:1
";

/// `openssl` in a folder that only we can enter; it holds no key, and is removed at the end.
struct OpenSsl {
    folder: TempDir,
}

impl OpenSsl {
    fn new() -> Result<Self, StampError> {
        let failed = RepoError::io("write", std::env::temp_dir());
        let openssl = Self {
            folder: tempfile::Builder::new()
                .prefix("stamp-")
                .tempdir()
                .map_err(failed)?,
        };
        openssl.write(
            "openssl.cnf",
            format!("{CONFIGURATION}default_policy = {POLICY}\n").as_bytes(),
        )?;
        openssl.write("serial", b"01\n")?;
        Ok(openssl)
    }

    fn key(&self) -> Result<Vec<u8>, StampError> {
        self.run(
            &["genpkey", "-algorithm", "EC"],
            &["-pkeyopt", "ec_paramgen_curve:P-256"],
            b"",
        )
    }

    /// Runs one command with `input` at its standard input, and gives what it wrote to standard output.
    fn run(&self, first: &[&str], rest: &[&str], input: &[u8]) -> Result<Vec<u8>, StampError> {
        let failed = |detail: String| StampError::OpenSsl {
            step: first.iter().take(2).copied().collect::<Vec<_>>().join(" "),
            detail: detail.trim_end().to_owned(),
        };
        let mut child = Command::new("openssl")
            .args(first.iter().chain(rest).map(OsStr::new))
            .current_dir(self.folder.path())
            // The system's own configuration has no say in what is made.
            .env("OPENSSL_CONF", self.folder.path().join("openssl.cnf"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(|error| failed(error.to_string()))?;
        let stdin = child.stdin.take();
        let ended = thread::scope(|scope| {
            // A command that reads nothing may end first; what it says then is worth more than the broken pipe.
            scope.spawn(move || stdin.map(|mut pipe| pipe.write_all(input)));
            child.wait_with_output()
        });
        let ended = ended.map_err(|error| failed(error.to_string()))?;
        if !ended.status.success() {
            return Err(failed(String::from_utf8_lossy(&ended.stderr).into_owned()));
        }
        Ok(ended.stdout)
    }

    fn write(&self, name: &str, bytes: &[u8]) -> Result<(), RepoError> {
        let path = self.folder.path().join(name);
        fs::write(&path, bytes).map_err(RepoError::io("write", path))
    }

    fn read(&self, name: &str) -> Result<Vec<u8>, RepoError> {
        repo::read(&self.folder.path().join(name))
    }
}
