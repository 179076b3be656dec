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

/** Whether a domain is a public suffix by the rules and the default rule `*`. */
export function isPublicSuffix(host, rules) {
  const labels = host.split('.').reverse();
  const matching = rules.map(parseRule).filter((rule) => rule && rule.labels.length <= labels.length
    && rule.labels.every((label, i) => label === '*' || label === labels[i]));
  const exception = matching.find((rule) => rule.exception);
  const suffix = exception ? exception.labels.length - 1 : Math.max(1, ...matching.map((rule) => rule.labels.length));
  return labels.length <= suffix;
}

/** captxt.scope, captxt.scope.address, captxt.scope.public-suffix, for canonical hosts. */
export function inScope(endpointHost, fileHost, rules) {
  if (endpointHost === fileHost) return true;
  if (isAddress(endpointHost) || isAddress(fileHost) || isPublicSuffix(fileHost, rules)) return false;
  return endpointHost.endsWith(`.${fileHost}`);
}
