//! Which test checks which example of the text.
//!
//! `xtask/tests/spec_examples.rs` checks every block for real; `lint-spec` refuses a block that is not listed here and
//! an entry whose block is gone.

/// A code block of the text and how it is checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Example {
    /// The name after `example=`.
    pub name: &'static str,
    /// How it is checked.
    pub checker: Checker,
}

/// How an example is checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Checker {
    /// JSON (RFC 8259) in which no object has a member twice.
    Json,
    /// An Ed25519 public key as JSON Web Key (RFC 8037).
    Key,
    /// A compact JWS (RFC 7515) whose Ed25519 signature verifies with the key that another example shows.
    Token {
        /// Name of the example with the key.
        key: &'static str,
    },
    /// An HTTP/1.1 request: request line, fields, and a JSON body if the media type says so.
    HttpRequest,
    /// An HTTP/1.1 response: status line, fields, and a JSON body if the media type says so.
    HttpResponse,
    /// ABNF (RFC 5234, RFC 7405) in which every rule name is defined here, in RFC 5234 appendix B or in RFC 3986.
    Abnf,
    /// A capabilities.txt file.
    CapabilitiesTxt,
}

/// Every example of the draft.
pub const EXAMPLES: &[Example] = &[];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_keys_exist() {
        for (index, example) in EXAMPLES.iter().enumerate() {
            let again = EXAMPLES
                .iter()
                .skip(index + 1)
                .find(|other| other.name == example.name);
            assert_eq!(again, None, "listed twice");
            if let Checker::Token { key } = example.checker {
                let shown = EXAMPLES
                    .iter()
                    .find(|other| other.name == key)
                    .map(|other| other.checker);
                assert_eq!(shown, Some(Checker::Key), "{}: key `{key}`", example.name);
            }
        }
    }
}
