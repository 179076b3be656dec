//! Needs, records and tokens, asked of resolvers on this machine.

use std::fs;
use std::path::Path;

use capability_resolution::{Observation, Status, Time};
use insta::assert_snapshot;

use crate::common::{Home, NOW, Ran, Resolver, unchanged};
use crate::stand::Authority;

const MAIL: &str = "https://mail.example.com/mcp";
const POST: &str = "https://post.example.net/v1/mcp";

fn resolve(home: &Home, resolvers: &[&Resolver], more: &[&str]) -> Ran {
    let named = resolvers
        .iter()
        .flat_map(|resolver| ["--resolver", resolver.origin()]);
    let arguments: Vec<&str> = ["resolve", "send an email"]
        .into_iter()
        .chain(named)
        .chain(more.iter().copied())
        .collect();
    home.at_now(&arguments)
}

#[test]
fn candidates_are_shown_with_who_saw_them_and_when() {
    let home = Home::new();
    let first = Resolver::start(
        "first",
        &[(MAIL, Status::Ok, 1_078), (POST, Status::SignIn, 9_000)],
        unchanged,
    );
    let second = Resolver::start("second", &[(MAIL, Status::Down, 60)], unchanged);
    let both = [&first, &second];
    assert_snapshot!(resolve(&home, &both, &[]).shown(&both));
    // The same again comes out of what was kept.
    assert_snapshot!(resolve(&home, &both, &["--at-once"]).shown(&both));
    let value = resolve(&home, &both, &["--at-once", "--format", "json"])
        .json("client-resolve.schema.json");
    assert_eq!(value["candidates"][0]["status"], "down");
    assert_eq!(value["candidates"][0]["others"][0]["status"], "ok");
    assert_eq!(value["resolvers"][1]["cached"], true);
}

#[test]
fn what_went_wrong_is_said_and_the_rest_is_shown() {
    let home = Home::new();
    let gone = Resolver::start("gone", &[], |_, _| "status 503".to_owned());
    let lying = Resolver::start(
        "lying",
        &[(MAIL, Status::Ok, 60), (POST, Status::Ok, 90_000)],
        |path, body| {
            if path == "/resolve" {
                body.replace("\"status\":\"ok\"", "\"status\":\"down\"")
                    .replace("lying Resolver", "Honest\u{202e} Resolver")
            } else {
                body
            }
        },
    );
    let both = [&gone, &lying];
    let ran = resolve(&home, &both, &[]);
    assert_snapshot!(ran.shown(&both));
    assert_eq!(ran.code, Some(0));
    let value = resolve(&home, &both, &["--format", "json", "--no-cache"])
        .json("client-resolve.schema.json");
    assert_eq!(value["resolvers"][0]["failure"]["code"], "status-code");
    assert!(!value.to_string().contains("Honest"));
}

// r[client.fails-open]
#[test]
fn nobody_is_not_the_same_as_not_knowing() {
    let home = Home::new();
    let empty = Resolver::start("empty", &[], unchanged);
    let gone = Resolver::start("gone", &[], |_, _| "status 500".to_owned());
    let leaky = Resolver::start("leaky", &[], |_, body| {
        body.replace("\"kid\"", "\"d\":\"x\",\"kid\"")
    });
    assert_snapshot!(resolve(&home, &[&empty], &[]).shown(&[&empty]));
    assert_eq!(resolve(&home, &[&empty], &[]).code, Some(1));
    assert_eq!(resolve(&home, &[&empty, &gone], &[]).code, Some(2));
    let loud = resolve(&home, &[&leaky], &[]);
    assert_eq!(loud.code, Some(2));
    assert!(loud.err.starts_with("error[key-private]: "), "{loud:?}");
    let value =
        resolve(&home, &[&gone, &empty], &["--format", "json"]).json("client-resolve.schema.json");
    assert_eq!(value["candidates"], serde_json::json!([]));
}

// r[resolve.client-need] r[error.no-need]
#[test]
fn a_need_that_fails_is_not_sent() {
    let home = Home::new();
    let resolver = Resolver::start("first", &[], unchanged);
    for need in ["ab", "", "a\u{1}bc", &"x".repeat(201)] {
        let ran = home.at_now(&["resolve", need, "--resolver", resolver.origin()]);
        assert_eq!(ran.code, Some(2), "{need}");
        assert!(ran.err.starts_with("error[need-"), "{ran:?}");
    }
    assert_eq!(resolver.stand.connections(), 0);
}

// r[constraint.names]
#[test]
fn constraints_are_sent() {
    let home = Home::new();
    let resolver = Resolver::start("first", &[], unchanged);
    resolve(
        &home,
        &[&resolver],
        &[
            "--no-sign-in",
            "--read-only",
            "--max-handshake",
            "250",
            "--no-payment",
        ],
    );
    let heads = resolver.stand.heads();
    let target = heads[1].split(' ').nth(1).unwrap();
    assert_eq!(
        target,
        "/resolve?need=send%20an%20email&sign_in=none&read_only=true&max_handshake_ms=250&payment=none"
    );
}

// r[client.cache-private]
#[test]
fn nothing_that_is_written_tells_a_need() {
    let home = Home::new();
    let resolver = Resolver::start("first", &[(MAIL, Status::Ok, 60)], |path, body| {
        if path == "/resolve" {
            body.replacen('{', "{\"need\":\"find the quetzalcoatl\",", 1)
        } else {
            body
        }
    });
    let ran = home.at_now(&[
        "resolve",
        "find the quetzalcoatl",
        "--resolver",
        resolver.origin(),
    ]);
    assert!(!ran.all().contains("quetzal"), "{ran:?}");
    let mut files = 0;
    each_file(&home.path("."), &mut |path| {
        files += 1;
        let bytes = fs::read(path).unwrap();
        let shown = path.display().to_string();
        assert!(
            !shown.contains("quetzal") && !bytes.windows(7).any(|window| window == b"quetzal"),
            "{shown}"
        );
    });
    assert_eq!(files, 3, "a key, a document and an answer");
}

fn each_file(folder: &Path, look: &mut dyn FnMut(&Path)) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            each_file(&path, look)
        } else {
            look(&path)
        }
    }
}

#[test]
fn a_record_is_shown() {
    let home = Home::new();
    let empty = Resolver::start("empty", &[], unchanged);
    let first = Resolver::start("first", &[(MAIL, Status::SignIn, 600)], unchanged);
    let both = [&empty, &first];
    let record = |url: &str, more: &[&str]| {
        let named = [
            "record",
            url,
            "--resolver",
            empty.origin(),
            "--resolver",
            first.origin(),
        ];
        home.at_now(&[&named, more].concat())
    };
    assert_snapshot!(record(MAIL, &[]).shown(&both));
    let value = record(MAIL, &["--format", "json"]).json("client-record.schema.json");
    assert_eq!(value["record"]["status"], "sign_in");
    let none = record(POST, &["--format", "json"]);
    assert_eq!(none.code, Some(1));
    assert_eq!(
        none.json("client-record.schema.json")["record"],
        serde_json::Value::Null
    );
    let gone = Resolver::start("gone", &[], |_, _| "status 500".to_owned());
    assert_eq!(
        home.at_now(&["record", MAIL, "--resolver", gone.origin()])
            .code,
        Some(2)
    );
    let wrong = record("mail.example.com", &[]);
    assert_eq!(wrong.code, Some(2));
    assert!(wrong.err.starts_with("error[url-invalid]: "), "{wrong:?}");
}

#[test]
fn a_token_is_verified_by_its_own_resolver_only() {
    let home = Home::new();
    let first = Resolver::start("first", &[], unchanged);
    let now = Time::from_document(NOW).unwrap();
    let at = |seconds: i64| Time::from_unix_seconds(now.unix_seconds() + seconds);
    let seen = Observation {
        url: MAIL.parse().unwrap(),
        status: Status::Ok,
        checked_at: at(-600),
    };
    let token = first.signer.token(&seen, at(-60), at(3_600)).unwrap();
    let old = first.signer.token(&seen, at(-600), at(-400)).unwrap();
    let verify = |token: &str, more: &[&str]| {
        home.at_now(&[&["verify", token, "--resolver", first.origin()], more].concat())
    };
    assert_snapshot!(verify(&token, &[]).shown(&[&first]));
    assert_snapshot!(verify(&old, &[]).shown(&[&first]));
    for (token, code, result) in [(&*token, 0, "valid"), (&*old, 1, "invalid")] {
        let ran = verify(token, &["--format", "json"]);
        assert_eq!(
            (ran.code, &ran.json("client-verify.schema.json")["result"]),
            (Some(code), &result.into())
        );
    }
    let line = format!("{token}\r\n");
    let from_stdin = home.run_with(
        home.command().args([
            "--now",
            NOW,
            "--allow-loopback",
            "verify",
            "-",
            "--resolver",
            first.origin(),
        ]),
        line.as_bytes(),
    );
    assert_eq!(from_stdin.code, Some(0), "{from_stdin:?}");
    let unlisted = home.at_now(&["verify", &token, "--resolver", "https://other.example"]);
    assert_snapshot!(unlisted.shown(&[&first]));
    assert_eq!(verify("nonsense", &[]).code, Some(2));
}

// r[http.https] r[origin.loopback-off]
#[test]
fn over_tls_with_an_authority_of_the_machine() {
    let home = Home::new();
    let authority = Authority::new();
    fs::write(home.path("root.pem"), &authority.pem).unwrap();
    let now = std::time::SystemTime::now()
        .duration_since(std::time::UNIX_EPOCH)
        .unwrap();
    let now = i64::try_from(now.as_secs()).unwrap();
    let resolver = Resolver::start_tls(
        authority.tls("localhost"),
        "first",
        &[(MAIL, Status::Ok, 60)],
        now,
    );
    let ask = |trusted: bool, switch: &[&str]| {
        let mut command = home.command();
        command.args(switch).args([
            "resolve",
            "send an email",
            "--no-cache",
            "--resolver",
            resolver.origin(),
        ]);
        if trusted {
            command.env("SSL_CERT_FILE", home.path("root.pem"));
        }
        home.run_with(&mut command, b"")
    };
    let found = ask(true, &["--allow-loopback"]);
    assert_eq!(found.code, Some(0), "{found:?}");
    assert!(found.out.contains(MAIL));
    let untrusted = ask(false, &["--allow-loopback"]);
    assert_eq!(untrusted.code, Some(2));
    assert!(
        untrusted.out.contains("skipped: network at discovery"),
        "{untrusted:?}"
    );
    let before = resolver.stand.connections();
    let refused = ask(true, &[]);
    assert!(
        refused.out.contains("127.0.0.1 is refused") || refused.out.contains("::1 is refused"),
        "{refused:?}"
    );
    assert_eq!(resolver.stand.connections(), before);
}
