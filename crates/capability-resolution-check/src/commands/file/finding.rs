//! One finding of the strict reader, in sentences and with its line.

use std::ops::Range;

use capabilities_txt::limits::SCAN_MAX_BYTES;
use capabilities_txt::{Code, Diagnostic, Reading, Severity};
use capability_resolution::Time;
use command_console::Place;

use super::advice;

const BOM: char = '\u{feff}';

/// A finding that can be shown.
#[derive(Debug)]
pub(crate) struct Finding {
    pub(super) code: Code,
    pub(super) severity: Severity,
    pub(super) rule: &'static str,
    /// Counted from 1.
    pub(super) line: u32,
    /// In characters, counted from 1.
    pub(super) column: u32,
    /// The bytes of the file that it is about.
    pub(super) bytes: Range<usize>,
    /// How many characters of its line it is about.
    pub(super) length: usize,
    pub(super) message: String,
    /// What the readers did about it.
    pub(super) effect: String,
    /// What to do.
    pub(super) help: String,
    /// The line as it should be.
    pub(super) corrected: Option<String>,
    label: Option<String>,
    /// The line that it is on; empty for what is about the whole file.
    text: String,
}

impl Finding {
    pub(crate) fn new(reading: &Reading<'_>, diagnostic: &Diagnostic, now: Time) -> Self {
        let source = reading.source();
        let code = diagnostic.code();
        // What is wrong with the whole file is shown at its start.
        let bytes = if code == Code::FileTooLarge {
            0..0
        } else {
            diagnostic.span()
        };
        let marked = source.get(bytes.clone()).unwrap_or_default();
        let about = String::from_utf8_lossy(marked);
        let explanation = reading.explain(diagnostic);
        let message = match code {
            Code::FileTooLarge if source.len() > SCAN_MAX_BYTES => {
                "the file has more than 524,288 bytes, and at most 65,536 are read for claims"
                    .to_owned()
            }
            _ => explanation.message,
        };
        let help = match &explanation.corrected {
            Some(line) if advice::is_missing(code) => format!("add the line\n{line}"),
            Some(line) => line.clone(),
            None => advice::help(reading, code, &about, now),
        };
        Self {
            code,
            severity: diagnostic.severity(),
            rule: diagnostic.rule(),
            line: diagnostic.line(),
            column: diagnostic.column(),
            length: about.trim_start_matches(BOM).chars().count(),
            message,
            effect: explanation.effect,
            help,
            corrected: explanation.corrected,
            label: label(code, marked),
            text: line_of(source, code, &bytes),
            bytes,
        }
    }

    /// In the manner of a compiler.
    pub(super) fn show(&self, path: &str) -> command_console::Diagnostic {
        let shown = self.show_place(path).fact("effect", self.effect.as_str());
        shown.fact("rule", self.rule).help(self.help.as_str())
    }

    /// The same of a text that no resolver has read.
    pub(crate) fn show_draft(&self, path: &str) -> command_console::Diagnostic {
        let shown = self.show_place(path).fact("rule", self.rule);
        shown.help(self.help.as_str())
    }

    pub(crate) fn is_error(&self) -> bool {
        self.severity == Severity::Error
    }

    fn show_place(&self, path: &str) -> command_console::Diagnostic {
        let place = Place {
            path: path.to_owned(),
            line: size(self.line),
            column: size(self.column),
            length: self.length,
            text: self.text.clone(),
        };
        let new = match self.severity {
            Severity::Error => command_console::Diagnostic::error,
            Severity::Warning => command_console::Diagnostic::warning,
        };
        let shown = new(self.code.as_str().to_owned(), self.message.clone()).at(place);
        match &self.label {
            Some(label) => shown.label(label.as_str()),
            None => shown,
        }
    }
}

fn size(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

/// The line of a finding without its line end; with it, if that is what is wrong. Nothing for what is about the whole
/// file, and for a text in UTF-16, which has no lines as bytes.
fn line_of(source: &[u8], code: Code, bytes: &Range<usize>) -> String {
    let about_all = advice::is_missing_in_header(code)
        || matches!(code, Code::FileTooLarge | Code::NoEndpoints | Code::Bom)
        || code == Code::DenySalvaged && advice::is_unread(source);
    if about_all || code == Code::NotUtf8 && advice::is_utf16(source) {
        return String::new();
    }
    let is_end = |b: &u8| matches!(b, b'\n' | b'\r');
    let (before, after) = source.split_at_checked(bytes.start).unwrap_or_default();
    let start = before.iter().rposition(is_end).map_or(0, |at| at + 1);
    let own_end = usize::from(code == Code::BareCr);
    let end = after
        .iter()
        .position(is_end)
        .map_or(after.len(), |at| at + own_end);
    let line = String::from_utf8_lossy(&source[start..before.len() + end]);
    if start == 0 {
        line.trim_start_matches(BOM)
    } else {
        &line
    }
    .to_owned()
}

/// What is marked, where it does not look like what it is.
fn label(code: Code, marked: &[u8]) -> Option<String> {
    if code == Code::NotUtf8 {
        return Some(format!("0x{}", base16ct::upper::encode_string(marked)));
    }
    let first = std::str::from_utf8(marked).ok()?.chars().next()?;
    let name = match first {
        _ if code != Code::ResolversEntryInvalid => return None,
        '\u{2010}' => "HYPHEN",
        '\u{2011}' => "NON-BREAKING HYPHEN",
        '\u{2012}' => "FIGURE DASH",
        '\u{2013}' => "EN DASH",
        '\u{2014}' => "EM DASH",
        '\u{2015}' => "HORIZONTAL BAR",
        '\u{2212}' => "MINUS SIGN",
        '\u{fe58}' => "SMALL EM DASH",
        '\u{fe63}' => "SMALL HYPHEN-MINUS",
        '\u{ff0d}' => "FULLWIDTH HYPHEN-MINUS",
        _ => return None,
    };
    let number = u32::from(first);
    Some(format!("U+{number:04X} {name}, not the - of a keyboard"))
}
