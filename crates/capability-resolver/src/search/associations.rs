//! lab version
use std::collections::HashMap;
use std::sync::OnceLock;

static TABLE: OnceLock<HashMap<String, Vec<(String, f32)>>> = OnceLock::new();
static FREQ: OnceLock<(HashMap<String, f32>, f32)> = OnceLock::new();

pub(super) fn of(word: &str) -> impl Iterator<Item = (&'static str, f32)> {
    let table = TABLE.get_or_init(|| {
        let mut t: HashMap<String, Vec<(String, f32)>> = HashMap::new();
        if let Ok(path) = std::env::var("ASSOC") && let Ok(text) = std::fs::read_to_string(path) {
            for l in text.lines() {
                let mut p = l.split('\t');
                if let (Some(a), Some(b), Some(s)) = (p.next(), p.next(), p.next()) {
                    t.entry(a.into()).or_default().push((b.into(), s.parse().unwrap_or(0.0)));
                }
            }
        }
        t
    });
    table.get(word).into_iter().flatten().map(|(w, s)| (w.as_str(), *s))
}

pub(super) fn background(word: &str) -> (f32, f32) {
    let (t, n) = FREQ.get_or_init(|| {
        let mut t = HashMap::new();
        let mut n = 1.0;
        if let Ok(path) = std::env::var("FREQ") && let Ok(text) = std::fs::read_to_string(path) {
            for l in text.lines() {
                let mut p = l.split('\t');
                if let (Some(a), Some(s)) = (p.next(), p.next()) {
                    let s: f32 = s.parse().unwrap_or(0.0);
                    if a == "*" { n = s } else { t.insert(a.to_owned(), s); }
                }
            }
        }
        (t, n)
    });
    (t.get(word).copied().unwrap_or(0.0), *n)
}
