//! Verifiers that are broken on purpose. If the vectors let one pass, they let it pass in the field.
//!
//! A sound verifier, written for this test from the text alone, passes every vector; broken in any one of the ways of
//! [`mutant`], it fails a vector about the rule which it breaks.

mod discovery;
mod documents;
mod json;
mod mutant;
mod names;
mod request;
mod signature;
mod token;
mod verifier;

use std::collections::{BTreeMap, BTreeSet};

use conformance_vectors::{Reasons, Suite, Vector};

use mutant::Mutant;
use verifier::Verifier;

/// The vectors that the verifier of this test is for: it reads no server files and asks no resolver. What does is broken in
/// `interop/python/tests`, by `test_mutants.py` and `test_client_mutants.py`.
fn suite() -> BTreeMap<String, Vector> {
    let suite = Suite::embedded().expect("the embedded vectors");
    let vectors = suite.vectors().cloned();
    vectors
        .filter(|vector| !vector.operation.always_yields())
        .map(|vector| (vector.id.clone(), vector))
        .collect()
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
        .values()
        .filter(|vector| !passes(Verifier::sound(), vector))
        .map(|vector| format!("{}: {:?}", vector.id, Verifier::sound().judge(vector)))
        .collect();
    assert!(failed.is_empty(), "{} vectors: {failed:#?}", failed.len());
}

#[test]
fn each_mutant_is_killed_by_its_vector() {
    let suite = suite();
    let survivors: Vec<_> = Mutant::ALL
        .iter()
        .filter(|mutant| {
            let killer = suite.get(mutant.killer());
            !killer.is_some_and(|vector| {
                vector.rules.iter().any(|rule| rule == mutant.rule())
                    && !passes(Verifier::broken(**mutant), vector)
            })
        })
        .map(|mutant| {
            let about = |vector: &&Vector| vector.rules.iter().any(|rule| rule == mutant.rule());
            let kills = |vector: &&Vector| !passes(Verifier::broken(*mutant), vector);
            let others = suite.values().filter(about).filter(kills).take(3);
            let others: Vec<_> = others.map(|vector| vector.id.as_str()).collect();
            format!(
                "{} ({}): {} does not kill it, or is gone, or is about other rules; of its rule these do: {others:?}",
                mutant.slug(),
                mutant.rule(),
                mutant.killer()
            )
        })
        .collect();
    assert!(survivors.is_empty(), "{survivors:#?}");
}

/// Rules of vectors that no mutant breaks, each with the reason.
const UNBROKEN: &[(&str, &str)] = &[
    (
        "code.difference-list",
        "the names of differences stand in no output",
    ),
    (
        "code.document-list",
        "mutants break the rules that give these codes",
    ),
    (
        "code.token-list",
        "mutants break the rules that give these codes",
    ),
    (
        "keys.withdrawn",
        "breaking it takes a verifier that keeps keys from one question to the next",
    ),
    (
        "resolve.client-need",
        "a client reads a need as a resolver does, and mutants break that",
    ),
];

#[test]
fn rules_without_a_mutant_are_listed() {
    let suite = suite();
    let rules = suite.values().flat_map(|vector| &vector.rules);
    let broken: BTreeSet<&str> = Mutant::ALL.iter().map(|mutant| mutant.rule()).collect();
    let unbroken: BTreeSet<&str> = rules
        .map(String::as_str)
        .filter(|rule| !broken.contains(rule))
        .collect();
    let listed: BTreeSet<&str> = UNBROKEN.iter().map(|(rule, _)| *rule).collect();
    assert_eq!(
        unbroken, listed,
        "give each rule a mutant, or list it with the reason why there is none"
    );
}

#[test]
fn mutants_have_names_of_their_own_and_there_are_enough() {
    let slugs: BTreeSet<_> = Mutant::ALL.iter().map(|mutant| mutant.slug()).collect();
    assert_eq!(slugs.len(), Mutant::ALL.len());
    assert!(slugs.len() >= 30);
}
