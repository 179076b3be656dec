// jsonwebtoken (npm): https://github.com/auth0/node-jsonwebtoken/blob/v9.0.3/README.md, "jwt.verify" with `getKey`
//
// It has no EdDSA. The algorithm is asked for all the same, so that what it does is measured and not supposed.

import { createPublicKey } from 'node:crypto'
import { promisify } from 'node:util'

import jwt from 'jsonwebtoken'

import { serve } from './protocol.mjs'

const verify = promisify(jwt.verify)

await serve({
  verifier(document, issuer, now) {
    const getKey = (header, callback) => {
      const jwk = document?.keys?.find?.((key) => key?.kid === header.kid)
      if (!jwk) return callback(new Error('no such key'))
      try {
        return callback(null, createPublicKey({ key: jwk, format: 'jwk' }))
      } catch (error) {
        return callback(error)
      }
    }
    const options = {
      algorithms: ['EdDSA'],
      issuer,
      maxAge: '48h',
      clockTolerance: 300,
      clockTimestamp: Math.floor(now.getTime() / 1000),
    }
    return (token) => verify(token, getKey, options)
  },
  isRefusal: (error) => error instanceof jwt.JsonWebTokenError,
  isUnsupported: (error) => /^Unknown key type/.test(error.message),
})
