//! Lines: LF only, no tabs, no trailing spaces, a final newline.

use super::Source;
use crate::diagnostic::Diagnostic;

pub(super) fn check(source: Source<'_>, findings: &mut Vec<Diagnostic>) {
    let mut lines = 0;
    for (index, line) in source.text.split('\n').enumerate() {
        lines = index + 1;
        let line_without_cr = line.strip_suffix('\r').unwrap_or(line);
        let place = |column, length| source.place(lines, column, length);
        let width = line_without_cr.chars().count();
        if line_without_cr.len() != line.len() {
            findings.push(
                Diagnostic::error("line-ending", "the line ends with CR LF")
                    .at(place(width + 1, 1))
                    .help("frozen bytes are hashed: end lines with LF alone"),
            );
        }
        let kept = line_without_cr.trim_end().chars().count();
        if kept < width {
            findings.push(
                Diagnostic::error("trailing-space", "the line ends with white space")
                    .at(place(kept + 1, width - kept)),
            );
        }
        if let Some(column) = line_without_cr.chars().position(|c| c == '\t') {
            findings.push(
                Diagnostic::error("tab", "a tab stands in the line")
                    .at(place(column + 1, 1))
                    .help("use spaces"),
            );
        }
    }
    if !source.text.ends_with('\n') {
        findings.push(
            Diagnostic::error("final-newline", "the text does not end with a newline")
                .at(source.place(lines, 1, 1)),
        );
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn codes(text: &str) -> Vec<String> {
        let mut findings = Vec::new();
        check(Source { path: "x.md", text }, &mut findings);
        let at = |d: &Diagnostic| d.place().map(|p| format!("{}:{}", p.line, p.column));
        findings
            .iter()
            .map(|d| format!("{} {}", d.code(), at(d).unwrap()))
            .collect()
    }

    #[test]
    fn each_fault_is_found_where_it_is() {
        assert_eq!(codes("a\nb\n"), [""; 0]);
        assert_eq!(codes("a\n\u{e9}b \n"), ["trailing-space 2:3"]);
        assert_eq!(codes("a\tb\n"), ["tab 1:2"]);
        assert_eq!(codes("a\r\nb\n"), ["line-ending 1:2"]);
        assert_eq!(codes("a\nb"), ["final-newline 2:1"]);
        assert_eq!(codes(""), ["final-newline 1:1"]);
    }
}
