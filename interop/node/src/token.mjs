// §6: tokens, in the order of token.order and token.claims.order; §7.2: the further claims of a record's token.
import { decodeBase64url } from './base64url.mjs';
import { isKid } from './discovery.mjs';
import { refuse } from './refused.mjs';
import { checkSignature } from './signature.mjs';
import { Num, readObject } from './strict-json.mjs';
import { isCleanName } from './text.mjs';
import { LEEWAY, parseDocTime } from './times.mjs';
import { isServerUrl, parseServerUrl } from './urls.mjs';

const MAX_LENGTH = 8192;
const MAX_LIFE = 172800;
const MAX_AGE = 86400;
const STATUSES = ['ok', 'sign_in', 'down', 'unknown'];

/** The bytes of a token, a discovery document, now in seconds -> the payload as a Map. */
export function verifyToken(bytes, discovery, now) {
  const segments = split(bytes);
  const [header, payload, signature] = segments.map((s) => decodeBase64url(s) ?? refuse('base64-noncanonical'));
  const key = checkHeader(readObject(header, 'header'), discovery);
  checkSignature(key, Buffer.from(`${segments[0]}.${segments[1]}`, 'latin1'), signature);
  const claims = readObject(payload, 'payload');
  checkClaims(claims, discovery.issuer, now);
  return claims;
}

function split(bytes) {
  if (bytes.length > MAX_LENGTH) refuse('token-too-long');
  const text = Buffer.from(bytes).toString('latin1');
  if (!/^[A-Za-z0-9_.-]*$/.test(text)) refuse('token-bad-character');
  const segments = text.split('.');
  if (segments.length !== 3) refuse('token-segment-count');
  if (segments.includes('')) refuse('token-segment-empty');
  return segments;
}

/** -> the bytes of the key that the header names. */
function checkHeader(header, discovery) {
  if (!header.has('alg')) refuse('alg-missing');
  if (header.get('alg') !== 'EdDSA') refuse('alg-not-allowed');
  if (header.has('crit')) refuse('crit-unsupported');
  if (header.has('b64')) refuse('b64-unsupported');
  if (['jwk', 'jku', 'x5u', 'x5c'].some((name) => header.has(name))) refuse('header-key-material');
  if (header.has('cty')) refuse('cty-unsupported');
  if (header.has('typ') && header.get('typ') !== 'JWT') refuse('typ-not-allowed');
  if (!header.has('kid')) refuse('kid-missing');
  const kid = header.get('kid');
  if (!isKid(kid)) refuse('kid-invalid');
  const entry = discovery.keys.get(kid) ?? refuse('kid-unknown');
  return entry.key ?? refuse(entry.code);
}

function stringClaim(claims, name) {
  if (!claims.has(name)) refuse('claim-missing');
  const value = claims.get(name);
  return typeof value === 'string' ? value : refuse('claim-type');
}

/** token.claims.integer */
function integerClaim(claims, name) {
  if (!claims.has(name)) refuse('claim-missing');
  const value = claims.get(name);
  if (!(value instanceof Num) || !/^-?\d+$/.test(value.raw) || value.raw === '-0') refuse('claim-type');
  // The double nearest to an integer above 2^53 - 1 is at least 2^53: no integer is taken for a safe one.
  return value.value >= 0 && Number.isSafeInteger(value.value) ? value.value : refuse('claim-range');
}

function checkClaims(claims, issuer, now) {
  if (stringClaim(claims, 'iss') !== issuer) refuse('iss-mismatch');
  const iat = integerClaim(claims, 'iat');
  const exp = integerClaim(claims, 'exp');
  const nbf = claims.has('nbf') ? integerClaim(claims, 'nbf') : null;
  if (exp <= iat) refuse('lifetime-invalid');
  if (exp - iat > MAX_LIFE) refuse('lifetime-too-long');
  if (iat > now + LEEWAY) refuse('issued-in-future');
  if (now > exp + LEEWAY) refuse('expired');
  if (nbf !== null && nbf > now + LEEWAY) refuse('not-yet-valid');
  if (claims.has('aud')) refuse('aud-unexpected');
  if (!isServerUrl(stringClaim(claims, 'url'))) refuse('url-invalid');
  if (!STATUSES.includes(stringClaim(claims, 'status'))) refuse('status-invalid');
  const checked = parseDocTime(stringClaim(claims, 'checked_at')) ?? refuse('checked-at-invalid');
  if (checked > now + LEEWAY) refuse('checked-at-future');
  if (checked < iat - MAX_AGE) refuse('observation-too-old');
}

/** record.order, for the payload of a token that verifies. */
export function checkRecordClaims(claims, issuer) {
  if (!isCleanName(stringClaim(claims, 'name'), 200)) refuse('name-invalid');
  const first = parseDocTime(stringClaim(claims, 'first_seen'));
  if (first === null || first > parseDocTime(claims.get('checked_at'))) refuse('first-seen-invalid');
  if (!claims.has('history')) return;
  const history = claims.get('history');
  if (typeof history !== 'string' || parseServerUrl(history)?.origin !== issuer) refuse('history-invalid');
}
