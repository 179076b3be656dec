//! The frame: one title, one version line, sections numbered in order, no raw HTML.

use super::Findings;
use crate::spec::text::Heading;
use crate::spec::version::Version;

pub(super) fn check(findings: &mut Findings<'_>) {
    title(findings);
    version(findings);
    sections(findings);
    for span in &findings.text.html {
        let help = "write it as `code`, or in words: HTML disappears where Markdown is shown";
        findings.add("html", span.clone(), "raw HTML stands in the text", help);
    }
}

fn title(findings: &mut Findings<'_>) {
    let text = findings.text;
    let help = "begin the text with one `# Title`";
    match text.headings.first() {
        Some(first) if first.level == 1 => {}
        Some(first) => findings.add(
            "title",
            first.span.clone(),
            "the first heading is not the title",
            help,
        ),
        None => findings.add("title", 0..0, "the text has no title", help),
    }
    for again in text
        .headings
        .iter()
        .skip(1)
        .filter(|heading| heading.level == 1)
    {
        findings.add(
            "title",
            again.span.clone(),
            "a second title",
            "write sections as `## 1. Title`",
        );
    }
}

fn version(findings: &mut Findings<'_>) {
    let text = findings.text;
    let help = "write one line such as `Version: 0.2-rc.1` between the title and the first section";
    if text.versions.is_empty() {
        findings.add(
            "version-line",
            0..0,
            "the head does not name the version",
            help,
        );
    }
    for (index, line) in text.versions.iter().enumerate() {
        if index > 0 {
            findings.add(
                "version-line",
                line.span.clone(),
                "a second version line",
                help,
            );
        } else if let Err(error) = line.text.parse::<Version>() {
            findings.add("version-line", line.span.clone(), error.to_string(), help);
        }
    }
}

/// The numbers of the open section and the sections around it: `[6, 3]` in §6.3; appendix A is 1 with `appendix` set.
#[derive(Default)]
struct Numbering {
    numbers: Vec<usize>,
    is_appendix: bool,
}

fn sections(findings: &mut Findings<'_>) {
    let text = findings.text;
    let mut numbering = Numbering::default();
    for heading in text.headings.iter().filter(|heading| heading.level > 1) {
        if heading.level > 4 {
            let help = "use at most `#### 1.1.1 Title`";
            findings.add(
                "section-depth",
                heading.span.clone(),
                "the section lies too deep",
                help,
            );
            continue;
        }
        let expected = numbering.next(heading.level);
        if !expected
            .iter()
            .any(|prefix| heading.shown.starts_with(prefix.as_str()))
        {
            let message = match expected.as_slice() {
                [] => "the section has no section above it".to_owned(),
                prefixes => format!(
                    "section number out of order: expected \"{}\"",
                    prefixes.join("\" or \"")
                ),
            };
            findings.add(
                "section-order",
                heading.span.clone(),
                message,
                "number sections one by one, as they stand",
            );
        }
        numbering.enter(heading);
    }
}

impl Numbering {
    /// The ways in which a heading at `level` may begin.
    fn next(&self, level: usize) -> Vec<String> {
        let depth = level - 2;
        let Some(above) = self.numbers.get(..depth) else {
            return Vec::new();
        };
        let next = self.numbers.get(depth).map_or(1, |number| number + 1);
        if depth > 0 {
            let parts: Vec<_> = above
                .iter()
                .enumerate()
                .map(|(index, number)| self.part(index, *number))
                .collect();
            return vec![format!("{}.{next} ", parts.join("."))];
        }
        match (self.is_appendix, letter(next)) {
            (true, Some(letter)) => vec![format!("Appendix {letter}. ")],
            (true, None) => Vec::new(),
            (false, _) => vec![format!("{next}. "), "Appendix A. ".to_owned()],
        }
    }

    fn part(&self, index: usize, number: usize) -> String {
        let letter = if index == 0 && self.is_appendix {
            letter(number)
        } else {
            None
        };
        letter.map_or_else(|| number.to_string(), |letter| letter.to_string())
    }

    /// Goes on from what the heading says, right or wrong, so that one fault is one finding.
    fn enter(&mut self, heading: &Heading) {
        let depth = heading.level - 2;
        let said: Option<Vec<usize>> = heading
            .number
            .as_deref()
            .and_then(|number| number.split('.').map(number_of).collect());
        match said.filter(|numbers| numbers.len() == depth + 1) {
            Some(numbers) => {
                self.is_appendix = heading
                    .number
                    .as_deref()
                    .is_some_and(|number| number.starts_with(|c: char| c.is_ascii_uppercase()));
                self.numbers = numbers;
            }
            None => {
                let next = self.numbers.get(depth).map_or(1, |number| number + 1);
                self.numbers.resize(depth, 0);
                self.numbers.push(next);
            }
        }
    }
}

fn letter(number: usize) -> Option<char> {
    ('A'..='Z').nth(number.checked_sub(1)?)
}

fn number_of(part: &str) -> Option<usize> {
    part.parse().ok().or_else(|| {
        ('A'..='Z')
            .position(|letter| part.starts_with(letter))
            .map(|at| at + 1)
    })
}
