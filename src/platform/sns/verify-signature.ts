import { verify, type X509Certificate } from 'node:crypto'
import type { App } from '../../context.ts'
import { unauthenticated } from '../errors.ts'
import { findCertificate } from './find-certificate.ts'
import type { SnsMessage } from './message.ts'

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
