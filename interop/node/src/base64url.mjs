// base64url without padding and with zero trailing bits (RFC 4648).

/** -> bytes, or null when the text is not canonical. */
export function decodeBase64url(s) {
  if (!/^[A-Za-z0-9_-]*$/.test(s) || s.length % 4 === 1) return null;
  const bytes = Buffer.from(s, 'base64url');
  return bytes.toString('base64url') === s ? bytes : null;
}
