import { normalizeAddress } from '../../platform/mail-address.ts'
import { type ContactColumns, columnsOf, faultsOf } from '../rules.ts'
import type { ImportRow } from '../schema.ts'

export type WantedContact = { email: string; key: string; columns: ContactColumns }
export type RowError = { index: number; email: string | null; message: string }

/** An address is no longer; what is in its place may be anything. */
const emailLengthMax = 320

/**
 * What the rows ask for: each address once, as its last row without fault says, in the order of those rows; and what is
 * wrong with the others. Nobody is resubscribed by an import, so `unsubscribed: false` says nothing.
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
