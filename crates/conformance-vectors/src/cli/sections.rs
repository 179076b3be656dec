//! In which section of the text a rule stands.

/// A line for each rule: its id and its section. A test keeps what vectors name equal to the text.
const SECTIONS: &str = include_str!("sections.txt");

/// The section of a rule as it is shown, `§6.5`; empty for a rule that this version of the text does not have.
pub(super) fn section(rule: &str) -> String {
    section_number(rule)
        .map(|number| format!("§{number}"))
        .unwrap_or_default()
}

/// The number of the section of a rule, `6.5`, if this version of the text has the rule.
pub(super) fn section_number(rule: &str) -> Option<&'static str> {
    SECTIONS
        .lines()
        .filter_map(|line| line.split_once(' '))
        .find(|(id, _)| *id == rule)
        .map(|(_, number)| number)
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;
    use std::fs;
    use std::path::Path;

    use super::*;

    /// The text's rules with the number of the last heading before each.
    fn of_text(text: &str) -> String {
        let (mut table, mut section) = (String::new(), String::new());
        for line in text.lines() {
            if let Some(heading) = line.strip_prefix("##") {
                let heading = heading.trim_start_matches(['#', ' ']);
                let number = heading.split(' ').next().unwrap_or_default();
                section = number.trim_end_matches('.').to_owned();
            } else if let Some(id) = line
                .strip_prefix("r[")
                .and_then(|rest| rest.split_once(" | "))
                .map(|(id, _)| id)
            {
                writeln!(table, "{id} {section}").unwrap();
            }
        }
        table
    }

    /// Rules that no vector names may be missing. To bring the table up to date:
    /// `UPDATE_SECTIONS=1 cargo test -p conformance-vectors sections`.
    #[test]
    fn the_table_is_that_of_the_text() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let text = root.join("../../spec/draft/capability-resolution.md");
        let table = of_text(&fs::read_to_string(text).unwrap());
        if std::env::var_os("UPDATE_SECTIONS").is_some() {
            fs::write(root.join("src/cli/sections.txt"), &table).unwrap();
            return;
        }
        let suite = conformance_vectors::Suite::embedded().unwrap();
        for rule in suite.vectors().flat_map(|vector| &vector.rules) {
            let line = |table: &str| {
                let mut lines = table.lines().map(str::to_owned);
                lines.find(|line| line.starts_with(&format!("{rule} ")))
            };
            assert!(line(&table).is_some(), "{rule} is no rule of the text");
            assert_eq!(
                line(SECTIONS),
                line(&table),
                "run UPDATE_SECTIONS=1 cargo test -p conformance-vectors sections"
            );
        }
    }

    #[test]
    fn a_rule_has_a_section() {
        assert_eq!(section("token.exp.expired"), "§6.5");
        assert_eq!(section_number("token.exp.expired"), Some("6.5"));
        assert_eq!(section("no.such.rule"), "");
    }
}
