// §3.2
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { readObject } from '../src/strict-json.mjs';

function fault(text) {
  try {
    readObject(Buffer.from(text), 'x');
    return null;
  } catch (e) {
    return e.code?.slice(2) ?? String(e);
  }
}
/** The fault of a value inside of an object. */
const valueFault = (text) => fault(`{"a":${text}}`);

test('UTF-8', () => { // r[json.utf8]
  for (const hex of ['c0', 'c080', 'eda080', 'f4908080', 'e282'])
    assert.equal(fault(Buffer.from(`7b2261223a22${hex}227d`, 'hex')), 'not-utf8');
  assert.equal(valueFault('"\u{10ffff}"'), null);
});

test('syntax', () => { // r[json.syntax]
  for (const text of ['', ' ', '\ufeff{}', '{}{}', '{"a":1,}', '/**/{}', '{a:1}', 'tru', '\u00a0{}', "{'a':1}"])
    assert.equal(fault(text), 'not-json', text);
  for (const text of ['[1,]', 'NaN', '01', '1.', '.5', '+1', '"\t"', '"\\x"', '-'])
    assert.equal(valueFault(text), 'not-json', text);
  for (const text of ['-0', '1e5', '"\\u0000\\/"', 'null', '"\x7f"']) assert.equal(valueFault(text), null, text);
  assert.equal(fault(' \t\r\n{} '), null);
});

test('surrogates', () => { // r[json.surrogate]
  for (const text of ['"\\ud800"', '"\\udc00"', '"\\ud800\\ud800"', '"\\udc00\\ud800"', '"\\ud800x"', '{"\\ud800":1}'])
    assert.equal(valueFault(text), 'not-json', text);
  assert.equal(valueFault('"\\ud83d\\ude00"'), null);
});

test('numbers', () => { // r[json.number-range]
  for (const text of ['1e400', '-1e309', '1.7976931348623159e308', '9'.repeat(400)])
    assert.equal(valueFault(text), 'not-json', text);
  for (const text of ['1.7976931348623157e308', '1.7976931348623158079e308', '1e-400', '1'.repeat(40)])
    assert.equal(valueFault(text), null, text);
});

test('duplicates', () => { // r[json.duplicate] r[json.unknown-member]
  assert.equal(fault('{"a":1,"\\u0061":2}'), 'duplicate-member');
  assert.equal(fault('{"x":[{"__proto__":1,"__proto__":2}]}'), 'duplicate-member');
  assert.equal(fault('{"__proto__":1,"é":2,"e\u0301":3}'), null);
});

test('depth', () => { // r[json.depth] r[json.depth-measure]
  assert.equal(valueFault('['.repeat(31) + ']'.repeat(31)), null);
  assert.equal(valueFault('['.repeat(32) + ']'.repeat(32)), 'too-deep');
  assert.equal(valueFault(`["${'['.repeat(50)}\\"[["]`), null);
  assert.equal(fault(`"\\\\"${'['.repeat(33)}`), 'too-deep');
  assert.equal(fault(`]]${'['.repeat(33)}`), 'too-deep');
  assert.equal(fault(`]]${'['.repeat(32)}`), 'not-json');
  assert.equal(fault(`"${'['.repeat(33)}`), 'not-json');
});

test('order', () => { // r[json.order]
  assert.equal(fault(Buffer.concat([Buffer.from('['.repeat(40)), Buffer.from([0xff])])), 'not-utf8');
  assert.equal(fault(`${'['.repeat(33)}x`), 'too-deep');
  assert.equal(fault('[{"a":1,"a":2}]'), 'not-object');
  assert.equal(fault('{"a":1,"a":1e999}'), 'not-json');
});
