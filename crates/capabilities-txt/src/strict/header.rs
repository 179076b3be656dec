//! The header fields: section 11.3 of the text.

use std::ops::Range;

use capability_resolution::{Origin, Time};

use super::line::{Value, pieces};
use crate::code::Code;
use crate::diagnostic::Diagnostic;
use crate::field::Field;
use crate::file::{Contact, Endpoint, Entry, Expires, Resolvers, ServerFile, ValueError};
use crate::limits::{EXPIRES_FAR_SECONDS, RESOLVERS_MAX};

/// What was read of the header so far.
#[derive(Debug, Default)]
pub(super) struct Header {
    conformance: bool,
    contact: bool,
    expires: bool,
    resolvers: bool,
    contacts: Vec<Contact>,
    expires_at: Option<Expires>,
    who: Option<Resolvers>,
    /// Whether the value of Resolvers is `none`: one of which no entry is sound allows nobody either, and is not.
    none: bool,
    /// Where the value of Resolvers stands that was evaluated, and the entries in it that have an error of their own.
    evaluated: Range<usize>,
    wrong: Vec<Range<usize>>,
}

impl Header {
    pub(super) fn has(&self, field: Field) -> bool {
        match field {
            Field::Conformance => self.conformance,
            Field::Contact => self.contact,
            Field::Expires => self.expires,
            Field::Resolvers => self.resolvers,
            _ => false,
        }
    }

    /// The field counts as present, whatever its place and value.
    pub(super) fn mark(&mut self, field: Field) {
        match field {
            Field::Conformance => self.conformance = true,
            Field::Contact => self.contact = true,
            Field::Expires => self.expires = true,
            Field::Resolvers => self.resolvers = true,
            _ => {}
        }
    }

    /// `captxt.header.required`.
    pub(super) fn missing(&self) -> impl Iterator<Item = Code> + use<> {
        let fields = [
            (self.conformance, Code::MissingConformance),
            (self.contact, Code::MissingContact),
            (self.expires, Code::MissingExpires),
            (self.resolvers, Code::MissingResolvers),
        ];
        fields
            .into_iter()
            .filter_map(|(present, code)| (!present).then_some(code))
    }

    /// Whether the value of Resolvers is `none`.
    pub(super) fn is_none(&self) -> bool {
        self.none
    }

    /// Whether what stands at a place in the file was taken from a sound entry of the value that was evaluated.
    pub(super) fn took(&self, place: usize) -> bool {
        let before = self.wrong.partition_point(|wrong| wrong.start <= place);
        let in_wrong = before > 0 && place < self.wrong[before - 1].end;
        self.evaluated.contains(&place) && !in_wrong
    }

    /// The content of a file without error; `None` where a part is missing, of which an error tells.
    pub(super) fn into_file(self, endpoints: Vec<Endpoint>) -> Option<ServerFile> {
        Some(ServerFile::from_parts(
            self.contacts,
            self.expires_at?,
            self.who?,
            endpoints,
        ))
    }

    pub(super) fn read(
        &mut self,
        field: Field,
        value: &Value<'_>,
        now: Time,
        found: &mut Vec<Diagnostic>,
    ) {
        let refused = |e: ValueError| value.diagnostic(e.code()).by(e.rule());
        match field {
            Field::Conformance if value.text != "Capability Resolution 0.2" => {
                found.push(value.diagnostic(Code::ConformanceUnsupported));
            }
            Field::Contact => match value.text.parse() {
                Ok(contact) => self.contacts.push(contact),
                Err(e) => found.push(refused(e)),
            },
            Field::Expires => match value.text.parse::<Expires>() {
                Ok(expires) => {
                    if expires.at() <= now {
                        found.push(value.diagnostic(Code::Expired));
                    } else if expires.at() > now.plus(EXPIRES_FAR_SECONDS) {
                        found.push(value.diagnostic(Code::ExpiresFar));
                    }
                    self.expires_at = Some(expires);
                }
                Err(e) => found.push(refused(e)),
            },
            Field::Resolvers => self.who = Some(self.read_resolvers(value, found)),
            _ => {}
        }
    }

    fn read_resolvers(&mut self, value: &Value<'_>, found: &mut Vec<Diagnostic>) -> Resolvers {
        self.evaluated = value.span();
        if value.text.eq_ignore_ascii_case("none") {
            self.none = true;
            return Resolvers::none();
        }
        let (mut count, mut none, mut repeated) = (0_usize, false, false);
        let mut entries =
            Vec::with_capacity(value.text.matches(',').take(RESOLVERS_MAX).count() + 1);
        for piece in pieces(value, ',', |c| c == ' ') {
            count += 1;
            if count == RESOLVERS_MAX + 1 {
                found.push(piece.diagnostic(Code::TooManyResolvers));
            }
            if piece.text.eq_ignore_ascii_case("none") {
                none = true;
                continue;
            }
            let Some((entry, canonical)) = read_entry(piece.text) else {
                self.wrong.push(piece.span());
                found.push(piece.diagnostic(Code::ResolversEntryInvalid));
                continue;
            };
            if !canonical {
                found.push(piece.diagnostic(Code::OriginNotCanonical));
            }
            repeated |= entries.contains(&entry);
            entries.push(entry);
        }
        if none {
            found.push(value.diagnostic(Code::ResolversNoneMixed));
        }
        let allowed = |entry: &Entry| matches!(entry, Entry::Allow(_));
        if repeated || entries.contains(&Entry::Everyone) && entries.iter().any(allowed) {
            found.push(value.diagnostic(Code::ResolversRedundant));
        }
        let denied_too = |entry: &Entry| match entry {
            Entry::Allow(origin) => entries
                .iter()
                .any(|other| matches!(other, Entry::Deny(denied) if denied == origin)),
            _ => false,
        };
        if entries.iter().any(denied_too) {
            found.push(value.diagnostic(Code::ResolversConflict));
        }
        let resolvers = Resolvers::from_reader(entries);
        if resolvers.denies_only() && resolvers.entries().len() == count {
            found.push(value.diagnostic(Code::ResolversImpliedStar));
        }
        resolvers
    }
}

/// An entry, and whether its origin was written in canonical form: `captxt.resolvers.form`.
fn read_entry(text: &str) -> Option<(Entry, bool)> {
    if text == "*" {
        return Some((Entry::Everyone, true));
    }
    let written = text.strip_prefix('-').unwrap_or(text);
    let origin = Origin::from_written(written).ok()?;
    let canonical = origin.as_str() == written;
    let entry = if written.len() < text.len() {
        Entry::Deny(origin)
    } else {
        Entry::Allow(origin)
    };
    Some((entry, canonical))
}

#[cfg(test)]
mod tests {
    use capability_resolution::Host;

    use super::*;
    use crate::{PublicSuffixes, Scope, read};

    // r[captxt.block.none]
    #[test]
    fn only_none_excuses_a_missing_block() {
        let host = Host::from_written("example.com").unwrap();
        let scope = Scope::new(host, &PublicSuffixes::compiled_in());
        for (value, excused) in [
            ("none", true),
            ("NONE", true),
            ("none, none", false),
            ("x", false),
            ("*", false),
        ] {
            let text = format!("Resolvers: {value}\n");
            let reading = read(text.as_bytes(), &scope, Time::from_unix_seconds(0));
            let mut codes = reading.diagnostics().iter().map(Diagnostic::code);
            assert_eq!(
                !codes.any(|code| code == Code::NoEndpoints),
                excused,
                "{value}"
            );
        }
    }
}
