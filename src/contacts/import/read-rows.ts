import { normalizeAddress } from '../../platform/text/mail-address.ts'
import { type ContactColumns, columnsOf, faultsOf } from '../rules.ts'
import type { ImportRow } from '../schema.ts'

/** `index` is that of the row. `earlier` is the row of the same address that counts if this one cannot be taken. */
export type WantedContact = {
  index: number
  email: string
  key: string
  columns: ContactColumns
  earlier: WantedContact | null
}
export type RowError = { index: number; email: string | null; message: string }

/** The longest address. An error quotes at most this much of an invalid one. */
const emailLengthMax = 320

/**
 * Reads the rows of an import. Each address appears once, as in its last valid row and in the order of these rows. An
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
    const wanted = readRow(row, index)
    wanted.earlier = byKey.get(wanted.key) ?? null
    if (wanted.earlier?.columns.unsubscribed) wanted.columns.unsubscribed = true
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

function readRow({ email: given, ...fields }: ImportRow, index: number): WantedContact {
  const email = given as string
  const { unsubscribed, ...others } = columnsOf(fields)
  const columns = unsubscribed ? { ...others, unsubscribed } : others
  return { index, email, key: normalizeAddress(email), columns, earlier: null }
}
