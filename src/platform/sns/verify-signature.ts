import { verify, X509Certificate } from 'node:crypto'
import type { App } from '../../context.ts'
import { unauthenticated, unavailable } from '../errors.ts'
import { createLru } from '../lru.ts'
import { perApp } from '../per-app.ts'
import { askSns } from './ask.ts'
import type { SnsMessage } from './message.ts'
import { isCertificateUrl } from './url.ts'

/**
 * Throws `unauthenticated` if Amazon SNS has not signed the message, `unavailable` if that cannot be checked at the
 * moment.
 */
export async function refuseUnsigned(app: App, message: SnsMessage, standIn: string | null): Promise<void> {
  const hash = hashes.get(message.SignatureVersion)
  if (hash === 'sha1' && app.config.snsSignatureVersion === '2') {
    throw unauthenticated('SignatureVersion: must be 2. Set the attribute SignatureVersion of the topic to 2.')
  }
  if (!hash) throw unauthenticated('SignatureVersion: must be 1 or 2.')
  const certificate = await findCertificate(app, message.SigningCertURL, standIn)
  if (!isValidAt(certificate, app.clock.now()))
    throw unauthenticated('SigningCertURL: the certificate is not valid at this time.')
  const signature = Buffer.from(message.Signature, 'base64')
  if (!verify(hash, Buffer.from(signedText(message)), certificate.publicKey, signature))
    throw unauthenticated('Signature: does not match the message.')
}

/** By `SignatureVersion`. */
const hashes = new Map([
  ['1', 'sha1'],
  ['2', 'sha256'],
])

/** The fields in byte order of their names, each name and value on its own line. Missing ones are left out. */
export function signedText(message: SnsMessage): string {
  const names = signedFields[message.Type === 'Notification' ? 'notification' : 'confirmation']
  return names.flatMap((name) => (message[name] === undefined ? [] : [`${name}\n${message[name]}\n`])).join('')
}

const signedFields = {
  notification: ['Message', 'MessageId', 'Subject', 'Timestamp', 'TopicArn', 'Type'],
  confirmation: ['Message', 'MessageId', 'SubscribeURL', 'Timestamp', 'Token', 'TopicArn', 'Type'],
} as const

function isValidAt(certificate: X509Certificate, at: Date): boolean {
  return certificate.validFromDate <= at && at <= certificate.validToDate
}

/** Amazon signs with one certificate for each region and changes it about once a year. */
const certificatesMax = 40
/** The most fetches at a time, because anyone can make us request certificates that do not exist. */
const fetchesMax = 4

const certificatesOf = perApp(() => ({
  known: createLru<X509Certificate>({ countMax: certificatesMax }),
  fetching: new Map<string, Promise<X509Certificate>>(),
}))

/**
 * Fetches the certificate at an address of Amazon, once. It has no chain of issuers; it is trusted because of the host
 * that it was fetched from.
 */
async function findCertificate(app: App, url: string, standIn: string | null): Promise<X509Certificate> {
  if (!isCertificateUrl(url, standIn))
    throw unauthenticated('SigningCertURL: must be the address of a certificate at sns.<region>.amazonaws.com.')
  const { known, fetching } = certificatesOf(app)
  const found = known.get(url) ?? fetching.get(url)
  if (found) return found
  if (fetching.size >= fetchesMax) throw unavailable('Too many certificates are being fetched. Try again shortly.')
  const fetched = fetchCertificate(app, url).finally(() => fetching.delete(url))
  fetching.set(url, fetched)
  known.set(url, await fetched)
  return fetched
}

async function fetchCertificate(app: App, url: string): Promise<X509Certificate> {
  const answer = await askSns(app, url)
  if (answer.kind !== 'answered' || answer.status >= 500)
    throw unavailable('The certificate of Amazon SNS cannot be fetched at the moment. Send the message again.')
  try {
    const certificate = answer.status === 200 ? new X509Certificate(answer.body) : null
    if (certificate?.publicKey.asymmetricKeyType === 'rsa') return certificate
  } catch {
    // It is not a certificate; the line below says so.
  }
  throw unauthenticated('SigningCertURL: there is no certificate of an RSA key.')
}
