//! One pass over the events of pulldown-cmark.

use pulldown_cmark::{
    BrokenLink, CodeBlockKind, CowStr, Event, HeadingLevel, LinkType, Options, Parser, Tag, TagEnd,
};

use super::prose::CODE;
use super::{
    BrokenRule, CodeBlock, Definition, Heading, Keyword, Link, MarkerFault, Phrase, Prose, Rule,
    Span, Target, Text, marker,
};

/// Parses `source`.
pub(super) fn walk(source: &str) -> Text<'_> {
    // Every reference without a definition becomes a link, so that the lint sees where it stands.
    let unresolved = |link: BrokenLink<'_>| {
        Some((
            CowStr::from(link.reference.into_string()),
            CowStr::Borrowed(""),
        ))
    };
    let parser =
        Parser::new_with_broken_link_callback(source, Options::ENABLE_TABLES, Some(unresolved));
    let mut walker = Walker::new(source);
    for (event, span) in parser.into_offset_iter() {
        walker.event(event, span);
    }
    walker.finish()
}

struct Walker<'a> {
    text: Text<'a>,
    depth: usize,
    /// Headings around the present place, outermost first.
    path: Vec<usize>,
    /// Prose being collected, innermost last.
    prose: Vec<Prose>,
    items: Vec<Item>,
    links: Vec<Open>,
    emphasis: Vec<Open>,
    strong: Vec<Open>,
    code: Option<CodeBlock>,
    /// The heading being read, inline code included.
    heading: Option<String>,
    /// The marker's line: what it looks like to Markdown does not matter.
    marker: Span,
    /// The last rule announced a block with a colon and is still waiting for it.
    announced: Option<Announced>,
}

/// An inline element that is open: where its words begin, and whether a reference was seen in it.
struct Open {
    target: Option<Target>,
    words: usize,
    holds_reference: bool,
}

struct Item {
    span: Span,
    label: Option<Label>,
}

struct Label {
    phrase: Phrase,
    is_reference: bool,
}

#[derive(Clone, Copy)]
enum Announced {
    Rule(usize),
    BrokenRule(usize),
}

impl<'a> Walker<'a> {
    fn new(source: &'a str) -> Self {
        Self {
            text: Text::empty(source),
            depth: 0,
            path: Vec::new(),
            prose: Vec::new(),
            items: Vec::new(),
            links: Vec::new(),
            emphasis: Vec::new(),
            strong: Vec::new(),
            code: None,
            heading: None,
            marker: 0..0,
            announced: None,
        }
    }

    fn event(&mut self, event: Event<'a>, span: Span) {
        if self.depth == 0 && !matches!(event, Event::End(_)) {
            self.top_level(&event, &span);
        }
        let in_marker = self.marker.contains(&span.start);
        match event {
            Event::Start(tag) => {
                self.depth += 1;
                self.start(tag, span, in_marker);
            }
            Event::End(tag) => {
                self.depth = self.depth.saturating_sub(1);
                self.end(tag, span, in_marker);
            }
            _ if in_marker => {}
            Event::Text(words) => match &mut self.code {
                Some(block) => block.content.push_str(&words),
                None => {
                    self.words(&words, span);
                    if let Some(heading) = &mut self.heading {
                        heading.push_str(&words);
                    }
                }
            },
            Event::Code(code) => {
                self.words(CODE.encode_utf8(&mut [0; 4]), span.clone());
                if let Some(heading) = &mut self.heading {
                    heading.push_str(&code);
                }
                self.text.code.push(Phrase {
                    text: code.into_string(),
                    span,
                });
            }
            Event::SoftBreak | Event::HardBreak => self.words(" ", span),
            Event::Html(_) | Event::InlineHtml(_) => self.text.html.push(span),
            _ => {}
        }
    }

    /// Before each top-level block: does it belong to the rule above, or is it a rule itself?
    fn top_level(&mut self, event: &Event<'_>, span: &Span) {
        let belongs = matches!(
            event,
            Event::Start(Tag::List(_) | Tag::Table(_) | Tag::CodeBlock(_))
        );
        match self.announced.take() {
            Some(Announced::Rule(index)) => {
                if let Some(rule) = self.text.rules.get_mut(index) {
                    if belongs {
                        rule.body.end = span.end;
                    } else {
                        rule.faults.push(MarkerFault::NothingAfterColon);
                    }
                }
            }
            Some(Announced::BrokenRule(index)) if belongs => {
                if let Some(rule) = self.text.broken_rules.get_mut(index) {
                    rule.body.end = span.end;
                }
            }
            _ => {}
        }
        if matches!(event, Event::Start(Tag::Paragraph)) {
            self.rule(span);
        }
    }

    /// Reads a top-level paragraph as a rule if it begins with a marker.
    fn rule(&mut self, span: &Span) {
        let paragraph = self.text.source.get(span.clone()).unwrap_or_default();
        let line = paragraph.split('\n').next().unwrap_or_default();
        let Some(read) = marker::read(line) else {
            return;
        };
        let words = paragraph.get(line.len()..).unwrap_or_default();
        let announces = words.trim_end().ends_with(':');
        // The newline after the marker belongs to it.
        let marker_end = span.start + line.len() + usize::from(!words.is_empty());
        let body = marker_end..span.end;
        self.marker = span.start..marker_end;
        match read {
            Ok(marker) => {
                let start = span.start + marker::ID_AT;
                let mut faults = marker.faults;
                let is_alone = !faults.contains(&MarkerFault::NotAlone);
                if is_alone && words.trim().is_empty() {
                    faults.push(MarkerFault::NoText);
                }
                self.announced = announces.then_some(Announced::Rule(self.text.rules.len()));
                self.text.rules.push(Rule {
                    id: marker.id.to_owned(),
                    id_span: start..start + marker.id.len(),
                    tested: marker.tested,
                    faults,
                    body,
                    heading: self.path.last().copied(),
                    keywords: Vec::new(),
                });
            }
            Err(fault) => {
                self.announced =
                    announces.then_some(Announced::BrokenRule(self.text.broken_rules.len()));
                self.text.broken_rules.push(BrokenRule {
                    fault,
                    marker: self.marker.clone(),
                    body,
                });
            }
        }
    }

    fn start(&mut self, tag: Tag<'a>, span: Span, in_marker: bool) {
        match tag {
            Tag::Paragraph | Tag::TableCell => self.prose.push(Prose::default()),
            Tag::Heading { .. } => {
                self.prose.push(Prose::default());
                self.heading = Some(String::new());
            }
            Tag::Item => {
                self.prose.push(Prose::default());
                self.items.push(Item { span, label: None });
            }
            Tag::CodeBlock(kind) => {
                let info = match kind {
                    CodeBlockKind::Fenced(info) => Some(info.into_string()),
                    CodeBlockKind::Indented => None,
                };
                self.code = Some(CodeBlock {
                    info,
                    content: String::new(),
                    span,
                });
            }
            Tag::Table(_) => self.text.tables.push(span),
            _ if in_marker => {}
            Tag::Link {
                link_type,
                dest_url,
                ..
            }
            | Tag::Image {
                link_type,
                dest_url,
                ..
            } => {
                let is_unresolved = matches!(
                    link_type,
                    LinkType::ShortcutUnknown
                        | LinkType::CollapsedUnknown
                        | LinkType::ReferenceUnknown
                );
                let destination = dest_url.into_string();
                let target = if is_unresolved {
                    Target::Reference(destination)
                } else {
                    Target::Destination(destination)
                };
                for strong in &mut self.strong {
                    strong.holds_reference |= is_unresolved;
                }
                self.open(Some(target), |walker| &mut walker.links);
            }
            Tag::Emphasis => self.open(None, |walker| &mut walker.emphasis),
            Tag::Strong => self.open(None, |walker| &mut walker.strong),
            _ => {}
        }
    }

    fn end(&mut self, tag: TagEnd, span: Span, in_marker: bool) {
        match tag {
            TagEnd::Paragraph | TagEnd::TableCell => self.end_prose(),
            TagEnd::Heading(level) => self.end_heading(level, span),
            TagEnd::Item => self.end_item(),
            TagEnd::CodeBlock => self.text.code_blocks.extend(self.code.take()),
            _ if in_marker => {}
            TagEnd::Link | TagEnd::Image => {
                if let Some(target) = self.links.pop().and_then(|open| open.target) {
                    let source = self.text.source.get(span.clone()).unwrap_or_default();
                    self.text.links.push(Link {
                        target,
                        source,
                        span,
                    });
                }
            }
            TagEnd::Emphasis => {
                if let Some(open) = self.emphasis.pop() {
                    let text = self.since(open.words);
                    self.text.emphasis.push(Phrase { text, span });
                }
            }
            TagEnd::Strong => {
                if let Some(open) = self.strong.pop() {
                    self.label(&open, span);
                }
            }
            _ => {}
        }
    }

    /// A bold phrase that begins a list item is the item's label.
    fn label(&mut self, open: &Open, span: Span) {
        let phrase = Phrase {
            text: self.since(open.words),
            span,
        };
        let is_reference = open.holds_reference;
        if open.words == 0
            && let Some(item) = self.items.last_mut()
            && item.label.is_none()
        {
            item.label = Some(Label {
                phrase,
                is_reference,
            });
        }
    }

    fn end_item(&mut self) {
        self.end_prose();
        let Some(Item {
            span,
            label: Some(label),
        }) = self.items.pop()
        else {
            return;
        };
        let definition = Definition {
            label: label.phrase,
            item: span,
        };
        if label.is_reference && self.is_in_section("references") {
            self.text.documents.push(definition);
        } else if !label.is_reference && self.is_in_section("terms") {
            self.text.terms.push(definition);
        }
    }

    fn end_heading(&mut self, level: HeadingLevel, span: Span) {
        let shown = self.heading.take().unwrap_or_default().trim().to_owned();
        self.end_prose();
        let level = heading_level(level);
        let (number, title) = numbered(&shown, level);
        let (number, title) = (number.map(str::to_owned), title.to_owned());
        let headings = &self.text.headings;
        self.path.retain(|index| {
            headings
                .get(*index)
                .is_some_and(|above| above.level < level)
        });
        self.path.push(headings.len());
        self.text.headings.push(Heading {
            level,
            number,
            title,
            shown,
            span,
        });
    }

    fn end_prose(&mut self) {
        let Some(prose) = self
            .prose
            .pop()
            .filter(|prose| !prose.text.trim().is_empty())
        else {
            return;
        };
        for (keyword, range) in Keyword::find(&prose.text) {
            let span = prose.source(range);
            let rule = self
                .text
                .rules
                .iter_mut()
                .rev()
                .find(|rule| rule.body.contains(&span.start));
            if let Some(rule) = rule {
                rule.keywords.push((keyword, span));
            }
        }
        self.text.prose.push(prose);
    }

    fn is_in_section(&self, title: &str) -> bool {
        let titles = self
            .path
            .iter()
            .filter_map(|index| self.text.headings.get(*index));
        titles
            .map(|heading| heading.title.to_lowercase())
            .any(|shown| shown == title)
    }

    fn words(&mut self, words: &str, span: Span) {
        if let Some(prose) = self.prose.last_mut() {
            prose.push(words, span);
        }
    }

    fn open(&mut self, target: Option<Target>, stack: impl FnOnce(&mut Self) -> &mut Vec<Open>) {
        let words = self.prose.last().map_or(0, |prose| prose.text.len());
        stack(self).push(Open {
            target,
            words,
            holds_reference: false,
        });
    }

    fn since(&self, words: usize) -> String {
        self.prose
            .last()
            .and_then(|prose| prose.text.get(words..))
            .unwrap_or_default()
            .to_owned()
    }

    fn finish(mut self) -> Text<'a> {
        if let Some(Announced::Rule(index)) = self.announced
            && let Some(rule) = self.text.rules.get_mut(index)
        {
            rule.faults.push(MarkerFault::NothingAfterColon);
        }
        self.text.versions = versions(&self.text);
        self.text
    }
}

fn heading_level(level: HeadingLevel) -> usize {
    match level {
        HeadingLevel::H1 => 1,
        HeadingLevel::H2 => 2,
        HeadingLevel::H3 => 3,
        HeadingLevel::H4 => 4,
        HeadingLevel::H5 => 5,
        HeadingLevel::H6 => 6,
    }
}

/// Splits `6. Title`, `6.3 Title`, `Appendix A. Title`, `A.1 Title` into number and title.
fn numbered(shown: &str, level: usize) -> (Option<&str>, &str) {
    let Some((number, title)) = shown
        .strip_prefix("Appendix ")
        .unwrap_or(shown)
        .split_once(' ')
    else {
        return (None, shown);
    };
    // The second level writes its number with a full stop, deeper ones without.
    let bare = if level == 2 {
        number.strip_suffix('.')
    } else {
        Some(number)
    };
    match bare.filter(|number| is_section_number(number)) {
        Some(number) if level >= 2 => (Some(number), title.trim()),
        _ => (None, shown),
    }
}

/// True for `6`, `6.3.1`, `A`, `A.1`.
fn is_section_number(number: &str) -> bool {
    let mut parts = number.split('.');
    let is_number = |part: &str| {
        !part.is_empty() && part.len() <= 3 && part.bytes().all(|byte| byte.is_ascii_digit())
    };
    let first = parts.next().unwrap_or_default();
    let is_letter = first.len() == 1 && first.bytes().all(|byte| byte.is_ascii_uppercase());
    (is_number(first) || is_letter) && parts.all(is_number)
}

/// The lines `Version: ...` above the first section.
fn versions(text: &Text<'_>) -> Vec<Phrase> {
    let end = text
        .headings
        .iter()
        .find(|heading| heading.level > 1)
        .map_or(text.source.len(), |h| h.span.start);
    let mut at = 0;
    let mut versions = Vec::new();
    for line in text.source.get(..end).unwrap_or_default().split('\n') {
        if let Some(value) = line.strip_prefix("Version: ") {
            // A backslash or two spaces at the end make a line break.
            let value = value.trim_end().trim_end_matches('\\');
            let start = at + line.len() - line.strip_prefix("Version: ").map_or(0, str::len);
            versions.push(Phrase {
                text: value.to_owned(),
                span: start..start + value.len(),
            });
        }
        at += line.len() + 1;
    }
    versions
}
