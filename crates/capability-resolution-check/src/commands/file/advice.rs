//! What to do about a finding for which no corrected line can be given.

use capabilities_txt::limits::FILE_MAX_BYTES;
use capabilities_txt::{Code, EndpointUrl, Expires, Reading};
use capability_resolution::Time;

/// How many seconds after now the Expires is that an author is shown: half a year.
const SHOWN_SECONDS: u64 = 182 * 86_400;

/// Whether a line is missing and not wrong.
pub(super) fn is_missing(code: Code) -> bool {
    is_missing_in_header(code) || matches!(code, Code::MissingProtocol | Code::MissingJobs)
}

pub(super) fn is_missing_in_header(code: Code) -> bool {
    matches!(
        code,
        Code::MissingConformance
            | Code::MissingContact
            | Code::MissingExpires
            | Code::MissingResolvers
    )
}

/// Whether the strict reader looked at nothing but size and encoding.
pub(super) fn is_unread(source: &[u8]) -> bool {
    source.len() > FILE_MAX_BYTES || std::str::from_utf8(source).is_err()
}

/// Whether bytes start with a mark of UTF-16.
pub(super) fn is_utf16(source: &[u8]) -> bool {
    source.starts_with(&[0xfe, 0xff]) || source.starts_with(&[0xff, 0xfe])
}

/// What to do, in one clause, and a line to write where one can be shown.
pub(super) fn help(reading: &Reading<'_>, code: Code, about: &str, now: Time) -> String {
    let host = reading.scope().host();
    let contact = format!("Contact: mailto:somebody@{host}");
    let expires = || {
        Expires::from_time(now.plus(SHOWN_SECONDS)).map_or_else(
            || "Expires: 2027-04-30T00:00:00Z".to_owned(),
            |expires| format!("Expires: {expires}"),
        )
    };
    let fixed = match code {
        Code::FileTooLarge => "make it shorter; a host below this one can have a file of its own",
        Code::NotUtf8 if is_utf16(reading.source()) => "the file is in UTF-16; save it as UTF-8",
        Code::NotUtf8 => "save the file as UTF-8",
        Code::BareCr => "end each line with LF, or with CR LF",
        Code::LineTooLong => {
            "make it shorter; the jobs of a server may stand on several lines, each with its own `Jobs:`"
        }
        Code::EmptyValue => "write a value, or delete the line",
        Code::MalformedLine => {
            "write a name, a colon, a space and a value, or # before what is a comment"
        }
        Code::LeadingWhitespace => "delete the line, or write it behind the one before",
        Code::SignedEnvelope => "serve the file without its signature",
        Code::MissingContact => return format!("add a line such as\n{contact}"),
        Code::MissingExpires => return format!("add a line such as\n{}", expires()),
        Code::MissingResolvers => "add one of the lines\nResolvers: *\nResolvers: none",
        Code::MissingJobs => {
            "add a line such as\nJobs: send a transactional email; look up a delivery status"
        }
        Code::DuplicateField => "keep one of the two lines",
        Code::HeaderFieldInBlock => "move the line above the first Endpoint",
        Code::FieldOutsideBlock => "move the line below the Endpoint that it is about",
        Code::ContactInvalid => return format!("for example\n{contact}"),
        Code::ExpiresInvalid => return format!("for example\n{}", expires()),
        Code::Expired => {
            return format!(
                "look whether the rest still holds, then write\n{}",
                expires()
            );
        }
        Code::ExpiresFar => {
            return format!("choose a date within 366 days, such as\n{}", expires());
        }
        Code::ResolversEntryInvalid if about.is_empty() => "delete the comma",
        Code::ResolversEntryInvalid => {
            "write an origin, such as https://resolver.example, or delete the entry"
        }
        Code::ResolversNoneMixed => "write `none` alone to forbid every resolver, or delete it",
        Code::TooManyResolvers => {
            "name fewer: those that are allowed, or `*` and those that are not"
        }
        Code::TooManyEndpoints => "move some to a file on a host below this one",
        Code::EndpointInvalid
        | Code::EndpointNotHttps
        | Code::EndpointUserinfo
        | Code::EndpointFragment => {
            return format!("for example\nEndpoint: https://{host}/mcp");
        }
        Code::DuplicateEndpoint => "make one block of the two",
        Code::JobLength if about.is_empty() => "delete the semicolon",
        Code::JobLength => "say the job in 3 to 200 characters; a semicolon stands between two",
        Code::TooManyJobs => "keep the 20 that say most",
        Code::InvalidToken | Code::UnknownValue => {
            "Protocol is `mcp`, Sign-in and Payment are `none` or `required`"
        }
        Code::Bom => "save the file as UTF-8 without a byte order mark",
        Code::NoFinalNewline => "look whether the end is missing, and end the last line",
        Code::UnknownField => "delete the line, or write # before it",
        Code::ResolversRedundant => "delete the entry that says nothing new",
        Code::ResolversConflict => "delete one of the two entries",
        Code::NoEndpoints => {
            "nothing, if that is meant; else add Endpoint, Protocol and Jobs of each server"
        }
        Code::EndpointQuery => "nothing, if it holds no secret",
        Code::EndpointOutOfScope => {
            let host = about.parse::<EndpointUrl>();
            let host = host.as_ref().map_or("its own host", EndpointUrl::host);
            return format!("serve the block at https://{host}/.well-known/capabilities.txt");
        }
        Code::DuplicateJob => "delete one of the two",
        Code::DenySalvaged if is_unread(reading.source()) => {
            "mend the error, and a strict reader reads it too"
        }
        Code::DenySalvaged => {
            "make it an entry such as -https://unwanted.example of the one Resolvers line above the Endpoints"
        }
        // The rest has a corrected line, or is not a finding about bytes.
        _ => "see the rule",
    };
    fixed.to_owned()
}

#[cfg(test)]
mod tests {
    use capabilities_txt::{PublicSuffixes, Scope, read};
    use capability_resolution::Host;

    use super::*;

    #[test]
    fn every_finding_has_something_to_do() {
        // Those that have a corrected line in any case, and those that are not about the bytes of a file.
        let others = [
            Code::ControlCharacter,
            Code::UnsafeCharacter,
            Code::SpaceBeforeColon,
            Code::MissingConformance,
            Code::ConformanceUnsupported,
            Code::MissingProtocol,
            Code::SpacingAfterColon,
            Code::OriginNotCanonical,
            Code::ResolversImpliedStar,
            Code::FetchContentType,
            Code::FetchCrossSite,
        ];
        let scope = Scope::new(
            Host::from_written("example.com").unwrap(),
            &PublicSuffixes::compiled_in(),
        );
        let now = Time::from_unix_seconds(0);
        let reading = read(b"", &scope, now);
        for code in Code::ALL.iter().copied() {
            let is_told = help(&reading, code, "x", now) != "see the rule";
            assert_eq!(is_told, !others.contains(&code), "{code}");
        }
    }
}
