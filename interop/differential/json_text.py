"""JSON as text: a tree that writes back what was read, so that a mutation changes one thing and nothing else.

Texts are str with surrogateescape, so that bytes that are not UTF-8 survive.
"""
import re

_STRING = r'"(?:[^"\\]|\\.)*"'
_TOKEN = re.compile(r"\s*(" + _STRING + r'|[{}\[\],:]|[^\s{}\[\],:"]+)', re.S)


class Object:
    """Members as [name, value], the name with its quotes as it is written."""

    def __init__(self, members):
        self.items = members


class Array:
    def __init__(self, items):
        self.items = items


def read(text):
    """The tree of a text: Object, Array, or str for anything else. ValueError where the text has no such form."""
    tokens, end = [], 0
    for match in iter(lambda: _TOKEN.match(text, end), None):
        tokens.append(match.group(1))
        end = match.end()
    if text[end:].strip() or not tokens:
        raise ValueError("not JSON")
    tree, rest = _value(tokens, 0, 0)
    if rest != len(tokens):
        raise ValueError("more than one value")
    return tree


def _value(tokens, at, depth):
    if depth > 100 or at >= len(tokens):
        raise ValueError("too deep, or cut off")
    token, at, items = tokens[at], at + 1, []
    if token in "}],:":
        raise ValueError("no value")
    if token not in "{[":
        return token, at
    while at < len(tokens) and tokens[at] not in "}]":
        if items:
            if tokens[at] != ",":
                raise ValueError("no comma")
            at += 1
        if token == "{":
            name = tokens[at] if at + 1 < len(tokens) and tokens[at + 1] == ":" else ""
            if not name.startswith('"'):
                raise ValueError("no member")
            value, at = _value(tokens, at + 2, depth + 1)
            items.append([name, value])
        else:
            value, at = _value(tokens, at, depth + 1)
            items.append(value)
    if at >= len(tokens) or tokens[at] != {"{": "}", "[": "]"}[token]:
        raise ValueError("not closed")
    return (Object if token == "{" else Array)(items), at + 1


def write(tree):
    if isinstance(tree, Object):
        return "{%s}" % ",".join("%s:%s" % (name, write(value)) for name, value in tree.items)
    if isinstance(tree, Array):
        return "[%s]" % ",".join(map(write, tree.items))
    return tree


def slots(tree):
    """Every place of a value below the tree, as (container, index)."""
    if isinstance(tree, (Object, Array)):
        for index, item in enumerate(tree.items):
            yield tree, index
            yield from slots(item[1] if isinstance(tree, Object) else item)


def containers(tree, kind):
    """The tree and everything in it that is of a kind."""
    if isinstance(tree, kind):
        yield tree
    for container, index in slots(tree):
        value = get(container, index)
        if isinstance(value, kind):
            yield value


def get(container, index):
    item = container.items[index]
    return item[1] if isinstance(container, Object) else item


def put(container, index, value):
    if isinstance(container, Object):
        container.items[index][1] = value
    else:
        container.items[index] = value
