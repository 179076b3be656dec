//! The line as it should be.

use capability_resolution::Origin;
use capability_resolution::text::{is_control, is_unsafe};

use crate::code::Code;
use crate::deny::{Denied, Found, scan};
use crate::field::Field;
use crate::file::{Contact, EndpointUrl, Expires};

const WSP: [char; 2] = [' ', '\t'];

/// The whole line with what is wrong set right, where only one thing can be meant. `before` is what stands before
/// `about` in the line.
pub(super) fn line(code: Code, line: &str, before: &str, about: &str) -> Option<String> {
    let replaced = |by: String| {
        let after = line.get(before.len() + about.len()..)?;
        Some(format!("{before}{by}{after}"))
    };
    match code {
        Code::MissingConformance | Code::ConformanceUnsupported => {
            Some("Conformance: Capability Resolution 0.2".to_owned())
        }
        Code::MissingProtocol => Some("Protocol: mcp".to_owned()),
        Code::LeadingWhitespace | Code::SpaceBeforeColon | Code::SpacingAfterColon => {
            let (name, value) = line.split_once(':')?;
            Some(format!(
                "{}: {}",
                name.trim_matches(WSP),
                value.trim_matches(WSP)
            ))
        }
        Code::ControlCharacter | Code::UnsafeCharacter => {
            let spaced = line.replace('\t', " ");
            Some(
                spaced
                    .chars()
                    .filter(|c| !is_control(*c) && !is_unsafe(*c))
                    .collect(),
            )
        }
        Code::UnknownField => replaced(Field::nearest(about)?.name().to_owned()),
        Code::MalformedLine => {
            let (name, rest) = about.split_once([' ', '\t', '=', '\u{ff1a}'])?;
            let value = rest.trim_start_matches([' ', '\t', '=', '\u{ff1a}']);
            Some(format!("{}: {value}", Field::of_name(name)?.name()))
        }
        Code::ContactInvalid => {
            let contact = format!("mailto:{about}");
            replaced(contact).filter(|_| {
                about.contains('@') && format!("mailto:{about}").parse::<Contact>().is_ok()
            })
        }
        Code::ExpiresInvalid => {
            let tries = [
                format!("{about}T00:00:00Z"),
                about.replacen(' ', "T", 1),
                format!("{about}Z"),
            ];
            replaced(
                tries
                    .into_iter()
                    .find(|text| text.parse::<Expires>().is_ok())?,
            )
        }
        Code::OriginNotCanonical => {
            let (dash, written) = about
                .strip_prefix('-')
                .map_or(("", about), |written| ("-", written));
            replaced(format!("{dash}{}", Origin::from_written(written).ok()?))
        }
        Code::ResolversEntryInvalid => replaced(entry(about)?),
        Code::ResolversImpliedStar => replaced(format!("*, {about}")),
        Code::EndpointNotHttps => {
            let rest = about.split_once("://").map(|(_, rest)| rest)?;
            replaced(endpoint(format!("https://{rest}"))?)
        }
        Code::EndpointUserinfo => {
            let rest = about.split_once('@').map(|(_, rest)| rest)?;
            replaced(endpoint(format!("https://{rest}"))?)
        }
        Code::EndpointFragment => replaced(endpoint(about.split('#').next()?.to_owned())?),
        _ => None,
    }
}

fn endpoint(text: String) -> Option<String> {
    text.parse::<EndpointUrl>().is_ok().then_some(text)
}

/// An entry of Resolvers as it should be: one deny as the deny reader understood it, or an origin without its scheme.
fn entry(text: &str) -> Option<String> {
    let line = format!("Resolvers: {text}");
    let mut entries = Vec::new();
    scan(&line, |found| match found {
        Found::Deny { what, .. } => {
            let origin = Denied::read(what).and_then(|denied| denied.origin());
            entries.push(origin.map(|origin| format!("-{origin}")));
        }
        Found::None { .. } => entries.push(None),
        Found::Other(piece) => {
            let host = piece.split_once("://").map_or(piece, |(_, host)| host);
            let host = host.split('/').next().unwrap_or_default();
            let origin = Origin::from_written(&format!("https://{host}")).ok();
            entries.push(
                origin
                    .filter(|origin| origin.host().contains('.'))
                    .map(|origin| origin.to_string()),
            );
        }
        Found::End => {}
    });
    match entries.as_slice() {
        [Some(entry)] => Some(entry.clone()),
        _ => None,
    }
}
