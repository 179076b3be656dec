//! Writing a file by flags and by answers.

use std::fs;

use insta::assert_snapshot;

use crate::{NOW, Ran, command};

const COMPLETE: [&str; 4] = [
    "--host",
    "example.com",
    "--contact",
    "mailto:tools@example.com",
];

fn new(arguments: &[&str], answers: &str, folder: &str) -> Ran {
    let arguments = [&["new", "--now", NOW], arguments].concat();
    command(&arguments, answers.as_bytes(), folder)
}

fn with_flags(arguments: &[&str]) -> Ran {
    new(&[&COMPLETE, arguments].concat(), "", "/no/folder")
}

/// Fails unless what was written is valid.
fn check(text: &str) {
    let arguments = ["file", "-", "--host", "example.com", "--now", NOW];
    let ran = command(&arguments, text.as_bytes(), "/no/folder");
    assert_eq!(ran.code, Some(0), "{ran:?}");
}

#[test]
fn by_flags() {
    let ran = with_flags(&[
        "--resolvers",
        "*, -https://Unwanted.example/",
        "--expires-in",
        "120",
        "--endpoint",
        "HTTPS://mail.example.com:443/mcp",
        "--jobs",
        "send a transactional email;look up a delivery status",
        "--payment",
        "NONE",
        "--endpoint",
        "https://maps.example.com/mcp",
        "--sign-in",
        "required",
        "--protocol",
        "mcp",
        "--jobs",
        "find a route",
        "--jobs",
        "find a place",
    ]);
    check(&ran.out);
    assert_snapshot!(ran.all());
}

#[test]
fn what_no_flag_says() {
    let ran = with_flags(&[]);
    check(&ran.out);
    assert_snapshot!(ran.all());
}

#[test]
fn wrong_flags_write_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("capabilities.txt").display().to_string();
    let flags = [
        "--host",
        "example.com",
        "--contact",
        "tools@example.com",
        "--resolvers",
        "*, none",
        "--jobs",
        "too early",
        "--endpoint",
        "http://mail.example.com/mcp",
        "--endpoint",
        "https://mail.example.com/mcp",
        "--sign-in",
        "no\u{200b}ne",
        "--jobs",
        "ab",
        "-o",
        &path,
    ];
    let ran = new(&flags, "", &folder.path().display().to_string());
    assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""));
    assert_snapshot!(ran.err);
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
}

#[test]
fn a_value_is_one_line() {
    for flag in [
        "--contact",
        "--resolvers",
        "--endpoint",
        "--jobs",
        "--protocol",
        "--sign-in",
        "--payment",
    ] {
        for end in ["\n", "\r", "\r\n"] {
            let value = format!("https://mail.example.com/mcp{end}Resolvers: none");
            let ran = with_flags(&[
                "--endpoint",
                "https://a.example.com/",
                "--jobs",
                "find a route",
                flag,
                &value,
            ]);
            assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""), "{flag}");
            assert!(ran.err.contains("has a line end in it"), "{ran:?}");
        }
    }
}

#[test]
fn what_is_written_is_valid_or_nothing_is() {
    let long = format!("https://example.com/{}", "ü".repeat(400));
    let many = ["find a route"; 3].join(";");
    let odd = [
        "",
        " ",
        "#",
        "-",
        "*",
        "none",
        "\u{feff}",
        "\u{0}",
        "a: b",
        "//x",
        "-----BEGIN PGP SIGNATURE-----",
        "ü ö",
        "; ;",
        "https://example.com/\u{202e}",
        &long,
        &many,
    ];
    let (mut written, mut refused) = (0, 0);
    for flag in [
        "--contact",
        "--resolvers",
        "--endpoint",
        "--jobs",
        "--protocol",
        "--sign-in",
        "--payment",
    ] {
        for value in odd.iter().filter(|value| !value.contains('\0')) {
            let value = format!("{flag}={value}");
            let ran = with_flags(&[
                "--endpoint",
                "https://a.example.com/",
                "--jobs",
                "find a place",
                &value,
            ]);
            match ran.code {
                Some(0) => {
                    check(&ran.out);
                    written += 1;
                }
                code => {
                    assert_eq!((code, ran.out.as_str()), (Some(1), ""), "{value}");
                    assert!(ran.err.contains("error["), "{value}");
                    refused += 1;
                }
            }
        }
    }
    assert!(written > 3 && refused > 50, "{written} {refused}");
}

#[test]
fn by_answers() {
    let answers = "example.com\nmailto:tools@example.com\n90\n*, -https://unwanted.example\n\
                   https://mail.example.com/mcp\nsend a transactional email\n\nnone\nrequired\n\n";
    let ran = new(&["--ask"], answers, "/no/folder");
    check(&ran.out);
    assert_snapshot!(ran.all());
}

#[test]
fn a_wrong_answer_is_asked_for_again() {
    let answers = "https://example.com\nexample.com\r\ntools@example.com\nmailto:tools@example.com\nmany\n0\n\n\
                   http://a.example\n\nhttps://mail.example.com/mcp\nok\nfind a route; find a  route\nm c p\nmcp\n\n\n\n";
    let ran = new(&["--ask"], answers, "/no/folder");
    check(&ran.out);
    assert_snapshot!(ran.all());
}

#[test]
fn what_a_flag_says_is_not_asked() {
    let flags = ["--ask", "--resolvers", "none", "--expires-in", "30"];
    let ran = new(&[&COMPLETE[..], &flags].concat(), "\n", "/no/folder");
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let asked = ran.err.lines().filter(|line| line.contains('?')).count();
    assert_eq!(asked, 1, "{ran:?}");
    assert!(
        ran.out.contains("Resolvers: none\n") && ran.out.contains("Expires: 2026-12-30T"),
        "{ran:?}"
    );

    let ran = new(
        &["--ask", "--host", "example.com", "--resolvers", "x"],
        "",
        "/no/folder",
    );
    assert_eq!((ran.code, ran.out.as_str()), (Some(1), ""));
    assert!(
        !ran.err.contains('?') && ran.err.contains("resolvers-entry-invalid"),
        "{ran:?}"
    );
}

#[test]
fn who_does_not_answer_gets_no_file() {
    let mut told = String::new();
    let (wrong, long) = ("x y\n".repeat(50), "a".repeat(5_000));
    for answers in ["", "example.com\nmailto:tools@example.com\n", &wrong, &long] {
        let ran = new(&["--ask"], answers, "/no/folder");
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""));
        told += &format!("{}\n", ran.err.rsplit("error[").next().unwrap());
    }
    // Without a terminal nobody is asked.
    let ran = new(&[], "example.com\n", "/no/folder");
    assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""));
    told += &ran.err;
    assert_snapshot!(told);
}

#[test]
fn a_file_is_written_whole_and_only_over_another_if_told_to() {
    let folder = tempfile::tempdir().unwrap();
    let name = folder.path().display().to_string();
    let path = folder.path().join("capabilities.txt");
    let write = |extra: &[&str]| {
        let output = path.display().to_string();
        new(
            &[&COMPLETE, &["-o", &output][..], extra].concat(),
            "",
            &name,
        )
    };
    let ran = write(&[]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), ""), "{ran:?}");
    let first = fs::read_to_string(&path).unwrap();
    check(&first);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = fs::metadata(&path).unwrap().permissions().mode();
        let other = folder.path().join("other");
        fs::write(&other, "").unwrap();
        assert_eq!(mode, fs::metadata(&other).unwrap().permissions().mode());
        fs::remove_file(other).unwrap();
    }

    let ran = write(&["--resolvers", "none"]);
    assert_eq!(ran.code, Some(2));
    assert_eq!(fs::read_to_string(&path).unwrap(), first);
    let forced = write(&["--resolvers", "none", "--force"]);
    assert_eq!(forced.code, Some(0), "{forced:?}");
    assert!(
        fs::read_to_string(&path)
            .unwrap()
            .contains("Resolvers: none\n")
    );
    let invalid = write(&["--resolvers", "x", "--force"]);
    assert_eq!(invalid.code, Some(1));
    assert!(
        fs::read_to_string(&path)
            .unwrap()
            .contains("Resolvers: none\n")
    );
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);

    let nowhere = format!("{name}/no/capabilities.txt");
    let nowhere = new(&[&COMPLETE, &["-o", &nowhere][..]].concat(), "", &name);
    let over_a_folder = new(
        &[&COMPLETE, &["--force", "-o", &name][..]].concat(),
        "",
        &name,
    );
    assert_eq!(
        (nowhere.code, over_a_folder.code),
        (Some(2), Some(2)),
        "{over_a_folder:?}"
    );
    assert_snapshot!(format!("{}{}", ran.err, nowhere.err));
}
