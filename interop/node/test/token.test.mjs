// §4 and §6
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { sign } from 'node:crypto';
import {
  b64, CLAIMS, DISCOVERY, discovery, HEADER, ISS, JWK, KEY, make, NOW, reason, token, without, X,
} from '../test-support/helpers.mjs';

const C = (o) => make({ ...CLAIMS, ...o });
const H = (o) => make(CLAIMS, { ...HEADER, ...o });
/** A token whose iat or exp is written in a way of its own. */
function rawClaims(written) {
  let claims = JSON.stringify(CLAIMS);
  for (const [name, text] of Object.entries(written))
    claims = claims.replace(new RegExp(`"${name}":\\d+`), `"${name}":${text}`);
  return make(claims);
}

test('form', () => {
  assert.equal(token(make()), null);
  // r[token.length]
  const pad = (n) => { const t = make({ ...CLAIMS, x: 'a'.repeat(n) }); return t; };
  let n = 0; while (pad(n).length < 8192) n += 1 + Math.max(0, Math.floor((8192 - pad(n).length) * 0.7));
  const near = [pad(n - 2), pad(n - 1), pad(n), pad(n + 1)];
  for (const t of near) assert.equal(token(t), t.length > 8192 ? 'token-too-long' : null);
  assert.ok(near.some((t) => t.length <= 8192) && near.some((t) => t.length > 8192));
  // token-too-long counts bytes and comes first
  assert.equal(token('!'.repeat(8193)), 'token-too-long');
  assert.equal(token('!'.repeat(8192)), 'token-bad-character');
  assert.equal(token('é'.repeat(4097)), 'token-too-long');
  // r[token.characters]
  for (const t of [make() + '\n', ' ' + make(), make() + '=', 'a+b.c.d', 'é.a.b']) assert.equal(token(t),
    'token-bad-character');
  assert.equal(reason('token', { token_base64: Buffer.from([0xff]).toString('base64'),
    discovery: JSON.stringify(DISCOVERY), issuer: ISS, now: '2026-11-30T12:00:00Z' }), 'token-bad-character');
  // r[token.segments] r[token.segment-empty]
  for (const t of ['', 'a', 'a.b', make() + '.', '...']) assert.equal(token(t), 'token-segment-count', t);
  for (const t of ['..', 'a..b', '.a.b', 'a.b.']) assert.equal(token(t), 'token-segment-empty', t);
  // r[token.base64] : all three segments before the header is read
  assert.equal(token('a.YQ.YQ'), 'base64-noncanonical');
  assert.equal(token('YR.YQ.YQ'), 'base64-noncanonical');
  assert.equal(token('YQ.YQ.YR'), 'base64-noncanonical');
  assert.equal(token('YQ.YQ.YQ'), 'header-not-json');
});

test('header', () => {
  // r[token.header.json]
  assert.equal(token(make(CLAIMS, Buffer.from([0xff]))), 'header-not-utf8');
  assert.equal(token(make(CLAIMS, '['.repeat(33))), 'header-too-deep');
  assert.equal(token(make(CLAIMS, '[]')), 'header-not-object');
  assert.equal(token(make(CLAIMS, '{"alg":"none","alg":"EdDSA"}')), 'header-duplicate-member');
  // r[token.alg.missing] r[token.alg]
  assert.equal(token(make(CLAIMS, { kid: 'k1' })), 'alg-missing');
  for (const a of ['none', 'Ed25519', 'eddsa', null, 1]) assert.equal(token(H({ alg: a })), 'alg-not-allowed');
  // r[token.crit] r[token.b64] r[token.key-material] r[token.cty] r[token.typ]
  assert.equal(token(H({ crit: null })), 'crit-unsupported');
  assert.equal(token(H({ b64: true })), 'b64-unsupported');
  for (const m of ['jwk', 'jku', 'x5u', 'x5c']) assert.equal(token(H({ [m]: null })), 'header-key-material');
  assert.equal(token(H({ cty: '' })), 'cty-unsupported');
  assert.equal(token(H({ typ: 'jwt' })), 'typ-not-allowed');
  assert.equal(token(H({ typ: null })), 'typ-not-allowed');
  assert.equal(token(H({ typ: 'JWT' })), null);
  // r[token.order]
  assert.equal(token(H({ b64: 1, crit: 1, cty: 1 })), 'crit-unsupported');
  // r[token.kid.missing] r[token.kid.form] r[token.kid.known] r[token.header.unknown]
  assert.equal(token(make(CLAIMS, { alg: 'EdDSA' })), 'kid-missing');
  for (const k of ['', null, 1, 'x'.repeat(129)]) assert.equal(token(H({ kid: k })), 'kid-invalid');
  assert.equal(token(H({ kid: '😀'.repeat(128) })), 'kid-unknown');
  assert.equal(token(H({ kid: 'K1' })), 'kid-unknown');
  assert.equal(token(H({ x5t: 1, foo: {} })), null);
});

test('keys', () => { // r[discovery.keys.usable] r[token.kid.usable]
  const withKey = (o) => token(make(), { discovery: JSON.stringify({ ...DISCOVERY, keys: [{ ...JWK, ...o }] }) });
  assert.equal(withKey({ kty: 'EC' }), 'key-wrong-type');
  assert.equal(withKey({ crv: 'Ed448' }), 'key-wrong-type');
  assert.equal(withKey({ use: 'enc' }), 'key-wrong-use');
  assert.equal(withKey({ use: null }), 'key-wrong-use');
  assert.equal(withKey({ key_ops: ['sign'] }), 'key-wrong-use');
  assert.equal(withKey({ key_ops: 'verify' }), 'key-wrong-use');
  assert.equal(withKey({ use: 'sig', key_ops: ['sign', 'verify'], alg: 'EdDSA' }), null);
  assert.equal(withKey({ alg: 'Ed25519' }), 'key-wrong-alg');
  for (const x of [X + '=', X.slice(1), X + 'AAAA', 1, '',
    X.replace(/.$/, (c) => String.fromCharCode(c.charCodeAt(0) + 1))]) assert.equal(withKey({ x }), 'key-malformed');
  assert.equal(withKey({ x: Buffer.alloc(32).toString('base64url') }), 'key-weak');
  assert.equal(withKey({ x: Buffer.alloc(32, 255).toString('base64url') }), 'key-weak');
  assert.equal(withKey({ kid: 5 }), 'kid-unknown');
  assert.equal(withKey({ kty: 'EC', use: 'enc', x: 1 }), 'key-wrong-type');
});
const SMALL = ['00'.repeat(32), '01' + '00'.repeat(31),
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a', 'ec' + 'ff'.repeat(30) + '7f'];
test('signature', () => {
  const pub = Buffer.from(X, 'base64url').toString('hex'), msg = '616263', good = sign(null, Buffer.from('abc'), KEY);
  const ed = (o) => reason('ed25519', { publicKey: pub, message: msg, signature: good.toString('hex'), ...o });
  assert.equal(ed({}), null);
  // r[token.signature.length]
  for (const n of [63, 65, 0]) assert.equal(ed({ signature: 'aa'.repeat(n) }), 'signature-length');
  // r[token.signature.s]
  const L = 2n ** 252n + 27742317777372353535851937790883648493n;
  const le = (n) => Buffer.from(n.toString(16).padStart(64, '0'), 'hex').reverse().toString('hex');
  const R = good.subarray(0, 32).toString('hex'),
    S = BigInt('0x' + Buffer.from(good.subarray(32)).reverse().toString('hex'));
  assert.equal(ed({ signature: R + le(L) }), 'signature-noncanonical');
  assert.equal(ed({ signature: R + le(S + L) }), 'signature-noncanonical');
  assert.equal(ed({ signature: R + le(L - 1n) }), 'signature-invalid');
  // r[token.signature.r] r[token.signature.point]
  const tail = good.subarray(32).toString('hex'), P = 2n ** 255n - 19n;
  const sgn = (h) => { const b = Buffer.from(h, 'hex'); b[31] |= 0x80; return b.toString('hex'); };
  for (const s of SMALL) { assert.equal(ed({ signature: s + tail }),
    'signature-small-order'); assert.equal(ed({ publicKey: s }), 'key-weak'); assert.equal(ed({ publicKey: sgn(s) }),
    'key-weak'); }
  for (const n of [P, P + 1n, 2n ** 255n - 1n]) assert.equal(ed({ signature: le(n) + tail }), 'signature-noncanonical');
  assert.equal(ed({ signature: sgn(SMALL[1]) + tail }), 'signature-noncanonical');
  assert.equal(ed({ signature: sgn(SMALL[4]) + tail }), 'signature-noncanonical');
  assert.equal(ed({ signature: sgn(SMALL[0]) + tail }), 'signature-small-order');
  assert.equal(ed({ signature: le(2n) + tail }), 'signature-invalid');
  // r[token.signature.equation]
  assert.equal(ed({ message: '616264' }), 'signature-invalid');
  assert.equal(ed({ publicKey: le(2n) }), 'signature-invalid'); // y=2 may be no point
  const t = make().split('.'); assert.equal(token(`${t[0]}.${b64('{}')}.${t[2]}`), 'signature-invalid');
});

test('claims', () => {
  // r[token.payload.json]
  assert.equal(token(make(Buffer.from([0xc0]))), 'payload-not-utf8');
  assert.equal(token(make('{}{}')), 'payload-not-json');
  assert.equal(token(make('[]')), 'payload-not-object');
  assert.equal(token(make('{"x":{"a":1,"a":1}}')), 'payload-duplicate-member');
  assert.equal(token(make('['.repeat(33))), 'payload-too-deep');
  // r[token.claims]
  for (const k of Object.keys(CLAIMS)) { assert.equal(token(make(without(CLAIMS, k))), 'claim-missing',
    k); assert.equal(token(C({ [k]: null })), 'claim-type', k); }
  // r[token.claims.integer] r[time.numeric]
  for (const iat of ['1.0', '1e3', '-0', '"1"', '1796040000.0', '-0.0']) assert.equal(token(rawClaims({ iat })),
    'claim-type', iat);
  for (const iat of ['-1', '9007199254740992', '1' + '0'.repeat(40)]) assert.equal(token(rawClaims({ iat })),
    'claim-range', iat);
  assert.equal(token(rawClaims({ exp: '9007199254740991' })), 'lifetime-too-long');
  assert.equal(token(rawClaims({ iat: '0' })), 'lifetime-too-long');
  assert.equal(token(C({ nbf: null })), 'claim-type');
  assert.equal(token(C({ nbf: -1 })), 'claim-range');
  // r[token.iss] r[token.aud] r[token.url] r[token.status] r[token.checked-at]
  assert.equal(token(C({ iss: ISS + '/' })), 'iss-mismatch');
  assert.equal(token(C({ aud: null })), 'aud-unexpected');
  assert.equal(token(C({ url: 'https://a.example' })), 'url-invalid');
  assert.equal(token(C({ status: 'OK' })), 'status-invalid');
  assert.equal(token(C({ checked_at: '2026-11-30T11:00:00+00:00' })), 'checked-at-invalid');
  assert.equal(token(C({ zzz: [1] })), null);
  // r[token.claims.order]
  assert.equal(token(C({ aud: 1, exp: 1, iss: 'x' })), 'iss-mismatch');
  assert.equal(token(C({ aud: 1, exp: 1 })), 'lifetime-invalid');
  assert.equal(token(C({ aud: 1, url: 1 })), 'aud-unexpected');
});

test('times', () => {
  // r[token.exp.after-iat] r[token.exp.max-life]
  assert.equal(token(C({ exp: NOW })), 'lifetime-invalid');
  assert.equal(token(C({ exp: NOW + 1 })), null);
  assert.equal(token(C({ exp: NOW + 172800 })), null);
  assert.equal(token(C({ exp: NOW + 172801 })), 'lifetime-too-long');
  // r[token.iat.future] r[time.leeway]
  assert.equal(token(C({ iat: NOW + 300 })), null);
  assert.equal(token(C({ iat: NOW + 301 })), 'issued-in-future');
  // r[token.exp.expired]
  assert.equal(token(C({ iat: NOW - 9000, exp: NOW - 300 })), null);
  assert.equal(token(C({ iat: NOW - 9000, exp: NOW - 301 })), 'expired');
  // r[token.nbf]
  assert.equal(token(C({ nbf: NOW + 300 })), null);
  assert.equal(token(C({ nbf: NOW + 301 })), 'not-yet-valid');
  // r[token.checked-at.future] r[status.max-age]
  assert.equal(token(C({ checked_at: '2026-11-30T12:05:00Z' })), null);
  assert.equal(token(C({ checked_at: '2026-11-30T12:05:01Z' })), 'checked-at-future');
  assert.equal(token(C({ checked_at: '2026-11-29T12:00:00Z' })), null);
  assert.equal(token(C({ checked_at: '2026-11-29T11:59:59Z' })), 'observation-too-old');
});

test('discovery', () => {
  const D = (o) => discovery({ ...DISCOVERY, ...o });
  const E = (o) => D({ endpoints: { ...DISCOVERY.endpoints, ...o } });
  assert.equal(D({}), null);
  // r[discovery.members] r[version.value] r[version.unknown]
  for (const k of Object.keys(DISCOVERY)) { assert.equal(discovery(without(DISCOVERY, k)), 'member-missing',
    k); assert.equal(D({ [k]: null }), 'member-type', k); }
  assert.equal(D({ v: '0.3' }), 'version-unsupported');
  assert.equal(discovery({ v: '0.3' }), 'version-unsupported');
  assert.equal(D({ changelog: null }), 'member-type');
  assert.equal(D({ history: 7 }), null);
  assert.equal(E({ mcp: null }), 'member-type');
  // r[discovery.iss] r[discovery.name]
  assert.equal(D({ iss: ISS + '/' }), 'iss-mismatch');
  assert.equal(D({ resolver: '' }), 'name-invalid');
  assert.equal(D({ resolver: '😀'.repeat(100) }), null);
  assert.equal(D({ resolver: 'a'.repeat(101) }), 'name-invalid');
  assert.equal(D({ resolver: 'a\u202eb' }), 'name-invalid');
  assert.equal(D({ resolver: 'a\u200db' }), null);
  assert.equal(D({ resolver: 'a\u0085' }), 'name-invalid');
  // r[discovery.endpoints] r[discovery.endpoints.origin] r[discovery.endpoints.query]
  assert.equal(E({ resolve: ISS }), 'endpoint-invalid');
  assert.equal(E({ record: 'https://other.example/r' }), 'endpoint-origin');
  assert.equal(E({ mcp: ISS + ':8443/' }), 'endpoint-origin');
  assert.equal(E({ mcp: ISS + '/m?x=1' }), null);
  assert.equal(E({ resolve: ISS + '/r?' }), 'endpoint-invalid');
  assert.equal(E({ foo: 1 }), null);
  assert.equal(D({ policy: 'https://other.example/p?x' }), null);
  assert.equal(D({ policy: 'p' }), 'endpoint-invalid');
  assert.equal(D({ changelog: 'p' }), 'endpoint-invalid');
  // r[discovery.size]
  const s = JSON.stringify(DISCOVERY); assert.equal(discovery(s + ' '.repeat(65536 - s.length)),
    null); assert.equal(discovery(s + ' '.repeat(65537 - s.length)), 'document-too-large');
  // r[discovery.keys.count] r[discovery.key-type] r[discovery.keys.private] r[discovery.keys.kid-unique]
  const many = (n) => Array.from({ length: n }, (_, i) => ({ kid: `x${i}` }));
  assert.equal(D({ keys: many(32) }), null);
  assert.equal(D({ keys: many(33) }), 'keys-too-many');
  assert.equal(D({ keys: [] }), null);
  assert.equal(D({ keys: [1, { d: 1 }] }), 'member-type');
  for (const m of ['d', 'k', 'p', 'q', 'dp', 'dq', 'qi', 'oth']) assert.equal(D({ keys: [{ [m]: null }] }),
    'key-private'); assert.equal(D({ keys: [{ n: 1 }] }), null);
  assert.equal(D({ keys: [JWK, { kid: 'k1', kty: 'EC' }] }), 'kid-ambiguous');
  assert.equal(D({ keys: [JWK, { kid: 'k1', d: 1 }] }), 'key-private');
  // r[discovery.order]
  assert.equal(D({ keys: [JWK, JWK], policy: 'p' }), 'kid-ambiguous');
  assert.equal(D({ iss: 'x', keys: 1 }), 'member-type');
  assert.equal(discovery('[]'), 'document-not-object');
  assert.equal(discovery('{'), 'document-not-json');
  assert.equal(discovery('{"v":"9","v":"9"}'), 'document-duplicate-member');
});

test('issuer', () => { // r[discovery.iss] r[origin.issuer] r[origin.refused] r[origin.comparison] r[discovery.refused]
  for (const iss of [`${ISS}/`, 'https://Resolver.example', `${ISS}:443`, 'http://resolver.example', 'https://192.0.2.1']) {
    assert.equal(discovery({ ...DISCOVERY, iss }), 'iss-mismatch');
    assert.equal(discovery({ ...DISCOVERY, iss }, iss), 'iss-mismatch');
    assert.equal(token(C({ iss })), 'iss-mismatch');
  }
  assert.equal(token(make(), { discovery: '{"v":1}' }), 'member-type');
});

test('now is rounded down', () => { // r[time.now]
  assert.equal(token(C({ iat: NOW + 301 }), { now: '2026-11-30T12:00:00.999Z' }), 'issued-in-future');
  assert.equal(token(C({ iat: NOW - 9000, exp: NOW - 300 }), { now: '2026-11-30T12:00:00.999Z' }), null);
});

test('unknown claims are ignored after the rules for JSON', () => { // r[token.claims.unknown] r[record.history]
  assert.equal(token(C({ history: 7, jti: null })), null);
  assert.equal(token(make(JSON.stringify(CLAIMS).replace('}', ',"x":{"a":1,"a":2}}'))), 'payload-duplicate-member');
});
