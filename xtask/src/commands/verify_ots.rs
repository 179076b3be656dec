//! `verify-ots`: does an OpenTimestamps proof hold for a file?

use std::collections::BTreeMap;
use std::fs::File;
use std::path::PathBuf;

use base16ct::lower::encode_string as hex;
use command_console::{Console, Failure, Format, Outcome};
use serde::Serialize;
use timestamp_proof::digest::{Digest, DigestAlgorithm};
use timestamp_proof::ots::{
    Attestation, BlockHeader, Checked, FileDigest, FileHash, Proof, State, Unknown, Verdict,
    Verification, display_order,
};

use super::judged::Judged;
use crate::proofs::headers::{self, Header, utc};

/// Checks an OpenTimestamps proof against a file or its digest, and against Bitcoin block headers that you give.
///
/// Exit code 0: valid; 1: invalid; 2: pending, or it could not be told.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  cargo xtask verify-ots --file text.md --proof text.md.ots
  cargo xtask verify-ots --proof x.ots \\
      --digest sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad

`--header HEIGHT:HEX` gives a Bitcoin block's 80 bytes, as `bitcoin-cli getblockheader HASH false` prints them. You
vouch for it: its proof of work and its merkle root are checked, not that the block is in the main chain.")]
pub struct Args {
    /// The file that was stamped; without it and --digest no proof is found valid.
    #[arg(
        long,
        conflicts_with = "digest",
        visible_alias = "data",
        value_name = "FILE"
    )]
    pub file: Option<PathBuf>,

    /// The digest of the file that was stamped, as sha256:HEX.
    #[arg(long, value_name = "sha256:HEX", value_parser = sha256)]
    pub digest: Option<Digest>,

    /// The detached proof, an `.ots` file.
    #[arg(long, value_name = "FILE")]
    pub proof: PathBuf,

    /// A Bitcoin block header, as HEIGHT:HEX; may be given for several heights.
    #[arg(long = "header", value_name = "HEIGHT:HEX")]
    pub headers: Vec<Header>,

    /// How the verdict is written; for json see docs/schema/verify-ots.schema.json.
    #[arg(long, value_enum, default_value_t)]
    pub format: Format,
}

fn sha256(written: &str) -> Result<Digest, String> {
    let digest: Digest = written
        .parse()
        .map_err(|error: timestamp_proof::digest::DigestError| error.to_string())?;
    match digest.algorithm() {
        DigestAlgorithm::Sha256 => Ok(digest),
        other => Err(format!(
            "OpenTimestamps does not know {other}: expected sha256:HEX"
        )),
    }
}

/// The answer, as it is written: docs/schema/verify-ots.schema.json.
type Report = Judged<Found>;

/// What the proof says.
#[derive(Debug, Default, Serialize)]
struct Found {
    #[serde(skip_serializing_if = "Option::is_none")]
    file_digest: Option<String>,
    attestations: Vec<Line>,
}

/// One attestation, as it is written.
#[derive(Debug, Default, Serialize)]
struct Line {
    kind: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    height: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    uri: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tag: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    merkle_root: Option<String>,
    /// True only if a header that was given confirms it.
    checked: bool,
    #[serde(skip)]
    contradicted: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    time: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    work_bits: Option<u32>,
}

/// Runs the command: true if the proof is valid, false if it is invalid.
///
/// # Errors
/// None: what cannot be read is a verdict too.
pub fn run(args: &Args, console: &mut Console) -> Result<Outcome, Failure> {
    let report = judge(args).unwrap_or_else(|report| report);
    Ok(report.write(args.format, console, print))
}

/// Both sides are an answer; the second is one that was reached before the end.
fn judge(args: &Args) -> Result<Report, Report> {
    let proof = File::open(&args.proof)
        .and_then(Proof::read)
        .map_err(Report::unreadable(&args.proof))?
        .map_err(|error| Report::invalid(error.code(), error.to_string()))?;
    let target = target(args, proof.file_digest().hash())?;
    let (headers, bad_header) = match headers::check(&args.headers) {
        Ok(headers) => (headers, None),
        Err(bad_header) => (BTreeMap::new(), Some(bad_header)),
    };
    let verification = proof.verify(target.as_ref(), &headers);
    let mut report = Report {
        found: Found {
            file_digest: Some(format!(
                "{}:{}",
                proof.file_digest().hash().name(),
                hex(proof.file_digest().bytes())
            )),
            attestations: verification.attestations.iter().map(Line::of).collect(),
        },
        ..weigh(&verification)
    };
    if let (Some((code, detail)), false) = (bad_header, report.verdict == "invalid") {
        report = Report {
            verdict: "invalid",
            code: Some(code),
            detail,
            ..report
        };
    }
    Ok(report)
}

fn target(args: &Args, hash: FileHash) -> Result<Option<FileDigest>, Report> {
    if let Some(path) = &args.file {
        let digest = File::open(path)
            .and_then(|file| hash.digest_reader(file))
            .map_err(Report::unreadable(path))?;
        return Ok(Some(digest));
    }
    let digest = args
        .digest
        .as_ref()
        .map(|digest| digest.as_bytes().to_vec());
    Ok(digest.and_then(|bytes| FileDigest::new(FileHash::Sha256, bytes)))
}

fn weigh(verification: &Verification) -> Report {
    match &verification.verdict {
        Verdict::Valid { height, header } => Report {
            verdict: "valid",
            code: None,
            detail: in_block(*height, header),
            found: Found::default(),
        },
        Verdict::Invalid(error) => Report::invalid(error.code(), error.to_string()),
        Verdict::Pending => Report::new(
            "pending",
            "pending",
            "a calendar has promised to put the digest into a Bitcoin block, and the proof does not say that it has: \
                     upgrade the proof after some hours (`ots upgrade`)"
                .to_owned(),
        ),
        Verdict::Unknown(reason @ Unknown::HeaderNotGiven { height }) => Report::unknown(
            reason.code(),
            format!("{reason}. Give it as --header {height}:HEX"),
        ),
        Verdict::Unknown(reason) => Report::unknown(reason.code(), reason.to_string()),
        verdict => Report::unknown("unknown-verdict", format!("{verdict:?}")),
    }
}

/// What a confirmed attestation says, and who says it.
fn in_block(height: u64, header: &BlockHeader) -> String {
    format!(
        "the digest is in Bitcoin block {height}, made by about {}. The header is the one that was given: it has the proof of \
         work that it claims (about 2^{} hashes), and that it is block {height} of the main chain is the word of who gave it",
        utc(header.time()),
        header.work_bits()
    )
}

impl Line {
    fn of(checked: &Checked) -> Self {
        let line = Self {
            kind: checked.attestation.kind(),
            checked: checked.confirmed_by().is_some(),
            contradicted: matches!(checked.state, State::Contradicted(_)),
            time: checked.confirmed_by().map(|header| utc(header.time())),
            work_bits: checked.confirmed_by().map(BlockHeader::work_bits),
            ..Self::default()
        };
        match &checked.attestation {
            Attestation::Bitcoin {
                height,
                merkle_root,
            } => Self {
                height: Some(*height),
                merkle_root: merkle_root.as_ref().map(display_order),
                ..line
            },
            Attestation::Litecoin { height } | Attestation::Ethereum { height } => Self {
                height: Some(*height),
                ..line
            },
            Attestation::Pending { uri, .. } => Self {
                uri: Some(uri.clone()),
                ..line
            },
            Attestation::Unknown { tag } => Self {
                tag: Some(hex(tag)),
                ..line
            },
            _ => line,
        }
    }
}

fn print(found: &Found, console: &mut Console) {
    if let Some(digest) = &found.file_digest {
        console.data(format_args!("  stamped   {digest}"));
    }
    for line in &found.attestations {
        let place = [&line.uri, &line.tag].into_iter().flatten().next().cloned();
        let place = line
            .height
            .map(|height| format!("block {height}"))
            .or(place)
            .unwrap_or_default();
        let state = match (line.kind, line.checked) {
            ("bitcoin", true) => "confirmed by the header given",
            ("bitcoin", false) if line.contradicted => "contradicted by the header given",
            ("bitcoin", false) => "unchecked",
            ("pending", _) => "promised",
            _ => "not checked, never counted",
        };
        console.data(format_args!("  {:<9} {place}: {state}", line.kind));
        if let Some(root) = &line.merkle_root {
            console.data(format_args!("            merkle root {root}"));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    const MAGIC: &[u8] = b"\x00OpenTimestamps\x00\x00Proof\x00\xbf\x89\xe2\xe8\x84\xe8\x92\x94";
    const BITCOIN_7: &[u8] = b"\x00\x05\x88\x96\x0d\x73\xd7\x19\x01\x01\x07";
    const PENDING: &[u8] = b"\x00\x83\xdf\xe3\x0d\x2e\xf9\x0c\x8e\x0a\x09https://c";
    const LITECOIN: &[u8] = b"\x00\x06\x86\x9a\x0d\x73\xd7\x1b\x45\x01\x07";

    /// The proof that the SHA-256 digest of `text` itself is what is attested.
    fn proof(path: &[u8]) -> Vec<u8> {
        [
            MAGIC,
            b"\x01\x08",
            FileHash::Sha256.digest(b"text").bytes(),
            path,
        ]
        .concat()
    }

    /// A header at the easiest target whose merkle root is that digest.
    fn header() -> String {
        let root = FileHash::Sha256.digest(b"text");
        (0..=u8::MAX)
            .map(|nonce| {
                [
                    &[0; 36],
                    root.bytes(),
                    &[0, 0x46, 0x49, 0x6b, 0xff, 0xff, 0x7f, 0x20, nonce, 0, 0, 0],
                ]
                .concat()
            })
            .find(|header| BlockHeader::parse(header).is_ok())
            .map(|header| hex(&header))
            .unwrap()
    }

    fn said(text: &str, proof: &[u8], headers: &[&str], format: Format) -> String {
        let dir = tempfile::tempdir().unwrap();
        let (file, proof_path) = (dir.path().join("text"), dir.path().join("text.ots"));
        fs::write(&file, text).unwrap();
        fs::write(&proof_path, proof).unwrap();
        let headers = headers
            .iter()
            .map(|header| header.parse().unwrap())
            .collect();
        let file = (text != "no file").then_some(file);
        let args = Args {
            file,
            digest: None,
            proof: proof_path,
            headers,
            format,
        };
        let (mut console, captured) = Console::captured();
        let outcome = run(&args, &mut console).unwrap();
        assert_eq!(captured.err(), "");
        format!("{}exit code {}\n", captured.out(), outcome.code())
            .replace(&dir.path().display().to_string(), "[dir]")
    }

    #[test]
    fn every_verdict_says_what_it_means() {
        let header = header();
        let seven = format!("7:{header}");
        let both = [b"\xff", PENDING, BITCOIN_7].concat();
        let cases: [(&str, &str, &[u8], &[&str]); 11] = [
            ("valid", "text", &both, &[&seven]),
            ("unchecked", "text", &both, &[]),
            ("another header", "text", &both, &[&format!("8:{header}")]),
            ("no file", "no file", &both, &[&seven]),
            ("pending", "text", PENDING, &[]),
            ("another chain", "text", LITECOIN, &[&seven]),
            ("another file", "texts", &both, &[&seven]),
            (
                "another root",
                "text",
                &[b"\xf2", BITCOIN_7].concat(),
                &[&seven],
            ),
            ("a short header", "text", &both, &[&seven[..160]]),
            (
                "two headers",
                "text",
                &both,
                &[
                    &seven,
                    &format!("7:{}", header.replace("0046496b", "0146496b")),
                ],
            ),
            ("a web page", "text", b"<!doctype html>", &[]),
        ];
        let told: Vec<_> = cases
            .into_iter()
            .map(|(name, text, path, headers)| {
                let bytes = if name == "a web page" {
                    path.to_vec()
                } else {
                    proof(path)
                };
                format!("# {name}\n{}", said(text, &bytes, headers, Format::Human))
            })
            .collect();
        insta::assert_snapshot!(told.join("\n"));
        insta::assert_snapshot!(said("text", &proof(&both), &[&seven], Format::Json));
    }

    #[test]
    fn what_cannot_be_read_could_not_be_told() {
        let args = Args {
            file: None,
            digest: None,
            proof: "no/such/proof.ots".into(),
            headers: Vec::new(),
            format: Format::Human,
        };
        let (mut console, captured) = Console::captured();
        assert_eq!(run(&args, &mut console).unwrap(), Outcome::Unknown);
        assert!(
            captured
                .out()
                .starts_with("unknown [unreadable]: cannot read no/such/proof.ots"),
            "{}",
            captured.out()
        );
    }
}
