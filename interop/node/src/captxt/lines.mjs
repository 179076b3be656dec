// §11.2: lines, the signed envelope around them, their faults, and fields.
import { isControl, isUnsafe, lengthOf } from '../text.mjs';
import { DEFINED } from './fields.mjs';

const MAX_LINE = 4096;
const isWsp = (c) => c === ' ' || c === '\t';

function wspStart(s, from = 0) {
  let i = from;
  while (i < s.length && isWsp(s[i])) i++;
  return i;
}

function wspEnd(s, from = s.length) {
  let i = from;
  while (i > 0 && isWsp(s[i - 1])) i--;
  return i;
}

/** captxt.line-end -> [{text, no, start, end}], where end is the line end or ''; an empty rest is no line. */
export function splitLines(text) {
  const out = [];
  let start = 0;
  for (const m of text.matchAll(/\r\n|\n|\r/g)) {
    out.push({ text: text.slice(start, m.index), no: out.length + 1, start, end: m[0] });
    start = m.index + m[0].length;
  }
  if (start < text.length) out.push({ text: text.slice(start), no: out.length + 1, start, end: '' });
  return out;
}

/** captxt.signed -> {lines, envelope}: the lines that are read, each with its shift, and the line of the first mark. */
export function unwrap(all) {
  const lines = [];
  let envelope = null, skipping = '', inMessage = false;
  for (const line of all) {
    const mark = line.text.slice(0, wspEnd(line.text));
    if (skipping === 'signature') {
      if (mark === '-----END PGP SIGNATURE-----') skipping = '';
    } else if (skipping === 'armor') {
      if (mark === '') skipping = '';
    } else if (line.text.startsWith('-----BEGIN PGP ')) {
      envelope ??= line.no;
      if (mark === '-----BEGIN PGP SIGNED MESSAGE-----') {
        skipping = 'armor';
        inMessage = true;
      } else if (mark === '-----BEGIN PGP SIGNATURE-----') skipping = 'signature';
    } else {
      const shift = inMessage && line.text.startsWith('- ') ? 2 : 0;
      lines.push({ text: line.text.slice(shift), no: line.no, start: line.start + shift, shift });
    }
  }
  return { lines, envelope };
}

/** The place of a UTF-16 index of a line: its number and the column in characters. */
export const placeOf = (line, index) => [line.no, line.shift + lengthOf(line.text.slice(0, index)) + 1];

/** captxt.line-codes: the first fault that makes a line unreadable as {code, index}, or null. */
function faultOf(text, comment) {
  if (Buffer.byteLength(text) > MAX_LINE) {
    const first = wspStart(text);
    return { code: 'line-too-long', index: first < text.length ? first : 0 };
  }
  const control = forbiddenControl(text, comment);
  if (control >= 0) return { code: 'control-character', index: control };
  let index = 0;
  for (const c of text) {
    if (isUnsafe(c)) return { code: 'unsafe-character', index };
    index += c.length;
  }
  return null;
}

/** captxt.control */
function forbiddenControl(text, comment) {
  const colon = text.indexOf(':');
  const allowed = [[0, wspStart(text)], [wspEnd(text), text.length]];
  if (colon >= 0) allowed.push([wspEnd(text, colon), colon], [colon + 1, wspStart(text, colon + 1)]);
  for (let i = 0; i < text.length; i++) {
    if (!isControl(text[i])) continue;
    if (text[i] !== '\t' || !(comment || allowed.some(([from, to]) => i >= from && i < to))) return i;
  }
  return -1;
}

/** captxt.field: the name in lower case and where it stands, for a line that is a field, or null. */
function nameOf(text, damaged) {
  const colon = text.indexOf(':');
  if (colon < 0 || text.startsWith('//', colon + 1)) return null;
  let name = text.slice(wspStart(text), Math.max(wspStart(text), wspEnd(text, colon))), index = wspStart(text);
  if (damaged) { // captxt.unreadable-value
    const kept = [...text.slice(0, colon)].filter((c) => !isControl(c) && !isUnsafe(c)).join('');
    name = kept.slice(wspStart(kept), Math.max(wspStart(kept), wspEnd(kept)));
    index = text.indexOf(name[0] ?? '');
  }
  return /^[A-Za-z][A-Za-z0-9-]*$/.test(name) ? { name: name.toLowerCase(), index, colon } : null;
}

/**
 * Reads one line and reports its faults to `report` ({error, warn}, each of a code and a place). `isSecond` tells
 * of a name whether it is a duplicate at this place, `takesValue` whether anything is said of its value.
 * -> a defined field {name, value, line, nameIndex, valueIndex}, value null when it is not read; or null.
 */
export function readField(line, { isSecond, takesValue }, report) {
  const { text } = line, first = wspStart(text);
  const blank = first === text.length, comment = text[first] === '#';
  const fault = faultOf(text, comment);
  if (fault) {
    const tell = comment && fault.code === 'unsafe-character' ? report.warn : report.error;
    tell(fault.code, placeOf(line, fault.index));
  }
  if (blank || comment) return null;
  if (first > 0) report.error('leading-whitespace', placeOf(line, first));
  const found = nameOf(text, fault !== null), defined = found !== null && DEFINED.has(found.name);
  if ((fault || first > 0) && !defined) return null;
  if (!found) {
    report.error('malformed-line', placeOf(line, first));
    return null;
  }
  const field = { name: found.name, value: null, line, nameIndex: found.index, valueIndex: -1 };
  if (!fault && !isSecond(found.name)) readValue(field, found.colon, takesValue, report);
  return defined ? field : null;
}

function readValue(field, colon, takesValue, report) {
  const { line, name } = field, { text } = line, nameEnd = wspEnd(text, colon);
  if (nameEnd < colon) report.error('space-before-colon', placeOf(line, nameEnd));
  if (!DEFINED.has(name)) {
    report.warn('unknown-field', placeOf(line, field.nameIndex));
    return;
  }
  if (!takesValue(name)) return;
  const start = wspStart(text, colon + 1), end = Math.max(start, wspEnd(text));
  if (start === end) {
    report.error('empty-value', placeOf(line, field.nameIndex));
    return;
  }
  if (text[colon + 1] !== ' ') report.warn('spacing-after-colon', placeOf(line, colon + 1));
  field.value = text.slice(start, end);
  field.valueIndex = start;
}
