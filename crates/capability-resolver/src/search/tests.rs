//! What the search promises, on a few servers.

use super::{Document, Hit, Index, ToolText};

fn server(name: &str, description: &str, tools: &[(&str, &str)]) -> Document {
    Document {
        key: format!("https://{name}.example/mcp"),
        name: name.to_owned(),
        description: description.to_owned(),
        jobs: Vec::new(),
        tools: tools
            .iter()
            .map(|(name, description)| ToolText {
                name: (*name).to_owned(),
                description: (*description).to_owned(),
            })
            .collect(),
    }
}

fn catalogue() -> Vec<Document> {
    vec![
        server(
            "postbox",
            "Mail for programs",
            &[
                (
                    "send_email",
                    "Send a transactional email to one or more recipients",
                ),
                ("list_templates", "List the templates of an account"),
            ],
        ),
        server(
            "weather",
            "Forecasts for any place",
            &[
                (
                    "getForecast",
                    "The weather forecast of the next days for a city",
                ),
                ("getAirQuality", "Air quality by postal code"),
            ],
        ),
        server(
            "ledger",
            "Bookkeeping",
            &[
                ("create_invoice", "Create an invoice for a customer"),
                (
                    "convert_currency",
                    "Convert an amount from one currency to another",
                ),
            ],
        ),
        server(
            "カレンダー",
            "予定を管理する",
            &[("予定を追加", "カレンダーに新しい予定を追加します")],
        ),
        server(
            "переводчик",
            "Перевод текста",
            &[("перевести", "Переводит текст на другой язык")],
        ),
    ]
}

fn found(documents: &[Document], need: &str) -> Vec<String> {
    let index = Index::build(documents.iter().cloned());
    let hits = index.find(need, 10, &mut |_| true);
    hits.iter()
        .map(|hit| {
            documents[usize::try_from(hit.document).unwrap()]
                .name
                .clone()
        })
        .collect()
}

fn first(need: &str) -> Option<String> {
    found(&catalogue(), need).into_iter().next()
}

#[test]
fn a_need_finds_the_server_that_does_it() {
    for (need, name) in [
        ("send a transactional email", "postbox"),
        (
            "please could you help me with sending emails to a customer",
            "postbox",
        ),
        ("SEND_EMAIL", "postbox"),
        ("getForecast", "weather"),
        ("get forecast", "weather"),
        ("I want to know the air-quality in my city", "weather"),
        ("airquality", "weather"),
        ("invocie", "ledger"),
        ("invoi", "ledger"),
        ("conversion of currencies", "ledger"),
        ("予定を追加したい", "カレンダー"),
        ("Перевести текст", "переводчик"),
    ] {
        assert_eq!(first(need).as_deref(), Some(name), "{need}");
    }
}

#[test]
fn no_candidate_rather_than_a_wrong_one() {
    for need in [
        "walk my dog",
        "who are you and what is this",
        "???",
        "fix the leaking roof of my house",
        "猫",
    ] {
        assert_eq!(first(need), None, "{need}");
    }
}

#[test]
fn the_tools_of_a_hit_are_those_for_the_need() {
    let index = Index::build(catalogue());
    let tools = |need: &str| index.find(need, 1, &mut |_| true).remove(0).tools;
    assert_eq!(tools("send an email"), [0]);
    assert_eq!(tools("list the templates"), [1]);
    assert_eq!(
        tools("bookkeeping"),
        [0_u32; 0],
        "no tool has the word, only the server"
    );
}

#[test]
fn keep_is_asked_in_order_until_enough_are_kept() {
    let documents: Vec<Document> = (0..50)
        .map(|n| server(&format!("s{n}"), "", &[("send_email", "")]))
        .collect();
    let index = Index::build(documents);
    let mut asked = Vec::new();
    let mut keep = |hit: &Hit| {
        asked.push(hit.document);
        hit.document.is_multiple_of(2)
    };
    let kept = index.find("send email", 10, &mut keep);
    assert_eq!(kept.len(), 10);
    let even: Vec<u32> = asked
        .iter()
        .copied()
        .filter(|document| document.is_multiple_of(2))
        .collect();
    assert_eq!(
        kept.iter().map(|hit| hit.document).collect::<Vec<_>>(),
        even
    );
    assert_eq!(
        asked.last(),
        even.last(),
        "nobody is asked after the last one"
    );
}

#[test]
fn among_equals_the_place_in_the_index_says_nothing() {
    let documents = |order: &[u32]| -> Vec<Document> {
        order
            .iter()
            .map(|n| server(&format!("s{n}"), "", &[("send_email", "")]))
            .collect()
    };
    let (there, back): (Vec<u32>, Vec<u32>) = ((0..20).collect(), (0..20).rev().collect());
    let order = |numbers: &[u32], need: &str| found(&documents(numbers), need);
    assert_eq!(order(&there, "send email"), order(&back, "send email"));
    let firsts: std::collections::HashSet<String> = [
        "send email",
        "send an email",
        "email",
        "sends emails",
        "send e-mail",
    ]
    .iter()
    .map(|need| order(&there, need).remove(0))
    .collect();
    assert!(
        firsts.len() > 1,
        "one operator is first for every need: {firsts:?}"
    );
}
