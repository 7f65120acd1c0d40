import { generateKeyPair } from 'node:crypto'
import { promisify } from 'node:util'
import { gather } from '../platform/gather.ts'

const generate = promisify(generateKeyPair)

/** Two at a time: each takes a tenth of a second and more of a core, and the thread pool has signing to do. */
const generateOne = gather<undefined, DkimKeys>(async () => [await generateRsa()], { itemsMax: 1, flushesMax: 2 })

/** `publicKey` is the base64 SPKI that a DKIM record's `p=` carries (RFC 6376 3.6.1), `privateKey` PKCS #8 in PEM. */
export type DkimKeys = { publicKey: string; privateKey: string }

/** RSA of 2048 bits: what every receiver verifies (RFC 8301). */
export function generateDkimKeys(): Promise<DkimKeys> {
  return generateOne(undefined)
}

async function generateRsa(): Promise<DkimKeys> {
  const { publicKey, privateKey } = await generate('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  })
  return { publicKey: publicKey.toString('base64'), privateKey }
}
