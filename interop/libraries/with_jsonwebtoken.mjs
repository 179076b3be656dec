// jsonwebtoken (npm): https://github.com/auth0/node-jsonwebtoken/blob/v9.0.3/README.md, "jwt.verify" with `getKey`
//
// It has no EdDSA. The algorithm is asked for all the same, so that what it does is measured and not supposed.

import { createPublicKey, generateKeyPairSync } from 'node:crypto'
import { promisify } from 'node:util'

import jwt from 'jsonwebtoken'

import { serve } from './protocol.mjs'

const verify = promisify(jwt.verify)

function verifier(algorithm, jwks, issuer, now) {
  const keys = new Map()
  const getKey = ({ kid }, callback) => {
    const jwk = jwks?.keys?.find?.((key) => key?.kid === kid)
    if (!jwk) return callback(new Error('no such key'))
    try {
      if (!keys.has(kid)) keys.set(kid, createPublicKey({ key: jwk, format: 'jwk' }))
      return callback(null, keys.get(kid))
    } catch (error) {
      return callback(error)
    }
  }
  const options = {
    algorithms: [algorithm],
    issuer,
    maxAge: '48h',
    clockTolerance: 300,
    clockTimestamp: Math.floor(now.getTime() / 1000),
  }
  return (token) => verify(token, getKey, options)
}

await serve({
  verifier: (document, issuer, now) => verifier('EdDSA', document, issuer, now),
  isRefusal: (error) => error instanceof jwt.JsonWebTokenError,
  isUnsupported: (error) => /^Unknown key type/.test(error.message),

  // The same claims, signed with what of its algorithms is nearest: a signature over a curve of the same strength.
  timed(input) {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const keyid = 'key-1'
    const jwks = { keys: [{ ...publicKey.export({ format: 'jwk' }), kid: keyid }] }
    const token = jwt.sign(jwt.decode(input.token), privateKey, { algorithm: 'ES256', keyid })
    const check = verifier('ES256', jwks, input.issuer, new Date(input.now))
    return () => check(token)
  },
})
