// The line protocol of test-vectors/draft/FORMAT.md around one library.

import { createInterface } from 'node:readline'

/**
 * Answers questions until standard input ends.
 *
 * `verifier` takes a discovery document as parsed JSON, the issuer that was asked and the time, and gives back a
 * function that verifies a token: it returns what the library returns, or throws. `isRefusal` says of an error whether
 * the library throws it at a bad token or key, `isUnsupported` whether it says that it cannot do this at all. Every
 * other error ends the program: the runner counts it and starts a fresh one. `timed`, for a library that cannot verify
 * the token, gives back what is measured in its place.
 */
export async function serve({ verifier, isRefusal, isUnsupported = () => false, timed }) {
  for await (const line of createInterface({ input: process.stdin })) {
    const { id, operation, input } = JSON.parse(line)
    const answer = { token: judge, measure }[operation] ?? (() => ({ unsupported: true }))
    process.stdout.write(`${JSON.stringify({ id, ...(await answer(input)) })}\n`)
  }

  async function judge(input) {
    try {
      await prepare(input)(token(input))
      return { result: 'valid' }
    } catch (error) {
      if (isUnsupported(error)) return { unsupported: true }
      if (isRefusal(error) || error instanceof NotJson) return { result: 'invalid' }
      throw error
    }
  }

  function prepare(input) {
    return verifier(document(input), input.issuer, new Date(input.now))
  }

  // Not of the vectors' protocol: how long one verification takes where nothing is in its way, the keys
  // being read; for `cargo xtask bench`.
  async function measure(input) {
    const work = timed?.(input) ?? (() => {
      const [verify, bytes] = [prepare(input), token(input)]
      return () => verify(bytes)
    })()
    const batch = 4
    let fastest = Infinity
    const warm = Date.now() + input.milliseconds / 4
    const end = warm + input.milliseconds
    while (Date.now() < end || fastest === Infinity) {
      const start = process.hrtime.bigint()
      for (let i = 0; i < batch; i += 1) await work()
      const nanoseconds = Number(process.hrtime.bigint() - start) / batch
      if (Date.now() > warm) fastest = Math.min(fastest, nanoseconds)
    }
    return { nanoseconds: fastest }
  }
}

class NotJson extends Error {}

function document(input) {
  const text = input.discovery ?? Buffer.from(input.discovery_base64, 'base64').toString()
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new NotJson('the discovery document', { cause })
  }
}

function token(input) {
  return input.token ?? Buffer.from(input.token_base64, 'base64').toString()
}
