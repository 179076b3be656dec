//! Runs the procedure over the network.

use std::time::Duration;

use capability_resolution::Time;
use guarded_fetch::{
    Class, Error, Fetcher, HeaderValue, Redirects, Request, Response, Session, Stage,
};
use tokio::time::{Instant, timeout};

use crate::answer::{Answer, Content, End, Reader, Received};
use crate::message::{Message, Reading, Step};
use crate::observation::{Exchange, NotObserved, Observation};
use crate::procedure::Procedure;
use crate::stream::Stream;
use crate::{Limits, Options, Target};

/// Observes a server once, beginning at `started`: sends what section 15.1.3 says, and nothing else.
///
/// The future can be dropped at any time; what the server holds then (a session) is left to it.
///
/// # Errors
/// [`NotObserved`], where nothing was sent for a reason that is not the server's.
pub async fn probe(
    fetcher: &Fetcher,
    target: &Target,
    options: &Options,
    started: Time,
) -> Result<Observation, NotObserved> {
    let limits = options.limits;
    let url = target.url().as_str();
    let mut procedure = Procedure::new(target, options);
    let mut exchanges = Vec::new();
    let session = match fetcher.session(url, limits.total).await {
        Ok(session) => session,
        // A literal address that is refused: there is no connection, and never was a turn.
        Err(error @ Error::AddressRefused { .. }) => {
            exchanges.extend(procedure.next().map(|message| Exchange {
                step: message.step,
                status: None,
                failure: Some(error.code()),
                took: Duration::ZERO,
            }));
            procedure.answer(&Answer::NoConnection, Duration::ZERO);
            let findings = procedure.finish();
            return Ok(Observation::new(
                target,
                started,
                Duration::ZERO,
                exchanges,
                findings,
            ));
        }
        Err(error) => return Err(NotObserved(error)),
    };
    let began = Instant::now();
    let mut conversation = Conversation {
        session,
        limits,
        stream: None,
        step_began: began,
        completed: None,
        failure: None,
    };
    while let Some(message) = procedure.next() {
        let (step, sent) = (message.step, Instant::now());
        let answer = conversation.exchange(message).await;
        let completed = conversation.completed.take();
        let took = completed.unwrap_or_else(Instant::now) - sent;
        let failure = conversation.failure.take();
        if let Some(error @ Error::NoRoots { .. }) = failure {
            return Err(NotObserved(error));
        }
        exchanges.push(Exchange {
            step,
            status: answer.status(),
            failure: failure.as_ref().map(Error::code),
            took,
        });
        procedure.answer(&answer, took);
        if failure.as_ref().is_some_and(is_out_of_time) || began.elapsed() >= limits.total {
            procedure.give_up();
        }
    }
    let took = began.elapsed();
    let findings = procedure.finish();
    Ok(Observation::new(target, started, took, exchanges, findings))
}

struct Conversation {
    session: Session,
    limits: Limits,
    stream: Option<Stream>,
    /// When the message that is under way was sent first: to send it again does not start its time anew.
    step_began: Instant,
    /// When the answer was complete, if the exchange went on after that.
    completed: Option<Instant>,
    /// What went wrong in the last exchange, if anything did.
    failure: Option<Error>,
}

impl Conversation {
    async fn exchange(&mut self, message: &Message) -> Answer {
        if !message.is_again {
            self.step_began = Instant::now();
        }
        match message.step.reading() {
            Reading::Stream => match self.stream.take() {
                Some(mut stream) => {
                    let answer = self.on_stream(message, &mut stream).await;
                    self.stream = Some(stream);
                    answer
                }
                None => Answer::Unreadable,
            },
            Reading::Endpoint => match self.send(message).await {
                Ok(response) => self.open(response).await,
                Err(answer) => answer,
            },
            Reading::Nothing => match self.send(message).await {
                Ok(mut response) => {
                    let head = head(&response);
                    drain(&mut response).await;
                    Answer::Received(head)
                }
                Err(answer) => answer,
            },
            Reading::Body => match self.send(message).await {
                Ok(response) => self.body_of(response, message.id).await,
                Err(answer) => answer,
            },
        }
    }

    async fn send(&mut self, message: &Message) -> Result<Response, Answer> {
        let request = request(message, &self.limits, self.step_began);
        let sent = self.session.send(request).await;
        sent.map_err(|error| self.fail(error))
    }

    /// What there is where there is no head.
    fn fail(&mut self, error: Error) -> Answer {
        let answer = without_head(&error);
        self.failure = Some(error);
        answer
    }

    async fn body_of(&mut self, mut response: Response, id: Option<u64>) -> Answer {
        let mut reader = Reader::new(
            response.status(),
            response.headers(),
            is_event_stream(&response),
            response.retry_after(),
            id.unwrap_or_default(),
        );
        let end = loop {
            match response.chunk().await {
                Ok(Some(bytes)) if reader.push(&bytes) => {
                    self.completed = Some(Instant::now());
                    let rest = async { while let Ok(Some(_)) = response.chunk().await {} };
                    let _ = timeout(LINGER, rest).await;
                    break End::Complete;
                }
                Ok(Some(_)) => {}
                Ok(None) => break End::Complete,
                Err(error) => break self.end(error),
            }
        };
        reader.finish(end)
    }

    /// Waits for the event `endpoint`, and keeps the stream.
    async fn open(&mut self, response: Response) -> Answer {
        let head = head(&response);
        if !head.is_success() || !is_event_stream(&response) {
            return Answer::Received(head);
        }
        let mut stream = Stream::new(response);
        let endpoint = timeout(self.limits.endpoint, stream.endpoint()).await;
        match endpoint {
            Ok(Ok(data)) => {
                self.stream = Some(stream);
                Answer::Received(head.with(Content::Endpoint(data)))
            }
            Ok(Err(error)) => {
                self.failure = error;
                Answer::Received(head)
            }
            Err(_) => Answer::Received(head),
        }
    }

    /// Sends, and reads the stream at the same time: a server may answer there first, and may wait with its answer to
    /// the POST until the stream was read.
    async fn on_stream(&mut self, message: &Message, stream: &mut Stream) -> Answer {
        let id = message.id.unwrap_or_default();
        let request = request(message, &self.limits, self.step_began);
        let (posted, heard) = {
            let mut posting = std::pin::pin!(post(&self.session, request));
            let mut listening = std::pin::pin!(stream.response(id));
            tokio::select! {
                posted = &mut posting => match posted {
                    Ok(Posted::Accepted(head)) => {
                        (Ok(Posted::Accepted(head)), Some(listening.await))
                    }
                    other => (other, None),
                },
                heard = &mut listening => (posting.await, Some(heard)),
            }
        };
        match (posted, heard) {
            (Err(error), _) => self.fail(error),
            (Ok(Posted::Refused(response)), _) => self.body_of(*response, message.id).await,
            (Ok(Posted::Accepted(head)), heard) => Answer::Received(head.with(match heard {
                Some(Ok(content)) => content,
                Some(Err(Some(error))) => match self.end(error) {
                    End::Late => Content::Late,
                    _ => Content::Broken,
                },
                _ => Content::Broken,
            })),
        }
    }

    fn end(&mut self, error: Error) -> End {
        let is_late = matches!(error, Error::TimedOut { .. });
        self.failure = Some(error);
        if is_late { End::Late } else { End::Broken }
    }
}

/// The answer to a POST of step 4.
enum Posted {
    /// The response comes on the stream.
    Accepted(Received),
    /// The response is this one.
    Refused(Box<Response>),
}

async fn post(session: &Session, request: Request) -> Result<Posted, Error> {
    let mut response = session.send(request).await?;
    let head = head(&response);
    if !head.is_success() {
        return Ok(Posted::Refused(Box::new(response)));
    }
    drain(&mut response).await;
    Ok(Posted::Accepted(head))
}

/// Reads a body to be rid of it: then the connection can be used again. Some servers answer a notification with a
/// stream that stays open; that is not waited for.
async fn drain(response: &mut Response) {
    if !is_event_stream(response) {
        while let Ok(Some(_)) = response.chunk().await {}
    }
}

fn request(message: &Message, limits: &Limits, step_began: Instant) -> Request {
    let (step, url) = (message.step, message.url.as_str());
    let json = HeaderValue::from_static("application/json");
    let mut request = match step.message() {
        Some(_) => Request::post(url, json, message.body.clone()),
        None => Request::new(step.method(), url),
    };
    for (name, value) in &message.headers {
        request = request.header(name.clone(), value.clone());
    }
    let total = match (step, step.reading()) {
        (Step::Discover, _) => limits.discover.saturating_sub(step_began.elapsed()),
        // Their answers are not looked at, so that there is nothing to wait for.
        (_, Reading::Nothing | Reading::Stream) => limits.head,
        _ => limits.total,
    };
    request
        .redirects(Redirects::None)
        .limits(guarded_fetch::Limits {
            connect: limits.connect,
            head: limits.head,
            idle: limits.total,
            // A limit of nothing is no limit that the fetcher takes.
            total: total.max(Duration::from_millis(1)),
            request_bytes: MAX_REQUEST_BYTES,
            response_bytes: limits.body,
        })
}

/// How long the end of a stream is waited for after the response came on it. Most servers end it at once, and the
/// connection is then used again.
const LINGER: Duration = Duration::from_millis(50);

/// A cursor of 4,096 bytes is at most six times as long in JSON.
const MAX_REQUEST_BYTES: usize = 65_536;

fn head(response: &Response) -> Received {
    Received::new(
        response.status(),
        response.headers(),
        response.retry_after(),
    )
}

/// `mcp.answer.body`.
fn is_event_stream(response: &Response) -> bool {
    response.media_type().as_deref() == Some("text/event-stream")
}

fn without_head(error: &Error) -> Answer {
    match error {
        Error::TimedOut {
            stage: Stage::Connect,
            ..
        } => Answer::NoConnection,
        Error::TimedOut { .. } => Answer::Late,
        _ if error.class() == Class::Connection => Answer::NoConnection,
        Error::KeptConnectionLost { .. } => Answer::Lost,
        _ => Answer::Unreadable,
    }
}

fn is_out_of_time(error: &Error) -> bool {
    matches!(
        error,
        Error::TimedOut {
            stage: Stage::Session,
            ..
        }
    )
}
