//! Every example of the specification text is what the text says it is: one named test for each code block.
//!
//! A block that `EXAMPLES` does not claim, and a claim whose block is gone, fail here as they fail in `lint-spec`.

mod grammar;
mod json;
mod message;
mod server_file;
mod token;

use std::collections::BTreeMap;
use std::sync::Arc;

use libtest_mimic::{Arguments, Failed, Trial};
use xtask::repo::{self, Repo};
use xtask::spec;
use xtask::spec::examples::{Checker, EXAMPLES};
use xtask::spec::text::Text;

/// The blocks by name, and what the checks need besides.
struct Blocks {
    by_name: BTreeMap<String, String>,
    rules: Vec<String>,
    /// Inline code of the text: where it names members, fields and values.
    code: Vec<String>,
}

impl Blocks {
    /// True if the text says `word` in inline code, alone or among other words.
    fn names(&self, word: &str) -> bool {
        let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '-';
        self.code.iter().any(|code| {
            code.match_indices(word).any(|(at, _)| {
                !code[..at].ends_with(is_part) && !code[at + word.len()..].starts_with(is_part)
            })
        })
    }

    fn get(&self, name: &str) -> Result<&str, String> {
        self.by_name
            .get(name)
            .map(String::as_str)
            .ok_or_else(|| format!("no block has example={name}"))
    }
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments = Arguments::from_args();
    let source = repo::read_text(&Repo::find()?.path(spec::DRAFT))?;
    let text = Text::parse(&source);
    let mut by_name = BTreeMap::new();
    let mut trials = Vec::new();
    for (index, block) in text.code_blocks.iter().enumerate() {
        let name = block
            .example()
            .map_or_else(|| format!("unnamed block {}", index + 1), str::to_owned);
        if EXAMPLES.iter().all(|example| example.name != name) {
            trials.push(Trial::test(name.clone(), || {
                Err("no entry of EXAMPLES claims this block".into())
            }));
        }
        by_name.insert(name, block.content.clone());
    }
    let rules = text.rules.iter().map(|rule| rule.id.clone()).collect();
    let code = text.code.iter().map(|code| code.text.clone()).collect();
    let blocks = Arc::new(Blocks {
        by_name,
        rules,
        code,
    });
    for example in EXAMPLES {
        let blocks = Arc::clone(&blocks);
        let run = move || check(example.name, example.checker, &blocks).map_err(Failed::from);
        trials.push(Trial::test(example.name, run));
    }
    libtest_mimic::run(&arguments, trials).exit()
}

fn check(name: &str, checker: Checker, blocks: &Blocks) -> Result<(), String> {
    let block = blocks.get(name)?;
    match checker {
        Checker::Abnf => grammar::Grammar::parse(block)?.check(),
        Checker::Key { seed } => token::check_key(block, seed),
        Checker::Token { key } => token::verify(block.trim_end(), blocks.get(key)?).map(drop),
        Checker::TokenPart { token, segment } => {
            token::check_part(block, blocks.get(token)?, segment)
        }
        Checker::TokenClocks { token } => token::check_clocks(block, blocks.get(token)?),
        Checker::TrailingBits { token } => token::check_trailing_bits(block, blocks.get(token)?),
        Checker::HttpRequest => message::check_request(block, blocks),
        Checker::HttpResponse { key } => message::check_response(block, blocks.get(key)?, blocks),
        Checker::ServerFile { grammar } => {
            server_file::check(block, &grammar::Grammar::parse(blocks.get(grammar)?)?)
        }
        Checker::DamagedServerFile => server_file::check_damaged(block),
        other => Err(format!("no test for {other:?}")),
    }
}

/// `Ok` if `holds`, else `message`.
fn ensure(holds: bool, message: impl Into<String>) -> Result<(), String> {
    if holds { Ok(()) } else { Err(message.into()) }
}
