// §5.1: needs and the query of a resolve request; §5.2: constraints.
import { refuse } from './refused.mjs';
import { has, isControl, lengthOf, trimWhite } from './text.mjs';

/** resolve.need.read -> the need as normalized. */
export function readNeed(raw) {
  const trimmed = trimWhite(raw);
  if (has(trimmed, isControl)) refuse('need-character');
  const need = trimmed.normalize('NFC');
  const n = lengthOf(need);
  if (n < 3 || n > 200) refuse('need-length');
  return need;
}

const CONSTRAINTS = {
  sign_in: (v) => v === 'none',
  read_only: (v) => v === 'true',
  max_handshake_ms: (v) => /^[1-9]\d{0,4}$/.test(v) && +v <= 60000,
  payment: (v) => v === 'none',
};

function decode(bytes) {
  const out = [];
  for (let i = 0; i < bytes.length; i++) {
    if (bytes[i] === 0x2b) out.push(0x20);
    else if (bytes[i] === 0x25) {
      const digits = bytes.toString('latin1', i + 1, i + 3);
      if (!/^[0-9A-Fa-f]{2}$/.test(digits)) refuse('query-encoding');
      out.push(parseInt(digits, 16));
      i += 2;
    } else out.push(bytes[i]);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(out));
  } catch {
    return refuse('query-encoding');
  }
}

function pieces(bytes, separator) {
  const out = [];
  let start = 0;
  for (let end; (end = bytes.indexOf(separator, start)) >= 0; start = end + 1) out.push(bytes.subarray(start, end));
  out.push(bytes.subarray(start));
  return out;
}

/** resolve.order: the bytes of a raw query -> the need as normalized. */
export function readQuery(query) {
  const parameters = pieces(query, 0x26).filter((piece) => piece.length > 0).map((piece) => {
    const equals = piece.indexOf(0x3d);
    return equals < 0 ? [decode(piece), ''] : [decode(piece.subarray(0, equals)), decode(piece.subarray(equals + 1))];
  });
  if (parameters.some(([name]) => name !== 'need' && !Object.hasOwn(CONSTRAINTS, name))) refuse('parameter-unknown');
  const values = new Map(parameters);
  if (values.size !== parameters.length) refuse('parameter-repeated');
  if (!values.has('need')) refuse('need-missing');
  const need = readNeed(values.get('need'));
  for (const [name, accepts] of Object.entries(CONSTRAINTS))
    if (values.has(name) && !accepts(values.get(name))) refuse('constraint-value');
  return need;
}
