import { normalizeAddress } from '../../platform/mail-address.ts'
import { type ContactColumns, columnsOf, faultsOf } from '../rules.ts'
import type { ImportRow } from '../schema.ts'

export type WantedContact = { email: string; key: string; columns: ContactColumns }
export type RowError = { index: number; email: string | null; message: string }

/** The longest address. A fault names no more of what came in its place. */
const emailLengthMax = 320

/**
 * Reads what the rows ask for: each address once, as its last row without a fault has it, in the order of those rows. An
 * opt-out in any row of an address counts. An import never resubscribes, so `unsubscribed: false` changes nothing.
 */
export function readRows(rows: ImportRow[]): { wanted: WantedContact[]; errors: RowError[] } {
  const byKey = new Map<string, WantedContact>()
  const errors: RowError[] = []
  for (const [index, row] of rows.entries()) {
    const message = faultOf(row)
    if (message !== null) {
      errors.push({ index, email: typeof row.email === 'string' ? row.email.slice(0, emailLengthMax) : null, message })
      continue
    }
    const wanted = readRow(row)
    if (byKey.get(wanted.key)?.columns.unsubscribed) wanted.columns.unsubscribed = true
    byKey.delete(wanted.key)
    byKey.set(wanted.key, wanted)
  }
  return { wanted: [...byKey.values()], errors }
}

function faultOf(row: ImportRow): string | null {
  if (row.email === undefined) return 'email: is required'
  const faults = faultsOf(row)
  return faults.length === 0 ? null : faults.map(({ path, message }) => `${path}: ${message}`).join('; ')
}

function readRow({ email: given, ...fields }: ImportRow): WantedContact {
  const email = given as string
  const { unsubscribed, ...columns } = columnsOf(fields)
  return { email, key: normalizeAddress(email), columns: unsubscribed ? { ...columns, unsubscribed } : columns }
}
