"""§3.1: characters, white space, control characters, unsafe characters."""


def _code_points(*ranges):
    return frozenset(chr(c) for first, last in ranges for c in range(first, last + 1))


# [text.white-space]
WHITE_SPACE = _code_points(
    (0x09, 0x0D), (0x20, 0x20), (0x85, 0x85), (0xA0, 0xA0), (0x1680, 0x1680), (0x2000, 0x200A),
    (0x2028, 0x2029), (0x202F, 0x202F), (0x205F, 0x205F), (0x3000, 0x3000))
# [text.control]
CONTROL = _code_points((0x00, 0x1F), (0x7F, 0x9F))
# [text.unsafe]
UNSAFE = _code_points(
    (0xAD, 0xAD), (0x34F, 0x34F), (0x61C, 0x61C), (0x115F, 0x1160), (0x17B4, 0x17B5), (0x180E, 0x180E),
    (0x200B, 0x200B), (0x200E, 0x200F), (0x2028, 0x202E), (0x2060, 0x2064), (0x2066, 0x206F),
    (0x3164, 0x3164), (0xFEFF, 0xFEFF), (0xFFA0, 0xFFA0), (0xFFF9, 0xFFFB), (0xE0000, 0xE007F))

_WHITE = "".join(sorted(WHITE_SPACE))


def trim(s):
    return s.strip(_WHITE)


def words(s):
    """Split at runs of white space, empty pieces dropped."""
    return [w for w in "".join(" " if c in WHITE_SPACE else c for c in s).split(" ") if w]


def is_clean_name(s, longest):
    """A display name: 1 to `longest` characters without control and unsafe characters."""
    return 1 <= len(s) <= longest and not any(c in CONTROL or c in UNSAFE for c in s)
