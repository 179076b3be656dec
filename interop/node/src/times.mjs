// §3.3: times; §6.5: now; and the times of RFC 3339 that §11.3 allows in Expires.
export const LEEWAY = 300;

const leap = (y) => (y % 4 === 0 && y % 100 !== 0) || y % 400 === 0;
const monthDays = (y, m) => (m === 2 ? (leap(y) ? 29 : 28) : [4, 6, 9, 11].includes(m) ? 30 : 31);

/** Days since 1970-01-01 in the proleptic Gregorian calendar. */
function daysFromCivil(year, m, d) {
  const y = year - (m <= 2 ? 1 : 0);
  const era = Math.floor(y / 400), yoe = y - era * 400;
  const doy = Math.floor((153 * (m + (m > 2 ? -3 : 9)) + 2) / 5) + d - 1;
  return era * 146097 + yoe * 365 + Math.floor(yoe / 4) - Math.floor(yoe / 100) + doy - 719468;
}

/** time.document -> seconds, or null */
export function parseDocTime(s) {
  const m = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)Z$/.exec(s);
  if (!m || s.length !== 20) return null;
  const [y, mo, d, h, mi, se] = m.slice(1).map(Number);
  if (y < 1 || mo < 1 || mo > 12 || d < 1 || d > monthDays(y, mo) || h > 23 || mi > 59 || se > 59) return null;
  return daysFromCivil(y, mo, d) * 86400 + h * 3600 + mi * 60 + se;
}

/** Seconds -> the form of time.document, or null outside of the years 1 to 9999. */
export function formatDocTime(sec) {
  if (!Number.isSafeInteger(sec) || sec > 253402300799 || sec < -62135596800) return null;
  return new Date(sec * 1000).toISOString().replace(/\.\d+Z$/, 'Z');
}

const RFC3339 = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:[Zz]|([+-])(\d\d):(\d\d))$/;

/**
 * captxt.expires.form, captxt.expires.leap -> {sec, fraction} or null. `fraction` says whether something follows the
 * second: now is in whole seconds, so its digits decide nothing.
 */
export function parseRfc3339(s) {
  const m = RFC3339.exec(s);
  if (!m) return null;
  const [y, mo, d, h, mi, se] = m.slice(1, 7).map(Number);
  if (mo < 1 || mo > 12 || d < 1 || d > monthDays(y, mo) || h > 23 || mi > 59 || se > 60) return null;
  let offset = 0;
  if (m[8]) {
    if (+m[9] > 23 || +m[10] > 59) return null;
    offset = (m[8] === '-' ? -1 : 1) * (+m[9] * 3600 + +m[10] * 60);
  }
  const sec = daysFromCivil(y, mo, d) * 86400 + h * 3600 + mi * 60 + se - offset;
  // The second 60 is already counted as the next one, which has to be the first of a month in UTC.
  if (se === 60 && (sec % 86400 !== 0 || new Date(sec * 1000).getUTCDate() !== 1)) return null;
  return { sec, fraction: /[1-9]/.test(m[7] ?? '') };
}
