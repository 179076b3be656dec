// §11.5: which endpoints a file speaks for, with the algorithm of the Public Suffix List.
import { canonicalHost, isAddress } from '../hosts.mjs';

const labelOf = (label) => (label === '*' ? label : canonicalHost(label) ?? label);

/** The labels of a rule of the list from the right, and whether it is an exception; null for a comment. */
function parseRule(line) {
  const rule = line.trim().split(/\s/, 1)[0];
  if (rule === '' || rule.startsWith('//')) return null;
  const exception = rule.startsWith('!');
  return { exception, labels: rule.slice(exception ? 1 : 0).split('.').reverse().map(labelOf) };
}

/** How many labels the public suffix of a domain has by the rules and the default rule `*`. */
function suffixLength(host, rules) {
  const labels = host.split('.').reverse();
  const matching = rules.map(parseRule).filter((rule) => rule && rule.labels.length <= labels.length
    && rule.labels.every((label, i) => label === '*' || label === labels[i]));
  const exception = matching.find((rule) => rule.exception);
  return exception ? exception.labels.length - 1 : Math.max(1, ...matching.map((rule) => rule.labels.length));
}

/** Whether a domain is a public suffix. */
const isPublicSuffix = (host, rules) => host.split('.').length <= suffixLength(host, rules);

/** The registrable domain of a host; of an address and of a public suffix the host itself. */
export const siteOf = (host, rules) =>
  isAddress(host) ? host : host.split('.').slice(-1 - suffixLength(host, rules)).join('.');

/** captxt.scope, captxt.scope.address, captxt.scope.public-suffix, for canonical hosts. */
export function inScope(endpointHost, fileHost, rules) {
  if (endpointHost === fileHost) return true;
  if (isAddress(endpointHost) || isAddress(fileHost) || isPublicSuffix(fileHost, rules)) return false;
  return endpointHost.endsWith(`.${fileHost}`);
}
