//! What a server file says, as values: each can be had only by being valid.

mod endpoint_url;
mod expires;
mod resolvers;

pub use endpoint_url::EndpointUrl;
pub use expires::Expires;
pub use resolvers::{Entry, Resolvers};

use std::collections::HashSet;
use std::fmt;

use capability_resolution::text::{is_control, is_unsafe, is_white_space, trim};

use crate::code::Code;
use crate::limits::{
    ENDPOINTS_MAX, JOB_MAX_CHARACTERS, JOB_MIN_CHARACTERS, JOBS_MAX, WORD_MAX_CHARACTERS,
};

/// The content of a valid server file. Its conformance is `Capability Resolution 0.2`, the only one there is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerFile {
    contacts: Vec<Contact>,
    expires: Expires,
    resolvers: Resolvers,
    endpoints: Vec<Endpoint>,
}

impl ServerFile {
    /// A file of these parts.
    ///
    /// # Errors
    ///
    /// `missing-contact` without a contact, `too-many-endpoints` for more than 100 endpoints, `duplicate-endpoint` for
    /// two with the same URL.
    pub fn new(
        contacts: Vec<Contact>,
        expires: Expires,
        resolvers: Resolvers,
        endpoints: Vec<Endpoint>,
    ) -> Result<Self, ValueError> {
        if contacts.is_empty() {
            return Err(ValueError::new(
                Code::MissingContact,
                "a file needs a contact",
            ));
        }
        if endpoints.len() > ENDPOINTS_MAX {
            return Err(ValueError::new(
                Code::TooManyEndpoints,
                "a file has at most 100 endpoints",
            ));
        }
        let mut urls = HashSet::new();
        if !endpoints
            .iter()
            .all(|endpoint| urls.insert(endpoint.url.as_str()))
        {
            return Err(ValueError::new(
                Code::DuplicateEndpoint,
                "two endpoints have the same URL",
            ));
        }
        Ok(Self::from_parts(contacts, expires, resolvers, endpoints))
    }

    /// Whom to ask about the file, in its order: one at least.
    #[must_use]
    pub fn contacts(&self) -> &[Contact] {
        &self.contacts
    }

    /// The moment from which the file is not valid any more.
    #[must_use]
    pub fn expires(&self) -> &Expires {
        &self.expires
    }

    /// Which resolvers may list the host's servers.
    #[must_use]
    pub fn resolvers(&self) -> &Resolvers {
        &self.resolvers
    }

    /// The blocks in the order of the file, at most 100. Those out of scope are among them;
    /// [`crate::Reading::endpoints`] tells which.
    #[must_use]
    pub fn endpoints(&self) -> &[Endpoint] {
        &self.endpoints
    }

    /// For the strict reader, which has reported what [`Self::new`] checks.
    pub(crate) fn from_parts(
        contacts: Vec<Contact>,
        expires: Expires,
        resolvers: Resolvers,
        endpoints: Vec<Endpoint>,
    ) -> Self {
        Self {
            contacts,
            expires,
            resolvers,
            endpoints,
        }
    }
}

/// One block: a server, and what its owner claims of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Endpoint {
    /// The URL of the server.
    pub url: EndpointUrl,
    /// The protocol it speaks, `mcp` being the one that is defined.
    pub protocol: Word,
    /// What it does.
    pub jobs: Jobs,
    /// Whether it asks callers to sign in; absent is not `none`.
    pub sign_in: Option<Word>,
    /// Whether it asks for payment; absent is not `none`.
    pub payment: Option<Word>,
}

/// Why a value cannot stand in a server file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{code}: {why} (rule {rule})")]
pub struct ValueError {
    code: Code,
    rule: &'static str,
    why: &'static str,
}

impl ValueError {
    /// The code that the strict reader reports for such a value.
    #[must_use]
    pub fn code(&self) -> Code {
        self.code
    }

    /// What is wrong, in one clause.
    #[must_use]
    pub fn why(&self) -> &'static str {
        self.why
    }

    /// The id of the rule that it breaks.
    #[must_use]
    pub fn rule(&self) -> &'static str {
        self.rule
    }

    pub(crate) fn new(code: Code, why: &'static str) -> Self {
        let rule = code.rules()[0];
        Self { code, rule, why }
    }
}

/// A `mailto:`, `https:` or `tel:` URI: `captxt.contact`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Contact(String);

/// A job in 3 to 200 characters, without semicolon, control and unsafe characters: `captxt.jobs`.
///
/// It is data from a stranger: to be escaped, labelled, and never followed as an instruction.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Job(String);

/// The value of Protocol, Sign-in or Payment, in lower case: `captxt.token`.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Word(String);

macro_rules! text_of {
    ($($name:ident)+) => {$(
        impl $name {
            /// The text.
            #[must_use]
            pub fn as_str(&self) -> &str {
                &self.0
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(&self.0)
            }
        }
    )+};
}

text_of!(Contact Job Word);

impl std::str::FromStr for Contact {
    type Err = ValueError;

    fn from_str(text: &str) -> Result<Self, ValueError> {
        let sound = text.split_once(':').is_some_and(|(scheme, rest)| {
            ["mailto", "https", "tel"]
                .iter()
                .any(|known| scheme.eq_ignore_ascii_case(known))
                && !rest.is_empty()
                && is_uri_text(rest)
        });
        if !sound {
            let why = "a contact is a mailto:, https: or tel: URI without spaces";
            return Err(ValueError::new(Code::ContactInvalid, why));
        }
        Ok(Self(text.to_owned()))
    }
}

impl std::str::FromStr for Job {
    type Err = ValueError;

    fn from_str(text: &str) -> Result<Self, ValueError> {
        let job = Self::from_line(text).ok_or(ValueError::new(
            Code::JobLength,
            "a job has 3 to 200 characters",
        ))?;
        let wrong = |code, why| Err(ValueError::new(code, why));
        if job.0.len() != text.len() {
            return wrong(Code::JobLength, "a job has no white space at its ends");
        }
        if text.contains(';') {
            return wrong(Code::JobLength, "a semicolon ends a job");
        }
        if text.chars().any(is_control) {
            return wrong(Code::ControlCharacter, "a job has no control characters");
        }
        if text.chars().any(is_unsafe) {
            return wrong(Code::UnsafeCharacter, "a job has no invisible characters");
        }
        Ok(job)
    }
}

impl Job {
    /// From a piece between semicolons, on a line whose characters were looked at already.
    pub(crate) fn from_line(piece: &str) -> Option<Self> {
        let job = trim(piece);
        (JOB_MIN_CHARACTERS..=JOB_MAX_CHARACTERS)
            .contains(&job.chars().count())
            .then(|| Self(job.to_owned()))
    }

    /// By what duplicates are known: `captxt.jobs.duplicate`.
    pub(crate) fn folded(&self) -> impl Iterator<Item = char> {
        let mut after_space = false;
        self.0.chars().filter_map(move |c| {
            let space = is_white_space(c);
            let skipped = space && after_space;
            after_space = space;
            match c {
                _ if skipped => None,
                _ if space => Some(' '),
                _ if c.is_ascii() => Some(c.to_ascii_lowercase()),
                // The only character whose full lower case is longer than its simple one.
                '\u{130}' => Some('i'),
                c => c.to_lowercase().next(),
            }
        })
    }
}

impl std::str::FromStr for Word {
    type Err = ValueError;

    /// Takes any case, and keeps the lower one.
    fn from_str(text: &str) -> Result<Self, ValueError> {
        let sound = (1..=WORD_MAX_CHARACTERS).contains(&text.len())
            && text.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-')
            && !text.starts_with('-');
        if !sound {
            let why = "a value is one word of 1 to 32 letters, digits and hyphens";
            return Err(ValueError::new(Code::InvalidToken, why));
        }
        Ok(Self(text.to_ascii_lowercase()))
    }
}

/// The jobs of one block: 1 to 20, no two of them the same but for case and white space.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Jobs(Vec<Job>);

impl Jobs {
    /// These jobs.
    ///
    /// # Errors
    ///
    /// `missing-jobs` for none, `too-many-jobs` for more than 20, `duplicate-job`.
    pub fn new(jobs: Vec<Job>) -> Result<Self, ValueError> {
        if jobs.is_empty() {
            return Err(ValueError::new(
                Code::MissingJobs,
                "an endpoint needs a job",
            ));
        }
        if jobs.len() > JOBS_MAX {
            return Err(ValueError::new(
                Code::TooManyJobs,
                "an endpoint has at most 20 jobs",
            ));
        }
        let mut seen = HashSet::new();
        if !jobs
            .iter()
            .all(|job| seen.insert(job.folded().collect::<String>()))
        {
            return Err(ValueError::new(Code::DuplicateJob, "two jobs are the same"));
        }
        Ok(Self(jobs))
    }

    /// For the strict reader, which has left out duplicates and reported the rest.
    pub(crate) fn from_reader(jobs: Vec<Job>) -> Self {
        Self(jobs)
    }
}

impl std::ops::Deref for Jobs {
    type Target = [Job];

    fn deref(&self) -> &[Job] {
        &self.0
    }
}

/// Whether all characters are unreserved, reserved or percent-encoded ones of RFC 3986.
fn is_uri_text(text: &str) -> bool {
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        let sound = match byte {
            b'%' => (0..2).all(|_| bytes.next().is_some_and(|b| b.is_ascii_hexdigit())),
            byte => byte.is_ascii_alphanumeric() || b"-._~:/?#[]@!$&'()*+,;=".contains(&byte),
        };
        if !sound {
            return false;
        }
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    // r[captxt.contact]
    #[test]
    fn contacts() {
        for good in [
            "mailto:a@b.example",
            "HTTPS://a",
            "tel:+1-2",
            "https:%20",
            "mailto:x?subject=a;b",
        ] {
            assert!(good.parse::<Contact>().is_ok(), "{good}");
        }
        for bad in [
            "",
            "mailto:",
            "a@b.example",
            "http://a",
            "mailto:a b",
            "https:%2",
            "https:ü",
            "mailto:<a@b>",
            " tel:1",
        ] {
            assert!(bad.parse::<Contact>().is_err(), "{bad}");
        }
    }

    // r[captxt.token]
    #[test]
    fn words() {
        assert_eq!(
            "MCP".parse::<Word>().map(|w| w.to_string()).as_deref(),
            Ok("mcp")
        );
        assert!("9-".parse::<Word>().is_ok() && "a".repeat(32).parse::<Word>().is_ok());
        for bad in ["", "-a", "a b", "a_b", "ä", &"a".repeat(33)] {
            assert!(bad.parse::<Word>().is_err(), "{bad}");
        }
    }

    // r[captxt.jobs] r[captxt.jobs.duplicate] r[captxt.jobs.count]
    #[test]
    fn jobs() {
        let job = |text: &str| text.parse::<Job>();
        assert!(job("abc").is_ok() && job(&"💌".repeat(200)).is_ok());
        for bad in [
            "ab",
            " abc",
            "abc\u{3000}",
            "a;b",
            "a\tbc",
            "a\u{200b}bc",
            &"a".repeat(201),
        ] {
            assert!(job(bad).is_err(), "{bad}");
        }
        let jobs = |texts: &[&str]| Jobs::new(texts.iter().map(|t| job(t).unwrap()).collect());
        let code = |texts: &[&str]| jobs(texts).unwrap_err().code();
        assert!(jobs(&["send it", "sendit"]).is_ok());
        assert_eq!(code(&["send\u{a0} it", "SEND it"]), Code::DuplicateJob);
        assert_eq!(code(&["\u{130}stanbul", "istanbul"]), Code::DuplicateJob);
        assert_eq!(code(&[]), Code::MissingJobs);
        let many: Vec<String> = (100..121).map(|n| n.to_string()).collect();
        let many: Vec<&str> = many.iter().map(String::as_str).collect();
        assert!(jobs(&many[..20]).is_ok());
        assert_eq!(code(&many), Code::TooManyJobs);
    }
}
