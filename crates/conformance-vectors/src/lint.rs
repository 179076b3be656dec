//! What has to hold of vectors beside what their schema says.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use crate::model::{Level, Vector, VectorFile, Verdict};

/// What the text says that vectors refer to.
#[derive(Debug, Clone, Default)]
pub struct Text {
    /// Every rule with its level.
    pub rules: BTreeMap<String, Level>,
    /// Every code that a vector has to show at least once.
    pub codes: BTreeSet<String>,
}

/// Something that is wrong with vectors.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Finding {
    /// The vector, or the file or code that it is about.
    pub about: String,
    /// What is wrong, and what is expected.
    pub what: String,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.about, self.what)
    }
}

/// Checks ids, counts, references, levels and codes of all files together.
#[must_use]
pub fn lint(files: &[VectorFile], text: &Text) -> Vec<Finding> {
    let mut findings = Vec::new();
    let mut known: BTreeMap<&str, &Vector> = BTreeMap::new();
    let withdrawn: BTreeSet<&str> = files
        .iter()
        .flat_map(|file| &file.withdrawn)
        .map(|entry| entry.id.as_str())
        .collect();
    for file in files {
        let mut find = |about: &str, what: String| {
            findings.push(Finding {
                about: about.to_owned(),
                what,
            })
        };
        if file.number_of_tests != file.tests.len() {
            find(
                file.kind.name(),
                format!(
                    "numberOfTests is {}, and there are {}",
                    file.number_of_tests,
                    file.tests.len()
                ),
            );
        }
        for vector in &file.tests {
            for what in faults(vector, text) {
                find(&vector.id, what);
            }
            let stem = vector
                .id
                .strip_prefix(file.kind.name())
                .and_then(|rest| rest.strip_prefix('-'));
            if stem.is_none_or(|stem| !is_slug(stem)) {
                find(
                    &vector.id,
                    format!(
                        "an id is {}- and then words of a to z and 0 to 9, joined by hyphens",
                        file.kind
                    ),
                );
            }
            if known.insert(&vector.id, vector).is_some() {
                find(
                    &vector.id,
                    "an id stands for one vector, and this one for two".to_owned(),
                );
            }
            if withdrawn.contains(vector.id.as_str()) {
                find(
                    &vector.id,
                    "an id that was withdrawn is never used again".to_owned(),
                );
            }
        }
    }
    for vector in files.iter().flat_map(|file| &file.tests) {
        let Some(base) = &vector.derived_from else {
            continue;
        };
        let is_sound = known
            .get(base.as_str())
            .is_some_and(|base| base.result == Verdict::Valid && base.id != vector.id);
        if !is_sound {
            findings.push(Finding {
                about: vector.id.clone(),
                what: format!("derivedFrom names {base}, which is no other, valid vector"),
            });
        }
    }
    let shown: BTreeSet<&str> = known
        .values()
        .filter_map(|vector| vector.reason.as_deref())
        .chain(dropped(files))
        .collect();
    findings.extend(
        text.codes
            .iter()
            .filter(|code| !shown.contains(code.as_str()))
            .map(|code| Finding {
                about: code.clone(),
                what: "no vector has this code as its reason".to_owned(),
            }),
    );
    findings
}

/// The codes with which candidates of valid answers are dropped.
fn dropped(files: &[VectorFile]) -> impl Iterator<Item = &str> {
    files
        .iter()
        .flat_map(|file| &file.tests)
        .filter_map(|vector| vector.output.as_ref()?.get("dropped")?.as_array())
        .flatten()
        .filter_map(|entry| entry.get("reason")?.as_str())
}

fn faults(vector: &Vector, text: &Text) -> Vec<String> {
    let mut faults = Vec::new();
    let mut expect = |holds: bool, what: &str| {
        if !holds {
            faults.push(what.to_owned());
        }
    };
    expect(!vector.comment.is_empty(), "a comment says what is special");
    expect(
        vector.mutation.is_some() == vector.derived_from.is_some(),
        "mutation and derivedFrom come together",
    );
    expect(
        vector
            .mutation
            .as_ref()
            .is_none_or(|mutation| mutation.chars().count() <= 200),
        "a mutation is a short name",
    );
    expect(
        vector.result == Verdict::Invalid || vector.reason.is_none(),
        "a valid vector has no reason",
    );
    let always = vector.operation.always_yields();
    expect(
        vector.result == Verdict::Valid || vector.output.is_some() == always,
        "an invalid vector has an output only where the operation has one for it",
    );
    expect(
        vector
            .input
            .expanded()
            .0
            .keys()
            .all(|name| !name.ends_with("_parts")),
        "parts are texts with counts",
    );
    expect(
        vector.result == Verdict::Valid || vector.derived_from.is_some(),
        "an invalid vector is a change of a valid one",
    );
    let may_lack_code = always && !vector.operation.has_codes();
    expect(
        may_lack_code
            || vector.reason.is_some()
                == (vector.result == Verdict::Invalid && vector.operation.has_codes()),
        "an invalid vector has a reason where its operation has codes",
    );
    let unique: BTreeSet<_> = vector.rules.iter().collect();
    expect(unique.len() == vector.rules.len(), "a rule is named once");
    match vector.rules.first() {
        None => faults.push("rules names the deciding rule first".to_owned()),
        Some(first) => {
            let level = text.rules.get(first);
            if level.is_some_and(|level| *level != vector.level) {
                faults.push(format!("level is not that of the deciding rule {first}"));
            }
        }
    }
    for rule in vector
        .rules
        .iter()
        .filter(|rule| !text.rules.contains_key(*rule))
    {
        faults.push(format!("the text has no rule {rule}"));
    }
    faults
}

fn is_slug(text: &str) -> bool {
    text.split('-').all(|word| {
        !word.is_empty()
            && word
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::load::Suite;
    use crate::model::Withdrawn;

    /// A text that has every rule of some vectors, with the levels that they name, and no codes.
    fn text_of(files: &[VectorFile]) -> Text {
        let vectors = || files.iter().flat_map(|file| &file.tests);
        let rules = vectors().flat_map(|vector| &vector.rules);
        let mut rules: BTreeMap<_, _> = rules.map(|rule| (rule.clone(), Level::Must)).collect();
        for vector in vectors() {
            rules.extend(
                vector
                    .rules
                    .first()
                    .map(|rule| (rule.clone(), vector.level)),
            );
        }
        Text {
            rules,
            codes: BTreeSet::new(),
        }
    }

    /// The findings after one change of the embedded files.
    fn found(change: impl FnOnce(&mut Vec<VectorFile>, &mut Text)) -> Vec<String> {
        let mut files = Suite::embedded().unwrap().files().to_vec();
        let mut text = text_of(&files);
        change(&mut files, &mut text);
        lint(&files, &text)
            .iter()
            .map(ToString::to_string)
            .collect()
    }

    /// The first vector that was made from another.
    fn derived(files: &mut [VectorFile]) -> &mut Vector {
        let mut tests = files[0].tests.iter_mut();
        tests.find(|vector| vector.derived_from.is_some()).unwrap()
    }

    #[test]
    fn the_embedded_files_are_sound() {
        assert_eq!(found(|_, _| ()), [""; 0]);
    }

    #[test]
    fn every_fault_is_found() {
        type Change = fn(&mut Vec<VectorFile>, &mut Text);
        let changes: [(&str, Change); 17] = [
            ("numberOfTests", |files, _| files[0].number_of_tests += 1),
            ("an id is token-", |files, _| {
                derived(files).id = "token-Upper".into()
            }),
            ("an id is token-", |files, _| {
                derived(files).id = "answer-other".into()
            }),
            ("for two", |files, _| {
                derived(files).id = files[0].tests[0].id.clone()
            }),
            ("never used again", |files, _| {
                let id = derived(files).id.clone();
                files[0].withdrawn.push(Withdrawn {
                    id,
                    why: "wrong".into(),
                });
            }),
            ("no other, valid vector", |files, _| {
                derived(files).derived_from = Some("token-none".into())
            }),
            ("no other, valid vector", |files, _| {
                let own = derived(files).id.clone();
                derived(files).derived_from = Some(own);
            }),
            ("come together", |files, _| derived(files).mutation = None),
            ("a comment", |files, _| derived(files).comment.clear()),
            ("short name", |files, _| {
                derived(files).mutation = Some("x".repeat(201))
            }),
            ("has no reason", |files, _| {
                files[0].tests[0].reason = Some("expired".into())
            }),
            ("has a reason", |files, _| {
                files[0].tests[0].result = Verdict::Invalid
            }),
            ("change of a valid one", |files, _| {
                files[0].tests[0].result = Verdict::Invalid
            }),
            ("is named once", |files, _| {
                let rule = files[0].tests[0].rules[0].clone();
                files[0].tests[0].rules.push(rule);
            }),
            ("deciding rule first", |files, _| {
                files[0].tests[0].rules.clear()
            }),
            ("the text has no rule", |files, _| {
                files[0].tests[0].rules[0] = "no.rule".into()
            }),
            ("no vector has this code", |_, text| {
                text.codes.insert("no-such-code".into());
            }),
        ];
        for (expected, change) in changes {
            let found = found(change);
            assert!(
                found.iter().any(|line| line.contains(expected)),
                "{expected}: {found:?}"
            );
        }
        let level = found(|_, text| {
            text.rules
                .values_mut()
                .for_each(|level| *level = Level::Should)
        });
        assert!(level[0].contains("level is not that"), "{level:?}");
    }
}
