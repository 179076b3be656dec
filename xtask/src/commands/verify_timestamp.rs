//! `verify-timestamp`: does an RFC 3161 time-stamp hold for a file?

use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

use command_console::{Console, Failure, Format, Outcome};
use serde::Serialize;
use timestamp_proof::digest::{Digest, DigestError};
use timestamp_proof::rfc3161::{self, Authority, AuthorityError, Error, Timestamp};

use super::judged::Judged;

/// Checks an RFC 3161 response or token against a file or its digest, and against the roots of one authority.
///
/// Exit code 0: valid; 1: invalid; 2: it could not be told.
#[derive(Debug, clap::Args)]
#[command(
    group = clap::ArgGroup::new("stamped").args(["data", "digest"]).required(true),
    after_help = "Examples:
  cargo xtask verify-timestamp --data text.md --token text.md.tsr --ca root.pem
  cargo xtask verify-timestamp --token x.tst --ca root.pem --untrusted chain.pem \\
      --digest sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad

All files given with `--ca` are the roots of one authority: do not pool those of several. Every certificate is judged
at the time that the token states, so that a token outlives the certificates; revocation is not looked at."
)]
pub struct Args {
    /// The file that was stamped.
    #[arg(long, visible_alias = "file", value_name = "FILE")]
    pub data: Option<PathBuf>,

    /// The digest of what was stamped, as sha256:HEX, sha384:HEX or sha512:HEX.
    #[arg(long, value_name = "ALG:HEX")]
    pub digest: Option<String>,

    /// The response (`.tsr`) or the bare token (`.tst`), DER.
    #[arg(long, value_name = "FILE")]
    pub token: PathBuf,

    /// Roots of the authority, PEM or DER; trusted.
    #[arg(long, required = true, num_args = 1.., value_name = "FILE")]
    pub ca: Vec<PathBuf>,

    /// Certificates that may stand between signer and root, PEM or DER; never trusted for themselves.
    #[arg(long, num_args = 1.., value_name = "FILE")]
    pub untrusted: Vec<PathBuf>,

    /// The request (`.tsq`) that the token must answer.
    #[arg(long, value_name = "FILE")]
    pub request: Option<PathBuf>,

    /// How the verdict is written; for json see docs/schema/verify-timestamp.schema.json.
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}

/// The answer, as it is written: docs/schema/verify-timestamp.schema.json.
type Report = Judged<Option<Box<Claims>>>;

/// What a valid token says.
#[derive(Debug, Serialize)]
struct Claims {
    gen_time: String,
    accuracy: Option<String>,
    policy: String,
    serial: String,
    nonce: Option<String>,
    signer: String,
    signer_sha256: String,
    message_imprint_algorithm: &'static str,
    checks: Vec<String>,
}

/// Runs the command: true if the time-stamp is valid, false if it is invalid.
///
/// # Errors
/// None: what cannot be read is a verdict too.
pub fn run(args: &Args, console: &mut Console) -> Result<Outcome, Failure> {
    let report = judge(args).unwrap_or_else(|report| report);
    Ok(report.write(args.format, console, print))
}

/// Both sides are an answer; the second is one that was reached before the end.
fn judge(args: &Args) -> Result<Report, Report> {
    let authority = authority(args)?;
    let token = read_token(&args.token)?;
    let request = args.request.as_deref().map(read_token).transpose()?;
    let digest = digest(args, &token)?;
    let stamp =
        rfc3161::verify(&token, &digest, &authority, request.as_deref()).map_err(refusal)?;
    Ok(Report {
        verdict: "valid",
        code: None,
        detail: format!(
            "{} existed by {}: that is the word of {}",
            digest,
            within(&stamp),
            stamp.signer
        ),
        found: Some(Box::new(Claims::of(&stamp))),
    })
}

fn authority(args: &Args) -> Result<Authority, Report> {
    let mut authority: Option<Authority> = None;
    for path in &args.ca {
        let bytes = read_certificates(path)?;
        let added = match authority {
            None => Authority::from_roots(&bytes),
            Some(authority) => authority.with_roots(&bytes),
        };
        authority = Some(added.map_err(not_certificates(path))?);
    }
    let mut authority = authority.ok_or_else(|| {
        Report::unknown(
            "no-root",
            "no root was given: give one with --ca".to_owned(),
        )
    })?;
    for path in &args.untrusted {
        let bytes = read_certificates(path)?;
        authority = authority
            .with_intermediates(&bytes)
            .map_err(not_certificates(path))?;
    }
    Ok(authority)
}

/// The digest that was given; or of the file, with the hash function that the token names.
fn digest(args: &Args, token: &[u8]) -> Result<Digest, Report> {
    if let Some(written) = &args.digest {
        return written.parse().map_err(|error: DigestError| match error {
            // A time-stamp over such a digest proves nothing, whatever the token says.
            DigestError::Refused { .. } => Report::invalid(error.code(), error.to_string()),
            _ => Report::unknown(error.code(), error.to_string()),
        });
    }
    let algorithm = rfc3161::message_imprint_algorithm(token).map_err(refusal)?;
    let path = args.data.as_deref().unwrap_or(Path::new(""));
    File::open(path)
        .and_then(|mut file| Digest::of_reader(algorithm, &mut file))
        .map_err(Report::unreadable(path))
}

fn refusal(error: Error) -> Report {
    match error {
        Error::Request { .. } => Report::unknown(error.code(), error.to_string()),
        _ => Report::invalid(error.code(), error.to_string()),
    }
}

fn within(stamp: &Timestamp) -> String {
    match stamp.accuracy {
        None => stamp.gen_time.to_string(),
        Some(accuracy) => format!("{} (give or take {accuracy})", stamp.gen_time),
    }
}

fn read_token(path: &Path) -> Result<Vec<u8>, Report> {
    File::open(path)
        .and_then(rfc3161::read_token)
        .map_err(Report::unreadable(path))
}

/// One byte more than is read, so that too much is seen to be too much.
fn read_certificates(path: &Path) -> Result<Vec<u8>, Report> {
    let limit = u64::try_from(rfc3161::MAX_CERTIFICATE_BYTES).unwrap_or(u64::MAX);
    let mut bytes = Vec::new();
    File::open(path)
        .and_then(|file| file.take(limit.saturating_add(1)).read_to_end(&mut bytes))
        .map_err(Report::unreadable(path))?;
    Ok(bytes)
}

fn not_certificates(path: &Path) -> impl FnOnce(AuthorityError) -> Report {
    move |error| Report::unknown(error.code(), format!("{}: {error}", path.display()))
}

impl Claims {
    fn of(stamp: &Timestamp) -> Self {
        Self {
            gen_time: stamp.gen_time.to_string(),
            accuracy: stamp.accuracy.map(|accuracy| accuracy.to_string()),
            policy: stamp.policy.clone(),
            serial: stamp.serial.clone(),
            nonce: stamp.nonce.clone(),
            signer: stamp.signer.clone(),
            signer_sha256: stamp.signer_sha256.clone(),
            message_imprint_algorithm: stamp.message_imprint_algorithm.name(),
            checks: stamp.checks.iter().map(ToString::to_string).collect(),
        }
    }
}

fn print(claims: &Option<Box<Claims>>, console: &mut Console) {
    let Some(claims) = claims else {
        return;
    };
    let lines = [
        ("policy", Some(&claims.policy)),
        ("serial", Some(&claims.serial)),
        ("nonce", claims.nonce.as_ref()),
        ("certificate", Some(&claims.signer_sha256)),
    ];
    for (name, value) in lines {
        if let Some(value) = value {
            console.data(format_args!("  {name:<11}  {value}"));
        }
    }
    for check in &claims.checks {
        console.data(format_args!("  checked      {check}"));
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// A response made for tests, by an authority whose keys are gone.
    fn folder() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates/timestamp-proof/tests/data")
    }

    fn args(format: Format) -> Args {
        let folder = folder();
        Args {
            data: Some(folder.join("stamped.txt")),
            digest: None,
            token: folder.join("response.tsr"),
            ca: vec![folder.join("root.pem")],
            untrusted: Vec::new(),
            request: Some(folder.join("request.tsq")),
            format,
        }
    }

    fn said(args: &Args) -> String {
        let (mut console, captured) = Console::captured();
        let outcome = run(args, &mut console).unwrap();
        assert_eq!(captured.err(), "");
        format!("{}exit code {}\n", captured.out(), outcome.code())
    }

    #[test]
    fn every_verdict_says_what_it_means() {
        let dir = tempfile::tempdir().unwrap();
        let write = |name: &str, bytes: &[u8]| {
            let path = dir.path().join(name);
            fs::write(&path, bytes).unwrap();
            path
        };
        let human = || args(Format::Human);
        let schemes = folder().join("schemes.pem");
        let huge = dir.path().join("huge.tsr");
        File::create(&huge)
            .unwrap()
            .set_len(100 * 1024 * 1024)
            .unwrap();
        let digest = |text: &str| Args {
            data: None,
            digest: Some(text.to_owned()),
            ..human()
        };
        let cases = [
            ("valid", human()),
            (
                "another file",
                Args {
                    data: Some(write("crlf.txt", b"what was stamped\r\n")),
                    ..human()
                },
            ),
            (
                "another authority",
                Args {
                    ca: vec![schemes],
                    ..human()
                },
            ),
            (
                "a web page",
                Args {
                    token: write("page.tsr", b"<html>502 Bad Gateway</html>"),
                    ..human()
                },
            ),
            (
                "a huge file",
                Args {
                    token: huge,
                    ..human()
                },
            ),
            (
                "a weak digest",
                digest("md5:d41d8cd98f00b204e9800998ecf8427e"),
            ),
            (
                "a short digest",
                digest("sha256:d41d8cd98f00b204e9800998ecf8427e"),
            ),
            (
                "no certificate",
                Args {
                    ca: vec![write("notes.pem", b"notes")],
                    ..human()
                },
            ),
            (
                "no request",
                Args {
                    request: Some(write("notes.tsq", b"notes")),
                    ..human()
                },
            ),
        ];
        let told: Vec<_> = cases
            .iter()
            .map(|(name, args)| format!("# {name}\n{}", said(args)))
            .collect();
        let told = told
            .join("\n")
            .replace(&dir.path().display().to_string(), "[dir]");
        insta::assert_snapshot!(told);
        insta::assert_snapshot!(said(&args(Format::Json)));

        // The rest of this line is the operating system's.
        let told = said(&Args {
            data: Some("no/such/file".into()),
            ..human()
        });
        assert!(
            told.starts_with("unknown [unreadable]: cannot read no/such/file: "),
            "{told}"
        );
        assert!(told.ends_with("exit code 2\n"), "{told}");
    }
}
