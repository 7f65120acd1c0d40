import { DomainError, invalid } from '../../platform/errors.ts'
import { CR, LF } from '../mime/line-ends.ts'
import { isRelayOrder } from '../mime/relay-orders.ts'
import { type Field, fieldValue, type HeaderBlock, readFields } from '../mime/source/fields.ts'
import type { SubmittedSource } from '../mime/source/finish.ts'

const sizeMaxBytes = 128 * 1024
const fieldsMax = 1000
/** A message with more `Received` fields is in a loop (RFC 5321 6.3). */
const hopsMax = 100

/** Fields that may occur once (RFC 5322 3.6). With two, a client could show another one than we checked. */
const single = new Set(
  (
    'date from sender reply-to to cc message-id in-reply-to references subject mime-version content-type ' +
    'content-transfer-encoding content-disposition idempotency-key'
  ).split(' '),
)

/** Reads the header of a message with CRLF line ends. Throws `invalid` if it is malformed, too large or ambiguous. */
export function readHeader(octets: Buffer): HeaderBlock {
  const end = octets[0] === CR ? 0 : octets.indexOf('\r\n\r\n')
  if ((end === -1 ? octets.length : end) > sizeMaxBytes)
    throw new DomainError('invalid', `The header is larger than ${sizeMaxBytes / 1024} KiB.`)
  const header = readFields(octets, 0, octets.length)
  if (header.fields.length > fieldsMax)
    throw new DomainError('invalid', `The header has more than ${fieldsMax} fields.`)
  const seen = new Set<string>()
  for (const field of header.fields) refuseField(octets, field, seen)
  if (header.fields.filter(({ name }) => name === 'received').length > hopsMax)
    throw new DomainError('invalid', 'The message has passed too many servers: it is going round in circles.')
  return header
}

function refuseField(octets: Buffer, { name, start, end }: Field, seen: Set<string>): void {
  if (name === '') {
    const line = octets.toString('latin1', start, Math.min(end, start + 40)).replace(/[^ -~]+/g, ' ')
    throw new DomainError(
      'invalid',
      `A line of the header is no field, or the empty line behind it is missing: ${line}`,
    )
  }
  if (single.has(name) && seen.has(name)) throw invalid(name, 'stands in the header more than once')
  seen.add(name)
}

/** Fields that recipients must not see: blind recipients, and the idempotency key, which is meant for us. */
const removed = new Set(['bcc', 'idempotency-key'])
const messageIdForm = /^<[!-;=?-~]{1,900}>$/

/** Removes the header fields that recipients must not see, and a malformed Message-ID, so that we add ours. */
export function cleanHeader(
  octets: Buffer,
  { fields, bodyStart }: HeaderBlock,
): Omit<SubmittedSource, 'received' | 'holdsTexts'> {
  const given = fieldValue(fields, 'message-id')
  const messageId = given !== null && messageIdForm.test(given) ? given : null
  const isKept = ({ name }: Field) =>
    !removed.has(name) && !isRelayOrder(name) && (name !== 'message-id' || messageId !== null)
  const pieces = fields.filter(isKept).map(({ start, end }) => octets.subarray(start, end))
  const hasVersion = fieldValue(fields, 'mime-version') !== null
  // A message that ends within its header may lack the last line end.
  const open = pieces.length === 0 || pieces.at(-1)!.at(-1) === LF ? '' : '\r\n'
  const last = Buffer.from(`${open}${hasVersion ? '' : 'MIME-Version: 1.0\r\n'}\r\n`)
  return {
    header: Buffer.concat([...pieces, last]),
    body: octets.subarray(bodyStart),
    messageId,
    hasDate: fieldValue(fields, 'date') !== null,
  }
}
