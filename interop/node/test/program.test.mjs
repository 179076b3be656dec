// The line protocol and the command line.
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { sign } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ask, captxt, DISCOVERY, ISS, KEY, make, NOW_TEXT, X } from '../test-support/helpers.mjs';

const MAIN = fileURLToPath(new URL('../main.mjs', import.meta.url));
function run(args, input = '') {
  const child = spawn(process.execPath, [MAIN, ...args]);
  let stdout = '';
  child.stdout.setEncoding('utf8').on('data', (text) => { stdout += text; });
  child.stdin.on('error', () => {}).end(input); // a command that reads nothing may be gone by then
  return new Promise((resolve) => { child.on('close', (status) => resolve({ status, stdout })); });
}

test('survives anything', async () => {
  const lines = ['', '{', 'null', '[]', '1', '{"id":1}', '{"id":2,"operation":"nope","input":{}}',
    '{"id":3,"operation":"constructor","input":{}}', '{"id":4,"operation":"token","input":null}',
    '{"id":5,"operation":"token","input":{}}', '\u0000', '[['.repeat(50000),
    '{"id":6,"operation":"captxt","input":{"file":"","host":"","resolver":"x","now":"2026-11-30T12:00:00Z"}}',
    '{"id":7,"operation":"ed25519","input":{"publicKey":"ZZ","message":"","signature":""}}',
    '{"id":8,"operation":"need","input":{"need":"\\ud800abc"}}', '{"id":9,"operation":"need","input":{"need":"abc"}}'];
  const { status, stdout } = await run([], Buffer.concat([Buffer.from('"\xff"\n', 'latin1'), Buffer.from(lines.join('\n'))]));
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

test('no input is slow', () => { // long enough to show a square, short enough for both readers
  for (const hard of [`${'[::'.repeat(20)}${']'.repeat(60000)}`, '['.repeat(60000), `a${' '.repeat(60000)}b`, '-'.repeat(60000),
    '-a.b,'.repeat(6000), 'x\n '.repeat(8000), '-ä.b;'.repeat(1500), `-${'ü'.repeat(30000)}.b`]) {
    const start = process.cpuUsage();
    captxt(`Resolvers: ${hard}`);
    captxt(`A: ${hard.slice(0, 30000)}`);
    const { user } = process.cpuUsage(start);
    assert.ok(user < 1e6, `${hard.slice(0, 8)} ${user}`);
  }
});

test('command line', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'reading-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const discovery = join(folder, 'discovery.json'), file = join(folder, 'file.txt');
  writeFileSync(discovery, JSON.stringify(DISCOVERY));
  writeFileSync(file, 'Resolvers:none\nx\n');
  const token = ['token', '--discovery', discovery, '--issuer', ISS, '--now'];
  const asked = ['--host', 'example.com', '--resolver', ISS, '--now', NOW_TEXT];
  const done = await Promise.all([run([...token, NOW_TEXT, '-'], `${make()}\n`), run([...token, NOW_TEXT, 'x']),
    run(['file', file, ...asked]), run(['file', join(folder, 'none'), ...asked])]);
  assert.deepEqual(done.map(({ status }) => status), [0, 1, 1, 2]);
  assert.match(done[2].stdout, // r[captxt.order]
    /1:1 error missing-expires\n  1:11 warning spacing-after-colon\n  2:1 error malformed-line\n/);
});
