// §6.3: a second, slow implementation of the equation, against keys of mixed order.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { Refused } from '../src/refused.mjs';
import { checkSignature, keyFault, L } from '../src/signature.mjs';

const P = 2n ** 255n - 19n;
const mod = (a) => ((a % P) + P) % P;

function power(base, exponent) {
  let result = 1n, square = mod(base);
  for (let e = exponent; e; e >>= 1n) {
    if (e & 1n) result = result * square % P;
    square = square * square % P;
  }
  return result;
}
const inverse = (a) => power(a, P - 2n);
const D = mod(-121665n * inverse(121666n));
const ROOT = power(2n, (P - 1n) / 4n);

/** Points as [X, Y, Z] with x = X / Z and y = Y / Z. */
function add([x1, y1, z1], [x2, y2, z2]) {
  const a = z1 * z2 % P, b = a * a % P, c = x1 * x2 % P, d = y1 * y2 % P, e = D * c % P * d % P;
  const f = mod(b - e), g = b + e;
  return [mod(a * f % P * ((x1 + y1) * (x2 + y2) - c - d)), a * g % P * (d + c) % P, f * g % P];
}

function times(point, n) {
  let result = [0n, 1n, 1n], double = point;
  for (let k = n; k; k >>= 1n) {
    if (k & 1n) result = add(result, double);
    double = add(double, double);
  }
  return result;
}

const little = (bytes) => BigInt(`0x${Buffer.from(bytes).reverse().toString('hex')}`);
const bytesOf = (n) => Buffer.from(n.toString(16).padStart(64, '0'), 'hex').reverse();

function encode([x, y, z]) {
  const bytes = bytesOf(y * inverse(z) % P);
  if (x * inverse(z) % P & 1n) bytes[31] |= 0x80;
  return bytes;
}

function decode(hex) {
  const bytes = Buffer.from(hex, 'hex'), sign = BigInt(bytes[31] >> 7);
  bytes[31] &= 0x7f;
  const y = little(bytes), square = mod((y * y - 1n) * inverse(mod(D * y * y + 1n)));
  let x = power(square, (P + 3n) / 8n);
  if (x * x % P !== square) x = x * ROOT % P;
  return [(x & 1n) === sign ? x : mod(-x), y, 1n];
}

const BASE = decode(`58${'66'.repeat(31)}`);
const OF_ORDER_8 = decode('c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a');
const digest = (name, ...parts) => parts.reduce((hash, part) => hash.update(part), createHash(name)).digest();

test('the equation has no cofactor', () => { // r[token.signature.equation]
  assert.equal(encode(times(OF_ORDER_8, 8n)).toString('hex'), `01${'00'.repeat(31)}`);
  const verdicts = new Set();
  for (let n = 0; n < 8; n++) {
    const [a, r] = ['a', 'r'].map((name) => little(digest('sha256', `${name}${n}`)) % L);
    const key = add(times(BASE, a), times(OF_ORDER_8, BigInt(n % 8))), A = encode(key), message = Buffer.from(`m${n}`);
    const R = encode(times(BASE, r)), k = little(digest('sha512', R, A, message)) % L, S = (r + k * a) % L;
    const kA = times(key, k), holds = encode(add(times(BASE, S), [mod(-kA[0]), kA[1], kA[2]])).equals(R);
    assert.equal(keyFault(A), null);
    const check = () => checkSignature(A, message, Buffer.concat([R, bytesOf(S)]));
    if (holds) check();
    else assert.throws(check, (e) => e instanceof Refused && e.code === 'signature-invalid');
    verdicts.add(holds);
  }
  assert.equal(verdicts.size, 2);
});
