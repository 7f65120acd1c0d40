import { addressIn, type Fields, firstField, readFieldGroups, shown } from './fields.ts'
import type { RecipientStatus } from './report.ts'

/** Twice the number of recipients that an email may have. */
const recipientsMax = 100

/**
 * Reads the recipients of a `message/delivery-status` (RFC 3464): the groups with an `Action`, since some servers omit the
 * group about the message. Ignores `relayed` and `expanded`, after which the outcome is unknown.
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

/** Returns the declared status, or the code in the next server's reply if the declared one is only `5.0.0` or similar. */
function statusOf(declared: string, diagnosticCode: string): string | null {
  const [status, told] = [enhancedCode(declared), enhancedCode(diagnosticCode)]
  if (status && !status.endsWith('.0.0')) return status
  return told && (!status || told[0] === status[0]) ? told : status
}

/** Returns the first enhanced status code in a text; null if there is none. Skips parts of IP addresses. */
export function enhancedCode(text: string): string | null {
  return /(?<![\w.])[245]\.\d{1,3}\.\d{1,3}(?![\w-]|\.\w)/.exec(text)?.[0] ?? null
}
