// §2.3 "code": the one error by which a check names the code of the rule that an input breaks.
export class Refused extends Error {
  constructor(code) {
    super(code);
    this.code = code;
  }
}

export function refuse(code) {
  throw new Refused(code);
}
