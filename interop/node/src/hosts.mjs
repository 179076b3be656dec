// §3.4: hosts and origins, and how §11.3 brings written ones into canonical form. IPv6 is that of Node's URL.
import { domainToAscii, hostnameOf } from './idna.mjs';

const IPV4 = /^(?:0|[1-9]\d{0,2})(?:\.(?:0|[1-9]\d{0,2})){3}$/;
const isIPv4 = (h) => IPV4.test(h) && h.split('.').every((part) => +part <= 255);
export const isAddress = (h) => h.startsWith('[') || isIPv4(h);

/** An IPv6 address in brackets -> the form of origin.host, or null. */
export function canonicalIPv6(h) {
  return /^\[[0-9a-fA-F:.]+\]$/.test(h) ? hostnameOf(h) : null;
}

/** origin.host, origin.numeric-label, origin.idna: a domain in canonical form. */
function isDomain(h) {
  if (h.length < 1 || h.length > 253) return false;
  const labels = h.split('.');
  if (!labels.every((label) => /^[a-z0-9_-]{1,63}$/.test(label))) return false;
  if (/^(?:\d+|0x[0-9a-f]*)$/.test(labels.at(-1))) return false;
  return !labels.some((label) => label.startsWith('xn--')) || domainToAscii(h) === h;
}

/** origin.host */
export function isCanonicalHost(h) {
  return h.startsWith('[') ? canonicalIPv6(h) === h : isIPv4(h) || isDomain(h);
}

/** The steps of captxt.resolvers.canonical for a host -> the canonical form, or null. */
export function canonicalHost(written) {
  if (written.startsWith('[')) return canonicalIPv6(written);
  const withoutDot = written.replace(/\.$/, '');
  if (isIPv4(withoutDot)) return withoutDot;
  // An address that only IDNA makes was written as a domain whose last label is all digits: origin.numeric-label.
  const domain = domainToAscii(written)?.replace(/\.$/, '');
  return domain !== undefined && isDomain(domain) ? domain : null;
}

export const isPort = (p) => /^[1-9]\d{0,4}$/.test(p) && +p <= 65535 && p !== '443';
export const formatOrigin = (host, port) => `https://${host}${port === 443 ? '' : `:${port}`}`;

/** origin.serialization: an origin in canonical form -> {host, port}, or null. */
export function splitOrigin(s) {
  const m = /^https:\/\/(\[[^\]]*\]|[^:/?#[\]]+)(?::(\d+))?$/.exec(s);
  if (!m || !isCanonicalHost(m[1])) return null;
  if (m[2] !== undefined && !isPort(m[2])) return null;
  return { host: m[1], port: +(m[2] ?? 443) };
}

export const isOrigin = (s) => splitOrigin(s) !== null;

/** origin.issuer */
export function isIssuer(s) {
  const origin = splitOrigin(s);
  return origin !== null && !isAddress(origin.host);
}

const WRITTEN = /^https:\/\/(\[[0-9A-Fa-f:.]*\]|[A-Za-z0-9._\-\u00a0-\u{10ffff}]+)(?::(\d{1,5}))?\/?$/u;

/** captxt.resolvers.canonical: an origin as a person writes it -> the canonical origin, or null. */
export function canonicalOrigin(s) {
  const m = WRITTEN.exec(s.replace(/^https(?=:)/i, 'https'));
  if (!m) return null;
  const host = canonicalHost(m[1]), port = +(m[2] ?? 443);
  return host === null || port < 1 || port > 65535 ? null : formatOrigin(host, port);
}
