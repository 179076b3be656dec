// The line protocol: one JSON object a line in, one a line out (README.md).
import { canonicalHost, canonicalOrigin, isIssuer, isOrigin } from './hosts.mjs';
import { Holding } from './captxt/fetch.mjs';
import { readServerFile } from './captxt/strict.mjs';
import { readDiscovery } from './discovery.mjs';
import { readAnswer, readRecord } from './documents.mjs';
import { refuse, Refused } from './refused.mjs';
import { readNeed, readQuery } from './requests.mjs';
import { checkSignature, keyFault } from './signature.mjs';
import { parseDocTime, parseRfc3339 } from './times.mjs';
import { verifyToken } from './token.mjs';
import { isServerUrl } from './urls.mjs';

/** The request itself cannot be read: no verdict. */
export class BadInput extends Error {}

const decodeUtf8 = (bytes) => new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);

function bad(what) {
  throw new BadInput(what);
}

/** time.now: seconds, rounded down. */
export function readClock(text) {
  const time = /z$/i.test(text) ? parseRfc3339(text) : null;
  return time?.sec ?? bad('now is not a time of RFC 3339 with Z');
}

/** A file as asked of the host, and whether it allows the resolver. */
export function readFileFor(bytes, { host, resolver, now, rules }) {
  const canonical = canonicalHost(host) ?? bad('host is no host');
  const issuer = canonicalOrigin(resolver) ?? bad('resolver is no origin');
  const { errors, warnings, endpoints, allows } = readServerFile(bytes, { host: canonical, now, rules });
  return { errors, warnings, resolverAllowed: allows(issuer), endpoints };
}

/** The member `input` of a request. */
class Input {
  constructor(members) {
    this.members = members;
  }

  bytes(name) {
    const encoded = this.members[`${name}_base64`], text = this.members[name];
    if (typeof encoded === 'string') {
      const decoded = Buffer.from(encoded, 'base64');
      return decoded.toString('base64') === encoded ? decoded : bad(`${name}_base64 is not base64`);
    }
    return typeof text === 'string' && text.isWellFormed() ? Buffer.from(text) : bad(`${name} is missing or not text`);
  }

  text(name) {
    try {
      return decodeUtf8(this.bytes(name));
    } catch (e) {
      return bad(e instanceof BadInput ? e.message : `${name} is not UTF-8`);
    }
  }

  hex(name) {
    const text = this.text(name);
    return /^(?:[0-9a-f]{2})*$/.test(text) ? Buffer.from(text, 'hex') : bad(`${name} is not lower-case hexadecimal`);
  }

  get now() {
    return readClock(this.text('now'));
  }

  get discovery() {
    return readDiscovery(this.bytes('discovery'), this.text('issuer'));
  }

  get requestedUrl() {
    const given = this.members.requestedUrl ?? this.members.requestedUrl_base64 ?? null;
    return given === null ? null : this.text('requestedUrl');
  }

  get fetches() {
    const { fetches } = this.members;
    if (!Array.isArray(fetches)) return bad('fetches is no list');
    return fetches.map((one) => (
      { ...one, at: readClock(one.at), file: typeof one.file === 'string' ? Buffer.from(one.file) : null }));
  }

  get rules() {
    const rules = this.members.publicSuffixes ?? [];
    const listed = Array.isArray(rules) && rules.every((rule) => typeof rule === 'string');
    return listed ? rules : bad('publicSuffixes is not a list of strings');
  }
}

/** An output that is given whatever the result is; the code is null if valid, and '' where the text has none. */
class Reported {
  constructor(code, output) {
    Object.assign(this, { code, output });
  }
}

function readFile(input) {
  const { now, rules } = input;
  const found = readFileFor(input.bytes('file'), { host: input.text('host'), resolver: input.text('resolver'), now, rules });
  return new Reported(found.errors[0]?.code ?? null, found);
}

function readFetches(input) {
  const host = canonicalHost(input.text('host')) ?? bad('host is no host');
  const issuer = canonicalOrigin(input.text('resolver')) ?? bad('resolver is no origin');
  const holding = new Holding(host, input.rules), { now } = input;
  for (const fetch of input.fetches) holding.take(fetch);
  const { code, output } = holding.at(now, issuer);
  return new Reported(code, output);
}

const form = (test) => (input) => {
  if (!test(input.text('value'))) refuse(null);
};

/** Each returns its output, or nothing when it has none. */
const OPERATIONS = {
  token(input) {
    const { now } = input, token = input.bytes('token');
    verifyToken(token, input.discovery, now);
  },
  discovery(input) {
    readDiscovery(input.bytes('document'), input.text('issuer'));
  },
  answer(input) {
    const { now } = input, document = input.bytes('document');
    return readAnswer(document, input.discovery, now);
  },
  record(input) {
    const { now, requestedUrl } = input, document = input.bytes('document');
    return readRecord(document, input.discovery, now, requestedUrl);
  },
  ed25519(input) {
    const [key, message, signature] = ['publicKey', 'message', 'signature'].map((name) => input.hex(name));
    const fault = keyFault(key);
    if (fault) refuse(fault);
    checkSignature(key, message, signature);
  },
  request: (input) => ({ need: readQuery(input.bytes('query')) }),
  need: (input) => ({ need: readNeed(input.text('need')) }),
  origin: form(isOrigin),
  issuer: form(isIssuer),
  'server-url': form(isServerUrl),
  time: form((value) => parseDocTime(value) !== null),
  captxt: readFile,
  'captxt-fetch': readFetches,
};

function judge(operation, input) {
  try {
    const found = OPERATIONS[operation](new Input(input)) ?? null;
    if (!(found instanceof Reported)) return { result: 'valid', reason: null, output: found };
    return { result: found.code === null ? 'valid' : 'invalid', reason: found.code || null, output: found.output };
  } catch (e) {
    if (e instanceof Refused) return { result: 'invalid', reason: e.code, output: null };
    return { error: e instanceof BadInput ? e.message : `internal: ${e?.message ?? e}` };
  }
}

const isPlainObject = (v) => v !== null && typeof v === 'object' && !Array.isArray(v);

/** One line, without its line end, as text or bytes -> the answer as an object. */
export function answerLine(line) {
  let asked;
  try {
    asked = JSON.parse(typeof line === 'string' ? line : decodeUtf8(line));
  } catch {
    return { id: null, error: 'not JSON in UTF-8' };
  }
  if (!isPlainObject(asked)) return { id: null, error: 'not an object' };
  const { id = null, operation, input } = asked;
  if (typeof operation !== 'string') return { id, error: 'operation is missing or not a string' };
  if (!Object.hasOwn(OPERATIONS, operation)) return { id, unsupported: true };
  if (!isPlainObject(input)) return { id, error: 'input is missing or not an object' };
  return { id, ...judge(operation, input) };
}

/** Answers each line of a stream of bytes as soon as it is whole. */
export async function serve(source, sink) {
  const answer = (line) => sink.write(`${JSON.stringify(answerLine(line))}\n`);
  let parts = [];
  for await (const chunk of source) {
    let start = 0;
    for (let end; (end = chunk.indexOf(0x0a, start)) >= 0; start = end + 1) {
      answer(Buffer.concat([...parts, chunk.subarray(start, end)]));
      parts = [];
    }
    if (start < chunk.length) parts.push(chunk.subarray(start));
  }
  if (parts.length > 0) answer(Buffer.concat(parts));
}
