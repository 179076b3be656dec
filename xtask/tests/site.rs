//! The pages of `cargo xtask site`, as bytes and in a real browser.

#![expect(clippy::unwrap_used, reason = "helpers of tests")]

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::LazyLock;

use html5gum::{Token, Tokenizer};
use serde_json::Value;
use xtask::proofs::report::Verdict;
use xtask::repo::Repo;
use xtask::site::{self, Site};

static SITE: LazyLock<Site> = LazyLock::new(|| site::build(&repo()).unwrap());

/// Every page of it, and what is wrong with them.
static PAGES: LazyLock<(BTreeMap<String, Parsed>, Vec<String>)> = LazyLock::new(|| {
    let mut faults = Vec::new();
    let pages = pages(&SITE, &mut faults);
    (pages, faults)
});

fn repo() -> Repo {
    Repo::find_from(Path::new(env!("CARGO_MANIFEST_DIR"))).unwrap()
}

/// What a page may be made of.
const ELEMENTS: [&str; 47] = [
    "a",
    "aside",
    "body",
    "code",
    "dd",
    "del",
    "details",
    "div",
    "dl",
    "dt",
    "em",
    "footer",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "head",
    "header",
    "html",
    "ins",
    "li",
    "link",
    "main",
    "meta",
    "nav",
    "ol",
    "p",
    "pre",
    "section",
    "span",
    "strong",
    "summary",
    "table",
    "tbody",
    "td",
    "th",
    "thead",
    "title",
    "tr",
    "ul",
    "hr",
    "br",
    "blockquote",
    "sup",
    "sub",
];

const VOID: [&str; 4] = ["meta", "link", "br", "hr"];

const ATTRIBUTES: [&str; 16] = [
    "aria-current",
    "aria-label",
    "charset",
    "class",
    "content",
    "dir",
    "href",
    "http-equiv",
    "id",
    "lang",
    "name",
    "rel",
    "role",
    "start",
    "tabindex",
    "type",
];

#[derive(Default)]
struct Parsed {
    ids: BTreeSet<String>,
    links: Vec<String>,
    text: String,
    policy: Option<String>,
}

/// Reads a page as a browser does, and finds what it must not be.
fn parse(path: &str, bytes: &[u8], faults: &mut Vec<String>) -> Parsed {
    let mut page = Parsed::default();
    let mut open: Vec<String> = Vec::new();
    let text = std::str::from_utf8(bytes).expect("pages are UTF-8");
    let name = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    for Ok(token) in Tokenizer::new(text) {
        match token {
            Token::StartTag(tag) => {
                let element = name(&tag.name);
                if !ELEMENTS.contains(&element.as_str()) {
                    faults.push(format!("{path}: <{element}>"));
                }
                let attributes: BTreeMap<_, _> = tag
                    .attributes
                    .iter()
                    .map(|(key, value)| (name(key), name(value)))
                    .collect();
                for (key, value) in &attributes {
                    match key.as_str() {
                        "id" if !page.ids.insert(value.clone()) => {
                            faults.push(format!("{path}: the id {value} twice"));
                        }
                        "href" => page.links.push(value.clone()),
                        _ => {}
                    }
                    if !ATTRIBUTES.contains(&key.as_str()) {
                        faults.push(format!("{path}: <{element} {key}>"));
                    }
                }
                if attributes
                    .get("http-equiv")
                    .is_some_and(|kind| kind == "Content-Security-Policy")
                {
                    page.policy = attributes.get("content").cloned();
                }
                if !VOID.contains(&element.as_str()) && !tag.self_closing {
                    open.push(element);
                }
            }
            Token::EndTag(tag) => {
                let element = name(&tag.name);
                if open.pop().as_ref() != Some(&element) {
                    faults.push(format!("{path}: </{element}> closes something else"));
                }
            }
            Token::String(string) => page.text.push_str(&name(&string)),
            Token::Doctype(_) => {}
            other => faults.push(format!("{path}: {other:?}")),
        }
    }
    if !open.is_empty() {
        faults.push(format!("{path}: left open: {open:?}"));
    }
    page
}

fn pages(site: &Site, faults: &mut Vec<String>) -> BTreeMap<String, Parsed> {
    let html = site
        .files
        .iter()
        .filter(|(path, _)| path.ends_with(".html"));
    html.map(|(path, bytes)| (path.clone(), parse(path, bytes, faults)))
        .collect()
}

/// Where a relative link leads, from the root.
fn target(from: &str, link: &str) -> String {
    let mut parts: Vec<&str> = from.split('/').collect();
    parts.pop();
    for part in link.split('/') {
        match part {
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

fn dead_links(site: &Site, pages: &BTreeMap<String, Parsed>) -> Vec<String> {
    let mut dead = Vec::new();
    for (path, page) in pages {
        for link in &page.links {
            let (file, anchor) = link
                .split_once('#')
                .map_or((link.as_str(), None), |(file, anchor)| (file, Some(anchor)));
            if link.starts_with("https://") {
                continue;
            }
            let to = if file.is_empty() {
                path.clone()
            } else {
                target(path, file)
            };
            let is_there = match anchor {
                Some(anchor) => pages.get(&to).is_some_and(|page| page.ids.contains(anchor)),
                None => site.files.contains_key(&to),
            };
            if !is_there {
                dead.push(format!("{path}: {link}"));
            }
        }
    }
    dead
}

#[test]
fn every_page_is_sound_and_every_link_leads_somewhere() {
    let (pages, faults) = &*PAGES;
    assert!(
        faults.is_empty(),
        "{} faults: {:#?}",
        faults.len(),
        &faults[..faults.len().min(20)]
    );
    let dead = dead_links(&SITE, pages);
    assert!(
        dead.is_empty(),
        "{} dead links: {:#?}",
        dead.len(),
        &dead[..dead.len().min(20)]
    );
    for (path, page) in pages {
        let policy = page
            .policy
            .as_deref()
            .unwrap_or_else(|| panic!("{path} has no policy"));
        assert!(
            policy.starts_with("default-src 'none';") && !policy.contains("unsafe"),
            "{path}: {policy}"
        );
    }
    assert!(pages.len() > 5_000, "{}", pages.len());
}

#[test]
fn every_rule_and_every_vector_is_there() {
    let (pages, _) = &*PAGES;
    let repo = repo();
    for edition in ["0.2-rc.1", "draft"] {
        let source =
            std::fs::read_to_string(repo.path(&format!("spec/{edition}/capability-resolution.md")))
                .unwrap();
        let markers = source
            .lines()
            .filter_map(|line| line.strip_prefix("r[")?.split_once(" | "));
        let text = &pages[&format!("{edition}/index.html")];
        let mut rules = 0;
        for (id, _) in markers {
            assert!(text.ids.contains(id), "{edition} {id}");
            assert!(
                pages.contains_key(&format!("{edition}/rules/{id}.html")),
                "{edition} {id}"
            );
            rules += 1;
        }
        assert!(rules > 300, "{rules}");
        assert_eq!(
            SITE.files[&format!("{edition}/capability-resolution.md")],
            source.as_bytes()
        );
        let mut vectors = 0;
        for file in xtask::repo::list(&repo.path(&format!("test-vectors/{edition}"))).unwrap() {
            if file.extension().is_none_or(|extension| extension != "json") {
                continue;
            }
            let file: Value = serde_json::from_slice(&std::fs::read(file).unwrap()).unwrap();
            for vector in file["tests"].as_array().unwrap() {
                let (kind, id) = (
                    file["kind"].as_str().unwrap(),
                    vector["id"].as_str().unwrap(),
                );
                let page = &pages[&format!("{edition}/vectors/{kind}/{id}.html")];
                // The page has the vector's own JSON, whole.
                let start = page
                    .text
                    .find("{\n  \"id\": ")
                    .unwrap_or_else(|| panic!("{id}"));
                let mut found =
                    serde_json::Deserializer::from_str(&page.text[start..]).into_iter::<Value>();
                assert_eq!(found.next().unwrap().unwrap(), *vector, "{id}");
                vectors += 1;
            }
        }
        assert!(vectors > 1_000, "{vectors}");
    }
}

#[test]
fn whose_word_it_is_stands_on_every_page_that_says_a_time() {
    assert_eq!(SITE.verdict, Verdict::Valid);
    let (pages, _) = &*PAGES;
    let proof = &pages["0.2-rc.1/proof.html"].text;
    assert!(proof.contains("Only our own word"), "{proof}");
    let own = "only ourselves, which proves nothing about the time";
    assert!(proof.contains(own), "{proof}");
    for path in ["index.html", "0.2-rc.1/index.html", "0.2-rc.1/proof.html"] {
        let nobody = "Nobody independent vouches for the time.";
        assert!(pages[path].text.contains(nobody), "{path}");
    }
    for (path, page) in pages {
        assert!(!page.text.contains("Independent of us"), "{path}");
    }
}

#[test]
fn the_same_repository_gives_the_same_bytes() {
    let again = site::build(&repo()).unwrap();
    for (path, bytes) in &again.files {
        assert!(SITE.files[path] == *bytes, "{path}");
    }
    assert_eq!(again.files.len(), SITE.files.len());
}

/// A repository whose draft has this text and whose only vector says this.
fn made(text: &str, vector: &Value) -> (tempfile::TempDir, Repo) {
    let folder = tempfile::tempdir().unwrap();
    let write = |path: &str, bytes: &str| {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, bytes).unwrap();
    };
    write("spec/draft/capability-resolution.md", text);
    write("proof/README.md", "");
    for name in ["LICENSE", "README.md", "consumer.py", "player.py"] {
        write(&format!("test-vectors/{name}"), "");
    }
    let file = serde_json::json!({"kind": "token", "tests": [vector]});
    write(
        "test-vectors/draft/token.json",
        &serde_json::to_string_pretty(&file).unwrap(),
    );
    let repo = Repo::find_from(folder.path()).unwrap();
    (folder, repo)
}

#[test]
fn hostile_bytes_stay_text() {
    const EVIL: &str = "</pre></code><script>alert(1)</script><img src=x onerror=alert(2)>\"'&amp;\u{202e}\u{0}\r\u{feff}";
    let text = format!(
        "# T\n\nVersion: 0.2\n\n## 1. One <script>alert(3)</script>\n\nr[a.b | vector]\nThis MUST be <img src=x onerror=alert(4)> \
         `<b>\u{202e}` and [link](javascript:alert(5)) and <https://a.example/?\"onclick=alert(6)>.\n\n```json example=x\n{EVIL}\n```\n\n\
         <iframe src=x></iframe>\n\n| a |\n|---|\n| <script>\u{2066} |\n"
    );
    let vector = serde_json::json!({
        "id": "token-evil", "comment": EVIL, "rules": ["a.b"], "level": EVIL, "derivedFrom": "token-evil", "mutation": EVIL,
        "operation": EVIL, "input": {EVIL: EVIL, "token": "PHNjcmlwdD4.PHNjcmlwdD4.x", "file_base64": "PHNjcmlwdD7/", "list": [EVIL]},
        "result": EVIL, "reason": EVIL, "output": {EVIL: [EVIL]},
    });
    let (_folder, repo) = made(&text, &vector);
    let site = site::build(&repo).unwrap();
    let mut faults = Vec::new();
    let pages = pages(&site, &mut faults);
    assert!(faults.is_empty(), "{faults:#?}");
    assert_eq!(dead_links(&site, &pages), Vec::<String>::new());
    for (path, page) in &pages {
        let hostile = |c: char| {
            c == '\u{202e}' || c == '\u{2066}' || c == '\0' || c == '\r' || c == '\u{feff}'
        };
        assert!(!page.text.contains(hostile), "{path}");
        assert!(
            page.links.iter().all(|link| !link.contains("javascript")),
            "{path}: {:?}",
            page.links
        );
    }
    let vector = &pages["draft/vectors/token/token-evil.html"].text;
    assert!(
        vector.contains("<script>alert(1)</script>") && vector.contains("U+202E"),
        "{vector}"
    );
    let text = &pages["draft/index.html"].text;
    assert!(
        text.contains("<iframe src=x></iframe>") && text.contains("onerror=alert(4)"),
        "{text}"
    );
}

#[test]
fn an_id_that_is_a_path_is_refused() {
    let vector = serde_json::json!({
        "id": "../../evil", "comment": "", "rules": ["a.b"], "level": "MUST", "derivedFrom": null, "mutation": null,
        "operation": "token", "input": {}, "result": "valid", "reason": null, "output": null,
    });
    let (_folder, repo) = made("# T\n\nVersion: 0.2\n", &vector);
    let error = site::build(&repo).unwrap_err();
    assert!(
        error
            .to_string()
            .starts_with("test-vectors/draft/token.json is not a file of vectors"),
        "{error}"
    );
}

/// The pages that are read in a browser: one of each sort, the longest vectors, and some of the others.
fn sample() -> Vec<String> {
    let mut paths = vec!["index.html".to_owned()];
    for edition in ["0.2-rc.1", "draft"] {
        for page in [
            "index.html",
            "vectors/index.html",
            "checks.html",
            "changes.html",
            "proof.html",
        ] {
            paths.push(format!("{edition}/{page}"));
        }
    }
    paths.retain(|path| SITE.files.contains_key(path));
    let of = |part: &'static str| {
        SITE.files
            .iter()
            .filter(move |(path, _)| path.contains(part))
    };
    let mut longest = BTreeMap::new();
    for (path, bytes) in of("draft/vectors/").filter(|(path, _)| path.matches('/').count() == 3) {
        let (folder, name) = path.rsplit_once('/').unwrap();
        let entry = longest
            .entry((folder, name == "index.html"))
            .or_insert((0, path));
        *entry = (*entry).max((bytes.len(), path));
    }
    paths.extend(longest.into_values().map(|(_, path)| path.clone()));
    paths.extend(
        of("draft/vectors/")
            .map(|(path, _)| path.clone())
            .step_by(150),
    );
    paths.extend(of("/rules/").map(|(path, _)| path.clone()).step_by(60));
    paths
}

#[test]
#[allow(clippy::print_stderr, reason = "what is skipped is told")]
fn a_browser_shows_them_on_a_phone_and_on_a_desk() {
    let Some(browser) = std::env::var_os("BROWSER_DIR") else {
        eprintln!("skipped: BROWSER_DIR names no folder, see interop/browser/README.md");
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let site = folder.path().join("site");
    site::write::replace(&site, &SITE.files).unwrap();
    let sample = sample();
    let ran = Command::new("node")
        .arg(concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/../interop/browser/site.mjs"
        ))
        .arg(browser)
        .arg(&site)
        .arg(std::env::var_os("SHOTS").map_or_else(|| PathBuf::from("-"), PathBuf::from))
        .args(&sample)
        .output()
        .unwrap();
    let (out, err) = (
        String::from_utf8_lossy(&ran.stdout),
        String::from_utf8_lossy(&ran.stderr),
    );
    assert!(ran.status.success(), "{out}{err}");
    let saw: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(saw["pages"], 2 * sample.len());
    for what in [
        "elsewhere",
        "errors",
        "missing",
        "tooWide",
        "deadAnchors",
        "unstyled",
        "untitled",
    ] {
        // The script that the test puts into a page is what a console complains of, and that page is not of these.
        assert_eq!(saw[what], Value::Array(Vec::new()), "{what}");
    }
    let walk = [
        "Capability Resolution",
        "Text, draft of 0.2-rc.2",
        "token.exp.max-life, draft of 0.2-rc.2",
        "token-exp-2-to-the-53-minus-1, draft of 0.2-rc.2",
        "token.exp.max-life, draft of 0.2-rc.2",
        "#token.exp.max-life",
    ];
    let version = saw["walk"][1]
        .as_str()
        .unwrap()
        .replace("Text, draft of ", "");
    let walk: Vec<_> = walk
        .iter()
        .map(|title| title.replace("0.2-rc.2", &version))
        .collect();
    let is_vector = |title: &Value| title.as_str().unwrap().starts_with("token-");
    for (at, title) in walk.iter().enumerate() {
        assert!(
            saw["walk"][at] == **title || (at == 3 && is_vector(&saw["walk"][at])),
            "{saw}"
        );
    }
    let top = saw["walkedTo"].as_f64().unwrap();
    assert!(
        (0.0..300.0).contains(&top),
        "the rule is not in sight: {top}"
    );
    assert_eq!(saw["injected"], false);
    assert_ne!(saw["paper"][0], saw["paper"][1]);
    assert!(
        saw["printed"].as_u64().unwrap() > 100_000,
        "{}",
        saw["printed"]
    );
}
