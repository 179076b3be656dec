//! `capability-resolver search`: what the operator finds, and why.

mod human;
mod needs;

use std::path::PathBuf;

use capability_resolution::{Need, Time};
use command_console::{Console, Diagnostic, Failure, Format, Outcome};
use serde::Serialize;

use crate::cli::Global;
use crate::config::Config;
use crate::search::{Document, Explanation, Field, How, Index, Place};
use crate::server_file::Denials;
use crate::store::{ServerId, SqliteStore, Store, StoreError};

/// Show which servers are found for a need, whether or not they were observed, and why.
///
/// This is for the operator. An answer of the resolver holds only servers that were observed, never says why, and is
/// signed. Servers whose files deny the resolver are in neither.
///
/// Exit code 0: something was found, or every need of a file was searched; 1: nothing was found, or a need of the file
/// breaks the rules of needs; 2: it could not be searched.
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:
  capability-resolver search \"send a transactional email\"
  capability-resolver search \"send a transactional email\" --explain
  capability-resolver search --needs needs.jsonl --format json

Each line of a file of needs is an object with id, a string or a number, and need. With --format json each is answered
by a line with id and urls, the best first; for a need that breaks the rules there are no urls, and error has the code.")]
pub(crate) struct Args {
    /// The job in plain words, 3 to 200 characters.
    #[arg(value_name = "NEED", required_unless_present = "needs")]
    need: Option<String>,
    /// Show why: which word of the need was found where, and what it is worth.
    #[arg(long, conflicts_with = "needs")]
    explain: bool,
    /// Search for each need of a file, or of standard input for -, instead.
    #[arg(long, value_name = "FILE|-", conflicts_with = "need")]
    needs: Option<PathBuf>,
    /// How the answer is written; for json see docs/schema/resolver-search.schema.json and, for a line of --needs,
    /// docs/schema/resolver-search-line.schema.json.
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// The most servers that are found for a need: `resolve.answer.members`.
const HITS_MAX: usize = 10;

/// docs/schema/resolver-search.schema.json.
#[derive(Serialize)]
struct Answer {
    servers: Vec<Found>,
}

#[derive(Serialize)]
struct Found {
    url: String,
    names: Vec<String>,
    /// The tools that are for the need, best first.
    tools: Vec<String>,
    score: f32,
    /// The status that would be stated now; none for a server that is in no answer.
    status: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    explanation: Option<Why>,
}

#[derive(Serialize)]
struct Why {
    /// The share of the need that is met, 0 to 1.
    met: f32,
    /// Whether the need is the name of a tool.
    named: bool,
    words: Vec<WhyWord>,
}

#[derive(Serialize)]
struct WhyWord {
    word: String,
    /// Its share of the need, 0 to 1.
    share: f32,
    found: Option<WhyFound>,
}

#[derive(Serialize)]
struct WhyFound {
    /// The word that stands there, as its stem.
    word: String,
    how: &'static str,
    /// The tool; none for what is said of the server.
    tool: Option<String>,
    fields: Vec<WhyField>,
    worth: f32,
}

#[derive(Serialize)]
struct WhyField {
    field: &'static str,
    times: u16,
}

/// The servers that can be found, and their index.
struct Catalogue {
    index: Index,
    servers: Vec<Entry>,
}

/// What is shown of a server.
struct Entry {
    id: ServerId,
    url: String,
    names: Vec<String>,
    tools: Vec<String>,
}

pub(crate) fn run(args: &Args, global: &Global, console: &mut Console) -> Result<Outcome, Failure> {
    let (config, store) = global.store()?;
    match (&args.needs, &args.need) {
        (Some(path), _) => {
            let lines = needs::read(path)?;
            let catalogue = Catalogue::read(&store, &config, global.now())?;
            Ok(needs::answer(&lines, &catalogue, args.format, console))
        }
        (None, need) => {
            let need = Need::new(need.as_deref().unwrap_or_default()).map_err(|refusal| {
                Failure::new(
                    Diagnostic::error(
                        refusal.code().as_str(),
                        format!("{} (rule {})", refusal.detail(), refusal.rule()),
                    )
                    .help("say the job in a few plain words"),
                )
            })?;
            let catalogue = Catalogue::read(&store, &config, global.now())?;
            let servers = catalogue.find(&need, args.explain, &store, global.now())?;
            let outcome = Outcome::from_bool(!servers.is_empty());
            match args.format {
                Format::Json => console.json(&Answer { servers }),
                Format::Human => human::answer(&servers, catalogue.servers.len(), console),
            }
            Ok(outcome)
        }
    }
}

impl Catalogue {
    fn read(store: &SqliteStore, config: &Config, now: Time) -> Result<Self, StoreError> {
        let denials = Denials::read(store, &config.origin, now)?;
        let (mut documents, mut servers) = (Vec::new(), Vec::new());
        store.each_listing(&mut |listing| {
            if denials.denies(&listing.url) {
                return;
            }
            servers.push(Entry {
                id: listing.server,
                url: listing.url.to_string(),
                names: listing.names.clone(),
                tools: listing.tools.iter().map(|tool| tool.name.clone()).collect(),
            });
            documents.push(Document::from(listing));
        })?;
        Ok(Self {
            index: Index::build(documents),
            servers,
        })
    }

    fn entry(&self, document: u32) -> Option<&Entry> {
        self.servers.get(usize::try_from(document).ok()?)
    }

    fn urls(&self, need: &Need) -> Vec<&str> {
        let hits = self.index.find(need.as_str(), HITS_MAX, &mut |_| true);
        hits.iter()
            .filter_map(|hit| Some(self.entry(hit.document)?.url.as_str()))
            .collect()
    }

    fn find(
        &self,
        need: &Need,
        explain: bool,
        store: &SqliteStore,
        now: Time,
    ) -> Result<Vec<Found>, StoreError> {
        let mut found = Vec::new();
        for hit in self.index.find(need.as_str(), HITS_MAX, &mut |_| true) {
            let Some(entry) = self.entry(hit.document) else {
                continue;
            };
            let tool = |tool: u32| {
                usize::try_from(tool)
                    .ok()
                    .and_then(|tool| entry.tools.get(tool))
                    .cloned()
            };
            let server = store.server(entry.id)?;
            let status = server
                .as_ref()
                .and_then(|server| server.standing()?.status(now));
            let explanation = explain
                .then(|| self.index.explain(need.as_str(), hit.document))
                .flatten();
            found.push(Found {
                url: entry.url.clone(),
                names: entry.names.clone(),
                tools: hit.tools.iter().filter_map(|nth| tool(*nth)).collect(),
                score: hit.score,
                status: status.map(|(status, _)| status.as_str()),
                explanation: explanation.map(|explanation| why(explanation, &tool)),
            });
        }
        Ok(found)
    }
}

fn why(explanation: Explanation, tool: &dyn Fn(u32) -> Option<String>) -> Why {
    let best = explanation.tool;
    let words = explanation.words.into_iter().map(|sought| WhyWord {
        word: sought.word,
        share: sought.share,
        found: sought.found.map(|found| WhyFound {
            word: found.word,
            how: match found.how {
                How::Itself => "itself",
                How::Typo => "typo",
                How::Beginning => "beginning",
                How::Compound => "compound",
                How::Associated => "associated",
            },
            tool: match found.place {
                Place::Server => None,
                Place::Tool => best.and_then(tool),
                Place::OtherTool(other) => tool(other),
            },
            fields: found
                .fields
                .into_iter()
                .map(|(field, times)| WhyField {
                    field: field_name(field),
                    times,
                })
                .collect(),
            worth: found.worth,
        }),
    });
    Why {
        met: explanation.met,
        named: explanation.named,
        words: words.collect(),
    }
}

fn field_name(field: Field) -> &'static str {
    match field {
        Field::ToolName => "tool name",
        Field::ToolDescription => "tool description",
        Field::Name => "name",
        Field::Description => "description",
        Field::Jobs => "jobs",
    }
}
