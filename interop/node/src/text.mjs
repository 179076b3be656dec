// §3.1: characters, white space, control characters, unsafe characters.
const member = (...ranges) => (c) => {
  const n = c.codePointAt(0);
  return ranges.some(([first, last = first]) => n >= first && n <= last);
};

export const isWhite = member([0x09, 0x0d], [0x20], [0x85], [0xa0], [0x1680], [0x2000, 0x200a], [0x2028], [0x2029],
  [0x202f], [0x205f], [0x3000]);
export const isControl = member([0, 0x1f], [0x7f, 0x9f]);
export const isUnsafe = member([0xad], [0x34f], [0x61c], [0x115f], [0x1160], [0x17b4], [0x17b5], [0x180e], [0x200b],
  [0x200e], [0x200f], [0x2028, 0x202e], [0x2060, 0x2064], [0x2066, 0x206f], [0x3164], [0xfeff], [0xffa0],
  [0xfff9, 0xfffb], [0xe0000, 0xe007f]);

/** The number of characters: text.character. */
export function lengthOf(s) {
  let n = 0;
  for (const _ of s) n++;
  return n;
}

export const has = (s, test) => {
  for (const c of s) if (test(c)) return true;
  return false;
};

/** Where the text starts when the characters of a set are dropped from its start (UTF-16 index). */
export function startOf(s, isDropped, from = 0) {
  let i = from;
  while (i < s.length) {
    const c = String.fromCodePoint(s.codePointAt(i));
    if (!isDropped(c)) break;
    i += c.length;
  }
  return i;
}

/** Where the text ends when the characters of a set, all of one UTF-16 unit, are dropped from its end. */
function endOf(s, isDropped) {
  let i = s.length;
  while (i > 0 && isDropped(s[i - 1])) i--;
  return i;
}

export function trimWhite(s) {
  const start = startOf(s, isWhite);
  return s.slice(start, Math.max(start, endOf(s, isWhite)));
}

/** A name for people: 1 to `longest` characters without control and unsafe characters. */
export function isCleanName(s, longest) {
  const n = lengthOf(s);
  return n >= 1 && n <= longest && !has(s, isControl) && !has(s, isUnsafe);
}
