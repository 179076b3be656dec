// The command line: `token` and `file`. Exit codes: 0 valid, 1 invalid, 2 could not tell.
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { inOrder } from './captxt/strict.mjs';
import { readDiscovery } from './discovery.mjs';
import { BadInput, readClock, readFileFor } from './protocol.mjs';
import { Refused } from './refused.mjs';
import { verifyToken } from './token.mjs';

const USAGE = `usage: main.mjs token --discovery FILE --issuer ORIGIN --now TIME TOKEN|-
       main.mjs file --host HOST --resolver ORIGIN --now TIME FILE`;
const tell = (line) => process.stdout.write(`${line}\n`);

function parse(args, names) {
  const options = Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
  let parsed;
  try {
    parsed = parseArgs({ args, options, allowPositionals: true });
  } catch {
    throw new BadInput(USAGE);
  }
  const { values, positionals } = parsed;
  if (names.some((name) => values[name] === undefined) || positionals.length !== 1) throw new BadInput(USAGE);
  return { ...values, argument: positionals[0] };
}

function discoveryOf(path, issuer) {
  try {
    return readDiscovery(readFileSync(path), issuer);
  } catch (e) {
    throw e instanceof Refused ? new BadInput(`the discovery document is refused: ${e.code}`) : e;
  }
}

/** The bytes on standard input without the line end of a shell, which is not the token's. */
const fromStdin = () => Buffer.from(readFileSync(0, 'latin1').replace(/\r?\n$/, ''), 'latin1');

function token(args) {
  const { discovery, issuer, now, argument } = parse(args, ['discovery', 'issuer', 'now']);
  const clock = readClock(now), found = discoveryOf(discovery, issuer);
  const bytes = argument === '-' ? fromStdin() : Buffer.from(argument);
  try {
    const claims = verifyToken(bytes, found, clock);
    tell('valid');
    for (const name of ['iss', 'url', 'status', 'checked_at']) tell(`  ${name}: ${claims.get(name)}`);
    return 0;
  } catch (e) {
    if (!(e instanceof Refused)) throw e;
    tell(`invalid ${e.code}`);
    return 1;
  }
}

function file(args) {
  const { host, resolver, now, argument } = parse(args, ['host', 'resolver', 'now']);
  const found = readFileFor(readFileSync(argument), { host, resolver, now: readClock(now), rules: [] });
  tell(found.errors.length > 0 ? 'invalid' : 'valid');
  const kinds = [['error', found.errors], ['warning', found.warnings]];
  const all = kinds.flatMap(([kind, list]) => list.map((diagnostic) => ({ kind, ...diagnostic })));
  for (const { line, column, kind, code } of inOrder(all)) tell(`  ${line}:${column} ${kind} ${code}`);
  tell(`  ${resolver} ${found.resolverAllowed ? 'may' : 'may not'} list the servers of this host`);
  for (const endpoint of found.endpoints) tell(`  endpoint ${endpoint.url}${endpoint.inScope ? '' : ' (out of scope)'}`);
  return found.errors.length > 0 ? 1 : 0;
}

/** -> the exit code. */
export function run([command, ...args]) {
  try {
    if (command === 'token') return token(args);
    if (command === 'file') return file(args);
    throw new BadInput(USAGE);
  } catch (e) {
    process.stderr.write(`could not tell: ${e.message}\n`);
    return 2;
  }
}
