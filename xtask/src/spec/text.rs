//! The text as its readers see it: sections, rules, prose, links, examples, terms and references.
//!
//! [`Text::parse`] never fails: it keeps what it finds, well formed or not, and [`lint`](mod@crate::spec::lint) judges it.

mod keyword;
mod marker;
mod prose;
mod walk;

use std::ops::Range;

pub use conformance_vectors::Level;
pub use keyword::Keyword;
pub use marker::{MarkerFault, Tested};
pub use prose::{Phrase, Prose};

/// Byte offsets into the source.
pub type Span = Range<usize>;

/// A parsed text.
#[derive(Debug)]
pub struct Text<'a> {
    /// The whole source.
    pub source: &'a str,
    /// Headings in order.
    pub headings: Vec<Heading>,
    /// The values of the lines `Version: ...` before the first section.
    pub versions: Vec<Phrase>,
    /// Rules in order.
    pub rules: Vec<Rule>,
    /// Paragraphs that begin with `r[` and have no readable id.
    pub broken_rules: Vec<BrokenRule>,
    /// Every stretch of prose: paragraphs, headings, list items, table cells.
    pub prose: Vec<Prose>,
    /// Links and unresolved references in order.
    pub links: Vec<Link<'a>>,
    /// Inline code in order.
    pub code: Vec<Phrase>,
    /// Code blocks in order.
    pub code_blocks: Vec<CodeBlock>,
    /// Tables.
    pub tables: Vec<Span>,
    /// Raw HTML.
    pub html: Vec<Span>,
    /// `*emphasised*` phrases.
    pub emphasis: Vec<Phrase>,
    /// Definitions in the section "Terms".
    pub terms: Vec<Definition>,
    /// Documents listed in the section "References".
    pub documents: Vec<Definition>,
    line_starts: Vec<usize>,
}

/// A heading and with it a section.
#[derive(Debug)]
pub struct Heading {
    /// 1 for the title, 2 for `## 1. Title`.
    pub level: usize,
    /// The number without a full stop at the end (`6.3`, `A`, `A.1`), if there is one.
    pub number: Option<String>,
    /// The title without the number.
    pub title: String,
    /// The whole heading, as shown.
    pub shown: String,
    /// Where.
    pub span: Span,
}

/// A rule: a marker, the paragraph, and what the paragraph announces with a colon.
#[derive(Debug)]
pub struct Rule {
    /// The id.
    pub id: String,
    /// Where the id is.
    pub id_span: Span,
    /// How the rule is tested, as the marker says.
    pub tested: Vec<Tested>,
    /// What is wrong with the rest of the marker or with the paragraph's form.
    pub faults: Vec<MarkerFault>,
    /// The rule's words, without the marker.
    pub body: Span,
    /// Index of the heading above, if any.
    pub heading: Option<usize>,
    /// BCP 14 key words in the body.
    pub keywords: Vec<(Keyword, Span)>,
}

/// A paragraph that begins with `r[` and has no readable id.
#[derive(Debug)]
pub struct BrokenRule {
    /// What is wrong.
    pub fault: MarkerFault,
    /// The marker's line.
    pub marker: Span,
    /// The paragraph, and what it announces.
    pub body: Span,
}

/// Where a [`Link`] leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Target {
    /// A reference that no definition resolves, such as `[token.exp]` or `[RFC 7515]`.
    Reference(String),
    /// A destination written out.
    Destination(String),
}

/// A link or a reference.
#[derive(Debug)]
pub struct Link<'a> {
    /// Where it leads.
    pub target: Target,
    /// Its source, brackets included.
    pub source: &'a str,
    /// Where.
    pub span: Span,
}

/// A code block.
#[derive(Debug)]
pub struct CodeBlock {
    /// The info string; `None` for an indented block.
    pub info: Option<String>,
    /// The content.
    pub content: String,
    /// Where, fences included.
    pub span: Span,
}

impl CodeBlock {
    /// The first word of the info string.
    #[must_use]
    pub fn language(&self) -> &str {
        self.info
            .as_deref()
            .and_then(|info| info.split_whitespace().next())
            .unwrap_or_default()
    }

    /// The name after `example=`; `None` if the info string is not `LANG example=NAME`.
    #[must_use]
    pub fn example(&self) -> Option<&str> {
        let (language, rest) = self.info.as_deref()?.split_once(' ')?;
        let name = rest.strip_prefix("example=")?;
        let named = !name.is_empty()
            && name
                .bytes()
                .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-');
        (named && !language.is_empty()).then_some(name)
    }
}

/// A list item that begins with a bold label: a term or a document.
#[derive(Debug)]
pub struct Definition {
    /// The label.
    pub label: Phrase,
    /// The whole item.
    pub item: Span,
}

impl<'a> Text<'a> {
    /// Reads a text.
    #[must_use]
    pub fn parse(source: &'a str) -> Self {
        walk::walk(source)
    }

    /// True if `number` is a section of this text.
    #[must_use]
    pub fn has_section(&self, number: &str) -> bool {
        self.headings
            .iter()
            .any(|heading| heading.number.as_deref() == Some(number))
    }

    fn empty(source: &'a str) -> Self {
        let starts = source.match_indices('\n').map(|(at, _)| at + 1);
        Self {
            source,
            headings: Vec::new(),
            versions: Vec::new(),
            rules: Vec::new(),
            broken_rules: Vec::new(),
            prose: Vec::new(),
            links: Vec::new(),
            code: Vec::new(),
            code_blocks: Vec::new(),
            tables: Vec::new(),
            html: Vec::new(),
            emphasis: Vec::new(),
            terms: Vec::new(),
            documents: Vec::new(),
            line_starts: std::iter::once(0).chain(starts).collect(),
        }
    }

    /// Line and column (in characters) of a byte offset, both from 1.
    #[must_use]
    pub fn position(&self, offset: usize) -> (usize, usize) {
        let line = self
            .line_starts
            .partition_point(|start| *start <= offset)
            .max(1);
        let start = self.line_starts.get(line - 1).copied().unwrap_or(0);
        let before = self.source.get(start..offset).unwrap_or_default();
        (line, before.chars().count() + 1)
    }

    /// The rule with this id; the first if the id was given twice.
    #[must_use]
    pub fn rule(&self, id: &str) -> Option<&Rule> {
        self.rules.iter().find(|rule| rule.id == id)
    }

    /// The rule whose body or marker holds the byte at `offset`.
    #[must_use]
    pub fn rule_at(&self, offset: usize) -> Option<&Rule> {
        self.rules
            .iter()
            .find(|rule| (rule.id_span.start..rule.body.end).contains(&offset))
    }

    /// The words of a rule as written, without the marker.
    #[must_use]
    pub fn body(&self, rule: &Rule) -> &'a str {
        self.source
            .get(rule.body.clone())
            .unwrap_or_default()
            .trim()
    }

    /// The section a rule stands in: its number and title, empty where there is none.
    #[must_use]
    pub fn section(&self, rule: &Rule) -> (&str, &str) {
        match rule.heading.and_then(|index| self.headings.get(index)) {
            Some(heading) => (
                heading.number.as_deref().unwrap_or_default(),
                &heading.title,
            ),
            None => ("", ""),
        }
    }
}

impl Rule {
    /// The rule's level: `None` without key word or with key words of two levels.
    #[must_use]
    pub fn level(&self) -> Option<Level> {
        let first = self.keywords.first()?.0.level();
        self.keywords
            .iter()
            .all(|(keyword, _)| keyword.level() == first)
            .then_some(first)
    }
}
