//! Which test checks which example of the text.
//!
//! `xtask/tests/spec_examples` checks every block for real; `lint-spec` refuses a block that is not listed here and
//! an entry whose block is gone.

/// A code block of the text and how it is checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Example {
    /// The name after `example=`.
    pub name: &'static str,
    /// How it is checked.
    pub checker: Checker,
}

/// How an example is checked. Other examples are named as their blocks are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Checker {
    /// ABNF (RFC 5234, RFC 7405) in which every rule name is defined, there or in RFC 5234 appendix B.
    Abnf,
    /// An Ed25519 key as JSON Web Key (RFC 8037) with its thumbprint (RFC 7638) as `kid`; the private key is the SHA-256
    /// digest of `seed`.
    Key {
        /// The text that the private key is made of.
        seed: &'static str,
    },
    /// A compact JWS (RFC 7515) that verifies with the key.
    Token {
        /// The example with the key.
        key: &'static str,
    },
    /// JSON that stands in a token, byte for byte: 0 for the header, 1 for the payload.
    TokenPart {
        /// The example with the token.
        token: &'static str,
        /// Which segment.
        segment: usize,
    },
    /// Lines `TIME valid` or `TIME invalid CODE`: what the rules of time say of the token then.
    TokenClocks {
        /// The example with the token.
        token: &'static str,
    },
    /// A token with other last bits that only a lenient base64 decoder reads, then a line `invalid CODE`.
    TrailingBits {
        /// The example with the token.
        token: &'static str,
    },
    /// An HTTP/1.1 request (RFC 9112) whose body, if any, is strict JSON; the text names every field and member.
    HttpRequest,
    /// An HTTP/1.1 response (RFC 9112) with a body of strict JSON; the text names every field and member, every token
    /// verifies with the key and says what stands beside it, and every key is the key.
    HttpResponse {
        /// The example with the key.
        key: &'static str,
    },
    /// A capabilities.txt that has the grammar's form and every field that is required.
    ServerFile {
        /// The example with the grammar.
        grammar: &'static str,
    },
    /// A capabilities.txt with these faults and no other: no Conformance, Expires in the past, a U+2013 before an origin.
    DamagedServerFile,
}

/// The key of the examples.
const KEY: &str = "jwk";

/// Every example of the draft.
pub const EXAMPLES: &[Example] = &[
    example("server-url-grammar", Checker::Abnf),
    example("capabilities-grammar", Checker::Abnf),
    example(
        KEY,
        Checker::Key {
            seed: "capability-resolution example key",
        },
    ),
    example("discovery-request", Checker::HttpRequest),
    example("discovery-response", Checker::HttpResponse { key: KEY }),
    example("resolve-request", Checker::HttpRequest),
    example("resolve-response", Checker::HttpResponse { key: KEY }),
    example("token", Checker::Token { key: KEY }),
    example(
        "token-header",
        Checker::TokenPart {
            token: "token",
            segment: 0,
        },
    ),
    example(
        "token-payload",
        Checker::TokenPart {
            token: "token",
            segment: 1,
        },
    ),
    example("token-clocks", Checker::TokenClocks { token: "token" }),
    example(
        "token-trailing-bits",
        Checker::TrailingBits { token: "token" },
    ),
    example("record-request", Checker::HttpRequest),
    example("record-response", Checker::HttpResponse { key: KEY }),
    example("error-response", Checker::HttpResponse { key: KEY }),
    example(
        "capabilities-txt",
        Checker::ServerFile {
            grammar: "capabilities-grammar",
        },
    ),
    example("capabilities-txt-damaged", Checker::DamagedServerFile),
    example("mcp-discover-request", Checker::HttpRequest),
    example("mcp-tools-response", Checker::HttpResponse { key: KEY }),
];

const fn example(name: &'static str, checker: Checker) -> Example {
    Example { name, checker }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_unique_and_what_they_name_exists() {
        for (index, example) in EXAMPLES.iter().enumerate() {
            let again = EXAMPLES
                .iter()
                .skip(index + 1)
                .find(|other| other.name == example.name);
            assert_eq!(again, None, "listed twice");
            let needed = match example.checker {
                Checker::Token { key } | Checker::HttpResponse { key } => Some(key),
                Checker::TokenPart { token, .. }
                | Checker::TokenClocks { token }
                | Checker::TrailingBits { token } => Some(token),
                Checker::ServerFile { grammar } => Some(grammar),
                _ => None,
            };
            if let Some(name) = needed {
                assert!(
                    EXAMPLES.iter().any(|other| other.name == name),
                    "{}: {name}",
                    example.name
                );
            }
        }
    }
}
