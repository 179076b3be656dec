//! Verifiers that are broken on purpose. If the vectors let one pass, they let it pass in the field.
//!
//! A sound verifier, written for this test from the text alone, passes every vector; broken in any one of the ways of
//! [`mutant`], it fails at least one that names the rule which it breaks.

mod discovery;
mod documents;
mod json;
mod mutant;
mod names;
mod request;
mod signature;
mod token;
mod verifier;

use std::collections::BTreeSet;
use std::fmt::Write as _;

use conformance_vectors::{Reasons, Suite, Vector};

use mutant::Mutant;
use verifier::Verifier;

fn suite() -> Suite {
    Suite::embedded().expect("the embedded vectors")
}

fn passes(verifier: Verifier, vector: &Vector) -> bool {
    vector
        .judge(&verifier.judge(vector), Reasons::Check)
        .is_ok()
}

#[test]
fn unbroken_it_passes_every_vector() {
    let suite = suite();
    let failed: Vec<_> = suite
        .vectors()
        .filter(|vector| !passes(Verifier::sound(), vector))
        .map(|vector| format!("{}: {:?}", vector.id, Verifier::sound().judge(vector)))
        .collect();
    assert!(failed.is_empty(), "{} vectors: {failed:#?}", failed.len());
}

/// The report names the first vector that kills each mutant, one that its rule decides if there is one, and the rules
/// that nobody broke here.
#[test]
fn each_mutant_is_killed_by_a_vector_of_its_rule() {
    let suite = suite();
    let (mut report, mut survivors) = (String::new(), Vec::new());
    for mutant in Mutant::ALL {
        let kills = |vector: &&Vector| !passes(Verifier::broken(*mutant), vector);
        let decided = |vector: &&Vector| vector.rules[0] == mutant.rule();
        let about = |vector: &&Vector| vector.rules.iter().any(|rule| rule == mutant.rule());
        let killer = suite
            .vectors()
            .filter(decided)
            .chain(suite.vectors().filter(about))
            .find(kills);
        match killer {
            Some(vector) => {
                let (slug, rule, what) = (mutant.slug(), mutant.rule(), mutant.what());
                writeln!(report, "{slug} ({rule}) {what}: {}", vector.id).expect("a string");
            }
            None => {
                let elsewhere: Vec<_> = suite
                    .vectors()
                    .filter(kills)
                    .map(|v| &v.id)
                    .take(3)
                    .collect();
                survivors.push((mutant.slug(), mutant.rule(), elsewhere));
            }
        }
    }
    assert!(
        survivors.is_empty(),
        "mutants that no vector of their rule kills: {survivors:#?}"
    );

    let broken: BTreeSet<&str> = Mutant::ALL.iter().map(|mutant| mutant.rule()).collect();
    let rules: BTreeSet<&str> = suite
        .vectors()
        .flat_map(|v| &v.rules)
        .map(String::as_str)
        .collect();
    writeln!(report, "\nrules without a mutant:").expect("a string");
    for rule in rules.difference(&broken) {
        writeln!(report, "{rule}").expect("a string");
    }
    insta::assert_snapshot!(report);
}

#[test]
fn mutants_have_names_of_their_own_and_there_are_enough() {
    let slugs: BTreeSet<_> = Mutant::ALL.iter().map(|mutant| mutant.slug()).collect();
    assert_eq!(slugs.len(), Mutant::ALL.len());
    assert!(slugs.len() >= 30);
}
