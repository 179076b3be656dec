//! Line by line, in bounded memory.

use std::io::BufRead;

use command_console::Place;

use super::{Fault, Import, ImportError, LINE_MAX_BYTES, Where};

/// One line of a source.
pub(super) struct Line<'l> {
    name: &'l str,
    number: usize,
    pub(super) text: &'l str,
}

impl Line<'_> {
    /// What is wrong with the stretch of `length` bytes from a byte of the line on.
    pub(super) fn fault(
        &self,
        code: &'static str,
        message: impl Into<String>,
        from: usize,
        length: usize,
    ) -> Fault {
        let from = self.text.floor_char_boundary(from);
        let to = self.text.ceil_char_boundary(from.saturating_add(length));
        let place = Place {
            path: self.name.to_owned(),
            line: self.number,
            column: self.text[..from].chars().count() + 1,
            length: self.text[from..to].chars().count(),
            text: shown(self.text, from),
        };
        Fault {
            code,
            message: message.into(),
            at: Where::Line(place),
        }
    }
}

/// Gives every line that is not blank to `read`.
pub(super) fn each(
    import: &mut Import<'_>,
    mut stream: impl BufRead,
    read: fn(&mut Import<'_>, &Line<'_>) -> Result<(), ImportError>,
) -> Result<(), ImportError> {
    let name = import.source.name.clone();
    let mut bytes = Vec::new();
    for number in 1.. {
        let unreadable = |source| ImportError::Unreadable {
            name: name.clone(),
            source,
        };
        bytes.clear();
        let Some(length) = next_line(&mut stream, &mut bytes).map_err(unreadable)? else {
            break;
        };
        let line = |text| Line {
            name: &name,
            number,
            text,
        };
        if number == 1 && bytes.starts_with(b"\xef\xbb\xbf") {
            bytes.drain(..3);
        }
        match std::str::from_utf8(&bytes) {
            _ if length > LINE_MAX_BYTES => {
                let message = format!("the line has more than {LINE_MAX_BYTES} bytes");
                import.refuse(line("").fault("line-too-long", message, 0, 0));
            }
            Err(error) => {
                let text = String::from_utf8_lossy(&bytes);
                let at = error.valid_up_to();
                import.refuse(line(&text).fault("line-not-utf8", "the line is not UTF-8", at, 1));
            }
            Ok(text) if text.trim().is_empty() => {}
            Ok(text) => read(import, &line(text))?,
        }
    }
    Ok(())
}

/// Reads a line without its end, at most [`LINE_MAX_BYTES`] of it, and says how long it was.
fn next_line(stream: &mut impl BufRead, bytes: &mut Vec<u8>) -> std::io::Result<Option<usize>> {
    let mut length = 0_usize;
    let mut any = false;
    loop {
        let available = match stream.fill_buf() {
            Ok(available) => available,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
            Err(error) => return Err(error),
        };
        if available.is_empty() {
            break;
        }
        any = true;
        let end = available.iter().position(|byte| *byte == b'\n');
        let part = &available[..end.unwrap_or(available.len())];
        let room = LINE_MAX_BYTES.saturating_sub(bytes.len());
        bytes.extend_from_slice(&part[..part.len().min(room)]);
        length = length.saturating_add(part.len());
        let used = part.len() + usize::from(end.is_some());
        stream.consume(used);
        if end.is_some() {
            break;
        }
    }
    if bytes.last() == Some(&b'\r') {
        bytes.pop();
    }
    Ok(any.then_some(length))
}

/// A long line is kept up to where the fault is and a little further.
fn shown(text: &str, from: usize) -> String {
    text[..text.ceil_char_boundary(from.saturating_add(4_096))].to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_where_they_end() {
        let mut stream = std::io::BufReader::with_capacity(3, &b"ab\r\n\nlonger\nlast"[..]);
        let mut bytes = Vec::new();
        let mut lines = Vec::new();
        while let Some(length) = next_line(&mut stream, &mut bytes).unwrap() {
            lines.push((
                String::from_utf8(std::mem::take(&mut bytes)).unwrap(),
                length,
            ));
        }
        let expected = [("ab", 3), ("", 0), ("longer", 6), ("last", 4)];
        assert_eq!(
            lines,
            expected.map(|(text, length)| (text.to_owned(), length))
        );
    }

    #[test]
    fn a_line_without_an_end_costs_no_more_than_the_limit() {
        let endless = std::io::repeat(b'x');
        let mut stream = std::io::BufReader::new(std::io::Read::take(endless, 3 << 20));
        let mut bytes = Vec::new();
        assert_eq!(next_line(&mut stream, &mut bytes).unwrap(), Some(3 << 20));
        assert_eq!(bytes.len(), LINE_MAX_BYTES);
    }
}
