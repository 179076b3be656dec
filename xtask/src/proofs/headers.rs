//! Bitcoin block headers that somebody vouches for: given on the command line, or kept in the repository.

use std::collections::BTreeMap;
use std::io;
use std::str::FromStr;

use command_console::Diagnostic;
use jiff::Timestamp;
use timestamp_proof::ots::BlockHeader;

use super::report::Problem;
use crate::repo::{self, Repo, RepoError};

/// Repository-relative path of the headers that are kept, one `HEIGHT:HEX` a line; lines that begin with `#` are comments.
pub const PATH: &str = "proof/bitcoin-headers.txt";

/// A header counts if it took about two to this power hashes, or more. Blocks of the main chain have had as much since
/// 2021, long before the first text that is frozen here; a header that takes less could be made by whoever gives it.
pub const LEAST_WORK_BITS: u32 = 76;

/// A block header as it is written, `HEIGHT:HEX`: nothing of its content is checked yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Header {
    height: u64,
    bytes: Vec<u8>,
}

impl FromStr for Header {
    type Err = String;

    fn from_str(written: &str) -> Result<Self, String> {
        let form = || "expected HEIGHT:HEX, a decimal number and hexadecimal digits".to_owned();
        let (height, hex) = written.split_once(':').ok_or_else(form)?;
        let height = height.parse().map_err(|_| form())?;
        let bytes = base16ct::mixed::decode_vec(hex).map_err(|_| form())?;
        Ok(Self { height, bytes })
    }
}

/// The headers by height, each with proof of work.
///
/// # Errors
/// The code and the reason of the first that is no block header, or of a height with two different ones.
pub fn check(headers: &[Header]) -> Result<BTreeMap<u64, BlockHeader>, (&'static str, String)> {
    let mut checked = BTreeMap::new();
    for Header { height, bytes } in headers {
        let header = BlockHeader::parse(bytes).map_err(|error| {
            (
                error.code(),
                format!("the header given for block {height}: {error}"),
            )
        })?;
        if checked
            .insert(*height, header)
            .is_some_and(|other| other != header)
        {
            return Err((
                "header-conflict",
                format!("two different headers were given for block {height}"),
            ));
        }
    }
    Ok(checked)
}

/// The headers that were given and those that the repository keeps.
pub(super) fn gather(repo: &Repo, given: &[Header]) -> Result<BTreeMap<u64, BlockHeader>, Problem> {
    let mut headers = given.to_vec();
    headers.extend(kept(repo)?);
    check(&headers).map_err(|(code, why)| {
        let message = format!("a header given, or kept in {PATH}, is no Bitcoin block header");
        Problem::invalid(Diagnostic::error(code, message).note(why))
    })
}

fn kept(repo: &Repo) -> Result<Vec<Header>, Problem> {
    let text = match repo::read_text(&repo.path(PATH)) {
        Err(RepoError::Io { source, .. }) if source.kind() == io::ErrorKind::NotFound => {
            return Ok(Vec::new());
        }
        text => text.map_err(|error| Problem::unreadable(PATH, &error))?,
    };
    let lines = text
        .lines()
        .enumerate()
        .map(|(number, line)| (number + 1, line.trim()));
    lines
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
        .map(|(number, line)| {
            line.parse().map_err(|why: String| {
                let message = format!("{PATH}:{number} is not a block header");
                Problem::unknown(Diagnostic::error("headers-malformed", message).note(why))
            })
        })
        .collect()
}

/// A block header's time, RFC 3339 in UTC.
#[must_use]
pub fn utc(seconds: u32) -> String {
    Timestamp::from_second(i64::from(seconds))
        .map_or_else(|_| seconds.to_string(), |time| time.to_string())
}
