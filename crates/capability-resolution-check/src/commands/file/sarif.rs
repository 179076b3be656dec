//! The findings as a log of SARIF 2.1.0, the format that code hosts read: sections 3.13 to 3.49 of that standard.

use std::collections::BTreeMap;
use std::path::Path;

use capabilities_txt::Code;
use command_console::visible;
use serde::Serialize;
use url::Url;

use super::Judgement;
use super::finding::Finding;
use super::json::LISTED;

const SCHEMA: &str =
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

#[derive(Serialize)]
pub(super) struct Log {
    #[serde(rename = "$schema")]
    schema: &'static str,
    version: &'static str,
    runs: [Run; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Run {
    tool: Tool,
    column_kind: &'static str,
    results: Vec<SarifResult>,
}

#[derive(Serialize)]
struct Tool {
    driver: Driver,
}

#[derive(Serialize)]
struct Driver {
    name: &'static str,
    version: &'static str,
    rules: Vec<Rule>,
}

/// One code of the text.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Rule {
    id: &'static str,
    short_description: Text,
    help: Text,
    default_configuration: Configuration,
}

#[derive(Serialize)]
struct Configuration {
    level: &'static str,
}

#[derive(Serialize)]
struct Text {
    text: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct SarifResult {
    rule_id: &'static str,
    rule_index: usize,
    level: &'static str,
    message: Text,
    locations: [Location; 1],
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Location {
    physical_location: PhysicalLocation,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct PhysicalLocation {
    artifact_location: ArtifactLocation,
    region: Region,
}

#[derive(Serialize)]
struct ArtifactLocation {
    uri: String,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Region {
    start_line: u32,
    start_column: u32,
    end_column: u32,
    #[serde(flatten)]
    characters: Option<Characters>,
    byte_offset: usize,
    byte_length: usize,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Characters {
    char_offset: usize,
    char_length: usize,
}

pub(super) fn sarif(judgement: &Judgement<'_>) -> Log {
    let findings: Vec<_> = judgement.findings(LISTED).collect();
    let mut indices: BTreeMap<&str, usize> = BTreeMap::new();
    let mut rules = Vec::new();
    for finding in &findings {
        indices.entry(finding.code.as_str()).or_insert_with(|| {
            rules.push(rule(finding.code));
            rules.len() - 1
        });
    }
    let uri = uri(judgement);
    // Characters have places only in a text.
    let text = std::str::from_utf8(judgement.reading.source()).ok();
    let results = findings.iter().map(|finding| SarifResult {
        rule_id: finding.code.as_str(),
        rule_index: indices[finding.code.as_str()],
        level: finding.severity.as_str(),
        message: message(finding),
        locations: [Location {
            physical_location: PhysicalLocation {
                artifact_location: ArtifactLocation { uri: uri.clone() },
                region: region(finding, text),
            },
        }],
    });
    Log {
        schema: SCHEMA,
        version: "2.1.0",
        runs: [Run {
            results: results.collect(),
            column_kind: "unicodeCodePoints",
            tool: Tool {
                driver: Driver {
                    name: "capability-resolution-check",
                    version: env!("CARGO_PKG_VERSION"),
                    rules,
                },
            },
        }],
    }
}

fn rule(code: Code) -> Rule {
    let rules = code.rules().join(" and ");
    Rule {
        id: code.as_str(),
        short_description: Text {
            text: code.as_str().replace('-', " "),
        },
        help: Text {
            text: format!("See {rules} in section 11 of Capability Resolution 0.2."),
        },
        default_configuration: Configuration {
            level: code.severity().as_str(),
        },
    }
}

fn message(finding: &Finding) -> Text {
    let Finding {
        message,
        effect,
        help,
        rule,
        ..
    } = finding;
    let lines = [
        message.clone(),
        format!("effect: {effect}"),
        format!("rule: {rule}"),
        format!("help: {help}"),
    ];
    let lines = lines.iter().flat_map(|text| text.lines()).map(visible);
    Text {
        text: lines.collect::<Vec<_>>().join("\n"),
    }
}

/// A region lies in one line.
fn region(finding: &Finding, text: Option<&str>) -> Region {
    let length = u32::try_from(finding.length).unwrap_or(u32::MAX);
    let characters = text.and_then(|text| {
        let start = text.get(..finding.bytes.start)?;
        // A byte order mark is no part of the text: section 3.30.2 of the standard.
        let start = start.strip_prefix('\u{feff}').unwrap_or(start);
        Some(Characters {
            char_offset: start.chars().count(),
            char_length: finding.length,
        })
    });
    Region {
        start_line: finding.line,
        start_column: finding.column,
        end_column: finding.column.saturating_add(length),
        characters,
        byte_offset: finding.bytes.start,
        byte_length: finding.bytes.len(),
    }
}

/// The file as a reference, relative where its path is; what came over standard input is the file of the host.
fn uri(judgement: &Judgement<'_>) -> String {
    let path = judgement.path;
    if path == Path::new("-") {
        let host = judgement.reading.scope().host();
        return format!("https://{host}/.well-known/capabilities.txt");
    }
    let rooted = Path::new("/").join(path);
    let Ok(url) = Url::from_file_path(&rooted) else {
        return "capabilities.txt".to_owned();
    };
    if path.is_absolute() {
        return url.into();
    }
    // A colon in the first segment would end a scheme.
    format!("./{}", url.path().trim_start_matches('/'))
}
