//! What is proven of a frozen version, in the words of `verify-proofs`.

use maud::{Markup, html};

use crate::proofs::human;
use crate::proofs::report::{ProofReport, ProofState, Verdict, VersionReport};
use crate::site::edition::Edition;
use crate::site::layout::{self, Page, Part};
use crate::site::shown::{Shown, block};

pub(in crate::site) fn page(edition: &Edition<'_>, proof: &VersionReport) -> Markup {
    let main = html! {
        h1 { "Proof of " (edition.name) }
        p.standing.failed[proof.verdict != Verdict::Valid] { (Shown(&human::standing(proof))) }
        h2 { "The bytes" }
        @if let Some(digest) = &proof.manifest_sha256 {
            p { "The frozen files are listed in " code { "proof/" (proof.version) "/SHA256SUMS" } ", whose own SHA-256 digest is what is stamped:" }
            p { code.digest { (digest) } }
        }
        (list(&proof.checks))
        h2 { "The time" }
        @for stamp in &proof.proofs { (of_stamp(stamp)) }
        @if proof.proofs.is_empty() { p { "No proof of its time is held." } }
        @if !proof.problems.is_empty() {
            h2 { "What is wrong" }
            @for problem in &proof.problems { (block(&problem.diagnostic.to_string())) }
        }
        h2 { "Not proven" }
        ul { @for sentence in human::not_proven_of(proof) { li { (Shown(&sentence)) } } }
        h2 { "The same by hand" }
        p { "From the root of the repository:" }
        (block(&human::by_hand(proof).join("\n")))
        p.note {
            "This page repeats what " code { "cargo xtask verify-proofs" } " found when the pages were made. \
             It proves nothing itself: run the command, or the lines above."
        }
    };
    layout::page(Page {
        root: "../",
        title: format!("Proof of {}", edition.name),
        edition: Some((edition, Part::Proof)),
        contents: None,
        main,
    })
}

/// A stamp: whose word it is comes first.
fn of_stamp(stamp: &ProofReport) -> Markup {
    let whose = match (&stamp.state, stamp.independent) {
        (ProofState::Proven(_), true) => "Independent of us",
        (ProofState::Proven(_), false) => "Only our own word",
        (ProofState::Pending { .. } | ProofState::Unchecked { .. } | ProofState::Unknown, _) => {
            "Not decided"
        }
        (ProofState::Invalid, _) => "Does not hold",
    };
    let is_vouched = stamp.independent && matches!(stamp.state, ProofState::Proven(_));
    html! {
        section.stamp.independent[is_vouched] {
            h3 { (whose) }
            p { (Shown(&human::sentence(stamp))) "." }
            p { code { (Shown(&stamp.path)) } }
            (list(&stamp.checks))
        }
    }
}

fn list(checks: &[String]) -> Markup {
    html! {
        @if !checks.is_empty() {
            details {
                summary { "What was checked" }
                ul { @for check in checks { li { (Shown(check)) } } }
            }
        }
    }
}
