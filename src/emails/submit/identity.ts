import { createHash } from 'node:crypto'
import { decodeBody } from '../mime/source/decode.ts'
import { findLeaves } from '../mime/source/leaves.ts'
import type { ReadSubmission } from './read.ts'

/** What a mailer draws anew each time it writes the same message. */
const drawnAnew = new Set(
  'date message-id received content-type mime-version dkim-signature idempotency-key bcc'.split(' '),
)

/**
 * What makes two submissions the same to an idempotency key: the recipients, the header and what the parts carry. Not
 * the octets, since a program that tries again makes the message again, with another date and other boundaries.
 */
export function identityOf({ command, octets, header }: ReadSubmission): unknown {
  return {
    recipients: command.recipients.toSorted(),
    fields: header.fields.filter(({ name }) => !drawnAnew.has(name)).map(({ name, value }) => [name, value]),
    parts: (findLeaves(octets) ?? []).map((leaf) => ({
      type: leaf.type.value,
      parameters: [...leaf.type.parameters],
      content: createHash('sha256').update(decodeBody(octets, leaf)).digest('base64'),
    })),
  }
}
