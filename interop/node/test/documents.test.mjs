// §5.3, §5.4 and §7.2
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { answer, CLAIMS, ISS, make, record, without } from '../test-support/helpers.mjs';

function candidate(claims = {}, copies = {}) {
  const c = { ...CLAIMS, ...claims };
  const expires = `${new Date(c.exp * 1000).toISOString().slice(0, 19)}Z`;
  return { url: c.url, status: c.status, checked_at: c.checked_at, expires, jws: make(c), ...copies };
}
const answerOf = (candidates, more) => ({ v: '0.2', iss: ISS, resolver: 'R', candidates, ...more });
const padded = (document, length) => JSON.stringify(document).padEnd(length);

test('answers', () => { // r[resolve.answer.members] r[resolve.answer.iss] r[resolve.answer.order] r[resolve.answer.count]
  assert.deepEqual(answer(answerOf([])), { id: 1, result: 'valid', reason: null, // r[resolve.answer.empty]
    output: { candidates: [], dropped: [], copyDiffers: [], duplicateUrl: [] } });
  for (const [document, code] of [
    [answerOf({}), 'member-type'], [answerOf([], { iss: 'x' }), 'iss-mismatch'], [answerOf(Array(10).fill(1)), null],
    [answerOf(Array(11).fill(1)), 'too-many-candidates'], [answerOf(Array(11).fill(1), { iss: 'x' }), 'iss-mismatch'],
    [without(answerOf([]), 'resolver'), 'member-missing'], [answerOf([], { v: '0.3', iss: 1 }), 'version-unsupported'],
    // r[resolve.answer.size]
    [padded(answerOf([]), 262144), null], [padded(answerOf([]), 262145), 'document-too-large'],
    ['{"v":"0.2","v":"0.2"}', 'document-duplicate-member'], ['\ufeff{}', 'document-not-json'], // r[json.document-code]
  ]) assert.equal(answer(document).reason, code);
});

test('candidates', () => {
  // r[candidate.unsigned] r[candidate.dropped] r[candidate.duplicate] r[code.difference-list]
  const other = candidate({ url: 'https://b.example/' }, { expires: undefined, url: 7 });
  const { output } = answer(answerOf([1, { jws: 1 }, candidate({ exp: 1 }), candidate({}, { status: 'down' }),
    candidate({ status: 'down' }, { url: 'x' }), other], { resolver: 'Q' }));
  assert.deepEqual(output, {
    candidates: [3, 5],
    dropped: [{ at: 0, reason: 'jws-missing' }, { at: 1, reason: 'jws-missing' }, { at: 2, reason: 'lifetime-invalid' }],
    // r[candidate.copy-differs] r[candidate.claims-only] r[resolve.answer.name-read]
    copyDiffers: ['/resolver', '/candidates/3/status', '/candidates/5/url', '/candidates/5/expires'],
    duplicateUrl: [4],
  });
});

test('differences stand in the order of the document', () => { // r[conformance.vectors.output-order]
  const bad = { expires: 1, url: 2 }; // the members that are missing have no place: they come last
  const answered = (document) => answer(document).output.copyDiffers;
  const more = ['/candidates/0/expires', '/candidates/0/url', '/candidates/0/status', '/candidates/0/checked_at'];
  const document = { candidates: [{ ...bad, jws: make() }], resolver: 'Q', v: '0.2', iss: ISS };
  assert.deepEqual(answered(document), [...more, '/resolver']);
  assert.deepEqual(answered({ resolver: 'Q', ...document }), ['/resolver', ...more]);
  assert.deepEqual(answered(answerOf([candidate({}, { url: 1, expires: 1 })])), ['/candidates/0/url', '/candidates/0/expires']);
  assert.deepEqual(record({ first_seen: 1, url: 1, ...recordOf() }).output,
    { copyDiffers: ['/first_seen', '/url'] });
  assert.deepEqual(record({ name: 1, ...recordOf({}, { resolver: 'Q', url: 1 }) }).output,
    { copyDiffers: ['/name', '/resolver', '/url'] });
});

const RECORD_CLAIMS = { ...CLAIMS, name: 'A', first_seen: '2026-11-30T11:00:00Z' };
const recordOf = (claims = {}, more = {}) =>
  ({ v: '0.2', iss: ISS, resolver: 'R', jws: make({ ...RECORD_CLAIMS, ...claims }), ...more });

test('records', () => { // r[record.members] r[record.claims] r[record.name] r[record.first-seen] r[record.history-form]
  for (const name of ['v', 'iss', 'resolver', 'jws'])
    assert.equal(record(without(recordOf(), name)).reason, 'member-missing');
  for (const [document, code] of [
    [recordOf(), null], [recordOf({}, { iss: 'x' }), 'iss-mismatch'], [recordOf({}, { v: '1' }), 'version-unsupported'],
    [recordOf({ name: undefined }), 'claim-missing'], [recordOf({ name: 1 }), 'claim-type'],
    [recordOf({ name: 'a'.repeat(200) }), null], [recordOf({ name: 'a'.repeat(201) }), 'name-invalid'],
    [recordOf({ name: '\u200b' }), 'name-invalid'], [recordOf({ first_seen: 1 }), 'claim-type'],
    [recordOf({ first_seen: '2026-11-30T11:00:01Z' }), 'first-seen-invalid'], [recordOf({ first_seen: 'x' }),
      'first-seen-invalid'],
    [recordOf({ history: `${ISS}/h` }), null], [recordOf({ history: 'https://x.example/' }), 'history-invalid'],
    [recordOf({ history: null }), 'history-invalid'],
    [padded(recordOf(), 65536), null], [padded(recordOf(), 65537), 'document-too-large'], // r[record.size]
  ]) assert.equal(record(document).reason, code);
});

test('what differs from the claims of a record', () => { // r[record.copy-differs]
  assert.deepEqual(record(recordOf({}, { name: 'A', expires: '2026-11-30T13:00:00Z' })).output, { copyDiffers: [] });
  assert.deepEqual(record(recordOf({}, { resolver: 'Q', name: 'B', url: null })).output,
    { copyDiffers: ['/resolver', '/name', '/url'] });
});

test('order of a record', () => { // r[record.order] r[record.requested]
  const claims = { status: 'x', name: '', first_seen: 'x', history: 'x' };
  const requestedUrl = 'https://z.example/';
  for (const [fixed, code] of [
    [{}, 'status-invalid'], [{ status: 'ok' }, 'name-invalid'], [{ name: 'A' }, 'first-seen-invalid'],
    [{ first_seen: CLAIMS.checked_at }, 'history-invalid'], [{ history: `${ISS}/h` }, 'url-mismatch'],
  ]) assert.equal(record(recordOf(Object.assign(claims, fixed)), { requestedUrl }).reason, code);
  assert.equal(record(recordOf(claims), { requestedUrl: null }).reason, null);
});

test('server URLs are compared as strings', () => { // r[url.comparison]
  const document = recordOf({ url: 'https://a.example/%2f' });
  assert.equal(record(document, { requestedUrl: 'https://a.example/%2f' }).reason, null);
  assert.equal(record(document, { requestedUrl: 'https://a.example/%2F' }).reason, 'url-mismatch');
});
