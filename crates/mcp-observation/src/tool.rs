//! What servers say of themselves and of their tools. It is a claim, and it is text from outside.

use capability_resolution::text::{is_control, is_unsafe, is_white_space};
use serde_json::value::RawValue;

use crate::json;

/// A tool, as its server describes it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Tool {
    /// Its name, at most [`NAME_MAX_CHARACTERS`].
    pub name: String,
    /// Its title for people, at most [`NAME_MAX_CHARACTERS`].
    pub title: Option<String>,
    /// What it does, at most [`DESCRIPTION_MAX_CHARACTERS`].
    pub description: Option<String>,
    /// What its server claims of what it does.
    pub annotations: Annotations,
}

/// The hints of a tool; `None` where its server gives none.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Annotations {
    /// It changes nothing.
    pub read_only: Option<bool>,
    /// It may destroy something.
    pub destructive: Option<bool>,
    /// Doing it again changes nothing more.
    pub idempotent: Option<bool>,
    /// It reaches things outside of the server.
    pub open_world: Option<bool>,
}

impl Tool {
    /// The read-only hint: `mcp.tools.read-only`.
    #[must_use]
    pub fn is_read_only(&self) -> bool {
        self.annotations.read_only.unwrap_or(false)
    }
}

/// What a server says of itself.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Server {
    /// Its name, at most [`NAME_MAX_CHARACTERS`], as everything here but the last two.
    pub name: Option<String>,
    /// Its title for people.
    pub title: Option<String>,
    /// Its version.
    pub version: Option<String>,
    /// What it is, at most [`DESCRIPTION_MAX_CHARACTERS`].
    pub description: Option<String>,
    /// What it tells models about its use, at most [`DESCRIPTION_MAX_CHARACTERS`].
    pub instructions: Option<String>,
}

/// The most characters that are kept of a name, a title or a version. The protocol asks for at most 128.
pub const NAME_MAX_CHARACTERS: usize = 200;

/// The most characters that are kept of a description.
pub const DESCRIPTION_MAX_CHARACTERS: usize = 4_000;

/// One page of tools.
#[derive(Debug, Default)]
pub(crate) struct Page {
    pub(crate) tools: Vec<Tool>,
    pub(crate) next_cursor: Option<String>,
    /// There were more tools than were taken.
    pub(crate) is_cut: bool,
}

impl Page {
    /// Reads at most `limit` tools from a result that the tables have accepted. What is no tool is left out.
    pub(crate) fn read(result: &str, limit: usize) -> Self {
        let members = json::members(result, ["tools", "nextCursor"])
            .ok()
            .flatten();
        let [tools, next_cursor] = members.unwrap_or_default();
        let mut page = Self {
            next_cursor: json::value(next_cursor),
            ..Self::default()
        };
        if let Some(tools) = tools {
            json::elements(tools, |tool| {
                if page.tools.len() >= limit {
                    page.is_cut = true;
                } else {
                    page.tools.extend(read_tool(tool));
                }
            });
        }
        page
    }
}

impl Server {
    /// Adds what a result of `server/discover`, `initialize` or `tools/list` says.
    pub(crate) fn learn(&mut self, result: &str) {
        let members = json::members(result, ["serverInfo", "_meta", "instructions"]);
        let [info, meta, instructions] = members.ok().flatten().unwrap_or_default();
        if let Some(instructions) = text(instructions, DESCRIPTION_MAX_CHARACTERS) {
            self.instructions = Some(instructions);
        }
        let of_meta = || {
            let [info] = json::members(meta?.get(), [SERVER_INFO]).ok()??;
            info
        };
        let members = info.or_else(of_meta).and_then(|info| {
            json::members(info.get(), ["name", "title", "version", "description"]).ok()?
        });
        let Some([name, title, version, description]) = members else {
            return;
        };
        self.name = text(name, NAME_MAX_CHARACTERS);
        self.title = text(title, NAME_MAX_CHARACTERS);
        self.version = text(version, NAME_MAX_CHARACTERS);
        self.description = text(description, DESCRIPTION_MAX_CHARACTERS);
    }
}

const SERVER_INFO: &str = "io.modelcontextprotocol/serverInfo";

fn read_tool(tool: &RawValue) -> Option<Tool> {
    let names = ["name", "title", "description", "annotations"];
    let [name, title, description, annotations] = json::members(tool.get(), names).ok()??;
    let names = [
        "readOnlyHint",
        "destructiveHint",
        "idempotentHint",
        "openWorldHint",
        "title",
    ];
    let hints = annotations.and_then(|hints| json::members(hints.get(), names).ok()?);
    let [read_only, destructive, idempotent, open_world, other_title] = hints.unwrap_or_default();
    Some(Tool {
        name: text(name, NAME_MAX_CHARACTERS)?,
        title: text(title.or(other_title), NAME_MAX_CHARACTERS),
        description: text(description, DESCRIPTION_MAX_CHARACTERS),
        annotations: Annotations {
            read_only: json::value(read_only),
            destructive: json::value(destructive),
            idempotent: json::value(idempotent),
            open_world: json::value(open_world),
        },
    })
}

/// A string, cleaned; `None` where nothing is left.
fn text(value: Option<&RawValue>, max_characters: usize) -> Option<String> {
    let cleaned = clean(&json::value::<String>(value)?, max_characters);
    (!cleaned.is_empty()).then_some(cleaned)
}

/// `mcp.tools.unsafe`: white space becomes single spaces, and what cannot be seen is gone.
fn clean(text: &str, max_characters: usize) -> String {
    let visible = |c: char| !is_control(c) && !is_unsafe(c);
    let mut cleaned = String::new();
    let mut left = max_characters;
    for word in text.split(is_white_space) {
        let mut word = word.chars().filter(|c| visible(*c)).peekable();
        if word.peek().is_some() && !cleaned.is_empty() && left > 0 {
            cleaned.push(' ');
            left -= 1;
        }
        for c in word.take(left) {
            cleaned.push(c);
            left -= 1;
        }
    }
    cleaned.truncate(cleaned.trim_end().len());
    cleaned
}

#[cfg(test)]
mod tests {
    use super::*;

    // r[mcp.tools.unsafe]
    #[test]
    fn invisible_characters_are_removed_and_white_space_is_one_space() {
        for (text, expected) in [
            ("send_email", "send_email"),
            ("x\u{202e}evil", "xevil"),
            ("a\r\n\n b\u{2028}c\t", "a b c"),
            ("\u{7}a\u{0}\u{200b} \u{feff} b\u{85}", "a b"),
            ("क्\u{200d}ष 👩\u{200d}💻", "क्\u{200d}ष 👩\u{200d}💻"),
            ("\u{202e}\u{7f}", ""),
        ] {
            assert_eq!(clean(text, 100), expected);
        }
    }

    #[test]
    fn text_is_cut_at_characters() {
        assert_eq!(clean("äöü", 2), "äö");
        assert_eq!(clean("ab cd", 3), "ab");
        assert_eq!(clean("ab cd", 4), "ab c");
        assert_eq!(
            clean(&"x".repeat(9_999), DESCRIPTION_MAX_CHARACTERS).len(),
            4_000
        );
    }

    // r[mcp.tools.read-only]
    #[test]
    fn an_absent_hint_is_false_and_what_is_no_tool_is_left_out() {
        let result = r#"{"tools": [
            {"name": "a", "annotations": {"readOnlyHint": true, "title": "A"}, "inputSchema": {"name": 1}},
            {"name": "b", "description": 5, "annotations": {"readOnlyHint": "true"}},
            {"name": "c"}, {"name": ""}, {"title": "d"}, 7, null, [{"name": "e"}]
        ]}"#;
        let page = Page::read(result, 2_000);
        let hints: Vec<_> = page
            .tools
            .iter()
            .map(|t| (t.name.as_str(), t.is_read_only()))
            .collect();
        assert_eq!(hints, [("a", true), ("b", false), ("c", false)]);
        assert_eq!(page.tools[0].title.as_deref(), Some("A"));
        assert_eq!(page.tools[1].description, None);
        assert!(!page.is_cut && page.next_cursor.is_none());
        assert!(Page::read(result, 2).is_cut);
    }

    #[test]
    fn a_server_names_itself_in_either_era() {
        let mut server = Server::default();
        server.learn(r#"{"serverInfo": {"name": "n", "version": "1"}, "instructions": "do\nit"}"#);
        assert_eq!(server.name.as_deref(), Some("n"));
        assert_eq!(server.instructions.as_deref(), Some("do it"));
        server.learn(r#"{"_meta": {"io.modelcontextprotocol/serverInfo": {"name": "m"}}}"#);
        assert_eq!(server.name.as_deref(), Some("m"));
        assert_eq!(server.version, None);
        assert_eq!(server.instructions.as_deref(), Some("do it"));
        server.learn(r#"{"serverInfo": 7, "_meta": []}"#);
        assert_eq!(server.name.as_deref(), Some("m"));
    }
}
