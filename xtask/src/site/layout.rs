//! What every page has around it.

use maud::{DOCTYPE, Markup, html};

use super::edition::Edition;
use super::shown::Shown;

/// Nothing runs, and nothing is loaded but the style sheet and the icon beside the pages.
const POLICY: &str =
    "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'";

/// A page: where it is, what it is called, and what it says.
pub(super) struct Page<'a> {
    /// The way from the page's folder to the site's root: `""`, `"../"`, `"../../"`.
    pub(super) root: &'static str,
    pub(super) title: String,
    /// The edition that it belongs to, and its own place in the edition's navigation.
    pub(super) edition: Option<(&'a Edition<'a>, Part)>,
    /// A list of contents beside the main part.
    pub(super) contents: Option<Markup>,
    pub(super) main: Markup,
}

/// The parts of an edition.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Part {
    Text,
    Vectors,
    Checks,
    Changes,
    Proof,
}

const PARTS: [(Part, &str, &str); 5] = [
    (Part::Text, "Text", "index.html"),
    (Part::Vectors, "Vectors", "vectors/index.html"),
    (Part::Checks, "Checks", "checks.html"),
    (Part::Changes, "Changes", "changes.html"),
    (Part::Proof, "Proof", "proof.html"),
];

pub(super) fn page(page: Page<'_>) -> Markup {
    let Page {
        root,
        title,
        edition,
        contents,
        main,
    } = page;
    let is_home = edition.is_none();
    let title = if is_home {
        title
    } else {
        format!("{title} \u{b7} Capability Resolution")
    };
    html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(POLICY);
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="referrer" content="no-referrer";
                meta name="color-scheme" content="light dark";
                title { (title) }
                link rel="icon" href={ (root) "icon.svg" } type="image/svg+xml";
                link rel="stylesheet" href={ (root) "style.css" };
            }
            body {
                a.skip href="#main" { "Skip to the content" }
                header.top {
                    a.home href={ (root) "index.html" } aria-current=[is_home.then_some("page")] { "Capability Resolution" }
                    @if let Some((edition, part)) = edition { (navigation(root, edition, part)) }
                }
                @if let Some(contents) = contents {
                    div.reader {
                        nav.contents aria-label="Contents" { (contents) }
                        main #main { (main) }
                    }
                } @else {
                    main #main { (main) }
                }
                footer {
                    p {
                        "An independent edition. The text is CC BY 4.0, the vectors are CC0, the code is MIT. \
                         Made from the repository by " code { "cargo xtask site" } "; nothing here runs or is loaded from elsewhere."
                    }
                }
            }
        }
    }
}

fn navigation(root: &str, edition: &Edition<'_>, current: Part) -> Markup {
    html! {
        nav.parts aria-label="Parts of this edition" {
            span.edition { (Shown(&edition.title())) }
            @for (part, name, path) in PARTS {
                @if edition.has(part) {
                    a href={ (root) (edition.name) "/" (path) } aria-current=[(part == current).then_some("true")] { (name) }
                }
            }
        }
    }
}

/// `1 vector`, `2 vectors`, `3,168 vectors`.
pub(super) fn counted(count: usize, word: &str) -> String {
    let plural = if count == 1 { "" } else { "s" };
    format!("{} {word}{plural}", number(count))
}

/// A number with commas between its thousands.
pub(super) fn number(count: usize) -> String {
    let digits = count.to_string();
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thousands_are_parted() {
        let shown: Vec<_> = [0, 12, 999, 1000, 3168, 1_234_567]
            .into_iter()
            .map(number)
            .collect();
        assert_eq!(shown, ["0", "12", "999", "1,000", "3,168", "1,234,567"]);
        assert_eq!(
            (counted(1, "vector"), counted(2, "vector")),
            ("1 vector".into(), "2 vectors".into())
        );
    }
}
