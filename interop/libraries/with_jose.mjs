// jose (npm): https://github.com/panva/jose/blob/v6.2.18/docs/jwks/local/functions/createLocalJWKSet.md
// and https://github.com/panva/jose/blob/v6.2.18/docs/jwt/verify/interfaces/JWTVerifyOptions.md

import { createLocalJWKSet, errors, jwtVerify } from 'jose'

import { serve } from './protocol.mjs'

await serve({
  // A discovery document has the members of a JWK Set, and a JWK Set may have others.
  verifier(document, issuer, now) {
    const keys = createLocalJWKSet(document)
    const options = {
      algorithms: ['EdDSA'],
      issuer,
      requiredClaims: ['iat', 'exp', 'url', 'status', 'checked_at'],
      maxTokenAge: '48 hours',
      clockTolerance: '300 seconds',
      currentDate: now,
    }
    return (token) => jwtVerify(token, keys, options)
  },
  isRefusal: (error) => error instanceof errors.JOSEError,
})
