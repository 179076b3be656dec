//! JSON Lines: one object a line, of which `url`, `id`, `name`, `servers`, `description` and `tools` are looked at.

use serde::Deserialize;
use serde_json::value::RawValue;

use super::lines::Line;
use super::{
    DESCRIPTION_MAX_CHARACTERS, Import, ImportError, NAME_MAX_CHARACTERS, clean, clean_tools,
};
use crate::store::{Claim, Entry, EntryState};

/// The most characters of an `id`.
const KEY_MAX_CHARACTERS: usize = 2_048;

#[derive(Deserialize)]
struct Object<'a> {
    #[serde(borrow)]
    url: Option<&'a RawValue>,
    id: Option<String>,
    name: Option<String>,
    /// The names that one URL has; the first one counts.
    servers: Option<Vec<String>>,
    description: Option<String>,
    tools: Option<Vec<ToolObject>>,
}

#[derive(Deserialize)]
struct ToolObject {
    name: String,
    description: Option<String>,
    read_only: Option<bool>,
}

pub(super) fn line(import: &mut Import<'_>, line: &Line<'_>) -> Result<(), ImportError> {
    import.report.entries += 1;
    if !line.text.trim_start().starts_with('{') {
        import.refuse(line.fault("line-form", "not an object that names a server", 0, 1));
        return Ok(());
    }
    let object: Object<'_> = match serde_json::from_str(line.text) {
        Ok(object) => object,
        Err(error) => {
            let words = error.to_string();
            // The parser counts lines as well, and this text has one.
            let words = words.split(" at line ").next().unwrap_or_default();
            let message = format!("not an object that names a server: {words}");
            import.refuse(line.fault("line-form", message, error.column().saturating_sub(1), 1));
            return Ok(());
        }
    };
    let raw = object.url.map_or("null", RawValue::get);
    let at = raw
        .as_ptr()
        .addr()
        .checked_sub(line.text.as_ptr().addr())
        .filter(|_| object.url.is_some());
    let url = match serde_json::from_str::<Option<String>>(raw) {
        Ok(Some(url)) => url,
        Ok(None) => {
            import.report.without_url += 1;
            return Ok(());
        }
        Err(_) => {
            import.refuse(line.fault("url-form", "url is no string", at.unwrap_or(0), raw.len()));
            return Ok(());
        }
    };
    let url = match import.url(&url) {
        Ok(url) => url,
        Err((code, message)) => {
            import.refuse(line.fault(code, message, at.unwrap_or(0), raw.len()));
            return Ok(());
        }
    };
    let first = object.servers.unwrap_or_default().into_iter().next();
    let name = object
        .name
        .and_then(|name| clean(&name, NAME_MAX_CHARACTERS));
    let tools = object.tools.unwrap_or_default().into_iter();
    let claim = Claim {
        key: object
            .id
            .and_then(|id| clean(&id, KEY_MAX_CHARACTERS))
            .unwrap_or_else(|| url.to_string()),
        urls: vec![url],
        name: name.or_else(|| clean(&first?, NAME_MAX_CHARACTERS)),
        description: object
            .description
            .and_then(|text| clean(&text, DESCRIPTION_MAX_CHARACTERS)),
        state: EntryState::Active,
        tools: clean_tools(tools.map(|tool| (tool.name, tool.description, tool.read_only))),
    };
    import.push(Entry::Server(claim))
}
