//! Findings in sentences: what is wrong, what the readers did about it, and the line as it should be.

mod corrected;

use crate::code::{Code, Severity};
use crate::deny::{Denied, Found, scan};
use crate::diagnostic::Diagnostic;
use crate::field::Field;
use crate::file::{Contact, EndpointUrl, Expires, ValueError};

/// One finding in sentences, without its place. Text from the file stands in it as it is: a program that shows it has to
/// show control characters and invisible ones by their numbers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Explanation {
    /// What is wrong, in one clause without a full stop.
    pub message: String,
    /// What the readers did about it, in the same way.
    pub effect: String,
    /// The whole line as it should be, where that can be known.
    pub corrected: Option<String>,
}

impl Explanation {
    pub(crate) fn of(diagnostic: &Diagnostic, source: &[u8]) -> Self {
        // Of a file that is not UTF-8 nothing is reported but that, which needs no text.
        let text = std::str::from_utf8(source).unwrap_or_default();
        let about = text.get(diagnostic.span()).unwrap_or_default();
        let start = diagnostic.span().start.min(text.len());
        let line_start = text[..start].rfind(['\n', '\r']).map_or(0, |at| at + 1);
        let line_end = text[start..]
            .find(['\n', '\r'])
            .map_or(text.len(), |at| start + at);
        let line = text[line_start..line_end].trim_start_matches('\u{feff}');
        let before = &text[line_start..start];
        Self {
            message: message(diagnostic.code(), about, line, source.len()),
            effect: effect(diagnostic, about),
            corrected: corrected::line(
                diagnostic.code(),
                line,
                before.trim_start_matches('\u{feff}'),
                about,
            ),
        }
    }
}

fn message(code: Code, about: &str, line: &str, size: usize) -> String {
    let why = |refused: Option<ValueError>| refused.map_or(String::new(), |e| e.why().to_owned());
    let name = Field::of_name(about).map_or(about, |field| field.name());
    let character = || about.chars().next().map_or(0, u32::from);
    let fixed = match code {
        Code::FileTooLarge => {
            return format!("the file has {size} bytes, and at most 65,536 are read for claims");
        }
        Code::LineTooLong => {
            return format!(
                "the line has {} bytes, and at most 4,096 are read",
                line.len()
            );
        }
        Code::ControlCharacter => return format!("U+{:04X} is a control character", character()),
        Code::UnsafeCharacter => {
            return format!(
                "U+{:04X} is invisible or changes the direction of the text",
                character()
            );
        }
        Code::EmptyValue => return format!("`{name}` has no value"),
        Code::DuplicateField => return format!("`{name}` stands here a second time"),
        Code::HeaderFieldInBlock => return format!("`{name}` belongs before the first Endpoint"),
        Code::FieldOutsideBlock => return format!("`{name}` belongs behind an Endpoint"),
        Code::ContactInvalid => return why(about.parse::<Contact>().err()),
        Code::ExpiresInvalid => return why(about.parse::<Expires>().err()),
        Code::EndpointInvalid
        | Code::EndpointNotHttps
        | Code::EndpointUserinfo
        | Code::EndpointFragment => {
            return why(about.parse::<EndpointUrl>().err());
        }
        Code::UnknownField => {
            return match Field::nearest(about) {
                Some(field) => format!("no field has this name; is `{}` meant?", field.name()),
                None => "no field has this name".to_owned(),
            };
        }
        Code::ResolversEntryInvalid if about.is_empty() => "there is no entry here",
        Code::JobLength => {
            return match about.chars().count() {
                0 => "there is no job here".to_owned(),
                n => format!("the job has {n} characters, and a job has 3 to 200"),
            };
        }
        Code::NotUtf8 => "these bytes are not UTF-8",
        Code::BareCr => "a carriage return alone ends this line",
        Code::MalformedLine => "this is neither blank nor a comment nor a `Name: value`",
        Code::LeadingWhitespace => {
            "the line starts with white space, and no line continues another one"
        }
        Code::SpaceBeforeColon => "there is white space between the name and the colon",
        Code::SignedEnvelope => "the file is signed, and version 0.2 knows no signatures",
        Code::MissingConformance => "`Conformance` is missing",
        Code::MissingContact => "`Contact` is missing",
        Code::MissingExpires => "`Expires` is missing",
        Code::MissingResolvers => "`Resolvers` is missing",
        Code::ConformanceUnsupported => "the only conformance is `Capability Resolution 0.2`",
        Code::Expired => "the file has expired",
        Code::ResolversEntryInvalid => {
            "an entry is `*`, or an https origin without path, or one with a `-` directly before it"
        }
        Code::ResolversNoneMixed => {
            "`none` stands alone, or it is unclear who may list the servers"
        }
        Code::TooManyResolvers => "this is the 101st entry, and 100 may be named",
        Code::MissingProtocol => "this block has no `Protocol`",
        Code::MissingJobs => "this block has no `Jobs`",
        Code::TooManyEndpoints => "this is the 101st endpoint, and a file may have 100",
        Code::DuplicateEndpoint => "an earlier block has the same URL",
        Code::TooManyJobs => "this block has more than 20 jobs",
        Code::InvalidToken => "a value here is one word of 1 to 32 letters, digits and hyphens",
        Code::Bom => "the file starts with a byte order mark",
        Code::NoFinalNewline => "the last line has no line end, as in a file that was cut off",
        Code::SpacingAfterColon => "a space belongs behind the colon",
        Code::ExpiresFar => {
            "the file expires more than a year from now, and may be forgotten until then"
        }
        Code::OriginNotCanonical => "the origin is not in canonical form",
        Code::ResolversRedundant => "an entry says what another one says already",
        Code::ResolversImpliedStar => "only denies are named, which allows everyone else",
        Code::ResolversConflict => "the same resolver is allowed and denied",
        Code::NoEndpoints => "the file names no endpoint",
        Code::EndpointQuery => "the URL has a query, which everybody can read",
        Code::EndpointOutOfScope => "the file does not speak for this host",
        Code::DuplicateJob => "the block names this job already",
        Code::UnknownValue => "version 0.2 does not define this value",
        Code::DenySalvaged => "a resolver is denied in a way that a strict reader does not read",
        Code::FetchContentType => "the file was not served as text/plain in UTF-8",
        Code::FetchCrossSite => "the file was served by another site",
    };
    fixed.to_owned()
}

fn effect(diagnostic: &Diagnostic, about: &str) -> String {
    let fixed = match diagnostic.code() {
        Code::ResolversEntryInvalid => return effect_of_entry(about),
        Code::UnsafeCharacter if diagnostic.severity() == Severity::Warning => {
            "the comment is skipped as any other"
        }
        Code::MissingResolvers => {
            "no claim of this file is used; every resolver may list the servers"
        }
        Code::FileTooLarge | Code::NotUtf8 => {
            "no claim of this file is used, and nothing else of it was checked; what it denies still holds"
        }
        Code::Bom => "it was skipped",
        Code::NoFinalNewline => "the last line was read as it is",
        Code::SpacingAfterColon => "the value was read",
        Code::UnknownField => "the line was ignored",
        Code::ExpiresFar => "the date was taken as it is",
        Code::OriginNotCanonical => "it was read in canonical form",
        Code::ResolversRedundant => "it was ignored",
        Code::ResolversImpliedStar => "it was read as if `*` stood there too",
        Code::ResolversConflict => "the resolver is denied",
        Code::NoEndpoints => "only the restriction on resolvers is used",
        Code::EndpointQuery => "the query was kept",
        Code::EndpointOutOfScope => "the block is ignored",
        Code::DuplicateJob => "the first one was kept",
        Code::UnknownValue => "it was kept, and may mean nothing to a resolver",
        Code::DenySalvaged => "the deny holds all the same",
        Code::FetchContentType | Code::FetchCrossSite => {
            "no claim of this file is used; what it denies holds"
        }
        _ => "no claim of this file is used until this is mended; what it denies still holds",
    };
    fixed.to_owned()
}

/// What the deny reader made of an entry that the strict one refused.
fn effect_of_entry(entry: &str) -> String {
    let line = format!("Resolvers: {entry}");
    let mut effects = Vec::new();
    scan(&line, |found| match found {
        Found::Deny { what, .. } => effects.push(match Denied::read(what) {
            Some(denied) => format!("it was read as a deny of {denied}"),
            None => "it was read as a deny of every resolver".to_owned(),
        }),
        Found::None { .. } => {
            effects.push("it was read as `none`: no resolver may list the servers".to_owned())
        }
        Found::Other(_) => effects.push("it allows nobody".to_owned()),
        Found::End => {}
    });
    effects.dedup();
    effects.push("no claim of this file is used until this is mended".to_owned());
    effects.join("; ")
}

#[cfg(test)]
mod tests;
