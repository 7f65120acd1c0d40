import { generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'
import { unavailable } from '../../platform/errors.ts'
import { createSemaphore } from '../../platform/limits/semaphore.ts'

declare module '../../context.ts' {
  interface App {
    generateDkimKeys(): Promise<DkimKeys>
  }
}

const generate = promisify(generateKeyPair)

/**
 * Makes two keys at a time: each takes a tenth of a second or more of a core, and the thread pool also signs. A team
 * has at most one waiting (`make-keys.ts`); 500 take about 30 s, which is as long as a request may take.
 */
const generating = createSemaphore({ runningMax: 2, waitingMax: 500 })

/** `publicKey` is base64 SPKI for the `p=` of a DKIM record (RFC 6376 3.6.1), `privateKey` is PKCS #8 in PEM. */
export type DkimKeys = { publicKey: string; privateKey: string }

/**
 * Makes RSA keys of 2048 bits, which every receiver verifies (RFC 8301). Throws `unavailable` if too many calls wait.
 */
export function generateDkimKeys(): Promise<DkimKeys> {
  return generating.run(generateRsa, () =>
    unavailable('Too many domains are being added at once. Try again shortly.', 5),
  )
}

async function generateRsa(): Promise<DkimKeys> {
  const { publicKey, privateKey } = await generate('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  return { publicKey: publicKey.toString('base64'), privateKey }
}
