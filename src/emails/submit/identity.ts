import { createHash } from 'node:crypto'
import { decodeBody } from '../mime/source/decode.ts'
import { findLeaves } from '../mime/source/leaves.ts'
import type { ReadSubmission } from './read.ts'

/** Fields that may differ when a mailer writes the same message again. */
const drawnAnew = new Set(
  'date message-id received content-type mime-version dkim-signature idempotency-key bcc'.split(' '),
)

/**
 * Returns what two submissions with one idempotency key must have in common: recipients, header and content of the
 * parts. The octets may differ, since a program that tries again writes another date and other boundaries.
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
