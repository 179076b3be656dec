// §4: discovery documents and their keys; §3.7 and the order that all documents share.
import { decodeBase64url } from './base64url.mjs';
import { isIssuer } from './hosts.mjs';
import { refuse } from './refused.mjs';
import { keyFault } from './signature.mjs';
import { isObject, readObject } from './strict-json.mjs';
import { isCleanName, lengthOf } from './text.mjs';
import { isServerUrl, parseServerUrl } from './urls.mjs';

const MAX_SIZE = 65536;
const MAX_KEYS = 32;
const PRIVATE_MEMBERS = ['d', 'k', 'p', 'q', 'dp', 'dq', 'qi', 'oth'];
const TYPES = { string: (v) => typeof v === 'string', object: isObject, array: Array.isArray };

/** The value of a member of a type; undefined for an optional one that is absent. */
export function member(object, name, type, { optional = false } = {}) {
  if (!object.has(name)) return optional ? undefined : refuse('member-missing');
  const value = object.get(name);
  return TYPES[type](value) ? value : refuse('member-type');
}

/** Size, JSON, object, then `v`. */
export function parseDocument(bytes, maxSize) {
  if (bytes.length > maxSize) refuse('document-too-large');
  const document = readObject(bytes, 'document');
  if (member(document, 'v', 'string') !== '0.2') refuse('version-unsupported');
  return document;
}

/** discovery.order, for a document asked of the issuer -> {issuer, name, keys: Map of kid to {key} or {code}}. */
export function readDiscovery(bytes, issuer) {
  const document = parseDocument(bytes, MAX_SIZE);
  const iss = member(document, 'iss', 'string');
  const name = member(document, 'resolver', 'string');
  const endpoints = member(document, 'endpoints', 'object');
  const resolve = member(endpoints, 'resolve', 'string');
  const record = member(endpoints, 'record', 'string');
  const mcp = member(endpoints, 'mcp', 'string', { optional: true });
  const entries = member(document, 'keys', 'array');
  const policy = member(document, 'policy', 'string');
  const changelog = member(document, 'changelog', 'string', { optional: true });

  if (iss !== issuer || !isIssuer(iss)) refuse('iss-mismatch');
  if (!isCleanName(name, 100)) refuse('name-invalid');
  checkEndpoint(resolve, issuer, { query: false });
  checkEndpoint(record, issuer, { query: false });
  if (mcp !== undefined) checkEndpoint(mcp, issuer, { query: true });
  checkEntries(entries);
  for (const page of [policy, changelog]) if (page !== undefined && !isServerUrl(page)) refuse('endpoint-invalid');
  return { issuer, name, keys: readKeys(entries) };
}

function checkEndpoint(value, issuer, { query }) {
  const url = parseServerUrl(value);
  if (!url || (!query && url.query !== undefined)) refuse('endpoint-invalid');
  if (url.origin !== issuer) refuse('endpoint-origin');
}

function checkEntries(entries) {
  if (entries.length > MAX_KEYS) refuse('keys-too-many');
  if (!entries.every(isObject)) refuse('member-type');
  if (entries.some((entry) => PRIVATE_MEMBERS.some((name) => entry.has(name)))) refuse('key-private');
  const kids = entries.map((entry) => entry.get('kid')).filter((kid) => typeof kid === 'string');
  if (new Set(kids).size !== kids.length) refuse('kid-ambiguous');
}

function readKeys(entries) {
  const keys = new Map();
  for (const entry of entries) if (isKid(entry.get('kid'))) keys.set(entry.get('kid'), readKey(entry));
  return keys;
}

export function isKid(kid) {
  return typeof kid === 'string' && kid !== '' && lengthOf(kid) <= 128;
}

/** discovery.keys.usable: the five tests in their order -> {key} or {code}. */
function readKey(entry) {
  if (entry.get('kty') !== 'OKP' || entry.get('crv') !== 'Ed25519') return { code: 'key-wrong-type' };
  if (entry.has('use') && entry.get('use') !== 'sig') return { code: 'key-wrong-use' };
  const operations = entry.get('key_ops');
  if (entry.has('key_ops') && !(Array.isArray(operations) && operations.includes('verify')))
    return { code: 'key-wrong-use' };
  if (entry.has('alg') && entry.get('alg') !== 'EdDSA') return { code: 'key-wrong-alg' };
  const x = entry.get('x');
  const key = typeof x === 'string' ? decodeBase64url(x) : null;
  if (key === null) return { code: 'key-malformed' };
  const code = keyFault(key);
  return code ? { code } : { key };
}
