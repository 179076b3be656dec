//! The file as it grows, judged by the strict reader after each line.

use capabilities_txt::{Code, Diagnostic, Expires, Reading, Scope, ServerFile, read};
use capability_resolution::Time;
use command_console::Console;

use super::error::NewError;
use crate::commands::file::finding::Finding;

/// What the questions add.
const COMES_LATER: [Code; 4] = [
    Code::MissingContact,
    Code::MissingExpires,
    Code::MissingResolvers,
    Code::NoEndpoints,
];

/// The lines so far.
pub(super) struct Draft<'s> {
    scope: &'s Scope,
    now: Time,
    path: String,
    text: String,
}

impl<'s> Draft<'s> {
    /// A draft for the host of a scope. Messages name its path.
    pub(super) fn new(scope: &'s Scope, now: Time, path: String) -> Self {
        let text = "Conformance: Capability Resolution 0.2\n".to_owned();
        Self {
            scope,
            now,
            path,
            text,
        }
    }

    pub(super) fn now(&self) -> Time {
        self.now
    }

    /// Adds a line, whatever is wrong with it; whether it is one line.
    pub(super) fn push(&mut self, name: &str, value: &str, console: &mut Console) -> bool {
        if value.contains(['\n', '\r']) {
            let message = format!("the value of {name} has a line end in it");
            let error =
                command_console::Diagnostic::error(Code::ControlCharacter.as_str(), message);
            console.talk(error.fact("rule", Code::ControlCharacter.rules()[0]));
            return false;
        }
        self.text.push_str(&format!("{name}: {value}\n"));
        true
    }

    /// Says everything that is wrong, but for what is missing in the header if that is asked for later. Whether that
    /// is nothing but warnings.
    pub(super) fn judge(&self, asks: bool, console: &mut Console) -> bool {
        let is_early = |found: &Diagnostic| !(asks && COMES_LATER.contains(&found.code()));
        self.show(is_early, console)
    }

    /// Adds a line if it brings no error, and says what it brings. Whether it was added.
    pub(super) fn add(&mut self, name: &str, value: &str, console: &mut Console) -> bool {
        let (length, before) = (self.text.len(), self.reading().diagnostics().to_vec());
        let comes_later = [Code::MissingProtocol, Code::MissingJobs];
        let is_new =
            |found: &Diagnostic| !before.contains(found) && !comes_later.contains(&found.code());
        let added = self.push(name, value, console) && self.show(is_new, console);
        if !added {
            self.text.truncate(length);
        }
        added
    }

    /// The canonical text of the draft; `None` if it is not valid.
    pub(super) fn to_text(&self) -> Result<Option<String>, NewError> {
        let reading = self.reading();
        let text = reading.file().map(ServerFile::to_text);
        text.transpose().map_err(NewError::TooLong)
    }

    fn reading(&self) -> Reading<'_> {
        read(self.text.as_bytes(), self.scope, self.now)
    }

    /// Shows some of the findings; whether no error is among them.
    fn show(&self, is_shown: impl Fn(&Diagnostic) -> bool, console: &mut Console) -> bool {
        let reading = self.reading();
        let mut sound = true;
        for diagnostic in reading.diagnostics().iter().filter(|found| is_shown(found)) {
            let finding = Finding::new(&reading, diagnostic, self.now);
            sound &= !finding.is_error();
            console.talk(format_args!("{}\n", finding.show_draft(&self.path)));
        }
        sound
    }
}

/// The value of Expires so many days from now.
pub(super) fn expires(now: Time, days: u32) -> String {
    let later = now.plus(u64::from(days) * 86_400);
    // Where no date says it, the reader says what is wrong.
    Expires::from_time(later).map_or_else(|| later.to_string(), |expires| expires.to_string())
}
