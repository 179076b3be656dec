// §3.4 [origin.idna]: domain to ASCII. The work is that of Node's URL; what stands here is what it leaves out.
import { domainToUnicode } from 'node:url';
import { lengthOf } from './text.mjs';

// Code points that UTS #46 drops: they do not count for the length of a domain.
const DROPPED = /[\u00ad\u034f\u180b-\u180d\u180f\u200b\u2060\u2064\ufe00-\ufe0f\ufeff\u{e0100}-\u{e01ef}]/gu;
const LONGEST_WRITTEN = 4096; // no domain of 253 characters comes from more than four times as many

/** U+1E9E maps to U+00DF since Unicode 15.1; Node 20 still has `ss`. */
export const newSharpS = (s) => s.replaceAll('\u1e9e', '\u00df');

/** The host of a URL with that host, or null. */
export function hostnameOf(host) {
  try {
    return new URL(`https://${host}/`).hostname;
  } catch {
    return null;
  }
}

const RTL_BLOCKS = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\u{10800}-\u{10fff}\u{1e800}-\u{1efff}]/u;
// What stands in these blocks and is not from right to left, beside marks: neutral, or digits and signs of European numbers.
const NEUTRAL = /[\u0606\u0607\u0609\u060a\u060c\u060e\u060f\u066a\u06de\u06e9\u06f0-\u06f9\u07f6-\u07f9\ufb29\ufd3e-\ufd4f\ufdcf\ufdfd-\ufdff\ufeff\u{1091f}\u{10b39}-\u{10b3f}\u{1eef0}\u{1eef1}]/u;
const isRtl = (c) => RTL_BLOCKS.test(c) && !/\p{M}/u.test(c) && !NEUTRAL.test(c);
const isArabicNumber = (c) => /[\u0600-\u0605\u0660-\u0669\u066b\u066c\u06dd\u08e2\u{10d30}-\u{10d39}\u{10e60}-\u{10e7e}]/u.test(c);

// Letters, and digits that are not European, are from left to right here; of symbols nothing is known.
const LTR_START = /^(?![0-9\u06f0-\u06f9])[\p{L}\p{Nd}\p{Nl}\p{Mc}]/u;
const LTR_END = /[\p{L}\p{Nd}\p{Nl}\p{Mc}]\p{Mn}*$/u;

/** CheckBidi: Node's URL checks labels that start from right to left, and no others of such a domain. */
function keepsBidiRule(labels) {
  if (!labels.some((label) => [...label].some(isRtl))) return true;
  return labels.every((label) => {
    if (label === '' || (isRtl([...label][0]) && !isArabicNumber([...label][0]))) return true;
    return LTR_START.test(label) && ![...label].some(isRtl) && LTR_END.test(label);
  });
}

/** Punycode that decodes to nothing but ASCII, or starts with its only delimiter: Node 20 takes both. */
const isBrokenPunycode = (label) => /^xn--(?:.*-|-[^-]*)$/.test(label);

/** -> the domain in ASCII, or null. */
export function domainToAscii(written) {
  if (/^[\x00-\x7f]*$/.test(written) && !/(?:^|\.)xn--/i.test(written)) return written.toLowerCase();
  const domain = newSharpS(written.replace(DROPPED, ''));
  if (lengthOf(domain) > LONGEST_WRITTEN || /[\x00-\x20%/?#@:\\]/.test(domain)) return null;
  const ascii = hostnameOf(domain);
  if (ascii === null || ascii.split('.').some(isBrokenPunycode)) return null;
  return keepsBidiRule(domainToUnicode(ascii).split('.')) ? ascii : null;
}
