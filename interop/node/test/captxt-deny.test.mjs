// §11.6
import { test } from 'node:test';
import assert from 'node:assert/strict';
import { captxt, ISS } from '../test-support/helpers.mjs';

const BAD = 'https://unwanted.example';
const allowed = (file, resolver = ISS) => captxt(file, { resolver }).output.resolverAllowed;
/** Whether the file allows the unwanted resolver, and whether it allows the other one. */
const check = (file, unwanted, other) =>
  assert.deepEqual([allowed(file, BAD), allowed(file)], [unwanted, other], JSON.stringify(file).slice(0, 200));
const eachEntry = (entries, unwanted, other) => entries.forEach((entry) => check(`Resolvers: *, ${entry}\n`, unwanted, other));
const eachFile = (files, unwanted, other) => files.forEach((file) => check(file, unwanted, other));

test('verdict', () => { // r[captxt.deny.verdict] r[captxt.two-readers]
  eachFile(['', 'Resolvers: *', 'Resolvers: x, *; \u200b'], true, true);
  eachFile(["Resolvers: '*'", 'Resolvers: *.', 'Resolvers: *\u200b', 'Resolvers: \ufffd*'], false, false);
  eachFile(['Resolvers:', 'Resolvers: ,; # x', 'Resolvers: none', 'Resolvers: *, "NONE".', `Resolvers: -${BAD}, x`,
    `Resolvers: "${ISS}"`, 'Resolvers: http://unwanted.example', 'Resolvers: unwanted.example'], false, false);
  eachFile([`Resolvers: ${ISS}`, 'Resolvers: HTTPS://Resolver.example.:0443/;', `Resolvers: *\nResolvers: ${ISS}`,
    `Resolvers: *, -${BAD}`, `Resolvers: -${BAD}`, `Resolvers: -${BAD}, .`], false, true);
  // an allow with noise or edges is none, though IDNA would drop the noise
  eachFile([`${ISS}\u200b`, `\u2060${ISS}`, 'https://re\u00adsolver.example', `(${ISS})`].map((v) => `Resolvers: ${v}`),
    false, false);
});

test('a dash', () => { // r[captxt.deny.dash]
  const dashes = ['-', '\u2010', '\u2013', '\u2014', '\u2015', '\u2212', '\ufe58', '\ufe63', '\uff0d', '--', '- ',
    '-, ', '-\u2013 - '];
  eachEntry(dashes.map((dash) => dash + BAD), false, true);
  eachEntry(['-', '---', '-."'], false, false);
});

test('repair', () => { // r[captxt.deny.repair] r[captxt.deny.match]
  eachEntry(['unwanted.example', 'http://unwanted.example', 'HTTP://unwanted.example:80',
    'https://u:p@unwanted.example/x?y',
    'https://Unwanted.Example.', '*.unwanted.example', 'https://*.unwanted.example', 'unwanted.example:0443',
    'unwanted.example\\x', 'un\u00adwanted.example'].map((v) => `-${v}`), false, true);
  eachEntry([`-${BAD}:8443`, '-unwanted.example:80', '-*.other.example', '-https://foo', '-https://[::1]'], true, true);
  assert.equal(allowed(`Resolvers: *, -${BAD}:8443`, `${BAD}:8443`), false);
  assert.equal(allowed('Resolvers: *, -*.unwanted.example', 'https://a.unwanted.example'), false);
  assert.equal(allowed('Resolvers: *, -*.unwanted.example', 'https://aunwanted.example'), true);
  for (const [entry, denied, others] of [
    ['*.a.example', ['https://a.example', 'https://b.c.a.example'], ['https://b.a.example:8443']],
    ['http://*.a.example:8443', ['https://a.example:8443', 'https://b.a.example:8443'], ['https://a.example']],
    ['http://a.example:080', ['https://a.example'], ['https://a.example:80', 'https://b.a.example']],
    ['https://a.example:80', ['https://a.example:80'], ['https://a.example']],
  ]) {
    for (const issuer of denied) assert.equal(allowed(`Resolvers: *, -${entry}`, issuer), false, `${entry} ${issuer}`);
    for (const issuer of others) assert.equal(allowed(`Resolvers: *, -${entry}`, issuer), true, `${entry} ${issuer}`);
  }
});

test('what cannot be read denies everyone', () => { // r[captxt.deny.unreadable]
  eachEntry(['foo.com', 'foo.com.', '*.foo.com', 'https://foo', 'https://*.foo'].map((v) => `-${v}`), true, true);
  eachEntry(['\uff11.2.3.4', 'https://\uff11.2.3.4', // r[origin.idna]
    'foo.', 'foo.:8443', 'foo\u3002', '*.foo.', 'a.b:000443', // r[captxt.resolvers.canonical]
    '*', 'foo', 'foo/a.b', 'none', '*.example', '[::1]', 'https://', 'https://a..b', 'https://a.b:',
    'https://a.b:x',
    'https://a.b:0', 'https://127.1', 'https://a%2eb', 'ftp://a.example', '//a.example', 'https:a.example', 'a.1']
    .map((v) => `-${v}`), false, false);
});

test('edges', () => { // r[captxt.deny.entries] r[captxt.deny.edges]
  check(`Resolvers: "", -${BAD}, ... <\u200b>`, false, true); // nothing is left of a piece: no entry
  check(`Resolvers: -${BAD}, "x"`, false, false);
  check(`Resolvers: *, - "" ${BAD}`, false, true);
  eachEntry([`"-${BAD}"`, `<-${BAD}>.`, `(-${BAD});`, `-"${BAD}"`, `-<\u200b${BAD}.>.`, `\u201c-${BAD}\u201d`,
    `"-"${BAD}`], false, true);
  eachEntry(['[-https://[::1]]', '-[https://[::1]', '-https://[::1].'], true, true);
  assert.equal(allowed('Resolvers: *, [-https://[2001:DB8::1]]', 'https://[2001:db8::1]'), false);
});

test('the field', () => { // r[captxt.deny.field] r[captxt.deny.strip] r[captxt.deny.value]
  eachFile(['Resolvers "NONE".', 'Resolvers\tnone \u200b\ufffd # x', 'Resolvers (https://x.example)',
    'Resolvers HTTP://x.example', 'Resolvers \u2013', 'Resolvers *\u200b', 'Resolver: none',
    'RESOLVERS=none', 'resolvers \u200b\uff1a none',
    ' \u200b\ufeff\u0001Resolvers\ufffd: none',
    'Resolvers none', 'Resolvers\u200b none # all', 'Resolvers: none # x'], false, false);
  check(`Resolvers -${BAD} \u200b`, false, true);
  // one run, judged by its entries; noise at the end starts with white space
  eachFile(['Resolvers none,none', 'Resolvers x;"None".', 'Resolvers x.example,http://x.example', 'Resolvers x,\u2013'],
    false, false);
  eachFile([`Resolvers x,-${BAD},*\u3000\u200b\ufffd `, `Resolvers x;${ISS}`], false, true);
  eachFile(['Resolvers x,*', 'Resolvers x,y', 'Resolvers none\u200bx', 'Resolvers x,none y', 'Resolvers ,;',
    'Resolvers x,#none'], true, true);
  check(`Resolvers ${ISS}`, false, true);
  eachFile(['Resolvers welcome', 'Resolvers x.example', 'Resolvers none none', 'Resolvers none \u200bx',
    'Resolvers ftp://x', 'Resolvers \u200b', 'Resolvers *', 'Resolvers: *\nResolvers welcome',
    '#Resolvers: none', '\u200b # Resolvers: none', 'Resolversx: none', 'Resolvers-x: none',
    'Resolvers are none here',
    'XResolvers: none', 'Reſolvers: none', 'Resolvers', 'Resolvers # none', 'Resolvers\u200bnone', 'Resolvers/none',
    `Resolvers: * # -${BAD}`], true, true);
});

test('lines', () => { // r[captxt.deny.lines] r[captxt.deny.continuation]
  for (const end of ['\n', '\r', '\v', '\f', '\0', '\u0085', '\u2028', '\u2029', '\r\n']) {
    check(`x${end}Resolvers: none`, false, false);
    check(`Resolvers: *,${end} -${BAD}`, false, true);
  }
  eachFile([`\t-${BAD}`, `-${BAD}`, `\u2013 ${BAD}`, `# c\n -${BAD}`, ` x: -${BAD}`, ` --${BAD}`,
    ` \u200bContact: -${BAD}`,
    ` -\n # c\n\u2013unwanted.example # c`].map((l) => `Resolvers: *,\n${l}\n`), false, true);
  eachFile([`\n -${BAD}`, `--${BAD}`, `-\u2013${BAD}`, `X: y\n -${BAD}`, ` Contact \t: -${BAD}`, `\u200b\n -${BAD}`,
    `\u00a0-${BAD}`]
    .map((l) => `Resolvers: *,\n${l}\n`), true, true);
  check(`Resolvers: *\n Resolvers: ${ISS}\n`, false, true);
});

test('bytes', () => { // r[captxt.deny.scan-limit] r[captxt.deny.decode]
  const none = Buffer.from('Resolvers: none\n'), cut = Buffer.concat([Buffer.alloc(524288 - 17, '#'), Buffer.from('\n'), none]);
  check(cut, false, false);
  check(Buffer.concat([Buffer.alloc(16, '#'), cut]), true, true);
  check(Buffer.concat([Buffer.from([0xff, 0xfe, 0x0a]), none]), false, false);
  for (const line of [`Resolvers: *, -${BAD}\n`, `Resolvers: ${ISS}\n`]) {
    const little = Buffer.from(`\ufeff${line}`, 'utf16le');
    check(little, false, true);
    check(Buffer.from(little).swap16(), false, true);
  }
});
