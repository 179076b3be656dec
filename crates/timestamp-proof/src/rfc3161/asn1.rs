//! What reading ASN.1 here needs beyond the crate `der`.

use der::{Decode, Reader, SliceReader, Tag, TagNumber, asn1::AnyRef};

use super::error::Error;

/// The tag `[number]` of a constructed context-specific element.
pub(super) const fn constructed(number: u32) -> Tag {
    Tag::ContextSpecific {
        constructed: true,
        number: TagNumber(number),
    }
}

/// The tag `[number]` of a primitive context-specific element.
pub(super) const fn primitive(number: u32) -> Tag {
    Tag::ContextSpecific {
        constructed: false,
        number: TagNumber(number),
    }
}

/// The next element, if there is one and it has this tag.
pub(super) fn optional<'a>(
    reader: &mut SliceReader<'a>,
    tag: Tag,
) -> der::Result<Option<AnyRef<'a>>> {
    if reader.is_finished() || Tag::peek(reader)? != tag {
        return Ok(None);
    }
    AnyRef::decode(reader).map(Some)
}

/// The next element as received, tag and length included, if there is one and it has this tag.
pub(super) fn optional_bytes<'a>(
    reader: &mut SliceReader<'a>,
    tag: Tag,
) -> der::Result<Option<&'a [u8]>> {
    if reader.is_finished() || Tag::peek(reader)? != tag {
        return Ok(None);
    }
    reader.tlv_bytes().map(Some)
}

/// Every element of a SET OF or SEQUENCE OF as received, in the order received: real tokens have unsorted sets.
pub(super) fn elements(contents: &[u8]) -> der::Result<Vec<&[u8]>> {
    let mut reader = SliceReader::new(contents)?;
    let mut elements = Vec::new();
    while !reader.is_finished() {
        elements.push(reader.tlv_bytes()?);
    }
    Ok(elements)
}

/// What the decoder objects to, as a fault of a structure.
pub(super) fn malformed(structure: &'static str) -> impl FnOnce(der::Error) -> Error {
    move |error| Error::Malformed {
        structure,
        detail: error.to_string(),
    }
}

/// Decodes bytes that hold exactly one value.
pub(super) fn exactly<'a, T>(
    bytes: &'a [u8],
    structure: &'static str,
    decode: impl FnOnce(&mut SliceReader<'a>) -> der::Result<T>,
) -> Result<T, Error> {
    let mut reader = SliceReader::new(bytes).map_err(malformed(structure))?;
    let value = decode(&mut reader).map_err(malformed(structure))?;
    if reader.is_finished() {
        return Ok(value);
    }
    let found = usize::try_from(reader.remaining_len()).unwrap_or(usize::MAX);
    Err(Error::TrailingBytes { structure, found })
}
