//! An RFC 3161 time-stamp (`.tsr`) beside a manifest.

use command_console::Diagnostic;
use timestamp_proof::digest::{Digest, DigestAlgorithm};
use timestamp_proof::rfc3161::{self, Timestamp};

use super::{Content, Stamped};
use crate::proofs::authority::{Authority, AuthorityError};
use crate::proofs::files;
use crate::proofs::report::{Problem, ProofKind, ProofReport, ProofState, Proven};
use crate::proofs::{AUTHORITIES, Context};
use crate::repo::RepoError;

/// Judges the token at `path` by the one authority in its name.
pub(super) fn verify(
    context: &Context<'_>,
    path: &str,
    stamped: &Stamped,
    authority: &Authority,
) -> (ProofReport, Option<Problem>) {
    let description = authority.description();
    let report = ProofReport {
        path: path.to_owned(),
        stamped: stamped.path.clone(),
        kind: ProofKind::Rfc3161,
        by: description.name.clone(),
        described: description.description.clone(),
        independent: description.independent,
        state: ProofState::Invalid,
        checks: Vec::new(),
        by_hand: Vec::new(),
    };
    match judge(context, path, stamped, authority) {
        Ok(timestamp) => {
            let checks = timestamp.checks.iter().map(ToString::to_string).collect();
            let by_hand = vec![by_hand(
                path,
                stamped,
                authority,
                timestamp.gen_time.unix_seconds(),
            )];
            let state = ProofState::Proven(claim(timestamp));
            (
                ProofReport {
                    state,
                    checks,
                    by_hand,
                    ..report
                },
                None,
            )
        }
        Err(problem) => (
            ProofReport {
                state: ProofState::of(&problem),
                ..report
            },
            Some(problem),
        ),
    }
}

fn judge(
    context: &Context<'_>,
    path: &str,
    stamped: &Stamped,
    authority: &Authority,
) -> Result<Timestamp, Problem> {
    let anchors = authority.anchors().map_err(|error| {
        let diagnostic = Diagnostic::from_error(&error).fact("proof", path);
        match error {
            AuthorityError::RootNotPinned { found, pinned, .. } => Problem::invalid(
                diagnostic
                    .fact("pinned", format!("sha256 {}", pinned.join(", ")))
                    .fact("found", format!("sha256 {found}")),
            ),
            _ => Problem::unknown(diagnostic),
        }
    })?;
    let token = read(context, path)?;
    let request = match path
        .strip_suffix("tsr")
        .map(|stem| read(context, &format!("{stem}tsq")))
    {
        Some(Ok(request)) => Some(request),
        Some(Err(problem)) if problem.diagnostic.code() != "file-missing" => {
            return Err(problem);
        }
        _ => None,
    };
    let refused = |error: rfc3161::Error| refusal(path, stamped, authority, &error);
    let algorithm = rfc3161::message_imprint_algorithm(&token).map_err(refused)?;
    let digest = digest(context, path, stamped, algorithm)?;
    rfc3161::verify(&token, &digest, &anchors, request.as_deref()).map_err(refused)
}

/// A token or a request, never more of it than the verification looks at.
fn read(context: &Context<'_>, path: &str) -> Result<Vec<u8>, Problem> {
    let file = files::open(context.repo, path).map_err(|fault| fault.problem(path))?;
    rfc3161::read_token(file)
        .map_err(|error| Problem::unreadable(path, &RepoError::io("read", path)(error)))
}

fn digest(
    context: &Context<'_>,
    token_path: &str,
    stamped: &Stamped,
    algorithm: DigestAlgorithm,
) -> Result<Digest, Problem> {
    let frozen = match &stamped.content {
        Content::Bytes(bytes) => return Ok(Digest::of_bytes(algorithm, bytes)),
        Content::Sha256(frozen) if algorithm == DigestAlgorithm::Sha256 => {
            return Ok(frozen.clone());
        }
        Content::Sha256(frozen) => frozen,
    };
    // What is wrong with the file is told where the files are; here it matters that the frozen one is not at hand.
    let path = &stamped.path;
    let bytes = files::read(context.repo, path).ok();
    let is_frozen = |bytes: &Vec<u8>| &Digest::of_bytes(DigestAlgorithm::Sha256, bytes) == frozen;
    match bytes.filter(is_frozen) {
        Some(bytes) => Ok(Digest::of_bytes(algorithm, &bytes)),
        None => {
            let message = format!(
                "the {algorithm} digest of {path} as it was frozen cannot be told without that file"
            );
            Err(Problem::unknown(
                Diagnostic::error("frozen-file-missing", message).fact("proof", token_path),
            ))
        }
    }
}

fn refusal(
    path: &str,
    stamped: &Stamped,
    authority: &Authority,
    error: &rfc3161::Error,
) -> Problem {
    let name = &authority.description().name;
    let message = format!("{path} does not show when {} existed", stamped.path);
    let mut diagnostic = Diagnostic::error(error.code(), message)
        .fact("authority", name)
        .fact("rule", error.reference())
        .note(error.to_string());
    if let (Some(_), Some(version)) = (&authority.description().url, path.split('/').nth(1)) {
        let help = format!(
            "stamp again: rm {path} && cargo xtask-network stamp {version} --authority {name}"
        );
        diagnostic = diagnostic.help(help);
    }
    Problem::invalid(diagnostic)
}

fn claim(timestamp: Timestamp) -> Proven {
    Proven::Timestamp {
        gen_time: timestamp.gen_time.to_string(),
        accuracy: timestamp.accuracy.map(|accuracy| accuracy.to_string()),
        signer: timestamp.signer,
        serial: timestamp.serial,
        policy: timestamp.policy,
    }
}

fn by_hand(path: &str, stamped: &Stamped, authority: &Authority, at: i64) -> String {
    let folder = format!("{AUTHORITIES}/{}", authority.description().name);
    let untrusted = match authority.chain_path().is_file() {
        true => format!(" -untrusted {folder}/chain.pem"),
        false => String::new(),
    };
    format!(
        "openssl ts -verify -data {} -in {path} -CAfile {folder}/root.pem{untrusted} -attime {at}",
        stamped.path
    )
}
