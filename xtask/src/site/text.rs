//! The text's Markdown as HTML, with its references as links.
//!
//! Markup that stands in the source is shown as text. What is put into the HTML from outside of it is the markup of this
//! module and of [`shown`](super::shown).

use std::ops::Range;

use maud::{Markup, PreEscaped, html};
use pulldown_cmark::{BrokenLink, CowStr, Event, Options, Parser, Tag, TagEnd, html::push_html};

use super::shown;
use crate::spec::rule_id::is_rule_id;
use crate::spec::text::{Definition, Keyword, Level, Rule, Text};

/// The anchor of a section.
pub(super) fn section_anchor(number: &str) -> String {
    format!("section-{number}")
}

/// An anchor made of words: `ref-rfc-7515`, `term-server-url`.
fn anchor(prefix: &str, words: &str) -> String {
    let is_kept = |c: char| c.is_ascii_alphanumeric();
    let parts: Vec<_> = words
        .split(|c| !is_kept(c))
        .filter(|part| !part.is_empty())
        .map(str::to_ascii_lowercase)
        .collect();
    format!("{prefix}-{}", parts.join("-"))
}

/// The class of a rule of this level.
pub(super) fn class(level: Option<Level>) -> &'static str {
    match level {
        Some(Level::Must) => "must",
        Some(Level::Should) => "should",
        Some(Level::May) => "may",
        None => "none",
    }
}

/// Renders the whole text; `head` gives what stands above each rule.
pub(super) fn whole(text: &Text<'_>, head: &dyn Fn(&Rule) -> Markup) -> Markup {
    let renderer = Renderer::new(text, "", 0..text.source.len());
    renderer.render(Some(head))
}

/// Renders the words of a rule on another page, from which `base` leads to the text.
pub(super) fn body(text: &Text<'_>, rule: &Rule, base: &str) -> Markup {
    Renderer::new(text, base, rule.body.clone()).render(None)
}

struct Renderer<'t> {
    text: &'t Text<'t>,
    /// What comes before `#` in a link to the text.
    base: &'t str,
    /// The part of the source that is rendered.
    part: Range<usize>,
    out: Vec<Event<'t>>,
    /// Words that are not yet in `out`: runs of text are joined, so that `MUST NOT` is found over a line's end.
    words: String,
    depth: usize,
    in_code: bool,
    /// What ends each open link or emphasis that is not Markdown's own.
    closing: Vec<Closing>,
    /// The end of the rule that is open.
    rule_end: Option<usize>,
}

/// How an inline element ends.
enum Closing {
    /// As Markdown ends it.
    Own,
    /// With these tags. In a link there is no other link.
    With(&'static str),
}

impl<'t> Renderer<'t> {
    fn new(text: &'t Text<'t>, base: &'t str, part: Range<usize>) -> Self {
        Self {
            text,
            base,
            part,
            out: Vec::new(),
            words: String::new(),
            depth: 0,
            in_code: false,
            closing: Vec::new(),
            rule_end: None,
        }
    }

    fn render(mut self, head: Option<&dyn Fn(&Rule) -> Markup>) -> Markup {
        let source = self.text.source.get(self.part.clone()).unwrap_or_default();
        let unresolved = |link: BrokenLink<'_>| {
            Some((
                CowStr::from(link.reference.into_string()),
                CowStr::Borrowed(""),
            ))
        };
        let parser =
            Parser::new_with_broken_link_callback(source, Options::ENABLE_TABLES, Some(unresolved));
        let mut marker = 0..0;
        for (event, span) in parser.into_offset_iter() {
            let span = self.part.start + span.start..self.part.start + span.end;
            if self.depth == 0
                && !matches!(event, Event::End(_))
                && let Some(head) = head
            {
                self.close_rule(span.start);
                if let Some(rule) = self.rule_of(&event, &span) {
                    marker = span.start..rule.body.start;
                    self.open_rule(rule, head);
                }
            }
            match event {
                Event::Start(_) => self.depth += 1,
                Event::End(_) => self.depth = self.depth.saturating_sub(1),
                _ => {}
            }
            // The marker is what the head shows; only the paragraph around it goes on.
            let is_paragraph = matches!(
                event,
                Event::Start(Tag::Paragraph) | Event::End(TagEnd::Paragraph)
            );
            if is_paragraph || !marker.contains(&span.start) {
                self.event(event, &span);
            }
        }
        self.close_rule(usize::MAX);
        let mut html = String::with_capacity(self.part.len() * 2);
        push_html(&mut html, self.out.into_iter());
        PreEscaped(html)
    }

    /// The rule whose paragraph begins here.
    fn rule_of(&self, event: &Event<'_>, span: &Range<usize>) -> Option<&'t Rule> {
        matches!(event, Event::Start(Tag::Paragraph)).then_some(())?;
        let begins = |rule: &&Rule| span.contains(&rule.id_span.start);
        self.text.rules.iter().find(begins)
    }

    fn open_rule(&mut self, rule: &Rule, head: &dyn Fn(&Rule) -> Markup) {
        let level = class(rule.level());
        let open = format!("<section class=\"rule {level}\" id=\"{}\">\n", rule.id);
        self.block(open + &head(rule).into_string() + "\n");
        self.rule_end = Some(rule.body.end);
    }

    /// Closes the open rule if the block at `start` is no longer of it.
    fn close_rule(&mut self, start: usize) {
        if self.rule_end.is_some_and(|end| start >= end) {
            self.rule_end = None;
            self.block("</section>\n".to_owned());
        }
    }

    fn event(&mut self, event: Event<'t>, span: &Range<usize>) {
        match event {
            Event::Text(words) if self.in_code => self.inline(shown::markup(&words)),
            Event::Text(words) => self.words.push_str(&words),
            Event::SoftBreak => self.words.push(' '),
            Event::Html(html) | Event::InlineHtml(html) => self.words.push_str(&html),
            Event::Code(code) => {
                self.flush();
                self.inline(format!("<code>{}</code>", shown::markup(&code)));
            }
            Event::Start(tag) => {
                self.flush();
                self.start(tag, span);
            }
            Event::End(tag) => {
                self.flush();
                self.end(tag, span);
            }
            other => {
                self.flush();
                self.out.push(other);
            }
        }
    }

    fn start(&mut self, tag: Tag<'t>, span: &Range<usize>) {
        match tag {
            Tag::CodeBlock(_) => {
                self.in_code = true;
                self.block("<pre tabindex=\"0\"><code>".to_owned());
            }
            Tag::Table(_) => {
                self.block(
                    "<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label=\"Table\">\n"
                        .to_owned(),
                );
                self.out.push(Event::Start(tag));
            }
            Tag::Heading { level, .. } => {
                let id = self.section(span).map(|id| id.into());
                self.out.push(Event::Start(Tag::Heading {
                    level,
                    id,
                    classes: Vec::new(),
                    attrs: Vec::new(),
                }));
            }
            Tag::Link { ref dest_url, .. } | Tag::Image { ref dest_url, .. } => {
                let (open, close) = self.link(dest_url, span);
                self.inline(open);
                self.closing.push(Closing::With(close));
            }
            Tag::Emphasis => match self.term(span) {
                Some(id) => {
                    let open = format!("<a class=\"term\" href=\"{}#{id}\">", self.base);
                    self.inline(open);
                    self.closing.push(Closing::With("</a>"));
                }
                None => {
                    self.out.push(Event::Start(Tag::Emphasis));
                    self.closing.push(Closing::Own);
                }
            },
            Tag::Strong => {
                let terms = self.text.terms.iter().map(|term| (term, "term"));
                let documents = self.text.documents.iter().map(|document| (document, "ref"));
                let is_here = |(definition, _): &(&Definition, _)| definition.label.span == *span;
                let defined = terms.chain(documents).find(is_here);
                let id = defined
                    .filter(|_| self.base.is_empty())
                    .map(|(definition, prefix)| {
                        format!(" id=\"{}\"", anchor(prefix, &definition.label.text))
                    });
                self.inline(format!("<strong{}>", id.unwrap_or_default()));
                self.closing.push(Closing::With("</strong>"));
            }
            other => self.out.push(Event::Start(other)),
        }
    }

    fn end(&mut self, tag: TagEnd, span: &Range<usize>) {
        match tag {
            TagEnd::CodeBlock => {
                self.in_code = false;
                self.block("</code></pre>\n".to_owned());
            }
            TagEnd::Table => {
                self.out.push(Event::End(tag));
                self.block("</div>\n".to_owned());
            }
            TagEnd::Heading(_) => {
                if let Some(id) = self.section(span) {
                    self.inline(format!(
                        " <a class=\"here\" href=\"#{id}\" aria-label=\"Link to this section\">#</a>"
                    ));
                }
                self.out.push(Event::End(tag));
            }
            TagEnd::Link | TagEnd::Image | TagEnd::Emphasis | TagEnd::Strong => {
                match self.closing.pop() {
                    Some(Closing::With(tags)) => self.inline(tags.to_owned()),
                    _ => self.out.push(Event::End(tag)),
                }
            }
            other => self.out.push(Event::End(other)),
        }
    }

    /// The tags around a link: to a rule, a document or the web; nothing around what leads elsewhere.
    fn link(&self, target: &str, span: &Range<usize>) -> (String, &'static str) {
        let source = self.text.source.get(span.clone()).unwrap_or_default();
        let is_label = |document: &Definition| document.label.span.contains(&span.start);
        if is_rule_id(target) && self.text.rule(target).is_some() {
            return (
                format!("<a class=\"ref\" href=\"{}#{target}\">", self.base),
                "</a>",
            );
        }
        let documents = &self.text.documents;
        if documents.iter().any(is_label) {
            return ("[".to_owned(), "]");
        }
        if documents
            .iter()
            .any(|document| document.label.text == target)
        {
            let id = anchor("ref", target);
            return (format!("[<a href=\"{}#{id}\">", self.base), "</a>]");
        }
        if target.starts_with("https://") || target.starts_with("http://") {
            let href = maud::html! { (target) }.into_string();
            return (format!("<a href=\"{href}\">"), "</a>");
        }
        if source.starts_with('[') && !source.contains("](") {
            return ("[".to_owned(), "]");
        }
        (String::new(), "")
    }

    fn term(&self, span: &Range<usize>) -> Option<String> {
        let phrase = self
            .text
            .emphasis
            .iter()
            .find(|phrase| phrase.span == *span)?;
        let words = phrase.text.to_lowercase();
        let is_it = |term: &&Definition| {
            let label = term.label.text.to_lowercase();
            words == label || words.strip_suffix('s') == Some(&label)
        };
        let term = self.text.terms.iter().find(is_it)?;
        Some(anchor("term", &term.label.text))
    }

    fn section(&self, span: &Range<usize>) -> Option<String> {
        let headings = &self.text.headings;
        let heading = headings
            .iter()
            .find(|heading| heading.span.start == span.start)?;
        heading.number.as_deref().map(section_anchor)
    }

    /// Writes the words that were collected, with key words marked and sections linked.
    fn flush(&mut self) {
        if self.words.is_empty() {
            return;
        }
        let words = std::mem::take(&mut self.words);
        let mut rest = 0;
        let in_link = self
            .closing
            .iter()
            .any(|closing| matches!(closing, Closing::With("</a>" | "</a>]")));
        for (span, open, close) in self.marks(&words, in_link) {
            if let (Some(before), Some(marked)) =
                (words.get(rest..span.start), words.get(span.clone()))
            {
                let html = format!(
                    "{}{open}{}{close}",
                    shown::markup(before),
                    shown::markup(marked)
                );
                self.inline(html);
                rest = span.end;
            }
        }
        self.inline(shown::markup(words.get(rest..).unwrap_or_default()));
    }

    /// What is marked in some words, in order, and the tags around it.
    fn marks(&self, words: &str, in_link: bool) -> Vec<(Range<usize>, String, &'static str)> {
        let mut marks: Vec<_> = Keyword::find(words)
            .into_iter()
            .map(|(_, span)| (span, "<em class=\"key\">".to_owned(), "</em>"))
            .collect();
        if !in_link {
            for (at, sign) in words.match_indices('\u{a7}') {
                let after = words.get(at + sign.len()..).unwrap_or_default();
                let is_part = |c: char| c.is_ascii_alphanumeric() || c == '.';
                let number = after
                    .split(|c| !is_part(c))
                    .next()
                    .unwrap_or_default()
                    .trim_end_matches('.');
                if self.text.has_section(number) {
                    let open = format!("<a href=\"{}#{}\">", self.base, section_anchor(number));
                    marks.push((at..at + sign.len() + number.len(), open, "</a>"));
                }
            }
        }
        marks.sort_by_key(|(span, ..)| span.start);
        marks
    }

    fn inline(&mut self, html: String) {
        if !html.is_empty() {
            self.out.push(Event::InlineHtml(html.into()));
        }
    }

    fn block(&mut self, html: String) {
        self.out.push(Event::Html(html.into()));
    }
}

/// The list of contents: sections, and the sections in them.
pub(super) fn contents(text: &Text<'_>) -> Markup {
    let sections = text
        .headings
        .iter()
        .filter(|heading| (2..=3).contains(&heading.level));
    let entries: Vec<_> = sections
        .filter_map(|heading| {
            Some((
                heading.level,
                heading.number.as_deref()?,
                heading.title.as_str(),
            ))
        })
        .collect();
    html! {
        ol {
            @for (at, (level, number, title)) in entries.iter().enumerate() {
                @if *level == 2 {
                    li {
                        (entry(number, title))
                        @let inner: Vec<_> = entries[at + 1..].iter().take_while(|(level, ..)| *level == 3).collect();
                        @if !inner.is_empty() {
                            ol { @for (_, number, title) in inner { li { (entry(number, title)) } } }
                        }
                    }
                }
            }
        }
    }
}

fn entry(number: &str, title: &str) -> Markup {
    html! {
        a href={ "#" (section_anchor(number)) } { span.number { (number) } " " (shown::Shown(title)) }
    }
}
