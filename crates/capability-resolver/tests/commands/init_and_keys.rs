//! `init` and `keys`, as they are run.

use insta::assert_snapshot;
use std::fs;

use crate::common::{NOW, Place};

#[test]
fn a_new_resolver_is_whole_and_its_key_private() {
    let place = Place::new();
    let ran = place.run(&["init", "a/r"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let mut names: Vec<_> = fs::read_dir(place.path("a/r"))
        .unwrap()
        .map(|e| e.unwrap().file_name())
        .collect();
    names.sort();
    assert_eq!(
        names,
        ["changelog.md", "keys", "policy.md", "resolver.toml"]
    );
    assert_eq!(
        fs::read_dir(place.path("a")).unwrap().count(),
        1,
        "nothing is left beside it"
    );
    let keys: Vec<_> = fs::read_dir(place.path("a/r/keys"))
        .unwrap()
        .map(|e| e.unwrap().path())
        .collect();
    assert_eq!(keys.len(), 1);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = |path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode(keys[0].clone()), 0o600);
        assert_eq!(mode(place.path("a/r/keys")), 0o700);
        assert_eq!(mode(place.path("a/r")), 0o755);
    }
    let key: serde_json::Value = serde_json::from_slice(&fs::read(&keys[0]).unwrap()).unwrap();
    let secret = key["d"].as_str().unwrap();
    assert_eq!(secret.len(), 43);
    assert!(!ran.all().contains(secret));
    assert_snapshot!(ran.all().replace(key["kid"].as_str().unwrap(), "KID"));
    let again = place.run(&["init", "b"]);
    let other = fs::read_dir(place.path("b/keys"))
        .unwrap()
        .next()
        .unwrap()
        .unwrap()
        .path();
    assert_ne!(keys[0].file_name(), other.file_name(), "{again:?}");
}

// r[policy.statements] r[policy.dated] r[policy.changelog]
#[test]
fn the_policy_and_the_changelog_hold_what_the_text_asks_for() {
    let place = Place::with_resolver();
    let policy = fs::read_to_string(place.path("r/policy.md")).unwrap();
    for id in [
        "payment",
        "favour",
        "disclosure",
        "no-proxy",
        "no-caller",
        "no-sale",
        "changes",
    ] {
        assert!(policy.contains(&format!("`obligation.{id}`: ")), "{id}");
    }
    assert!(policy.contains("In force from 2026-11-30."));
    let changelog = fs::read_to_string(place.path("r/changelog.md")).unwrap();
    assert!(changelog.contains("\n## 2026-11-30\n"));
    assert!(!policy.contains('{') && !changelog.contains('{'));
}

#[test]
fn what_is_there_is_left_as_it_is() {
    let place = Place::with_resolver();
    let before = fs::read(place.path("r/resolver.toml")).unwrap();
    let ran = place.run(&["init", "r"]);
    assert_snapshot!(ran.all());
    assert_eq!(fs::read(place.path("r/resolver.toml")).unwrap(), before);
    fs::create_dir(place.path("empty")).unwrap();
    assert_eq!(place.run(&["init", "empty"]).code, Some(0));
    fs::write(place.path("file"), "x").unwrap();
    assert_eq!(place.run(&["init", "file"]).code, Some(2));
    assert_eq!(fs::read(place.path("file")).unwrap(), b"x");
}

#[test]
fn a_name_with_quotes_is_kept_as_it_is() {
    let place = Place::new();
    let name = r#"The "best" \ of {date} resolvers"#;
    assert_eq!(place.run(&["init", "r", "--name", name]).code, Some(0));
    let toml: toml::Value =
        toml::from_str(&fs::read_to_string(place.path("r/resolver.toml")).unwrap()).unwrap();
    assert_eq!(toml["name"].as_str(), Some(name));
    for bad in [
        ["--origin", "https://Resolver.test"],
        ["--origin", "https://192.0.2.7"],
        ["--contact", "http://a.test"],
        ["--name", ""],
    ] {
        let ran = place.run(&[&["init", "other"][..], &bad].concat());
        assert_eq!(ran.code, Some(2), "{bad:?}");
        assert!(!place.path("other").exists());
    }
}

// r[keys.early] r[keys.retired] r[keys.compromised]
#[test]
fn keys_from_their_first_day_to_their_last() {
    let place = Place::with_resolver();
    let keys = |now: &str| {
        place
            .at(now, &["keys", "list", "--format", "json"])
            .json("resolver-keys.schema.json")
    };
    let kid = |now: &str, at: usize| keys(now)["keys"][at]["kid"].as_str().unwrap().to_owned();
    let first = kid("2026-11-30T12:00:00Z", 0);
    let rotated = place.at("2026-11-30T12:00:00Z", &["keys", "rotate"]);
    let second = kid("2026-11-30T12:00:00Z", 1);
    let named = |text: &str| text.replace(&first, "FIRST").replace(&second, "SECOND");
    let mut story = named(&rotated.all());
    for (now, arguments) in [
        ("2026-11-30T12:00:01Z", vec!["keys", "rotate"]),
        ("2026-11-30T12:00:01Z", vec!["keys", "list"]),
        ("2026-11-30T12:00:01Z", vec!["keys", "retire", &first]),
        ("2026-11-30T13:01:00Z", vec!["keys", "list"]),
        ("2026-11-30T13:01:00Z", vec!["keys", "retire", &first]),
        ("2026-11-30T13:01:00Z", vec!["keys", "list"]),
        ("2026-12-02T13:07:01Z", vec!["keys", "list"]),
        ("2026-12-02T13:07:01Z", vec!["keys", "retire", &first]),
        ("2026-12-02T13:07:01Z", vec!["keys", "retire", &first]),
        ("2026-12-02T13:07:01Z", vec!["keys", "retire", &second]),
    ] {
        story += &format!(
            "\n{now} {}\n{}",
            named(&arguments.join(" ")),
            named(&place.at(now, &arguments).all())
        );
    }
    assert_snapshot!(story);
    let withdrawn = place.at(
        "2026-12-03T00:00:00Z",
        &["keys", "retire", "--compromised", &second],
    );
    let third = kid("2026-12-03T00:00:00Z", 0);
    assert_eq!(
        keys("2026-12-03T00:00:00Z")["keys"]
            .as_array()
            .unwrap()
            .len(),
        1
    );
    assert_snapshot!(named(&withdrawn.all()).replace(&third, "THIRD"));
}

#[test]
fn every_wrong_setting_is_shown_where_it_stands() {
    let place = Place::with_resolver();
    let settings = fs::read_to_string(place.path("r/resolver.toml")).unwrap();
    let mut story = place.run(&["keys", "list"]).all();
    for (right, wrong) in [
        ("https://resolver.test\"", "https://resolver.test/\""),
        ("discovery-max-age = 3600", "discovery-max-age = 30"),
        ("[network]", "[network]\nallow-loopback = true"),
        (
            "allow-addresses = []",
            "allow-addresses = [\"10.0.0.0/33\"]",
        ),
        ("interval-minutes = 480", "interval-minutes = \"8h\""),
        ("name = ", "name "),
        ("in-flight = 64", ""),
    ] {
        fs::write(
            place.path("r/resolver.toml"),
            settings.replacen(right, wrong, 1),
        )
        .unwrap();
        let ran = place.at(NOW, &["keys", "list"]);
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{wrong}");
        story += &format!("\n{}", ran.err);
    }
    assert_snapshot!(story);
}

#[cfg(unix)]
#[test]
fn a_key_that_others_may_read_signs_nothing() {
    use std::os::unix::fs::PermissionsExt as _;
    let place = Place::with_resolver();
    let path = fs::read_dir(place.path("r/keys"))
        .unwrap()
        .next()
        .unwrap()
        .unwrap()
        .path();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o644)).unwrap();
    let ran = place.at(NOW, &["keys", "list"]);
    let name = path.file_name().unwrap().to_str().unwrap();
    assert_snapshot!(ran.all().replace(name, "KID.jwk"));
}
