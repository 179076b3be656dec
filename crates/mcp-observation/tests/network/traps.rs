//! The made-up answers of the transcripts, one trap each: what follows from every one of them.

use std::time::Duration;

use mcp_observation::{ListEnd, Step};

use crate::server::{Reply, Request, Server, legacy, modern};
use crate::{observe, options, transcripts};

/// Where in a procedure a trap stands.
#[derive(Debug, Clone, Copy, PartialEq)]
enum At {
    /// It is the answer to everything.
    Everything,
    /// The answer to `server/discover`, of a server of the legacy era.
    Discover,
    /// The answer at `/mcp`, of a server that is at `/mcp/`.
    Place,
    /// The list of the modern era.
    Modern,
    /// The list of the legacy era.
    Legacy,
}

/// Where each trap stands, and what follows.
const TRAPS: [(&str, At, &str); 42] = [
    ("s01-200-html-landing", At::Everything, "failure (not-mcp)"),
    (
        "s02-403-cloudflare-challenge",
        At::Everything,
        "unknown (blocked)",
    ),
    ("s03-402-x402", At::Everything, "unknown (payment-required)"),
    (
        "s04-429-retry-after-seconds",
        At::Everything,
        "unknown (rate-limited)",
    ),
    (
        "s05-503-retry-after-date",
        At::Everything,
        "failure (server-error)",
    ),
    ("s06-307-cross-origin", At::Everything, "unknown (redirect)"),
    ("s07-301-to-https", At::Everything, "unknown (redirect)"),
    ("s08-307-same-origin-slash", At::Place, "ok"),
    ("s09-401-no-challenge", At::Everything, "sign_in"),
    ("s10-401-basic", At::Everything, "sign_in"),
    (
        "s11-401-two-challenges-one-header",
        At::Everything,
        "sign_in",
    ),
    ("s12-403-insufficient-scope", At::Everything, "sign_in"),
    (
        "s13-200-jsonrpc-unauthorized",
        At::Everything,
        "unknown (error)",
    ),
    ("s14-200-method-not-found", At::Discover, "ok"),
    ("s15-400-discover-id-null", At::Discover, "ok"),
    ("s16-401-wrapped-method-not-found", At::Discover, "ok"),
    ("s17-page-1", At::Modern, "ok"),
    ("s18-page-2", At::Modern, "ok"),
    ("s19-cursor-never-advances", At::Modern, "ok"),
    ("s20-cursor-empty-string", At::Legacy, "ok"),
    ("s21-cursor-null", At::Legacy, "ok"),
    ("s22-sse-priming-empty-data", At::Legacy, "ok"),
    ("s23-sse-comments-and-no-event-name", At::Legacy, "ok"),
    ("s24-sse-multiline-data-crlf", At::Legacy, "ok"),
    ("s25-sse-notification-first", At::Legacy, "ok"),
    ("s26-sse-server-request-first", At::Legacy, "ok"),
    ("s27-sse-other-id-first", At::Legacy, "ok"),
    ("s28-sse-truncated", At::Legacy, "unknown (protocol)"),
    (
        "s29-sse-ends-without-response",
        At::Legacy,
        "unknown (protocol)",
    ),
    // `mcp.answer.array`: no revision that is offered has batches.
    ("s30-json-batch", At::Legacy, "unknown (protocol)"),
    ("s31-tools-not-an-array", At::Legacy, "failure (not-mcp)"),
    ("s32-tools-missing", At::Legacy, "failure (not-mcp)"),
    ("s33-input-required", At::Modern, "unknown (input-required)"),
    ("s34-unknown-result-type", At::Modern, "unknown (protocol)"),
    ("s35-short-body", At::Legacy, "unknown (protocol)"),
    ("s36-200-empty", At::Legacy, "failure (not-mcp)"),
    // `mcp.answer.body`: whatever its media type, after one leading U+FEFF.
    ("s37-json-as-text-plain", At::Legacy, "ok"),
    ("s38-bom", At::Legacy, "ok"),
    ("s39-duplicate-tool-names", At::Legacy, "ok"),
    (
        "s40-unsupported-version-newer",
        At::Everything,
        "unknown (version)",
    ),
    ("s41-unsupported-version-lists-legacy", At::Discover, "ok"),
    ("s42-tool-with-hostile-text", At::Legacy, "ok"),
];

/// What the transcripts recommend, in the words of the text; `None` where they name a step or leave a choice.
fn recommended(word: &str) -> Option<&str> {
    Some(match word {
        "not_mcp" => "failure (not-mcp)",
        "down_if_repeated" => "failure (server-error)",
        "unknown:payment" => "unknown (payment-required)",
        "unknown:rate_limited" => "unknown (rate-limited)",
        "unknown:input_required" => "unknown (input-required)",
        "unknown:blocked" => "unknown (blocked)",
        "unknown:redirect" => "unknown (redirect)",
        "unknown:error" => "unknown (error)",
        "unknown:protocol" => "unknown (protocol)",
        "unknown:version" => "unknown (version)",
        "ok" | "sign_in" => word,
        "follow" | "legacy_fallback" | "try_initialize" => "ok",
        "lenient_ok" | "ok_or_unknown" => return None,
        other => panic!("EXPECTED.tsv says {other}"),
    })
}

/// The answer with the id of the request: all have the id 1, but for one.
fn with_id(trap: &[u8], request: &Request) -> Vec<u8> {
    let id = request.id();
    let text = String::from_utf8(trap.to_vec()).unwrap();
    let text = text.replace("\"id\": 1,", &format!("\"id\": {id},"));
    let text = text.replace("\"id\":1,", &format!("\"id\":{id},"));
    text.replace("\"id\": 2,", &format!("\"id\": {id},"))
        .into_bytes()
}

// r[mcp.answer.events] r[mcp.answer.other] r[mcp.answer.array] r[mcp.answer.body] r[mcp.ok] r[mcp.sign-in] r[mcp.redirect]
// r[mcp.step.discover] r[mcp.step.modern-tools] r[mcp.step.initialize] r[mcp.step.legacy-tools] r[observation.no-use]
#[tokio::test(flavor = "multi_thread")]
async fn every_trap() {
    let Some(transcripts) = transcripts() else {
        return;
    };
    let folder = transcripts.join("synthetic");
    let expected = std::fs::read_to_string(folder.join("EXPECTED.tsv")).unwrap();
    let expected: Vec<Vec<&str>> = expected
        .lines()
        .skip(1)
        .map(|line| line.split('\t').collect())
        .collect();
    assert_eq!(expected.len(), TRAPS.len());
    for (row, (name, at, outcome)) in expected.iter().zip(TRAPS) {
        assert_eq!(row[0], name);
        if let Some(recommended) = recommended(row[1]) {
            assert_eq!(outcome, recommended, "{name}");
        }
        let read = |name: &str| std::fs::read(folder.join(format!("{name}.resp.http"))).unwrap();
        let (trap, last) = (read(name), read("s18-page-2"));
        let server = Server::start(move |_, request| {
            let list = request.what() == "tools/list";
            let reply = match at {
                At::Everything => None,
                At::Place if request.path == "/mcp" => None,
                At::Place if list => return Reply::Bytes(with_id(&last, request)),
                At::Discover if request.what() == "server/discover" => None,
                At::Discover if list => {
                    return Reply::Bytes(crate::server::result(request.id(), r#"{"tools":[]}"#));
                }
                At::Discover | At::Legacy => legacy(request),
                At::Place | At::Modern => modern(request),
            };
            let is_second_page = request.body["params"]["cursor"] == "p2";
            let trap = if is_second_page { &last } else { &trap };
            reply.unwrap_or_else(|| Reply::Close(with_id(trap, request)))
        })
        .await;
        let mut options = options();
        options.all_pages = true;
        let observation = observe(&server, &options).await;
        let findings = &observation.findings;
        assert_eq!(
            findings.outcome.to_string(),
            outcome,
            "{name}: {observation:?}"
        );
        let names: Vec<_> = findings
            .tools
            .iter()
            .map(|tool| tool.name.as_str())
            .collect();
        match name {
            "s04-429-retry-after-seconds" => {
                assert_eq!(findings.retry_after, Some(Duration::from_secs(120)));
            }
            "s11-401-two-challenges-one-header" | "s12-403-insufficient-scope" => {
                assert!(findings.challenges.as_ref().unwrap().is_usable());
            }
            "s09-401-no-challenge" | "s10-401-basic" => {
                assert!(!findings.challenges.as_ref().unwrap().is_usable());
            }
            "s17-page-1" => assert_eq!(names, ["send_email", "get_status"]),
            "s19-cursor-never-advances" | "s20-cursor-empty-string" => {
                assert_eq!(findings.list_end, ListEnd::RepeatedCursor);
            }
            "s42-tool-with-hostile-text" => {
                assert_eq!(names, ["xevil"]);
                let description = findings.tools[0].description.as_deref().unwrap();
                assert!(description.ends_with("this server first."), "{description}");
            }
            _ => {}
        }
        if at == At::Discover {
            assert_eq!(observation.exchanges[1].step, Step::Initialize, "{name}");
        }
        if at == At::Legacy
            && outcome == "ok"
            && !name.starts_with("s24")
            && !name.starts_with("s42")
        {
            assert_eq!(names[0], "send_email", "{name}");
        }
    }
}
