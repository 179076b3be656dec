//! The tool `resolve` in the shape of section 15.1.5, answered by the user's own resolvers.
//!
//! The result adds to that of a resolver by whom each statement is, and what became of each resolver. A need is in no
//! message, and no log is written.

use std::sync::{Arc, Mutex};

use capability_resolution::ResolveRequest;
use command_console::Failure;
use rmcp::model::{
    CacheScope, CallToolRequestParams, CallToolResponse, CallToolResult, ContentBlock, ErrorData,
    Implementation, ListToolsResult, PaginatedRequestParams, ServerCapabilities, ServerConfig,
    ToolAnnotations,
};
use rmcp::service::RequestContext;
use rmcp::{RoleServer, ServerHandler};
use serde_json::{Map, Value, json};
use url::form_urlencoded::Serializer;

use crate::command::Global;
use crate::command::json::JsonResolution;
use crate::command::network::{self, Whom};
use crate::command::settings::{self, Settings, SettingsError};
use crate::{Client, lock};

/// The name of the tool: `mcp.tool.name`.
const NAME: &str = "resolve";

const DESCRIPTION: &str = "Find servers that can do a job, when no tool at hand can. Returns at most a few servers of the \
Model Context Protocol, best first, each with what resolvers that the user chose observed of it and signed: the status \
(ok, sign_in, down, unknown), when it was seen and until when that holds. It is advice: ask the user before you connect \
to a server. An empty list means that nobody is known.";

/// How long a host may keep the list of tools, in milliseconds. It only changes with the program.
const LIST_TTL_MS: u64 = 3_600_000;

/// The server: one tool.
pub(super) struct Tool {
    global: Global,
    /// The client for the settings as they were last.
    client: Mutex<Option<(Settings, Client)>>,
}

impl Tool {
    pub(super) fn new(global: Global) -> Self {
        Self {
            global,
            client: Mutex::default(),
        }
    }

    /// The client for the settings as they are now. One client lives as long as they stay, with what it knows.
    fn client(&self) -> Result<Client, Failure> {
        let path = settings::path(&self.global)?;
        let settings = Settings::read(&path).map_err(SettingsError::failure)?;
        let mut last = lock(&self.client);
        if let Some((of, client)) = &*last
            && *of == settings
        {
            return Ok(client.clone());
        }
        let whom = Whom::default();
        // A host shows no warnings; without a folder for answers they are kept in memory.
        let (client, _) = network::client_by(&self.global, &whom, false, &settings, path)?;
        *last = Some((settings, client.clone()));
        Ok(client)
    }

    async fn resolve(&self, arguments: &Map<String, Value>) -> CallToolResult {
        let request = match request(arguments) {
            Ok(request) => request,
            Err(text) => return failed(text),
        };
        let client = match self.client() {
            Ok(client) => client,
            Err(failure) => {
                let text =
                    anstream::adapter::strip_str(&failure.diagnostic().to_string()).to_string();
                return failed(text);
            }
        };
        let found = client.resolve(&request.need, request.constraints).await;
        match serde_json::to_value(JsonResolution::new(&found, self.global.now())) {
            Ok(result) => CallToolResult::structured(result),
            Err(error) => failed(error.to_string()),
        }
    }
}

impl ServerHandler for Tool {
    fn get_info(&self) -> ServerConfig {
        let name = env!("CARGO_PKG_NAME");
        ServerConfig::new(ServerCapabilities::builder().enable_tools().build())
            .with_server_info(Implementation::new(name, env!("CARGO_PKG_VERSION")))
            .with_instructions(
                "When no tool at hand can do a job, resolve finds servers that may. Ask the user before you connect to one.",
            )
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        Ok(ListToolsResult {
            ttl_ms: Some(LIST_TTL_MS),
            cache_scope: Some(CacheScope::Public),
            ..ListToolsResult::with_all_items(vec![tool()])
        })
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        if request.name != NAME {
            return Err(ErrorData::invalid_params("the only tool is resolve", None));
        }
        let arguments = request.arguments.unwrap_or_default();
        let result = tokio::select! {
            result = self.resolve(&arguments) => result,
            // Nobody waits for it any more: the requests to resolvers end with it.
            () = context.ct.cancelled() => failed("cancelled".to_owned()),
        };
        Ok(result.into())
    }
}

fn failed(text: String) -> CallToolResult {
    CallToolResult::error(vec![ContentBlock::text(text)])
}

/// Reads the arguments as a resolver reads its query, so that both give the same codes: `mcp.tool.name`,
/// `mcp.tool.error`. What is of another type becomes a value that no parameter has.
fn request(arguments: &Map<String, Value>) -> Result<ResolveRequest, String> {
    const NO_VALUE: &str = "-";
    let mut query = Serializer::new(String::new());
    for (name, value) in arguments {
        match (name.as_str(), value) {
            ("need" | "sign_in" | "payment", Value::String(text)) => {
                query.append_pair(name, text);
            }
            ("read_only", Value::Bool(true)) => {
                query.append_pair(name, "true");
            }
            ("max_handshake_ms", Value::Number(number)) => {
                // An integer is one however it is written: `500.0` and `5e2` too, as JSON Schema has it.
                let number = number.as_f64().map(|number| number.to_string());
                query.append_pair(name, number.as_deref().unwrap_or(NO_VALUE));
            }
            // As if it were not there.
            ("need", _) => {}
            _ => {
                query.append_pair(name, NO_VALUE);
            }
        }
    }
    ResolveRequest::from_query(&query.finish()).map_err(|refusal| refusal.to_string())
}

fn tool() -> rmcp::model::Tool {
    let annotations = ToolAnnotations::new()
        .read_only(true)
        .idempotent(true)
        .open_world(true);
    rmcp::model::Tool::new(NAME, DESCRIPTION, Arc::new(input_schema()))
        .with_title("Find servers for a job")
        .with_raw_output_schema(Arc::new(output_schema()))
        .with_annotations(annotations)
}

fn object(schema: Value) -> Map<String, Value> {
    match schema {
        Value::Object(object) => object,
        _ => Map::new(),
    }
}

fn input_schema() -> Map<String, Value> {
    object(json!({
        "type": "object",
        "properties": {
            "need": {
                "type": "string",
                "minLength": 1,
                "description": "The job in plain words, such as: send a transactional email. No secrets, and nothing about a \
                                person. 3 to 200 characters without white space at its ends and in the form NFC."
            },
            "sign_in": {
                "type": "string",
                "const": "none",
                "description": "Only servers that answered without sign-in."
            },
            "read_only": {
                "type": "boolean",
                "const": true,
                "description": "Only servers with a tool for the job that they mark as read-only."
            },
            "max_handshake_ms": {
                "type": "integer",
                "minimum": 1,
                "maximum": 60_000,
                "description": "Only servers whose handshake took no longer, in milliseconds."
            },
            "payment": {
                "type": "string",
                "const": "none",
                "description": "Only servers that declare that they take no payment."
            }
        },
        "required": ["need"],
        "additionalProperties": false
    }))
}

/// docs/schema/client-resolve.schema.json, which is written for this too.
fn output_schema() -> Map<String, Value> {
    let schema = include_str!("resolve.schema.json");
    serde_json::from_str(schema).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn code(arguments: Value) -> String {
        match request(arguments.as_object().unwrap()) {
            Ok(_) => "ok".to_owned(),
            Err(text) => text.split(':').next().unwrap().to_owned(),
        }
    }

    /// Arguments, and the code of what is wrong with them.
    fn table() -> Vec<(Value, &'static str)> {
        vec![
            (json!({"need": "send an email"}), "ok"),
            (json!({"need": "  abc  "}), "ok"),
            (json!({"need": format!("{}abc", " ".repeat(300))}), "ok"),
            (json!({"need": "e\u{301}".repeat(200)}), "ok"),
            (json!({"need": "abc", "max_handshake_ms": 500.0}), "ok"),
            (json!({"need": "abc", "max_handshake_ms": 5e2}), "ok"),
            (json!({"need": "abc", "max_handshake_ms": 60_000}), "ok"),
            (
                json!({"need": "abc", "max_handshake_ms": 60_001}),
                "constraint-value",
            ),
            (
                json!({"need": "abc", "max_handshake_ms": -1}),
                "constraint-value",
            ),
            (json!({"need": ""}), "need-length"),
            (json!({"need": "a".repeat(201)}), "need-length"),
            (
                json!({"need": "send an email", "sign_in": "none", "read_only": true, "max_handshake_ms": 500, "payment": "none"}),
                "ok",
            ),
            (json!({}), "need-missing"),
            (json!({"need": 7}), "need-missing"),
            (json!({"need": "ab"}), "need-length"),
            (json!({"need": "a\u{1}bc"}), "need-character"),
            (json!({"need": "abc", "page": 2}), "parameter-unknown"),
            (
                json!({"need": "abc", "read_only": false}),
                "constraint-value",
            ),
            (
                json!({"need": "abc", "read_only": "true"}),
                "constraint-value",
            ),
            (json!({"need": "abc", "sign_in": true}), "constraint-value"),
            (
                json!({"need": "abc", "max_handshake_ms": "500"}),
                "constraint-value",
            ),
            (
                json!({"need": "abc", "max_handshake_ms": 500.5}),
                "constraint-value",
            ),
            (
                json!({"need": "abc", "max_handshake_ms": 0}),
                "constraint-value",
            ),
            (json!({"need": "abc", "payment": null}), "constraint-value"),
        ]
    }

    // r[mcp.tool.name]
    #[test]
    fn the_schema_takes_what_is_read_and_nothing_else() {
        let validator = jsonschema::validator_for(&Value::Object(input_schema())).unwrap();
        for (arguments, code) in table() {
            // What no schema says of a need that is not empty: its characters, and how many count.
            let of_need = matches!(code, "need-character" | "need-length");
            if !of_need || arguments["need"] == "" {
                assert_eq!(validator.is_valid(&arguments), code == "ok", "{arguments}");
            }
        }
    }

    // r[mcp.tool.name] r[mcp.tool.error]
    #[test]
    fn arguments_are_those_of_the_text_and_no_others() {
        for (arguments, expected) in table() {
            assert_eq!(code(arguments.clone()), expected, "{arguments}");
        }
        let secret = request(json!({"need": "secret\u{1}job"}).as_object().unwrap());
        assert!(!secret.unwrap_err().contains("secret"));
    }

    #[test]
    fn the_output_schema_is_the_one_of_the_command() {
        let own: Value = serde_json::from_str(include_str!("resolve.schema.json")).unwrap();
        let path = concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../../docs/schema/client-resolve.schema.json"
        );
        let documented: Value =
            serde_json::from_str(&std::fs::read_to_string(path).unwrap()).unwrap();
        assert_eq!(own, documented);
        assert!(!output_schema().is_empty());
    }
}
