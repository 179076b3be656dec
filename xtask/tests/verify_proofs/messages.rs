use std::fs::File;

use xtask::proofs::report::Verdict;
use xtask::proofs::{self, Options, human};
use xtask::repo::Repo;

use crate::ots::{BLOCK_7, PROMISE, header, ots};
use crate::tree::Tree;

/// The words depend on the damage alone: what differs when `make.sh` makes other tokens is masked.
macro_rules! told {
    ($tree:expr, $words:expr, $code:expr, $name:literal) => {{
        let (text, code) = $tree.verify(&$words);
        let mut settings = insta::Settings::clone_current();
        mask(&mut settings);
        settings.bind(|| insta::assert_snapshot!($name, text));
        assert_eq!(code, $code, "{text}");
    }};
}

fn mask(settings: &mut insta::Settings) {
    settings.add_filter(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", "[time]");
    settings.add_filter(r"(serial|nonce) -?0x[0-9a-f]+", "$1 [number]");
    settings.add_filter(r"-attime \d+", "-attime [seconds]");
}

const ALL: [&str; 0] = [];
const TEXT: &str = "spec/0.2/text.md";
const MANIFEST: &str = "proof/0.2/SHA256SUMS";
const TOKEN: &str = "proof/0.2/SHA256SUMS.example.tsr";
const OTS: &str = "proof/0.2/SHA256SUMS.ots";

#[test]
fn all_is_well() {
    let tree = Tree::new();
    told!(tree, ALL, 0, "all-well");
    told!(tree, ["--verbose"], 0, "all-well-verbose");
    told!(tree, ["0.2"], 0, "one-version");
    told!(tree, ["0.2-rc.1"], 0, "one-version-of-our-own-stamp");
    told!(tree, ["--require-independent"], 2, "require-independent");
    told!(
        tree,
        ["0.2", "--require-independent"],
        0,
        "require-independent-of-one-that-is"
    );
    told!(tree, ["0.3", "0.2-rc.1"], 2, "unknown-version");
}

#[test]
fn requests_without_an_answer() {
    let tree = Tree::new();
    let request = "proof/0.2-rc.1/SHA256SUMS.local-0.2-rc.1.tsq";
    tree.write("proof/0.2-rc.1/SHA256SUMS.example.tsq", tree.read(request));
    told!(tree, ["0.2-rc.1"], 0, "unanswered-request");
    tree.remove("proof/0.2-rc.1/SHA256SUMS.local-0.2-rc.1.tsr");
    told!(tree, ["0.2-rc.1"], 0, "unanswered-requests-and-no-proof");
}

#[test]
fn no_version() {
    let tree = Tree::new();
    for folder in ["spec", "test-vectors", "proof"] {
        for version in ["0.2", "0.2-rc.1"] {
            tree.remove(&format!("{folder}/{version}"));
        }
    }
    told!(tree, ALL, 2, "no-version");
    told!(tree, ["0.2"], 2, "no-version-and-one-asked");
}

#[test]
fn a_changed_byte() {
    let tree = Tree::new();
    tree.edit(TEXT, "two lines", "ten lines");
    told!(tree, ALL, 1, "changed-byte");
}

#[test]
fn rewritten_line_endings() {
    let tree = Tree::new();
    tree.edit(TEXT, "\n", "\r\n");
    told!(tree, ALL, 1, "line-endings");
    tree.edit(TEXT, "two lines", "ten lines");
    told!(tree, ["0.2"], 1, "line-endings-and-changed-byte");

    let tree = Tree::new();
    tree.edit(MANIFEST, "\n", "\r\n");
    told!(tree, ["0.2"], 1, "line-endings-of-manifest");
}

#[test]
fn files_that_should_be_there_or_not() {
    let tree = Tree::new();
    tree.remove(TEXT);
    told!(tree, ["0.2"], 1, "missing-file");

    let tree = Tree::new();
    tree.write("spec/0.2/examples/two.txt", "another example\n");
    tree.write("test-vectors/0.2/\u{1b}[31m.json", "{}\n");
    told!(tree, ["0.2"], 1, "extra-files");

    let tree = Tree::new();
    tree.remove("spec/0.2");
    tree.remove("test-vectors/0.2");
    told!(tree, ["0.2"], 1, "missing-folders");

    let tree = Tree::new();
    tree.remove(TEXT);
    tree.write("spec/0.2/text.md/file", "a folder in its place\n");
    told!(tree, ["0.2"], 1, "not-a-file");
}

#[test]
fn what_cannot_be_read() {
    let tree = Tree::new();
    File::create(tree.path(TEXT))
        .unwrap()
        .set_len(16 * 1024 * 1024 + 1)
        .unwrap();
    told!(tree, ALL, 2, "unreadable-file");

    // Something false outweighs what could not be told.
    tree.edit("spec/0.2-rc.1/text.md", "two lines", "ten lines");
    told!(tree, ALL, 1, "unreadable-file-and-changed-byte");

    let tree = Tree::new();
    File::create(tree.path(MANIFEST))
        .unwrap()
        .set_len(16 * 1024 * 1024 + 1)
        .unwrap();
    told!(tree, ["0.2"], 2, "unreadable-manifest");
}

#[cfg(unix)]
#[test]
fn what_the_system_refuses_to_hand_over() {
    use std::fs::{Permissions, set_permissions};
    use std::os::unix::fs::PermissionsExt;

    let tree = Tree::new();
    set_permissions(tree.path(TEXT), Permissions::from_mode(0o000)).unwrap();
    if File::open(tree.path(TEXT)).is_ok() {
        // The superuser may read everything; `what_cannot_be_read` covers the rest.
        return;
    }
    told!(tree, ["0.2"], 2, "permission-denied");
}

#[test]
fn the_manifest() {
    let tree = Tree::new();
    tree.remove(MANIFEST);
    told!(tree, ["0.2"], 1, "missing-manifest");

    let tree = Tree::new();
    tree.edit(MANIFEST, "  spec/0.2/text.md", " spec/0.2/text.md");
    told!(tree, ["0.2"], 1, "malformed-manifest");

    let tree = Tree::new();
    tree.edit(MANIFEST, "spec/0.2/text.md", "spec/0.2/../draft/text.md");
    told!(tree, ["0.2"], 1, "path-traversal");

    let tree = Tree::new();
    let text = tree.read(TEXT);
    tree.edit(
        MANIFEST,
        "test-vectors/0.2/token.json\n",
        "test-vectors/0.2/tokens.json\n",
    );
    tree.rename(
        "test-vectors/0.2/token.json",
        "test-vectors/0.2/tokens.json",
    );
    tree.write(TEXT, text);
    told!(tree, ["0.2"], 1, "edited-manifest");
}

#[cfg(unix)]
#[test]
fn symbolic_links() {
    use std::os::unix::fs::symlink;

    let tree = Tree::new();
    tree.remove(TEXT);
    tree.write("text.md", "The text of 0.2.\nIt has two lines.\n");
    symlink("../../text.md", tree.path(TEXT)).unwrap();
    symlink("../../text.md", tree.path("spec/0.2/more.md")).unwrap();
    told!(tree, ["0.2"], 1, "symlinks");

    let tree = Tree::new();
    tree.rename("spec/0.2", "elsewhere");
    symlink("../elsewhere", tree.path("spec/0.2")).unwrap();
    told!(tree, ["0.2"], 1, "symlink-to-folder");

    let tree = Tree::new();
    tree.rename("proof/0.2", "elsewhere");
    symlink("../elsewhere", tree.path("proof/0.2")).unwrap();
    told!(tree, ["0.2"], 1, "symlink-to-proofs");

    let tree = Tree::new();
    tree.rename(TOKEN, "token");
    symlink("../../token", tree.path(TOKEN)).unwrap();
    told!(tree, ["0.2"], 1, "symlink-to-token");
}

#[test]
fn tokens() {
    let tree = Tree::new();
    tree.write(TOKEN, tree.read("proof/0.2/text.md.example.tsr"));
    told!(tree, ["0.2"], 1, "swapped-token");

    let tree = Tree::new();
    tree.rename(TOKEN, "proof/0.2/SHA256SUMS.local-0.2-rc.1.tsr");
    tree.rename(
        "proof/0.2/SHA256SUMS.example.tsq",
        "proof/0.2/SHA256SUMS.local-0.2-rc.1.tsq",
    );
    told!(tree, ["0.2"], 1, "wrong-authority");

    let tree = Tree::new();
    tree.write(TOKEN, "<!doctype html>");
    told!(tree, ["0.2"], 1, "garbage-token");
    tree.edit(
        "proof/authorities/example/authority.toml",
        "independent = true",
        "independent = true\nurl = \"https://tsa.example\"",
    );
    told!(
        tree,
        ["0.2"],
        1,
        "garbage-token-of-an-authority-with-an-address"
    );

    let tree = Tree::new();
    let mut token = tree.read(TOKEN);
    *token.last_mut().unwrap() ^= 1;
    tree.write(TOKEN, token);
    told!(tree, ["0.2"], 1, "broken-signature");

    let tree = Tree::new();
    tree.write(
        "proof/0.2/SHA256SUMS.example.tsq",
        tree.read("proof/0.2-rc.1/SHA256SUMS.local-0.2-rc.1.tsq"),
    );
    told!(tree, ["0.2"], 1, "token-for-another-request");

    // A stamp of one file by SHA-512 needs the file; the manifest knows its SHA-256 digest alone.
    let tree = Tree::new();
    tree.edit(TEXT, "two lines", "ten lines");
    tree.remove(TOKEN);
    told!(tree, ["0.2"], 1, "changed-byte-under-sha512");
}

#[test]
fn authorities() {
    let root = "proof/authorities/example/root.pem";
    let description = "proof/authorities/example/authority.toml";

    let tree = Tree::new();
    tree.remove(root);
    told!(tree, ["0.2"], 2, "no-root");
    tree.edit(
        description,
        "[[root]]\n",
        "[[root]]\nsource = \"https://tsa.example/root.pem\"\n",
    );
    told!(tree, ["0.2"], 2, "root-not-fetched");

    let tree = Tree::new();
    let mut both = tree.read(root);
    both.extend(tree.read("proof/authorities/local-0.2-rc.1/root.pem"));
    tree.write(root, both);
    let (text, code) = tree.verify(&["0.2"]);
    assert_eq!(code, 1);
    assert!(
        text.contains(
            "error[authority-root-not-pinned]: proof/authorities/example/root.pem holds a root"
        ),
        "{text}"
    );

    let tree = Tree::new();
    tree.write(root, "no certificate\n");
    told!(tree, ["0.2"], 2, "damaged-root");

    let tree = Tree::new();
    tree.edit(description, "independent = true", "independent = yes");
    told!(tree, ["0.2"], 2, "damaged-authority");

    let tree = Tree::new();
    tree.edit(description, "1.3.6.1.4.1.32473.1", "1.2.3");
    told!(tree, ["0.2"], 1, "another-policy");

    let tree = Tree::new();
    tree.edit(
        description,
        "[[root]]",
        "[window]\nuntil = 2020-01-01T00:00:00Z\n\n[[root]]",
    );
    told!(tree, ["0.2"], 1, "outside-the-window");
}

#[test]
fn what_is_no_proof() {
    let tree = Tree::new();
    tree.write("proof/0.2/notes.txt", "a note\n");
    tree.write("proof/0.2/other.md.ots", "a proof of nothing\n");
    tree.write(
        "proof/0.2/SHA256SUMS.nobody.tsr",
        "of an authority that is not there\n",
    );
    tree.write("proof/0.2/old/SHA256SUMS", "a folder\n");
    told!(tree, ["0.2"], 1, "orphans");
}

#[test]
fn opentimestamps() {
    let tree = Tree::new();
    let manifest = tree.read(MANIFEST);
    let header = header(7, &manifest);

    tree.write(OTS, ots(&manifest, &[b"\xff", PROMISE, BLOCK_7]));
    told!(tree, ["0.2"], 2, "block-without-header");
    told!(
        tree,
        ["0.2", "--header", &header],
        2,
        "block-with-header-that-anybody-can-make"
    );
    tree.write("proof/bitcoin-headers.txt", format!("# kept\n\n{header}\n"));
    told!(tree, ["0.2"], 2, "block-with-such-a-header-kept");

    tree.write(OTS, ots(&manifest, &[b"\xf2", BLOCK_7]));
    told!(tree, ["0.2"], 1, "another-block");

    let easier = header.replace("ffff7f20", "ffff7f1d");
    tree.write("proof/bitcoin-headers.txt", &easier);
    told!(tree, ["0.2"], 1, "header-without-work");
    tree.write("proof/bitcoin-headers.txt", "7\n");
    told!(tree, ["0.2"], 2, "malformed-headers");

    let tree = Tree::new();
    tree.write(OTS, ots(&manifest, &[PROMISE]));
    told!(tree, ["0.2"], 2, "pending");

    tree.write(OTS, ots(b"another file", &[PROMISE]));
    told!(tree, ["0.2"], 1, "proof-of-another-file");

    let whole = ots(&manifest, &[BLOCK_7]);
    tree.write(OTS, &whole[..whole.len() - 1]);
    told!(tree, ["0.2"], 1, "truncated-ots");

    let mut sha1 = ots(&manifest, &[BLOCK_7]);
    sha1.drain(32..45);
    sha1.insert(32, 0x02);
    tree.write(OTS, sha1);
    told!(tree, ["0.2"], 1, "sha1-ots");

    tree.write(
        OTS,
        ots(
            &manifest,
            &[b"\x00\x06\x86\x9a\x0d\x73\xd7\x1b\x45\x01\x07"],
        ),
    );
    told!(tree, ["0.2"], 2, "another-chain");

    tree.write("proof/0.2/text.md.ots", ots(&tree.read(TEXT), &[PROMISE]));
    tree.remove(OTS);
    told!(tree, ["0.2"], 2, "pending-of-a-listed-file");
}

/// A header with the work of a real one cannot be made for a test, so here one counts that took no work.
#[test]
fn a_block_with_its_header() {
    let tree = Tree::new();
    let manifest = tree.read(MANIFEST);
    tree.write(OTS, ots(&manifest, &[b"\xff", PROMISE, BLOCK_7]));
    tree.remove(TOKEN);
    let options = Options {
        versions: vec!["0.2".to_owned()],
        headers: vec![header(7, &manifest).parse().unwrap()],
        require_independent: true,
        least_work_bits: 1,
        ..Options::default()
    };
    let report = proofs::verify(&Repo::find_from(&tree.path("")).unwrap(), &options);
    crate::schema::check(&serde_json::to_value(&report).unwrap());
    assert_eq!(report.verdict, Verdict::Valid);
    assert!(report.versions[0].independent);
    let mut settings = insta::Settings::clone_current();
    mask(&mut settings);
    settings.bind(|| insta::assert_snapshot!("block-with-header", human::print(&report, true)));
}

#[test]
fn texts_of_others() {
    let tree = Tree::new();
    tree.write("theirs.md", "The text that Somebody published.\n");
    let given = |version: &str, file: &str| {
        format!("--upstream-file={version}={}", tree.path(file).display())
    };
    told!(
        tree,
        ["0.2", &given("0.2", "theirs.md")],
        0,
        "upstream-as-stated"
    );
    told!(
        tree,
        ["0.2", &given("0.1", "theirs.md")],
        2,
        "upstream-without-digest"
    );
    told!(
        tree,
        ["0.2", &given("0.3", "theirs.md")],
        2,
        "upstream-unknown"
    );
    told!(tree, ["0.2", &given("0.2", TEXT)], 1, "upstream-different");
    told!(
        tree,
        ["0.2", &given("0.2", "nowhere.md")],
        2,
        "upstream-unreadable"
    );

    tree.write("proof/upstream.toml", "text = 7\n");
    told!(tree, ["0.2"], 2, "upstream-malformed");
    tree.remove("proof/upstream.toml");
    told!(tree, ["0.2"], 0, "upstream-none");
}
