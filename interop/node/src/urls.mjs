// §3.5: server URLs.
import { formatOrigin, isCanonicalHost, isPort } from './hosts.mjs';

const QCHAR = '(?:[A-Za-z0-9\\-._~!$&()*+,;=:@]|%[0-9A-Fa-f]{2})';
const SERVER_URL = new RegExp(
  `^https://(\\[[0-9a-f:]+\\]|[a-z0-9_.-]+)(?::([0-9]{1,5}))?((?:/(?:${QCHAR}|')*)+)(?:\\?((?:${QCHAR}|[/?])*))?$`);
const DOT_SEGMENT = /^(?:\.|%2e){1,2}$/i;

/** url.form, url.dot-segment -> {origin, query} (query undefined when there is none), or null. */
export function parseServerUrl(s) {
  if (s.length > 2048) return null; // bytes: what matches below is ASCII
  const m = SERVER_URL.exec(s);
  if (!m) return null;
  const [, host, port, path, query] = m;
  if (!isCanonicalHost(host) || (port !== undefined && !isPort(port))) return null;
  if (path.split('/').some((segment) => DOT_SEGMENT.test(segment))) return null;
  return { origin: formatOrigin(host, +(port ?? 443)), query };
}

export const isServerUrl = (s) => parseServerUrl(s) !== null;
