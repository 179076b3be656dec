//! Pages for people: their words, without the markup, and the dates in them.

use capability_resolution::Time;

/// The obligations that a policy takes on: `policy.statements`.
pub(crate) const STATEMENTS: [&str; 7] = [
    "obligation.payment",
    "obligation.favour",
    "obligation.disclosure",
    "obligation.no-proxy",
    "obligation.no-caller",
    "obligation.no-sale",
    "obligation.changes",
];

/// The text of a page.
#[derive(Debug)]
pub(crate) struct Page {
    text: String,
}

impl Page {
    /// Takes tags away; each becomes a line end, so that what stands in blocks of its own stays apart.
    pub(crate) fn read(bytes: &[u8]) -> Self {
        let source = String::from_utf8_lossy(bytes);
        let mut text = String::with_capacity(source.len());
        let mut rest = source.as_ref();
        while let Some((before, behind)) = rest.split_once('<') {
            text.push_str(before);
            let opens =
                behind.starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '/' | '!'));
            match behind.split_once('>').filter(|_| opens) {
                Some((_, after)) => {
                    text.push('\n');
                    rest = after;
                }
                None => {
                    text.push('<');
                    rest = behind;
                }
            }
        }
        text.push_str(rest);
        Self { text }
    }

    /// What stands behind an id, up to the next one; where the id occurs several times, the most of it.
    pub(crate) fn statement(&self, id: &str) -> Option<&str> {
        let ends = |behind: &str| STATEMENTS.iter().filter_map(|id| behind.find(id)).min();
        let behind = self
            .text
            .match_indices(id)
            .map(|(at, _)| &self.text[at + id.len()..]);
        behind
            .map(|behind| &behind[..ends(behind).unwrap_or(behind.len())])
            .max_by_key(|text| text.len())
    }

    /// Every date of the form `YYYY-MM-DD` that exists, in the order of the page.
    pub(crate) fn dates(&self) -> Vec<&str> {
        self.places()
            .into_iter()
            .map(|at| &self.text[at..at + 10])
            .collect()
    }

    /// The first date and what stands behind it, up to the next entry.
    pub(crate) fn first_entry(&self) -> Option<(&str, &str)> {
        let places = self.entries();
        let at = *places.first()?;
        let end = places.get(1).copied().unwrap_or(self.text.len());
        Some((&self.text[at..at + 10], &self.text[at + 10..end]))
    }

    /// The dates of the entries: those that begin a line, or all if none does.
    pub(crate) fn entry_dates(&self) -> Vec<&str> {
        self.entries()
            .into_iter()
            .map(|at| &self.text[at..at + 10])
            .collect()
    }

    fn entries(&self) -> Vec<usize> {
        let all = self.places();
        let begins = |at: &usize| {
            let line = self.text[..*at].rsplit('\n').next().unwrap_or_default();
            line.chars().all(|c| !c.is_alphanumeric())
        };
        let beginning: Vec<usize> = all.iter().copied().filter(begins).collect();
        if beginning.is_empty() { all } else { beginning }
    }

    fn places(&self) -> Vec<usize> {
        let bytes = self.text.as_bytes();
        let digit = |at: usize| bytes.get(at).is_some_and(u8::is_ascii_digit);
        let is_date = |at: &usize| {
            let apart = (*at == 0 || !digit(*at - 1)) && !digit(*at + 10);
            let date = self.text.get(*at..*at + 10);
            apart
                && date
                    .is_some_and(|date| Time::from_document(&format!("{date}T00:00:00Z")).is_some())
        };
        (0..bytes.len().saturating_sub(9)).filter(is_date).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_and_dates_are_found_in_text_and_in_html() {
        let html = "<p>In force from 2026-11-30.</p><ul><li><code>obligation.payment</code>: none is taken\
                    <li>obligation.favour: we <b>do</b> not";
        let page = Page::read(html.as_bytes());
        assert_eq!(page.dates(), ["2026-11-30"]);
        assert!(
            page.statement("obligation.payment")
                .unwrap()
                .contains("none is taken")
        );
        assert!(
            !page
                .statement("obligation.payment")
                .unwrap()
                .contains("not")
        );
        assert!(page.statement("obligation.no-sale").is_none());
        assert_eq!(
            Page::read(b"1 < 2 and 12026-11-30 and 2026-02-30").dates(),
            [""; 0]
        );
    }

    #[test]
    fn entries_begin_lines() {
        let page = Page::read(
            "## 2026-11-30\n\nAs before 2027-01-01.\n\n## 2026-01-01\nBegun.".as_bytes(),
        );
        assert_eq!(page.entry_dates(), ["2026-11-30", "2026-01-01"]);
        assert_eq!(page.first_entry().unwrap().0, "2026-11-30");
        assert!(page.first_entry().unwrap().1.contains("As before"));
        assert_eq!(
            Page::read(b"on 2026-11-30 begun").entry_dates(),
            ["2026-11-30"]
        );
    }
}
