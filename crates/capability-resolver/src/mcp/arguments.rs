//! The arguments of the tool: their schema, and their reading. `mcp.tool.name`

use capability_resolution::{Constraints, HandshakeLimit, Need, ResolveRequest};
use rmcp::model::JsonObject;
use serde_json::{Value, json};

use crate::http::Problem;

/// What the tool takes, as a JSON Schema.
pub(super) fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            "need": {
                "type": "string",
                "minLength": 1,
                "description": "The job in plain words, such as: send a transactional email. 3 to 200 characters \
                                without white space at its ends and in the form NFC",
            },
            "sign_in": {
                "type": "string",
                "enum": ["none"],
                "description": "Only servers that answered without sign-in",
            },
            "read_only": {
                "type": "boolean",
                "enum": [true],
                "description": "Only servers with a tool for the need that they mark as read-only",
            },
            "max_handshake_ms": {
                "type": "integer",
                "minimum": 1,
                "maximum": 60_000,
                "description": "Only servers whose handshake took no longer, in milliseconds",
            },
            "payment": {
                "type": "string",
                "enum": ["none"],
                "description": "Only servers that declare that they ask for no payment",
            },
        },
        "required": ["need"],
        "additionalProperties": false,
    })
}

const NAMES: [&str; 5] = [
    "need",
    "sign_in",
    "read_only",
    "max_handshake_ms",
    "payment",
];

/// Reads arguments; the first error in the order of `resolve.order`.
pub(super) fn read(arguments: &JsonObject) -> Result<ResolveRequest, Problem> {
    if !arguments.keys().all(|name| NAMES.contains(&name.as_str())) {
        return Err(Problem::PARAMETER_UNKNOWN);
    }
    let need = arguments.get("need").and_then(Value::as_str);
    let need = need.ok_or(Problem::NEED_MISSING)?;
    let need = Need::new(need).map_err(|refusal| Problem::of(&refusal))?;
    let constraints = Constraints {
        no_sign_in: is_exactly(arguments.get("sign_in"), &"none".into())?,
        read_only: is_exactly(arguments.get("read_only"), &true.into())?,
        max_handshake: arguments
            .get("max_handshake_ms")
            .map(handshake)
            .transpose()?,
        no_payment: is_exactly(arguments.get("payment"), &"none".into())?,
    };
    Ok(ResolveRequest { need, constraints })
}

fn is_exactly(value: Option<&Value>, only: &Value) -> Result<bool, Problem> {
    match value {
        None => Ok(false),
        Some(value) if value == only => Ok(true),
        Some(_) => Err(Problem::CONSTRAINT_VALUE),
    }
}

/// An integer is one however it is written: `500.0` and `5e2` too, as JSON Schema has it.
fn handshake(value: &Value) -> Result<HandshakeLimit, Problem> {
    value
        .as_f64()
        .and_then(|number| number.to_string().parse().ok())
        .and_then(HandshakeLimit::from_milliseconds)
        .ok_or(Problem::CONSTRAINT_VALUE)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(arguments: Value) -> &'static str {
        let Value::Object(arguments) = arguments else {
            panic!("{arguments}");
        };
        read(&arguments).map_or_else(|problem| problem.code.unwrap(), |_| "ok")
    }

    /// Arguments, and the code of what is wrong with them.
    fn table() -> Vec<(Value, &'static str)> {
        vec![
            (json!({"need": "send an email"}), "ok"),
            (json!({"need": "  abc  "}), "ok"),
            (json!({"need": format!("{}abc", " ".repeat(300))}), "ok"),
            (json!({"need": "e\u{301}".repeat(200)}), "ok"),
            (
                json!({"need": "abc", "sign_in": "none", "read_only": true, "max_handshake_ms": 1, "payment": "none"}),
                "ok",
            ),
            (json!({"need": "abc", "max_handshake_ms": 60_000}), "ok"),
            (json!({"need": "abc", "max_handshake_ms": 5e2}), "ok"),
            (json!({}), "need-missing"),
            (json!({"need": null}), "need-missing"),
            (json!({"need": ["abc"]}), "need-missing"),
            (json!({"need": ""}), "need-length"),
            (json!({"need": "ab"}), "need-length"),
            (json!({"need": "a".repeat(201)}), "need-length"),
            (json!({"need": "a\u{7}bc"}), "need-character"),
            (json!({"need": "abc", "page": 2}), "parameter-unknown"),
            (json!({"page": 2}), "parameter-unknown"),
            (json!({"need": "ab", "payment": "any"}), "need-length"),
            (json!({"need": "abc", "sign_in": "any"}), "constraint-value"),
            (json!({"need": "abc", "sign_in": null}), "constraint-value"),
            (json!({"need": "abc", "payment": true}), "constraint-value"),
            (
                json!({"need": "abc", "read_only": "true"}),
                "constraint-value",
            ),
            (
                json!({"need": "abc", "read_only": false}),
                "constraint-value",
            ),
            (
                json!({"need": "abc", "max_handshake_ms": 0}),
                "constraint-value",
            ),
            (
                json!({"need": "abc", "max_handshake_ms": 60_001}),
                "constraint-value",
            ),
            (
                json!({"need": "abc", "max_handshake_ms": 1.5}),
                "constraint-value",
            ),
            (
                json!({"need": "abc", "max_handshake_ms": -1}),
                "constraint-value",
            ),
            (
                json!({"need": "abc", "max_handshake_ms": "500"}),
                "constraint-value",
            ),
        ]
    }

    // r[mcp.tool.name] r[mcp.tool.error]
    #[test]
    fn arguments_are_read_as_the_text_says() {
        for (arguments, expected) in table() {
            assert_eq!(code(arguments.clone()), expected, "{arguments}");
        }
    }

    // r[mcp.tool.name]
    #[test]
    fn the_schema_takes_what_is_read_and_nothing_else() {
        let validator = jsonschema::validator_for(&schema()).unwrap();
        for (arguments, code) in table() {
            // What no schema says of a need that is not empty: its characters, and how many count.
            let of_need = matches!(code, "need-character" | "need-length");
            if !of_need || arguments["need"] == "" {
                assert_eq!(validator.is_valid(&arguments), code == "ok", "{arguments}");
            }
        }
    }
}
