//! The report in plain sentences.

use std::fmt::Write as _;

use super::manifest;
use super::report::{
    ProofReport, ProofState, Proven, Report, UpstreamBytes, UpstreamReport, Verdict, VersionReport,
};

/// Writes the report for people; `verbose` adds the checks that ran, and the same by hand.
#[must_use]
pub fn print(report: &Report, verbose: bool) -> String {
    let mut out = String::new();
    for version in &report.versions {
        heading(&mut out, version);
        for proof in &version.proofs {
            line(&mut out, &format!("  {}", sentence(proof)));
        }
        if verbose {
            details(&mut out, version);
        }
        for problem in &version.problems {
            line(&mut out, &format!("\n{}", problem.diagnostic));
        }
        out.push('\n');
    }
    for problem in &report.problems {
        line(&mut out, &format!("{}\n", problem.diagnostic));
    }
    line(&mut out, &summary(report));
    let not_proven = not_proven(report);
    if !not_proven.is_empty() {
        line(&mut out, "\nNot proven here:");
        for sentence in not_proven {
            line(&mut out, &format!("- {sentence}"));
        }
    }
    line(
        &mut out,
        "\nThis was checked offline: nothing was fetched, and no clock was asked.",
    );
    out.truncate(out.trim_end().len());
    out
}

fn line(out: &mut String, text: &str) {
    out.push_str(text);
    out.push('\n');
}

fn heading(out: &mut String, version: &VersionReport) {
    let text = format!("{}: {}", version.version, files(version));
    line(out, &text);
}

/// Whether the files of a version are the frozen ones.
#[must_use]
pub fn files(version: &VersionReport) -> String {
    let VersionReport {
        files_listed: listed,
        files_frozen: frozen,
        ..
    } = version;
    let all = match listed {
        1 => "its one file is the frozen one".to_owned(),
        _ => format!("all {listed} files are the frozen ones"),
    };
    match (listed, listed == frozen) {
        (0, _) => "nothing says which files are frozen".to_owned(),
        (_, true) => format!("{all}, byte for byte"),
        (_, false) => format!("{frozen} of {listed} files are the frozen ones"),
    }
}

/// What a proof says, and whose word it is.
#[must_use]
pub fn sentence(proof: &ProofReport) -> String {
    let ProofReport {
        path,
        by,
        described,
        ..
    } = proof;
    let stamped = match proof.stamped.strip_suffix(manifest::NAME) {
        Some(_) => manifest::NAME,
        None => &proof.stamped,
    };
    match &proof.state {
        ProofState::Proven(Proven::Timestamp {
            gen_time, accuracy, ..
        }) => {
            let within = accuracy
                .as_ref()
                .map(|accuracy| format!(" (to within {accuracy})"))
                .unwrap_or_default();
            let time = format!("{stamped} existed by {gen_time}{within}");
            if proof.independent {
                format!("{time}, says {described}: independent of us")
            } else {
                format!("{time}, says {by}: only ourselves, which proves nothing about the time")
            }
        }
        ProofState::Proven(Proven::Block { height, time, .. }) => {
            format!("{stamped} existed by {time}, says Bitcoin block {height}: independent of us")
        }
        ProofState::Pending { .. } => {
            format!("{path}: promised by calendars, not yet in a Bitcoin block")
        }
        ProofState::Unchecked { height, .. } => {
            format!("{path}: leads to Bitcoin block {height}, unchecked")
        }
        ProofState::Unknown => format!("{path}: could not tell"),
        ProofState::Invalid => format!("{path}: does not hold"),
    }
}

fn details(out: &mut String, version: &VersionReport) {
    line(out, "\n  checked");
    for check in &version.checks {
        line(out, &format!("    {check}"));
    }
    for proof in &version.proofs {
        line(out, &format!("    {}", proof.path));
        for check in &proof.checks {
            line(out, &format!("      {check}"));
        }
        if let ProofState::Proven(Proven::Timestamp {
            signer,
            serial,
            policy,
            ..
        }) = &proof.state
        {
            for (name, value) in [
                ("signed by", signer),
                ("serial", serial),
                ("policy", policy),
            ] {
                line(out, &format!("      {name} {value}"));
            }
        }
    }
    line(out, "\n  the same by hand, from the root of the repository");
    for command in by_hand(version) {
        line(out, &format!("    {command}"));
    }
}

/// The same checks with public tools, one command each, from the root of the repository.
#[must_use]
pub fn by_hand(version: &VersionReport) -> Vec<String> {
    let files = format!("sha256sum -c proof/{}/{}", version.version, manifest::NAME);
    let proofs = version
        .proofs
        .iter()
        .flat_map(|proof| proof.by_hand.clone());
    std::iter::once(files).chain(proofs).collect()
}

/// What holds of one version, in a sentence or two that need not name it.
#[must_use]
pub fn standing(version: &VersionReport) -> String {
    if version.verdict != Verdict::Valid {
        return summary(&alone(version));
    }
    let who = if version.independent {
        "Somebody"
    } else {
        "Nobody"
    };
    format!(
        "Frozen: {}. {who} independent vouches for the time.",
        files(version)
    )
}

/// What is not proven of one version.
#[must_use]
pub fn not_proven_of(version: &VersionReport) -> Vec<String> {
    not_proven(&alone(version))
}

fn alone(version: &VersionReport) -> Report {
    Report {
        verdict: version.verdict,
        versions: vec![version.clone()],
        ..Report::default()
    }
}

fn summary(report: &Report) -> String {
    let versions = &report.versions;
    let of = |verdict| -> Vec<&str> {
        versions
            .iter()
            .filter(|version| version.verdict == verdict)
            .map(|version| version.version.as_str())
            .collect()
    };
    let (invalid, unknown) = (of(Verdict::Invalid), of(Verdict::Unknown));
    let mut text = String::new();
    let all = versions.len();
    let _ = match (invalid.as_slice(), all) {
        ([], _) => Ok(()),
        ([one], 1) => write!(text, "{one} does not hold. "),
        ([one], _) => write!(text, "1 of {all} versions does not hold: {one}. "),
        (some, _) => write!(
            text,
            "{} of {all} versions do not hold: {}. ",
            some.len(),
            and(some)
        ),
    };
    for version in versions
        .iter()
        .filter(|version| stamp_outlives_files(version))
    {
        let _ = write!(
            text,
            "The proof of its time is good: it covers the frozen digests of {}, not the files on disk. ",
            version.version
        );
    }
    if !unknown.is_empty() {
        let _ = write!(text, "Could not tell whether {} holds. ", and(&unknown));
    }
    if text.is_empty() && !versions.is_empty() {
        let verb = if versions.len() == 1 {
            "exists, and its"
        } else {
            "exist, and their"
        };
        let names = and(&of(Verdict::Valid));
        let _ = write!(
            text,
            "{} {verb} bytes are the frozen ones: {names}. ",
            counted(versions.len())
        );
        let vouched: Vec<_> = versions
            .iter()
            .filter(|version| version.independent)
            .map(|version| version.version.as_str())
            .collect();
        let _ = match (vouched.len(), versions.len()) {
            (0, 1) => write!(text, "Nobody independent vouches for its time."),
            (0, _) => write!(text, "Nobody independent vouches for the time of any."),
            (some, all) if some == all => write!(
                text,
                "Somebody independent vouches for the time of {names}."
            ),
            _ => write!(
                text,
                "Somebody independent vouches for the time of {} alone.",
                and(&vouched)
            ),
        };
    }
    if text.is_empty() {
        text = "Nothing was verified.".to_owned();
    }
    text.trim_end().to_owned()
}

fn and(names: &[&str]) -> String {
    match names {
        [] => String::new(),
        [one] => (*one).to_owned(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

fn counted(versions: usize) -> String {
    if versions == 1 {
        "1 version".to_owned()
    } else {
        format!("{versions} versions")
    }
}

fn stamp_outlives_files(version: &VersionReport) -> bool {
    let manifest = format!("proof/{}/{}", version.version, manifest::NAME);
    version.files_frozen < version.files_listed
        && version
            .proofs
            .iter()
            .any(|proof| proof.is_proven() && proof.stamped == manifest)
}

/// What the proofs that are held do not prove.
#[must_use]
pub fn not_proven(report: &Report) -> Vec<String> {
    let mut sentences: Vec<_> = report
        .versions
        .iter()
        .filter(|version| !version.independent)
        .map(|version| {
            let name = &version.version;
            let own: Vec<_> = version.proofs.iter().filter(|proof| proof.is_proven() && !proof.independent).collect();
            let mut sentence = match own.as_slice() {
                [] => format!("the time of {name}: no proof of it holds here."),
                [first, ..] => format!(
                    "the time of {name}: only {} has stamped it, an authority that we made ourselves. \
                     proof/README.md says how to ask an independent one.",
                    first.by
                ),
            };
            let unanswered: Vec<_> = version.unanswered.iter().map(String::as_str).collect();
            if !unanswered.is_empty() {
                let _ = write!(sentence, " Requests that nobody has answered yet: {}.", and(&unanswered));
            }
            sentence
        })
        .collect();
    sentences.extend(report.upstream.iter().map(upstream));
    if !report.versions.is_empty() {
        sentences.push(
            "who wrote a text, or that it is right: a proof says when bytes existed, and no more."
                .to_owned(),
        );
    }
    sentences
}

fn upstream(report: &UpstreamReport) -> String {
    let UpstreamReport {
        version, publisher, ..
    } = report;
    let mut stated = Vec::new();
    if let Some(sha256) = &report.sha256 {
        stated.push(format!("the SHA-256 digest {sha256}"));
    }
    if let Some(time) = &report.timestamp {
        let by = report
            .timestamp_by
            .as_ref()
            .map(|by| format!(" by {by}"))
            .unwrap_or_default();
        stated.push(format!("an RFC 3161 time of {time}{by}"));
    }
    if let Some(block) = report.bitcoin_block {
        stated.push(format!("Bitcoin block {block}"));
    }
    let stated = stated.join(" and ");
    match report.bytes {
        UpstreamBytes::NotHeld => {
            let hint = match report.sha256 {
                Some(_) => format!(" Who has them: --upstream-file {version}=PATH."),
                None => String::new(),
            };
            format!(
                "anything about {version} of {publisher}: bytes not held. They state {stated}.{hint}"
            )
        }
        UpstreamBytes::AsStated => format!(
            "the time of {version} of {publisher}: the bytes given have the stated digest, and the proofs are not held. \
             They state {stated}."
        ),
        UpstreamBytes::Different => format!(
            "anything about {version} of {publisher}: the bytes given are not the stated ones."
        ),
        UpstreamBytes::Unknown => format!(
            "anything about {version} of {publisher}: the bytes given tell nothing. They state {stated}."
        ),
    }
}
