//! Lines: LF alone, no tabs, no trailing white space, at most 120 characters, a final newline.

use super::Findings;

/// The longest line outside tables and code, in characters; a line with a link may be longer.
const MAX_LINE: usize = 120;

pub(super) fn check(findings: &mut Findings<'_>) {
    let text = findings.text;
    let mut start = 0;
    for line in text.source.split('\n') {
        let line_without_cr = line.strip_suffix('\r').unwrap_or(line);
        let end = start + line_without_cr.len();
        if line_without_cr.len() != line.len() {
            let help = "end lines with LF alone: the frozen bytes are hashed";
            findings.add(
                "line-ending",
                end..end + 1,
                "the line ends with CR LF",
                help,
            );
        }
        let kept = line_without_cr.trim_end().len();
        if start + kept < end {
            let help = "remove it; for a line break end the line with a backslash";
            findings.add(
                "trailing-space",
                start + kept..end,
                "the line ends with white space",
                help,
            );
        }
        if let Some(at) = line_without_cr.find('\t') {
            findings.add(
                "tab",
                start + at..start + at + 1,
                "a tab stands in the line",
                "use spaces",
            );
        }
        if let Some((at, _)) = line_without_cr.char_indices().nth(MAX_LINE)
            && !may_be_long(findings, start..end)
        {
            let length = line_without_cr.chars().count();
            let message = format!("the line has {length} characters, expected at most {MAX_LINE}");
            findings.add(
                "line-length",
                start + at..end,
                message,
                "break the line at a phrase",
            );
        }
        start += line.len() + 1;
    }
    if !text.source.ends_with('\n') {
        let end = text.source.len();
        findings.add(
            "final-newline",
            end..end,
            "the text does not end with a newline",
            "end the last line with LF",
        );
    }
}

/// Tables and code cannot be broken, and neither can the address of a link.
fn may_be_long(findings: &Findings<'_>, line: std::ops::Range<usize>) -> bool {
    let text = findings.text;
    let meets = |span: &std::ops::Range<usize>| span.start < line.end && line.start < span.end;
    text.tables.iter().any(meets)
        || text.code_blocks.iter().any(|block| meets(&block.span))
        || text
            .links
            .iter()
            .any(|link| meets(&link.span) && link.source.contains("://"))
}
