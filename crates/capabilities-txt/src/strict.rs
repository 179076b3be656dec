//! The strict reader: sections 11.1 to 11.5 of the text.

mod block;
mod header;
mod line;
mod lines;

use capability_resolution::Time;

use crate::code::{Code, Severity};
use crate::deny::{Found, restricts, scan};
use crate::diagnostic::{Diagnostic, Position, number};
use crate::explain::Explanation;
use crate::field::Field;
use crate::file::{Endpoint, ServerFile};
use crate::limits::FILE_MAX_BYTES;
use crate::scope::Scope;
use block::Blocks;
use header::Header;
use line::{FieldLine, Line};

/// What the strict reader made of a file: all that it found, and what the file says if there is no error.
#[derive(Debug, Clone)]
pub struct Reading<'a> {
    source: &'a [u8],
    scope: &'a Scope,
    file: Option<ServerFile>,
    diagnostics: Vec<Diagnostic>,
}

impl<'a> Reading<'a> {
    /// Whether the strict reader found no error: `captxt.valid`.
    #[must_use]
    pub fn is_valid(&self) -> bool {
        self.file.is_some()
    }

    /// The code of a file that is not valid: that of its first error, by `captxt.order`.
    #[must_use]
    pub fn code(&self) -> Option<Code> {
        let first = self
            .diagnostics
            .iter()
            .find(|d| d.severity() == Severity::Error);
        first.map(Diagnostic::code)
    }

    /// What the file says; nothing if it is not valid: `captxt.claims-valid-only`.
    #[must_use]
    pub fn file(&self) -> Option<&ServerFile> {
        self.file.as_ref()
    }

    /// The blocks, each with whether it is in scope; none if the file is not valid: `captxt.claims-empty`.
    pub fn endpoints(&self) -> impl Iterator<Item = (&Endpoint, bool)> {
        let endpoints = self.file.iter().flat_map(ServerFile::endpoints);
        endpoints.map(|endpoint| (endpoint, self.scope.covers(endpoint.url.host())))
    }

    /// The endpoints that the file speaks for: what a resolver may use of a valid file. It lists those of them that are
    /// server URLs, by [`crate::EndpointUrl::server_url`].
    pub fn claims(&self) -> impl Iterator<Item = &Endpoint> {
        self.endpoints()
            .filter_map(|(endpoint, in_scope)| in_scope.then_some(endpoint))
    }

    /// Everything that was found, in the order of `captxt.order`.
    ///
    /// Nothing is left out: a finding is 40 bytes without text, and there is about one for each byte at most, of a file of
    /// at most 64 KiB. The worst files, such as one of bare CRs, cost less than 8 MiB while they are read.
    #[must_use]
    pub fn diagnostics(&self) -> &[Diagnostic] {
        &self.diagnostics
    }

    /// The bytes that were read.
    #[must_use]
    pub fn source(&self) -> &'a [u8] {
        self.source
    }

    /// The host that the file was asked of, and those below it that it speaks for.
    #[must_use]
    pub fn scope(&self) -> &'a Scope {
        self.scope
    }

    /// A finding of this reading in sentences.
    #[must_use]
    pub fn explain(&self, diagnostic: &Diagnostic) -> Explanation {
        Explanation::of(diagnostic, self.source)
    }
}

/// Reads a file strictly, as the file of the scope's host, at this time.
///
/// Linear in the bytes. A file without findings costs no allocation beyond the values of the result.
#[must_use]
pub fn read<'a>(bytes: &'a [u8], scope: &'a Scope, now: Time) -> Reading<'a> {
    let (file, mut diagnostics) = if bytes.len() > FILE_MAX_BYTES {
        let all = 0..bytes.len();
        (
            None,
            unreadable(
                bytes,
                Diagnostic::new(Code::FileTooLarge, Position::START, all),
            ),
        )
    } else {
        match std::str::from_utf8(bytes) {
            Ok(text) => Reader::new(text, scope, now).read(),
            Err(fault) => (None, unreadable(bytes, not_utf8(bytes, fault))),
        }
    };
    Diagnostic::sort(&mut diagnostics);
    Reading {
        source: bytes,
        scope,
        file,
        diagnostics,
    }
}

/// `captxt.size`, `captxt.utf8`: nothing else is reported but what the deny reader found.
fn unreadable(bytes: &[u8], fault: Diagnostic) -> Vec<Diagnostic> {
    let salvaged = Diagnostic::new(Code::DenySalvaged, Position::START, 0..0);
    std::iter::once(fault)
        .chain(restricts(bytes).then_some(salvaged))
        .collect()
}

fn not_utf8(bytes: &[u8], fault: std::str::Utf8Error) -> Diagnostic {
    let start = fault.valid_up_to();
    let end = fault.error_len().map_or(bytes.len(), |len| start + len);
    let before = String::from_utf8_lossy(&bytes[..start]);
    let before = before.strip_prefix(BOM).unwrap_or(&before);
    let line = before.rsplit(['\n', '\r']).next().unwrap_or_default();
    let at = Position {
        line: line_of(before),
        column: number(line.chars().count() + 1),
    };
    Diagnostic::new(Code::NotUtf8, at, start..end)
}

/// The number of the line behind a text.
fn line_of(before: &str) -> u32 {
    number(lines::split(before).filter(|line| line.has_end).count() + 1)
}

const BOM: char = '\u{feff}';

/// The strict reader at work on one file in UTF-8.
struct Reader<'a> {
    /// The whole file; places are byte offsets in it.
    text: &'a str,
    scope: &'a Scope,
    now: Time,
    header: Header,
    blocks: Blocks,
    found: Vec<Diagnostic>,
}

impl<'a> Reader<'a> {
    fn new(text: &'a str, scope: &'a Scope, now: Time) -> Self {
        Self {
            text,
            scope,
            now,
            header: Header::default(),
            blocks: Blocks::default(),
            found: Vec::new(),
        }
    }

    fn read(mut self) -> (Option<ServerFile>, Vec<Diagnostic>) {
        let (bom, body) = match self.text.strip_prefix(BOM) {
            Some(body) => (self.text.len() - body.len(), body),
            None => (0, self.text),
        };
        if bom > 0 {
            self.found
                .push(Diagnostic::new(Code::Bom, Position::START, 0..bom));
        }
        let mut envelope = lines::Envelope::default();
        for raw in lines::split(body) {
            let line = Line::new(raw, bom);
            if raw.has_bare_cr {
                self.found
                    .push(line.diagnostic(Code::BareCr, line.text.len()..line.text.len() + 1));
            }
            if let Some(line) = envelope.unwrap(line, &mut self.found) {
                self.read_line(line);
            }
        }
        self.end(bom, body);
        let valid = self.found.iter().all(|d| d.severity() == Severity::Warning);
        let file = self.header.into_file(self.blocks.into_endpoints());
        (file.filter(|_| valid), self.found)
    }

    fn read_line(&mut self, line: Line<'a>) {
        let fault = line.fault();
        let kind = line.kind();
        if let Some(fault) = fault {
            let comment =
                matches!(kind, line::Kind::Comment) && fault.code() == Code::UnsafeCharacter;
            self.found
                .push(if comment { fault.as_warning() } else { fault });
        }
        if !matches!(kind, line::Kind::Other) {
            return;
        }
        let indent = line.indent();
        if indent > 0 {
            self.found
                .push(line.diagnostic_to_end(Code::LeadingWhitespace, indent));
        }
        let named = FieldLine::parse(line, fault.is_some());
        let defined = named
            .as_ref()
            .and_then(|named| Some((named, Field::of_name(&named.name)?)));
        match (defined, named.as_ref()) {
            (Some((named, field)), _) => self.read_field(named, field, fault.is_some()),
            (None, _) if indent > 0 || fault.is_some() => {}
            (None, Some(named)) => {
                self.found.extend(named.space_before_colon());
                self.found.push(named.at_name(Code::UnknownField));
            }
            (None, None) => self
                .found
                .push(line.diagnostic_to_end(Code::MalformedLine, 0)),
        }
    }

    fn read_field(&mut self, named: &FieldLine<'a>, field: Field, damaged: bool) {
        let in_block = self.blocks.has_started();
        let misplaced = field != Field::Endpoint && field.is_header() == in_block;
        let again = !misplaced
            && match field {
                Field::Contact | Field::Endpoint | Field::Jobs => false,
                _ if in_block => self.blocks.has(field),
                _ => self.header.has(field),
            };
        let mut value = None;
        if !again && !damaged {
            self.found.extend(named.space_before_colon());
            if !misplaced {
                value = named.value();
                self.found.extend(match &value {
                    None => Some(named.at_name(Code::EmptyValue)),
                    Some(_) => named.spacing_after_colon(),
                });
            }
        }
        if field.is_header() {
            self.header.mark(field);
        }
        if misplaced {
            let code = if in_block {
                Code::HeaderFieldInBlock
            } else {
                Code::FieldOutsideBlock
            };
            self.found.push(named.at_name(code));
        } else if again {
            let rule = if in_block {
                "captxt.block.once"
            } else {
                "captxt.header.once"
            };
            self.found
                .push(named.at_name(Code::DuplicateField).by(rule));
        } else if field == Field::Endpoint {
            self.blocks
                .start(named, value.as_ref(), self.scope, &mut self.found);
        } else if in_block {
            self.blocks.read(field, value.as_ref(), &mut self.found);
        } else if let Some(value) = value {
            self.header.read(field, &value, self.now, &mut self.found);
        }
    }

    /// What can be said only at the end of the file.
    fn end(&mut self, bom: usize, body: &str) {
        if !self.text.is_empty() && !body.ends_with(['\n', '\r']) {
            let last = lines::split(body).last();
            let at = last.map_or(Position::START, |last| {
                let line = Line::new(last, bom);
                line.position(line.text.len())
            });
            let end = self.text.len();
            self.found
                .push(Diagnostic::new(Code::NoFinalNewline, at, end..end));
        }
        for code in self.header.missing() {
            self.found
                .push(Diagnostic::new(code, Position::START, bom..bom));
        }
        self.blocks.finish(&mut self.found);
        if !self.blocks.has_started() && !self.header.is_none() {
            self.found.push(Diagnostic::new(
                Code::NoEndpoints,
                Position::START,
                bom..bom,
            ));
        }
        self.find_salvaged(bom);
    }

    /// `captxt.deny.salvaged`: the first deny that the deny reader found and the strict reader did not take.
    fn find_salvaged(&mut self, bom: usize) {
        let mut first = usize::MAX;
        let header = &self.header;
        scan(self.text, |what| {
            if let Found::Deny { place, .. } | Found::None { place } = what
                && place < first
                && !header.took(place)
            {
                first = place;
            }
        });
        if first < usize::MAX {
            let line = Position {
                line: line_of(&self.text[bom..first]),
                column: 1,
            };
            let start = self.text[bom..first]
                .rfind(['\n', '\r'])
                .map_or(bom, |at| bom + at + 1);
            self.found
                .push(Diagnostic::new(Code::DenySalvaged, line, start..start));
        }
    }
}

#[cfg(test)]
mod tests;
