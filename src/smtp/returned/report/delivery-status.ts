import { addressIn, type Fields, firstField, readFieldGroups, shown } from './fields.ts'
import type { RecipientStatus } from './report.ts'

/** An email has 50 recipients at most; more than twice as many groups are no report of one. */
const recipientsMax = 100

/**
 * The recipients of a `message/delivery-status` (RFC 3464). Some servers leave out the group about the message, so a group
 * is a recipient's where it has an `Action`. `relayed` and `expanded` are left out: the mail has gone on, nothing is known.
 */
export function readDeliveryStatus(text: string): RecipientStatus[] {
  return readFieldGroups(text, recipientsMax + 1).flatMap((fields) => recipientStatus(fields) ?? [])
}

function recipientStatus(fields: Fields): RecipientStatus | null {
  const action = /^(failed|delayed|delivered)\b/i.exec(firstField(fields, 'action') ?? '')?.[1]?.toLowerCase()
  if (action !== 'failed' && action !== 'delayed' && action !== 'delivered') return null
  const diagnosticCode = shown(firstField(fields, 'diagnostic-code') ?? '')
  const status = statusOf(firstField(fields, 'status') ?? '', diagnosticCode) ?? unspecific[action]
  return {
    names: ['original-recipient', 'final-recipient'].flatMap((name) => addressIn(firstField(fields, name)) ?? []),
    action,
    status,
    diagnosticCode: diagnosticCode || shown(`status; ${status} ${firstField(fields, 'remote-mta') ?? ''}`),
  }
}

const unspecific = { failed: '5.0.0', delayed: '4.0.0', delivered: '2.0.0' }

/** Servers that know no better write `5.0.0` and leave the reason in what the next server told them. */
function statusOf(declared: string, diagnosticCode: string): string | null {
  const [status, told] = [enhancedCode(declared), enhancedCode(diagnosticCode)]
  if (status && !status.endsWith('.0.0')) return status
  return told && (!status || told[0] === status[0]) ? told : status
}

/** The first enhanced status code in a text. Parts of IP addresses are skipped. */
export function enhancedCode(text: string): string | null {
  return /(?<![\w.])[245]\.\d{1,3}\.\d{1,3}(?![\w-]|\.\w)/.exec(text)?.[0] ?? null
}
