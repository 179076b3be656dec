//! What has to hold of the crates before they can be published. That they can be packed, `cargo package` says in CI.

use std::path::{Path, PathBuf};

use toml::{Table, Value};

#[expect(clippy::unwrap_used, reason = "helper of tests")]
fn crates() -> Vec<(PathBuf, Table)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../crates");
    let mut crates: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| {
            let path = entry.unwrap().path();
            let manifest = std::fs::read_to_string(path.join("Cargo.toml")).unwrap();
            (path, manifest.parse().unwrap())
        })
        .collect();
    crates.sort_by(|(one, _), (other, _)| one.cmp(other));
    assert!(crates.len() >= 10);
    crates
}

#[test]
fn every_crate_says_what_a_registry_asks() {
    for (path, manifest) in crates() {
        let name = path.file_name().unwrap().to_str().unwrap();
        let package = manifest["package"].as_table().unwrap();
        let text = |key: &str| {
            package[key]
                .as_str()
                .unwrap_or_else(|| panic!("{name}: {key}"))
        };
        let words = |key: &str| -> Vec<String> {
            let words = package[key]
                .as_array()
                .unwrap_or_else(|| panic!("{name}: {key}"));
            words
                .iter()
                .map(|word| word.as_str().unwrap().to_owned())
                .collect()
        };
        assert_eq!(text("name"), name);
        assert!((20..=200).contains(&text("description").len()), "{name}");
        assert_eq!(text("readme"), "README.md");
        // crates.io takes at most five of each, and key words of at most 20 letters.
        let keywords = words("keywords");
        assert!((1..=5).contains(&keywords.len()), "{name}");
        let is_keyword = |word: &String| {
            word.len() <= 20
                && word
                    .bytes()
                    .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-')
        };
        assert!(keywords.iter().all(is_keyword), "{name}: {keywords:?}");
        assert!((1..=5).contains(&words("categories").len()), "{name}");
        let of_workspace = Value::Table(Table::from_iter([(
            "workspace".to_owned(),
            Value::Boolean(true),
        )]));
        for key in ["version", "edition", "rust-version"] {
            assert_eq!(package[key], of_workspace, "{name}: {key}");
        }
        assert!(
            !package.contains_key("publish"),
            "{name}: the workspace says that it is published"
        );
    }
}

#[test]
fn every_crate_carries_its_licence_and_a_readme() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let read = |path: PathBuf| {
        std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    };
    let all = read(root.join("LICENSE"));
    let mit = &all[all.find("MIT License").unwrap()..];
    for (path, _) in crates() {
        assert_eq!(read(path.join("LICENSE")), mit, "{}", path.display());
        let readme = read(path.join("README.md"));
        assert!(
            readme.starts_with("# ") && readme.len() > 300,
            "{}",
            path.display()
        );
        // A registry shows the page without the repository around it.
        assert!(
            !readme.contains("](../"),
            "{} links out of its package",
            path.display()
        );
    }
    let vectors = root.join("crates/conformance-vectors");
    assert_eq!(
        read(vectors.join("LICENSE-CC0")),
        read(root.join("test-vectors/LICENSE"))
    );
}
