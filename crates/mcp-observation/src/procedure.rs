//! The procedure of section 15.1.3 without network and clock: an answer in, the next request out.

use std::time::Duration;

use guarded_fetch::{HeaderValue, Url};

use crate::answer::{Answer, Received};
use crate::challenge::Challenges;
use crate::findings::{Findings, ListEnd};
use crate::message::{Context, Message, Step};
use crate::outcome::{FailureClass, Outcome, Reason};
use crate::revision::Revision;
use crate::tables::{self, Next};
use crate::tool::Page;
use crate::{Options, Start, Target};

/// The most HTTP requests of one observation: `mcp.request.count`.
pub const MAX_REQUESTS: u8 = 6;

/// The most redirects that are followed in one observation: `mcp.redirect`.
pub const MAX_REDIRECTS: u8 = 3;

/// The most pages of tools: `mcp.tools.pages`.
pub const MAX_PAGES: u8 = 20;

/// The most tools: `mcp.tools.pages`.
pub const MAX_TOOLS: usize = 2_000;

/// A longer cursor, in bytes, is not sent back. The protocol has no limit; known servers stay below 200 bytes.
const MAX_CURSOR_BYTES: usize = 4_096;

/// One run of the procedure against one server.
///
/// Whoever runs it sends [`Procedure::next`], tells [`Procedure::answer`] what came, and starts over until there is
/// nothing to send; [`Procedure::give_up`] when the time is over.
pub struct Procedure<'a> {
    options: &'a Options,
    /// The URL asked, and the one that redirects have led to: `mcp.redirect`.
    asked: Url,
    url: Url,
    /// Where the messages of step 4 go.
    endpoint: Option<Url>,
    next: Option<Message>,
    requests: u8,
    hops: u8,
    last_id: u64,
    /// The time of the message that is under way, with its hops, and of the legacy handshake before it.
    message_took: Duration,
    handshake_took: Duration,
    /// Whether the message that is under way was lost once.
    was_lost: bool,
    step_1_gave_a_result: bool,
    step_2_was_done: bool,
    step_3_held_an_error: bool,
    session: Option<HeaderValue>,
    outcome: Option<Outcome>,
    /// The cursors that were sent, once the status is settled and further pages are read.
    cursors: Vec<String>,
    findings: Findings,
}

impl<'a> Procedure<'a> {
    /// Begins at step 1, or where `options` say: `mcp.era-cache`.
    #[must_use]
    pub fn new(target: &Target, options: &'a Options) -> Self {
        let url = target.url().clone();
        let mut procedure = Self {
            options,
            asked: url.clone(),
            url,
            endpoint: None,
            next: None,
            requests: 0,
            hops: 0,
            last_id: 0,
            message_took: Duration::ZERO,
            handshake_took: Duration::ZERO,
            was_lost: false,
            step_1_gave_a_result: false,
            step_2_was_done: false,
            step_3_held_an_error: false,
            session: None,
            outcome: None,
            cursors: Vec::new(),
            findings: Findings::default(),
        };
        procedure.send(match options.start {
            Start::Discover => Step::Discover,
            Start::ModernTools => Step::ModernTools,
            Start::Initialize => Step::Initialize,
            Start::Stream => Step::Stream,
        });
        procedure
    }

    /// What is to be sent now; `None` at the end.
    #[must_use]
    pub fn next(&self) -> Option<&Message> {
        self.next.as_ref()
    }

    /// What came of [`Procedure::next`], and how long it took from the start of the request to the complete answer.
    pub fn answer(&mut self, answer: &Answer, took: Duration) {
        let Some(message) = self.next.take() else {
            return;
        };
        let step = message.step;
        if let Some(wait) = answer.received().and_then(|received| received.retry_after) {
            self.findings.retry_after = self.findings.retry_after.max(Some(wait));
        }
        if self.is_paging() && step != Step::Delete {
            return self.page(step, answer);
        }
        self.message_took += took;
        if let Some(target) = self.redirect(&message, answer) {
            self.hops += 1;
            match step {
                Step::StreamInitialize | Step::StreamInitialized | Step::StreamTools => {
                    self.endpoint = Some(target.clone());
                }
                _ => self.url = target.clone(),
            }
            return self.push(Message {
                url: target,
                is_again: true,
                ..message
            });
        }
        // `mcp.request.again`: once for a message; nothing depends on DELETE.
        let is_worth_it = matches!(answer, Answer::Lost) && step != Step::Delete;
        if is_worth_it && !std::mem::replace(&mut self.was_lost, true) {
            return self.push(Message {
                is_again: true,
                ..message
            });
        }
        self.was_lost = false;
        let took = std::mem::take(&mut self.message_took);
        let next = match step {
            Step::Discover => {
                self.step_1_gave_a_result = answer.result().is_some();
                tables::discover(answer)
            }
            Step::ModernTools => {
                self.step_2_was_done = true;
                tables::modern_tools(answer, self.step_1_gave_a_result)
            }
            Step::Initialize => {
                self.step_3_held_an_error = answer.error().is_some();
                tables::initialize(answer, self.step_2_was_done)
            }
            Step::LegacyTools => tables::legacy_tools(answer),
            Step::Stream => tables::stream(answer, self.step_3_held_an_error),
            Step::StreamInitialize => tables::on_stream(answer, |answer| {
                tables::initialize(answer, self.step_2_was_done)
            }),
            Step::StreamTools => tables::on_stream(answer, tables::legacy_tools),
            Step::Initialized | Step::StreamInitialized if answer.asks_to_sign_in() => {
                Next::End(Outcome::SignIn)
            }
            Step::Initialized => {
                self.handshake_took += took;
                return self.send(Step::LegacyTools);
            }
            Step::StreamInitialized => {
                self.handshake_took += took;
                return self.send(Step::StreamTools);
            }
            Step::Delete => return,
        };
        if let Some(result) = answer.result() {
            self.findings.server.learn(result);
        }
        self.follow(step, next, answer, took);
    }

    /// The time is over: `mcp.limits`. What is settled stays so.
    pub fn give_up(&mut self) {
        self.next = None;
        let late = Outcome::Failure(FailureClass::Timeout);
        self.outcome.get_or_insert(late);
    }

    /// What follows from all of it. Before the end it is what follows from giving up now.
    #[must_use]
    pub fn finish(mut self) -> Findings {
        self.give_up();
        self.findings.outcome = self.outcome.unwrap_or(self.findings.outcome);
        self.findings.requests = self.requests;
        self.findings
    }

    fn follow(&mut self, step: Step, next: Next, answer: &Answer, took: Duration) {
        match next {
            Next::ModernTools => {
                self.findings.revision = Some(Revision::MODERN);
                self.send(Step::ModernTools);
            }
            Next::Initialize => {
                self.findings.revision = None;
                self.send(Step::Initialize);
            }
            Next::Stream => self.send(Step::Stream),
            Next::Endpoint(data) => match self.endpoint_url(&data) {
                Some(url) => {
                    self.endpoint = Some(url);
                    self.send(Step::StreamInitialize);
                }
                None => self.settle(Outcome::Unknown(Reason::Protocol)),
            },
            Next::Session(revision) => {
                self.findings.revision = Some(revision);
                self.handshake_took = took;
                if step == Step::Initialize {
                    let received = answer.received();
                    self.session = received.and_then(|received| received.session_id.clone());
                    self.send(Step::Initialized);
                } else {
                    self.send(Step::StreamInitialized);
                }
            }
            Next::End(outcome) => {
                if outcome.is_settled() {
                    self.note(step, outcome, answer, took);
                }
                if outcome == Outcome::Ok {
                    self.outcome = Some(outcome);
                    self.list(step, answer.result().unwrap_or_default());
                } else {
                    self.settle(outcome);
                }
            }
        }
    }

    /// What `ok` and `sign_in` leave behind: `mcp.handshake`, `mcp.era-cache`.
    fn note(&mut self, step: Step, outcome: Outcome, answer: &Answer, took: Duration) {
        let took = match (outcome, step) {
            (Outcome::Ok, Step::LegacyTools | Step::StreamTools) => self.handshake_took + took,
            _ => took,
        };
        self.findings.handshake_ms = u64::try_from(took.as_nanos().div_ceil(1_000_000)).ok();
        self.findings.led_by = Some(match step {
            Step::Discover => Start::Discover,
            Step::ModernTools => Start::ModernTools,
            Step::Initialize | Step::Initialized | Step::LegacyTools => Start::Initialize,
            _ => Start::Stream,
        });
        if outcome == Outcome::SignIn {
            let values = answer.received().map(Received::challenges);
            self.findings.challenges = Some(Challenges::read(values.unwrap_or_default()));
        } else if step == Step::ModernTools {
            self.findings.revision = Some(Revision::MODERN);
        }
    }

    /// The status is settled: what is left is to end the session.
    fn settle(&mut self, outcome: Outcome) {
        self.outcome.get_or_insert(outcome);
        let ends = |revision: Revision| revision.ends_sessions();
        let has_to_end = self.session.is_some() && self.findings.revision.is_some_and(ends);
        if has_to_end && self.requests < MAX_REQUESTS {
            self.send(Step::Delete);
        }
    }

    /// `mcp.tools.pages`: takes a page, and asks for the next where somebody wants to index it.
    fn list(&mut self, step: Step, result: &str) {
        let left = MAX_TOOLS - self.findings.tools.len();
        let page = Page::read(result, left);
        self.findings.tools.extend(page.tools);
        let pages = self.cursors.len() + 1;
        let end = match page.next_cursor {
            _ if page.is_cut => ListEnd::TooManyTools,
            None => ListEnd::Complete,
            Some(_) if !self.options.all_pages => ListEnd::FirstPage,
            Some(_) if pages >= usize::from(MAX_PAGES) => ListEnd::TooManyPages,
            Some(_) if self.findings.tools.len() >= MAX_TOOLS => ListEnd::TooManyTools,
            Some(cursor) if self.cursors.contains(&cursor) => ListEnd::RepeatedCursor,
            Some(cursor) if cursor.len() > MAX_CURSOR_BYTES => ListEnd::Refused,
            Some(cursor) => {
                self.cursors.push(cursor);
                // Where the time ends before the next page is there.
                self.findings.list_end = ListEnd::Refused;
                let message = self.message(step);
                self.next = Some(message);
                return;
            }
        };
        self.end_list(end);
    }

    fn page(&mut self, step: Step, answer: &Answer) {
        let table = match step {
            Step::ModernTools => tables::modern_tools(answer, true),
            _ => tables::legacy_tools(answer),
        };
        match (table, answer.result()) {
            (Next::End(Outcome::Ok), Some(result)) => self.list(step, result),
            _ => self.end_list(ListEnd::Refused),
        }
    }

    fn end_list(&mut self, end: ListEnd) {
        self.findings.list_end = end;
        self.cursors.clear();
        self.settle(Outcome::Ok);
    }

    /// Whether the status is `ok` and a further page is under way.
    fn is_paging(&self) -> bool {
        !self.cursors.is_empty()
    }

    /// `mcp.redirect`: where the same request goes, if it does.
    fn redirect(&self, message: &Message, answer: &Answer) -> Option<Url> {
        let location = answer.received()?.location()?;
        let mut target = message.url.join(location).ok()?;
        if target.scheme() == "http" && self.asked.scheme() == "https" {
            target.set_scheme("https").ok()?;
        }
        (self.hops < MAX_REDIRECTS && self.is_same_origin(&target)).then_some(target)
    }

    /// `mcp.step.sse`.
    fn endpoint_url(&self, data: &str) -> Option<Url> {
        let url = self.url.join(data).ok()?;
        self.is_same_origin(&url).then_some(url)
    }

    /// User information is not sent (`http.no-credentials`), so that a URL with it is no URL of this origin.
    fn is_same_origin(&self, url: &Url) -> bool {
        url.origin() == self.asked.origin() && url.username().is_empty() && url.password().is_none()
    }

    fn send(&mut self, step: Step) {
        if step == Step::Initialize {
            self.session = None;
        }
        let message = self.message(step);
        self.push(message);
    }

    /// `mcp.request.count`.
    fn push(&mut self, message: Message) {
        if self.requests < MAX_REQUESTS {
            self.requests += 1;
            self.next = Some(message);
        } else {
            self.outcome.get_or_insert(Outcome::Unknown(Reason::Budget));
        }
    }

    fn message(&mut self, step: Step) -> Message {
        self.last_id += 1;
        let url = match (step, &self.endpoint) {
            (
                Step::StreamInitialize | Step::StreamInitialized | Step::StreamTools,
                Some(endpoint),
            ) => endpoint,
            _ => &self.url,
        };
        let context = Context {
            client: &self.options.client,
            session: self.session.as_ref(),
            revision: self.findings.revision,
            cursor: self.cursors.last().map(String::as_str),
        };
        Message::new(step, url.clone(), self.last_id, &context)
    }
}
