//! What the search promises, on a few servers.

use proptest::prelude::*;

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
fn words_side_by_side_are_worth_more_than_apart() {
    let apart = server(
        "apart",
        "",
        &[("relay", "Send whatever is given to an email address")],
    );
    let beside = server(
        "beside",
        "",
        &[("relay", "Whatever is given to send email to an address")],
    );
    let documents = [apart, beside];
    for need in ["send email", "emails to send", "send an email"] {
        assert_eq!(found(&documents, need), ["beside", "apart"], "{need}");
    }
}

/// In a large index a few words of a need are met by chance in a long text; neighbours are not.
#[test]
fn neighbours_make_a_candidate_where_single_words_do_not() {
    let others = (0..3_000).map(|n| {
        server(
            &format!("s{n}"),
            "",
            &[("say", "Say what is new"), ("hear", "Hear what is new")],
        )
    });
    let mut documents: Vec<Document> = others.collect();
    let mut candidates = |words: &str| {
        let text = format!("{words} {}", "lorem ".repeat(56));
        documents.push(server("kitchen", "", &[("boil", &text)]));
        let found = found(
            &documents,
            "copper kettle from the attic of my aunt in Ghent",
        );
        documents.pop();
        found.len()
    };
    assert_eq!(candidates("kettle, lid and copper"), 0);
    assert_eq!(candidates("lid and copper kettle"), 1);
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

#[test]
fn stuffing_gains_nothing() {
    let honest = catalogue();
    let all_words: String = honest
        .iter()
        .flat_map(|server| &server.tools)
        .map(|tool| format!("{} {} ", tool.name, tool.description))
        .collect();
    let repeated = "email send weather forecast invoice currency ".repeat(80);
    let needs = [
        "send a transactional email",
        "weather forecast for a city",
        "create an invoice for a customer",
        "convert an amount from one currency to another",
    ];
    let every_word: Vec<(&str, &str)> = all_words
        .split_whitespace()
        .map(|word| (word, word))
        .collect();
    for stuffed in [
        server("repeats", &repeated, &[("tool", &repeated)]),
        server(
            "dictionary",
            &all_words.repeat(8),
            &[("tool", &all_words.repeat(8))],
        ),
        server("many-tools", "", &every_word),
        server(&repeated, "", &[(&repeated, "")]),
    ] {
        let mut documents = honest.clone();
        documents.push(stuffed);
        for need in needs {
            let (with, without) = (found(&documents, need), found(&honest, need));
            assert_eq!(
                with.first(),
                without.first(),
                "{need}: {}",
                documents[documents.len() - 1].name
            );
        }
    }
}

#[test]
fn one_name_in_several_forms_counts_once() {
    let score = |names: &[&str]| {
        let tools: Vec<_> = names.iter().map(|name| (*name, "Sends one")).collect();
        let index = Index::build([server("post", "Mail", &tools)]);
        index.find("send_email", 10, &mut |_| true)[0].score
    };
    let once = score(&["send_email", "list_folders", "read_message"]);
    let thrice = score(&["send_email", "sendEmail", "Send-Email"]);
    assert!(thrice <= once, "{thrice} {once}");
}

#[test]
fn others_do_not_change_what_a_server_is_worth() {
    let score = |documents: &[Document]| {
        let index = Index::build(documents.iter().cloned());
        index
            .find("send an email", 10, &mut |_| true)
            .into_iter()
            .find(|hit| hit.document == 0)
            .unwrap()
            .score
    };
    let alone = catalogue();
    let mut beside_long = alone.clone();
    beside_long.extend((0..5).map(|n| {
        server(
            &format!("long{n}"),
            &"something else entirely ".repeat(100),
            &[],
        )
    }));
    let mut beside_short = alone.clone();
    beside_short.extend((0..5).map(|n| server(&format!("short{n}"), "else", &[])));
    assert_eq!(
        score(&beside_long),
        score(&beside_short),
        "the lengths of others are nothing to it"
    );
}

/// Texts out of pieces that words are made and cut of.
fn texts() -> impl Strategy<Value = String> {
    let piece = prop::sample::select(vec![
        "send",
        "email",
        "e-mail",
        "SendEmail",
        "weather",
        "foreCast",
        "HTTPServer2",
        "3d",
        "the",
        "x",
        "",
        " ",
        "-",
        "_",
        "'",
        "\u{301}",
        "É",
        "ß",
        "İ",
        "予定",
        "を",
        "한국어",
        "перевод",
        "हिन्दी",
        "\u{1f600}",
        "\u{fdfa}",
        "\0",
        "\u{202e}",
        "=",
        "aB",
        "1",
    ]);
    prop::collection::vec(piece, 0..30).prop_map(|pieces| pieces.concat())
}

fn documents() -> impl Strategy<Value = Vec<Document>> {
    let tool = (texts(), texts()).prop_map(|(name, description)| ToolText { name, description });
    let document = (
        texts(),
        texts(),
        prop::collection::vec(texts(), 0..3),
        prop::collection::vec(tool, 0..4),
    );
    let document = document.prop_map(|(name, description, jobs, tools)| Document {
        key: name.clone(),
        name,
        description,
        jobs,
        tools,
    });
    prop::collection::vec(document, 0..12)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn whatever_is_asked_of_whatever_the_answer_is_sound(documents in documents(), need in texts(), limit in 0_usize..12) {
        let index = Index::build(documents.clone());
        prop_assert_eq!(index.len(), documents.len());
        let mut asked = Vec::new();
        let hits = index.find(&need, limit, &mut |hit| {
            asked.push(hit.clone());
            true
        });
        prop_assert_eq!(&hits, &asked);
        prop_assert!(hits.len() <= limit);
        prop_assert!(hits.is_sorted_by(|a, b| a.score >= b.score));
        let mut seen = std::collections::HashSet::new();
        for hit in &hits {
            prop_assert!(seen.insert(hit.document) && hit.score.is_finite() && hit.score > 0.0);
            let document = &documents[usize::try_from(hit.document).unwrap()];
            prop_assert!(hit.tools.iter().all(|tool| usize::try_from(*tool).unwrap() < document.tools.len()));
            let explanation = index.explain(&need, hit.document).unwrap();
            prop_assert_eq!(explanation.score, hit.score);
            prop_assert_eq!(explanation.tool, hit.tools.first().copied());
            prop_assert!(explanation.named || explanation.words.iter().any(|word| word.found.is_some()));
        }
        prop_assert_eq!(Index::build(documents).find(&need, limit, &mut |_| true), hits);
    }

    // The order in which servers are looked at closely leaves out none that is better.
    #[test]
    fn the_best_are_the_first_of_all(documents in documents(), need in texts()) {
        let index = Index::build(documents.clone());
        let all = index.find(&need, documents.len(), &mut |_| true);
        for limit in 0..all.len() {
            prop_assert_eq!(&index.find(&need, limit, &mut |_| true)[..], &all[..limit]);
        }
        for document in 0..u32::try_from(documents.len()).unwrap() {
            let explained = index.explain(&need, document).map(|explanation| explanation.score);
            let found = all.iter().find(|hit| hit.document == document).map(|hit| hit.score);
            prop_assert_eq!(explained, found);
        }
    }
}
