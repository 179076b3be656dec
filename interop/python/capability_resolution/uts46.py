"""§3.4 [origin.idna]: domain to ASCII of the URL Standard, beStrict false, over the tables of the `idna` package."""
import bisect
import unicodedata

from idna import core
from idna.uts46data import uts46data

_STARTS = [row[0] for row in uts46data]


class DomainError(ValueError):
    pass


def _status(c):
    """The status of UTS #46 and what the code point is mapped to; deviations are valid (non-transitional)."""
    row = uts46data[bisect.bisect_right(_STARTS, ord(c)) - 1]
    replacement = row[2] if len(row) == 3 else None
    if row[1] == "3":  # older tables: disallowed by UseSTD3ASCIIRules, which is false
        return ("V", None) if replacement is None else ("M", replacement)
    return ("V", None) if row[1] == "D" else (row[1], replacement)


def _map(domain):
    out = []
    for c in domain:
        status, replacement = _status(c)
        if status == "V":
            out.append(c)
        elif status == "M":
            out.append(replacement)
        elif status != "I":
            raise DomainError("a code point is disallowed")
    return unicodedata.normalize("NFC", "".join(out))


def _decode(label):
    try:
        decoded = label[4:].encode("ascii").decode("punycode")
    except (UnicodeError, ValueError, OverflowError):
        raise DomainError("bad Punycode") from None
    if not decoded or decoded.isascii():
        raise DomainError("Punycode for nothing or for ASCII")
    if any(0xD800 <= ord(c) <= 0xDFFF for c in decoded):
        raise DomainError("Punycode for a surrogate")
    if decoded.encode("punycode").decode("ascii") != label[4:]:
        raise DomainError("Punycode that is not its own encoding")
    if decoded.startswith("xn--"):
        raise DomainError("Punycode inside of Punycode")
    return decoded


def _check_label(label):
    """The validity criteria with CheckHyphens false, CheckJoiners true and UseSTD3ASCIIRules false."""
    if unicodedata.normalize("NFC", label) != label:
        raise DomainError("a label is not in NFC")
    if "." in label:
        raise DomainError("a label holds a dot")
    if unicodedata.category(label[0]).startswith("M"):
        raise DomainError("a label starts with a combining mark")
    for position, c in enumerate(label):
        if _status(c)[0] != "V":
            raise DomainError("a label holds a code point that is not valid")
        if c in "\u200c\u200d" and not _joins(label, position):
            raise DomainError("a joiner out of context")


def _joins(label, position):
    try:
        return core.valid_contextj(label, position)
    except ValueError:  # a neighbour that Python's own tables do not name is neither a virama nor a joining letter
        return False


def _check_bidi(labels):
    if not any(unicodedata.bidirectional(c) in ("R", "AL", "AN") for label in labels for c in label):
        return
    for label in filter(None, labels):
        try:
            core.check_bidi(label, check_ltr=True)
        except core.IDNAError:
            raise DomainError("the Bidi rule is broken") from None


def domain_to_ascii(domain):
    if domain.isascii() and not any(label.startswith("xn--") for label in domain.lower().split(".")):
        return domain.lower()
    mapped = _map(domain)
    if len(mapped) > 254:  # each code point takes at least one byte of at most 253, beside one dot at the end
        raise DomainError("the domain is too long")
    labels = [_decode(label) if label.startswith("xn--") else label for label in mapped.split(".")]
    for label in filter(None, labels):
        _check_label(label)
    _check_bidi(labels)
    return ".".join(label if label.isascii() else "xn--" + label.encode("punycode").decode("ascii")
                    for label in labels)
