//! The writer: from a value to the canonical text.

use std::fmt::{Display, Write as _};

use crate::code::Code;
use crate::file::{Jobs, ServerFile};
use crate::limits::{ENDPOINT_MAX_CHARACTERS, FILE_MAX_BYTES, LINE_MAX_BYTES};

/// Why a file cannot be written: its text would break a limit of the strict reader.
///
/// Canonical text can be longer than what an owner wrote, percent-encoded where that was not.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{code}: {found} bytes, of at most {limit} (rule {}); name fewer resolvers, endpoints or jobs, or shorter ones",
    code.rules()[0]
)]
pub struct WriteError {
    code: Code,
    found: usize,
    limit: usize,
}

impl WriteError {
    /// The code that the strict reader would report for the text.
    #[must_use]
    pub fn code(&self) -> Code {
        self.code
    }
}

impl ServerFile {
    /// The file as canonical text, from which the strict reader reads the same value again.
    ///
    /// ```
    /// use capabilities_txt::{Entry, Expires, Resolvers, ServerFile};
    ///
    /// let file = ServerFile::new(
    ///     vec!["mailto:tools@example.com".parse()?],
    ///     "2027-04-30T00:00:00Z".parse()?,
    ///     Resolvers::new(vec![Entry::Everyone])?,
    ///     vec![],
    /// )?;
    /// assert!(file.to_text()?.ends_with("\nResolvers: *\n"));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    ///
    /// `line-too-long`, `file-too-large` or `endpoint-invalid`, if the value is larger than a file can say.
    pub fn to_text(&self) -> Result<String, WriteError> {
        let mut text = String::new();
        line(&mut text, "Conformance", "Capability Resolution 0.2")?;
        for contact in self.contacts() {
            line(&mut text, "Contact", contact)?;
        }
        line(&mut text, "Expires", self.expires())?;
        line(&mut text, "Resolvers", self.resolvers())?;
        for endpoint in self.endpoints() {
            text.push('\n');
            // A serialized URL is ASCII.
            within(
                Code::EndpointInvalid,
                endpoint.url.as_str().len(),
                ENDPOINT_MAX_CHARACTERS,
            )?;
            line(&mut text, "Endpoint", &endpoint.url)?;
            line(&mut text, "Protocol", &endpoint.protocol)?;
            for jobs in lines_of(&endpoint.jobs) {
                line(&mut text, "Jobs", jobs)?;
            }
            if let Some(word) = &endpoint.sign_in {
                line(&mut text, "Sign-in", word)?;
            }
            if let Some(word) = &endpoint.payment {
                line(&mut text, "Payment", word)?;
            }
        }
        within(Code::FileTooLarge, text.len(), FILE_MAX_BYTES)?;
        Ok(text)
    }
}

fn line(text: &mut String, name: &str, value: impl Display) -> Result<(), WriteError> {
    let start = text.len();
    // A String takes whatever is written.
    let _ = write!(text, "{name}: {value}");
    within(Code::LineTooLong, text.len() - start, LINE_MAX_BYTES)?;
    text.push('\n');
    Ok(())
}

fn within(code: Code, found: usize, limit: usize) -> Result<(), WriteError> {
    if found > limit {
        Err(WriteError { code, found, limit })
    } else {
        Ok(())
    }
}

/// The jobs on as few lines as they fit.
fn lines_of(jobs: &Jobs) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for job in jobs.iter() {
        match lines.last_mut() {
            Some(line) if "Jobs: ; ".len() + line.len() + job.as_str().len() <= LINE_MAX_BYTES => {
                line.push_str("; ");
                line.push_str(job.as_str());
            }
            _ => lines.push(job.to_string()),
        }
    }
    lines
}
