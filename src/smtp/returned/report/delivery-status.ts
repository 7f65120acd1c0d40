import { type Beside, besideAddress, enhancedCodes } from './beside.ts'
import { addressIn, type Fields, firstField, readFieldGroups, shown } from './fields.ts'
import type { RecipientStatus } from './report.ts'

/** As many recipients as an email may have. */
const recipientsMax = 100

/**
 * Reads the recipients of a `message/delivery-status` (RFC 3464): the groups with an `Action`, since some servers omit
 * the group about the message. Ignores `relayed` and `expanded`, after which the outcome is unknown. `words` is the
 * text of the report, where some servers say the reason of a failure alone.
 */
export function readDeliveryStatus(text: string, words: string): RecipientStatus[] {
  return readFieldGroups(text, recipientsMax + 1).flatMap((fields) => recipientStatus(fields, words) ?? [])
}

const knownAction = /^(?:\([^()]*\)\s*)*(failed|delayed|delivered)\b/i

function recipientStatus(fields: Fields, words: string): RecipientStatus | null {
  const action = knownAction.exec(firstField(fields, 'action') ?? '')?.[1]?.toLowerCase()
  if (action !== 'failed' && action !== 'delayed' && action !== 'delivered') return null
  const names = ['original-recipient', 'final-recipient'].flatMap((name) => addressIn(firstField(fields, name)) ?? [])
  const given = shown(firstField(fields, 'diagnostic-code') ?? '')
  const beside = given === '' && action === 'failed' ? besideOne(names, words) : null
  const said = given || (beside?.diagnosticCode ?? '')
  const declared = enhancedCodes(firstField(fields, 'status') ?? '')[0] ?? null
  const status = statusOf(declared, said, beside) ?? unspecific[action]
  // A failure with a code of success is none, and the other way round.
  if ((action === 'delivered') !== status.startsWith('2.')) return null
  const diagnosticCode = said || shown(`status; ${status} ${firstField(fields, 'remote-mta') ?? ''}`)
  return { names, action, status, diagnosticCode }
}

function besideOne(names: string[], words: string): Beside | null {
  for (const name of names) {
    const beside = besideAddress(name, words)
    if (beside) return beside
  }
  return null
}

const unspecific = { failed: '5.0.0', delayed: '4.0.0', delivered: '2.0.0' }

/** Words by which a server that writes no code says that there is no such address. */
const noSuchAddress =
  /\b(unknown (user|recipient|local[- ]part|mailbox)|(user|recipient|mailbox|address) (is )?unknown|no such (user|recipient|mailbox|address|person)|no mailbox here)\b/i

/**
 * Returns the code that counts. The reply of an SMTP server is what was said, and the declared status a translation of
 * it (RFC 3464 2.3.6), so a code of the same class in the reply counts before it. In another text it counts if the
 * declared one is only `5.0.0` or similar.
 */
function statusOf(declared: string | null, said: string, beside: Beside | null): string | null {
  const isUnspecific = declared === null || declared.endsWith('.0.0')
  const told = beside ? beside.status : (enhancedCodes(said)[0] ?? null)
  const isOfClass = told !== null && (declared === null || told[0] === declared[0])
  const isSaid = beside !== null || /^smtp\s*;/i.test(said)
  if (isOfClass && !told.endsWith('.0.0') && (isSaid || isUnspecific)) return told
  if (isUnspecific && declared?.[0] !== '4' && beside && !isOfClass && noSuchAddress.test(said)) return '5.1.1'
  return declared ?? told
}
