// §11.3 and §11.4: the values of Contact, Endpoint, Jobs and the tokens.
import { isAddress, isCanonicalHost } from '../hosts.mjs';
import { newSharpS } from '../idna.mjs';
import { has, isWhite, lengthOf } from '../text.mjs';

/** captxt.contact */
const CONTACT = /^(?:mailto|https|tel):(?:[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=]|%[0-9A-Fa-f]{2})+$/i;
export const isContact = (v) => CONTACT.test(v);

/** captxt.token */
export const isToken = (v) => /^[A-Za-z0-9][A-Za-z0-9-]{0,31}$/.test(v);

/** captxt.endpoint.form, captxt.endpoint.canonical -> {code} or {url, host, query}. */
export function readEndpoint(v) {
  if (has(v, isWhite) || /[\\<>"^{|}`]/.test(v) || lengthOf(v) > 2048) return { code: 'endpoint-invalid' };
  const scheme = /^([A-Za-z][A-Za-z0-9+.-]*):\/\//.exec(v);
  if (scheme && scheme[1].toLowerCase() !== 'https') return { code: 'endpoint-not-https' };
  const authority = scheme ? v.slice(8).split(/[/?#]/, 1)[0] : '';
  if (authority === '') return { code: 'endpoint-invalid' };
  if (authority.includes('@')) return { code: 'endpoint-userinfo' };
  if (v.includes('#')) return { code: 'endpoint-fragment' };
  const written = /^(\[[^\]]*\]|[^:]*)/.exec(authority)[1];
  if (written.includes('%') || written.endsWith('.')) return { code: 'endpoint-invalid' };
  let url;
  try {
    url = new URL(`https://${newSharpS(authority)}${v.slice(8 + authority.length)}`);
  } catch {
    return { code: 'endpoint-invalid' };
  }
  const host = url.hostname;
  if (!isCanonicalHost(host)) return { code: 'endpoint-invalid' };
  if (isAddress(host) && !host.startsWith('[') && written !== host) return { code: 'endpoint-invalid' };
  return { url: url.href, host, query: v.includes('?') };
}

/** What captxt.jobs.duplicate compares. Only U+0130 has a full lower case that is longer than its simple one. */
export function jobKey(job) {
  let out = '', gap = false;
  for (const c of job) {
    if (!isWhite(c)) out += c === '\u0130' ? 'i' : c.toLowerCase();
    else if (!gap) out += ' ';
    gap = isWhite(c);
  }
  return out;
}
