//! `proof/<version>/SHA256SUMS`: the frozen files of a version and their digests.

use std::collections::BTreeMap;

use command_console::{Diagnostic, Place};
use timestamp_proof::digest::{Digest, DigestAlgorithm};

use crate::spec::version::Version;

/// The manifest's file name.
pub const NAME: &str = "SHA256SUMS";

/// Repository-relative path of a version's manifest.
#[must_use]
pub fn path(version: &Version) -> String {
    format!("proof/{version}/{NAME}")
}

/// Repository-relative paths of the folders whose files the manifest lists.
#[must_use]
pub fn folders(version: &Version) -> [String; 2] {
    [format!("spec/{version}"), format!("test-vectors/{version}")]
}

/// The frozen files of a version, by path.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Manifest {
    entries: BTreeMap<String, Entry>,
}

/// What the manifest says of one file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// The SHA-256 digest of its frozen bytes.
    pub digest: Digest,
    /// The line of the manifest, counted from 1.
    pub line: usize,
}

impl Manifest {
    /// Reads the format of coreutils: 64 hexadecimal digits, two spaces (or a space and an asterisk), a path, a line feed.
    ///
    /// The paths are relative to the repository, and none can point out of the version's folders.
    ///
    /// # Errors
    /// The first line that is not of that form, as a message at its place.
    pub fn parse(bytes: &[u8], version: &Version) -> Result<Self, Box<Diagnostic>> {
        let path = path(version);
        let malformed =
            |message: &str| Diagnostic::error("manifest-malformed", format!("{path}: {message}"));
        let text =
            str::from_utf8(bytes).map_err(|_| Box::new(malformed("the manifest is not UTF-8")))?;
        if text.is_empty() {
            return Err(Box::new(malformed("the manifest lists no file")));
        }
        let mut entries = BTreeMap::new();
        for (number, line) in text.split_inclusive('\n').enumerate() {
            let number = number + 1;
            let read = read_line(line, version).and_then(|(digest, path)| {
                match entries.insert(
                    path.clone(),
                    Entry {
                        digest,
                        line: number,
                    },
                ) {
                    None => Ok(()),
                    Some(_) => Err(Fault {
                        column: 67,
                        why: "a path is listed twice",
                    }),
                }
            });
            if let Err(Fault { column, why }) = read {
                let text = printable(line.trim_end_matches('\n'));
                let length = text.chars().count().saturating_sub(column - 1).max(1);
                return Err(Box::new(malformed(why).at(Place {
                    path,
                    line: number,
                    column,
                    length,
                    text,
                })));
            }
        }
        Ok(Self { entries })
    }

    /// The entries, sorted by path.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = (&str, &Entry)> {
        self.entries
            .iter()
            .map(|(path, entry)| (path.as_str(), entry))
    }

    /// Whether a path is listed.
    #[must_use]
    pub fn contains(&self, path: &str) -> bool {
        self.entries.contains_key(path)
    }

    /// The one listed path whose last part is `name`; `None` if there is none, or more than one.
    #[must_use]
    pub fn find_name(&self, name: &str) -> Option<(&str, &Entry)> {
        let mut found = self
            .iter()
            .filter(|(path, _)| path.rsplit('/').next() == Some(name));
        found.next().filter(|_| found.next().is_none())
    }
}

struct Fault {
    column: usize,
    why: &'static str,
}

fn read_line(line: &str, version: &Version) -> Result<(Digest, String), Fault> {
    let form = Fault {
        column: 1,
        why: "expected 64 hexadecimal digits, two spaces and a path",
    };
    let Some(line) = line.strip_suffix('\n') else {
        return Err(Fault {
            column: 1,
            why: "the last line has no end: the manifest is cut off",
        });
    };
    let Some((digits, rest)) = line.split_at_checked(64) else {
        return Err(form);
    };
    let bytes = base16ct::lower::decode_vec(digits).ok();
    let digest = bytes.and_then(|bytes| Digest::new(DigestAlgorithm::Sha256, &bytes).ok());
    let path = rest.strip_prefix("  ").or_else(|| rest.strip_prefix(" *"));
    let (Some(digest), Some(path)) = (digest, path) else {
        return Err(form);
    };
    let path_fault = |why| Fault { column: 67, why };
    if !path.bytes().all(|byte| matches!(byte, b' '..=b'~')) || path.contains('\\') {
        return Err(path_fault(
            "a path is of printable ASCII, without a backslash",
        ));
    }
    if path.split('/').any(|part| matches!(part, "" | "." | "..")) {
        return Err(path_fault(
            "a path has no empty part, no `.` and no `..`: it cannot leave the frozen folders",
        ));
    }
    let inside = |folder: String| {
        path.strip_prefix(&folder)
            .is_some_and(|rest| rest.starts_with('/'))
    };
    if !folders(version).into_iter().any(inside) {
        return Err(path_fault(
            "a path lies in the version's folder of `spec` or `test-vectors`",
        ));
    }
    Ok((digest, path.to_owned()))
}

/// Text from a file, fit for a terminal: nothing in it moves the cursor or turns the direction of writing.
pub(super) fn printable(text: &str) -> String {
    let fit = |char: char| char.is_ascii_graphic() || char == ' ' || char.is_alphanumeric();
    text.chars()
        .map(|char| {
            if fit(char) {
                char
            } else {
                char::REPLACEMENT_CHARACTER
            }
        })
        .take(300)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Manifest, Box<Diagnostic>> {
        Manifest::parse(text.as_bytes(), &"0.2-rc.1".parse().unwrap())
    }

    #[test]
    fn lists_are_read_as_coreutils_writes_them() {
        let digest = "ab".repeat(32);
        let manifest = parse(&format!(
            "{digest}  spec/0.2-rc.1/a.md\n{digest} *test-vectors/0.2-rc.1/x/a b.json\n{digest}  spec/0.2-rc.1/x/a.md\n"
        ))
        .unwrap();
        assert_eq!(manifest.iter().len(), 3);
        assert!(manifest.contains("test-vectors/0.2-rc.1/x/a b.json"));
        assert_eq!(manifest.find_name("a b.json").unwrap().1.line, 2);
        assert_eq!(manifest.find_name("a.md"), None, "two are called so");
    }

    #[test]
    fn each_fault_is_shown_at_its_place() {
        let digest = "ab".repeat(32);
        let path = "spec/0.2-rc.1/a.md";
        let said: Vec<_> = [
            String::new(),
            format!("{digest}  {path}"),
            format!("{digest} {path}\n"),
            format!("{digest}  \n"),
            format!("{}  {path}\n", "AB".repeat(32)),
            format!("{}  {path}\n", "zz".repeat(32)),
            format!("{digest}  {path}\n\n"),
            format!("{digest}  {path}\r\n"),
            format!("\\{digest}  {path}\\\\\n"),
            format!("{digest}  /etc/passwd\n"),
            format!("{digest}  spec/0.2-rc.1/../draft/a.md\n"),
            format!("{digest}  spec/0.2-rc.1/./a.md\n"),
            format!("{digest}  spec/0.2-rc.1//a.md\n"),
            format!("{digest}  spec/0.2-rc.1/..\\a.md\n"),
            format!("{digest}  spec/0.2-rc.1\n"),
            format!("{digest}  spec/0.2-rc.10/a.md\n"),
            format!("{digest}  spec/draft/a.md\n"),
            format!("{digest}  {path}\n{digest}  {path}\n"),
            format!("{digest}  spec/0.2-rc.1/\u{1b}[31m.md\n"),
            "é".repeat(60),
        ]
        .iter()
        .map(|text| anstream::adapter::strip_str(&parse(text).unwrap_err().to_string()).to_string())
        .collect();
        insta::assert_snapshot!(said.join("\n\n"));
    }
}
