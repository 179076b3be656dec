// §11.1 to §11.5: the strict reader; with the deny reader beside it, captxt.two-readers.
import { canonicalOrigin } from '../hosts.mjs';
import { isWhite, lengthOf, startOf, trimWhite } from '../text.mjs';
import { parseRfc3339 } from '../times.mjs';
import { readDeny } from './deny.mjs';
import { HEADER } from './fields.mjs';
import { placeOf, readField, splitLines, unwrap } from './lines.mjs';
import { inScope } from './scope.mjs';
import { isContact, isToken, jobKey, readEndpoint } from './values.mjs';

const MAX_SIZE = 65536;
const MAX_ENTRIES = 100;
const MAX_BLOCKS = 100;
const MAX_JOBS = 20;
const FAR = 366 * 86400;
const WHOLE_FILE = [1, 1];

/**
 * The bytes of a file, asked of a canonical host at a time in whole seconds, with rules of the Public Suffix List
 * -> {errors, warnings, endpoints, allows(issuer)}.
 */
export function readServerFile(bytes, { host, now, rules = [] }) {
  const reader = new StrictReader(bytes, host, now, rules);
  reader.read();
  return {
    errors: inOrder(reader.errors),
    warnings: inOrder(reader.warnings),
    endpoints: reader.errors.length > 0 ? [] : reader.blocks.map(reportOf), // captxt.claims-empty
    allows: reader.deny.allows,
  };
}

/** captxt.order */
export function inOrder(diagnostics) {
  return diagnostics.toSorted((a, b) => a.line - b.line || a.column - b.column || (a.code < b.code ? -1 : 1));
}

const reportOf = (block) => ({ url: block.url, inScope: block.inScope, jobs: block.jobs,
  protocol: block.tokens.get('protocol') ?? null, signIn: block.tokens.get('sign-in') ?? null,
  payment: block.tokens.get('payment') ?? null });

/** The number of bytes before the first sequence that is not well-formed, or -1. */
function firstBadByte(bytes) {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return -1;
  } catch {
    // A decoder marks each maximal bad sequence by one U+FFFD; what stands before the first one that was not written
    // has the length that is looked for.
    const decoded = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
    let at = 0;
    for (const c of decoded) {
      if (c === '\ufffd' && bytes.compare(Buffer.from(c), 0, 3, at, Math.min(at + 3, bytes.length)) !== 0) return at;
      at += Buffer.byteLength(c);
    }
    return at;
  }
}

/** Where the last of some text ends: line and column of what comes next. */
function placeBehind(text) {
  const lines = text.split(/\r\n|\n|\r/);
  return [lines.length, lengthOf(lines.at(-1)) + 1];
}

class StrictReader {
  constructor(bytes, host, now, rules) {
    Object.assign(this, { bytes, host, now, rules });
    this.errors = [];
    this.warnings = [];
    this.deny = readDeny(bytes);
    this.blocks = [];
    this.present = new Set();
    this.onlyNone = false; // the value of Resolvers that is evaluated is `none`
    this.taken = new Set(); // where restrictions stand that this reader took from an entry without error
    this.report = { error: this.error.bind(this), warn: this.warn.bind(this) };
  }

  error(code, [line, column]) {
    this.errors.push({ code, line, column });
  }

  warn(code, [line, column]) {
    this.warnings.push({ code, line, column });
  }

  read() {
    if (this.bytes.length > MAX_SIZE) {
      this.error('file-too-large', WHOLE_FILE);
      if (this.deny.restricted) this.warn('deny-salvaged', WHOLE_FILE);
      return;
    }
    const bad = firstBadByte(this.bytes);
    if (bad >= 0) {
      this.error('not-utf8', placeBehind(this.bytes.toString('utf8', 0, bad).replace(/^\ufeff/, '')));
      if (this.deny.restricted) this.warn('deny-salvaged', WHOLE_FILE);
      return;
    }
    this.readText(this.bytes.toString('utf8'));
  }

  readText(whole) {
    const text = whole.replace(/^\ufeff/, '');
    if (text !== whole) this.warn('bom', WHOLE_FILE);
    if (whole !== '' && !/[\n\r]$/.test(whole)) this.warn('no-final-newline', placeBehind(text));
    const all = splitLines(text);
    for (const line of all)
      if (line.end === '\r') this.error('bare-cr', [line.no, lengthOf(line.text) + 1]);
    const { lines, envelope } = unwrap(all);
    if (envelope !== null) this.error('signed-envelope', [envelope, 1]);
    const asked = { isSecond: (name) => this.isSecond(name), takesValue: (name) => this.takesValue(name) };
    for (const line of lines) {
      const field = readField(line, asked, this.report);
      if (field) this.field(field);
    }
    this.wholeFile();
    const mark = whole.length - text.length;
    const salvaged = this.deny.restrictions.map((at) => at - mark).filter((at) => !this.taken.has(at));
    if (salvaged.length > 0) this.warn('deny-salvaged', [placeBehind(text.slice(0, Math.min(...salvaged)))[0], 1]);
  }

  wholeFile() {
    for (const name of HEADER) if (!this.present.has(name)) this.error(`missing-${name}`, WHOLE_FILE);
    for (const block of this.blocks)
      for (const name of ['protocol', 'jobs']) if (!block.present.has(name)) this.error(`missing-${name}`, block.place);
    if (this.blocks.length === 0 && !this.onlyNone) this.warn('no-endpoints', WHOLE_FILE);
  }

  /** captxt.header.once, captxt.block.once: whether nothing is said of what follows the name. */
  isSecond(name) {
    const block = this.blocks.at(-1);
    if (HEADER.includes(name)) return !block && name !== 'contact' && this.present.has(name);
    return block !== undefined && name !== 'jobs' && block.present.has(name);
  }

  /** captxt.header.place, captxt.block.outside: whether anything is said of the value. */
  takesValue(name) {
    return name === 'endpoint' || HEADER.includes(name) === (this.blocks.length === 0);
  }

  field(field) {
    const { name } = field, block = this.blocks.at(-1);
    if (HEADER.includes(name)) this.headerField(field);
    else if (name === 'endpoint') this.startBlock(field);
    else if (!block) this.error('field-outside-block', placeOf(field.line, field.nameIndex));
    else this.blockField(field, block);
  }

  headerField(field) {
    const { name, line, value } = field, again = this.isSecond(name);
    this.present.add(name);
    if (this.blocks.length > 0) this.error('header-field-in-block', placeOf(line, field.nameIndex));
    else if (again) this.error('duplicate-field', placeOf(line, field.nameIndex));
    else if (value !== null) {
      const place = placeOf(line, field.valueIndex);
      if (name === 'conformance' && value !== 'Capability Resolution 0.2') this.error('conformance-unsupported', place);
      if (name === 'contact' && !isContact(value)) this.error('contact-invalid', place);
      if (name === 'expires') this.expires(value, place);
      if (name === 'resolvers') this.resolvers(field, place);
    }
  }

  expires(value, place) {
    const expires = parseRfc3339(value);
    if (!expires) this.error('expires-invalid', place);
    else if (expires.sec < this.now || (expires.sec === this.now && !expires.fraction)) this.error('expired', place);
    else if (expires.sec > this.now + FAR || (expires.sec === this.now + FAR && expires.fraction))
      this.warn('expires-far', place);
  }

  resolvers({ value, valueIndex, line }, place) {
    if (value.toLowerCase() === 'none') {
      this.onlyNone = true;
      this.taken.add(line.start + valueIndex);
      return;
    }
    const entries = this.resolversEntries(value, valueIndex, line);
    const allowed = new Set(), denied = new Set();
    let redundant = false;
    for (const { origin, deny } of entries.filter((e) => e.origin !== null)) {
      const set = deny ? denied : allowed;
      redundant ||= set.has(origin);
      set.add(origin);
    }
    const stars = entries.filter((e) => e.text === '*').length;
    if (entries.some((e) => e.none)) this.error('resolvers-none-mixed', place);
    if (redundant || stars > 1 || (stars > 0 && allowed.size > 0)) this.warn('resolvers-redundant', place);
    if (entries.every((e) => e.deny && e.origin !== null)) this.warn('resolvers-implied-star', place);
    if ([...denied].some((origin) => allowed.has(origin))) this.warn('resolvers-conflict', place);
  }

  /** captxt.resolvers.form -> [{text, none, deny, origin}], origin in canonical form or null. */
  resolversEntries(value, valueIndex, line) {
    let offset = valueIndex;
    return value.split(',').map((part, number) => {
      const text = part.replace(/^ +/, '').replace(/ +$/, '');
      const index = offset + /^ */.exec(part)[0].length, place = placeOf(line, index);
      offset += part.length + 1;
      if (number === MAX_ENTRIES) this.error('too-many-resolvers', place);
      const entry = { text, none: text.toLowerCase() === 'none', deny: text.startsWith('-'), origin: null };
      if (text !== '*' && !entry.none) {
        const written = entry.deny ? text.slice(1) : text;
        entry.origin = canonicalOrigin(written);
        if (entry.origin === null) this.error('resolvers-entry-invalid', place);
        else if (entry.origin !== written) this.warn('origin-not-canonical', place);
      }
      if (entry.none || (entry.deny && entry.origin !== null)) this.taken.add(line.start + index);
      return entry;
    });
  }

  startBlock({ value, line, nameIndex, valueIndex }) {
    const block = { place: placeOf(line, nameIndex), present: new Set(), tokens: new Map(), url: null, inScope: false,
      jobs: [], jobKeys: new Set(), jobCount: 0 };
    this.blocks.push(block);
    if (this.blocks.length === MAX_BLOCKS + 1) this.error('too-many-endpoints', block.place);
    if (value === null) return;
    const place = placeOf(line, valueIndex), endpoint = readEndpoint(value);
    if (endpoint.code) {
      this.error(endpoint.code, place);
      return;
    }
    if (endpoint.query) this.warn('endpoint-query', place);
    if (this.blocks.some((other) => other.url === endpoint.url)) this.error('duplicate-endpoint', place);
    block.url = endpoint.url;
    block.inScope = inScope(endpoint.host, this.host, this.rules);
    if (!block.inScope) this.warn('endpoint-out-of-scope', place);
  }

  blockField(field, block) {
    const { name, value, line } = field, again = this.isSecond(name);
    block.present.add(name);
    if (again) this.error('duplicate-field', placeOf(line, field.nameIndex));
    else if (value !== null && name === 'jobs') this.jobs(field, block);
    else if (value !== null) this.token(field, block);
  }

  token({ name, value, line, valueIndex }, block) {
    const place = placeOf(line, valueIndex), token = value.toLowerCase();
    if (!isToken(value)) {
      this.error('invalid-token', place);
      return;
    }
    if (!(name === 'protocol' ? ['mcp'] : ['none', 'required']).includes(token)) this.warn('unknown-value', place);
    block.tokens.set(name, token);
  }

  jobs({ value, valueIndex, line }, block) {
    let offset = valueIndex;
    for (const part of value.split(';')) {
      const job = trimWhite(part), place = placeOf(line, offset + startOf(part, isWhite));
      offset += part.length + 1;
      block.jobCount++;
      if (block.jobCount === MAX_JOBS + 1) this.error('too-many-jobs', block.place);
      const length = lengthOf(job), key = jobKey(job);
      if (length < 3 || length > 200) this.error('job-length', place);
      else if (block.jobKeys.has(key)) this.warn('duplicate-job', place);
      else {
        block.jobKeys.add(key);
        block.jobs.push(job);
      }
    }
  }
}
