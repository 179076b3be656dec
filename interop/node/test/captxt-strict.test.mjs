// §11.1 to §11.5
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { captxt, codes, ISS, places } from '../test-support/helpers.mjs';

const HEAD = 'Conformance: Capability Resolution 0.2\nContact: mailto:a@example.com\nExpires: 2027-04-30T00:00:00Z\n';
const BLOCK = 'Endpoint: https://example.com/mcp\nProtocol: mcp\nJobs: send mail\n';
const resolvers = (value) => `${HEAD}Resolvers: ${value}\n${BLOCK}`;
const FILE = resolvers('*');

const behind = (line) => `${FILE}${line}\n`;
const before = (line) => `${HEAD}${line}\nResolvers: *\n${BLOCK}`;
const is = (file, wanted, more) => assert.equal(codes(file, more), wanted, JSON.stringify(file).slice(0, 300));
/** Rows of a value and its codes, for the file that `fill` makes of the value. */
const table = (fill, rows) => rows.forEach(([value, wanted]) => is(fill(value), wanted));
const replacing = (old) => (value) => FILE.replace(old, () => value);

test('the whole file', () => {
  is(FILE, '');
  // r[captxt.size]
  is(FILE.padEnd(65536, '\n'), '');
  is(FILE.padEnd(65537, '\n'), 'file-too-large');
  is(Buffer.alloc(65537, 255), 'file-too-large');
  is('Resolvers: none'.padEnd(65537, '\n'), 'file-too-large deny-salvaged?');
  // r[captxt.utf8] r[captxt.position]
  assert.deepEqual(places(Buffer.concat([Buffer.from('\ufeffé\ufffd: x\rab'), Buffer.from([0xe2, 0x82, 0x63])])),
    ['not-utf8 2:3']);
  assert.deepEqual(places(Buffer.concat([Buffer.from([0xff]), Buffer.from('\n\nResolvers: -x')])),
    ['not-utf8 1:1', 'deny-salvaged? 1:1']);
  // r[captxt.bom] r[captxt.final-newline] r[captxt.line-end]
  is(`\ufeff${FILE}`, 'bom?');
  assert.deepEqual(places('\ufeff').slice(4), ['bom? 1:1', 'no-endpoints? 1:1', 'no-final-newline? 1:1']);
  assert.deepEqual(places(FILE.slice(0, -1)), ['no-final-newline? 7:16']);
  is(FILE.replaceAll('\n', '\r\n'), '');
  assert.deepEqual(places(`${FILE.slice(0, -1)}\r`), ['bare-cr 7:16']);
  is('', 'missing-conformance missing-contact missing-expires missing-resolvers no-endpoints?');
  // r[captxt.valid] r[captxt.claims-empty] r[captxt.claims-valid-only]
  assert.equal(captxt(behind('X: y')).output.endpoints.length, 1);
  assert.deepEqual(captxt(behind('x')).output.endpoints, []);
});

test('lines', () => {
  table(behind, [
    [' \t', ''], ['\t# x\ty', ''], [' '.repeat(4097), 'line-too-long'], // r[captxt.blank]
    // r[captxt.field]
    ['no colon', 'malformed-line'], ['a_b: c', 'malformed-line'], ['https://x.example', 'malformed-line'],
    ['Jobs ://x', 'malformed-line'], [': c', 'malformed-line'], ['\u00a0', 'malformed-line'],
    // r[captxt.unknown-field]
    ['X-y:c', 'unknown-field?'], ['X-y:', 'unknown-field?'], ['X-y : c', 'space-before-colon unknown-field?'],
    [' more text', 'leading-whitespace'], ['\tX-y : z', 'leading-whitespace'], // r[captxt.leading-space]
    [' more\u0001', 'leading-whitespace control-character'], [`\t${'x'.repeat(4096)}`,
      'leading-whitespace line-too-long'],
    ['# \u0001', 'control-character'], ['# \u0085', 'control-character'], ['# \t', ''], // r[captxt.control]
    // r[captxt.unsafe]
    ['# \u202e', 'unsafe-character?'], ['X: \u200b', 'unsafe-character'], ['\u200b# x', 'unsafe-character'],
    // r[captxt.line-length]
    [`#${'x'.repeat(4095)}`, ''], [`#${'x'.repeat(4096)}`, 'line-too-long'], [`#${'é'.repeat(2048)}`, 'line-too-long'],
    ['\u200b\u0001', 'control-character'], // r[captxt.line-codes]
    ['\u200bEndpoint: x', 'unsafe-character missing-jobs missing-protocol'],
  ]);
  table(replacing('Protocol: mcp'), [
    ['pROTOCOL: mcp', ''], ['Protocol \t: mcp', 'space-before-colon'], // r[captxt.space-before-colon]
    // r[captxt.space-after-colon]
    ['Protocol:mcp', 'spacing-after-colon?'], ['Protocol:\tmcp', 'spacing-after-colon?'], ['Protocol: \tmcp\t', ''],
    [' Protocol: mcp', 'leading-whitespace'], ['Protocol:', 'empty-value'], ['Protocol : \t',
      'empty-value space-before-colon'], // r[captxt.empty-value]
    // r[captxt.control]
    ['\tProtocol \t :\t \tmcp \t', 'leading-whitespace space-before-colon spacing-after-colon?'],
    ['Pro\ttocol: mcp', 'control-character'], ['Protocol: m\tcp', 'control-character'], ['Protocol : m\u200bcp', 'unsafe-character'],
    // r[captxt.unreadable-value]
    ['Protocol: m\u200dcp', 'invalid-token'], ['Pro\u200bto\tcol: m', 'control-character'],
    ['Protocol://\u0001', 'missing-protocol control-character'],
  ]);
  is(before('Expires: \u0001').replace(/Expires: 2027.*\n/, '').replace('Resolvers', 'Expires: x\nResolvers'),
    'control-character duplicate-field'); // r[captxt.header.once]
});

test('places of what is said of a line', () => { // r[captxt.position] r[captxt.once]
  assert.deepEqual(places(behind(' \tContact\u200b : x')), ['header-field-in-block 8:3', 'leading-whitespace 8:3',
    'unsafe-character 8:10']);
  assert.deepEqual(places(behind('\u{1f600}\u0001\u0001')), ['control-character 8:2']);
  // r[captxt.once]: one code for one line, and one for each of its fields and entries
  assert.deepEqual(places(`\u200b\u2060\n${resolvers('x, y')}X: y\nX: y\n`), ['unsafe-character 1:1',
    'resolvers-entry-invalid 5:12', 'resolvers-entry-invalid 5:15', 'unknown-field? 9:1', 'unknown-field? 10:1']);
  assert.deepEqual(places(before(' \u200bExpires: x')),
    ['leading-whitespace 4:2', 'unsafe-character 4:2', 'duplicate-field 4:3']);
  assert.deepEqual(places(`${HEAD}Resolvers: *\n\u200bEndpoint: x\nX\u0001\n`), ['unsafe-character 5:1',
    'missing-jobs 5:2',
    'missing-protocol 5:2', 'control-character 6:2']);
  assert.deepEqual(places(behind('Sign-in \t:none')), ['space-before-colon 8:8', 'spacing-after-colon? 8:11']);
  assert.deepEqual(places(`${HEAD}Resolvers: *\n Endpoint: \u0001\n`),
    ['leading-whitespace 5:2', 'missing-jobs 5:2', 'missing-protocol 5:2', 'control-character 5:12']);
});

test('signed envelope', () => { // r[captxt.signed]
  const signature = '-----BEGIN PGP SIGNATURE-----\t\nabc\u0001\n=x\r-----END PGP SIGNATURE----- \n';
  const signed = `-----BEGIN PGP SIGNED MESSAGE----- \nHash: SHA256\u0001\n\t\n${FILE.replace('Contact',
    '- Contact')}- # dash\n${signature}- # x\n`;
  assert.deepEqual(places(signed), ['signed-envelope 1:1', 'bare-cr 14:3']);
  is(`${FILE}-----BEGIN PGP SIGNATURE-----\nx\n`, 'signed-envelope');
  table(behind, [['- X: y', 'malformed-line'], ['-----END PGP SIGNATURE-----', 'malformed-line'],
    ['-----BEGIN PGP X', 'signed-envelope']]);
  assert.ok(places('-----BEGIN PGP SIGNED MESSAGE-----\n\n- foo\n').includes('malformed-line 3:3'));
});

test('header fields', () => {
  for (const name of ['Conformance', 'Contact', 'Expires', 'Resolvers']) // r[captxt.header.required]
    is(FILE.replace(new RegExp(`${name}:.*\n`), ''), `missing-${name.toLowerCase()}`);
  // r[captxt.header.once]
  table(before, [['Expires:', 'duplicate-field'], ['Expires:x', 'duplicate-field'], ['Conformance : x',
    'duplicate-field'], ['Expires \t:', 'duplicate-field'], ['Contact: tel:1', ''],
    ['Contact : tel:1', 'space-before-colon'], ['Contact:', 'empty-value'],
    ['Contact:tel:1', 'spacing-after-colon?']]);
  is(FILE.replace('Resolvers: *', 'Resolvers:\nResolvers:-https://a.example'), 'empty-value duplicate-field deny-salvaged?');
  // r[captxt.header.place]
  table(behind, [['Contact:x', 'header-field-in-block'], ['Expires:', 'header-field-in-block'],
    ['Expires : x', 'header-field-in-block space-before-colon']]);
  is(`${FILE.replace(/Expires:.*\n/, '')}Expires: x\n`, 'header-field-in-block');
  is(FILE.replace('Resolution 0.2', 'resolution 0.2'), 'conformance-unsupported'); // r[captxt.conformance]
  const contact = replacing('mailto:a@example.com'); // r[captxt.contact]
  for (const v of ['mailto:', 'http://a', 'a@b', 'mailto:a b', 'mailto:ä@b', 'https://a/%zz', 'mailto:<a@b>', 'tel:\\'])
    is(contact(v), 'contact-invalid');
  for (const v of ['tel:+1-201', 'HTTPS:x', 'https://[::1]/?y#z#', 'mailto:a%20b@c', 'mailto:[']) is(contact(v), '');
});

test('Expires', () => { // r[captxt.expires.form] r[captxt.expires.past] r[captxt.expires.far] r[captxt.expires.leap]
  const expires = replacing('2027-04-30T00:00:00Z');
  table(expires, [
    ['2026-11-30T12:00:00Z', 'expired'], ['2026-11-30T12:00:00.00z', 'expired'], ['2026-11-30T12:00:00.001Z', ''],
    ['2027-12-01T12:00:00Z', ''], ['2027-12-01T12:00:01Z', 'expires-far?'], ['2027-12-01T12:00:00.1Z', 'expires-far?'],
    ['x', 'expires-invalid'], ['2027-01-01', 'expires-invalid'], ['0000-01-01T00:00:00Z', 'expired'],
    ['2027-01-01T00:59:60.5+01:00', ''], ['2026-12-30T23:59:60Z', 'expires-invalid'],
  ]);
  is(expires('2026-11-30T12:00:00.5Z'), '', { now: '2026-11-30T12:00:00.9Z' });
});

test('Resolvers', () => {
  table(resolvers, [
    // r[captxt.resolvers.form]
    ['NONE', ''], ['https://a.example , https://b.example', ''], ['*, -https://a.example', ''], ['*,',
      'resolvers-entry-invalid'],
    ['a.example', 'resolvers-entry-invalid'], ['http://a.example', 'resolvers-entry-invalid'],
    ['https://a.example/x', 'resolvers-entry-invalid'], ['https://a.example\u00a0', 'resolvers-entry-invalid'],
    // r[captxt.resolvers.none]
    ['none, https://a.example', 'resolvers-none-mixed'], ['none, none', 'resolvers-none-mixed'],
    // r[captxt.resolvers.redundant] r[captxt.resolvers.implied-star] r[captxt.resolvers.conflict]
    ['*, https://a.example', 'resolvers-redundant?'], ['*, *', 'resolvers-redundant?'],
    ['https://a.example, https://a.example/', 'resolvers-redundant? origin-not-canonical?'],
    ['-https://a.example', 'resolvers-implied-star?'], ['-https://a.example, x', 'resolvers-entry-invalid'],
    ['https://a.example, -https://a.example', 'resolvers-conflict?'],
  ]);
  // r[captxt.resolvers.canonical]
  for (const v of ['https://A.example', 'https://a.example/', 'https://a.example:443', 'https://a.example:08443',
    'https://a.example.', 'HTTPS://a.example', 'https://ä.example', 'https://[::0001]', 'https://[::ffff:1.2.3.4]',
    'https://a.example:00443', 'https://1.2.3.4.'])
    is(resolvers(v), 'origin-not-canonical?');
  for (const v of ['https://0x7f.1', 'https://1.2.3', 'https://1.2.3.04', 'https://\uff11.2.3.4', 'https://a.example:0',
    'https://a.example:99999', 'https://a.example:', 'https://a.example:000443', 'https://1.2.3.\uff14', // r[origin.idna]
    'https://1\u30022.3.4', 'https://a..b', 'https://a%41'])
    is(resolvers(v), 'resolvers-entry-invalid');
  assert.deepEqual(places(resolvers(`${'*, '.repeat(100)}x`)), // r[captxt.resolvers.count]
    ['resolvers-entry-invalid 4:312', 'too-many-resolvers 4:312', 'resolvers-redundant? 4:12']);
  assert.deepEqual(places(resolvers('https://\u{1f600}.example/, ,none')), // r[captxt.position]
    ['resolvers-none-mixed 4:12', 'resolvers-entry-invalid 4:32', 'origin-not-canonical? 4:12']);
  assert.deepEqual(places(resolvers('*,  ')), ['resolvers-entry-invalid 4:14']);
});

test('salvaged denies', () => { // r[captxt.deny.salvaged]
  table(resolvers, [
    ['*, -https://a.example', ''], ['none, -https://a.example', 'resolvers-none-mixed'],
    ['*, x, -https://a.example', 'resolvers-entry-invalid'], ['*, -*', 'resolvers-entry-invalid deny-salvaged?'],
    ['*, - https://a.example', 'resolvers-entry-invalid deny-salvaged?'], ['"none"',
      'resolvers-entry-invalid deny-salvaged?'],
  ]);
  // an error of the line, or of another entry, is none of the entry
  for (const line of [' Resolvers: x, -https://a.example', 'Resolvers : none',
    `Resolvers: ${'*, '.repeat(100)}-https://a.example`])
    assert.doesNotMatch(codes(FILE.replace('Resolvers: *', line)), /^$|salvaged/);
  is(resolvers('*, -https://a.example, -https://a b').replace('*,', '*, -x,'),
    'resolvers-entry-invalid resolvers-entry-invalid deny-salvaged?');
  table(before, [['Resolver: none', 'deny-salvaged? unknown-field?'], ['Resolvers = none',
    'malformed-line deny-salvaged?'],
    ['Resolvers: *\n -x.example', 'leading-whitespace duplicate-field deny-salvaged?']]);
  is(behind(`Resolvers: -${ISS}`), 'header-field-in-block deny-salvaged?');
  assert.ok(places(`\ufeff${before('Resolvers: *,\r\n# x\r\n\t-x.example')}`).includes('deny-salvaged? 6:1'));
});

test('the order of diagnostics', () => { // r[captxt.order]
  const file = ' \u0001\nExpires: x\nExpires: y\n Resolvers:x,x\n';
  assert.deepEqual(places(file), ['missing-conformance 1:1', 'missing-contact 1:1', 'control-character 1:2',
    'leading-whitespace 1:2', 'expires-invalid 2:10', 'duplicate-field 3:1', 'leading-whitespace 4:2',
    'resolvers-entry-invalid 4:12', 'resolvers-entry-invalid 4:14', 'no-endpoints? 1:1', 'spacing-after-colon? 4:12']);
  assert.equal(captxt(file).reason, 'missing-conformance');
  assert.equal(captxt(before('x')).reason, 'malformed-line');
  assert.equal(captxt(behind('X: y')).reason, null);
});

test('blocks', () => {
  // r[captxt.block] r[captxt.block.outside] r[captxt.block.required] r[captxt.block.once] r[captxt.block.none]
  is(before('Jobs:'), 'field-outside-block');
  is(before('Jobs :'), 'field-outside-block space-before-colon');
  is(FILE.replace('Protocol: mcp\n', ''), 'missing-protocol');
  is(FILE.replace(/Jobs.*\n/, ''), 'missing-jobs');
  table(behind, [['Protocol:x y', 'duplicate-field'], ['Protocol:', 'duplicate-field'], ['Jobs:', 'empty-value'],
    ['Protocol :x', 'duplicate-field'], ['Protocol\t:', 'duplicate-field'], ['Jobs : more jobs', 'space-before-colon'],
    ['Sign-in:\nSign-in: x y', 'empty-value duplicate-field'],
    ['Payment: \u200b\nPayment:none', 'unsafe-character duplicate-field']]);
  is(behind('Jobs: other job'), '');
  is(`${HEAD}Resolvers: *\n`, 'no-endpoints?');
  is(`${HEAD}Resolvers: None\n`, '');
  is(FILE.replace('Jobs', '\n\nJobs'), '');
  // r[captxt.block.count]
  const blocks = Array.from({ length: 102 }, (_, i) => BLOCK.replace('/mcp', `/${i}`)).join('');
  assert.deepEqual(places(`${HEAD}Resolvers: *\n${blocks}`), ['too-many-endpoints 305:1']);
});

test('Endpoint', () => {
  table(replacing('https://example.com/mcp'), [ // r[captxt.endpoint.form]
    ['https://example.com/a b', 'endpoint-invalid'], ['http://example.com/{x}', 'endpoint-invalid'],
      ['http://example.com/', 'endpoint-not-https'],
    ['ftp://u@x/#', 'endpoint-not-https'], ['example.com/mcp', 'endpoint-invalid'], ['https:/example.com',
      'endpoint-invalid'],
    ['https:///example.com/u@', 'endpoint-invalid'], ['https://?x', 'endpoint-invalid'], ['https://u@example.com/#f',
      'endpoint-userinfo'],
    ['https://example.com/@x', ''], ['https://example.com/@#f', 'endpoint-fragment'], ['HTTPS://EXAMPLE.com:443/A', ''],
    ['https://example.com:/', ''], ['https://example.com:0/', ''], ['https://[::1]/', 'endpoint-out-of-scope?'],
    [`https://example.com/${'x'.repeat(2028)}`, ''], [`https://example.com/${'x'.repeat(2029)}`, 'endpoint-invalid'],
    ['https://example.com/?a', 'endpoint-query?'], // r[captxt.endpoint.query]
  ]);
  for (const url of ['https://ex%61mple.com/', 'https://example.com./', 'https://a..example.com/', 'https://a.1/',
    'https://0x7f.1/',
    'https://example.com:x/', `https://${'a'.repeat(64)}.example.com/`, 'https://a!b.example.com/',
      'https://example.com\u3002/',
    'https://127.0.0.01/', 'https://\uff11.0.0.1/', 'https://[::1', 'https://1\u05d0.example.com/'])
    is(FILE.replace('https://example.com/mcp', url), 'endpoint-invalid');
  const reported = (url) => captxt(FILE.replace('https://example.com/mcp', () => url)).output.endpoints[0].url;
  // r[captxt.endpoint.canonical]
  assert.equal(reported('HTTPS://Bücher.EXAMPLE.com:443/a/../ä'), 'https://xn--bcher-kva.example.com/%C3%A4');
  // r[captxt.endpoint.duplicate]
  is(FILE + BLOCK.replace('example', 'EXAMPLE') + BLOCK, 'duplicate-endpoint duplicate-endpoint');
});

test('Jobs', () => { // r[captxt.jobs] r[captxt.jobs.duplicate] r[captxt.jobs.count]
  const jobs = (value) => places(FILE.replace('send mail', value));
  const kept = (value) => captxt(FILE.replace('send mail', value)).output.endpoints[0].jobs;
  assert.deepEqual(jobs('abc; ;ab'), ['job-length 7:12', 'job-length 7:13']);
  assert.deepEqual(jobs('abc;'), ['job-length 7:11']); // r[captxt.position]
  assert.deepEqual(jobs('😀'.repeat(201)), ['job-length 7:7']);
  assert.deepEqual(kept('abc ;\u3000ABC'), ['abc']);
  assert.deepEqual(kept('e\u0301e; a  b; A\u3000B'), ['e\u0301e', 'a  b']);
  assert.deepEqual(jobs('😀😀😀; \u0130bc; ibc'), ['duplicate-job? 7:17']);
  assert.deepEqual(jobs('ΑΣ x; ας x'), []);
  assert.deepEqual(jobs('x;x'), ['job-length 7:7', 'job-length 7:9']);
  assert.deepEqual(jobs(Array.from({ length: 20 }, (_, i) => `job ${i}`).join(';')), []);
  assert.deepEqual(jobs('job;'.repeat(21)).slice(0, 2), ['too-many-jobs 5:1', 'job-length 7:91']);
});

test('tokens', () => { // r[captxt.token] r[captxt.token.known] r[captxt.token.absent]
  table((v) => FILE.replace('mcp\nJobs', `${v}\nJobs`), [['MCP', ''], ['x'.repeat(32), 'unknown-value?'],
    ['x'.repeat(33), 'invalid-token'],
    ['-a', 'invalid-token'], ['m cp', 'invalid-token']]);
  const [endpoint] = captxt(behind('Sign-in: Required')).output.endpoints;
  assert.deepEqual([endpoint.protocol, endpoint.signIn, endpoint.payment], ['mcp', 'required', null]);
});

test('scope', () => { // r[captxt.scope] r[captxt.scope.address] r[captxt.scope.public-suffix] r[captxt.scope.out]
  const speaks = (url, host, rules) => captxt(FILE.replace('https://example.com/mcp', url), { host, publicSuffixes: rules })
    .output.endpoints[0].inScope;
  for (const row of [['https://example.com:8443/', 'EXAMPLE.com.'], ['https://a.b.example.com/', 'example.com'],
    ['https://com/', 'com'],
    ['https://x.github.io/', 'github.io', ['io']], ['https://a.www.ck/', 'www.ck', ['*.ck', '!www.ck']],
      ['https://1.2.3.4/', '1.2.3.4']])
    assert.ok(speaks(...row), row[0]);
  for (const row of [['https://badexample.com/', 'example.com'], ['https://example.com/', 'a.example.com'],
    ['https://example.com/', 'com'],
    ['https://x.github.io/', 'github.io', ['io', 'github.io']], ['https://a.foo.ck/', 'foo.ck', ['*.ck', '!www.ck']],
    ['https://a.xn--55qx5d.cn/', 'xn--55qx5d.cn', ['// x', '公司.cn']], ['https://1.2.3.4/', '3.4.5.6']])
    assert.ok(!speaks(...row), row[0]);
  is(FILE, 'endpoint-out-of-scope?', { host: 'other.com' });
});
