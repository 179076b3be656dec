// §5.3 and §5.4: answers and their candidates; §7.2: records.
import { member, parseDocument } from './discovery.mjs';
import { refuse, Refused } from './refused.mjs';
import { isObject } from './strict-json.mjs';
import { formatDocTime } from './times.mjs';
import { checkRecordClaims, verifyToken } from './token.mjs';

const ANSWER_SIZE = 262144;
const RECORD_SIZE = 65536;
const MAX_CANDIDATES = 10;
const CANDIDATE_COPIES = ['url', 'status', 'checked_at', 'expires'];
const RECORD_COPIES = [...CANDIDATE_COPIES, 'name', 'first_seen'];

/** The value that the copy of a name has to have; null when no time of time.document can state it. */
const copied = (claims, name) => (name === 'expires' ? formatDocTime(claims.get('exp').value) : claims.get(name));
const differs = (object, claims, name) => {
  const value = object.get(name);
  return typeof value !== 'string' || value !== copied(claims, name);
};

/** conformance.vectors.output-order: names as they stand in the object; missing ones come last, as they were given. */
function inOrder(object, names) {
  const order = [...object.keys()];
  const placeOf = (name) => (object.has(name) ? order.indexOf(name) : order.length);
  return names.toSorted((a, b) => placeOf(a) - placeOf(b));
}

/** resolve.answer.order -> {candidates, dropped, copyDiffers, duplicateUrl}: places, and JSON pointers. */
export function readAnswer(bytes, discovery, now) {
  const document = parseDocument(bytes, ANSWER_SIZE);
  const iss = member(document, 'iss', 'string');
  const name = member(document, 'resolver', 'string');
  const list = member(document, 'candidates', 'array');
  if (iss !== discovery.issuer) refuse('iss-mismatch');
  if (list.length > MAX_CANDIDATES) refuse('too-many-candidates');

  const answer = { candidates: [], dropped: [], copyDiffers: [], duplicateUrl: [] };
  const seen = new Set();
  list.forEach((candidate, at) => {
    const { claims, reason } = verifyCandidate(candidate, discovery, now);
    if (reason) answer.dropped.push({ at, reason });
    else if (seen.has(claims.get('url'))) answer.duplicateUrl.push(at);
    else {
      seen.add(claims.get('url'));
      answer.candidates.push(at);
      for (const copy of inOrder(candidate, CANDIDATE_COPIES))
        if (differs(candidate, claims, copy)) answer.copyDiffers.push(`/candidates/${at}/${copy}`);
    }
  });
  if (name !== discovery.name) {
    const first = inOrder(document, ['resolver', 'candidates'])[0] === 'resolver';
    answer.copyDiffers.splice(first ? 0 : answer.copyDiffers.length, 0, '/resolver');
  }
  return answer;
}

function verifyCandidate(candidate, discovery, now) {
  const jws = isObject(candidate) ? candidate.get('jws') : undefined;
  if (typeof jws !== 'string') return { reason: 'jws-missing' };
  try {
    return { claims: verifyToken(Buffer.from(jws), discovery, now) };
  } catch (e) {
    if (e instanceof Refused) return { reason: e.code };
    throw e;
  }
}

/** record.order -> {copyDiffers}; requestedUrl is null for a client that asked by id. */
export function readRecord(bytes, discovery, now, requestedUrl) {
  const document = parseDocument(bytes, RECORD_SIZE);
  const iss = member(document, 'iss', 'string');
  const name = member(document, 'resolver', 'string');
  const jws = member(document, 'jws', 'string');
  if (iss !== discovery.issuer) refuse('iss-mismatch');
  const claims = verifyToken(Buffer.from(jws), discovery, now);
  checkRecordClaims(claims, discovery.issuer);
  if (requestedUrl !== null && claims.get('url') !== requestedUrl) refuse('url-mismatch');
  const copyDiffers = RECORD_COPIES.filter((copy) => document.has(copy) && differs(document, claims, copy));
  if (name !== discovery.name) copyDiffers.push('resolver');
  return { copyDiffers: inOrder(document, copyDiffers).map((copy) => `/${copy}`) };
}
