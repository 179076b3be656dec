//! Comparing what an implementation says of an input with what the vector says.

use std::collections::BTreeMap;
use std::fmt;

use serde::Serialize;
use serde_json::Value;

use crate::model::{Vector, Verdict};

/// What an implementation says of an input.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Judgement {
    /// Its verdict.
    pub result: Verdict,
    /// The code by which it refused the input, if it names codes.
    pub reason: Option<String>,
    /// What the input yields, if the operation yields something.
    pub output: Option<BTreeMap<String, Value>>,
}

/// Whether the code of a refusal counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Reasons {
    /// A refusal by another code than the vector's is wrong: it may be right by accident.
    #[default]
    Check,
    /// Only the verdict counts, for implementations that name no codes.
    Ignore,
}

/// How a judgement differs from the vector.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Mismatch {
    /// An invalid input was accepted.
    Accepted,
    /// A valid input was refused.
    Refused,
    /// An invalid input was refused by another code, or by none.
    OtherReason,
    /// The verdict is right, and the input yielded something else.
    OtherOutput,
}

impl Mismatch {
    /// The name of the difference, in kebab case.
    #[must_use]
    pub fn code(self) -> &'static str {
        match self {
            Self::Accepted => "accepted",
            Self::Refused => "refused",
            Self::OtherReason => "other-reason",
            Self::OtherOutput => "other-output",
        }
    }
}

impl fmt::Display for Mismatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Accepted => "an invalid input was accepted",
            Self::Refused => "a valid input was refused",
            Self::OtherReason => "refused, but for another reason",
            Self::OtherOutput => "judged right, but with another output",
        })
    }
}

impl Vector {
    /// Compares a judgement with this vector.
    ///
    /// A vector without a `reason` or an `output` asks for none. With [`Reasons::Ignore`] the codes inside of an output
    /// do not count either.
    ///
    /// # Errors
    /// How the judgement differs.
    pub fn judge(&self, judgement: &Judgement, reasons: Reasons) -> Result<(), Mismatch> {
        match (self.result, judgement.result) {
            (Verdict::Invalid, Verdict::Valid) => return Err(Mismatch::Accepted),
            (Verdict::Valid, Verdict::Invalid) => return Err(Mismatch::Refused),
            _ => {}
        }
        if reasons == Reasons::Check && self.reason.is_some() && self.reason != judgement.reason {
            return Err(Mismatch::OtherReason);
        }
        let same = match (&self.output, &judgement.output) {
            (None, _) => true,
            (Some(_), None) => false,
            (Some(wanted), Some(found)) => {
                comparable(wanted, reasons) == comparable(found, reasons)
            }
        };
        if same {
            Ok(())
        } else {
            Err(Mismatch::OtherOutput)
        }
    }
}

/// Members that are nothing without codes: diagnostics, and the codes of what was dropped.
const CODES: [&str; 3] = ["errors", "warnings", "reason"];

/// Members that are a code, or null where nothing failed.
const CODES_OR_NULL: [&str; 3] = ["refresh", "refused", "skipped"];

/// An output as it is compared: pointers as a set (`conformance.vectors.output-order`), and with [`Reasons::Ignore`]
/// without codes.
fn comparable<'o>(
    output: impl IntoIterator<Item = (&'o String, &'o Value)>,
    reasons: Reasons,
) -> BTreeMap<String, Value> {
    let members = output
        .into_iter()
        .filter(|(name, _)| reasons == Reasons::Check || !CODES.contains(&name.as_str()))
        .map(|(name, value)| (name.clone(), comparable_member(name, value, reasons)));
    members.collect()
}

fn comparable_member(name: &str, value: &Value, reasons: Reasons) -> Value {
    match value {
        Value::String(_) if reasons == Reasons::Ignore && CODES_OR_NULL.contains(&name) => {
            Value::Bool(true)
        }
        Value::Array(items) => {
            let items = items
                .iter()
                .map(|item| comparable_member("", item, reasons));
            let mut items: Vec<_> = items.collect();
            if name == "copyDiffers" {
                items.sort_by_key(Value::to_string);
                items.dedup();
            }
            Value::Array(items)
        }
        Value::Object(members) => comparable(members, reasons).into_iter().collect(),
        other => other.clone(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::model::{Input, Level, Operation};

    fn vector(result: Verdict, reason: Option<&str>, output: Value) -> Vector {
        Vector {
            id: "token-x".to_owned(),
            comment: String::new(),
            rules: vec!["token.aud".to_owned()],
            level: Level::Must,
            derived_from: None,
            mutation: None,
            operation: Operation::Token,
            input: Input::default(),
            result,
            reason: reason.map(str::to_owned),
            output: serde_json::from_value(output).unwrap(),
        }
    }

    fn judgement(result: Verdict, reason: Option<&str>, output: Value) -> Judgement {
        Judgement {
            result,
            reason: reason.map(str::to_owned),
            output: serde_json::from_value(output).unwrap(),
        }
    }

    #[test]
    fn the_verdict_comes_first() {
        use Mismatch::{Accepted, Refused};
        use Verdict::{Invalid, Valid};
        for (wanted, found, expected) in [
            (Valid, Valid, Ok(())),
            (Invalid, Invalid, Ok(())),
            (Invalid, Valid, Err(Accepted)),
            (Valid, Invalid, Err(Refused)),
        ] {
            for reasons in [Reasons::Check, Reasons::Ignore] {
                let vector = vector(wanted, None, Value::Null);
                let found = judgement(found, None, Value::Null);
                assert_eq!(vector.judge(&found, reasons), expected);
            }
        }
    }

    // r[conformance.vectors.reason]
    #[test]
    fn a_reason_counts_where_the_vector_has_one() {
        let expired = vector(Verdict::Invalid, Some("expired"), Value::Null);
        let judge = |vector: &Vector, reason, reasons| {
            vector.judge(&judgement(Verdict::Invalid, reason, Value::Null), reasons)
        };
        assert_eq!(judge(&expired, Some("expired"), Reasons::Check), Ok(()));
        for other in [None, Some("kid-unknown")] {
            let differs = Err(Mismatch::OtherReason);
            assert_eq!(judge(&expired, other, Reasons::Check), differs);
            assert_eq!(judge(&expired, other, Reasons::Ignore), Ok(()));
        }
        let name = vector(Verdict::Invalid, None, Value::Null);
        assert_eq!(judge(&name, Some("anything"), Reasons::Check), Ok(()));
    }

    #[test]
    fn an_output_counts_where_the_vector_has_one() {
        let output = json!({"candidates": [0], "dropped": [{"at": 1, "reason": "expired"}]});
        let answer = vector(Verdict::Valid, None, output.clone());
        let judge =
            |output, reasons| answer.judge(&judgement(Verdict::Valid, None, output), reasons);
        assert_eq!(judge(output, Reasons::Check), Ok(()));
        assert_eq!(
            judge(Value::Null, Reasons::Check),
            Err(Mismatch::OtherOutput)
        );
        let other = json!({"candidates": [0], "dropped": [{"at": 1, "reason": "kid-unknown"}]});
        assert_eq!(
            judge(other.clone(), Reasons::Check),
            Err(Mismatch::OtherOutput)
        );
        assert_eq!(judge(other, Reasons::Ignore), Ok(()));
        let other = json!({"candidates": [0], "dropped": [{"at": 2, "reason": "expired"}]});
        assert_eq!(judge(other, Reasons::Ignore), Err(Mismatch::OtherOutput));

        let bare = vector(Verdict::Valid, None, Value::Null);
        let found = judgement(Verdict::Valid, None, json!({"need": "x"}));
        assert_eq!(bare.judge(&found, Reasons::Check), Ok(()));
    }

    #[test]
    fn an_output_of_what_is_invalid_counts_too() {
        let output = |code, line, allowed| {
            let found = json!([{"code": code, "line": line, "column": 1}]);
            json!({"errors": found, "warnings": found, "resolverAllowed": allowed})
        };
        let file = vector(
            Verdict::Invalid,
            Some("expired"),
            output("expired", 1, false),
        );
        let judge = |output, reasons| {
            file.judge(
                &judgement(Verdict::Invalid, Some("expired"), output),
                reasons,
            )
        };
        assert_eq!(judge(output("expired", 1, false), Reasons::Check), Ok(()));
        for other in [
            Value::Null,
            output("expired", 2, false),
            output("x", 1, false),
            output("expired", 1, true),
        ] {
            assert_eq!(judge(other, Reasons::Check), Err(Mismatch::OtherOutput));
        }
        assert_eq!(judge(output("x", 2, false), Reasons::Ignore), Ok(()));
        assert_eq!(
            judge(output("expired", 1, true), Reasons::Ignore),
            Err(Mismatch::OtherOutput)
        );
    }

    // r[conformance.vectors.output-order]
    #[test]
    fn pointers_are_a_set_and_places_a_list() {
        let output = |differs: [&str; 2], places: [u8; 2]| json!({"candidates": places, "copyDiffers": differs});
        let answer = vector(Verdict::Valid, None, output(["/a", "/b"], [0, 1]));
        let judge = |output| answer.judge(&judgement(Verdict::Valid, None, output), Reasons::Check);
        assert_eq!(judge(output(["/b", "/a"], [0, 1])), Ok(()));
        assert_eq!(
            judge(output(["/b", "/c"], [0, 1])),
            Err(Mismatch::OtherOutput)
        );
        assert_eq!(
            judge(output(["/a", "/b"], [1, 0])),
            Err(Mismatch::OtherOutput)
        );
    }
}
