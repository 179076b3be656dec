//! What an author sees of typical mistakes, and what programs read of them.

use std::fs;
use std::io::Write as _;
use std::process::{Command, Stdio};

use insta::assert_snapshot;
use serde_json::{Value, json};

use crate::{NOW, Ran, check_schema, command};

/// A valid file, of which each mistake changes something.
const GOOD: &str = "\
Conformance: Capability Resolution 0.2
Contact: mailto:tools@example.com
Expires: 2027-04-30T00:00:00Z
Resolvers: *, -https://unwanted.example

Endpoint: https://mail.example.com/mcp
Protocol: mcp
Jobs: send a transactional email; look up a delivery status
";

fn with(old: &str, new: &str) -> Vec<u8> {
    assert!(GOOD.contains(old), "{old}");
    GOOD.replace(old, new).into_bytes()
}

fn run(file: &[u8], options: &[&str]) -> Ran {
    let arguments = [
        &["file", "-", "--host", "example.com", "--now", NOW],
        options,
    ]
    .concat();
    command(&arguments, file, "/no/folder")
}

/// Each typical mistake under the name of its snapshot.
fn mistakes() -> Vec<(&'static str, Vec<u8>)> {
    let utf16 = GOOD.encode_utf16().flat_map(u16::to_le_bytes);
    let long: String = (0..10).map(|n| format!("job {n:0150}; ")).collect();
    vec![
        ("no_mistake", GOOD.into()),
        ("a_typed_dash", with(" -https", " \u{2013}https")),
        ("no_space_behind_the_colon", with("Contact: ", "Contact:")),
        ("no_colon", with("Protocol: ", "Protocol ")),
        ("expired", with("2027", "2025")),
        ("a_date_alone", with("T00:00:00Z", "")),
        ("a_contact_without_scheme", with("mailto:", "")),
        ("http", with("https://mail", "http://mail")),
        ("a_url_with_a_password", with("https://mail", "https://me:secret@mail")),
        ("a_byte_order_mark", format!("\u{feff}{GOOD}").into()),
        ("utf_16", [0xff, 0xfe].into_iter().chain(utf16).collect()),
        ("latin_1", [b"# M\xfcller\n", GOOD.as_bytes()].concat()),
        ("a_slip_of_the_pen", with("Protocol:", "Protcol:")),
        ("a_field_that_is_not_defined", with("Jobs:", "License: MIT\nJobs:")),
        ("out_of_scope", with("mail.example.com", "mail.example.org")),
        ("twice", {
            let block = &GOOD[GOOD.find("Endpoint").unwrap()..];
            let twice = format!("{GOOD}Protocol: mcp\nJobs: SEND a transactional email\n\n{block}");
            twice.replacen("Resolvers", "Expires: 2028-01-01T00:00:00Z\nResolvers", 1).into()
        }),
        ("crlf", GOOD.replace('\n', "\r\n").into()),
        ("a_lone_carriage_return", with(", -https://unwanted.example\n", "\r# \n")),
        ("invisible", {
            let named = with("send a", "\u{202e}send\u{200b} a");
            [b"# \xe2\x80\xaetfel\n", &named[..]].concat()
        }),
        ("a_job_far_to_the_right", with("Jobs: ", &format!("Jobs: {long}no; "))),
        ("an_origin_without_scheme", with("*, -https://unwanted", "*, -unwanted")),
        ("only_a_deny", with("*, ", "")),
        ("cut_off", GOOD[..GOOD.len() - 12].into()),
        ("an_empty_file", Vec::new()),
        ("a_header_field_too_late", format!("{GOOD}Resolvers: none\n").into()),
        ("another_page", b"<!DOCTYPE html>\n<title>404</title>\n".to_vec()),
        ("signed", format!(
            "-----BEGIN PGP SIGNED MESSAGE-----\nHash: SHA512\n\n{GOOD}-----BEGIN PGP SIGNATURE-----\n\nwsB=\n\
             -----END PGP SIGNATURE-----\n"
        ).into()),
        ("too_large", GOOD.repeat(400).into()),
        ("larger_than_the_scan_limit", format!("{GOOD}{}", "#\n".repeat(300_000)).into()),
    ]
}

#[test]
fn typical_mistakes() {
    for (name, file) in mistakes() {
        assert_snapshot!(name, run(&file, &[]).all());
    }
}

#[test]
fn people_see_a_hundred_findings_and_programs_a_thousand_errors_first() {
    let file = format!(
        "{}{GOOD}{}",
        "Evil: x\n".repeat(2_000),
        " x\n".repeat(1_500)
    );
    let ran = run(file.as_bytes(), &[]);
    let errors = ran.out.matches("error[leading-whitespace]").count();
    assert_eq!((errors, ran.out.contains("warning[")), (100, false));
    let hidden = "\n3400 more findings are not shown\n\ninvalid: ";
    assert!(ran.out.contains(hidden), "{ran:?}");

    let file = format!("{}{GOOD} x\n", "Evil: x\n".repeat(150));
    let ran = run(file.as_bytes(), &[]);
    let count = |what: &str| ran.out.matches(what).count();
    assert_eq!((count("error["), count("warning[")), (1, 99));
    assert!(
        ran.out.contains("\n51 more findings are not shown\n"),
        "{ran:?}"
    );

    let file = format!("{GOOD}{}", "\r".repeat(5_000));
    let answer = run(file.as_bytes(), &["--format", "json"]).json();
    check_schema(&answer);
    let listed = answer["errors"].as_array().unwrap().len();
    assert_eq!(
        (listed, &answer["findings_not_listed"]),
        (1_000, &json!(4_000))
    );
    check_log(
        &run(file.as_bytes(), &["--format", "sarif"]).json(),
        &answer,
        "many",
    );
}

#[test]
fn programs_read_the_same() {
    for (name, file) in mistakes() {
        let ran = run(&file, &["--format", "json"]);
        let answer = ran.json();
        check_schema(&answer);
        assert_eq!(
            ran.code,
            Some(i32::from(answer["valid"] == false)),
            "{name}"
        );
        assert_eq!(answer["resolver_allowed"], Value::Null);
        let human = run(&file, &[]).out;
        let errors = answer["errors"].as_array().unwrap();
        assert_eq!(errors.is_empty(), answer["valid"] == true, "{name}");
        for error in errors {
            let code = error["code"].as_str().unwrap();
            let place = format!("--> <stdin>:{}:{}\n", error["line"], error["column"]);
            assert!(
                human.contains(&format!("error[{code}]: ")) && human.contains(&place),
                "{name}: {error}"
            );
        }

        let ran = run(&file, &["--format", "sarif"]);
        check_log(&ran.json(), &answer, name);
    }
}

/// The log says what the answer says, each at the same place.
fn check_log(log: &Value, answer: &Value, name: &str) {
    assert_eq!(log["version"], "2.1.0");
    let run = &log["runs"][0];
    let results = run["results"].as_array().unwrap();
    let mut said = Vec::new();
    for result in results {
        let rule = &run["tool"]["driver"]["rules"]
            [usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap()];
        assert_eq!(rule["id"], result["ruleId"], "{name}");
        let place = &result["locations"][0]["physicalLocation"];
        assert_eq!(
            place["artifactLocation"]["uri"],
            "https://example.com/.well-known/capabilities.txt"
        );
        let region = &place["region"];
        said.push(json!([
            result["level"],
            result["ruleId"],
            region["startLine"],
            region["startColumn"],
            region["byteOffset"],
            region["byteLength"],
        ]));
    }
    let mut wanted = Vec::new();
    for (level, list) in [("error", "errors"), ("warning", "warnings")] {
        for finding in answer[list].as_array().unwrap() {
            wanted.push(json!([
                level,
                finding["code"],
                finding["line"],
                finding["column"],
                finding["byte_offset"],
                finding["byte_length"],
            ]));
        }
    }
    for list in [&mut said, &mut wanted] {
        list.sort_by_key(Value::to_string);
    }
    assert_eq!(said, wanted, "{name}");
}

#[test]
fn a_log_names_the_file_and_the_characters() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a b%.txt");
    fs::write(
        &path,
        format!("\u{feff}# ü\n{}", GOOD.replace("2027", "2025")),
    )
    .unwrap();
    let path = path.display().to_string();
    let options = ["--host", "example.com", "--now", NOW, "--format", "sarif"];
    let ran = command(
        &[&["file", &path][..], &options].concat(),
        b"",
        "/no/folder",
    );
    let log = ran.json();
    let result = log["runs"][0]["results"]
        .as_array()
        .unwrap()
        .last()
        .unwrap()
        .clone();
    assert_eq!(result["ruleId"], "expired");
    let place = &result["locations"][0]["physicalLocation"];
    let uri = place["artifactLocation"]["uri"].as_str().unwrap();
    assert!(
        uri.starts_with("file:///") && uri.ends_with("/a%20b%25.txt"),
        "{uri}"
    );
    let region = json!({
        "startLine": 4, "startColumn": 10, "endColumn": 30,
        "charOffset": 86, "charLength": 20, "byteOffset": 90, "byteLength": 20,
    });
    assert_eq!(place["region"], region);
}

// r[captxt.deny.verdict] r[captxt.claims-valid-only]
#[test]
fn a_resolver_is_told_of() {
    let expired = String::from_utf8(with("2027", "2025")).unwrap();
    let salvaged =
        format!("{GOOD}# \n- https://resolver.example\n").replace("# \n-", "Resolver: -");
    let mut told = String::new();
    for (file, resolver) in [
        (GOOD, "https://resolver.example"),
        (GOOD, "https://UNWANTED.example/"),
        (&expired, "https://resolver.example"),
        (&expired, "https://unwanted.example"),
        (&salvaged, "https://resolver.example"),
    ] {
        let ran = run(file.as_bytes(), &["--resolver", resolver]);
        let answer = run(
            file.as_bytes(),
            &["--resolver", resolver, "--format", "json"],
        )
        .json();
        let sentence = ran
            .out
            .lines()
            .find(|line| line.contains(" list them"))
            .unwrap();
        assert_eq!(
            answer["resolver_allowed"],
            !sentence.contains("may not"),
            "{sentence}"
        );
        told += &format!("{sentence}\n");
    }
    assert_snapshot!(told);
}

#[test]
fn a_file_of_a_public_suffix_or_an_address_speaks_for_it_alone() {
    for host in ["github.io", "192.0.2.7", "[2001:db8::1]"] {
        let arguments = ["file", "-", "--host", host, "--now", NOW];
        let out = command(&arguments, GOOD.as_bytes(), "/no/folder").out;
        let title = format!("\nwho may list the servers of {host}\n");
        assert!(
            out.contains(&title) && out.contains("warning[endpoint-out-of-scope]"),
            "{out}"
        );
    }
}

#[test]
fn without_now_the_clock_is_read_and_the_answer_says_so() {
    let arguments = ["file", "-", "--host", "example.com"];
    let ran = command(&arguments, &with("2027", "9999"), "/no/folder");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(
        ran.out.ends_with("Z by the clock of this computer.\n"),
        "{ran:?}"
    );
    let arguments = [&arguments[..], &["--format", "json"]].concat();
    let answer = command(&arguments, &with("2027", "2025"), "/no/folder").json();
    assert_eq!(
        (&answer["now_source"], &answer["errors"][0]["code"]),
        (&json!("clock"), &json!("expired"))
    );
}

#[test]
fn what_cannot_be_read_ends_with_2() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().display().to_string();
    let mut told = String::new();
    for arguments in [
        &["/no/such/file", "--host", "example.com"][..],
        &[&path, "--host", "example.com"],
        &["-", "--host", "https://example.com"],
        &[
            "-",
            "--host",
            "example.com",
            "--resolver",
            "resolver.example",
        ],
        &["-", "--host", "example.com", "--now", "today"],
    ] {
        let ran = command(&[&["file"][..], arguments].concat(), GOOD.as_bytes(), &path);
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{arguments:?}");
        told += &ran.err;
    }
    assert_snapshot!(told);
    for arguments in [
        &[][..],
        &["-"],
        &["--host", "example.com"],
        &["-", "--host", "a", "--format", "xml"],
    ] {
        let ran = command(&[&["file"][..], arguments].concat(), b"", &path);
        assert_eq!(ran.code, Some(2), "{arguments:?}");
    }
}

#[test]
fn nothing_invisible_is_printed() {
    let hostile = "# \u{1b}[2J\u{202e}\nContact: \u{7}mailto:a\u{200b}\u{85}\nEvil\u{9b}31m: x\n\
                   Resolvers: \u{1b}]0;x\u{7}\n";
    let ran = run(hostile.as_bytes(), &[]);
    let hidden = ran
        .out
        .chars()
        .find(|c| (c.is_control() && *c != '\n') || "\u{202e}\u{200b}".contains(*c));
    assert_eq!((ran.code, hidden), (Some(1), None), "{ran:?}");
}

#[test]
fn who_closes_the_pipe_gets_the_verdict_all_the_same() {
    for (file, code) in [
        (GOOD.as_bytes().to_vec(), 0),
        (with("\n\n", &"\n ,,,\r".repeat(9_000)), 1),
    ] {
        for format in ["human", "json", "sarif"] {
            let mut child = Command::new(env!("CARGO_BIN_EXE_capability-resolution-check"))
                .args([
                    "file",
                    "-",
                    "--host",
                    "example.com",
                    "--now",
                    NOW,
                    "--format",
                    format,
                ])
                .stdin(Stdio::piped())
                .stdout(Stdio::piped())
                .stderr(Stdio::piped())
                .spawn()
                .unwrap();
            drop(child.stdout.take());
            child.stdin.take().unwrap().write_all(&file).unwrap();
            let output = child.wait_with_output().unwrap();
            let told = String::from_utf8(output.stderr).unwrap();
            assert_eq!(
                (output.status.code(), told.as_str()),
                (Some(code), ""),
                "{format}"
            );
        }
    }
}

#[test]
fn the_example_is_valid() {
    let path = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../examples/capabilities.txt"
    );
    let ran = run(&fs::read(path).unwrap(), &["--format", "json"]);
    let answer = ran.json();
    assert_eq!(
        (ran.code, &answer["warnings"]),
        (Some(0), &json!([])),
        "{ran:?}"
    );
    assert!(!answer["endpoints"].as_array().unwrap().is_empty());
}
