//! Every case of `ots/cases.json` in the fixtures, as a test of its own.
#![expect(
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "a test without libtest's harness"
)]

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::{env, fs};

use libtest_mimic::{Arguments, Failed, Trial};
use serde::Deserialize;
use timestamp_proof::ots::{
    Attestation, BlockHeader, Error, FileDigest, FileHash, Proof, Verdict, Verification,
    display_order,
};

const CASES: usize = 84;

/// Why each refused case is refused: a proof that is refused for another reason than its own fault shows nothing.
const REASONS: &[(&str, &str)] = &[
    ("append-4065-too-long", "message-length"),
    ("append-arg-4097", "argument-length"),
    ("append-arg-varint-70bits", "number-too-large"),
    ("append-arg-varint-unterminated", "number-too-large"),
    ("append-empty-arg", "argument-length"),
    ("att-btc-trailing-payload", "payload-trailing"),
    ("att-pending-bad-uri-char", "uri-character"),
    ("att-pending-non-utf8", "uri-character"),
    ("att-pending-trailing-payload", "payload-trailing"),
    ("att-tag-truncated", "truncated"),
    ("att-unknown-8193", "payload-length"),
    ("bad-magic-last-byte", "bad-magic"),
    ("bad-stamp", "merkle-root-mismatch"),
    ("crlf-mangled", "unknown-operation"),
    ("depth-256", "too-deep"),
    ("digest-bit-flip", "digest-mismatch"),
    ("empty-file", "bad-magic"),
    ("file-op-unknown", "unknown-file-hash"),
    ("headerless-changelog", "bad-magic"),
    ("hex-text", "bad-magic"),
    ("html-404", "bad-magic"),
    ("java-issue-58-truncated", "truncated"),
    ("khwab-context", "digest-mismatch"),
    ("obra-pending-4cal-3", "digest-mismatch"),
    ("op-ff-only", "truncated"),
    ("op-unknown-f4", "unknown-operation"),
    ("path-bit-flip", "merkle-root-mismatch"),
    ("synthetic-header-79-bytes", "header-length"),
    ("synthetic-header-no-pow", "header-work"),
    (
        "synthetic-header-root-display-order",
        "merkle-root-mismatch",
    ),
    ("target-mismatch-hello", "digest-mismatch"),
    ("target-no-final-newline", "digest-mismatch"),
    ("trailing-newline", "trailing-bytes"),
    ("trailing-second-proof", "trailing-bytes"),
    ("truncated-at-300", "truncated"),
    ("truncated-at-32", "truncated"),
    ("truncated-at-33", "truncated"),
    ("truncated-at-64", "truncated"),
    ("truncated-at-65", "truncated"),
    ("truncated-at-687", "truncated"),
    ("upstream-invalid-bad-major-version", "unsupported-version"),
    (
        "upstream-invalid-invalid-file-digest-type",
        "unknown-file-hash",
    ),
    ("version-0", "unsupported-version"),
    ("version-2", "unsupported-version"),
    ("version-varint-endless", "number-too-large"),
];

#[derive(Deserialize)]
struct Case {
    id: String,
    ots: String,
    target: Option<String>,
    target_sha256: Option<String>,
    expected: Expected,
    headers: Option<Vec<Header>>,
    verdict: String,
    level: String,
}

#[derive(Deserialize)]
struct Expected {
    parse: String,
    file_hash_op: Option<String>,
    file_digest: Option<String>,
    #[serde(default)]
    attestations: Vec<ExpectedAttestation>,
    #[serde(default)]
    counts: BTreeMap<String, usize>,
}

#[derive(Deserialize)]
struct ExpectedAttestation {
    r#type: String,
    height: Option<serde_json::Number>,
    uri: Option<String>,
    message: Option<String>,
    computed_merkle_root: Option<String>,
}

#[derive(Deserialize)]
struct Header {
    height: serde_json::Number,
    header_hex: Option<String>,
}

fn main() -> ExitCode {
    let arguments = Arguments::from_args();
    let Some(fixtures) = env::var_os("FIXTURES_DIR").map(PathBuf::from) else {
        eprintln!(
            "skipped: FIXTURES_DIR is not set, so the {CASES} OpenTimestamps cases did not run"
        );
        return ExitCode::SUCCESS;
    };
    let folder = fixtures.join("ots");
    let cases =
        fs::read(folder.join("cases.json")).expect("FIXTURES_DIR/ots/cases.json can be read");
    let cases: Vec<Case> =
        serde_json::from_slice(&cases).expect("cases.json has the documented form");
    let ids: Vec<_> = cases.iter().map(|case| case.id.clone()).collect();
    let mut trials = vec![Trial::test("all-cases-are-here", move || complete(&ids))];
    trials.extend(cases.into_iter().map(|case| {
        let folder = folder.clone();
        Trial::test(format!("{}::{}", case.level, case.id), move || {
            run(&case, &folder)
        })
    }));
    libtest_mimic::run(&arguments, trials).exit_code()
}

fn complete(ids: &[String]) -> Result<(), Failed> {
    same("number of cases", &ids.len(), &CASES)?;
    for (id, _) in REASONS {
        if !ids.iter().any(|known| known == id) {
            return Err(format!("REASONS names `{id}`, which is no case").into());
        }
    }
    Ok(())
}

fn run(case: &Case, folder: &Path) -> Result<(), Failed> {
    let bytes = fs::read(folder.join(&case.ots))?;
    let proof = match Proof::parse(&bytes) {
        Ok(proof) => proof,
        Err(error) => return judge(case, "malformed", Some(&error)),
    };
    same("parse", &"ok", &case.expected.parse.as_str())?;
    same_content(&proof, &case.expected)?;

    let target = target(case, folder, &proof)?;
    let mut headers = BTreeMap::new();
    for header in case.headers.iter().flatten() {
        let Some(bytes) = &header.header_hex else {
            continue;
        };
        let height = header.height.as_u64().ok_or("a height of 64 bits")?;
        match BlockHeader::parse(&unhex(bytes)) {
            Ok(header) => headers.insert(height, header),
            Err(error) => return judge(case, "invalid", Some(&error)),
        };
    }
    let Verification {
        verdict,
        attestations,
        ..
    } = proof.verify(target.as_ref(), &headers);
    same(
        "attestations",
        &attestations.len(),
        &proof.attestations().len(),
    )?;
    match verdict {
        Verdict::Valid { .. } => judge(case, "bitcoin-confirmed", None),
        Verdict::Invalid(error) => {
            let mismatch = matches!(
                error,
                Error::DigestMismatch { .. } | Error::DigestAlgorithm { .. }
            );
            judge(
                case,
                if mismatch {
                    "target-mismatch"
                } else {
                    "invalid"
                },
                Some(&error),
            )
        }
        Verdict::Pending => judge(case, "pending", None),
        Verdict::Unknown(reason) => match reason.code() {
            "header-not-given" => judge(case, "bitcoin-unchecked", None),
            "no-bitcoin-attestation" => judge(case, "unknown-only", None),
            code => Err(format!("no case asks for `{code}`").into()),
        },
        verdict => Err(format!("a verdict of a new kind: {verdict:?}").into()),
    }
}

/// The verdict counts for `must` and `should`; a `may` case may also be refused. A refusal has the reason that is named.
fn judge(case: &Case, verdict: &str, error: Option<&Error>) -> Result<(), Failed> {
    let known = REASONS
        .iter()
        .find(|(id, _)| *id == case.id)
        .map(|(_, code)| *code);
    if case.level != "may" {
        same("verdict", &verdict, &case.verdict.as_str())?;
        same("reason", &error.map(Error::code), &known)?;
    }
    match error {
        Some(error) if error.to_string().len() < 20 => Err(format!("no sentence: {error}").into()),
        _ => Ok(()),
    }
}

fn same_content(proof: &Proof, expected: &Expected) -> Result<(), Failed> {
    let digest = proof.file_digest();
    same(
        "file hash",
        &Some(digest.hash().name()),
        &expected.file_hash_op.as_deref(),
    )?;
    same(
        "file digest",
        &Some(hex(digest.bytes())),
        &expected.file_digest,
    )?;

    let found: Vec<_> = proof.attestations().map(describe).collect();
    for (kind, count) in &expected.counts {
        let of_kind = found.iter().filter(|(found, ..)| found == kind).count();
        same(&format!("number of {kind} attestations"), &of_kind, count)?;
    }
    same(
        "attestations",
        &found.len(),
        &expected.counts.values().sum(),
    )?;
    // Of very many, the case lists the first and the last.
    for wanted in expected
        .attestations
        .iter()
        .map(ExpectedAttestation::describe)
    {
        if !found.contains(&wanted) {
            return Err(format!("no attestation is {wanted:?}").into());
        }
    }
    Ok(())
}

/// Kind, where, and what is attested; the two last only where the public tools agree that there is something to say.
fn describe(attestation: &Attestation) -> (String, String, String) {
    let kind = attestation.kind();
    match attestation {
        Attestation::Bitcoin {
            height,
            merkle_root,
        } => {
            let root = merkle_root.as_ref().map(display_order).unwrap_or_default();
            (kind.into(), height.to_string(), root)
        }
        Attestation::Litecoin { height } => (kind.into(), height.to_string(), String::new()),
        Attestation::Pending { uri, commitment } => (
            kind.into(),
            uri.clone(),
            hex(commitment.as_deref().unwrap_or_default()),
        ),
        // The reference does not know Ethereum.
        _ => ("unknown".into(), String::new(), String::new()),
    }
}

impl ExpectedAttestation {
    fn describe(&self) -> (String, String, String) {
        let height = self
            .height
            .as_ref()
            .map(ToString::to_string)
            .unwrap_or_default();
        match self.r#type.as_str() {
            "bitcoin" => (
                "bitcoin".into(),
                height,
                self.computed_merkle_root.clone().unwrap_or_default(),
            ),
            "litecoin" => ("litecoin".into(), height, String::new()),
            "pending" => {
                let uri = self.uri.clone().unwrap_or_default();
                (
                    "pending".into(),
                    uri,
                    self.message.clone().unwrap_or_default(),
                )
            }
            _ => ("unknown".into(), String::new(), String::new()),
        }
    }
}

fn target(case: &Case, folder: &Path, proof: &Proof) -> Result<Option<FileDigest>, Failed> {
    if let Some(target) = &case.target {
        let file = fs::File::open(folder.join(target))?;
        return Ok(Some(proof.file_digest().hash().digest_reader(file)?));
    }
    Ok(case
        .target_sha256
        .as_ref()
        .and_then(|digest| FileDigest::new(FileHash::Sha256, unhex(digest))))
}

fn same<T: PartialEq + std::fmt::Debug>(what: &str, found: &T, expected: &T) -> Result<(), Failed> {
    if found == expected {
        return Ok(());
    }
    Err(format!("{what}: expected {expected:?}, found {found:?}").into())
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn unhex(digits: &str) -> Vec<u8> {
    let pairs = digits.as_bytes().chunks(2);
    pairs
        .map(|pair| u8::from_str_radix(std::str::from_utf8(pair).unwrap(), 16).unwrap())
        .collect()
}
