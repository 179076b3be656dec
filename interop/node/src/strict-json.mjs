// §3.2: JSON read strictly. Objects become Map, numbers become Num (the written form matters), the rest as usual.
import { refuse } from './refused.mjs';

export class Num {
  constructor(raw) {
    this.raw = raw;
    this.value = Number(raw);
  }
}

class SyntaxFault extends Error {}

export const isObject = (v) => v instanceof Map;
const MAX_DEPTH = 32;

/** json.order: bytes -> Map; refuses with `prefix`-not-utf8, -too-deep, -not-json, -not-object, -duplicate-member. */
export function readObject(bytes, prefix) {
  let text;
  try {
    text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    refuse(`${prefix}-not-utf8`);
  }
  if (maxDepth(text) > MAX_DEPTH) refuse(`${prefix}-too-deep`);
  const parser = new Parser(text);
  let value;
  try {
    value = parser.document();
  } catch (e) {
    if (!(e instanceof SyntaxFault)) throw e;
    refuse(`${prefix}-not-json`);
  }
  if (!isObject(value)) refuse(`${prefix}-not-object`);
  if (parser.duplicate) refuse(`${prefix}-duplicate-member`);
  return value;
}

/** json.depth-measure: by brackets outside of strings, for any text; a closer at depth 0 leaves it at 0. */
function maxDepth(text) {
  let depth = 0, max = 0, inString = false;
  for (let i = 0; i < text.length; i++) {
    const c = text[i];
    if (inString) {
      if (c === '\\') i++;
      else if (c === '"') inString = false;
    } else if (c === '"') inString = true;
    else if (c === '[' || c === '{') max = Math.max(max, ++depth);
    else if ((c === ']' || c === '}') && depth > 0) depth--;
  }
  return max;
}

const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
const ESC = { '"': '"', '\\': '\\', '/': '/', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };

class Parser {
  constructor(text) {
    this.s = text;
    this.i = 0;
    this.duplicate = false;
  }

  fail(what) {
    throw new SyntaxFault(`${what} at ${this.i}`);
  }

  ws() {
    while (this.i < this.s.length && ' \t\n\r'.includes(this.s[this.i])) this.i++;
  }

  document() {
    this.ws();
    const v = this.value();
    this.ws();
    if (this.i !== this.s.length) this.fail('trailing text');
    return v;
  }

  value() {
    const c = this.s[this.i];
    if (c === '{') return this.object();
    if (c === '[') return this.array();
    if (c === '"') return this.string();
    for (const [w, v] of [['true', true], ['false', false], ['null', null]])
      if (this.s.startsWith(w, this.i)) { this.i += w.length; return v; }
    NUMBER.lastIndex = this.i;
    const m = NUMBER.exec(this.s);
    if (!m) this.fail('no value');
    this.i += m[0].length;
    const n = new Num(m[0]);
    if (!Number.isFinite(n.value)) this.fail('number out of range');
    return n;
  }

  object() {
    const map = new Map();
    this.i++; this.ws();
    if (this.s[this.i] === '}') { this.i++; return map; }
    for (;;) {
      this.ws();
      if (this.s[this.i] !== '"') this.fail('member name expected');
      const name = this.string();
      this.ws();
      if (this.s[this.i] !== ':') this.fail('colon expected');
      this.i++; this.ws();
      const v = this.value();
      if (map.has(name)) this.duplicate = true;
      map.set(name, v);
      this.ws();
      const c = this.s[this.i++];
      if (c === '}') return map;
      if (c !== ',') this.fail('comma expected');
    }
  }

  array() {
    const list = [];
    this.i++; this.ws();
    if (this.s[this.i] === ']') { this.i++; return list; }
    for (;;) {
      this.ws(); list.push(this.value()); this.ws();
      const c = this.s[this.i++];
      if (c === ']') return list;
      if (c !== ',') this.fail('comma expected');
    }
  }

  string() {
    let out = '';
    this.i++;
    for (;;) {
      const c = this.s[this.i++];
      if (c === undefined) this.fail('unterminated string');
      if (c === '"') return out;
      if (c < ' ') this.fail('control character in string');
      if (c !== '\\') { out += c; continue; }
      const e = this.s[this.i++];
      if (e === 'u') {
        const u = this.hex4();
        if (u >= 0xdc00 && u <= 0xdfff) this.fail('lone low surrogate');
        if (u >= 0xd800 && u <= 0xdbff) {
          if (this.s[this.i] !== '\\' || this.s[this.i + 1] !== 'u') this.fail('lone high surrogate');
          this.i += 2;
          const lo = this.hex4();
          if (lo < 0xdc00 || lo > 0xdfff) this.fail('lone high surrogate');
          out += String.fromCharCode(u, lo);
        } else out += String.fromCharCode(u);
      } else if (e !== undefined && Object.hasOwn(ESC, e)) out += ESC[e];
      else this.fail('bad escape');
    }
  }

  hex4() {
    const h = this.s.slice(this.i, this.i + 4);
    if (!/^[0-9a-fA-F]{4}$/.test(h)) this.fail('bad \\u escape');
    this.i += 4;
    return parseInt(h, 16);
  }
}
