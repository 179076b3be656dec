//! Every check of an origin. Each is a pure function of what a recording shows.

mod documents;
mod errors;
mod http;
mod pages;
mod record;
mod requests;
mod resolve;
mod tokens;

use super::check::Check;
pub(super) use pages::PAGE_MAX_BYTES;

/// All of them, by what they are about and in the order of the text.
pub(crate) fn all() -> Vec<Check> {
    let mut checks: Vec<Check> = [
        http::checks(),
        documents::checks(),
        resolve::checks(),
        requests::checks(),
        errors::checks(),
        tokens::checks(),
        record::checks(),
        pages::checks(),
    ]
    .into_iter()
    .flatten()
    .flatten()
    .collect();
    checks.sort_by_key(|check| check.group);
    checks
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::Path;

    use serde_json::{Value, json};

    use super::*;
    use crate::origin::rules::rules;

    #[test]
    fn every_check_has_an_id_of_its_own() {
        let all = all();
        let ids: BTreeSet<String> = all.iter().map(Check::id).collect();
        assert_eq!(ids.len(), all.len());
        assert!(all.len() >= 60);
    }

    /// Rules that the text gives to the checker have a check each, so that none is forgotten.
    #[test]
    fn every_rule_of_the_checker_has_a_check() {
        let all = all();
        let missing: Vec<_> = rules()
            .filter(|rule| rule.is_checked && !all.iter().any(|check| check.rule.id == rule.id))
            .map(|rule| rule.id)
            .collect();
        assert_eq!(missing, [""; 0]);
    }

    /// The list is for people, and for `cargo xtask requirements`. To bring it up to date:
    /// `UPDATE_SECTIONS=1 cargo test -p capability-resolution-check checks`.
    #[test]
    fn the_list_of_checks_is_what_is_checked() {
        let one = |check: &Check| {
            json!({
                "id": check.id(),
                "rules": [check.rule.id],
                "section": check.rule.section,
                "level": check.rule.level,
                "expected": check.expected,
            })
        };
        let list: Vec<Value> = all().iter().map(one).collect();
        let text = serde_json::to_string_pretty(&list).unwrap() + "\n";
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/checks.json");
        if std::env::var_os("UPDATE_SECTIONS").is_some() {
            fs::write(&path, &text).unwrap();
        }
        assert!(
            fs::read_to_string(&path).unwrap_or_default() == text,
            "run UPDATE_SECTIONS=1 cargo test -p capability-resolution-check checks"
        );
    }
}
