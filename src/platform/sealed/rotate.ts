import { sql } from 'kysely'
import type { App, Tx } from '../../context.ts'
import { nilId } from '../ids.ts'
import type { Keyring } from '../keys/keyring.ts'
import { rowsOf } from '../sql/sql-rows.ts'
import type { SealedColumn } from './column.ts'
import { headOfVersion1 } from './seal.ts'

/** Rows of one commit. A kill loses little work, and a running server waits for a row for milliseconds. */
const pageRows = 100
/**
 * The most passes; then the rest is reported. A server that still has the old secret may write rows that were scanned.
 */
const passesMax = 3

type RotateTotals = {
  /** Values that were encrypted again. */
  wanted: number
  done: number
  /** Values that no known secret decrypts. */
  unreadable: number
}

/**
 * Encrypts again all values that are not encrypted with the newest secret, with one commit for each page. After an
 * interruption, run it again for the rest. Servers that know both secrets may run meanwhile.
 */
export async function rotateSealed(
  app: App,
  columns: readonly SealedColumn[],
  show: (totals: RotateTotals) => void,
): Promise<RotateTotals> {
  const totals: RotateTotals = { wanted: 0, done: 0, unreadable: 0 }
  const checkValues = columns.filter(({ isCheckValue }) => isCheckValue)
  const others = columns.filter(({ isCheckValue }) => !isCheckValue)
  for (const column of columns) totals.wanted += await countOlder(app, column)
  for (let pass = 0; pass < passesMax; pass++) {
    totals.unreadable = 0
    for (const column of others) await rotateColumn(app, column, totals, show)
    // Afterwards a start without the older secrets is accepted.
    if (!(await needOlderSecret(app, others)))
      for (const column of checkValues) await rotateColumn(app, column, totals, show)
    if ((await countAllOlder(app, columns)) === totals.unreadable) break
  }
  return totals
}

/** Counts the values that are not encrypted with the newest secret. */
export async function countAllOlder(app: App, columns: readonly SealedColumn[]): Promise<number> {
  let count = 0
  for (const column of columns) count += await countOlder(app, column)
  return count
}

async function countOlder({ db, keyring }: App, { table, column }: SealedColumn): Promise<number> {
  const { rows } = await sql<{ count: string }>`
    select count(*) from ${sql.table(table)} where ${isOlder(column, keyring)}
  `.execute(db)
  return Number(rows[0]!.count)
}

/**
 * True if one of the older secrets may have encrypted a value. A value of a secret that is not known here does not
 * count, because the older secrets do not open it.
 */
async function needOlderSecret(app: App, columns: readonly SealedColumn[]): Promise<boolean> {
  const { db, keyring } = app
  const heads = keyring.previous.map(({ newestHead }) => newestHead)
  for (const sealed of columns) {
    const { table, column } = sealed
    const { rows } = await sql`
      select from ${sql.table(table)}
      where ${isOlder(column, keyring)}
        and exists (select from unnest(${heads}::text[]) as head where starts_with(${sql.ref(column)}, head)) limit 1
    `.execute(db)
    if (rows.length > 0 || (await holdsReadableVersion1(app, sealed))) return true
  }
  return false
}

/** True if a known secret decrypts a value of version 1, which names no secret. */
async function holdsReadableVersion1(app: App, column: SealedColumn): Promise<boolean> {
  for await (const rows of pagesOfOlder(app, column)) {
    const isReadable = ({ id, sealed }: Older) => renew(app.keyring, column, id, sealed) !== null
    if (rows.some((row) => row.sealed.startsWith(headOfVersion1) && isReadable(row))) return true
  }
  return false
}

function isOlder(column: string, { newestHead }: Keyring) {
  return sql<boolean>`not starts_with(${sql.ref(column)}, ${newestHead})`
}

async function rotateColumn(
  app: App,
  column: SealedColumn,
  totals: RotateTotals,
  show: (totals: RotateTotals) => void,
): Promise<void> {
  for await (const rows of pagesOfOlder(app, column)) {
    const opened = rows.flatMap(({ id, sealed }) => {
      const renewed = renew(app.keyring, column, id, sealed)
      return renewed === null ? [] : [{ id, sealed, renewed }]
    })
    totals.unreadable += rows.length - opened.length
    totals.done += await app.transaction((tx) => replace(tx, column, opened))
    show(totals)
  }
}

type Older = { id: string; sealed: string }

async function* pagesOfOlder(app: App, column: SealedColumn): AsyncGenerator<Older[]> {
  for (let after = nilId; ; ) {
    const rows = await findOlder(app, column, after)
    const last = rows.at(-1)
    if (!last) return
    after = last.id
    yield rows
  }
}

async function findOlder({ db, keyring }: App, { table, column }: SealedColumn, after: string): Promise<Older[]> {
  const { rows } = await sql<Older>`
    select id, ${sql.ref(column)} as sealed from ${sql.table(table)}
    where id > ${after} and ${isOlder(column, keyring)}
    order by id limit ${pageRows}
  `.execute(db)
  return rows
}

function renew(keyring: Keyring, { purpose }: SealedColumn, id: string, sealed: string): string | null {
  try {
    return keyring.encrypt(purpose, keyring.decrypt(purpose, sealed, id), id)
  } catch {
    return null
  }
}

/** Replaces a value unless it was changed since it was read. */
async function replace(
  tx: Tx,
  { table, column }: SealedColumn,
  rows: (Older & { renewed: string })[],
): Promise<number> {
  const result = await sql`
    update ${sql.table(table)} as kept set ${sql.ref(column)} = row.renewed
    from ${rowsOf(rows, { id: 'uuid', sealed: 'text', renewed: 'text' }).as('row')}
    where kept.id = row.id and kept.${sql.ref(column)} = row.sealed
  `.execute(tx.db)
  return Number(result.numAffectedRows ?? 0)
}
