//! What a recording shows: the documents and tokens in it, each read once.

use std::collections::HashSet;

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use capability_resolution::{
    Answer, Claims, Discovery, Record, RecordClaims, Refusal, ServerUrl, Time, UnverifiedToken,
};
use serde_json::{Map, Value};

use super::check::{Not, could_not_tell};
use super::recording::{Ask, Document, Exchange, Recording, Reply};

/// What a recording shows.
#[derive(Debug)]
pub(crate) struct Evidence<'r> {
    pub(crate) recording: &'r Recording,
    /// The newest discovery document that can be read: a key stays published as long as its tokens live.
    discovery: Option<Discovery>,
    /// Every discovery document, answer and record that came with status 200.
    documents: Vec<DocumentSeen<'r>>,
    /// Every token of a candidate and of a record, each once.
    pub(crate) tokens: Vec<TokenSeen>,
}

/// A document that came with status 200.
#[derive(Debug)]
pub(crate) struct DocumentSeen<'r> {
    pub(crate) kind: Document,
    pub(crate) exchange: &'r Exchange,
    pub(crate) reply: &'r Reply,
    /// What our reader says of the document as a whole; of its tokens see [`TokenSeen`].
    pub(crate) refusal: Option<Refusal>,
    /// Members that differ from what was signed, as JSON pointers.
    pub(crate) differing: Vec<String>,
    /// The members, read without judging them.
    pub(crate) members: Option<Map<String, Value>>,
}

/// A token.
#[derive(Debug)]
pub(crate) struct TokenSeen {
    pub(crate) jws: String,
    /// Where it was, in words.
    pub(crate) place: String,
    pub(crate) of_record: bool,
    pub(crate) verified: Result<(Claims, Option<RecordClaims>), Refusal>,
    /// The header and the payload as they are, if they are JSON objects.
    pub(crate) header: Option<Map<String, Value>>,
    pub(crate) payload: Option<Map<String, Value>>,
}

impl<'r> Evidence<'r> {
    pub(crate) fn new(recording: &'r Recording) -> Self {
        let replies = || {
            recording.exchanges.iter().filter_map(|exchange| {
                let reply = exchange.reply.as_ref().ok()?;
                let kind = exchange.ask.document()?;
                (reply.status == 200).then_some((kind, exchange, reply))
            })
        };
        let read = |reply: &Reply| Discovery::read(&reply.body, &recording.issuer);
        let discovery = replies()
            .filter(|(kind, ..)| *kind == Document::Discovery)
            .filter_map(|(.., reply)| read(reply).ok())
            .next_back();
        let mut evidence = Self {
            recording,
            discovery,
            documents: Vec::new(),
            tokens: Vec::new(),
        };
        let mut seen = HashSet::new();
        for (kind, exchange, reply) in replies() {
            let mut document = DocumentSeen {
                kind,
                exchange,
                reply,
                refusal: None,
                differing: Vec::new(),
                members: serde_json::from_slice(&reply.body).ok(),
            };
            match (kind, &evidence.discovery) {
                (Document::Discovery, _) => document.refusal = read(reply).err(),
                (Document::Answer, Some(discovery)) => document.read_answer(discovery),
                (Document::Record, Some(discovery)) => document.read_record(discovery),
                (_, None) => {}
            }
            if let Some(discovery) = &evidence.discovery {
                let tokens = document.tokens(discovery);
                evidence
                    .tokens
                    .extend(tokens.filter(|token| seen.insert(token.jws.clone())));
            }
            evidence.documents.push(document);
        }
        evidence
    }

    /// The discovery document that everything else is judged by.
    pub(crate) fn discovery(&self) -> Result<&Discovery, Not> {
        self.discovery
            .as_ref()
            .ok_or_else(|| Not::CouldNotTell("the discovery document cannot be used".to_owned()))
    }

    /// The documents of a kind that came with status 200.
    pub(crate) fn documents(
        &self,
        kind: Document,
    ) -> Result<impl Iterator<Item = &DocumentSeen<'r>>, Not> {
        let of_kind = move |document: &&DocumentSeen<'_>| document.kind == kind;
        if self.documents.iter().any(|document| of_kind(&document)) {
            return Ok(self.documents.iter().filter(of_kind));
        }
        could_not_tell(self.why_none(kind))
    }

    /// Why there is no document of a kind.
    pub(crate) fn why_none(&self, kind: Document) -> String {
        let asked = self.recording.of(kind).next();
        match asked.map(|exchange| (exchange, &exchange.reply)) {
            Some((exchange, Ok(reply))) => {
                format!("{} was answered with {}", exchange.what(), reply.status)
            }
            Some((_, Err(none))) => none.why.clone(),
            None if self.discovery.is_none() => {
                "nothing was asked: the discovery document cannot be used".to_owned()
            }
            None if kind == Document::Record => {
                "nothing was asked: no candidate points to a record".to_owned()
            }
            None => self.recording.why_not_asked(),
        }
    }

    /// The answers, with the candidates in them.
    pub(crate) fn candidates(&self) -> Result<Vec<(String, &Value)>, Not> {
        let mut found = Vec::new();
        for document in self.documents(Document::Answer)? {
            for (at, candidate) in document.candidates().iter().enumerate() {
                let place = format!("/candidates/{at} of {}", document.exchange.what());
                found.push((place, candidate));
            }
        }
        if found.is_empty() {
            return could_not_tell(
                "no answer had a candidate: name a need that has some with --sample-need",
            );
        }
        Ok(found)
    }

    /// Every token, or why there is none.
    pub(crate) fn all_tokens(&self) -> Result<&[TokenSeen], Not> {
        if self.tokens.is_empty() {
            self.candidates()?;
            return could_not_tell("no candidate holds a token that can be judged");
        }
        Ok(&self.tokens)
    }

    /// The tokens whose signature and claims hold.
    pub(crate) fn claims(&self) -> Result<Vec<(&TokenSeen, &Claims)>, Not> {
        let tokens = self.all_tokens()?.iter();
        let verified: Vec<_> = tokens
            .filter_map(|token| Some((token, &token.verified.as_ref().ok()?.0)))
            .collect();
        if verified.is_empty() {
            return could_not_tell("no token verifies");
        }
        Ok(verified)
    }

    /// The verified claims of a token.
    pub(crate) fn claims_of(&self, jws: &str) -> Option<&(Claims, Option<RecordClaims>)> {
        let token = self.tokens.iter().find(|token| token.jws == jws)?;
        token.verified.as_ref().ok()
    }

    /// The document that came for one request.
    pub(crate) fn document(&self, ask: Ask) -> Option<&DocumentSeen<'r>> {
        self.documents
            .iter()
            .find(|document| document.exchange.ask == ask)
    }
}

impl DocumentSeen<'_> {
    fn read_answer(&mut self, discovery: &Discovery) {
        match Answer::read(&self.reply.body, discovery, self.exchange.received) {
            Ok(answer) => self.differing = answer.copy_differs,
            Err(refusal) => self.refusal = Some(refusal),
        }
    }

    fn read_record(&mut self, discovery: &Discovery) {
        let now = self.exchange.received;
        let asked = self
            .exchange
            .url
            .split_once("url=")
            .map(|(_, url)| decoded(url));
        let asked = asked.and_then(|url| server_url(&url, discovery));
        match Record::read(&self.reply.body, discovery, asked.as_ref(), now) {
            Ok(record) => self.differing = record.copy_differs,
            Err(refusal) => {
                let of_token = self
                    .tokens(discovery)
                    .any(|token| token.verified.as_ref().err() == Some(&refusal));
                self.refusal = (!of_token).then_some(refusal);
            }
        }
    }

    /// The candidates as they are.
    pub(crate) fn candidates(&self) -> &[Value] {
        let candidates = self.members.as_ref().and_then(|m| m.get("candidates"));
        candidates
            .and_then(Value::as_array)
            .map_or(&[], Vec::as_slice)
    }

    fn tokens(&self, discovery: &Discovery) -> impl Iterator<Item = TokenSeen> {
        let now = self.exchange.received;
        let jws = |value: &Value| value.get("jws").and_then(Value::as_str).map(str::to_owned);
        let what = self.exchange.what();
        let found: Vec<(String, String, bool)> = match self.kind {
            Document::Discovery => Vec::new(),
            Document::Answer => {
                let jws = self.candidates().iter().enumerate();
                let jws = jws.filter_map(|(at, value)| Some((at, value.get("jws")?.as_str()?)));
                jws.map(|(at, jws)| (format!("/candidates/{at} of {what}"), jws.to_owned(), false))
                    .collect()
            }
            Document::Record => {
                let record = self.members.clone().map(Value::Object);
                let jws = record.as_ref().and_then(jws);
                jws.map(|jws| (what, jws, true)).into_iter().collect()
            }
        };
        let see = |(place, jws, of_record): (String, String, bool)| {
            let verified = verify(&jws, discovery, now, of_record);
            let mut segments = jws.split('.').map(object_of);
            TokenSeen {
                header: segments.next().flatten(),
                payload: segments.next().flatten(),
                place,
                of_record,
                verified,
                jws,
            }
        };
        found.into_iter().map(see).collect::<Vec<_>>().into_iter()
    }

    /// A string among the members.
    pub(crate) fn text(&self, member: &str) -> Option<&str> {
        self.members.as_ref()?.get(member)?.as_str()
    }
}

fn verify(
    jws: &str,
    discovery: &Discovery,
    now: Time,
    record: bool,
) -> Result<(Claims, Option<RecordClaims>), Refusal> {
    let token = UnverifiedToken::parse(jws.as_bytes())?;
    if record {
        let (token, claims) = token.verify_record(discovery, now)?;
        return Ok((token.claims().clone(), Some(claims)));
    }
    Ok((token.verify(discovery, now)?.claims().clone(), None))
}

/// The JSON object in a segment.
fn object_of(segment: &str) -> Option<Map<String, Value>> {
    serde_json::from_slice(&URL_SAFE_NO_PAD.decode(segment).ok()?).ok()
}

/// A server URL of a resolver: one of this machine only states servers of this machine.
pub(crate) fn server_url(text: &str, discovery: &Discovery) -> Option<ServerUrl> {
    if discovery.issuer().is_loopback()
        && let Ok(url) = ServerUrl::loopback(text)
    {
        return Some(url);
    }
    text.parse().ok()
}

/// A value of a query that [`super::probes::encoded`] made.
fn decoded(value: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = value.bytes();
    while let Some(byte) = rest.next() {
        let digits = (byte == b'%').then(|| (rest.next(), rest.next()));
        let digit = |byte: Option<u8>| char::from(byte?).to_digit(16);
        match digits {
            Some((high, low)) => {
                let value = digit(high).unwrap_or(0) * 16 + digit(low).unwrap_or(0);
                bytes.push(u8::try_from(value).unwrap_or(b'?'));
            }
            None => bytes.push(byte),
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}
