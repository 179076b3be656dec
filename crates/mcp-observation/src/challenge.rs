//! `WWW-Authenticate`: RFC 9110 section 11.6.1, as far as an observer asks.

/// What the challenges of an answer `sign_in` offer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Challenges {
    /// The schemes, in lower case, in their order.
    pub schemes: Vec<String>,
    /// The `resource_metadata` of a Bearer challenge (RFC 9728 section 5.1).
    pub resource_metadata: Option<String>,
}

impl Challenges {
    /// Whether a client learns here how to sign in: a Bearer challenge that names the metadata of the resource.
    /// Without it a client has the well-known locations of RFC 9728 left to try.
    #[must_use]
    pub fn is_usable(&self) -> bool {
        self.resource_metadata.is_some()
    }

    /// Reads every value; what cannot be read ends the value that it is in.
    pub(crate) fn read(values: &[String]) -> Self {
        let mut found = Self {
            schemes: Vec::new(),
            resource_metadata: None,
        };
        for value in values {
            found.read_value(value);
        }
        found
    }

    /// A value is a list of challenges, and a challenge is a scheme with a list of parameters: both are separated by
    /// commas, so that only `=` after a token tells a parameter from a scheme.
    fn read_value(&mut self, value: &str) {
        let mut rest = value;
        loop {
            rest = rest.trim_start_matches([' ', '\t', ',']);
            let Some((name, after)) = token(rest) else {
                return;
            };
            let after_name = after.trim_start_matches([' ', '\t']);
            match after_name.strip_prefix('=') {
                // A parameter, unless it is the padding of a token68, which says nothing to an observer.
                Some(after_equals) if !after_equals.trim_start().starts_with(['=', ',']) => {
                    let Some((parameter, after)) =
                        parameter(after_equals.trim_start_matches([' ', '\t']))
                    else {
                        return;
                    };
                    self.add(name, parameter);
                    rest = after;
                }
                Some(_) => rest = after_name.trim_start_matches('='),
                None => {
                    // A token right after a scheme and not followed by `=` is a token68.
                    if self.schemes.len() < MAX_SCHEMES {
                        self.schemes.push(name.to_ascii_lowercase());
                    }
                    rest = after;
                }
            }
        }
    }

    fn add(&mut self, name: &str, value: String) {
        let of_bearer = self.schemes.last().is_some_and(|scheme| scheme == "bearer");
        if of_bearer && name.eq_ignore_ascii_case("resource_metadata") && is_web_url(&value) {
            self.resource_metadata.get_or_insert(value);
        }
    }
}

const MAX_SCHEMES: usize = 16;

fn is_web_url(text: &str) -> bool {
    guarded_fetch::Url::parse(text).is_ok_and(|url| matches!(url.scheme(), "https" | "http"))
}

/// `token` of RFC 9110 section 5.6.2, with the `/` of a token68.
fn token(text: &str) -> Option<(&str, &str)> {
    let is_token = |c: char| c.is_ascii_alphanumeric() || "!#$%&'*+-.^_`|~/".contains(c);
    let end = text.find(|c| !is_token(c)).unwrap_or(text.len());
    (end > 0).then(|| text.split_at(end))
}

/// A token or a quoted string, and what follows it.
fn parameter(text: &str) -> Option<(String, &str)> {
    let Some(quoted) = text.strip_prefix('"') else {
        // Some servers leave the quotes out around a URL.
        let end = text.find([',', ' ', '\t']).unwrap_or(text.len());
        return Some((text[..end].to_owned(), &text[end..]));
    };
    let mut value = String::new();
    let mut characters = quoted.char_indices();
    while let Some((at, c)) = characters.next() {
        match c {
            '"' => return Some((value, &quoted[at + 1..])),
            '\\' => value.push(characters.next()?.1),
            c => value.push(c),
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commas_separate_challenges_and_parameters() {
        let metadata = "https://a.example/.well-known/oauth-protected-resource/mcp";
        for (value, schemes, usable) in [
            (
                format!("Bearer resource_metadata=\"{metadata}\""),
                "bearer",
                true,
            ),
            (
                format!("bearer RESOURCE_METADATA = \"{metadata}\""),
                "bearer",
                true,
            ),
            (
                format!("Bearer resource_metadata={metadata}, scope=x"),
                "bearer",
                true,
            ),
            (
                format!(
                    "Basic realm=\"a, b=\\\"c\\\"\", Bearer error=\"x\", resource_metadata=\"{metadata}\""
                ),
                "basic bearer",
                true,
            ),
            (
                format!("Bearer, Basic resource_metadata=\"{metadata}\""),
                "bearer basic",
                false,
            ),
            (
                format!("Basic realm=\"Bearer resource_metadata={metadata}\""),
                "basic",
                false,
            ),
            ("Bearer".to_owned(), "bearer", false),
            ("Bearer scope=\"mail:read\"".to_owned(), "bearer", false),
            (
                "Bearer resource_metadata=\"/relative\"".to_owned(),
                "bearer",
                false,
            ),
            (
                format!("Bearer resource_metadata=\"{metadata}"),
                "bearer",
                false,
            ),
            (
                ", ,Basic realm=x, ,Digest".to_owned(),
                "basic digest",
                false,
            ),
            (String::new(), "", false),
            ("\u{fffd}=".to_owned(), "", false),
        ] {
            let found = Challenges::read(std::slice::from_ref(&value));
            assert_eq!(found.schemes.join(" "), schemes, "{value}");
            assert_eq!(found.is_usable(), usable, "{value}");
        }
    }

    #[test]
    fn hostile_values_end() {
        for value in [
            "=".repeat(9_000),
            "a ".repeat(9_000),
            "a=,".repeat(9_000),
            "a==".repeat(999),
        ] {
            assert!(Challenges::read(&[value]).schemes.len() <= MAX_SCHEMES);
        }
    }
}
