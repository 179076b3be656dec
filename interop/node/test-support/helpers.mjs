// A key, documents and tokens of the tests' own, the blocks of the text, and short ways to ask the program.
import { createHash, createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { answerLine } from '../src/protocol.mjs';

export const SPEC = readFileSync(new URL('../../../spec/draft/capability-resolution.md', import.meta.url), 'utf8');
export const BLOCKS = Object.fromEntries(
  [...SPEC.matchAll(/^```\w+ example=([\w-]+)\n([\s\S]*?)^```$/gm)].map((m) => [m[1], m[2]]));
/** The body of a block that holds an HTTP message. */
export const bodyOf = (name) => BLOCKS[name].slice(BLOCKS[name].indexOf('\n\n') + 2);

export const ISS = 'https://resolver.example';
export const NOW = 1796040000;
export const NOW_TEXT = '2026-11-30T12:00:00Z';

const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');
/** The private key whose seed is the SHA-256 digest of a text. */
export const keyOf = (text) => createPrivateKey(
  { key: Buffer.concat([PKCS8, createHash('sha256').update(text).digest()]), format: 'der', type: 'pkcs8' });
export const KEY = keyOf('stranger test key');
export const X = createPublicKey(KEY).export({ format: 'jwk' }).x;
export const JWK = { kty: 'OKP', crv: 'Ed25519', x: X, kid: 'k1' };

const text = (v) => (typeof v === 'string' || Buffer.isBuffer(v) ? v : JSON.stringify(v));
export const b64 = (v) => Buffer.from(v).toString('base64url');
export const without = (object, name) => Object.fromEntries(Object.entries(object).filter(([key]) => key !== name));

export const HEADER = { alg: 'EdDSA', kid: 'k1' };
export const CLAIMS = { iss: ISS, iat: NOW, exp: NOW + 3600, url: 'https://a.example/mcp', status: 'ok',
  checked_at: '2026-11-30T11:00:00Z' };
export const DISCOVERY = { v: '0.2', iss: ISS, resolver: 'R',
  endpoints: { resolve: `${ISS}/resolve`, record: `${ISS}/record` }, keys: [JWK], policy: `${ISS}/policy` };

/** A token of claims and header, each an object, a text or bytes. */
export function make(claims = CLAIMS, header = HEADER) {
  const signed = `${b64(text(header))}.${b64(text(claims))}`;
  return `${signed}.${sign(null, Buffer.from(signed), KEY).toString('base64url')}`;
}

export const ask = (operation, input) => answerLine(JSON.stringify({ id: 1, operation, input }));
export function reason(operation, input) {
  const answer = ask(operation, input);
  return answer.error ? `ERROR ${answer.error}` : answer.reason;
}

const common = () => ({ discovery: text(DISCOVERY), issuer: ISS, now: NOW_TEXT });
export const token = (token, more) => reason('token', { token, ...common(), ...more });
export const discovery = (document, issuer = ISS) => reason('discovery', { document: text(document), issuer });
export const answer = (document) => ask('answer', { document: text(document), ...common() });
export const record = (document, more) => ask('record', { document: text(document), ...common(), ...more });

export function captxt(file, more) {
  const given = Buffer.isBuffer(file) ? { file_base64: file.toString('base64') } : { file };
  return ask('captxt', { ...given, host: 'example.com', resolver: ISS, now: NOW_TEXT, ...more });
}

/** The codes of a file in their order: errors, then warnings with a question mark. */
export function codes(file, more) {
  const { errors, warnings } = captxt(file, more).output;
  return [...errors.map((d) => d.code), ...warnings.map((d) => `${d.code}?`)].join(' ');
}

/** The same with line and column. */
export function places(file, more) {
  const { errors, warnings } = captxt(file, more).output;
  const show = (mark) => (d) => `${d.code}${mark} ${d.line}:${d.column}`;
  return [...errors.map(show('')), ...warnings.map(show('?'))];
}
