// §11.6: the deny reader. It reads any bytes and cannot fail.
import { canonicalHost, canonicalIPv6, canonicalOrigin, formatOrigin, splitOrigin } from '../hosts.mjs';
import { has, isControl, isUnsafe, isWhite, startOf } from '../text.mjs';
import { DEFINED } from './fields.mjs';

const SCAN_LIMIT = 524288;
const LONGEST_ADDRESS = 45; // characters of an IPv6 address with a dotted part
const LINE_END = /\r\n|[\n\r\v\f\0\u0085\u2028\u2029]/g;
const DASH = '[-\\u2010-\\u2015\\u2212\\ufe58\\ufe63\\uff0d]';
const DASHES = new RegExp(`^${DASH}+`);
const ONE_DASH = new RegExp(`^${DASH}(?!${DASH})`);
const QUOTE = /["'`\u00ab\u00bb\u2018-\u201f\u2039\u203a()[\]{}<>]/;
const NAME = /^resolvers?/i;
/** What one entry of a run without a separator before it has to be. */
const BARE = new RegExp(`^(?:\\*$|none$|${DASH}|https?://)`, 'i');
const FIELD = new RegExp(`^[ \\t]+(?:${[...DEFINED].join('|')})[ \\t]*:`, 'i');
const EVERYONE = { host: null };

/** captxt.deny.strip */
const isNoise = (c) => isWhite(c) || isControl(c) || isUnsafe(c) || c === '\ufffd';
const isAll = (s, test) => !has(s, (c) => !test(c));
const isEdge = (c) => isNoise(c) || QUOTE.test(c);

function splitLines(text) {
  const out = [];
  let start = 0;
  for (const m of text.matchAll(LINE_END)) {
    out.push({ text: text.slice(start, m.index), start });
    start = m.index + m[0].length;
  }
  return [...out, { text: text.slice(start), start }];
}

const beforeHash = (s) => s.split('#', 1)[0];

/** The maximal pieces without a separator -> [{text, start}]. */
function split(s, isSeparator) {
  const out = [];
  let start = -1, i = 0;
  for (const c of s) {
    if (isSeparator(c)) {
      if (start >= 0) out.push({ text: s.slice(start, i), start });
      start = -1;
    } else if (start < 0) start = i;
    i += c.length;
  }
  if (start >= 0) out.push({ text: s.slice(start), start });
  return out;
}

/** captxt.deny.field, captxt.deny.value: the value of a Resolvers line as {text, start}, or null. */
function valueOf(line, indent) {
  const name = NAME.exec(line.slice(indent, indent + 9));
  if (!name) return null;
  const nameEnd = indent + name[0].length;
  const next = startOf(line, isNoise, nameEnd);
  if (next < line.length && ':=\uff1a'.includes(line[next]))
    return { text: beforeHash(line.slice(next + 1)), start: next + 1 };
  if (!has(line.slice(nameEnd, next), isWhite)) return null;
  const [run, ...rest] = split(beforeHash(line.slice(next)), isWhite);
  if (!run || !rest.every(({ text }) => isAll(text, isNoise))) return null;
  const entries = split(run.text, isSeparator).map(({ text }) => cutStart(cutEnd(text)));
  return entries.some((entry) => BARE.test(entry)) ? { text: run.text, start: next } : null;
}

/** The Resolvers lines with their continuations, each a list of {text, start} in the whole text. */
function resolversLines(text) {
  const found = [];
  let current = null;
  for (const { text: line, start } of splitLines(text)) {
    const indent = startOf(line, isNoise);
    if (line[indent] === '#') continue;
    const value = valueOf(line, indent);
    if (value) {
      current = [{ text: value.text, start: start + value.start }];
      found.push(current);
    } else if (current && indent < line.length && continues(line)) current.push({ text: beforeHash(line), start });
    else current = null;
  }
  return found;
}

/** captxt.deny.continuation, for a line that holds more than noise and is neither a comment nor a Resolvers line. */
const continues = (line) => (/^[ \t]/.test(line) ? !FIELD.test(line) : ONE_DASH.test(line));

const isIPv6 = (s) => s.length <= LONGEST_ADDRESS && canonicalIPv6(`[${s}]`) !== null;

/** captxt.deny.entries: without edges at the start. */
const cutStart = (s) => s.slice(startOf(s, isEdge));

/** captxt.deny.entries: without edges and dots at the end. */
function cutEnd(s) {
  let j = s.length;
  while (j > 0) {
    const two = s.slice(Math.max(0, j - 2), j);
    const c = [...two].at(-1);
    if (c !== '.' && !isEdge(c)) break;
    if (c === ']') {
      const near = s.slice(Math.max(0, j - LONGEST_ADDRESS - 2), j - 1), open = near.lastIndexOf('[');
      if (open >= 0 && isIPv6(near.slice(open + 1))) break;
    }
    j -= c.length;
  }
  return s.slice(0, j);
}

const isSeparator = (c) => c === ',' || c === ';' || isWhite(c);

/** captxt.deny.entries, captxt.deny.dash -> [{raw, text, deny, start}] */
function entriesOf(segments) {
  const out = [];
  let pending = -1; // where dashes stand that belong to the entry after them
  for (const segment of segments) {
    for (const piece of split(segment.text, isSeparator)) {
      const entry = cutStart(cutEnd(piece.text)), start = segment.start + piece.start;
      if (entry === '') continue;
      const dashes = DASHES.exec(entry)?.[0].length ?? 0;
      if (dashes === entry.length) {
        if (pending < 0) pending = start;
        continue;
      }
      const deny = dashes > 0 || pending >= 0, text = deny ? cutStart(entry.slice(dashes)) : entry;
      out.push({ raw: piece.text, text, deny, start: pending < 0 ? start : pending });
      pending = -1;
    }
  }
  if (pending >= 0) out.push({ raw: '', text: '', deny: true, start: pending });
  return out;
}

/** captxt.deny.repair, captxt.deny.unreadable: what follows the dash -> EVERYONE or {host, port, below}. */
function repair(text) {
  const scheme = /^https?:\/\//i.exec(text)?.[0].toLowerCase();
  let host = text.slice(scheme?.length ?? 0).split(/[/?#\\]/, 1)[0];
  host = host.slice(host.lastIndexOf('@') + 1);
  const below = host.startsWith('*.');
  const m = /^(\[[^\]]*\]|[^:]*)(?::(\d{1,5}))?$/.exec(below ? host.slice(2) : host);
  const canonical = m && canonicalHost(m[1]);
  if (!canonical || (!scheme && !canonical.includes('.'))) return EVERYONE;
  const written = +(m[2] ?? 443);
  const port = scheme === 'http://' && written === 80 ? 443 : written;
  return port < 1 || port > 65535 ? EVERYONE : { host: canonical, port, below };
}

function readLine(segments) {
  const entries = entriesOf(segments), others = entries.filter((e) => !e.deny);
  const clean = others.filter((e) => !has(e.raw, isNoise)); // only these can allow, as they stand
  const isNone = (e) => e.text.toLowerCase() === 'none';
  return {
    denies: entries.filter((e) => e.deny).map((e) => repair(e.text)),
    none: others.some(isNone),
    star: clean.some((e) => e.raw === '*'),
    allowed: new Set(clean.map((e) => canonicalOrigin(e.raw)).filter((origin) => origin !== null)),
    onlyDenies: entries.length > 0 && others.length === 0,
    restrictions: entries.filter((e) => e.deny || isNone(e)).map((e) => e.start),
  };
}

/** captxt.deny.match, for the issuer as {host, port}. */
function holds(deny, issuer) {
  if (deny.host === null) return true;
  if (deny.port !== issuer.port) return false;
  return deny.host === issuer.host || (deny.below && issuer.host.endsWith(`.${deny.host}`));
}

/** captxt.deny.verdict for one reading. */
function allows(lines, issuer) {
  if (lines.some((line) => line.none || line.denies.some((deny) => holds(deny, issuer)))) return false;
  const origin = formatOrigin(issuer.host, issuer.port);
  return lines.every((line) => line.star || line.onlyDenies || line.allowed.has(origin));
}

/**
 * bytes -> {allows(issuer), restrictions, restricted}: whether the issuer, an origin in canonical form, is allowed; where
 * in the reading as UTF-8 the denies and the words `none` stand; and whether any reading has one.
 */
export function readDeny(bytes) {
  const scanned = bytes.subarray(0, SCAN_LIMIT);
  const encodings = ['utf-8'];
  if (scanned[0] === 0xfe && scanned[1] === 0xff) encodings.push('utf-16be');
  if (scanned[0] === 0xff && scanned[1] === 0xfe) encodings.push('utf-16le');
  const readings = encodings.map((encoding) =>
    resolversLines(new TextDecoder(encoding, { ignoreBOM: true }).decode(scanned)).map(readLine));
  return {
    allows: (issuer) => readings.every((lines) => allows(lines, splitOrigin(issuer))),
    restrictions: readings[0].flatMap((line) => line.restrictions),
    restricted: readings.some((lines) => lines.some((line) => line.restrictions.length > 0)),
  };
}
