//! The description of the endpoints by OpenAPI 3.1, made from their table.

use serde_json::{Map, Value, json};

use super::endpoints::{ENDPOINTS, Endpoint};
use super::reply::Problem;
use crate::discovery::Identity;

/// Where it is served.
pub(super) const PATH: &str = "/openapi.json";

const SCHEMAS: &str = include_str!("openapi_schemas.json");

/// The description for a resolver.
pub(super) fn description(identity: &Identity) -> Vec<u8> {
    let paths: Map<String, Value> = ENDPOINTS
        .iter()
        .map(|endpoint| {
            (
                endpoint.path.to_owned(),
                json!({ "get": operation(endpoint) }),
            )
        })
        .collect();
    let description = json!({
        "openapi": "3.1.0",
        "info": {
            "title": identity.name,
            "summary": "A resolver of Capability Resolution",
            "version": env!("CARGO_PKG_VERSION"),
        },
        "servers": [{ "url": identity.issuer.as_str() }],
        "paths": paths,
        "components": { "schemas": parsed(SCHEMAS) },
    });
    serde_json::to_vec(&description).unwrap_or_default()
}

/// The schema of an answer, complete in itself.
pub(crate) fn answer_schema() -> Value {
    let mut schemas = parsed(&SCHEMAS.replace("#/components/schemas/", "#/$defs/"));
    let candidate = schemas["Candidate"].take();
    let mut answer = schemas["Answer"].take();
    answer["$defs"] = json!({ "Candidate": candidate });
    answer
}

fn operation(endpoint: &Endpoint) -> Value {
    let parameters: Vec<Value> = endpoint
        .parameters
        .iter()
        .map(|parameter| {
            json!({
                "name": parameter.name,
                "in": "query",
                "description": parameter.about,
                "required": parameter.required,
                "schema": parsed(parameter.schema),
                "example": example(parameter.example),
            })
        })
        .collect();
    json!({
        "operationId": endpoint.name,
        "summary": endpoint.summary,
        "parameters": parameters,
        "responses": responses(endpoint),
    })
}

fn responses(endpoint: &Endpoint) -> Map<String, Value> {
    let success = &endpoint.success;
    let schema = json!({ "$ref": format!("#/components/schemas/{}", success.schema) });
    let content: Map<String, Value> = success
        .media_types
        .iter()
        .map(|media_type| ((*media_type).to_owned(), json!({ "schema": schema })))
        .collect();
    let mut responses = Map::new();
    let ok = json!({ "description": success.about, "content": content });
    responses.insert("200".to_owned(), ok);
    if success.tagged {
        let confirmed = json!({ "description": "The copy that the caller holds is still right" });
        responses.insert("304".to_owned(), confirmed);
    }
    let everywhere = [
        Problem::METHOD_NOT_ALLOWED,
        Problem::REQUEST_TOO_LONG,
        Problem::RATE_LIMITED,
        Problem::UNAVAILABLE,
    ];
    for problem in endpoint.problems.iter().chain(&everywhere) {
        let status = problem.status.to_string();
        if responses.contains_key(&status) {
            continue;
        }
        let all = endpoint.problems.iter().chain(&everywhere);
        let mut codes: Vec<_> = all
            .filter(|one| one.status == problem.status)
            .filter_map(|one| one.code)
            .collect();
        codes.dedup();
        let response = json!({
            "description": codes.join(", "),
            "content": {
                "application/problem+json": { "schema": { "$ref": "#/components/schemas/Problem" } },
            },
        });
        responses.insert(status, response);
    }
    responses
}

/// A text of this program that is JSON.
fn parsed(text: &str) -> Value {
    serde_json::from_str(text).unwrap_or_default()
}

/// A number as a number.
fn example(text: &str) -> Value {
    text.parse::<u64>()
        .map_or_else(|_| Value::from(text), Value::from)
}
