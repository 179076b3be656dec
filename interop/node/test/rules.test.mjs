// The sets of §3.1 as the text lists them, and the names of the rules that the tests give.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { isControl, isUnsafe, isWhite } from '../src/text.mjs';
import { SPEC } from '../test-support/helpers.mjs';

function setOf(rule) {
  const [paragraph] = SPEC.split(`r[${rule} | vector]\n`)[1].split('\n\n', 1);
  const set = new Set();
  for (const [, first, last = first] of paragraph.replaceAll('\n', ' ').matchAll(/U\+([0-9A-F]{4,6})(?: to U\+([0-9A-F]{4,6}))?/g))
    for (let n = parseInt(first, 16); n <= parseInt(last, 16); n++) set.add(n);
  return set;
}

test('sets of characters', () => { // r[text.unsafe] r[text.control] r[text.white-space]
  for (const [rule, test] of [['text.unsafe', isUnsafe], ['text.control', isControl], ['text.white-space', isWhite]]) {
    const set = setOf(rule);
    assert.ok(set.size > 10);
    for (const [from, to] of [[0, 0x10000], [0x1f000, 0x20000], [0xe0000, 0xe1000]])
      for (let n = from; n < to; n++)
        if (test(String.fromCodePoint(n)) !== set.has(n)) assert.fail(`${rule} ${n.toString(16)}`);
  }
});

test('every rule that a test names is one of the text', () => {
  const known = new Set([...SPEC.matchAll(/^r\[([a-z0-9.-]+) \|/gm)].map((m) => m[1])), folder = new URL('.', import.meta.url);
  const named = readdirSync(folder).filter((name) => name.endsWith('.test.mjs'))
    .flatMap((name) => [...readFileSync(new URL(name, folder), 'utf8').matchAll(/r\[([a-z][a-z0-9.-]*)\]/g)].map((m) => m[1]));
  assert.deepEqual(named.filter((rule) => !known.has(rule)), []);
  assert.ok(new Set(named).size > 100);
});
