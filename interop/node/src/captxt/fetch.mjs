// §11.7: what a resolver holds of a host after some fetches of its server file.
import { readServerFile } from './strict.mjs';
import { siteOf } from './scope.mjs';

const MAX_REDIRECTS = 5;
const DAY = 86400;

const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const QUOTED = '"((?:[^"\\\\\\x00-\\x08\\x0a-\\x1f\\x7f]|\\\\[^\\x00-\\x08\\x0a-\\x1f\\x7f])*)"';
const TYPE = new RegExp(`${TOKEN}/${TOKEN}`, 'y');
const PARAMETER = new RegExp(`[ \\t]*;(?:[ \\t]*(${TOKEN})=(?:(${TOKEN})|${QUOTED}))?`, 'y');

/** captxt.fetch.media-type, and the first row of captxt.fetch.outcome */
function isPlainText(contentType) {
  const text = (contentType ?? '').replace(/^[ \t]+/, '').replace(/(?<![ \t])[ \t]+$/, '');
  TYPE.lastIndex = 0;
  if (TYPE.exec(text)?.[0].toLowerCase() !== 'text/plain') return false;
  const charsets = [];
  for (PARAMETER.lastIndex = TYPE.lastIndex; PARAMETER.lastIndex < text.length;) {
    const parameter = PARAMETER.exec(text);
    if (parameter === null) return false;
    const [, name, value, quoted] = parameter;
    if (name?.toLowerCase() === 'charset') charsets.push(value ?? quoted.replace(/\\(.)/gs, '$1'));
  }
  return charsets.length === 0 || (charsets.length === 1 && charsets[0].toLowerCase() === 'utf-8');
}

/** What is held of a canonical host, with rules of the Public Suffix List. */
export class Holding {
  constructor(host, rules) {
    Object.assign(this, { host, rules, tried: null });
    this.forget();
  }

  forget() {
    this.file = null; // the bytes whose restriction counts
    this.noClaims = null; // the code, or '' when there is no file any more
    this.answered = null;
  }

  /** captxt.fetch.unreachable */
  age(now) {
    if (this.answered !== null && now - this.answered >= 30 * DAY) this.forget();
  }

  /** captxt.fetch.outcome, captxt.fetch.redirect, for {at, redirects, failure, status, contentType, file}. */
  take({ at, redirects, failure, status, contentType, file }) {
    this.age(at);
    this.tried = at;
    const isFollowed = redirects.length <= MAX_REDIRECTS && redirects.every((url) => url.startsWith('https://'));
    if (failure !== null) return;
    if (!isFollowed) this.noClaims = '';
    else if (status === 200) {
      this.file = file;
      this.noClaims = this.codeOf(redirects, contentType);
    } else if (status === 404 || status === 410) this.forget();
    else if (status >= 400 && status < 500 && status !== 429) this.noClaims = '';
    else if (status !== 304) return;
    this.answered = at;
  }

  codeOf(redirects, contentType) {
    if (!isPlainText(contentType)) return 'fetch-content-type';
    if (redirects.length === 0) return null;
    const site = siteOf(new URL(redirects.at(-1)).hostname, this.rules);
    return site === siteOf(this.host, this.rules) ? null : 'fetch-cross-site';
  }

  /** -> {code, output}, where code says why there are no claims and is null when there are. */
  at(now, issuer) {
    this.age(now);
    const fetchDue = this.tried === null || now - this.tried >= DAY; // captxt.fetch.cache
    if (this.file === null) return { code: '', output: { endpoints: [], resolverAllowed: true, fetchDue } };
    const { errors, endpoints, allows } = readServerFile(this.file, { host: this.host, now, rules: this.rules });
    const code = this.noClaims ?? errors[0]?.code ?? null;
    return { code, output: { endpoints: code === null ? endpoints : [], resolverAllowed: allows(issuer), fetchDue } };
  }
}
