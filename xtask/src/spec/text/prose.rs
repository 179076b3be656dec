//! Prose without its markup, and the way back to the source.

use std::ops::Range;

use super::Span;

/// What stands for inline code in [`Prose::text`], so that words around it do not run together.
pub(super) const CODE: char = '\u{fffc}';

/// Some words and where they are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Phrase {
    /// The words, without markup.
    pub text: String,
    /// Where, markup included.
    pub span: Span,
}

/// One paragraph, heading, list item or table cell without its markup; line breaks are spaces, inline code is U+FFFC.
#[derive(Debug, Default)]
pub struct Prose {
    /// The words.
    pub text: String,
    /// Start in `text`, start in the source, and whether the two run in step.
    pieces: Vec<(usize, Span, bool)>,
}

impl Prose {
    /// Appends `text`, which the source writes at `span`.
    pub(super) fn push(&mut self, text: &str, span: Span) {
        let in_step = text.len() == span.len();
        self.pieces.push((self.text.len(), span, in_step));
        self.text.push_str(text);
    }

    /// Where the source begins to say this prose.
    #[must_use]
    pub fn start(&self) -> usize {
        self.pieces.first().map_or(0, |(_, span, _)| span.start)
    }

    /// Where the source says the words at `range` of [`Prose::text`].
    #[must_use]
    pub fn source(&self, range: Range<usize>) -> Span {
        let start = self.offset(range.start);
        let last = self.offset(range.end.saturating_sub(1).max(range.start));
        start..(last + 1).max(start)
    }

    fn offset(&self, at: usize) -> usize {
        let index = self.pieces.partition_point(|(start, _, _)| *start <= at);
        match index
            .checked_sub(1)
            .and_then(|index| self.pieces.get(index))
        {
            Some((start, span, true)) => span.start + (at - start),
            Some((_, span, false)) => span.start,
            None => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_lead_back_to_the_source() {
        // Source: "a &amp;\n MUST"
        let mut prose = Prose::default();
        prose.push("a ", 0..2);
        prose.push("&", 2..7);
        prose.push(" ", 7..8);
        prose.push("MUST", 9..13);
        assert_eq!(prose.text, "a & MUST");
        assert_eq!(prose.source(4..8), 9..13);
        assert_eq!(prose.source(0..1), 0..1);
        assert_eq!(prose.source(2..3), 2..3);
        assert_eq!(prose.source(2..8), 2..13);
    }
}
