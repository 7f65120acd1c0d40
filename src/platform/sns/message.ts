import { isUtf8 } from 'node:buffer'
import { DomainError, invalid } from '../errors.ts'
import { readJson } from '../http/body/read-json.ts'

/** A message of Amazon SNS, its fields under Amazon's names. */
export type SnsMessage = Record<(typeof required)[number], string> & Partial<Record<(typeof optional)[number], string>>

const required = [
  'Type',
  'MessageId',
  'TopicArn',
  'Message',
  'Timestamp',
  'SignatureVersion',
  'Signature',
  'SigningCertURL',
] as const
const optional = ['Subject', 'Token', 'SubscribeURL'] as const

/** SNS sends a dozen members. The signature is checked only after these are read. */
const fieldsMax = 100

/** Throws `invalid`. The content type is ignored, since SNS says text/plain and sends JSON. */
export function readSnsMessage(body: unknown): SnsMessage {
  if (!Buffer.isBuffer(body) || !isUtf8(body)) throw invalid('body', 'is required: an SNS message, JSON in UTF-8')
  const value = readJson(body, fieldsMax)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw invalid('body', 'is no SNS message')
  const fields = value as Record<string, unknown>
  if ('eventType' in fields || 'notificationType' in fields)
    throw new DomainError(
      'invalid',
      'The message is not signed: switch raw message delivery off for this subscription.',
    )
  const message: Record<string, string> = {}
  for (const name of required) message[name] = textOf(fields, name)
  for (const name of optional) if (fields[name] != null) message[name] = textOf(fields, name)
  return message as SnsMessage
}

function textOf(fields: Record<string, unknown>, name: string): string {
  const value = fields[name]
  if (typeof value !== 'string') throw invalid(name, 'is required: a text, as Amazon SNS sends it')
  return value
}
