// §5.1 and §5.2
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { readNeed } from '../src/requests.mjs';
import { trimWhite } from '../src/text.mjs';
import { ask, reason } from '../test-support/helpers.mjs';

test('needs', () => {
  // r[resolve.need.length] r[text.character]
  assert.equal(reason('need', { need: 'ab' }), 'need-length');
  assert.equal(reason('need', { need: 'abc' }), null);
  assert.equal(reason('need', { need: '😀'.repeat(200) }), null);
  assert.equal(reason('need', { need: '😀'.repeat(201) }), 'need-length');
  assert.equal(reason('need', { need: '' }), 'need-length');
  assert.equal(reason('need', { need: '   a   ' }), 'need-length');
  // r[resolve.need.read] NFC after the trim
  assert.equal(reason('need', { need: 'e\u0301'.repeat(200) }), null);
  assert.equal(reason('need', { need: 'e\u0301a' }), 'need-length');
  assert.equal(ask('need', { need: '\u3000 abc\u0085\t' }).output.need, 'abc');
  // r[resolve.need.control]
  assert.equal(reason('need', { need: 'a\tb c' }), 'need-character');
  assert.equal(reason('need', { need: 'a\u0085' + 'b' }), 'need-character');
  assert.equal(reason('need', { need: '\u0001' }), 'need-character');
  // r[text.white-space]
  assert.equal(trimWhite('\ufeffa'), '\ufeffa');
  assert.equal(trimWhite('\u180ea\u200b'), '\u180ea\u200b');
  assert.equal(trimWhite('\u2028a\u205f'), 'a');
  assert.equal(readNeed('a\u200bbc'), 'a\u200bbc');
});

test('queries', () => { // r[resolve.order] r[constraint.names] r[resolve.query.encoding]
  const q = (query) => reason('request', { query });
  assert.equal(q('need=send%20mail&payment=none&sign_in=none&read_only=true&max_handshake_ms=60000'), null);
  assert.equal(q('need=send+mail&max_handshake_ms=1'), null);
  for (const v of ['0', '60001', '01', '+1', '1.0', '', '1e3', ' 1', '99999'])
    assert.equal(q(`need=abc&max_handshake_ms=${v}`), 'constraint-value', v);
  for (const p of ['sign_in=required', 'read_only=false', 'read_only=True', 'payment=', 'payment'])
    assert.equal(q(`need=abc&${p}`), 'constraint-value', p);
  assert.equal(q('need=a%ZZ'), 'query-encoding');
  assert.equal(q('need=abc%'), 'query-encoding');
  assert.equal(q('need=abc%4'), 'query-encoding');
  assert.equal(q('x=1&y=%ff'), 'query-encoding');
  assert.equal(q('x=1&x=1'), 'parameter-unknown');
  assert.equal(q('Need=abc'), 'parameter-unknown');
  assert.equal(q('need=a&need=b'), 'parameter-repeated');
  assert.equal(q('payment=x'), 'need-missing');
  assert.equal(q(''), 'need-missing');
  assert.equal(q('need=&payment=x'), 'need-length');
  assert.equal(q('need'), 'need-length');
  assert.equal(q('need=%01'), 'need-character');
  assert.equal(q('&need=abc&&'), null);
});
