// Appendix A: every block is taken out of the text and checked.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { createHash, createPublicKey, sign } from 'node:crypto';
import { readObject } from '../src/strict-json.mjs';
import { ask, BLOCKS, bodyOf, ISS, keyOf, places } from '../test-support/helpers.mjs';

const judge = (token, now) => {
  const { result, reason } = ask('token', { token, discovery: bodyOf('discovery-response'), issuer: ISS, now });
  return reason ? `${result} ${reason}` : result;
};
const NOW = '2026-11-30T12:00:05Z';

test('all blocks are known', () => {
  assert.deepEqual(Object.keys(BLOCKS).sort(), ['capabilities-grammar', 'capabilities-txt', 'capabilities-txt-damaged',
    'discovery-request', 'discovery-response', 'error-response', 'jwk', 'mcp-discover-request', 'mcp-tools-response',
    'record-request', 'record-response', 'resolve-request', 'resolve-response', 'server-url-grammar', 'token',
    'token-clocks', 'token-header', 'token-payload', 'token-trailing-bits']);
});

test('A.1: key, kid and a signature from the seed', () => {
  const text = 'capability-resolution example key', key = keyOf(text), jwk = JSON.parse(BLOCKS.jwk);
  assert.equal(text.length, 33);
  assert.equal(createPublicKey(key).export({ format: 'jwk' }).x, jwk.x);
  assert.equal(createHash('sha256').update(`{"crv":"Ed25519","kty":"OKP","x":"${jwk.x}"}`).digest('base64url'), jwk.kid);
  const [header, payload, signature] = BLOCKS.token.trim().split('.');
  assert.equal(sign(null, Buffer.from(`${header}.${payload}`), key).toString('base64url'), signature);
});

test('all JSON is strict JSON', () => { // r[json.syntax]
  for (const name of ['discovery-response', 'resolve-response', 'record-response', 'error-response',
    'mcp-discover-request', 'mcp-tools-response']) readObject(Buffer.from(bodyOf(name)), 'document');
  for (const name of ['jwk', 'token-header', 'token-payload']) readObject(Buffer.from(BLOCKS[name]), 'document');
});

test('A.2, A.3: discovery, request and answer', () => { // r[discovery.members] r[resolve.answer.members]
  const discovery = bodyOf('discovery-response');
  assert.equal(ask('discovery', { document: discovery, issuer: ISS }).result, 'valid');
  assert.deepEqual(ask('answer', { document: bodyOf('resolve-response'), discovery, issuer: ISS, now: NOW }).output,
    { candidates: [0, 1], dropped: [], copyDiffers: [], duplicateUrl: [] });
  const [, query] = /\?(\S+)/.exec(BLOCKS['resolve-request']);
  assert.deepEqual(ask('request', { query }).output, { need: 'send a transactional email' });
});

test('A.4: a token, taken apart', () => { // r[token.segments] r[token.exp.expired] r[token.iat.future] r[token.base64]
  const [header, payload] = BLOCKS.token.trim().split('.').map((s) => Buffer.from(s, 'base64url').toString());
  assert.deepEqual([header, payload], [BLOCKS['token-header'].trim(), BLOCKS['token-payload'].trim()]);
  assert.equal(JSON.parse(bodyOf('resolve-response')).candidates[0].jws, BLOCKS.token.trim());
  for (const line of BLOCKS['token-clocks'].trim().split('\n')) {
    const [now, ...verdict] = line.split(' ');
    assert.equal(judge(BLOCKS.token.trim(), now), verdict.join(' '), line);
  }
  const [token, verdict] = BLOCKS['token-trailing-bits'].trim().split('\n');
  assert.equal(judge(token, NOW), verdict);
});

test('A.5: record', () => { // r[record.members]
  const requestedUrl = 'https://mail.example.com/mcp', discovery = bodyOf('discovery-response');
  assert.deepEqual(
    ask('record', { document: bodyOf('record-response'), discovery, issuer: ISS, now: NOW, requestedUrl }).output,
    { copyDiffers: [] });
});

test('A.7: server files', () => { // r[captxt.valid] r[captxt.deny.salvaged]
  const allowed = (name, resolver) =>
    ask('captxt', { file: BLOCKS[name], host: 'example.com', resolver, now: NOW }).output.resolverAllowed;
  assert.deepEqual(places(BLOCKS['capabilities-txt']), []);
  assert.deepEqual(places(BLOCKS['capabilities-txt-damaged']), ['missing-conformance 1:1', 'expired 2:10',
    'resolvers-entry-invalid 3:15', 'no-endpoints? 1:1', 'deny-salvaged? 3:1']);
  for (const name of ['capabilities-txt', 'capabilities-txt-damaged'])
    assert.deepEqual([allowed(name, ISS), allowed(name, 'https://unwanted.example')], [true, false]);
});
