// The line protocol and the command line.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { sign } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ask, captxt, DISCOVERY, ISS, KEY, make, NOW_TEXT, X } from '../test-support/helpers.mjs';

const MAIN = fileURLToPath(new URL('../main.mjs', import.meta.url));
const run = (args, input) => spawnSync(process.execPath, [MAIN, ...args], { input, encoding: 'utf8' });

test('survives anything', () => {
  const lines = ['', '{', 'null', '[]', '1', '{"id":1}', '{"id":2,"operation":"nope","input":{}}',
    '{"id":3,"operation":"constructor","input":{}}', '{"id":4,"operation":"token","input":null}',
    '{"id":5,"operation":"token","input":{}}', '\u0000', '[['.repeat(50000),
    '{"id":6,"operation":"captxt","input":{"file":"","host":"","resolver":"x","now":"2026-11-30T12:00:00Z"}}',
    '{"id":7,"operation":"ed25519","input":{"publicKey":"ZZ","message":"","signature":""}}',
    '{"id":8,"operation":"need","input":{"need":"\\ud800abc"}}', '{"id":9,"operation":"need","input":{"need":"abc"}}'];
  const { status, stdout } = run([], Buffer.concat([Buffer.from('"\xff"\n', 'latin1'), Buffer.from(lines.join('\n'))]));
  assert.equal(status, 0);
  const answers = stdout.trimEnd().split('\n').map((line) => JSON.parse(line));
  assert.equal(answers.length, lines.length + 1);
  const kind = (a) => (a.unsupported ? 'unsupported' : a.error ? 'error' : a.result);
  assert.deepEqual(answers.map(kind), [...Array(7).fill('error'), 'unsupported',
    'unsupported', ...Array(7).fill('error'), 'valid']);
  assert.deepEqual(answers.at(-1), { id: 9, result: 'valid', reason: null, output: { need: 'abc' } });
});

test('values', () => { // r[code.form]
  for (const [operation, good, bad] of [['origin', 'https://[::1]', `${ISS}/`], ['issuer', ISS, 'https://[::1]'],
    ['server-url', `${ISS}/`, ISS], ['time', NOW_TEXT, '2026-11-30T12:00:00z']]) {
    assert.deepEqual(ask(operation, { value: good }), { id: 1, result: 'valid', reason: null, output: null });
    assert.deepEqual(ask(operation, { value: bad }), { id: 1, result: 'invalid', reason: null, output: null });
  }
  const publicKey = Buffer.from(X, 'base64url').toString('hex'), signature = sign(null, Buffer.from('m'), KEY).toString('hex');
  assert.deepEqual(ask('ed25519', { publicKey, message: '6d', signature }), { id: 1, result: 'valid', reason: null, output: null });
  assert.equal(ask('ed25519', { publicKey: '00', message: '', signature: '' }).reason, 'key-malformed');
  assert.ok(ask('ed25519', { publicKey: publicKey.toUpperCase(), message: '', signature }).error);
});

test('host and resolver of a caller', () => {
  const file = 'Resolvers: https://xn--bcher-kva.example\n';
  assert.equal(captxt(file, { resolver: 'https://Bücher.example:443/' }).output.resolverAllowed, true);
  assert.ok(captxt(file, { resolver: 'bücher.example' }).error);
  assert.ok(captxt(file, { host: 'a b' }).error);
  assert.ok(captxt(file, { now: '2026-11-30T12:00:00+00:00' }).error);
});

test('no input is slow', () => {
  for (const hard of [`${'[::'.repeat(20)}${']'.repeat(150000)}`, '['.repeat(150000),
    `a${' '.repeat(150000)}b`,
    '-'.repeat(150000), '-a.b,'.repeat(20000), 'x\n '.repeat(40000), '-ä.b;'.repeat(5000),
      `-${'ü'.repeat(150000)}.b`]) {
    const start = process.cpuUsage();
    captxt(`Resolvers: ${hard}`);
    captxt(`A: ${hard.slice(0, 30000)}`);
    const { user } = process.cpuUsage(start);
    assert.ok(user < 2e6, `${hard.slice(0, 8)} ${user}`);
  }
});

test('command line', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'reading-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const discovery = join(folder, 'discovery.json'), file = join(folder, 'file.txt');
  writeFileSync(discovery, JSON.stringify(DISCOVERY));
  writeFileSync(file, 'Resolvers: none\n');
  const token = ['token', '--discovery', discovery, '--issuer', ISS, '--now'];
  assert.equal(run([...token, NOW_TEXT, '-'], `${make()}\n`).status, 0);
  assert.equal(run([...token, NOW_TEXT, 'x']).status, 1);
  const asked = ['--host', 'example.com', '--resolver', ISS, '--now', NOW_TEXT];
  assert.equal(run(['file', file, ...asked]).status, 1);
  assert.equal(run(['file', join(folder, 'none'), ...asked]).status, 2);
});
