//! A server file, whose two readers are held against each other: a deny line holds whatever stands around it, what the
//! strict reader refuses a resolver the deny reader refuses too, and a value is read from what it is written as.
#![no_main]

use std::sync::LazyLock;

use capabilities_txt::limits::SCAN_MAX_BYTES;
use capabilities_txt::{Code, PublicSuffixes, Scope, Severity, allows, read};
use capability_resolution::{Host, Time};
use fuzz::{NOW, ORIGIN};
use libfuzzer_sys::fuzz_target;

static SCOPE: LazyLock<Scope> = LazyLock::new(|| {
    let host = Host::from_written("example.com").expect("a host");
    Scope::new(host, &PublicSuffixes::compiled_in())
});

fuzz_target!(|data: &[u8]| {
    let now = Time::from_unix_seconds(NOW);
    let reading = read(data, &SCOPE, now);
    let found = reading.diagnostics();

    let errors = found.iter().filter(|d| d.severity() == Severity::Error);
    assert_eq!(reading.is_valid(), errors.count() == 0);
    assert_eq!(reading.is_valid(), reading.code().is_none());
    assert!(reading.is_valid() || reading.endpoints().next().is_none());
    let place = |d: &capabilities_txt::Diagnostic| (d.line(), d.column(), d.code().as_str());
    assert!(found.is_sorted_by_key(place) && found.len() <= data.len() + 16);
    for diagnostic in found.iter().take(100) {
        assert!(data.get(diagnostic.span()).is_some());
        assert!(diagnostic.code().rules().contains(&diagnostic.rule()));
        assert!(!reading.explain(diagnostic).effect.is_empty());
    }

    let allowed = allows(data, &ORIGIN).is_allowed();
    if let Some(file) = reading.file() {
        assert!(file.resolvers().allow(&ORIGIN) || !allowed);
        // A resolver that a valid file allows can be denied only by a line that the strict reader does not evaluate: one
        // with an unknown name, or one behind an unusual line end in a comment.
        let unread = [
            Code::DenySalvaged,
            Code::UnknownField,
            Code::UnsafeCharacter,
        ];
        let unread = found.iter().any(|d| unread.contains(&d.code()));
        assert!(allowed || unread || !file.resolvers().allow(&ORIGIN));
        if let Ok(text) = file.to_text() {
            let again = read(text.as_bytes(), &SCOPE, now);
            assert_eq!(again.file(), Some(file));
            assert_eq!(
                allows(text.as_bytes(), &ORIGIN).is_allowed(),
                file.resolvers().allow(&ORIGIN)
            );
        }
    }
    for deny in [
        "Resolvers: none\n",
        "\u{200b}resolver \u{ff1a} \u{2013} \"resolver.example.\"#\n",
    ] {
        let file = [data, b"\n", deny.as_bytes(), data].concat();
        let is_read = data.len() + 1 + deny.len() <= SCAN_MAX_BYTES;
        assert!(!is_read || !allows(&file, &ORIGIN).is_allowed());
    }
});
