"""Mutations of texts, of JSON and of numbers. Each takes a random.Random and gives out the changed thing."""
import datetime
import json
import re
import unicodedata

import json_text
from json_text import Object

WHITE = ["\t", "\n", "\v", "\f", "\r", " ", "\x85", "\xa0", "\u1680", "\u2000", "\u200a", "\u2028", "\u2029", "\u202f",
         "\u205f", "\u3000"]
UNSAFE = ["\xad", "\u034f", "\u061c", "\u115f", "\u180e", "\u200b", "\u200e", "\u202e", "\u2060", "\u2064", "\u2066",
          "\u206f", "\u3164", "\ufeff", "\uffa0", "\ufff9", "\ufffb", "\U000e0000", "\U000e007f"]
OTHERS = ["\0", "\x1f", "\x7f", "\x80", "\x9f", "\u200c", "\u200d", "\u2065", "\ufffd", "\uffff", "\U0010ffff", "é",
          "e\u0301", "\u0301", "ß", "İ", "ﬁ", "Ω", "Å", "가", "\u1100\u1161", "💌", "٣", "א", "क\u094d\u200d"]
ASCII = list("!\"#$%&'()*+,-./0123456789:;<=>?@ABCXYZ[\\]^_`abcefnrstuxyz{|}~")
# Of several scripts, with marks that compose, letters that IDNA maps, and both directions.
LETTERS = list("aeoAEzZ09-_.ßςéåŞıİΣσäПйאבשׁشبةي٠٣۰۹कषिनকกาあガ゙ｱ一丁漢字가각각Ａ１。℻ﬁﬤ\u0300\u0301\u030a\u0323\u0327\u0345\u05b0\u0651"
               "\u093c\u094d\u09be\u09d7\u0e33\u200c\u200d\u3099\u00b7\u0131\u0130\u00ad")
CHARACTERS = WHITE + UNSAFE + OTHERS + ASCII * 3

LITERALS = """null true false [] {} "" "0.2" "JWT" "EdDSA" "Ed25519" "sig" "verify" ["verify"] ["sign",null] [[],{}] 0 -0 -1 1 1.0
0.0 1e0 1E3 01 1. .5 +1 -  1e 0x1 NaN Infinity nul True 1e308 1e309 -1e309 1e400 1e-400 1.7976931348623157e308
1.797693134862315807e308 1.797693134862315808e308 1.7976931348623159e308 179769313486231580793e288 9007199254740991
9007199254740992 9007199254740993 -9007199254740992 18446744073709551615 18446744073709551616 1796040000 1796040300
1796040301 1234567890123456789012345678901234567890 "\\ud800" "\\udc00" "\\ud83d\\ude00" "\\ude00\\ud83d"
"\\ud800\\u0041" "\\u0000" "\\x" "\\u12" "\\uFEFF" {"a":1,"a":2} {"a":1,"\\u0061":2} {"":{"":[{"":0,"":0}]}}
{"x":1e999} {"x":"\\udfff"} [1,] {"a":1,} {,} [,] "a""b" {"a"} {"a":} // /**/1""".split()

# Numbers that are zero or finite only if they are read as what they are.
LITERALS += ["0e400", "-0e99999999999999999999", "1e-99999999999999999999", "1e99999999999999999999", "1E+0000000000308",
             "0.00001e313", "0.00001e314", "17976931348623157e292", "17976931348623159e292", "1" + "0" * 308,
             "1" + "0" * 309, "9" * 400, "0." + "0" * 400 + "1", "0." + "0" * 400 + "1e708", "0." + "0" * 400 + "1e710"]

# Names that are something else in one language or another.
TRAPS = ["__proto__", "constructor", "toString", "hasOwnProperty", "__class__", "$serde_json::private::RawValue",
         "$serde_json::private::Number", "length", "size", "get"]

DELTAS = [0, 1, -1, 2, 60, 299, 300, 301, -299, -300, -301, 86399, 86400, 86401, -86399, -86400, -86401, 86700, 86701,
          172799, 172800, 172801, -172799, -172800, -172801, 3 * 10 ** 9, -(10 ** 10)]


EPOCH = datetime.datetime(1970, 1, 1)

# How many characters names, key ids, needs and URLs have, and one more.
LENGTHS = [99, 100, 101, 127, 128, 129, 199, 200, 201, 2047, 2048, 2049]


def chance(random, percent):
    return random.randrange(100) < percent


def text(random, value, pool):
    """A text with one small change."""
    at, end = random.randrange(len(value) + 1), random.randrange(len(value) + 1)
    kind = random.randrange(11)
    if kind <= 2 or not value:
        return value[:at] + random.choice(CHARACTERS) + value[at:]
    if kind == 3:
        return value[:at] + value[at + 1:]
    if kind == 4:
        return value[:at] + random.choice(CHARACTERS) + value[at + 1:]
    if kind == 5:
        return value[:at] + value[at:at + 1].swapcase() + value[at + 1:]
    if kind == 6:
        return value[:min(at, end)] + value[max(at, end):]
    if kind == 7:
        return value[:max(at, end)] + value[min(at, end):]
    if kind == 8:
        return value[:at] + random.choice(pool)[end:] if pool else value
    if kind == 9:
        return "".join("%%%02x" % byte if here == at else chr(byte) if byte < 128 else "%%%02X" % byte
                       for here, byte in enumerate(value.encode("utf-8", "surrogateescape")))
    return value[:at] + value[at:at + 1] * random.choice([2, 60, 120, 190]) + value[at + 1:]


def number(random, literal):
    """A number with one change of its value or of how it is written."""
    kind = random.randrange(8)
    if kind <= 3 and re.fullmatch(r"-?[0-9]{1,30}", literal):
        return str(int(literal) + random.choice(DELTAS))
    return [literal + ".0", literal + "e0", literal + "E+1", "-" + literal, "0" + literal, literal + "0", literal + ".",
            " " + literal][kind]


def seconds_of(time):
    """The seconds since 1970 of a time of documents, or None."""
    try:
        return round((datetime.datetime.fromisoformat(time.rstrip("Z")) - EPOCH).total_seconds())
    except ValueError:
        return None


def moved(time, by):
    """A time of documents some seconds later, or as it is where that is none."""
    try:
        return (datetime.datetime.fromisoformat(time.rstrip("Z")) + datetime.timedelta(seconds=by)).isoformat() + "Z"
    except (ValueError, OverflowError):
        return time


def string(random, literal, pool):
    """A JSON string, with its quotes, with one change of what it says or of how it is written."""
    inner = literal[1:-1]
    at = random.randrange(len(inner) + 1)
    kind = random.randrange(7)
    if kind == 0 and inner[at:at + 1].isalnum():
        form = random.choice(["\\u%04x", "\\u%04X", "\\U%04x", "\\u{%x}", "\\x%02x"])
        return '"%s%s%s"' % (inner[:at], form % ord(inner[at]), inner[at + 1:])
    if kind == 1:
        escape = random.choice(["\\n", "\\/", "\\\"", "\\\\", "\\u00", "\\ud83d", "\\udc00", "\\ud83d\\ude00", "\\a", "\\'"])
        return '"%s%s%s"' % (inner[:at], escape, inner[at:])
    if kind == 2 and pool:
        return json.dumps(random.choice(pool), ensure_ascii=chance(random, 30))
    try:
        said = json.loads(literal)
        said.encode("utf-8")
    except ValueError:  # no string, or one that stands for surrogates
        return '"%s"' % text(random, inner, pool)
    if chance(random, 8) and said:
        value = said + random.choice([said[-1], random.choice(CHARACTERS)]) * (random.choice(LENGTHS) - len(said))
    elif re.fullmatch(r"[12][0-9]{3}-[01][0-9]-[0-2][0-9]T[0-9:]{8}Z", said) and chance(random, 60):
        value = moved(said, random.choice(DELTAS))
    else:
        value = text(random, said, pool)
    if chance(random, 50):
        return '"%s"' % value  # what has to be escaped is not
    return json.dumps(value, ensure_ascii=chance(random, 30))


def scalar(random, literal, pool):
    if literal.startswith('"'):
        return string(random, literal, pool)
    return number(random, literal) if re.match(r"-?[0-9]", literal) else random.choice(LITERALS)


def any_value(random, pool):
    if pool and chance(random, 40):
        return json.dumps(random.choice(pool), ensure_ascii=chance(random, 20))
    return random.choice(LITERALS)


def json_document(random, document, names, pool):
    """JSON text with one change: of its tree where it has one, else of its characters."""
    try:
        tree = json_text.read(document)
    except (ValueError, IndexError):
        return raw(random, document)
    if chance(random, 12):
        return raw(random, document)
    places, objects = list(json_text.slots(tree)), list(json_text.containers(tree, Object))
    kind = random.randrange(14)
    if not places or kind == 0:
        return random.choice(LITERALS) if chance(random, 5) else space(random, document)
    container, index = random.choice(places)
    value = json_text.get(container, index)
    if kind <= 4:
        changed = scalar(random, value, pool) if isinstance(value, str) else any_value(random, pool)
        json_text.put(container, index, changed)
    elif kind == 5:
        json_text.put(container, index, any_value(random, pool))
    elif kind == 6:
        del container.items[index]
    elif kind == 7 and isinstance(container, Object):
        name = container.items[index][0]
        if chance(random, 40) and len(name) > 2:
            name = '"\\u%04x%s' % (ord(name[1]), name[2:]) if name[1] != "\\" else name
        again = [name, value if chance(random, 50) else any_value(random, pool)]
        container.items.insert(random.randrange(len(container.items) + 1), again)
    elif kind == 8 and objects:
        members = random.choice(objects).items
        members.insert(random.randrange(len(members) + 1), [random.choice(names), any_value(random, pool)])
    elif kind == 9 and isinstance(container, Object):
        container.items[index][0] = random.choice(names) if chance(random, 60) else string(
            random, container.items[index][0], pool)
    elif kind == 10:
        other = random.randrange(len(container.items))
        container.items[index], container.items[other] = container.items[other], container.items[index]
    elif kind == 11:
        depth = random.choice([1, 2, 26, 28, 29, 30, 31, 32, 33])
        opening, closing = random.choice([("[", "]"), ('{"":', "}")])
        json_text.put(container, index, opening * depth + json_text.write(value) + closing * depth)
    elif kind == 12:
        number_of = random.choice([2, 9, 10, 11, 31, 32, 33])
        container.items[index:index + 1] = [
            list(item) if isinstance(item, list) else item for item in [container.items[index]] * number_of]
    else:
        json_text.put(container, index, json_text.write(json_text.get(*random.choice(places))))
    return json_text.write(tree)


def space(random, document):
    """White space of JSON, or of something else, between two tokens or anywhere."""
    inserted = random.choice([" ", "\t", "\r\n", "\n", "\v", "\f", "\xa0", "\u2028", "\ufeff", "\0", "/**/", ",", "]", "}"])
    edges = [0, len(document)] + [match.start() for match in re.finditer(r"[{}\[\],:]", document)]
    at = random.choice(edges)
    return document[:at] + inserted + document[at:]


def raw(random, document):
    """A change of characters or bytes that knows nothing of JSON."""
    at = random.randrange(len(document) + 1)
    kind = random.randrange(6)
    if kind == 0:
        data = random.choice([b"\xff", b"\xc0\x80", b"\xed\xa0\x80", b"\xed\xb0\x80", b"\xf4\x90\x80\x80", b"\xc3", b"\xef\xbb\xbf",
                              b"\xf0\x9f\x92", b"\x80", b"\xe2\x28\xa1"])
        return document[:at] + data.decode("utf-8", "surrogateescape") + document[at:]
    if kind == 1:
        return document[:at]
    if kind == 2:
        return document[:at] + document[at + random.choice([1, 1, 2, 7]):]
    if kind == 3:
        return document[:at] + random.choice(CHARACTERS) + document[at + 1:]
    if kind == 4:
        return document + random.choice([" ", "\n", "{}", "null", "\0", ",", "]"])
    return document[:at] + random.choice(CHARACTERS) + document[at:]


def is_settled(value):
    """Whether all versions of Unicode agree on a text as a name or a need: its characters are as old as Unicode 3.2."""
    old = unicodedata.ucd_3_2_0
    return all(old.category(c) != "Cn" or c in CHARACTERS for c in value)


# Disallowed in a domain by some versions of UTS #46 and dropped by others.
UNSETTLED_IN_DOMAINS = re.compile("[\u115f\u1160\u17b4\u17b5\u180e\u2065\u3164\uffa0\U000e0000-\U000e0fff]")
