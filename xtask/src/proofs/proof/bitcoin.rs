//! An OpenTimestamps proof (`.ots`) beside a manifest.

use command_console::Diagnostic;
use timestamp_proof::ots::{
    Attestation, FileDigest, FileHash, Proof, Unknown, Verdict, Verification, display_order,
};

use super::{Content, Stamped};
use crate::proofs::Context;
use crate::proofs::files;
use crate::proofs::headers::{self, utc};
use crate::proofs::report::{Problem, ProofKind, ProofReport, ProofState, Proven};
use crate::repo::RepoError;

/// Compares the proof at `path` with what it is a proof of, and with the block headers at hand.
pub(super) fn verify(
    context: &Context<'_>,
    path: &str,
    stamped: &Stamped,
) -> (ProofReport, Option<Problem>) {
    let mut report = ProofReport {
        path: path.to_owned(),
        stamped: stamped.path.clone(),
        kind: ProofKind::Opentimestamps,
        by: "bitcoin".to_owned(),
        described: "the Bitcoin chain".to_owned(),
        independent: true,
        state: ProofState::Invalid,
        checks: Vec::new(),
        by_hand: Vec::new(),
    };
    let problem = judge(context, path, stamped, &mut report).err();
    if let (Some(problem), ProofState::Invalid) = (&problem, &report.state) {
        report.state = ProofState::of(problem);
    }
    (report, problem)
}

fn judge(
    context: &Context<'_>,
    path: &str,
    stamped: &Stamped,
    report: &mut ProofReport,
) -> Result<(), Problem> {
    let message = format!("{path} does not show when {} existed", stamped.path);
    let refused = |code: &str, why: String| Diagnostic::error(code, &message).note(why);

    let file = files::open(context.repo, path).map_err(|fault| fault.problem(path))?;
    let proof = Proof::read(file)
        .map_err(|error| Problem::unreadable(path, &RepoError::io("read", path)(error)))?
        .map_err(|error| Problem::invalid(refused(error.code(), error.to_string())))?;
    report.checks.push(format!(
        "the proof is well formed, with {} attestations",
        proof.attestations().len()
    ));

    let digest = match &stamped.content {
        Content::Bytes(bytes) => Some(FileHash::Sha256.digest(bytes)),
        Content::Sha256(digest) => FileDigest::new(FileHash::Sha256, digest.as_bytes().to_vec()),
    };
    let verification = proof.verify(digest.as_ref(), &context.headers);
    if let Verdict::Invalid(error) = &verification.verdict {
        return Err(Problem::invalid(refused(error.code(), error.to_string())));
    }
    report.checks.push(format!(
        "it begins with the SHA-256 digest of {}",
        stamped.path
    ));
    report
        .by_hand
        .push(format!("ots verify -f {} {path}", stamped.path));

    let undecided = |diagnostic: Diagnostic| Err(Problem::unknown(diagnostic));
    match &verification.verdict {
        Verdict::Valid { height, header } if header.work_bits() < context.least_work_bits => {
            report.state = ProofState::Unknown;
            let message =
                format!("the header of block {height} is too easy to make to count for {path}");
            let diagnostic = Diagnostic::error("header-weak", message)
                .fact(
                    "expected",
                    format!(
                        "about 2^{} hashes or more, as in the main chain",
                        context.least_work_bits
                    ),
                )
                .fact("found", format!("about 2^{} hashes", header.work_bits()));
            undecided(diagnostic)
        }
        Verdict::Valid { height, header } => {
            report.checks.push(format!(
                "it leads to the merkle root in the header of block {height}"
            ));
            report.checks.push(format!(
                "that header meets its own target, which takes about 2^{} hashes; that it is block {height} of the main \
                 chain is the word of who gave it",
                header.work_bits()
            ));
            report.state = ProofState::Proven(Proven::Block {
                height: *height,
                time: utc(header.time()),
                work_bits: header.work_bits(),
            });
            Ok(())
        }
        Verdict::Pending => {
            report.state = ProofState::Pending {
                calendars: calendars(&proof),
            };
            let message =
                format!("{path} proves nothing yet: calendars have promised a Bitcoin block");
            let version = path.split('/').nth(1).unwrap_or_default();
            let diagnostic = Diagnostic::error("pending", message)
                .fact("promised by", calendars(&proof).join(", "))
                .help(format!(
                    "some hours later: cargo xtask-network stamp {version} --ots --upgrade"
                ));
            undecided(diagnostic)
        }
        Verdict::Unknown(Unknown::HeaderNotGiven { height }) => {
            let merkle_root = merkle_root(&verification, *height);
            let root = merkle_root.clone().unwrap_or_default();
            report.state = ProofState::Unchecked {
                height: *height,
                merkle_root,
            };
            let message = format!(
                "{path} leads to Bitcoin block {height}, whose header is not at hand: unchecked"
            );
            let diagnostic = Diagnostic::error("header-not-given", message)
                .fact("merkle root", format!("{root}   which block {height} has if the proof is true"))
                .help(format!("get the header from a node of yours, and give it: --header {height}:HEX, or a line {height}:HEX in {}", headers::PATH));
            undecided(diagnostic)
        }
        Verdict::Unknown(reason) => undecided(refused(reason.code(), reason.to_string())),
        verdict => undecided(refused("unknown-verdict", format!("{verdict:?}"))),
    }
}

fn calendars(proof: &Proof) -> Vec<String> {
    let uri = |attestation: &Attestation| match attestation {
        Attestation::Pending { uri, .. } => Some(uri.clone()),
        _ => None,
    };
    let mut uris: Vec<_> = proof.attestations().filter_map(uri).collect();
    uris.dedup();
    uris
}

fn merkle_root(verification: &Verification, lowest: u64) -> Option<String> {
    verification
        .attestations
        .iter()
        .find_map(|checked| match &checked.attestation {
            Attestation::Bitcoin {
                height,
                merkle_root,
            } if *height == lowest => merkle_root.as_ref().map(display_order),
            _ => None,
        })
}
