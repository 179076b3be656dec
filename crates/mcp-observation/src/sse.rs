//! Event streams by the rules of WHATWG HTML, section 9.2.6: bytes in, events out.
//!
//! A decoder keeps no more than the event that it is in, so that who bounds the body bounds the decoder.

/// One event: `mcp.answer.events` asks for its name and its data only.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Event {
    /// Empty where the stream gave none, which means `message`.
    pub(crate) name: String,
    pub(crate) data: String,
}

impl Event {
    /// Whether it may hold a message: its name is `message` or none, and its data is not empty.
    pub(crate) fn is_message(&self) -> bool {
        (self.name.is_empty() || self.name == "message") && !self.data.is_empty()
    }
}

/// What is known of a stream so far.
#[derive(Default)]
pub(crate) struct Decoder {
    line: Vec<u8>,
    /// The last line ended in CR: a LF that follows belongs to it.
    after_cr: bool,
    /// A byte order mark is dropped once, before the first line.
    begun: bool,
    name: String,
    data: String,
}

impl Decoder {
    /// Takes the next bytes, cut anywhere, and gives out the events that they complete.
    pub(crate) fn push(&mut self, mut bytes: &[u8], mut give: impl FnMut(Event)) {
        while let Some(end) = bytes.iter().position(|byte| matches!(byte, b'\r' | b'\n')) {
            let is_rest_of_crlf = self.after_cr && end == 0 && bytes[0] == b'\n';
            self.after_cr = bytes[end] == b'\r';
            if !is_rest_of_crlf {
                self.line.extend_from_slice(&bytes[..end]);
                if let Some(event) = self.end_line() {
                    give(event);
                }
            }
            bytes = &bytes[end + 1..];
        }
        if !bytes.is_empty() {
            self.after_cr = false;
            self.line.extend_from_slice(bytes);
        }
    }

    fn end_line(&mut self) -> Option<Event> {
        let line = std::mem::take(&mut self.line);
        let mut line = line.as_slice();
        if !std::mem::replace(&mut self.begun, true) {
            line = line.strip_prefix("\u{feff}".as_bytes()).unwrap_or(line);
        }
        if line.is_empty() {
            return self.end_event();
        }
        let colon = line.iter().position(|byte| *byte == b':');
        let (field, value) = line.split_at(colon.unwrap_or(line.len()));
        let value = value.strip_prefix(b":").unwrap_or(value);
        let value = String::from_utf8_lossy(value.strip_prefix(b" ").unwrap_or(value));
        match field {
            b"event" => self.name = value.into_owned(),
            b"data" => {
                self.data.push_str(&value);
                self.data.push('\n');
            }
            // A comment, or `id` and `retry`: nothing is ever resumed.
            _ => {}
        }
        None
    }

    fn end_event(&mut self) -> Option<Event> {
        let name = std::mem::take(&mut self.name);
        let mut data = std::mem::take(&mut self.data);
        data.pop()?;
        Some(Event { name, data })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn decode(chunks: &[&[u8]]) -> Vec<(String, String)> {
        let (mut decoder, mut events) = (Decoder::default(), Vec::new());
        for chunk in chunks {
            decoder.push(chunk, |event| events.push((event.name, event.data)));
        }
        events
    }

    fn one(name: &str, data: &str) -> Vec<(String, String)> {
        vec![(name.to_owned(), data.to_owned())]
    }

    // r[mcp.answer.body]
    #[test]
    fn fields_are_read_as_html_says() {
        for (stream, expected) in [
            ("data: a\n\n", one("", "a")),
            ("data:a\n\n", one("", "a")),
            ("data:  a\n\n", one("", " a")),
            ("data\n\n", one("", "")),
            ("data: a\ndata: b\n\n", one("", "a\nb")),
            ("data:\ndata:\n\n", one("", "\n")),
            ("event: endpoint\ndata: /m\n\n", one("endpoint", "/m")),
            ("event: x\n\ndata: a\n\n", one("", "a")),
            ("event: x\nevent: y\ndata: a\n\n", one("y", "a")),
            (": note\n\nid: 1\nretry: 3\ndata: a\n\n", one("", "a")),
            ("\u{feff}data: a\n\n", one("", "a")),
            ("\u{feff}\u{feff}data: a\n\n", vec![]),
            ("Data: a\n data: a\n\n", vec![]),
            ("data: a\n", vec![]),
            ("data: a: b\n\n", one("", "a: b")),
        ] {
            assert_eq!(decode(&[stream.as_bytes()]), expected, "{stream:?}");
        }
        assert_eq!(decode(&[b"data: \xff\n\n"]), one("", "\u{fffd}"));
    }

    // r[mcp.answer.body]
    #[test]
    fn every_line_end_counts_once_wherever_the_bytes_are_cut() {
        for stream in [
            "data: a\r\n\r\ndata: b\r\n\r\n",
            "data: a\r\rdata: b\r\r",
            "data: a\n\ndata: b\n\n",
            "data: a\r\n\ndata: b\n\r\n",
            "\u{feff}data: a\r\n\r\n\r\n:\r\ndata: b\r\r\n",
        ] {
            let whole = decode(&[stream.as_bytes()]);
            assert_eq!(whole.len(), 2, "{stream:?}");
            for cut in 0..stream.len() {
                let (a, b) = stream.as_bytes().split_at(cut);
                assert_eq!(decode(&[a, &[], b]), whole, "{stream:?} cut at {cut}");
            }
        }
    }
}
