//! The description that is served, and whether the server is as it says.

use std::process::Command;

use serde_json::Value;

use crate::common::{Folder, mail, request};

#[test]
fn the_description_names_what_is_served_and_every_error() {
    let folder = Folder::with(&[mail("https://mail.example.com/mcp")]);
    let server = folder.serve_plain();
    let description = server.get("/openapi.json").json();
    assert_eq!(description["openapi"], "3.1.0");
    assert_eq!(description["servers"][0]["url"], "https://resolver.test");
    let discovery = server.discovery();
    let paths = description["paths"].as_object().unwrap();
    let named = [
        discovery.resolve(),
        discovery.record(),
        discovery.policy(),
        discovery.changelog().unwrap(),
    ];
    for url in named {
        assert!(paths.contains_key(url.path_and_query()), "{url}");
    }
    for (path, operations) in paths {
        let parameters = operations["get"]["parameters"].as_array().unwrap();
        let query: Vec<String> = parameters
            .iter()
            .filter(|one| one["required"] == true || one["name"] == "url")
            .map(|one| {
                format!(
                    "{}={}",
                    one["name"].as_str().unwrap(),
                    one["example"].as_str().unwrap().replace(' ', "+")
                )
            })
            .collect();
        let response = request(
            server.address,
            "GET",
            &format!("{path}?{}", query.join("&")),
            &[],
        );
        assert_eq!(response.status, 200, "{path} {query:?}");
        conforms(
            &description,
            &operations["get"]["responses"]["200"],
            &response.body,
            response.header("content-type").unwrap(),
        );
    }
    let codes = serde_json::to_string(paths).unwrap();
    let refused = server.get("/resolve?need=ab");
    conforms(
        &description,
        &paths["/resolve"]["get"]["responses"]["400"],
        &refused.body,
        "application/problem+json",
    );
    for code in [
        "query-encoding",
        "need-length",
        "record-query",
        "record-not-found",
        "rate-limited",
        "unavailable",
    ] {
        assert!(codes.contains(code), "{code}");
    }
}

/// Whether a body is what a response of the description says.
fn conforms(description: &Value, response: &Value, body: &[u8], media_type: &str) {
    let media_type = media_type.split(';').next().unwrap();
    let mut schema = response["content"][media_type]["schema"].clone();
    assert!(schema.is_object(), "{media_type} in {response}");
    let value = match media_type.ends_with("json") {
        true => serde_json::from_slice(body).unwrap(),
        false => Value::from(String::from_utf8(body.to_vec()).unwrap()),
    };
    schema["components"] = description["components"].clone();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let faults: Vec<String> = validator
        .iter_errors(&value)
        .map(|fault| fault.to_string())
        .collect();
    assert!(faults.is_empty(), "{faults:?}");
}

#[test]
#[allow(clippy::print_stderr, reason = "what is skipped is told")]
fn the_server_is_as_its_description_says() {
    let Some(program) = std::env::var_os("SCHEMATHESIS") else {
        eprintln!("skipped: SCHEMATHESIS names no program, see interop/openapi/README.md");
        return;
    };
    let folder = Folder::with(&[mail("https://mail.example.com/mcp")]);
    let server = folder.serve_plain();
    let origin = format!("http://{}", server.address);
    let ran = Command::new(program)
        .current_dir(folder.root())
        .args(["run", &format!("{origin}/openapi.json"), "--url", &origin])
        .args([
            "--checks",
            "all",
            "--exclude-checks",
            "positive_data_acceptance",
        ])
        .args([
            "--phases",
            "examples,coverage,fuzzing",
            "--max-examples",
            "60",
            "--seed",
            "1",
        ])
        .args(["--warnings", "off", "--no-color"])
        .output()
        .unwrap();
    let out = String::from_utf8_lossy(&ran.stdout);
    assert!(
        ran.status.success(),
        "{out}{}",
        String::from_utf8_lossy(&ran.stderr)
    );
    assert!(out.contains("passed"), "{out}");
}
