"""base64url without padding and with zero trailing bits (RFC 4648)."""
import base64
import re

_ALPHABET = re.compile(r"[A-Za-z0-9_-]*")


def decode(text):
    """The bytes, or None when the text is not canonical."""
    if not _ALPHABET.fullmatch(text) or len(text) % 4 == 1:
        return None
    data = base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
    return data if base64.urlsafe_b64encode(data).rstrip(b"=").decode("ascii") == text else None
