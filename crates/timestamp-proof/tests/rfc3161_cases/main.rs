//! Every case of the RFC 3161 fixtures, each a test with the case's own name.
//!
//! The fixtures (real tokens of some 35 authorities, and crafted ones) are not part of this repository. `FIXTURES_DIR`
//! says where they are; without it there is one test, and its name says that nothing was checked.
//!
//! `verdicts.tsv` binds each refusal to its reason: a verifier that refuses for a wrong reason refuses by luck.
#![allow(
    clippy::print_stderr,
    reason = "the harness is libtest-mimic's, so that this is no test module to clippy"
)]

mod differences;
mod fixtures;

use std::{collections::BTreeMap, env};

use libtest_mimic::{Arguments, Failed, Trial};

use self::fixtures::{Case, Fixtures};

const VERDICTS: &str = include_str!("verdicts.tsv");

/// The number of cases that the fixtures are known to have: fewer means that some were lost on the way here.
const CASES: usize = 245;

fn main() {
    let arguments = Arguments::from_args();
    let Some(folder) = env::var_os("FIXTURES_DIR") else {
        eprintln!("FIXTURES_DIR is not set: the RFC 3161 cases are skipped");
        let skipped = Trial::test("skipped_because_FIXTURES_DIR_is_not_set", || Ok(()))
            .with_ignored_flag(true);
        libtest_mimic::run(&arguments, vec![skipped]).exit();
    };
    let fixtures = Fixtures::open(folder.as_ref()).unwrap_or_else(|error| panic!("{error}"));
    let mut verdicts = BTreeMap::new();
    let mut causes = BTreeMap::new();
    for line in VERDICTS.lines() {
        let mut columns = line.split('\t');
        if let (Some(id), Some(verdict)) = (columns.next(), columns.next()) {
            verdicts.insert(id, verdict);
            causes.extend(columns.next().map(|cause| (id, cause)));
        }
    }

    let (count, known) = (fixtures.cases.len(), verdicts.len());
    let mut trials = vec![Trial::test(
        "there_are_245_cases_with_a_verdict_each",
        move || {
            same("cases", CASES, count)?;
            same("verdicts", CASES, known)
        },
    )];
    for case in fixtures.cases.clone() {
        let fixtures = fixtures.clone();
        let reason = verdicts.get(case.id.as_str()).copied();
        trials.push(Trial::test(case.id.clone(), move || {
            check(&fixtures, &case, reason)
        }));
    }
    trials.push(Trial::test(
        "the_differences_are_counted_right",
        move || differences::check(&fixtures, &causes),
    ));
    libtest_mimic::run(&arguments, trials).exit();
}

fn check(fixtures: &Fixtures, case: &Case, reason: Option<&str>) -> Result<(), Failed> {
    let verdict = fixtures.verify(case)?;
    let found = match &verdict {
        Ok(_) => "valid",
        Err((code, _)) => *code,
    };
    if verdict.as_ref().is_err_and(|(_, text)| text.len() < 20) {
        return Err("a refusal without words".into());
    }
    if let (Ok(stamp), Some(gen_time)) = (&verdict, &case.gen_time) {
        // The fixtures hold what another program read, which cut long fractions off.
        let found = stamp.gen_time.to_string().replace(['-', ':', 'T'], "");
        if !found.starts_with(gen_time.trim_end_matches('Z')) {
            return Err(format!("expected genTime {gen_time}, found {found}").into());
        }
    }
    let is_valid = verdict.is_ok();
    if case.level != "may" && is_valid != (case.expected == "valid") {
        return Err(format!("expected {}, found {found}", case.expected).into());
    }
    same("verdict", reason.unwrap_or("none in verdicts.tsv"), found)
}

fn same<T: PartialEq + std::fmt::Display>(what: &str, expected: T, found: T) -> Result<(), Failed> {
    if expected == found {
        Ok(())
    } else {
        Err(format!("{what}: expected {expected}, found {found}").into())
    }
}
