// §3.3, §3.4, §3.5 and the times of §11.3
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { canonicalHost, canonicalOrigin, isIssuer, isOrigin } from '../src/hosts.mjs';
import { formatDocTime, parseDocTime, parseRfc3339 } from '../src/times.mjs';
import { isServerUrl } from '../src/urls.mjs';

test('time.document', () => { // r[time.document]
  for (const t of ['2026-02-29T00:00:00Z', '2026-01-01T24:00:00Z', '2026-01-01T00:00:60Z', '0000-01-01T00:00:00Z',
    '2026-1-01T00:00:00Z', '2026-01-01t00:00:00Z', '2026-01-01T00:00:00+00:00', '2026-01-01T00:00:00.0Z',
    '2100-02-29T00:00:00Z', '２026-01-01T00:00:00Z', '2026-01-01T00:00:00Z\n', '2026-00-01T00:00:00Z',
    '2026-01-00T00:00:00Z'])
    assert.equal(parseDocTime(t), null, t);
  assert.equal(parseDocTime('2024-02-29T23:59:59Z'), 1709251199);
  assert.equal(parseDocTime('0001-01-01T00:00:00Z'), -62135596800);
  assert.equal(parseDocTime('9999-12-31T23:59:59Z'), 253402300799);
  assert.equal(formatDocTime(-62135596800), '0001-01-01T00:00:00Z');
});

test('origins', () => {
  // r[origin.serialization]
  for (const t of ['https://a.example', 'https://a.example:8443', 'https://a.example:1', 'https://a.example:65535',
    'https://localhost']) assert.ok(isOrigin(t), t);
  for (const t of ['https://a.example/', 'https://a.example:443', 'https://a.example:0443', 'https://a.example:',
    'http://a.example', 'HTTPS://a.example', 'https://u@a.example', 'https://a.example:65536', 'https://a.example:0',
    'https://', 'https://a.example\n', ' https://a.example']) assert.ok(!isOrigin(t), t);
  // r[origin.host]
  const l63 = 'a'.repeat(63), d253 = `${l63}.${l63}.${l63}.${'a'.repeat(61)}`;
  assert.ok(isOrigin(`https://${d253}`));
  assert.ok(!isOrigin(`https://${d253}a`));
  assert.ok(isOrigin(`https://${l63}.b`));
  assert.ok(!isOrigin(`https://${l63}a.b`));
  for (const t of ['a_b.example', '-a.example', '1.2.3.4', '[2001:db8::1]', '[::]'])
    assert.ok(isOrigin(`https://${t}`), t);
  for (const t of ['a..example', 'a.example.', '.a', '01.2.3.4', '256.1.1.1', '[2001:DB8::1]',
    '[2001:db8:0:0:0:0:0:1]', '[::ffff:1.2.3.4]', '[fe80::1%25a]', 'A.example', 'ä.example', 'a%41.example'])
    assert.ok(!isOrigin(`https://${t}`), t);
  // r[origin.numeric-label]
  for (const t of ['a.1', '1.2.3', 'a.0x', 'a.0x1f', '1']) assert.ok(!isOrigin(`https://${t}`), t);
  for (const t of ['1.a', 'a.0xg', '0x1.a', 'a.1b']) assert.ok(isOrigin(`https://${t}`), t);
  // r[origin.idna]
  assert.ok(isOrigin('https://xn--bcher-kva.example'));
  assert.ok(!isOrigin('https://xn--a.example'));
  assert.ok(isOrigin('https://xn--fuball-cta.example'));
  assert.equal(canonicalOrigin('https://Bücher.Example:443/'), 'https://xn--bcher-kva.example');
  assert.equal(canonicalOrigin('https://fußball.example'), 'https://xn--fuball-cta.example');
  assert.equal(canonicalOrigin('https://GRO\u1e9e.example'), 'https://xn--gro-7ka.example');
  assert.ok(!isOrigin('https://xn--abc-.example'));
  // r[origin.issuer]
  assert.ok(isIssuer('https://a.example:8443'));
  assert.ok(!isIssuer('https://1.2.3.4'));
  assert.ok(!isIssuer('https://[::1]'));
});

test('url.form', () => { // r[url.form]
  for (const t of ['https://a.example/', "https://a.example/it's", 'https://a.example/a//b', 'https://a.example/?',
    'https://a.example/%2f%2F?q=/?', 'https://[::1]:1/x', 'https://1.2.3.4/', 'https://a.example:65535/'])
    assert.ok(isServerUrl(t), t);
  for (const t of ['https://a.example', "https://a.example/?q='", 'https://a.example/#f', 'https://a.example/{x}',
    'https://a.example/%2', 'https://a.example:443/', 'https://a.example:080/', 'https://a.example:65536/',
    'https://a.example:/', 'https://u@a.example/', 'HTTPS://a.example/', 'https://A.example/', 'https://a.example/ä',
    'https://a.example/a b', 'https://a.1/', 'https://a.example./', 'https://a.example/\\', 'https://a.example?q',
    'https://[::ffff:1.2.3.4]/', 'https://a.example/x\n', 'https://a.example/|', 'https://a.example/^'])
    assert.ok(!isServerUrl(t), t);
  const u = (n) => 'https://a.example/' + 'x'.repeat(n - 18);
  assert.ok(isServerUrl(u(2048)));
  assert.ok(!isServerUrl(u(2049)));
  // every accepted string is its own serialization
  const alphabet = ["/", ".", "%2e", "%41", "'", "?", "a", "~", "!", ":", "@", "//"];
  for (let i = 0; i < 3000; i++) {
    let url = 'https://a.example';
    for (let k = 0; k < 5; k++) url += alphabet[(i * 7919 + k * 104729 + i * k) % alphabet.length];
    if (isServerUrl(url)) assert.equal(new URL(url).href, url);
  }
});

test('url.dot-segment', () => { // r[url.dot-segment]
  for (const t of ['.', '..', '%2e', '%2E', '.%2e', '%2e.', '%2E%2e', 'a/./b', 'a/..'])
    assert.ok(!isServerUrl(`https://a.example/${t}`), t);
  for (const t of ['...', '.a', '%2e%2e%2e', '?a=/../', 'a.']) assert.ok(isServerUrl(`https://a.example/${t}`), t);
});

test('RFC 3339', () => { // r[captxt.expires.form] r[captxt.expires.leap]
  for (const t of ['2026-01-01t00:00:00z', '2026-01-01T00:00:00.123+23:59', '2016-12-31T23:59:60Z',
    '2017-01-01T00:59:60+01:00', '2026-01-01T00:00:00-00:00']) assert.ok(parseRfc3339(t), t);
  for (const t of ['2026-01-01 00:00:00Z', '2026-01-01T00:00:00', '2026-01-01T00:00:00+24:00',
    '2026-01-01T00:00:00+00:60', '2026-01-01T24:00:00Z', '2026-02-30T00:00:00Z', '2016-12-30T23:59:60Z',
    '2016-12-31T22:59:60Z', '2016-12-31T23:59:60+01:00', '2026-01-01T00:00:00.Z', '2026-01-01T00:00Z',
    '2026-01-01T00:00:61Z', '2026-01-01T00:00:00,5Z']) assert.equal(parseRfc3339(t), null, t);
  assert.equal(parseRfc3339('2016-12-31T23:59:60Z').sec, parseRfc3339('2017-01-01T00:00:00Z').sec);
});

test('CheckBidi', () => { // r[origin.idna]
  for (const host of ['א.example', 'א1.example', 'a.א', 'a1.אב', '\u070a\u06cf.example', '\u0e51.א'])
    assert.notEqual(canonicalHost(host), null, host);
  for (const host of ['1א.example', 'aא.example', 'אa.example', '1a.אב', 'a-.אב', '_a.אב', '\u0660א.example', '\u066b.example', 'a\u0705.example'])
    assert.equal(canonicalHost(host), null, host);
});

test('hosts as people write them', () => { // r[captxt.resolvers.canonical] r[origin.numeric-label]
  assert.equal(canonicalHost('192.0.2.1.'), '192.0.2.1');
  assert.equal(canonicalHost('\uff11.example'), '1.example');
  assert.equal(canonicalHost('[::ffff:192.0.2.1]'), '[::ffff:c000:201]');
  for (const host of ['xn---4xa', '\uff11\uff19\uff12.0.2.1', '192.0.2.\uff11', '192\u30020.2.1', // r[origin.idna]
    '127.1', '192.0.2.01', 'a..', '', 'ä\tb.example', 'a%41.example'])
    assert.equal(canonicalHost(host), null, host);
});
