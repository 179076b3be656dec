// §6.3: canonical points, points of small order, and the cofactorless equation.
import { createPublicKey, verify } from 'node:crypto';
import { refuse } from './refused.mjs';

const P = 2n ** 255n - 19n;
export const L = 2n ** 252n + 27742317777372353535851937790883648493n;
const SMALL_ORDER = new Set([
  '0000000000000000000000000000000000000000000000000000000000000000',
  '0100000000000000000000000000000000000000000000000000000000000000',
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  'ecffffffffffffffffffffffffffffffffffffffffffffffffffffffffffff7f',
]);
const SPKI = Buffer.from('302a300506032b6570032100', 'hex');

const little = (bytes) => BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`);

function withoutSign(point) {
  const copy = Buffer.from(point);
  copy[31] &= 0x7f;
  return copy;
}

function isCanonical(point) {
  const y = little(withoutSign(point));
  return y < P && !((point[31] & 0x80) && (y === 1n || y === P - 1n));
}

const isSmallOrder = (point) => SMALL_ORDER.has(withoutSign(point).toString('hex'));

/** discovery.keys.usable, tests 4 and 5: the code of the first that the bytes fail, or null. */
export function keyFault(key) {
  if (key.length !== 32) return 'key-malformed';
  return !isCanonical(key) || isSmallOrder(key) ? 'key-weak' : null;
}

/** token.signature.length to token.signature.equation, for a key without fault. */
export function checkSignature(key, message, signature) {
  if (signature.length !== 64) refuse('signature-length');
  const r = signature.subarray(0, 32);
  if (little(signature.subarray(32)) >= L || !isCanonical(r)) refuse('signature-noncanonical');
  if (isSmallOrder(r)) refuse('signature-small-order');
  if (!equationHolds(key, message, signature)) refuse('signature-invalid');
}

function equationHolds(key, message, signature) {
  try { // OpenSSL: without the cofactor, k over R and A as received
    const spki = createPublicKey({ key: Buffer.concat([SPKI, key]), format: 'der', type: 'spki' });
    return verify(null, message, spki, signature);
  } catch { // A is no point of the curve
    return false;
  }
}
