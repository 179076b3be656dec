//! What was found, for people.

use command_console::style::{BOLD, DIM};
use command_console::{Console, visible};

use super::{Found, Why, WhyFound};

/// How many tools are shown of a server.
const TOOLS_SHOWN: usize = 5;

pub(super) fn answer(servers: &[Found], of: usize, console: &mut Console) {
    if servers.is_empty() {
        console.data(format_args!("none of {of} servers is for that need"));
        return;
    }
    for (place, server) in (1..).zip(servers) {
        let status = server
            .status
            .unwrap_or("in no answer: not observed, or too long ago");
        console.data(format_args!(
            "{place:>2}  {BOLD}{}{BOLD:#}  {DIM}{status}{DIM:#}",
            server.url
        ));
        if let Some(name) = server.names.first() {
            console.data(format_args!("    {}", visible(name)));
        }
        if !server.tools.is_empty() {
            let shown: Vec<_> = server
                .tools
                .iter()
                .take(TOOLS_SHOWN)
                .map(|tool| visible(tool).to_string())
                .collect();
            let more = match server.tools.len().saturating_sub(TOOLS_SHOWN) {
                0 => String::new(),
                more => format!(" and {more} more"),
            };
            console.data(format_args!("    tools: {}{more}", shown.join(", ")));
        }
        if let Some(why) = &server.explanation {
            explain(why, server.score, console);
        }
    }
}

fn explain(why: &Why, score: f32, console: &mut Console) {
    console.data(format_args!(
        "    score {score:.3}, {:.0} % of the need met",
        why.met * 100.0
    ));
    if why.named {
        console.data("    the need is the name of a tool");
    }
    for word in &why.words {
        let found = word.found.as_ref().map_or("not found".to_owned(), found);
        console.data(format_args!(
            "      {:>3.0} %  {:16} {found}",
            word.share * 100.0,
            visible(&word.word).to_string()
        ));
    }
}

fn found(found: &WhyFound) -> String {
    let how = match found.how {
        "itself" => String::new(),
        how => format!(" as {} ({how})", visible(&found.word)),
    };
    let fields: Vec<_> = found
        .fields
        .iter()
        .map(|field| match field.times {
            1 => field.field.to_owned(),
            times => format!("{} {times} times", field.field),
        })
        .collect();
    let tool = found
        .tool
        .as_ref()
        .map_or(String::new(), |tool| format!(" of {}", visible(tool)));
    format!("{:.3}{how} in {}{tool}", found.worth, fields.join(", "))
}
