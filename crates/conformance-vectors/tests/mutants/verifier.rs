//! A verifier that was written for this test from the text alone, and can be broken in one way at a time.

use conformance_vectors::{Judgement, Operation, Vector, Verdict};
use serde_json::{Value, json};

use crate::mutant::Mutant;
use crate::{discovery, documents, names, request, signature, token};

/// With the one thing that it does wrongly, if any.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Verifier(Option<Mutant>);

/// `Err` with the code if something is to be refused.
pub(crate) fn refuse(refused: bool, code: &str) -> Result<(), String> {
    if refused {
        Err(code.to_owned())
    } else {
        Ok(())
    }
}

impl Verifier {
    pub(crate) fn sound() -> Self {
        Self(None)
    }

    pub(crate) fn broken(mutant: Mutant) -> Self {
        Self(Some(mutant))
    }

    pub(crate) fn has(self, mutant: Mutant) -> bool {
        self.0 == Some(mutant)
    }

    /// Judges the input of a vector.
    pub(crate) fn judge(self, vector: &Vector) -> Judgement {
        let bytes = |name: &str| vector.input.bytes(name).unwrap_or_default();
        let text = |name: &str| vector.input.text(name).unwrap_or_default();
        let now = || self.now(text("now"));
        let discovery = |name: &str| discovery::read(self, &bytes(name), text("issuer"));
        let name = |sound: bool| {
            if sound {
                Ok(Value::Null)
            } else {
                Err(String::new())
            }
        };
        let value = || String::from_utf8(bytes("value")).unwrap_or_default();
        let judged: Result<Value, String> = match vector.operation {
            Operation::Token
                if self.has(Mutant::DiscoveryLate) && !bytes("token").contains(&b'.') =>
            {
                Err("token-segment-count".to_owned())
            }
            Operation::Token => discovery("discovery").and_then(|discovery| {
                token::verify(self, &bytes("token"), &discovery, now()).map(|_| Value::Null)
            }),
            Operation::Discovery => discovery("document").map(|_| Value::Null),
            Operation::Answer => discovery("discovery").and_then(|discovery| {
                documents::answer(self, &bytes("document"), &discovery, now())
            }),
            Operation::Record => discovery("discovery").and_then(|discovery| {
                let requested = vector.input.text("requestedUrl");
                documents::record(self, &bytes("document"), &discovery, requested, now())
            }),
            Operation::Ed25519 => self.ed25519(["publicKey", "message", "signature"].map(text)),
            Operation::Request => {
                request::query(self, &bytes("query")).map(|need| json!({"need": need}))
            }
            Operation::Need => request::need(self, text("need")).map(|need| json!({"need": need})),
            Operation::Origin => name(names::origin(self, &value()).is_some()),
            Operation::Issuer => name(names::issuer(self, &value()).is_some()),
            Operation::ServerUrl => name(names::server_url(self, &value()).is_some()),
            Operation::Time => name(names::time(self, &value()).is_some()),
            Operation::Captxt | Operation::CaptxtFetch | Operation::Client => {
                unreachable!("the suite has none")
            }
        };
        match judged {
            Ok(output) => Judgement {
                result: Verdict::Valid,
                reason: None,
                output: serde_json::from_value(output).unwrap_or_default(),
            },
            Err(code) => Judgement {
                result: Verdict::Invalid,
                reason: Some(code)
                    .filter(|code| !code.is_empty())
                    .map(|code| self.written(code)),
                output: None,
            },
        }
    }

    fn written(self, code: String) -> String {
        if self.has(Mutant::CodeUnderscores) {
            code.replace('-', "_")
        } else {
            code
        }
    }

    fn ed25519(self, inputs: [&str; 3]) -> Result<Value, String> {
        let [key, message, signature] =
            inputs.map(|text| signature::hexadecimal(text).unwrap_or_default());
        refuse(key.len() != 32, "key-malformed")?;
        signature::key(self, &key)?;
        signature::verify(self, &key, &message, &signature)?;
        Ok(Value::Null)
    }

    /// A clock, in whole seconds.
    fn now(self, text: &str) -> i64 {
        let (seconds, fraction) = text
            .trim_end_matches('Z')
            .split_once('.')
            .unwrap_or((text.trim_end_matches('Z'), ""));
        let now = names::time(Self::sound(), &format!("{seconds}Z")).unwrap_or_default();
        let up = self.has(Mutant::NowUp) && fraction.bytes().any(|digit| digit != b'0');
        now + i64::from(up)
    }
}
