"""Makes an input on which programs disagree as small as it gets, while they disagree in the same way."""


def minimise(case, same, limit=4000):
    """A smaller case for which `same` holds as it does for this one; asks at most `limit` times."""
    budget = [limit]

    def holds(smaller):
        budget[0] -= 1
        return budget[0] >= 0 and same(smaller)

    for _ in range(3):
        before = size(case)
        for put, value in list(_parts(case)):
            case = _shrink(case, put, value, holds)
        if size(case) == before or budget[0] <= 0:
            break
    return case


def size(case):
    return sum(len(value) for _, value in _parts(case))


def _parts(case):
    """The texts of a case that can be cut, each with a function that puts another in its place."""
    for name, value in case.fields.items():
        if isinstance(value, str) and name not in ("now", "issuer"):
            yield (lambda other, text, name=name: other.fields.__setitem__(name, text)), value
    for at, token in enumerate(case.tokens):
        for part in (0, 1):
            yield (lambda other, text, at=at, part=part: other.tokens[at].__setitem__(part, text)), token[part]


def _shrink(case, put, value, holds):
    """Takes pieces out of a text, large ones first."""
    length = max(len(value) // 2, 1)
    while length:
        at = 0
        while at < len(value):
            shorter, smaller = value[:at] + value[at + length:], case.copy()
            put(smaller, shorter)
            if holds(smaller):
                case, value = smaller, shorter
            else:
                at += length
        length //= 2
    return case
