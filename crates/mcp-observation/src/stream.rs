//! The stream that HTTP+SSE leaves open: step 4.

use std::collections::VecDeque;

use guarded_fetch::{Error, Response};

use crate::answer::{Content, response_in};
use crate::sse::{Decoder, Event};

/// A stream of events that is read now and then. All that it ever holds are the bytes of one body, within its limit.
pub(crate) struct Stream {
    response: Response,
    decoder: Decoder,
    events: VecDeque<Event>,
}

/// Why no more events come: what went wrong, if it was not just the end.
pub(crate) type Ended = Option<Error>;

impl Stream {
    pub(crate) fn new(response: Response) -> Self {
        Self {
            response,
            decoder: Decoder::default(),
            events: VecDeque::new(),
        }
    }

    /// The data of the next event `endpoint`.
    pub(crate) async fn endpoint(&mut self) -> Result<String, Ended> {
        loop {
            let event = self.event().await?;
            if event.name == "endpoint" {
                return Ok(event.data);
            }
        }
    }

    /// The response to the request with this `id`: `mcp.answer.events`.
    pub(crate) async fn response(&mut self, id: u64) -> Result<Content, Ended> {
        loop {
            let event = self.event().await?;
            if let Some(content) = response_in(&event, id, true) {
                return Ok(content);
            }
        }
    }

    /// The next event. Dropping the future loses none.
    async fn event(&mut self) -> Result<Event, Ended> {
        loop {
            if let Some(event) = self.events.pop_front() {
                return Ok(event);
            }
            let chunk = self.response.chunk().await.map_err(Some)?.ok_or(None)?;
            let events = &mut self.events;
            self.decoder.push(&chunk, |event| events.push_back(event));
        }
    }
}
