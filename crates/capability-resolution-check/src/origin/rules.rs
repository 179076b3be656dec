//! Where a rule stands in the text, and how strong it is.

use std::fmt;

use serde::Serialize;

/// A line for each rule of the text: id, section, level, and how it is tested. A test keeps the table equal to the text,
/// which a published crate does not hold.
const RULES: &str = include_str!("rules.txt");

/// How strong a rule is: section 2.1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "UPPERCASE")]
pub(crate) enum Level {
    Must,
    Should,
    May,
}

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Must => "MUST",
            Self::Should => "SHOULD",
            Self::May => "MAY",
        })
    }
}

/// A rule of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Rule {
    pub(crate) id: &'static str,
    /// Number of the section, `6.3`.
    pub(crate) section: &'static str,
    pub(crate) level: Level,
    /// Whether the text says that the checker tests it.
    #[cfg(test)]
    pub(crate) is_checked: bool,
}

/// Every rule, in the order of the text.
pub(crate) fn rules() -> impl Iterator<Item = Rule> {
    RULES.lines().filter_map(|line| {
        let mut words = line.split(' ');
        Some(Rule {
            id: words.next()?,
            section: words.next()?,
            level: match words.next()? {
                "MUST" => Level::Must,
                "SHOULD" => Level::Should,
                _ => Level::May,
            },
            #[cfg(test)]
            is_checked: words.next()?.split('+').any(|way| way == "check"),
        })
    })
}

/// The rule with this id.
pub(crate) fn rule(id: &str) -> Option<Rule> {
    rules().find(|rule| rule.id == id)
}

#[cfg(test)]
mod tests {
    use std::fs;
    use std::path::Path;

    use super::*;

    /// The strongest words come first: a rule has words of one level only, which `cargo xtask lint-spec` sees to.
    const WORDS: [(&str, &str); 7] = [
        ("MUST", "MUST"),
        ("SHALL", "MUST"),
        ("REQUIRED", "MUST"),
        ("SHOULD", "SHOULD"),
        ("RECOMMENDED", "SHOULD"),
        ("MAY", "MAY"),
        ("OPTIONAL", "MAY"),
    ];

    fn of_text(text: &str) -> String {
        let lines: Vec<&str> = text.lines().collect();
        let (mut table, mut section) = (String::new(), "");
        for (at, line) in lines.iter().enumerate() {
            if let Some(heading) = line.strip_prefix("##") {
                let number = heading.trim_start_matches(['#', ' ']).split(' ').next();
                section = number.unwrap_or_default().trim_end_matches('.');
            }
            let marker = line
                .strip_prefix("r[")
                .and_then(|rest| rest.strip_suffix(']'));
            let Some((id, ways)) = marker.and_then(|marker| marker.split_once(" | ")) else {
                continue;
            };
            let body = lines[at + 1..]
                .iter()
                .take_while(|line| !line.starts_with("r[") && !line.starts_with('#'))
                .flat_map(|line| line.split(|c: char| !c.is_ascii_alphabetic()));
            let mut levels = body.filter_map(|word| WORDS.iter().find(|(name, _)| *name == word));
            let (_, level) = levels.next().unwrap_or_else(|| panic!("{id} has no level"));
            table.push_str(&format!(
                "{id} {section} {level} {}\n",
                ways.replace(", ", "+")
            ));
        }
        table
    }

    /// Rules that are no business of the checker may differ. To bring the table up to date:
    /// `UPDATE_SECTIONS=1 cargo test -p capability-resolution-check rules`.
    #[test]
    fn the_table_is_that_of_the_text() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        let text = root.join("../../spec/draft/capability-resolution.md");
        let table = of_text(&fs::read_to_string(text).unwrap());
        if std::env::var_os("UPDATE_SECTIONS").is_some() {
            fs::write(root.join("src/origin/rules.txt"), &table).unwrap();
            return;
        }
        let checked = |line: &&str| {
            line.split(' ')
                .next_back()
                .is_some_and(|ways| ways.contains("check"))
        };
        let of_checks = crate::origin::checks::all();
        let line = |table: &str, id: &str| {
            let mut lines = table.lines().map(str::to_owned);
            lines.find(|line| line.starts_with(&format!("{id} ")))
        };
        let named = of_checks.iter().map(|check| check.rule.id);
        let tagged = table
            .lines()
            .filter(checked)
            .filter_map(|line| line.split(' ').next());
        for id in named.chain(tagged) {
            assert!(line(&table, id).is_some(), "{id} is no rule of the text");
            assert_eq!(
                line(RULES, id),
                line(&table, id),
                "run UPDATE_SECTIONS=1 cargo test -p capability-resolution-check rules"
            );
        }
    }
}
